"""What a seat cannot know, and samples of it: the own deck's order, the opponent's hand and deck."""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.palworld.codes import AT_PICK, ONE, ZERO, U
from kernels.rng import CHOICE, GAMMA, SHUFFLE, below, mix, stream


@kernel
def fixed_cards(S, p, q):
    """Cards of seat q in hand or deck whose place seat p knows, as a mask."""
    if p == q:
        return S.known[q] | S.hand[q]
    fixed = S.shown[q]
    if S.decision == AT_PICK and U(S.decider) == p:
        fixed |= S.pick_mask[q] | S.picked[q]  # what one chooses from is seen
    return fixed


@kernel
def determinize(S, T, p, word):
    """Another state of the information set of seat p, at one of its decisions; all are equally likely.

    The opponent's deck list is known, the order of its deck and which of its cards are in the hand are not, but for
    cards that were shown. word: 64 random bits, from which the coming shuffles follow too.
    """
    for q in range(U(2)):
        S.shuffle_rng[q] = stream(word, ZERO, q, SHUFFLE)
        S.choice_rng[q] = stream(word, ZERO, q, CHOICE)
        rng = stream(word, ONE, q, SHUFFLE)
        fixed = fixed_cards(S, p, q)
        # The places that q knows stay known, whatever lies there.
        places = ZERO
        if S.known[q] & ~fixed != ZERO:
            for i in range(U(S.deck_count[q])):
                if (S.known[q] >> U(S.deck[q, i])) & ONE != ZERO:
                    places |= ONE << i
        rng = mix_hand(S, q, fixed, rng)
        mix_deck(S, q, fixed, rng)
        if places != ZERO:
            S.known[q] = ZERO
            while places != ZERO:
                S.known[q] |= ONE << U(S.deck[q, lowest(places)])
                places &= places - ONE


@hot
def loose(S, q, fixed, i):
    """The i-th card of the deck may be any."""
    return (fixed >> U(S.deck[q, i])) & ONE == ZERO


@kernel
def mix_hand(S, q, fixed, rng):
    """Put random cards in the place of those of the hand that are not fixed; the stream that is left."""
    left = S.hand[q] & ~fixed
    count, free = U(S.deck_count[q]), ZERO
    if left == ZERO:
        return rng
    for i in range(count):
        if loose(S, q, fixed, i):
            free += ONE
    while left != ZERO:
        rng += GAMMA
        j = below(mix(rng), free + popcount(left))
        if j >= free:
            m = left
            for _ in range(j - free):
                m &= m - ONE
            left &= ~(ONE << lowest(m))
            continue
        i = ZERO
        while j > ZERO or not loose(S, q, fixed, i):
            if loose(S, q, fixed, i):
                j -= ONE
            i += ONE
        out = lowest(left)
        left &= left - ONE
        S.hand[q] = S.hand[q] & ~(ONE << out) | ONE << U(S.deck[q, i])
        S.deck[q, i] = out
    return rng


@kernel
def mix_deck(S, q, fixed, rng):
    """Shuffle the cards of a deck that are not fixed among themselves."""
    i = U(S.deck_count[q])
    while i > ONE:
        i -= ONE
        if not loose(S, q, fixed, i):
            continue
        while True:
            rng += GAMMA
            j = below(mix(rng), i + ONE)
            if loose(S, q, fixed, j):
                break
        slot = S.deck[q, i]
        S.deck[q, i] = S.deck[q, j]
        S.deck[q, j] = slot

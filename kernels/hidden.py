"""Samples of what a seat cannot know: which cards are in a hand, and the order of a deck."""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.numbers import ONE, SIX, ZERO, U
from kernels.rng import CHOICE, GAMMA, SHUFFLE, below, mix, stream


@kernel
def deal_anew(S, q, fixed, word):
    """Mix the cards of seat q in hand and deck that are not fixed, all ways equally likely. word: 64 random bits, from
    which the seat's coming shuffles follow too.

    What was there before leaves no trace: the cards are put in order first.
    """
    S.shuffle_rng[q] = stream(word, ZERO, q, SHUFFLE)
    S.choice_rng[q] = stream(word, ZERO, q, CHOICE)
    count, held = U(S.deck_count[q]), popcount(S.hand[q] & ~fixed)
    pool = S.hand[q] & ~fixed
    for i in range(count):
        if loose(S, q, fixed, i):
            pool |= ONE << U(S.deck[q, i])
    S.hand[q] &= fixed
    for _ in range(held):
        S.hand[q] |= ONE << lowest(pool)
        pool &= pool - ONE
    left = pool
    for i in range(count):
        if loose(S, q, fixed, i):
            S.deck[q, i] = lowest(left)
            left &= left - ONE
    mix_deck(S, q, fixed, mix_hand(S, q, fixed, stream(word, ONE, q, SHUFFLE)))


@hot
def hide(S, T, obj):
    """A card leaves the hand in sight: of copies, the one that the opponent knew of goes."""
    p, b = obj >> SIX, ONE << (obj & U(63))
    twins = S.shown[p] & S.hand[p] & T.same[obj]
    if twins != ZERO:
        S.shown[p] &= ~(b if twins & b != ZERO else ONE << lowest(twins))


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

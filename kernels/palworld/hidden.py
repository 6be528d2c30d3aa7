"""What a seat cannot know, and samples of it: the own deck's order, the opponent's hand and deck."""

from __future__ import annotations

from kernels.hidden import deal_anew
from kernels.jit import kernel, lowest
from kernels.palworld.codes import AT_PICK, ONE, ZERO, U


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
        fixed = fixed_cards(S, p, q)
        # The places that q knows stay known, whatever lies there.
        places = ZERO
        if S.known[q] & ~fixed != ZERO:
            for i in range(U(S.deck_count[q])):
                if (S.known[q] >> U(S.deck[q, i])) & ONE != ZERO:
                    places |= ONE << i
        deal_anew(S, q, fixed, word)
        if places != ZERO:
            S.known[q] = ZERO
            while places != ZERO:
                S.known[q] |= ONE << U(S.deck[q, lowest(places)])
                places &= places - ONE

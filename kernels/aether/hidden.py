"""What a seat cannot know, and samples of it: the own deck's order, the opponent's hand and deck."""

from __future__ import annotations

from kernels.hidden import deal_anew
from kernels.jit import kernel
from kernels.numbers import U


@kernel
def determinize(S, T, p, word):
    """Another state of the information set of seat p, at one of its decisions; all are equally likely.

    The opponent's deck list is known, the order of its deck and which of its cards are in the hand are not, but for
    cards that came back to the hand. Nothing makes the place of a card in a deck known. word: 64 random bits.
    """
    for q in range(U(2)):
        deal_anew(S, q, S.hand[q] if q == p else S.shown[q], word)

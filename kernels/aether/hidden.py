"""What a seat cannot know, and samples of it: the own deck's order, the opponent's hand and deck."""

from __future__ import annotations

from kernels.aether.codes import NEUTRAL, ONE, SIX, U
from kernels.hidden import deal_anew
from kernels.jit import kernel


@kernel
def fixed_cards(S, p, q):
    """Cards of seat q in hand or deck whose place seat p knows, as a mask: nothing makes the place of a card in a deck
    known."""
    return S.hand[q] if q == p else S.shown[q]


@kernel
def determinize(S, T, p, word):
    """Another state of the information set of seat p, at one of its decisions; all are equally likely.

    The opponent's deck list is known, the order of its deck and which of its cards are in the hand are not, but for
    cards that came back to the hand. Where it is not known, T is a guess, and what the state keeps of the cards of the
    deck follows it. word: 64 random bits.
    """
    for q in range(U(2)):
        deal_anew(S, q, fixed_cards(S, p, q), word)
    q = ONE - p
    S.allowed[q] = T.element_mask[q, NEUTRAL]
    for element in range(NEUTRAL):
        if S.elements[q, element] > 0:
            S.allowed[q] |= T.element_mask[q, element]
    for slot in range(U(T.deck_size[q])):
        S.card[q << SIX | slot] = T.card[q << SIX | slot]

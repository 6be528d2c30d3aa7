"""How a seat stands in a game that goes on: its chance to win, from how games of greedy players went on.

The logarithm of the odds is a sum over what both players have, for the player whose turn begins. `python -m
bench.standing` fits such sums and says how good they are. What a regression cannot tell, since greedy players seldom
have a choice there, was set by hand: structures, gears and resources are worth something to who plays them on purpose.
"""

from __future__ import annotations

from kernels.chances import chance
from kernels.jit import kernel, lowest, popcount
from kernels.palworld.codes import ONE, SIX, ZERO, I, U

FEATURES = (
    "Strike of standing Pals",
    "Strike of rested Pals",
    "Pals",
    "structures",
    "gears",
    "cards in the hand",
    "souls",
    "Material and Ingredient, up to 8 of each",
    "life",
    "life below 6",
    "life below 3",
    "cards of the deck below 8",
)
OWN = (436, 191, 133, 100, 130, 229, 199, 10, 151, -364, 138, -875)
FOE = (-469, -356, 0, -100, -130, -233, -108, -10, -169, 515, -60, 1122)
FIRST = -295
"""Thousandths of log odds: for one of each thing that the player has whose turn it is, that the other has, at all."""


@kernel
def log_odds(S, T, s, numbers):
    """Sum over what player s has, in thousandths."""
    standing, rested = I(0), I(0)
    pals = S.bases[s] & T.type_mask[s, 0]
    m = pals
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        strike = max(I(S.strike[s << SIX | slot]), 0)
        if S.resting[s] & (ONE << slot) == ZERO:
            standing += strike
        else:
            rested += strike
    life = max(I(S.life[s]), 0)
    total = standing * numbers[0] + rested * numbers[1] + I(popcount(pals)) * numbers[2]
    total += I(popcount(S.bases[s] & T.type_mask[s, 1])) * numbers[3]
    total += I(popcount(S.bases[s] & T.type_mask[s, 2])) * numbers[4]
    total += I(popcount(S.hand[s])) * numbers[5] + I(S.souls[s]) * numbers[6]
    total += (min(I(S.material[s]), 8) + min(I(S.ingredient[s]), 8)) * numbers[7]
    total += life * numbers[8] + max(6 - life, 0) * numbers[9] + max(3 - life, 0) * numbers[10]
    return total + max(8 - I(S.deck_count[s]), 0) * numbers[11]


@kernel
def evaluate(S, T, P, p):
    """How seat p stands: 0 lost, 1000000 won, 500000 even."""
    if S.end != 255:
        if S.winner < 0 or S.winner == 2:
            return I(500_000)
        return I(1_000_000) if U(S.winner) == p else I(0)
    s = U(S.turn_seat)
    odds = FIRST + log_odds(S, T, s, OWN) + log_odds(S, T, ONE - s, FOE)
    return chance(odds if s == p else -odds)

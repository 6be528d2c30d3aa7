"""How a seat stands in a game that goes on, from what the weights of its greedy player say things are worth."""

from __future__ import annotations

from kernels.aether.judge import unit_worth, weight
from kernels.aether.weights import W_CARD, W_FACE, W_KEEP, W_KILL, W_LIFE
from kernels.jit import kernel, lowest, popcount
from kernels.numbers import ONE, SIX, ZERO, I, U

CARD, AETHER, LIFE, LOW_LIFE = 45, 30, 14, 3
"""Points of a card in hand, of an aether up to the sixth, a point of life, and of each more the lower life is."""
DECK_LOW, DECK = 5, 40
"""Below so many cards in the deck each card that is missing costs so many points."""
TILT = 250
"""Points at which two thirds of the games should be won."""


@kernel
def holdings(S, T, P, p, s, board, life):
    """Points of what player s has, seen by seat p. board, life: weights in percent."""
    points = I(0)
    m = S.field[s]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        points += I(unit_worth(S, T, s << SIX | slot))
    points = points * board // 100
    points += I(popcount(S.hand[s])) * CARD * weight(P, p, W_CARD) // 100 + min(I(S.total[s]), 6) * AETHER
    left = max(I(S.life[s]), 0)
    low = max(10 - left, 0)
    points += (left * LIFE - LOW_LIFE * low * (low + 1) // 2) * life // 100
    return points - DECK * max(DECK_LOW - I(S.deck_count[s]), 0)


@kernel
def evaluate(S, T, P, p):
    """How seat p stands: 0 lost, 1000000 won, 500000 even."""
    if S.end != 255:
        if S.winner < 0 or S.winner == 2:
            return I(500_000)
        return I(1_000_000) if U(S.winner) == p else I(0)
    own = holdings(S, T, P, p, p, weight(P, p, W_KEEP), weight(P, p, W_LIFE))
    points = own - holdings(S, T, P, p, ONE - p, weight(P, p, W_KILL), weight(P, p, W_FACE))
    # x / (1 + |x|) of points in units of TILT times two, so that +TILT gives two thirds.
    return I(500_000) + 500_000 * points // (2 * TILT + abs(points))

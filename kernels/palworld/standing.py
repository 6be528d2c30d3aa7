"""How a seat stands in a game that goes on, from what the weights of its greedy player say things are worth."""

from __future__ import annotations

from kernels.jit import kernel, lowest, popcount
from kernels.palworld.codes import ONE, SIX, ZERO, I, U
from kernels.palworld.judge import dies, weight
from kernels.palworld.weights import W_ATTACK, W_CARD, W_KEEP, W_KILL, W_LIFE, W_RISK
from kernels.palworld.zones import is_pal

CARD, SOUL, RESOURCE, LIFE, LOW_LIFE = 70, 12, 15, 60, 8
"""Points of a card in hand, a soul, a Material or Ingredient, a point of life, and of each more the lower life is."""
EXPOSED, THREAT = 35, 40
"""Percent of a rested Pal's points that count against it where it can be killed; of the Strike that may come."""
DECK_LOW, DECK = 8, 60
"""Below so many cards in the deck each card that is missing costs so many points."""
TILT = 900
"""Points at which two thirds of the games should be won."""


@kernel
def coming(S, T, q):
    """What player q, whose turn it is, can attack with: the largest Power, and Strike that is not kept back by blockers
    of the other player, as far as they reach."""
    power, strike, most = I(0), I(0), I(0)
    m = S.bases[q] & T.type_mask[q, 0] & ~S.resting[q]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = q << SIX | slot
        power = max(power, I(S.power[obj]))
        n = max(I(S.strike[obj]), 0)
        strike += n
        most = max(most, n)
    s = ONE - q
    guards = I(popcount(S.bases[s] & T.type_mask[s, 0] & ~S.resting[s] & ~S.no_block[s]))
    return power, max(strike - guards * most, 0)


@kernel
def holdings(S, T, P, p, s, board, life):
    """Points of what player s has, seen by seat p. board, life: weights in percent.

    In the turn of the other player rested Pals that an attack would kill count less, and a part of the Strike that may
    come is taken off the life.
    """
    points, power, strike = I(0), I(0), I(0)
    if s != U(S.turn_seat):
        power, strike = coming(S, T, ONE - s)
    m = S.bases[s]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = s << SIX | slot
        worth = I(T.board[T.card[obj]])
        if power > 0 and S.resting[s] & (ONE << slot) != ZERO and is_pal(T, obj) and dies(S, obj, power, I(0)):
            worth -= worth * EXPOSED * weight(P, p, W_RISK) // 10000
        points += worth
    points = points * board // 100
    points += I(popcount(S.hand[s])) * CARD * weight(P, p, W_CARD) // 100
    points += I(S.souls[s]) * SOUL + (min(I(S.material[s]), 8) + min(I(S.ingredient[s]), 8)) * RESOURCE
    # Tenths of a point of life.
    left = max(I(S.life[s]), 0) * 10 - min(strike, I(S.life[s])) * THREAT // 10
    low = max(100 - left, 0)
    points += (left * LIFE // 10 - LOW_LIFE * low * (low + 10) // 200) * life // 100
    return points - DECK * max(DECK_LOW - I(S.deck_count[s]), 0)


@kernel
def evaluate(S, T, P, p):
    """How seat p stands: 0 lost, 1000000 won, 500000 even."""
    if S.end != 255:
        if S.winner < 0 or S.winner == 2:
            return I(500_000)
        return I(1_000_000) if U(S.winner) == p else I(0)
    own = holdings(S, T, P, p, p, weight(P, p, W_KEEP), weight(P, p, W_LIFE))
    points = own - holdings(S, T, P, p, ONE - p, weight(P, p, W_KILL), weight(P, p, W_ATTACK))
    # x / (1 + |x|) of points in units of TILT times two, so that +TILT gives two thirds.
    return I(500_000) + 500_000 * points // (2 * TILT + abs(points))

"""Who answers a decision: light players at once, heavy ones by trying options on copies of the game."""

from __future__ import annotations

import numpy as np

from kernels import games
from kernels.agents import GREEDY, PLANNER
from kernels.jit import kernel
from kernels.planner import plan
from kernels.rng import GAMMA, U
from kernels.search import MOST, search


@kernel
def heavy_seats(P):
    """Seats whose player tries options on copies, as bits."""
    seats = U(0)
    for p in range(U(2)):
        if P.agent[p] >= PLANNER:
            seats |= U(1) << p
    return seats


@kernel
def imagine(P, model, p):
    """Fill a record of players: greedy in both seats, with the weights of seat p."""
    for s in range(U(2)):
        model.agent[s] = GREEDY
        for i in range(U(P.weights.shape[1])):
            model.weights[s, i] = P.weights[p, i]


@kernel
def answer(S, T, P, lanes, model, room):
    """The option that the deciding seat's player takes. lanes, model, room: what heavy players work in."""
    p = U(S.decider)
    agent = P.agent[p]
    if agent < PLANNER:
        return np.int64(games.pick(S, T, P))
    imagine(P, model, p)
    light = np.int64(games.pick(S, T, model))
    if S.options > MOST:
        return light
    S.choice_rng[p] += GAMMA
    if agent == PLANNER:
        return plan(S, T, P, lanes, model, room, light)
    return search(S, T, P, lanes, model, room, light)

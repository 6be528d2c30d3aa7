"""Who answers a decision: light players at once, heavy ones by trying options on copies of the game."""

from __future__ import annotations

import numpy as np

from kernels import games
from kernels.agents import GREEDY, KNOWN, PLANNER
from kernels.guess import suppose, unseen, weigh
from kernels.jit import kernel
from kernels.planner import plan
from kernels.rng import GAMMA, U, mix
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
def mystery(S, T, P, p, guess, room):
    """The cards of the opponent that a player who is not told its list must guess; guess[0] becomes a copy of T."""
    if P.budget[p, KNOWN] != 0 or T.list_count == 0:
        return U(0)
    hidden = unseen(S, p)
    if hidden != U(0):
        guess[0] = T
        weigh(S, T, p, hidden, room)
    return hidden


@kernel
def answer(S, T, P, lanes, guess, words, model, room):
    """The option that the deciding seat's player takes. lanes, guess (as words: `words`), model, room: what heavy
    players work in."""
    p = U(S.decider)
    agent = P.agent[p]
    if agent < PLANNER:
        return np.int64(games.pick(S, T, P))
    imagine(P, model, p)
    hidden = mystery(S, T, P, p, guess, room)
    W = T
    if hidden != U(0):
        W = guess[0]
        suppose(W, words, S, p, hidden, room, mix(S.choice_rng[p]))
    light = np.int64(games.pick(S, W, model))
    if S.options > MOST:
        return light
    S.choice_rng[p] += GAMMA
    if agent == PLANNER:
        return plan(S, W, P, lanes, words, model, room, hidden, light)
    return search(S, W, P, lanes, words, model, room, hidden, light)

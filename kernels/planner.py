"""The player `planner`: plans the turn, for every game.

A line is an order of plays, activations and attacks up to the end of the turn, with the answers that a greedy opponent
gives. In some samples of what it cannot know, the planner plays out the line that begins with each option and goes on
as the greedy player would, then improves the lines of the best two: wherever the line comes to a decision of its own,
every other option is tried, and the line goes on with the best. What stands at the end of the turn is judged by the
weights of the greedy player. Each line that is played out counts against the budget.
"""

from __future__ import annotations

import numpy as np

from kernels import games
from kernels.jit import kernel
from kernels.rng import SEARCH as PURPOSE
from kernels.rng import U, mix, stream
from kernels.search import MOST, playout, sample

SETUP = 0
"""Phase before the first turn, in every game."""


@kernel
def plan(S, T, P, lanes, words, model, room, hidden, light):
    """The option that the best line begins with; light: the one that the greedy player would take. T, words, hidden:
    see `kernels.search.sample`."""
    p = U(S.decider)
    n = np.int64(S.options)
    nodes, worlds, turns = np.int64(P.budget[p, 0]), np.int64(P.budget[p, 1]), U(P.budget[p, 2])
    if S.phase == SETUP or nodes < n:
        return light
    until = U(S.turn) + turns
    word = mix(S.choice_rng[p])
    worlds = max(min(worlds, nodes // n), np.int64(1))
    for k in range(U(n)):
        room.total[k] = 0
    for w in range(worlds):
        sample(lanes, S, T, words, p, hidden, room, stream(word, w, p, PURPOSE))
        for k in range(U(n)):
            lanes[1] = lanes[0]
            games.choose(lanes[1], T, k)
            room.total[k] += playout(lanes[1], T, model, p, until)
    nodes -= worlds * n
    room.total[U(light)] += np.int64(P.budget[p, 4]) * 1000 * worlds
    if nodes < worlds:
        return top(room, n, light, np.int64(-1))
    # The best two lines, improved by what is left.
    first = top(room, n, light, np.int64(-1))
    second = top(room, n, light, first)
    left, right = np.int64(0), np.int64(0)
    for w in range(worlds):
        share = nodes // (2 * (worlds - w))
        sample(lanes, S, T, words, p, hidden, room, stream(word, w, p, PURPOSE))
        left += improved(lanes, T, model, p, first, until, share)
        right += improved(lanes, T, model, p, second, until, share)
        nodes -= 2 * share
    if first == light:
        left += np.int64(P.budget[p, 4]) * 1000 * worlds
    if second == light:
        right += np.int64(P.budget[p, 4]) * 1000 * worlds
    return second if right > left else first


@kernel
def top(room, n, light, but):
    """The best option but one; of equals the greedy player's, then the first."""
    best = light if light != but else (np.int64(0) if but != 0 else np.int64(1))
    for k in range(n):
        if k != but and room.total[U(k)] > room.total[U(best)]:
            best = k
    return best


@kernel
def improved(lanes, T, model, p, k, until, nodes):
    """Value of the best line found that begins with option k in the world of lanes[0], with so many lines."""
    here, there = lanes[1], lanes[2]
    lanes[1] = lanes[0]
    games.choose(here, T, U(k))
    lanes[2] = lanes[1]
    best = playout(there, T, model, p, until)
    nodes -= 1
    stops = U(1) << p | until << U(2)
    while games.advance(here, T, model, stops) > 0 and U(here.turn) < until:
        if U(here.decider) != p:
            games.choose(here, T, games.pick(here, T, model))
            continue
        taken = np.int64(games.pick(here, T, model))
        light = taken
        for j in range(np.int64(here.options)):
            if j == light or nodes <= 0 or j >= MOST:
                continue
            lanes[2] = lanes[1]
            games.choose(there, T, U(j))
            value = playout(there, T, model, p, until)
            nodes -= 1
            if value > best:
                best, taken = value, j
        if nodes <= 0 and taken == light:
            break
        games.choose(here, T, U(taken))
    return best

"""The player `search`: information-set Monte Carlo, for every game.

At a decision it samples what it cannot know, takes each option on a copy of that world, and lets greedy players go on.
All options meet the same worlds. The playouts of a decision are spent by sequential halving (Karnin, Koren, Somekh:
Almost optimal exploration in multi-armed bandits, 2013): in each round every option that is left gets as many, and
the better half goes on to the next. Values are integers, ties go to the greedy player's choice, then to the first
option: the same choice on every machine.
"""

from __future__ import annotations

import numpy as np

from kernels import games
from kernels.guess import GUESS_FIELDS, suppose
from kernels.jit import kernel
from kernels.record import Fields, record
from kernels.rng import SEARCH as PURPOSE
from kernels.rng import U, mix, stream

MOST = 128
"""With more options than this (a name to declare) a heavy player does not search."""
LANES = 3
"""States that a search or a plan needs besides the game's own."""

ROOM_FIELDS: Fields = [
    ("total", np.int64, MOST, "sum of the values of each option"),
    ("left", np.uint16, MOST, "options that are left, the best first"),
    *GUESS_FIELDS,
]
ROOM = record(ROOM_FIELDS)


@kernel
def sample(lanes, S, T, words, p, hidden, room, word):
    """A world in lanes[0]: the game at hand with other values for what seat p cannot know, decided by 64 bits. hidden:
    cards of the opponent whose numbers it does not know either; T (as words: `words`) gets new ones."""
    if hidden != U(0):
        suppose(T, words, S, p, hidden, room, word)
    lanes[0] = S
    world = lanes[0]
    world.log_on = 0
    games.determinize(world, T, p, word)


@kernel
def playout(lane, T, model, p, until):
    """Greedy players go on to the end of the game, or to turn `until` unless that is 0; how seat p then stands."""
    while games.advance(lane, T, model, until << U(2)) > 0 and (until == U(0) or U(lane.turn) < until):
        games.choose(lane, T, games.pick(lane, T, model))
    return np.int64(games.evaluate(lane, T, model, p))


@kernel
def search(S, T, P, lanes, words, model, room, hidden, light):
    """The best option by playouts; light: the one that the greedy player would take. T, words, hidden: see `sample`."""
    p = U(S.decider)
    n = np.int64(S.options)
    playouts, turns, prior = np.int64(P.budget[p, 0]), P.budget[p, 1], np.int64(P.budget[p, 2]) * 1000
    until = U(S.turn) + U(turns) if turns > 0 else U(0)
    word = mix(S.choice_rng[p])
    rounds = np.int64(0)
    while (np.int64(1) << rounds) < n:
        rounds += 1
    for k in range(U(n)):
        room.total[k] = 0
        room.left[k] = k
    # The greedy choice comes first, so that it wins ties.
    for k in range(U(light)):
        room.left[U(light) - k] = U(light) - k - U(1)
    room.left[0] = light
    worlds = np.int64(0)
    while n > 1:
        each = max(playouts // (rounds * n), np.int64(1))
        for _ in range(each):
            sample(lanes, S, T, words, p, hidden, room, stream(word, worlds, p, PURPOSE))
            for i in range(U(n)):
                k = U(room.left[i])
                lanes[1] = lanes[0]
                games.choose(lanes[1], T, k)
                room.total[k] += playout(lanes[1], T, model, p, until)
            worlds += 1
        # The better half, in order; an insertion sort keeps equals as they are.
        for i in range(U(1), U(n)):
            k = U(room.left[i])
            value = worth(room, k, light, prior * worlds)
            j = i
            while j > U(0) and worth(room, U(room.left[j - U(1)]), light, prior * worlds) < value:
                room.left[j] = room.left[j - U(1)]
                j -= U(1)
            room.left[j] = k
        n = (n + 1) // 2
    return np.int64(room.left[0])


@kernel
def worth(room, k, light, extra):
    """Value of an option, with what the greedy player's choice gets on top."""
    return room.total[k] + (extra if np.int64(k) == light else np.int64(0))

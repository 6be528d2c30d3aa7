"""The only loop over games, and the only functions that Python calls: play a chunk, step one game.

Games come in through the types of their records: each game's folder registers its functions here.
"""

from __future__ import annotations

import numpy as np

from kernels.jit import entry
from kernels.palworld import collect, machine, players
from kernels.rng import U

CHECKS_A_GAME = 256
"""Room that `checks` must have for one more game."""


@entry
def play_chunk(S, T, P, key, g0, n, versus, rows, cards, checks, turns):
    """Play games g0 .. g0 + n - 1 of one matchup; returns how many were played.

    S: state lane; T: tables of the matchup; P: players of the two seats, two records where `versus` is 1 (the second
    has them swapped); key: uint64 of run seed and matchup. Seats: side a goes first in even games. With versus the
    players change sides when (g >> 1) & 1. rows: one record a game; cards, checks, turns: counters that are added to.
    Stops early when `checks` has no room for another game: call again with the rest.
    """
    for i in range(n):
        if np.int64(checks[0]) + CHECKS_A_GAME + 1 > len(checks):
            return i
        g = g0 + i
        swapped = (g >> 1) & 1 if versus else 0
        machine.new_game(S, T, U(key), U(g), U(g & 1))
        while machine.advance(S, T) > 0:
            machine.choose(S, T, players.pick(S, T, P[swapped]))
        collect.write_row(S, rows[i], g, swapped)
        collect.count_cards(S, T, cards)
        collect.count_checks(S, checks)
        collect.count_turns(S, turns)
    return n

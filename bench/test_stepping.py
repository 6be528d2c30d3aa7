"""A game stepped from Python: options, choices, copies, and the three calls below them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import sim
from bench.conftest import Did, Measure, digest, thread_clock
from bench.workloads import SEED, STARTERS
from kernels import batch, jit
from kernels.palworld import state
from sim.games.palworld.game import Game

pytestmark = [thread_clock, pytest.mark.usefixtures("one_core")]
COPIES = 10_000


def fresh(g: int) -> Game:
    return sim.new_game(STARTERS, seed=SEED, g=g, first="a")


def decisions(g: int) -> Iterator[Game]:
    """A copy of game g at each decision, played at random."""
    game = fresh(g)
    while not game.over:
        yield game.copy()
        game.choose(game.pick())


def test_options(measure: Measure) -> None:
    games = list(decisions(0))

    def listed() -> Did:
        return Did(len(games), [game.options() for game in games])

    measure(listed, "decision")


def test_choose(measure: Measure) -> None:
    begin = fresh(0)

    def play() -> Did:
        game, n = begin.copy(), 0
        while not game.over:
            game.choose(game.pick())
            n += 1
        return Did(n, f"{int(game.lane.signature):016x}")

    measure(play, "choice", rounds=10, sign=str)


def test_state(measure: Measure) -> None:
    games = list(decisions(0))[:40]

    def look() -> Did:
        return Did(len(games), [game.state() for game in games])

    measure(look, "state")


def test_copy_of_a_game(measure: Measure) -> None:
    games = list(decisions(0))[:40]

    def copied() -> Did:
        return Did(len(games), [game.copy() for game in games])

    measure(copied, "copy", sign=lambda twins: digest(*[twin.lane.tobytes() for twin in twins]))


def test_calls(measure: Measure) -> None:
    """`advance`, `pick` and `choose` of the kernels, one call each, without lists for people."""
    game = fresh(0)
    lane, tables, players = game.lane, game.tables, game.players
    lane.log_on = 0

    def play() -> Did:
        batch.start(lane, tables, players, SEED, 0, 0)
        n = 0
        while batch.advance(lane, tables, players):
            batch.choose(lane, tables, players, batch.pick(lane, tables, players))
            n += 3
        return Did(n, f"{int(lane.signature):016x}")

    measure(play, "call", rounds=10, sign=str)


def copies(lanes: Any, n: Any) -> Any:
    """Copy a whole game n times, each time another one."""
    for i in range(n):
        lanes[1] = lanes[0]
        lanes[0].turn = np.int16(i & 63) + lanes[1].turn * np.int16(0)
    return n


copy_lane = jit.entry(copies, "palworld")


def test_copy_of_a_lane(measure: Measure) -> None:
    lanes = np.zeros(2, state.STATE)
    lanes[0] = next(decisions(3)).lane

    def copied() -> Did:
        lanes[0].turn = 0
        copy_lane(lanes, COPIES)
        return Did(COPIES, lanes.tobytes())

    measure(copied, "copy")

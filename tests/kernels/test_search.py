"""Players who search: the same choices in every thread layout and in a replay, budgets that count, samples that fit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import sim
from kernels import games, search
from kernels.jit import PLAIN
from sim.game import Stepped, bits, new_game
from sim.games import known_games, load_game
from sim.replay import replay
from tests.kernels.test_honesty import players

AGENT, VERSUS = "search:playouts=12,turns=2", "planner:nodes=12"
compiled = pytest.mark.skipif(PLAIN, reason="uncompiled games take minutes")
plain = pytest.mark.skipif(not PLAIN, reason="parts of a kernel are called")
pytestmark = pytest.mark.parametrize("game", known_games())


def run(game: str, out: Path, threads: int, chunk: int, n: int = 8) -> sim.Run:
    decks = load_game(game).BENCH_DECKS
    more = {"agent": AGENT, "versus": VERSUS, "seed": 11, "threads": threads, "chunk": chunk}
    return sim.simulate(decks, games=n, game=game, out=out, **more)


def rows(made: sim.Run) -> pl.DataFrame:
    return pl.read_parquet(made.path / "games" / "*.parquet").sort("game")


@compiled
def test_threads_chunks_and_replays_agree(game: str, tmp_path: Path) -> None:
    one = run(game, tmp_path / "one", threads=1, chunk=8)
    assert rows(run(game, tmp_path / "two", threads=2, chunk=1)).equals(rows(one))
    assert rows(run(game, tmp_path / "few", threads=1, chunk=4, n=4)).equals(rows(one).head(4))
    for number in (0, 3):
        replay(tmp_path / "one", number)  # it raises where the signature is another


def middle(game: str, seed: int) -> Stepped:
    """A decision in the middle of a game of greedy players."""
    stepped = new_game(load_game(game).BENCH_DECKS, seed=seed, game=game)
    stepped.players = players(game, "greedy")
    for _ in range(24):
        stepped.choose(stepped.pick())
    return stepped


@plain
def test_samples_are_uniform(game: str) -> None:
    """Every card that the opponent may hold is in its hand equally often, every other one never; the own hand stays."""
    stepped = middle(game, 2)
    p = int(stepped.decides)
    q, S = 1 - p, stepped.lane
    hidden = bits(int(S.hand[q]) & ~int(S.shown[q])) + [int(slot) for slot in S.deck[q, : int(S.deck_count[q])]]
    hidden = [slot for slot in hidden if not int(S.shown[q]) >> slot & 1]
    held = len(bits(int(S.hand[q]) & ~int(S.shown[q])))
    n, hands, tops = 600, Counter(), Counter()
    with np.errstate(over="ignore"):
        for word in range(n):
            twin = stepped.copy()
            games.determinize(twin.lane, twin.tables, np.uint64(p), np.uint64(word))
            assert int(twin.lane.hand[p]) == int(S.hand[p])
            hands.update(bits(int(twin.lane.hand[q])))
            tops[int(twin.lane.deck[p, int(S.deck_count[p]) - 1])] += 1
    assert set(hands) <= set(hidden) | set(bits(int(S.shown[q])))
    expected = n * held / len(hidden)
    for slot in hidden:
        assert abs(hands[slot] - expected) < 5 * (expected + 1) ** 0.5
    own = int(S.deck_count[p])
    assert max(tops.values()) < n / own + 6 * (n / own) ** 0.5


@plain
@pytest.mark.parametrize("playouts", [1, 10, 40])
def test_a_budget_is_what_is_played(game: str, playouts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each option gets a playout in each round at least; beyond that the budget is never passed."""
    stepped = middle(game, 5)
    stepped.players = players(game, "search")
    stepped.players["budget"][:, :, 0] = playouts
    played = []
    monkeypatch.setattr(search, "playout", lambda *_: played.append(0) or 0)
    stepped.pick()
    n = len(stepped.options())
    rounds = (n - 1).bit_length()
    assert len(played) <= max(playouts, 2 * n + rounds)
    assert len(played) >= n

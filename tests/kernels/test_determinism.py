"""The same seed gives the same games: in threads and chunks, alone, stepped, uncompiled, after other games."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sim
from kernels import batch
from kernels.jit import PLAIN
from kernels.palworld import codes, state
from sim.cards.ast import Card
from sim.provenance import stream_key
from tests.differential import decks
from tests.kernels.table import STARTERS, Played, Table, blank, starters

ROOT = Path(__file__).parents[2]
DECKS = (*STARTERS, "community-rb-gun")
SEEDS = (0, 1, 2**63, 2**64 - 1)
GAMES = 4 if PLAIN else 1200
FEWER = 120
"""Games a pair where every game is a chunk of its own."""
SEED = 20_240_501
compiled = pytest.mark.skipif(PLAIN, reason="uncompiled games take a second each")


def play(out: Path, games: int = GAMES, names: tuple[str, ...] = DECKS, seed: int = SEED, **more: Any) -> sim.Run:
    return sim.simulate(names, games=games, out=out, seed=seed, **{"agent": "greedy", "versus": "random"} | more)


def rows(run: sim.Run) -> pl.DataFrame:
    return pl.read_parquet(run.path / "games" / "*.parquet").sort("game")


def counts(run: sim.Run, table: str) -> pl.DataFrame:
    frame = pl.read_parquet(run.path / table / "*.parquet")
    value = "count" if table == "checks" else "games"
    keys = [name for name in frame.columns if name != value]
    return frame.group_by(keys).agg(pl.col(value).sum()).sort(keys)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> sim.Run:
    """The run that the others are compared with: one thread, all games of a pair in one chunk."""
    return play(tmp_path_factory.mktemp("whole") / "run", threads=1, chunk=GAMES)


# Runs of the real kernel


def assert_same(left: sim.Run, right: sim.Run) -> None:
    assert rows(left)["signature"].to_list() == rows(right)["signature"].to_list()
    assert rows(left).equals(rows(right))
    for table in ("cards", "checks", "turns"):
        assert counts(left, table).equals(counts(right, table)), table


@compiled
@pytest.mark.parametrize(("threads", "chunk"), [(1, 64), (1, 1000), (2, 64), (2, 1000), (2, GAMES)])
def test_threads_and_chunks_do_not_matter(threads: int, chunk: int, whole: sim.Run, tmp_path: Path) -> None:
    assert_same(play(tmp_path / "run", threads=threads, chunk=chunk), whole)


@compiled
@pytest.mark.parametrize("threads", [1, 2])
def test_every_game_may_be_a_chunk(threads: int, tmp_path: Path) -> None:
    one = play(tmp_path / "one", games=FEWER, threads=1, chunk=FEWER)
    assert_same(play(tmp_path / "many", games=FEWER, threads=threads, chunk=1), one)


@compiled
def test_a_smaller_run_is_the_beginning_of_a_larger_one(whole: sim.Run, tmp_path: Path) -> None:
    few = play(tmp_path / "run", games=100, threads=2)
    assert rows(few).equals(rows(whole).head(3 * 100))


@compiled
def test_another_deck_in_the_run_does_not_matter(whole: sim.Run, tmp_path: Path) -> None:
    two = rows(play(tmp_path / "run", names=STARTERS)).drop("game", "matchup")
    same = rows(whole).filter(deck_a=STARTERS[0], deck_b=STARTERS[1]).drop("game", "matchup")
    assert two.equals(same)


def test_rows_say_what_was_played(whole: sim.Run) -> None:
    """Seats and players are balanced, and no game is played twice."""
    games = rows(whole)
    assert games.height == 3 * GAMES
    seats = games.group_by("matchup", "first", "agent_a", "agent_b").len()
    assert set(seats["len"]) == {GAMES // 4}
    assert games["signature"].n_unique() == games.height
    assert games["turns"].max() <= 91
    assert games["winner"].null_count() == 0


# Chunks of the kernel


def same(left: np.ndarray, right: np.ndarray) -> bool:
    return left.tobytes() == right.tobytes()


def equal(left: Played, right: Played) -> bool:
    """The same rows, and the same counts."""
    n = int(left.own[0])
    return (
        same(left.rows, right.rows)
        and same(left.cards, right.cards)
        and same(left.own[: n + 1], right.own[: n + 1])
        and same(left.turns, right.turns)
    )


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(starters(), ("greedy", "random"), stream_key(SEED, *STARTERS))


def test_a_game_alone_is_the_game_of_a_chunk(table: Table) -> None:
    n = 8 if PLAIN else 200
    chunk = table.play(0, n, versus=1)
    alone = [table.play(g, 1, versus=1) for g in range(n)]
    assert all(same(chunk.rows[g : g + 1], played.rows) for g, played in enumerate(alone))
    for counted in ("cards", "turns"):
        assert same(getattr(chunk, counted), sum(getattr(played, counted) for played in alone))
    listed = np.concatenate([played.own[1 : 1 + int(played.own[0])] for played in alone])
    assert same(chunk.own[1 : 1 + int(chunk.own[0])], listed)


def test_games_far_out_are_games_like_others(table: Table) -> None:
    for g in (2**31 - 2, 2**32 - 2, 2**40):
        played = table.play(g, 4)
        assert list(played.rows["g"]) == list(range(g, g + 4))
        assert same(played.rows[3:], table.play(g + 3, 1).rows)


def test_nothing_of_a_game_stays(table: Table) -> None:
    """Another matchup in the same state changes nothing, nor do random bytes in every field that a game sets."""
    rng = random.Random(5)
    other = Table([decks.stress(rng), decks.stress(rng)], ("random", "greedy"), key=3)
    n = 2 if PLAIN else 50
    first, between = table.play(0, n), other.play(0, n)
    other.lane = table.lane
    assert equal(other.play(0, n), between)
    assert equal(table.play(0, n), first)
    lane = np.zeros(1, state.STATE)
    for seed in range(1 if PLAIN else 10):
        lane[0] = np.frombuffer(np.random.default_rng(seed).bytes(lane.nbytes), state.STATE)[0]
        table.lane = lane[0]
        table.lane.log_on = table.lane.check_on = 0
        assert equal(table.play(0, n), first)
    table.lane = state.new_lane()


def test_validation_changes_nothing(table: Table) -> None:
    n = 4 if PLAIN else 100
    plain = table.play(0, n)
    table.lane.check_on = 1
    checked = table.play(0, n)
    table.lane.check_on = 0
    assert equal(plain, checked)


@pytest.mark.parametrize("seed", SEEDS)
def test_seeds_at_the_ends(seed: int) -> None:
    played = Table(starters(), key=stream_key(seed, *STARTERS)).play(0, 2 if PLAIN else 100).rows
    assert len(set(played["signature"])) == len(played)
    assert all(played["end"] < codes.END_LOOP)


# Stepped from Python


def stepped(game: Any, players: np.ndarray) -> Any:
    """Play a stepped game to its end with the kernel's players."""
    game.players[:] = players
    while not game.over:
        game.choose(game.pick())
    return game.lane


@pytest.mark.parametrize("agents", [("random", "random"), ("greedy", "random"), ("greedy", "greedy")])
def test_a_stepped_game_is_the_game_of_a_run(agents: tuple[str, str]) -> None:
    n = 1 if PLAIN else 20
    table = Table(starters(), agents, stream_key(SEED, *STARTERS))
    played = table.play(0, n).rows
    for g in range(n):
        S = stepped(sim.new_game(STARTERS, seed=SEED, g=g, first="ab"[g & 1]), table.players)
        for name in ("signature", "winner", "end", "decisions"):
            assert int(played[g][name]) == int(S[name]), name
        assert int(played[g]["turns"]) == int(S.turn)
        assert list(played[g]["life"]) == list(S.life)


def test_a_copy_goes_on_as_the_original_would() -> None:
    game = sim.new_game(STARTERS, seed=SEED, g=3)
    game.players["agent"][:] = 0
    for _ in range(25):
        game.choose(game.pick())
    before = game.state()
    twin = game.copy()
    stepped(twin, twin.players)
    assert game.state() == before
    stepped(game, game.players)
    assert game.state() == twin.state()
    assert int(game.lane.signature) == int(twin.lane.signature)


# Uncompiled


FEW = 3


def few() -> list[dict[str, Any]]:
    """Some games of cards of every kind, as rows."""
    rng = random.Random(11)
    made: list[dict[str, Any]] = []
    pairs: list[list[list[Card]]] = [starters(), [decks.stress(rng), decks.stress(rng)]]
    for i, pair in enumerate(pairs):
        played = Table(pair, ("greedy", "random"), key=i).play(i, FEW - 1 if i else FEW, versus=1)
        rows = [{name: row[name].tolist() for name in state.ROW.names} for row in played.rows]
        made += rows
        made.append({"cards": int(played.cards.sum()), "turns": int(played.turns.sum())})
        made.append({"checks": played.own[: 1 + int(played.own[0])].tolist()})
    return made


@compiled
def test_uncompiled_games_are_the_same() -> None:
    """The kernels as plain Python: the same rows, counts and checks."""
    code = "import json; from tests.kernels.test_determinism import few; print(json.dumps(few()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == few()


def test_the_buffer_for_checks_may_be_small(table: Table) -> None:
    """A chunk stops where no room for the checks of one more game is left, and goes on from there."""
    n = 3 if PLAIN else 40
    whole = table.play(0, n)
    checks = np.zeros(batch.OWN_A_GAME + 2, np.uint64)
    rest, taken, done = blank(n), [], 0
    while done < n:
        checks[0] = 0
        rows = rest.rows[done:]
        arrays = (rows, rest.cards, checks, rest.turns)
        done += batch.play_chunk(table.lane, table.tables, table.players, table.key, done, n - done, 0, *arrays)
        taken.append(checks[1 : 1 + int(checks[0])].copy())
    assert same(rest.rows, whole.rows)
    assert same(rest.cards, whole.cards)
    assert same(np.concatenate(taken), whole.own[1 : 1 + int(whole.own[0])])

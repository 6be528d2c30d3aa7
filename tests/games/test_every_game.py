"""What every game must pass, whatever it is: set-up, options, determinism, copies, conservation, ends, scenarios,
replays, runs, tables, the page. A new game is held to it by being there."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import analysis
import sim
from analysis.tables import TABLES
from kernels import jit
from sim.engines.kernel import KernelPlayer
from sim.game import Stepped, new_game
from sim.games import known_games, load_game
from sim.labels import SEATS
from sim.replay import replay
from sim.results import read_info, tables_of
from sim.scenario.board import Board
from sim.scenario.files import read_scenario
from sim.scenario.runner import run_scenario

GAMES = 2 if jit.PLAIN else 40
STEPS = 5000
pytestmark = pytest.mark.parametrize("game", known_games())


def fresh(game: str, seed: int = 1, first: str | None = "a") -> Stepped:
    return new_game(load_game(game).BENCH_DECKS, seed=seed, first=first, game=game)


def zones(state: dict[str, Any]) -> Counter[int]:
    """How often each card lies in a zone."""
    return Counter(
        obj for player in state["players"] for objs in player.values() if isinstance(objs, list) for obj in objs
    )


def walk(stepped: Stepped, seed: int, steps: int = STEPS) -> list[Any]:
    """Play on at random; the options taken."""
    rng, taken = random.Random(seed), []
    while not stepped.over and len(taken) < steps:
        option = rng.choice(stepped.options())
        stepped.choose(option)
        taken.append(option)
    return taken


def folder(game: str, path: Path, games: int = GAMES, **more: Any) -> sim.Run:
    return sim.simulate(
        load_game(game).BENCH_DECKS, games=games, game=game, agent="random", seed=3, out=path, threads=1, **more
    )


def test_set_up(game: str) -> None:
    """Both players hold cards, the rest is in the decks, a coin decides who goes first where nobody says it."""
    for first in ("a", "b", None):
        stepped = fresh(game, first=first)
        state = stepped.state()
        assert not stepped.over and stepped.decides in (0, 1)
        if first:
            assert all(player["hand"] and player["deck"] for player in state["players"])
        for p, side in enumerate(stepped.sides):
            assert zones(state) == Counter(
                q * 64 + i for q, cards in enumerate(stepped.sides) for i in range(len(cards))
            )
            assert len(side) == len(state["players"][p]["deck"]) + len(state["players"][p]["hand"])


@pytest.mark.parametrize("seed", range(2))
def test_a_game_to_its_end(game: str, seed: int) -> None:
    """There are two options or more until the game is over; no card is lost or doubled; the state is sound."""
    stepped = fresh(game, seed)
    cards = {p * 64 + i for p, side in enumerate(stepped.sides) for i in range(len(side))}
    rng = random.Random(seed)
    for _ in range(STEPS):
        assert stepped.fault() is None
        there = zones(stepped.state())
        assert max(there.values()) == 1
        assert len(cards - set(there)) <= 1, "at most the card that is being used is nowhere"
        if stepped.over:
            break
        options = stepped.options()
        assert len(options) >= 2 and len(set(options)) == len(options) and options == sorted(options)
        stepped.choose(rng.choice(options))
    assert stepped.over and stepped.options() == [] and stepped.decides is None
    state = stepped.state()
    assert state["winner"] in ("A", "B", "draw") and state["end"] in ("life", "deck", "both")
    with pytest.raises(ValueError, match="not offered"):
        stepped.choose(options[0])


def test_the_same_seed_is_the_same_game(game: str) -> None:
    a, b, other = fresh(game, 5), fresh(game, 5), fresh(game, 6)
    assert walk(a, 1) == walk(b, 1)
    assert a.state() == b.state() and a.lane.signature == b.lane.signature
    walk(other, 1)
    assert other.lane.signature != a.lane.signature


def test_a_copy_goes_its_own_way(game: str) -> None:
    """A copy is equal to its original at any decision, goes on like it, and does not change it."""
    original = fresh(game, 8)
    walk(original, 2, 40)
    copy, before = original.copy(), original.state()
    assert copy.state() == before and copy.options() == original.options()
    walk(copy, 3)
    assert original.state() == before
    again = original.copy()
    walk(again, 3)
    assert again.state() == copy.state() and again.lane.signature == copy.lane.signature


@pytest.mark.parametrize("agents", [("random", "random"), ("greedy", "random"), ("passive", "greedy")])
def test_players_finish_sound_games(game: str, agents: tuple[str, str]) -> None:
    """Every state of every game is sound, whoever plays."""
    from sim.agents import parse_agent
    from sim.bench import bench_info

    info, cards = bench_info(game, agents[0])
    info.agents, info.versus = (
        [parse_agent(name, load_game(game).AGENTS) for name in dict.fromkeys(agents)],
        len(set(agents)) > 1,
    )
    player = KernelPlayer(info, cards)
    lane = player.new_lane()
    lane.state.check_on = 1
    rows = player.play_chunk(lane, 0, 0, max(GAMES, 4)).rows
    assert (rows["winner"] >= 0).all() and (rows["turns"] > 0).all()
    assert set(rows["first"]) == {0, 1}


def test_scenario_round_trip(game: str, tmp_path: Path) -> None:
    """A game that is written down as a scenario, step by step, is played again and ends in the same position."""
    decks = [[card.number for card in side] for side in fresh(game).sides]
    head = f'game = "{game}"\nname = "as written"\nsetup = true\ncoin = "B"\nseed = 4\n'
    for letter, deck in zip(SEATS, decks, strict=True):
        random.Random(letter).shuffle(deck)
        head += f"\n[position.{letter}]\ndeck = {deck}\n"
    file = tmp_path / "written.toml"
    file.write_text(head + "\n[[play]]\nline = []\n")
    scenario = read_scenario(file)
    from sim.game import game_class

    board: Any = Board.start(game_class(game).from_position(scenario.position), scenario.names)  # type: ignore[arg-type]
    rng, line = random.Random(11), []
    for _ in range(60):
        option = rng.choice(board.options())
        line.append(f"{SEATS[board.decides]}: {board.label(option)}")
        board = step(board, line[-1])
    state = board.engine.state()
    expect = f'turn = {state["turn"]}\nphase = "{state["phase"]}"\ndecides = "{SEATS[board.decides]}"\n'
    for letter, player in zip(SEATS, state["players"], strict=True):
        expect += f"{letter}.life = {player['life']}\n{letter}.deck = {len(player['deck'])}\n"
    file.write_text(head + f"\n[[play]]\nline = {line}\n\n[play.expect]\n{expect}")
    result = run_scenario(file)
    assert result.passed, result.message


def step(board: Any, text: str) -> Any:
    """The board after a written step."""
    from sim.scenario.board import parse_step

    (reading,) = board.open_readings(parse_step(text))
    board.take(reading)
    return board


def test_run_resume_table_report_replay(game: str, tmp_path: Path) -> None:
    """A run, the same run in two goes, its tables, its page, and games of it played again from their seed."""
    run = folder(game, tmp_path / "run")
    folder(game, tmp_path / "parts", games=GAMES // 2 // 2 * 2 or 2)
    parts = folder(game, tmp_path / "parts")
    info = read_info(run.path)
    assert set(info.names) >= {number for deck in info.decks for number in deck.cards} and all(info.names.values())
    for name in tables_of(info):
        whole = pl.read_parquet(run.path / name / "*.parquet")
        assert whole.height
        again = pl.read_parquet(parts.path / name / "*.parquet")
        value = {"games": None, info.own.name if info.own else "": "count"}.get(name, "games")
        assert added(whole, value).equals(added(again, value)), name
    games = run.games.collect()
    assert games["winner"].null_count() == 0 and games["signature"].n_unique() == GAMES
    opened = analysis.open_run(run)
    for name in TABLES:
        try:
            frame = TABLES[name].make(opened)
        except analysis.RunError as error:
            assert f"the game {game} has no" in str(error)
        else:
            assert frame.width
    assert not [row for row in TABLES["health"].make(opened).iter_rows(named=True) if row["ok"] is False]
    page = analysis.write_report(opened, tmp_path / "report.html").read_text(encoding="utf-8")
    assert game.capitalize() in page and all(deck.name in page for deck in info.decks)
    for number in (0, GAMES - 1):
        log = replay(run.path, number)
        row = games.filter(pl.col("game") == number).row(0, named=True)
        assert (log.about["signature"], log.about["winner"]) == (row["signature"], row["winner"])
        assert log.text().count("\n") > 20


def added(frame: pl.DataFrame, value: str | None) -> pl.DataFrame:
    """A table in a fixed order; counts added up over blocks."""
    if value is None:
        return frame.sort("game")
    keys = [name for name in frame.columns if name != value]
    return frame.group_by(keys).agg(pl.col(value).sum()).sort(keys)

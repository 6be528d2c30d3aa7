"""What players do badly is seen: on positions, on whole games, in the table and on the page."""

from __future__ import annotations

import random

import msgspec
import polars as pl
import pytest

import analysis
from analysis.tables.trust import diagnosis_of
from kernels import jit
from sim.cards import load_cards
from sim.cli import run_command
from sim.diagnose import deal_anew, diagnose, judge_of, matters, sure_win, write_diagnosis
from sim.errors import RunError
from sim.game import game_class, new_game
from sim.games import known_games, load_game
from sim.games.palworld.log import COSTS
from sim.position import Option, Placed, Position, Side
from sim.results import AgentInfo, Diagnosis, Habits
from sim.runs import simulate
from tests.sim.fake import FakePlayer

DECKS = ["starter-red-blue", "starter-green-purple"]
PLAIN_PAL = "TD01-002"


def position(life: int, pals: int, blockers: int, deck: str = PLAIN_PAL):
    cards = load_cards("palworld")
    pal, other = cards[PLAIN_PAL], cards[deck]
    sides = []
    for seat, standing in enumerate((pals, blockers)):
        placed = [Placed(pal, "base") for _ in range(standing)]
        placed += [Placed(pal if seat == 0 else other, "deck") for _ in range(10)]
        sides.append(Side(placed, life=10 if seat == 0 else life, souls=0))
    return game_class("palworld").from_position(Position((sides[0], sides[1])))


def test_a_sure_win_is_seen():
    """As many attacks as there is life win, unless a Pal can block or a lucky card may be turned up."""
    strike = load_cards("palworld")[PLAIN_PAL].strike or 1
    rng = random.Random(1)
    assert sure_win(position(2 * strike, 2, 0), 0, rng)
    assert not sure_win(position(2 * strike + 1, 2, 0), 0, rng)
    assert not sure_win(position(2 * strike, 2, 1), 0, rng)
    lucky = next(card.number for card in load_cards("palworld").values() if card.lucky and card.type == "pal")
    assert not sure_win(position(2 * strike, 2, 0, lucky), 0, rng)


@pytest.mark.parametrize("game", known_games())
def test_what_is_hidden_is_dealt_anew_and_nothing_else(game):
    start = new_game(load_game(game).BENCH_DECKS, seed=3, first="a", game=game)
    world = deal_anew(start, 0, random.Random(2))
    assert world.fault() is None
    assert world.lane.hand[0] == start.lane.hand[0] and world.options() == start.options()
    assert world.lane.hand[1] != start.lane.hand[1]
    assert int(world.lane.hand[1]).bit_count() == int(start.lane.hand[1]).bit_count()
    for q in (0, 1):
        n = int(start.lane.deck_count[q])
        assert world.lane.deck[q, :n].tolist() != start.lane.deck[q, :n].tolist()


def test_what_counts_as_an_effect():
    action = (0, Option("activate", 5, n=1))
    assert matters(action, "draw", 7, 0, 0, COSTS)
    assert matters(action, "gain", 128, 0, 3, COSTS) and not matters(action, "gain", 128, 0, -3, COSTS)
    assert not matters(action, "discard", 9, 0, 0, COSTS) and matters(action, "discard", 64 + 9, 0, 0, COSTS)
    assert not matters(action, "rest", 5, 0, 0, COSTS)


def test_the_judge_has_the_weights_of_the_judged():
    record = judge_of("palworld", AgentInfo("greedy", {"attack": 2.5}), 50)
    assert record.budget[0, 0] == 50 and record.weights[0, 0] == 250


@pytest.fixture
def run(tmp_path):
    return simulate(DECKS, 20, seed=5, out=tmp_path / "r", player=FakePlayer)


HABITS = [
    Habits("greedy", DECKS[0], 9, had=80, held=8, turns=40, idle=10, judged=10, better=1, actions=50, empty=20)
    for _ in "x"
]


def test_the_table_and_the_page(run):
    before = analysis.table(run, "trust")
    assert before["reason"].str.contains("cardmill diagnose").all() and before["unplayed"].is_not_null().all()
    HABITS[0].vain = {"activate TD01-008.1": 12, "play TD01-004": 3}
    write_diagnosis(Diagnosis(1, 9, 50, HABITS), run.path)
    row = analysis.table(run, "trust").filter(pl.col("deck") == DECKS[0]).row(0, named=True)
    assert row["held"] == pytest.approx(0.1) and row["vain"] == pytest.approx(0.4) and row["idle"] == 0.25
    assert row["vain_low"] < 0.4 < row["vain_high"] and row["missed"] is None and row["sample"] == 9
    assert row["most_vain"] == "activate Stone Pit (TD01-008.1), 12 times"
    page = analysis.write_report(run, run.path / "report.html").read_text(encoding="utf-8")
    assert f'How far to trust it: <span class="name">{DECKS[0]}</span> played badly' in page
    assert "acts in vain" in page


def test_a_damaged_diagnosis(run):
    file = run.path / "diagnosis.json"
    opened = analysis.open_run(run)
    assert diagnosis_of(opened) is None
    file.write_text("{", encoding="utf-8")
    with pytest.raises(analysis.RunError, match="cannot be read"):
        diagnosis_of(opened)
    file.write_bytes(msgspec.json.encode(Diagnosis(99, 1, 1, [])))
    with pytest.raises(analysis.RunError, match="version 99"):
        diagnosis_of(opened)


def test_what_cannot_be_looked_at(run):
    with pytest.raises(RunError, match="1 or more"):
        diagnose(run.info, sample=0)
    assert run_command(["diagnose", "nowhere"]) == 2
    assert run_command(["diagnose", "s3://bucket/run"]) == 2


@pytest.mark.skipif(jit.PLAIN, reason="plays games")
@pytest.mark.parametrize("game", known_games())
def test_whole_games(game, tmp_path, capsys):
    decks = list(load_game(game).BENCH_DECKS)
    done = simulate(decks, 4, "random", "greedy", 5, tmp_path / "r", game=game, threads=1)
    found = diagnose(done.info, 4, 20)
    assert found == msgspec.structs.replace(diagnose(done.info, 4, 20), created=found.created)
    by_agent = {name: [row for row in found.rows if row.agent == name] for name in ("greedy", "random")}
    for row in found.rows:
        assert row.games == 2 and row.had > 0 and row.held <= row.had and row.idle <= row.turns
        assert row.better <= row.judged <= row.idle and row.empty <= row.actions and row.missed <= row.searched
        assert sum(row.vain.values()) == row.empty and sum(row.left.values()) == row.better
    assert sum(row.better for row in by_agent["random"]) > sum(row.better for row in by_agent["greedy"])
    assert sum(row.won for row in by_agent["greedy"]) >= 3
    assert run_command(["diagnose", str(tmp_path / "r"), "--sample", "2", "--playouts", "10", "--json", "--quiet"]) == 0
    assert '"trust"' in capsys.readouterr().out

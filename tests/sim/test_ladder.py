"""Players on the same seeds: what a pair of games is, weights from files, and the command."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kernels import jit
from sim.agents import parse_agent
from sim.cli import run_command
from sim.duels import Duels, joint_of
from sim.engines import Counted, Played
from sim.errors import RunError
from sim.ladder import known_decks, ladder
from sim.provenance import hash64
from sim.results import AgentInfo, Duel, RunInfo
from tests.sim.fake import AGENTS, ROW

DECKS = ["starter-red-blue", "starter-green-purple"]
NOTHING = Counted(np.zeros(0, np.int64), np.zeros(0, np.int64))


class FakeDuels:
    """Seven of ten games go to the first player; every sixteenth has no result."""

    def __init__(self, info: RunInfo, slow: float = 0.0) -> None:
        self.info = info

    def cold(self) -> bool:
        return False

    def prepare(self) -> float:
        return 0.0

    def new_lane(self) -> None:
        return None

    def play_chunk(self, lane: None, matchup: int, g0: int, n: int) -> Played:
        rows = np.zeros(2 * n, ROW)
        for swapped in (0, 1):
            for i in range(n):
                word = hash64(self.info.seed, matchup, g0 + i, swapped)
                won = word % 10 < 7
                rows["winner"][swapped * n + i] = -1 if word >> 60 == 0 else swapped if won else 1 - swapped
        return Played(rows, NOTHING, NOTHING, NOTHING)


def test_pairs_are_counted_from_the_first_player():
    rows = np.zeros(10, ROW)
    rows["winner"][:5] = [0, 0, 1, 2, -1]  # the first player is a
    rows["winner"][5:] = [1, 0, 0, 2, 1]  # and now b
    joint = joint_of(rows)
    assert joint[2, 2] == joint[2, 0] == joint[0, 0] == joint[1, 1] == joint[3, 2] == 1
    assert joint.sum() == 5


def test_what_is_played_does_not_depend_on_threads():
    played = [ladder(["greedy", "random"], DECKS, 80, 5, threads=t, player=FakeDuels) for t in (1, 3)]
    assert played[0].duels == played[1].duels
    assert [(cell.deck_a, cell.deck_b) for cell in played[0].duels[0].cells] == [
        ("starter-red-blue", "starter-red-blue"),
        ("starter-red-blue", "starter-green-purple"),
        ("starter-green-purple", "starter-green-purple"),
    ]
    assert all(sum(map(sum, cell.joint)) == 40 for cell in played[0].duels[0].cells)
    longer = ladder(["greedy", "random"], DECKS, 160, 5, player=FakeDuels)
    shorter = played[0].duels[0].cells[0].joint
    assert np.all(np.array(longer.duels[0].cells[0].joint) >= np.array(shorter))


def test_a_ladder_ends_when_it_is_decided():
    asked: list[int] = []

    def enough(duel: Duel) -> bool:
        asked.append(sum(sum(map(sum, cell.joint)) for cell in duel.cells))
        return asked[-1] >= 132

    played = ladder(["greedy", "random"], DECKS, 4000, 5, enough=enough, player=FakeDuels)
    assert asked == [66, 132]
    assert played.duels[0].stopped
    assert not ladder(["greedy", "random"], DECKS, 40, 5, enough=lambda duel: False, player=FakeDuels).duels[0].stopped


@pytest.mark.parametrize(
    ("agents", "games", "match"),
    [
        (["greedy"], 40, "two players or more"),
        (["random", "random"], 40, "all different"),
        (["greedy", "gredy"], 40, "did you mean 'greedy'"),
        (["greedy", "random"], 42, "multiple of 4"),
        (["greedy", "random"], 0, "multiple of 4"),
    ],
)
def test_what_cannot_be_a_ladder(agents, games, match):
    with pytest.raises(RunError, match=match):
        ladder(agents, DECKS, games, 5, player=FakeDuels)


def test_known_decks():
    assert len(known_decks("palworld")) == 10
    assert len(known_decks("aether")) >= 4


def test_weights_of_a_file(tmp_path):
    file = tmp_path / "w.toml"
    file.write_text('game = "palworld"\n[weights]\nattack = 1.5\nblock = 0.5\n', encoding="utf-8")
    agent = parse_agent(f"greedy:weights={file}", AGENTS)
    assert agent == AgentInfo("greedy", {"attack": 1.5, "block": 0.5}, "greedy:attack=1.5")
    assert parse_agent(f"greedy:attack=1.25,weights={file}", AGENTS).label == "greedy:attack=1.25"


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("attck = 1.5", "did you mean 'attack'"),
        ('attack = "much"', "is no number"),
        ("attack = true", "is no number"),
        ("attack = nan", "is no number"),
        ("attack = 1e9", "out of range"),
        ("[weights]", "has no weights"),
        ("weights = 3", "has no weights"),
        ("attack = ", "cannot be read as weights"),
    ],
)
def test_weights_that_cannot_be_used(tmp_path, text, match):
    file = tmp_path / "w.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=match):
        parse_agent(f"greedy:weights={file}", AGENTS)


def test_weights_that_are_not_there():
    with pytest.raises(RunError, match=r"no file of weights 'nowhere\.toml'"):
        parse_agent("greedy:weights=nowhere.toml", AGENTS)


def test_the_command_says_what_is_wrong(capsys):
    assert run_command(["ladder", "greedy", "random", "--sprt", "10,0"]) == 2
    assert "the smaller one first" in capsys.readouterr().err
    assert run_command(["ladder", "greedy"]) == 2
    assert "two players or more" in capsys.readouterr().err


@pytest.mark.skipif(jit.PLAIN, reason="plays games")
def test_players_are_swapped_on_the_same_shuffles():
    """A player against its like wins exactly half: both games of a pair are one game."""
    from sim.cards import load_cards
    from sim.duels import Tally, play_pairs
    from sim.engines.local import LocalEngine
    from sim.games import load_game
    from sim.runs import plan
    from sim.session import Silent

    info, used = plan(DECKS, 20, "greedy", None, 3, None, "palworld", [], True, Silent())
    assert used.keys() <= load_cards("palworld").keys()
    known = load_game("palworld").AGENTS
    greedy, chance = parse_agent("greedy", known), parse_agent("random", known)
    duels = Duels(info, used, [(greedy, greedy), (greedy, chance)])
    rows = duels.play_chunk(duels.new_lane(), 1, 0, 6).rows
    assert rows["signature"][:6].tolist() == rows["signature"][6:].tolist()
    assert rows["first"].tolist() == [0, 1] * 6
    tally = Tally()
    engine = LocalEngine(duels, 1)
    assert play_pairs(engine, {1: (0, 20), 4: (0, 20)}, tally)
    engine.close()
    assert np.trace(tally.joint(1)[:3, :3][:, ::-1]) == 20
    assert tally.joint(4)[2, 2] > 15


@pytest.mark.skipif(jit.PLAIN, reason="plays games")
def test_the_command(capsys):
    asked = ["ladder", "greedy", "random", "-d", ",".join(DECKS), "--games", "40", "--seed", "4", "--json", "--quiet"]
    assert run_command([*asked, "--sprt", "0,50"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["common_random_numbers"] is True
    row = found["duels"][0]
    assert row["score"] > 0.9 and row["games"] == 120 and row["score_low"] < row["score"]
    assert sum(row[name] for name in ("ll", "ld", "even", "wd", "ww")) == 60

"""Weights that learn: the climb finds a hidden optimum, and the file says what it comes from."""

from __future__ import annotations

import json
import math
import tomllib

import numpy as np
import pytest

from sim.agents import parse_agent
from sim.cli import run_command
from sim.engines import Counted, Played
from sim.errors import InputError, RunError
from sim.games import load_game
from sim.provenance import hash64
from sim.tune import quoted, score_of, split_decks, tune, weights_file, weights_of, with_weights
from tests.sim.fake import ROW

NOTHING = Counted(np.zeros(0, np.int64), np.zeros(0, np.int64))
KNOWN = load_game("palworld").AGENTS
LEARN, TEST = ["starter-red-blue", "starter-green-purple"], ["tuned-red-gun"]


class Hidden:
    """Players win by how near their weights are to `attack` 2 and `life` 0.5; the others do nothing."""

    def __init__(self, info, cards, pairings):
        self.info = info
        self.pairings(pairings)

    def pairings(self, pairings):
        self.strengths = [[self.strength(agent) for agent in pairing] for pairing in pairings]

    def strength(self, agent):
        miss = math.log(agent.params["attack"] / 2) ** 2 + math.log(agent.params["life"] / 0.5) ** 2
        return -2.0 * miss

    def cold(self):
        return False

    def prepare(self):
        return 0.0

    def new_lane(self):
        return None

    def play_chunk(self, lane, matchup, g0, n):
        one, other = self.strengths[matchup // len(self.info.matchups)]
        chance = 1 / (1 + math.exp(other - one))
        rows = np.zeros(2 * n, ROW)
        for swapped in (0, 1):
            for i in range(n):
                won = hash64(self.info.seed, matchup, g0 + i, swapped) / 2**64 < chance
                rows["winner"][swapped * n + i] = swapped if won else 1 - swapped
        return Played(rows, NOTHING, NOTHING, NOTHING)


def learned(**more):
    def check(info):
        agents = [parse_agent(text, KNOWN) for text in ("greedy:attack=1.9,life=0.55", "greedy:attack=1,life=1")]
        return Hidden(info, {}, [agents])

    asked = {"steps": 80, "games": 400, "check_games": 40, "seed": 3} | more
    return tune("greedy:attack=1,life=1", LEARN, TEST, check_player=check, threads=1, **{"player": Hidden} | asked)


def test_the_climb_finds_what_wins():
    done = learned()
    assert done.tuned.params["attack"] == pytest.approx(2.0, rel=0.2)
    assert done.tuned.params["life"] == pytest.approx(0.5, rel=0.2)
    assert done.games == 80 * 3 * 2 * 66 and done.decks == LEARN
    assert done.check.decks == TEST and done.check.seed != done.seed
    assert done.check.duels[0].agent == done.tuned.label


def test_the_same_seed_climbs_the_same_way():
    assert learned(steps=5).steps == learned(steps=5).steps
    assert learned(steps=5).steps != learned(steps=5, seed=4).steps


def test_only_what_is_named_moves():
    done = learned(steps=10, only=["attack"])
    assert list(done.steps[0].weights) == ["attack"]
    assert [key for key, value in done.tuned.params.items() if value != done.start.params[key]] == ["attack"]


def test_the_file_plays_the_same_player(tmp_path):
    done = learned(steps=10)
    file = tmp_path / "w.toml"
    file.write_text(weights_file(done, "palworld", 'so "good" \\ it is', KNOWN), encoding="utf-8")
    assert parse_agent(f"greedy:weights={file}", KNOWN) == done.tuned
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    assert data["check"]["verdict"] == 'so "good" \\ it is'
    assert data["provenance"]["seed"] == 3 and data["provenance"]["decks"] == LEARN
    assert data["check"]["games"] == 40


def test_quoted():
    text = "x\ny\t€\x7f"
    assert tomllib.loads(f"a = {quoted(text)}")["a"] == text


def test_decks_are_apart():
    for game in ("palworld", "aether"):
        learn, test = split_decks(game, [], [])
        assert learn and test and not set(learn) & set(test)
    learn, test = split_decks("palworld", ["cattiva-azurobe-br"], [])
    assert learn == ["cattiva-azurobe-br"] and len(test) == 9
    with pytest.raises(InputError, match="no decks are left"):
        split_decks(
            "aether", [], sorted(path for path in split_decks("aether", [], [])[0] + split_decks("aether", [], [])[1])
        )


@pytest.mark.parametrize(
    ("agent", "only", "match"),
    [
        ("random", [], "no weights"),
        ("greedy", ["atack"], "no weight 'atack'"),
        ("greedy:attack=0", [], "above 0"),
        ("search", ["playouts"], "no weight 'playouts'"),
    ],
)
def test_what_cannot_be_tuned(agent, only, match):
    with pytest.raises(RunError, match=match):
        weights_of(parse_agent(agent, KNOWN), KNOWN, only)


def test_weights_are_hundredths_in_range():
    agent = with_weights(parse_agent("greedy", KNOWN), KNOWN, {"attack": 1.23456, "life": 0.0001, "keep": 99.0})
    assert (agent.params["attack"], agent.params["life"], agent.params["keep"]) == (1.23, 0.05, 20.0)


def test_score_of_pairs():
    joint = np.zeros((4, 4), np.int64)
    joint[2, 2], joint[2, 0], joint[3, 0] = 3, 1, 7
    assert score_of({0: joint}) == (7 / 8, 8)
    assert score_of({}) == (0.5, 0)


def test_the_command(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("sim.tune.tune", lambda *args, **options: learned(steps=10))
    file = tmp_path / "w.toml"
    assert run_command(["tune", "greedy", "--out", str(file), "--json", "--quiet"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["file"] == str(file) and found["check"]["games"] == 40 and len(found["steps"]) == 10
    assert run_command(["tune", "greedy", "--out", str(tmp_path / "w.json")]) == 2
    assert run_command(["tune", "greedy", "--sprt", "x"]) == 2

"""Observed results as files, and the runs that are compared with them."""

from __future__ import annotations

import json

import pytest

from sim.calibrate import calibrate
from sim.cli import run_command
from sim.errors import InputError
from sim.observed import own_observed, read_observed
from sim.results import Observed
from tests.sim.fake import FakePlayer

FACTS = Observed(
    [("starter-red-blue", "starter-green-purple", 0.55, 800), ("tuned-red-gun", "starter-red-blue", 0.5, 90)]
)


def test_what_comes_with_the_game():
    known = read_observed(own_observed("palworld"))
    assert len(known.matchups) == 18 and known.rounded == 0.01
    assert known.first_seat["cattiva-azurobe-br"] == (0.6, 0.52, 7468)
    with pytest.raises(InputError, match="nothing is known"):
        own_observed("aether")


def test_a_table_of_results(tmp_path):
    file = tmp_path / "seen.csv"
    file.write_text("deck_a,deck_b,share,games,note\none,two,0.55,1200,x\n", encoding="utf-8-sig")
    assert read_observed(file).matchups == [("one", "two", 0.55, 1200)]


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("a.csv", "deck_a,deck_b,share\none,two,0.5\n", "no column 'games'"),
        ("a.csv", "deck_a,deck_b,share,games\none,two,half,3\n", r"a\.csv:2: share 'half'"),
        ("a.csv", "deck_a,deck_b,share,games\n", "has no matchups"),
        ("a.csv", "deck_a,deck_b,share,games\none,two,55,3\n", "a share from 0 to 1"),
        ("a.csv", "deck_a,deck_b,share,games\none,two,.5,3\ntwo,one,.5,3\n", "twice"),
        ("a.csv", "deck_a,deck_b,share,games\none,one,.5,3\n", "a mirror tells nothing"),
        ("a.json", "{}", "does not hold observed results"),
        ("a.json", "[", "does not hold observed results"),
    ],
)
def test_what_is_no_table_of_results(tmp_path, name, text, match):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=match):
        read_observed(file)


def test_only_what_was_observed_is_played(tmp_path):
    runs = calibrate(FACTS, ["greedy", "random"], 20, 5, tmp_path / "c", player=FakePlayer)
    for run in runs:
        names = [deck.name for deck in run.info.decks]
        played = [{names[i], names[j]} for i, j in run.info.matchups]
        assert played == [{"starter-red-blue", "starter-green-purple"}, {"starter-red-blue", "tuned-red-gun"}]
        assert run.info.seed == 5
    assert [run.info.agents[0].name for run in runs] == ["greedy", "random"]
    every = calibrate(FACTS, ["greedy"], 20, None, tmp_path / "e", every_pair=True, player=FakePlayer)
    assert len(every[0].info.matchups) == 3


def test_what_cannot_be_played(tmp_path):
    with pytest.raises(InputError, match="players must be different"):
        calibrate(FACTS, ["greedy", "greedy"], 20, 5, tmp_path / "c", player=FakePlayer)
    with pytest.raises(InputError, match=r"a deck of the observed results.*--decks"):
        calibrate(Observed([("nobody-knows", "starter-red-blue", 0.5, 9)]), ["greedy"], 20, 5, tmp_path / "c")


def test_the_command_on_runs(capsys, tmp_path):
    runs = calibrate(FACTS, ["greedy", "random"], 40, 5, tmp_path / "c", player=FakePlayer)
    file = tmp_path / "seen.json"
    file.write_text(json.dumps({"matchups": FACTS.matchups}), encoding="utf-8")
    asked = ["calibrate", str(file), *(f"--run={run.path}" for run in runs)]
    assert run_command([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["agent"] for row in found["agreement"]][:3] == ["one half", "greedy", "random"]
    assert len(found["pairs"]) == 4 and len(found["robustness"]) == 1 and len(found["band"]) == 3
    assert run_command(asked) == 0
    assert "Decks by mean score" in capsys.readouterr().out
    assert run_command([*asked, "--agent", "greedy"]) == 2

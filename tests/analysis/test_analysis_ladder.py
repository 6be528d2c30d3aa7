"""Ratings of players: golden numbers of statistics 3.4 and 3.5, and what the tables make of counts."""

from __future__ import annotations

import numpy as np
import pytest

from analysis import ladder as answers
from sim.results import AgentInfo, Duel, DuelCell, LadderInfo


def made(joints: dict[tuple[str, str], list[list[int]]], decks: tuple[str, str] = ("one", "two")) -> LadderInfo:
    agents = sorted({name for pair in joints for name in pair})
    duels = [Duel(a, b, [DuelCell(*decks, joint)]) for (a, b), joint in joints.items()]
    return LadderInfo("palworld", 1, 40, [AgentInfo(a, {}, a) for a in agents], list(decks), duels)


def padded(joint: list[list[int]], unfinished: int = 0) -> list[list[int]]:
    return [[*row, 0] for row in joint] + [[unfinished, 0, 0, 0]]


GOLDEN = padded([[34, 50, 20], [4, 32, 60], [11, 4, 75]], 3)
"""LL 34, LD 54, WL 31, DD 32, WD 64, WW 75."""


def test_the_golden_pairs():
    row = answers.duels(made({("x", "y"): GOLDEN})).row(0, named=True)
    assert [row[name] for name in answers.CLASSES] == [34, 54, 63, 64, 75]
    assert row["unfinished"] == 3 and row["games"] == 580
    assert row["elo"] == pytest.approx(55.58, abs=0.005)
    assert (row["elo_high"] - row["elo_low"]) / 2 == pytest.approx(27.65, abs=0.005)
    assert row["nelo"] == pytest.approx(57.94, abs=0.005)
    assert (row["nelo_high"] - row["nelo_low"]) / 2 == pytest.approx(28.28, abs=0.005)


@pytest.mark.parametrize(
    ("counts", "text", "llr"),
    [
        ((223, 9863, 20279, 1000, 10037, 246), "0.5,2.5", -3.07),
        ((871, 26175, 55003, 980, 26678, 821), "0,2", -4.98),
        ((365, 16618, 36029, 200, 16974, 390), "0,2,nelo", 2.25),
        ((127, 4883, 10311, 401, 5150, 104), "-1.75,.25,nelo", 3.01),
    ],
)
def test_the_golden_sequential_tests(counts, text, llr):
    ll, ld, wl, dd, wd, ww = counts
    joint = padded([[ll, ld, wl], [0, dd, wd], [0, 0, ww]])
    test = answers.parse_test(text)
    row = answers.duels(made({("x", "y"): joint}), test).row(0, named=True)
    assert row["llr"] == pytest.approx(llr, abs=0.005)
    assert row["decision"] == ("continue" if abs(llr) < 2.944439 else "H1" if llr > 0 else "H0")
    assert test.ended(made({("x", "y"): joint}).duels[0]) is (abs(llr) > 2.944439)
    assert text.partition(",")[0].strip("0-") in answers.sequential_words(row, test)


@pytest.mark.parametrize("text", ["", "5", "10,0", "0,x", "0,5,glicko", "nan,3", "0,inf"])
def test_what_is_no_test(text):
    with pytest.raises(ValueError, match="the smaller one first"):
        answers.parse_test(text)


def test_rho():
    """-1 where the deck decides, 1 where the luck that both share does, 0 where the games are independent."""
    cell = lambda joint: [DuelCell("one", "two", padded(joint))]  # noqa: E731
    assert answers.rho(cell([[0, 0, 50], [0, 0, 0], [50, 0, 0]])) == pytest.approx(-1.0)
    assert answers.rho(cell([[50, 0, 0], [0, 0, 0], [0, 0, 50]])) == pytest.approx(1.0)
    assert answers.rho(cell([[25, 0, 25], [0, 0, 0], [25, 0, 25]])) == pytest.approx(0.0)
    assert answers.rho(cell([[0, 0, 0], [0, 0, 0], [0, 0, 50]])) is None
    assert answers.rho([]) is None


def test_by_deck():
    """With the deck on side a the first player wins all, without it none."""
    joint = padded([[0, 0, 0], [0, 0, 0], [40, 0, 0]])
    rows = {row["deck"]: row for row in answers.decks(made({("x", "y"): joint})).to_dicts()}
    assert (rows["one"]["holding"], rows["one"]["facing"]) == (1.0, 0.0)
    assert (rows["two"]["holding"], rows["two"]["facing"]) == (0.0, 1.0)


def test_ratings_of_three():
    even, better = padded([[25, 0, 25], [0, 0, 0], [25, 0, 25]]), padded([[5, 0, 20], [0, 0, 0], [15, 0, 60]])
    found = answers.ratings(made({("x", "y"): better, ("x", "z"): better, ("y", "z"): even})).to_dicts()
    assert found[0]["agent"] == "x"
    assert np.mean([row["elo"] for row in found]) == pytest.approx(1500.0)
    assert found[0]["elo"] - found[1]["elo"] == pytest.approx(400 * np.log10(0.775 / 0.225), abs=2)
    assert all(row["elo_low"] < row["elo"] < row["elo_high"] for row in found)
    assert found[0]["reason"] is None


def test_nothing_played():
    row = answers.duels(made({("x", "y"): padded([[0] * 3] * 3)}), answers.Sequential(0, 5)).row(0, named=True)
    assert row["score"] is None and row["reason"] == "no finished games" and row["llr"] is None
    assert answers.ratings(made({("x", "y"): padded([[0] * 3] * 3)}))["games"].to_list() == [0, 0]

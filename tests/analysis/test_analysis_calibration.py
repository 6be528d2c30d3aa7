"""Simulated beside observed: errors, intervals, ranks, and players beside each other."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from analysis import calibration as answers
from analysis.runs import RunError
from analysis.tables.results import Count, Matchup, Seats
from sim.results import AgentInfo, Observed


class Known:
    """A run whose matchups are given as score of a; 2,000 games each, half going first."""

    def __init__(self, name: str, scores: dict[tuple[str, str], float], games: int = 2000, gap: float = 0.0) -> None:
        self.path = Path(name)
        self.info = type("Info", (), {"versus": False, "agents": [AgentInfo(name, {}, name)]})()
        self.found = []
        for i, ((a, b), score) in enumerate(scores.items()):
            wins = [round(games / 2 * (score + way * gap / 2)) for way in (1, -1)]
            seats = Seats(*(Count(won, 0, games // 2 - won) for won in wins))
            self.found.append(Matchup(i, a, b, name, name, seats))


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setattr(answers, "open_run", lambda run: run)
    monkeypatch.setattr(answers, "matchups_of", lambda run: run.found)


SEEN = {("p", "q"): 0.6, ("p", "r"): 0.45, ("q", "r"): 0.3, ("q", "s"): 0.52}
FACTS = Observed([(*pair, share, 1000) for pair, share in SEEN.items()], 0.01, first_seat={"p": (0.6, 0.5, 900)})


def test_the_truth_agrees():
    rows = {row["agent"]: row for row in answers.agreement(FACTS, [Known("sage", SEEN)]).to_dicts()}
    assert list(rows) == ["one half", "sage", "truth, as many games", "truth, endless games"]
    sage = rows["sage"]
    assert sage["mae"] == pytest.approx(0.0) and sage["rank"] == pytest.approx(1.0) and sage["within"] == 1.0
    assert sage["slope"] == pytest.approx(1.0) and sage["rank_both"] == pytest.approx(1.0)
    assert rows["one half"]["mae"] == pytest.approx((0.1 + 0.05 + 0.2 + 0.02) / 4)
    endless = [math.sqrt(p * (1 - p) / 1000 + 1e-4 / 12) for p in SEEN.values()]
    assert rows["truth, endless games"]["mae"] == pytest.approx(np.mean(endless) * math.sqrt(2 / math.pi))
    assert rows["truth, as many games"]["mae"] > rows["truth, endless games"]["mae"]


def test_who_exaggerates_has_a_slope_below_one():
    """And it does not matter which deck of a pair is written first, but for the rank as written."""
    double = Known("loud", {(b, a): 0.5 - 2 * (share - 0.5) for (a, b), share in SEEN.items()})
    row = answers.agreement(FACTS, [double]).filter(answers.pl.col("agent") == "loud").row(0, named=True)
    assert row["slope"] == pytest.approx(0.5) and row["rank"] == pytest.approx(1.0)
    assert row["mae"] == pytest.approx((0.1 + 0.05 + 0.2 + 0.02) / 4)
    assert row["mae_low"] < row["mae"] < row["mae_high"]


def test_pairs_and_decks():
    off = Known("odd", {("p", "q"): 0.8, ("p", "r"): 0.45, ("q", "r"): 0.3})
    pairs = answers.pairs(FACTS, [off]).to_dicts()
    assert (pairs[0]["deck_a"], pairs[0]["deck_b"], pairs[0]["beyond"]) == ("p", "q", "yes")
    assert pairs[0]["difference"] == pytest.approx(0.2)
    assert pairs[0]["difference_low"] < 0.2 < pairs[0]["difference_high"]
    assert {row["beyond"] for row in pairs[1:]} == {"no"} and len(pairs) == 3
    decks = {row["deck"]: row for row in answers.decks(FACTS, [off]).to_dicts()}
    assert decks["p"]["difference"] == pytest.approx(0.1) and decks["q"]["difference"] == pytest.approx(-0.1)
    assert decks["r"]["difference"] == pytest.approx(0.0) and decks["p"]["pairs"] == 2


def test_going_first():
    row = answers.seats(FACTS, [Known("sage", SEEN, gap=0.08)]).row(0, named=True)
    assert row["observed_gap"] == pytest.approx(0.1) and row["simulated_gap"] == pytest.approx(0.08, abs=0.005)
    assert row["simulated_gap_low"] < 0.08 < row["simulated_gap_high"]


def test_three_players():
    turned = {pair: 1 - share for pair, share in SEEN.items()}
    close = SEEN | {("p", "q"): 0.58}
    runs = [Known("a", SEEN), Known("b", close), Known("c", turned)]
    rows = {row["agents"]: row for row in answers.robustness(runs).to_dicts()}
    assert rows["a and b"]["agree"] == 1.0 and rows["a and b"]["tau"] == pytest.approx(1.0)
    assert rows["a and c"]["agree"] == 0.0 and rows["a and c"]["tau"] == pytest.approx(-1.0)
    assert rows["all"]["agree"] == 0.0 and rows["all"]["gap"] == pytest.approx((0.2 + 0.1 + 0.4 + 0.04) / 4)
    assert rows["a and b"]["pairs_sure"] == 3
    band = {row["deck"]: row for row in answers.band(runs).to_dicts()}
    assert band["r"]["highest"] == pytest.approx(0.625) and band["r"]["lowest"] == pytest.approx(0.375)
    assert band["r"]["ranks"] == "1, 1, 4"


def test_what_cannot_be_compared():
    with pytest.raises(RunError, match="none of the observed pairs"):
        answers.pairs(FACTS, [Known("x", {("v", "w"): 0.5})])
    with pytest.raises(RunError, match="two players or more"):
        answers.robustness([Known("x", SEEN)])
    with pytest.raises(RunError, match="no pair of decks in common"):
        answers.band([Known("x", SEEN), Known("y", {("v", "w"): 0.5})])
    two = Known("x", SEEN)
    two.info.versus = True
    with pytest.raises(RunError, match="two players meet"):
        answers.decks(FACTS, [two])

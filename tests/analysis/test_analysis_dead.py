"""Dead turns, stuck hands, options, lucky cards that are held too long."""

from __future__ import annotations

import json
from itertools import pairwise

import polars as pl
import pytest

import analysis
from analysis.report import page
from analysis.tables import dead as dead_table
from tests.analysis.synthetic import DECKS, write_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("runs") / "toy", games=300)


@pytest.fixture(scope="module")
def run(folder):
    return analysis.open_run(folder)


def rows_of(folder):
    return pl.concat([pl.read_parquet(f) for f in sorted((folder / "games").glob("*.parquet"))]).to_dicts()


def test_dead_turns_against_plain_python(folder, run):
    rows, found = rows_of(folder), analysis.dead(run).to_dicts()
    assert found[0]["deck"] == "all" and {row["deck"] for row in found[1:]} == set(DECKS)
    for row in found:
        sides = [(g, side) for g in rows for side in "ab" if row["deck"] in ("all", g[f"deck_{side}"])]
        turns = [(g["turns"] + (g["first"] == side)) // 2 for g, side in sides]
        assert row["turns"] == sum(turns) and row["games"] == len(sides) // (2 if row["deck"] == "all" else 1)
        for name in ("dead", "stuck"):
            counts = [g[f"{name}_turns_{side}"] for g, side in sides]
            assert row[name] == pytest.approx(sum(counts) / sum(turns))
            assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]
    assert all(a["dead"] >= b["dead"] for a, b in pairwise(found[1:]))
    whole = analysis.shape(run).to_dicts()[0]
    assert whole["dead"] == found[0]["dead"] and whole["stuck"] == found[0]["stuck"]
    assert whole["options"] == sum(g["options_a"] + g["options_b"] for g in rows) / sum(g["decisions"] for g in rows)


def test_coverage_of_dead_turns():
    """Turns of a game go together: each game has a rate of its own."""
    import numpy as np

    rng = np.random.default_rng(3)
    inside, tries = 0, 2000
    for _ in range(tries):
        turns = rng.integers(3, 12, 200)
        dead = rng.binomial(turns, rng.beta(1.0, 4.0, 200))
        total = {
            "games": 200,
            "turns": int(turns.sum()),
            "dead_turns": int(dead.sum()),
            "turns_turns": int((turns * turns).sum()),
            "turns_dead_turns": int((turns * dead).sum()),
            "dead_turns_dead_turns": int((dead * dead).sum()),
        }
        rate = dead_table._rate(total, "dead_turns")
        inside += rate.low <= 0.2 <= rate.high
    assert 0.93 <= inside / tries <= 0.97


def test_runs_from_before_turns_were_counted(tmp_path):
    """Their run.json does not declare the columns: nothing is said of them, and the rest is as before."""
    path = write_run(tmp_path / "old", games=40, decks=DECKS[:3])
    meta = json.loads((path / "run.json").read_text())
    gone = ("options", "dead_turns", "stuck_turns", "lucky_held")
    meta["columns"] = {name: column for name, column in meta["columns"].items() if name not in gone}
    (path / "run.json").write_text(json.dumps(meta))
    for file in (path / "games").glob("*.parquet"):
        pl.read_parquet(file).drop(f"{name}_{side}" for name in gone for side in "ab").write_parquet(file)
    assert analysis.dead(path).height == 0
    assert "dead" not in analysis.shape(path).columns
    assert analysis.luck(path)["held_at_loss"].null_count() == 3
    assert "Dead turns" not in page(analysis.open_run(path))


def test_lucky_cards_held_at_a_loss(folder, run):
    rows = rows_of(folder)
    for row in analysis.luck(run).to_dicts():
        sides = [(g, s, o) for g in rows for s, o in ("ab", "ba") if row["deck"] == g[f"deck_{s}"]]
        held = [g[f"lucky_held_{s}"] for g, s, o in sides if g["winner"] == o]
        assert row["held_at_loss"] == pytest.approx(sum(held) / len(held))

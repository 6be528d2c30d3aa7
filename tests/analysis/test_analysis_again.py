"""The winners of one half of the games, in the other half."""

from __future__ import annotations

import polars as pl
import pytest

import analysis
from tests.analysis.synthetic import DECKS, write_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("runs") / "toy", games=300)


@pytest.fixture(scope="module")
def run(folder):
    return analysis.open_run(folder)


def rows_of(folder):
    return pl.concat([pl.read_parquet(f) for f in sorted((folder / "games").glob("*.parquet"))]).to_dicts()


def test_winners_of_one_half_are_measured_on_the_other(folder, run):
    rows = rows_of(folder)
    for found in analysis.again(run).to_dicts():
        half = ("one", "other").index(found["half"])

        def score(deck, opponent, part, rows=rows):
            points = [
                {"draw": 0.5, s: 1.0}.get(g["winner"], 0.0)
                for g in rows
                for s, o in ("ab", "ba")
                if g["g"] // 4 % 2 == part and g[f"deck_{s}"] == deck and g[f"deck_{o}"] == opponent and g["winner"]
            ]
            return sum(points) / len(points)

        if found["scope"] == "widest matchup":
            every = {(d, o): score(d, o, half) for d in DECKS for o in DECKS if d != o}
            assert every[found["deck"], found["opponent"]] == pytest.approx(max(every.values()))
            assert found["score"] == pytest.approx(score(found["deck"], found["opponent"], 1 - half))
            assert found["candidates"] == 12
        else:
            every = {d: sum(score(d, o, half) for o in DECKS if o != d) / 3 for d in DECKS}
            assert found["picked"] == pytest.approx(max(every.values()), abs=0.005)  # seats weigh the same there
            assert found["candidates"] == 4
        assert found["fall"] == pytest.approx(found["picked"] - found["score"])
        assert found["low"] < found["score"] < found["high"]


def test_the_best_of_equals_falls_back_to_one_half(tmp_path):
    """Four decks that are the same: what wins one half by chance is nothing special in the other."""
    falls, misses = [], 0
    path = write_run(tmp_path / "toy", games=120, blocks=1)
    (file,) = (path / "games").glob("*.parquet")
    games = pl.read_parquet(file)
    for bit in range(20):
        winner = pl.when(pl.col("signature") // 2**bit % 2 == 1).then(pl.lit("a")).otherwise(pl.lit("b"))
        games.with_columns(winner=winner).write_parquet(file)
        best = analysis.again(path).filter(pl.col("scope") == "best deck").to_dicts()
        falls += [row["fall"] for row in best]
        misses += sum(not row["low"] <= 0.5 <= row["high"] for row in best)
    assert sum(falls) / len(falls) > 0.02 and misses <= 6

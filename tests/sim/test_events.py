"""The table of events: it tells the game that its row is about."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import sim
from sim.replay import replay
from sim.verify import verify

DECKS = ("starter-red-blue", "starter-green-purple")


def test_events_tell_the_games_of_the_run(tmp_path: Path) -> None:
    run = sim.simulate(DECKS, games=4, seed=3, agent="greedy", versus="random", events=True, out=tmp_path / "run")
    events, games = run.scan("events").collect(), run.games.collect()
    for row in games.iter_rows(named=True):
        mine = events.filter(game=row["game"])
        assert mine["n"].to_list() == list(range(mine.height))
        assert mine["turn"].is_sorted() and mine["turn"].max() == row["turns"]
        for side in "ab":
            counted = mine.filter(side=side)["kind"].value_counts()
            counts = dict(counted.iter_rows())
            assert counts.get("attack", 0) == row[f"attacks_{side}"]
            assert mine.filter(pl.col("a") > 0, side=side, kind="check").height == row[f"lucky_{side}"]
            lost = mine.filter(side=side, kind="life")["a"].sum()
            assert 10 + lost == row[f"life_{side}"]
        assert mine["kind"][-1] == "over"
    told = [entry.detail.get("card") for entry in replay(run.path, 2).entries if entry.kind == "event"]
    drawn = [card for card in told if card]
    assert set(drawn) <= set(events.filter(game=2)["card"].drop_nulls())
    assert verify(run.path, 4).findings == []
    # the rows are those of a run without events, and it is extended as any other
    plain = sim.simulate(DECKS, games=8, seed=3, agent="greedy", versus="random", out=tmp_path / "plain")
    sim.simulate(DECKS, games=8, seed=3, agent="greedy", versus="random", events=True, out=tmp_path / "run")
    assert run.games.collect().equals(plain.games.collect())
    longer = run.scan("events").collect()
    assert longer.filter(pl.col("game") < 4).equals(events)
    assert longer["game"].n_unique() == 8

"""What players have at the ends of their turns, in games that count it."""

from __future__ import annotations

import polars as pl

from analysis.runs import Run
from analysis.tables.results import floats, ints, table, texts


def has_curve(run: Run) -> bool:
    """The game of this run has a table of counts by turn."""
    return run.info.own is not None and "turn" in run.info.own.columns


def curve(run: Run) -> pl.DataFrame:
    """Means over the turns of a number, by deck ("all": over all decks, first): each column of the game's own table.

    `turn` is the player's, from 1; `turns`: how many were played, so that later ones are those of long games. A column
    of yes and no becomes a share. No rows for a game that does not count by turn.
    """
    own = run.info.own
    if own is None or run.own is None or not has_curve(run):
        return table([], texts("deck") | ints("turn", "turns"))
    names = [name for name in own.columns if name != "turn"]
    count = pl.col("count").cast(pl.Int64)
    sums = {name: (pl.col(name).cast(pl.Int64) * count).sum() for name in names}
    by_deck = run.collect(run.own.group_by("deck", pl.col("turn").cast(pl.Int64)).agg(turns=count.sum(), **sums)).sort(
        "deck", "turn"
    )
    everyone = by_deck.group_by("turn").agg(pl.lit("all").alias("deck"), pl.col("turns", *names).sum()).sort("turn")
    frame = pl.concat([everyone.select(by_deck.columns), by_deck])
    rows = [row | {name: row[name] / row["turns"] for name in names} for row in frame.iter_rows(named=True)]
    return table(rows, texts("deck") | ints("turn", "turns") | floats(*names))

"""Turns in which nothing is done and hands of which nothing can be played, by deck (statistics 3.14)."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement
from typing import Any

import polars as pl

from analysis.runs import Run
from analysis.stats import Estimate, missing, with_error
from analysis.tables.results import by_matchup, floats, interval, ints, table, texts

COUNTED = ("dead_turns", "stuck_turns")
PARTS = ("turns", *COUNTED)
PRODUCTS = tuple(combinations_with_replacement(PARTS, 2))


def counts_turns(run: Run) -> bool:
    """The games of this run count dead and stuck turns."""
    return set(COUNTED) <= set(run.info.columns)


def dead(run: Run) -> pl.DataFrame:
    """Share of its own turns that a deck ends with nothing done, and with a hand of which nothing could be played.

    `dead`: no card played, no ability activated, no attack, nothing else but the end of the turn; `stuck`: cards in
    hand at the end, and none of them could be played at any time of the turn. `turns` are the own turns that began, the
    one in which the game ended too. Turns of one game go together, so the intervals rest on games. Over all decks
    first, then the deck with most dead turns. No rows for runs from before this was counted.
    """
    schema = (
        texts("deck", "agent")
        | ints("games", "turns")
        | floats("dead", "dead_low", "dead_high", "stuck", "stuck_low", "stuck_high")
        | texts("reason")
    )
    if not counts_turns(run):
        return table([], schema)
    sums: dict[str, pl.Expr] = {"games": pl.len().cast(pl.Int64)}
    for side in "ab":
        values = {name: pl.col(f"{name}_{side}").cast(pl.Int64) for name in COUNTED}
        values["turns"] = (pl.col("turns").cast(pl.Int64) + (pl.col("first") == side).cast(pl.Int64)) // 2
        sums |= {f"{name}_{side}": values[name].sum() for name in PARTS}
        sums |= {f"{one}_{other}_{side}": (values[one] * values[other]).sum() for one, other in PRODUCTS}
    whole: dict[str, int] = {}
    decks: dict[tuple[str, str], dict[str, int]] = {}
    for row in by_matchup(run, **sums).iter_rows(named=True):
        for side in "ab":
            for total in (whole, decks.setdefault((row[f"deck_{side}"], row[f"agent_{side}"]), {})):
                total["games"] = total.get("games", 0) + row["games"]
                for name in (*PARTS, *(f"{one}_{other}" for one, other in PRODUCTS)):
                    total[name] = total.get(name, 0) + row[f"{name}_{side}"]
    rows = [{"deck": deck, "agent": agent} | _rates(total) for (deck, agent), total in decks.items()]
    rows.sort(key=lambda row: (-(row["dead"] or 0.0), row["deck"], row["agent"]))
    return table([{"deck": "all"} | _rates(whole) | {"games": whole["games"] // 2}, *rows], schema)


def _rates(total: dict[str, int]) -> dict[str, Any]:
    found = {name: _rate(total, name) for name in COUNTED}
    return {
        "games": total["games"],
        "turns": total["turns"],
        **interval("dead", found["dead_turns"]),
        **interval("stuck", found["stuck_turns"]),
        "reason": found["dead_turns"].reason,
    }


def _rate(total: dict[str, int], name: str) -> Estimate:
    """Share of the turns, with the error of a ratio of two sums over games."""
    turns, counted = total["turns"], total[name]
    if not turns:
        return missing("no turns")
    rate = counted / turns
    product = total[f"turns_{name}"]
    spread = total[f"{name}_{name}"] - 2 * rate * product + rate * rate * total["turns_turns"]
    return with_error(rate, math.sqrt(max(0.0, spread)) / turns, total["games"])

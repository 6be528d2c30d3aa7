"""The winners of one half of the games, measured on the other half (statistics 3.17)."""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.runs import Run
from analysis.tables.results import floats, ints, table, texts
from analysis.tables.scores import decks, matchups

HALVES = ("one", "other")
Row = dict[str, Any]


def again(run: Run) -> pl.DataFrame:
    """The largest of many noisy scores is too large: here it stands beside its score in games that did not choose it.

    Games go to the halves in fours (both seats, both assignments of players). In each half the "best deck" against the
    field and the "widest matchup" are picked out of `candidates`, with the score `picked` there; `score` with interval
    is the one in the other half, `fall` = picked - score, and `still` says whether it is the first there too.
    """
    halves = [run.where((pl.col("g") // 4) % 2 == half) for half in (0, 1)]
    fields = [[row for row in decks(half).to_dicts() if row["score"] is not None] for half in halves]
    cells = [[side for row in matchups(half).to_dicts() for side in _sides(row)] for half in halves]
    rows = [
        {"scope": scope, "half": HALVES[half]} | _measured(parts[half], parts[1 - half], keys)
        for scope, parts, keys in (
            ("best deck", fields, ("deck", "agent", "against")),
            ("widest matchup", cells, ("deck", "opponent", "agent", "against")),
        )
        for half in (0, 1)
    ]
    return table(
        rows,
        texts("scope", "half", "deck", "opponent", "agent", "against")
        | ints("candidates", "games")
        | floats("picked", "score", "low", "high", "fall")
        | {"still": pl.Boolean}
        | texts("reason"),
    )


def _sides(row: Row) -> list[Row]:
    """A matchup from both sides; a mirror and one without a score from none."""
    if row["verdict"] == "mirror" or row["score"] is None:
        return []
    a = {"deck": row["deck_a"], "opponent": row["deck_b"], "agent": row["agent_a"], "against": row["agent_b"]}
    b = {"deck": row["deck_b"], "opponent": row["deck_a"], "agent": row["agent_b"], "against": row["agent_a"]}
    games, score, low, high = (row[name] for name in ("games", "score", "low", "high"))
    return [
        a | {"games": games, "score": score, "low": low, "high": high},
        b | {"games": games, "score": 1.0 - score, "low": 1.0 - high, "high": 1.0 - low},
    ]


def _measured(chosen: list[Row], fresh: list[Row], keys: tuple[str, ...]) -> Row:
    """The first of one half, with what the other half says of it."""
    if len(chosen) < 2:
        return {"candidates": len(chosen), "reason": "fewer than two scores to choose from"}
    best = _first(chosen, keys)
    found = {name: best[name] for name in keys} | {"candidates": len(chosen), "picked": best["score"]}
    same = next((row for row in fresh if all(row[name] == best[name] for name in keys)), None)
    if same is None:
        return found | {"reason": "no finished games in the other half"}
    found |= {name: same[name] for name in ("games", "score", "low", "high")}
    return found | {"fall": best["score"] - same["score"], "still": _first(fresh, keys) is same}


def _first(rows: list[Row], keys: tuple[str, ...]) -> Row:
    """The one with the largest score; by name where several have it."""
    return min(rows, key=lambda row: (-row["score"], *(row[name] for name in keys)))

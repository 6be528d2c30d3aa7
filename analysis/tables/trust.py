"""How far to trust a win rate: what the players of a run do badly with each deck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from analysis.runs import Run, RunError
from analysis.stats import Estimate, share
from analysis.tables.cards import cards
from analysis.tables.results import floats, ints, table, texts
from sim.results import DIAGNOSIS_VERSION, Diagnosis, Habits

SHARES = {
    "held": ("held", "had"),
    "idle": ("idle", "turns"),
    "better": ("better", "judged"),
    "vain": ("empty", "actions"),
    "wasted": ("wasted", "interrupts"),
    "missed": ("missed", "searched"),
}
"""Measures of the diagnosis: name, and the counts that it is a share of."""


def diagnosis_of(run: Run) -> Diagnosis | None:
    """What `cardmill diagnose` has left in the folder of a run, if anything. Raises RunError for a damaged file."""
    if not isinstance(run.path, Path):
        return None
    file = run.path / "diagnosis.json"
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Diagnosis)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise RunError(f"{file}: cannot be read: {error}") from None
    if found.version != DIAGNOSIS_VERSION:
        raise RunError(f"{file}: version {found.version}; this cardmill reads version {DIAGNOSIS_VERSION}")
    return found


def trust(run: Run) -> pl.DataFrame:
    """One row a deck and player. `unplayed`: share of the cards that came into the hand and were not played, over all
    games (discarded, as a cost too, or kept). From the games that `cardmill diagnose` has looked at, with Wilson
    intervals: `held`: cards that were still in the hand at the end; `idle`: turns that ended with something left that
    could be paid; `better`: of these, where playouts say that it would have been better by two points; `vain`: cards
    played and abilities activated of which nothing came but their cost; `wasted`: stopped attacks that would have done
    nothing, in hindsight; `missed`: turns with the opponent at half its life or less in which a sure win was there and
    was not taken. `most_vain`: the action that was in vain most often.
    """
    rows = [row | _sampled(run, row["deck"], row["agent"]) for row in _unplayed(run)]
    names = floats(*(f"{name}{end}" for name in SHARES for end in ("", "_low", "_high")))
    return table(
        rows, texts("deck", "agent") | floats("unplayed") | names | ints("sample") | texts("most_vain", "reason")
    )


def _unplayed(run: Run) -> list[dict[str, Any]]:
    frame = cards(run).group_by("deck", "agent").agg(pl.col("gih_copies", "played_copies").sum()).sort("deck", "agent")
    return [
        {"deck": row["deck"], "agent": row["agent"]}
        | {"unplayed": 1.0 - row["played_copies"] / row["gih_copies"] if row["gih_copies"] else None}
        for row in frame.iter_rows(named=True)
    ]


def _sampled(run: Run, deck: str, agent: str) -> dict[str, Any]:
    found = run.once("diagnosis", lambda: diagnosis_of(run))
    if found is None:
        return {"reason": "the games were not looked at (cardmill diagnose)"}
    habits = next((row for row in found.rows if (row.deck, row.agent) == (deck, agent)), Habits(agent, deck))
    row: dict[str, Any] = {"sample": habits.games}
    for name, (part, whole) in SHARES.items():
        estimate: Estimate = share(getattr(habits, part), getattr(habits, whole))
        row |= {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
    if habits.vain:
        what, n = max(habits.vain.items(), key=lambda item: (item[1], item[0]))
        kind, _, number = what.partition(" ")
        name = run.info.names.get(number.partition(".")[0], "")
        row["most_vain"] = f"{kind} {name} ({number}), {n} times" if name else f"{what}, {n} times"
    return row

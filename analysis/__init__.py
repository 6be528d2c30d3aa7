"""Answers from run folders: each table as a function of a run, given as a path, an open run, or what `sim.simulate`
returned.

    run = analysis.open_run("runs/demo")
    analysis.matchups(run)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from analysis.runs import HasPath, Run

    AnyRun = str | Path | Run | HasPath

__all__ = [
    "RunError",
    "cards",
    "decks",
    "first",
    "health",
    "lead",
    "luck",
    "lucky",
    "matchups",
    "open_run",
    "players",
    "seen",
    "shape",
    "table",
    "write_report",
]


def table(run: AnyRun, name: str) -> pl.DataFrame:
    """The table `name` of a run (`analysis.tables.TABLES` lists them)."""
    from analysis import tables
    from analysis.runs import open_run

    return tables.table(open_run(run), name)


def matchups(run: AnyRun) -> pl.DataFrame:
    """Score of a against b with interval, both seats apart, verdict (statistics 3.7)."""
    return table(run, "matchups")


def decks(run: AnyRun) -> pl.DataFrame:
    """Score of each deck against a uniform field of the others (statistics 3.8)."""
    return table(run, "decks")


def players(run: AnyRun) -> pl.DataFrame:
    """Score of each player against the other, in runs with two of them (statistics 3.1)."""
    return table(run, "players")


def first(run: AnyRun) -> pl.DataFrame:
    """First-player advantage: overall, by matchup, by deck (statistics 3.6)."""
    return table(run, "first")


def cards(run: AnyRun) -> pl.DataFrame:
    """Win rates of cards, in copies (statistics 3.12)."""
    return table(run, "cards")


def seen(run: AnyRun) -> pl.DataFrame:
    """Win rate of cards seen by turn t, in games that reached turn t (statistics 3.12)."""
    return table(run, "seen")


def lucky(run: AnyRun) -> pl.DataFrame:
    """Damage checks: observed beside exact (statistics 3.13)."""
    return table(run, "lucky")


def luck(run: AnyRun) -> pl.DataFrame:
    """Luck of each deck in its damage checks (statistics 3.13)."""
    return table(run, "luck")


def shape(run: AnyRun) -> pl.DataFrame:
    """Game length, ends, draws, unfinished games (statistics 3.14)."""
    return table(run, "shape")


def lead(run: AnyRun) -> pl.DataFrame:
    """Chance to win by lead in life at the start of a turn (statistics 3.14)."""
    return table(run, "lead")


def health(run: AnyRun) -> pl.DataFrame:
    """Counts that must agree and shuffles that must be fair (statistics 3.19)."""
    return table(run, "health")


def write_report(run: AnyRun, path: str | Path) -> Path:
    """Writes the report of a run as one offline HTML page."""
    from analysis.report import write_report
    from analysis.runs import open_run

    return write_report(open_run(run), path)


def __getattr__(name: str) -> Any:
    # Polars and the schema load when a run is opened, so that commands without a run start quickly.
    if name in ("open_run", "RunError", "Run"):
        from analysis import runs

        return getattr(runs, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

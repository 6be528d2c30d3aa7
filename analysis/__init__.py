"""Answers from run folders: each table as a function of a run, given as a path, an open run, or what `sim.simulate`
returned.

    run = analysis.open_run("runs/demo")
    analysis.matchups(run)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from analysis.balance import Balance
    from analysis.runs import HasPath, Run

    AnyRun = str | Path | Run | HasPath

__all__ = [
    "RunError",
    "adjusted",
    "cards",
    "comebacks",
    "deciles",
    "decks",
    "explained",
    "first",
    "forecast",
    "health",
    "lead",
    "luck",
    "lucky",
    "matchups",
    "metagame",
    "nash",
    "open_balance",
    "open_run",
    "players",
    "ratings",
    "seen",
    "shape",
    "table",
    "tiers",
    "write_report",
]


def table(run: AnyRun, name: str, shares: Mapping[str, float] | None = None) -> pl.DataFrame:
    """The table `name` of a run (`analysis.tables.TABLES` lists them); `shares`: how common each deck is."""
    from analysis import tables
    from analysis.runs import open_run

    opened = open_run(run)
    return tables.table(opened if shares is None else opened.against(shares), name)


def matchups(run: AnyRun) -> pl.DataFrame:
    """Score of a against b with interval, both seats apart, verdict (statistics 3.7)."""
    return table(run, "matchups")


def decks(run: AnyRun, shares: Mapping[str, float] | None = None) -> pl.DataFrame:
    """Score of each deck against a field of the others, uniform or with the given shares (statistics 3.8)."""
    return table(run, "decks", shares)


def tiers(run: AnyRun, shares: Mapping[str, float] | None = None) -> pl.DataFrame:
    """Decks in tiers by that score, with the probability of each (statistics 3.8)."""
    return table(run, "tiers", shares)


def ratings(run: AnyRun) -> pl.DataFrame:
    """Elo of each deck, draws after Davidson, with bootstrap intervals (statistics 3.11)."""
    return table(run, "ratings")


def nash(run: AnyRun) -> pl.DataFrame:
    """Nash mixture of largest entropy and alpha-rank (statistics 3.10)."""
    return table(run, "nash")


def metagame(run: AnyRun) -> pl.DataFrame:
    """Cycles, polarity, variety and balance of the matrix (statistics 3.9, 3.15)."""
    return table(run, "metagame")


def players(run: AnyRun) -> pl.DataFrame:
    """Score of each player against the other, in runs with two of them (statistics 3.1)."""
    return table(run, "players")


def again(run: AnyRun) -> pl.DataFrame:
    """The winners of one half of the games, measured on the other half (statistics 3.17)."""
    return table(run, "again")


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


def adjusted(run: AnyRun) -> pl.DataFrame:
    """Scores with the luck of damage checks taken out (statistics 3.13)."""
    return table(run, "adjusted")


def explained(run: AnyRun) -> pl.DataFrame:
    """How much of the results luck explains (statistics 3.13)."""
    return table(run, "explained")


def deciles(run: AnyRun) -> pl.DataFrame:
    """Score by decile of net luck (statistics 3.13)."""
    return table(run, "deciles")


def shape(run: AnyRun) -> pl.DataFrame:
    """Game length, ends, draws, decisions and their options, dead turns (statistics 3.14)."""
    return table(run, "shape")


def dead(run: AnyRun) -> pl.DataFrame:
    """Turns with nothing done, hands of which nothing could be played, by deck (statistics 3.14)."""
    return table(run, "dead")


def lead(run: AnyRun) -> pl.DataFrame:
    """Chance to win by lead in life at the start of a turn (statistics 3.14)."""
    return table(run, "lead")


def comebacks(run: AnyRun) -> pl.DataFrame:
    """Chance to win from behind (statistics 3.14)."""
    return table(run, "comebacks")


def forecast(run: AnyRun) -> pl.DataFrame:
    """How well the lead in life tells who wins (statistics 3.14)."""
    return table(run, "forecast")


def health(run: AnyRun) -> pl.DataFrame:
    """Counts that must agree and shuffles that must be fair (statistics 3.19)."""
    return table(run, "health")


def write_report(run: AnyRun, path: str | Path) -> Path:
    """Writes the report of a run as one offline HTML page."""
    from analysis.report import write_report
    from analysis.runs import open_run

    return write_report(open_run(run), path)


def open_balance(comparison: str | Path | HasPath) -> Balance:
    """Opens what `cardmill balance` has made; `analysis.balance` has its tables (statistics 3.3, 3.15)."""
    from analysis.balance import open_balance

    return open_balance(comparison)


def __getattr__(name: str) -> Any:
    # Polars and the schema load when a run is opened, so that commands without a run start quickly.
    if name in ("open_run", "RunError", "Run"):
        from analysis import runs

        return getattr(runs, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

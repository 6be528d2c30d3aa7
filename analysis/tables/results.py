"""The one aggregation of games that the score tables share: results by matchup, players and first seat."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from analysis.runs import Run
from analysis.stats import Estimate, mean_of, missing, score

KEYS = ("matchup", "deck_a", "deck_b", "agent_a", "agent_b")


class Count(NamedTuple):
    """Finished and unfinished games from one side's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    unfinished: int = 0

    @property
    def games(self) -> int:
        """Finished games."""
        return self.wins + self.draws + self.losses

    @property
    def swapped(self) -> Count:
        """The same games from the other side."""
        return Count(self.losses, self.draws, self.wins, self.unfinished)

    def plus(self, other: Count) -> Count:
        return Count(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def score(self) -> Estimate:
        return score(self.wins, self.draws, self.losses)


class Seats(NamedTuple):
    """The same games apart by whether the side went first."""

    first: Count = Count()
    second: Count = Count()

    @property
    def whole(self) -> Count:
        return self.first.plus(self.second)

    @property
    def swapped(self) -> Seats:
        """From the other side, which goes second where this one goes first."""
        return Seats(self.second.swapped, self.first.swapped)

    def plus(self, other: Seats) -> Seats:
        return Seats(self.first.plus(other.first), self.second.plus(other.second))

    @property
    def balanced(self) -> Estimate:
        """Both seats with equal weight (statistics 3.7); undefined while a seat has no finished game."""
        if not self.first.games or not self.second.games:
            return missing("one seat has no finished games", self.whole.games)
        return mean_of([self.first.score, self.second.score])

    @property
    def cell(self) -> Estimate:
        """The best that can be said of the matchup: both seats equally, or all games where one seat has none."""
        balanced = self.balanced
        return balanced if balanced.value is not None else self.whole.score


class Matchup(NamedTuple):
    """One row of the matrix: side a against side b, `seats` from a's view."""

    matchup: int
    deck_a: str
    deck_b: str
    agent_a: str
    agent_b: str
    seats: Seats

    @property
    def mirror(self) -> bool:
        """The same deck played by the same player on both sides."""
        return self.deck_a == self.deck_b and self.agent_a == self.agent_b


def by_matchup(run: Run, *more: str, **aggregates: pl.Expr) -> pl.DataFrame:
    """Games by matchup, players and `more`, sorted. Names follow from the matchup: numbers are grouped, not text."""
    ids = ["matchup", "agent_a"] if run.info.versus else ["matchup"]
    names = [pl.col(name).first() for name in KEYS if name not in ids]
    frame = run.collect(run.games.group_by(*ids, *more).agg(*names, **aggregates))
    return frame.select(*KEYS, *more, *aggregates).sort(*KEYS, *more)


def counted(condition: pl.Expr) -> pl.Expr:
    """How many rows meet a condition, in 64 bits: sums of narrow types wrap."""
    return condition.fill_null(False).cast(pl.Int64).sum()


def matchups_of(run: Run) -> list[Matchup]:
    """Results of every matchup, in the order of the run. One pass over the games, integer counts only."""
    return run.once("matchups", lambda: _matchups(run))


def _matchups(run: Run) -> list[Matchup]:
    frame = by_matchup(
        run,
        "first",
        wins=counted(pl.col("winner") == "a"),
        draws=counted(pl.col("winner") == "draw"),
        losses=counted(pl.col("winner") == "b"),
        unfinished=counted(pl.col("winner").is_null()),
    )
    found: dict[tuple[int, str, str, str, str], Seats] = {}
    for row in frame.iter_rows(named=True):
        count = Count(row["wins"], row["draws"], row["losses"], row["unfinished"])
        seats = Seats(first=count) if row["first"] == "a" else Seats(second=count)
        key = (row["matchup"], row["deck_a"], row["deck_b"], row["agent_a"], row["agent_b"])
        found[key] = found.get(key, Seats()).plus(seats)
    return [Matchup(*key, seats=seats) for key, seats in found.items()]


def interval(name: str, estimate: Estimate) -> dict[str, float | None]:
    """Three columns for an estimate: name, name_low, name_high; plain low and high for the score itself."""
    prefix = "" if name == "score" else f"{name}_"
    return {name: estimate.value, f"{prefix}low": estimate.low, f"{prefix}high": estimate.high}


def table(rows: list[dict], schema: dict[str, type[pl.DataType]]) -> pl.DataFrame:
    """A DataFrame with fixed column types, also where a column holds nothing."""
    return pl.DataFrame([{name: row.get(name) for name in schema} for row in rows], schema=schema, orient="row")


def floats(*names: str) -> dict[str, type[pl.DataType]]:
    return dict.fromkeys(names, pl.Float64)


def ints(*names: str) -> dict[str, type[pl.DataType]]:
    return dict.fromkeys(names, pl.Int64)


def texts(*names: str) -> dict[str, type[pl.DataType]]:
    return dict.fromkeys(names, pl.String)

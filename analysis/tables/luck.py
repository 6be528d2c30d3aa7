"""Damage checks: what was seen beside what is exact, and who was lucky (statistics 0, 3.13)."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import polars as pl

from analysis.exact import stop
from analysis.runs import Run
from analysis.stats import chi_square_p, share
from analysis.tables import fair
from analysis.tables.results import by_matchup, counted, floats, interval, ints, table, texts

ENOUGH = 5.0
"""A cell enters the chi-square on its own when this many stops and this many hits are expected."""


@cache
def stop_p(deck: int, lucky: int, strike: int) -> float:
    """P(stop) as a float; a check that cannot happen (more lucky cards than cards) counts as certain."""
    return float(stop(deck, min(lucky, deck), strike))


class Cell(NamedTuple):
    strike: int
    deck_size: int
    lucky_left: int
    checks: int
    stopped: int

    @property
    def p(self) -> float:
        return stop_p(self.deck_size, self.lucky_left, self.strike)


class LuckyTest(NamedTuple):
    """Chi-square of observed against exact over the cells; `impossible` counts results with exact probability 0."""

    cells: int
    statistic: float
    df: int
    p: float | None
    impossible: int


def cells_of(run: Run) -> list[Cell]:
    """Checks without a known card (known = false) by strike, cards in the deck and lucky cards left."""
    return run.once("cells", lambda: _cells(run))


def _cells(run: Run) -> list[Cell]:
    keys = ("strike", "deck_size", "lucky_left")
    count = pl.col("count").cast(pl.Int64)
    frame = run.collect(
        run.checks.filter(~pl.col("known"))
        .group_by(*keys)
        .agg(checks=count.sum(), stopped=(count * pl.col("stopped").cast(pl.Int64)).sum())
    ).sort(*keys, descending=[False, True, True])
    return [Cell(*row) for row in frame.select(*keys, "checks", "stopped").iter_rows()]


def lucky(run: Run) -> pl.DataFrame:
    """One row a kind of check: share stopped with interval beside the exact probability (statistics 3.13).

    Only checks with known = false: where a card was placed or seen, the deck is not uniformly shuffled.
    """
    rows = []
    for cell in cells_of(run):
        spread = cell.checks * cell.p * (1.0 - cell.p)
        excess = cell.stopped - cell.checks * cell.p
        observed = share(cell.stopped, cell.checks)
        rows.append(
            {
                **cell._asdict(),
                **interval("observed", observed),
                "exact": cell.p,
                "difference": None if observed.value is None else observed.value - cell.p,
                "z": excess / math.sqrt(spread) if spread > 0.0 else None,
                "reason": None if spread > 0.0 else "certain",
            }
        )
    return table(
        rows,
        ints("strike", "deck_size", "lucky_left", "checks", "stopped")
        | floats("observed", "observed_low", "observed_high", "exact", "difference", "z")
        | texts("reason"),
    )


def lucky_test(run: Run) -> LuckyTest:
    """Do observed and exact agree? Sparse cells are pooled into one; each cell adds one degree of freedom."""
    cells = cells_of(run)
    terms, sparse_excess, sparse_spread, impossible = [], [], [], 0
    for cell in cells:
        p, excess = cell.p, cell.stopped - cell.checks * cell.p
        if p in (0.0, 1.0):
            impossible += cell.stopped if p == 0.0 else cell.checks - cell.stopped
        elif min(cell.checks * p, cell.checks * (1.0 - p)) >= ENOUGH:
            terms.append(excess * excess / (cell.checks * p * (1.0 - p)))
        else:
            sparse_excess.append(excess)
            sparse_spread.append(cell.checks * p * (1.0 - p))
    if math.fsum(sparse_spread) >= ENOUGH:
        terms.append(math.fsum(sparse_excess) ** 2 / math.fsum(sparse_spread))
    statistic = math.fsum(terms)
    return LuckyTest(len(cells), statistic, len(terms), chi_square_p(statistic, len(terms)), impossible)


def luck(run: Run) -> pl.DataFrame:
    """Luck of each deck in its own damage checks (statistics 3.13).

    `luck` is stops minus expected stops over checks with known = false, `z` the same in standard deviations.
    `prevented`, `taken` and `expected_taken` are damage. `r2` is the share of the deck's results that is explained by
    net luck (own minus the opponent's, per game); mirrors are left out of it. `held_at_loss`: lucky cards in hand or
    base at the end of the deck's lost games, where they stop nothing any more.
    """
    keys = ("deck", "strike", "deck_size", "lucky_left")
    count = pl.col("count").cast(pl.Int64)
    frame = run.collect(
        run.checks.group_by(*keys, "known").agg(
            checks=count.sum(), stopped=(count * pl.col("stopped").cast(pl.Int64)).sum()
        )
    ).sort(*keys, "known")
    by_deck: dict[str, list[tuple[Cell, bool]]] = {}
    for deck, strike, size, left, known, checks, stopped in frame.iter_rows():
        by_deck.setdefault(deck, []).append((Cell(strike, size, left, checks, stopped), known))
    rows, held = [], _held_at_loss(run)
    explained = {row["deck"]: (row["r2"], row["reason"]) for row in fair.explained(run).iter_rows(named=True)}
    for deck, cells in sorted(by_deck.items()):
        unknown = [cell for cell, known in cells if not known]
        expected = math.fsum(cell.checks * cell.p for cell in unknown)
        spread = math.fsum(cell.checks * cell.p * (1.0 - cell.p) for cell in unknown)
        checks, stopped = sum(cell.checks for cell in unknown), sum(cell.stopped for cell in unknown)
        everything = [cell for cell, _ in cells]
        r2, reason = explained.get(deck, (None, "no games against another deck"))
        rows.append(
            {
                "deck": deck,
                "checks": checks,
                "stopped": stopped,
                **interval("stop_rate", share(stopped, checks)),
                "expected_rate": expected / checks if checks else None,
                "luck": stopped - expected,
                "z": (stopped - expected) / math.sqrt(spread) if spread > 0.0 else None,
                "known_checks": sum(cell.checks for cell in everything) - checks,
                "prevented": sum(cell.strike * cell.stopped for cell in everything),
                "taken": sum(cell.strike * (cell.checks - cell.stopped) for cell in everything),
                "expected_taken": math.fsum(cell.strike * cell.checks * (1.0 - cell.p) for cell in everything),
                "r2": r2,
                "held_at_loss": held.get(deck),
                "reason": reason,
            }
        )
    return table(
        rows,
        texts("deck")
        | ints("checks", "stopped")
        | floats("stop_rate", "stop_rate_low", "stop_rate_high", "expected_rate", "luck", "z")
        | ints("known_checks", "prevented", "taken")
        | floats("expected_taken", "r2", "held_at_loss")
        | texts("reason"),
    )


def _held_at_loss(run: Run) -> dict[str, float]:
    """Mean number of lucky cards in hand or base at the end of the lost games of a deck, where the run counts them."""
    if "lucky_held" not in run.info.columns:
        return {}
    parts: dict[str, pl.Expr] = {}
    for side, other in ("ab", "ba"):
        lost = pl.col("winner") == other
        parts[f"lost_{side}"] = counted(lost)
        parts[f"held_{side}"] = pl.when(lost).then(pl.col(f"lucky_held_{side}").cast(pl.Int64)).otherwise(0).sum()
    decks: dict[str, tuple[int, int]] = {}
    for row in by_matchup(run, **parts).iter_rows(named=True):
        for side in "ab":
            games, cards = decks.get(row[f"deck_{side}"], (0, 0))
            decks[row[f"deck_{side}"]] = games + row[f"lost_{side}"], cards + row[f"held_{side}"]
    return {deck: cards / games for deck, (games, cards) in decks.items() if games}

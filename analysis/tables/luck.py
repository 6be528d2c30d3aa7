"""Damage checks: what was seen beside what is exact, and who was lucky (statistics 0, 3.13)."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import polars as pl

from analysis.exact import stop
from analysis.runs import Run
from analysis.stats import chi_square_p, share
from analysis.tables.results import floats, interval, ints, table, texts

ENOUGH = 5.0
"""A cell enters the chi-square on its own when this many stops and this many hits are expected."""
GRAIN = 10_000
"""Luck is summed in ten-thousandths of a check, as integers: sums of floats depend on their order."""


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
    net luck (own minus the opponent's, per game); mirrors are left out of it.
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
    explained, rows = _explained(run), []
    for deck, cells in sorted(by_deck.items()):
        fair = [cell for cell, known in cells if not known]
        expected = math.fsum(cell.checks * cell.p for cell in fair)
        spread = math.fsum(cell.checks * cell.p * (1.0 - cell.p) for cell in fair)
        checks, stopped = sum(cell.checks for cell in fair), sum(cell.stopped for cell in fair)
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
                "reason": reason,
            }
        )
    return table(
        rows,
        texts("deck")
        | ints("checks", "stopped")
        | floats("stop_rate", "stop_rate_low", "stop_rate_high", "expected_rate", "luck", "z")
        | ints("known_checks", "prevented", "taken")
        | floats("expected_taken", "r2")
        | texts("reason"),
    )


def _explained(run: Run) -> dict[str, tuple[float | None, str | None]]:
    """Squared correlation of result and net luck, by deck; sums of integers only."""
    net = ((pl.col("luck_sum_a") - pl.col("luck_sum_b")) * GRAIN).round().cast(pl.Int64)
    result = pl.when(pl.col("winner") == "a").then(2).when(pl.col("winner") == "draw").then(1).otherwise(0)
    games = run.games.filter(pl.col("winner").is_not_null() & (pl.col("deck_a") != pl.col("deck_b")))
    frame = run.collect(
        games.select("matchup", "deck_a", "deck_b", x=net, y=result.cast(pl.Int64))
        .group_by("matchup")
        .agg(
            pl.col("deck_a", "deck_b").first(),
            n=pl.len().cast(pl.Int64),
            x=pl.col("x").sum(),
            y=pl.col("y").sum(),
            xx=(pl.col("x") * pl.col("x")).sum(),
            xy=(pl.col("x") * pl.col("y")).sum(),
            yy=(pl.col("y") * pl.col("y")).sum(),
        )
    ).sort("matchup")
    sums: dict[str, list[int]] = {}
    for _, a, b, n, x, y, xx, xy, yy in frame.iter_rows():
        _add(sums, a, (n, x, y, xx, xy, yy))
        # The other side has net luck -x and result 2 - y.
        _add(sums, b, (n, -x, 2 * n - y, xx, xy - 2 * x, 4 * n - 4 * y + yy))
    answers: dict[str, tuple[float | None, str | None]] = {}
    for deck, (n, x, y, xx, xy, yy) in sums.items():
        var_x, var_y, cov = n * xx - x * x, n * yy - y * y, n * xy - x * y
        if var_x and var_y:
            answers[deck] = cov / var_x * (cov / var_y), None
        else:
            answers[deck] = None, "all results are equal" if not var_y else "no luck to speak of: no damage checks"
    return answers


def _add(sums: dict[str, list[int]], deck: str, values: tuple[int, ...]) -> None:
    sums[deck] = [a + b for a, b in zip(sums.get(deck, [0] * len(values)), values, strict=True)]

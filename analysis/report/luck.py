"""The section about luck: damage checks seen and exact, what luck decides, scores without it."""

from __future__ import annotations

import math
from html import escape

from analysis.report import charts, words
from analysis.report.columns import ADJUSTED_COLUMNS, CHECK_COLUMNS, DECILE_COLUMNS, LUCK_COLUMNS
from analysis.report.html import paragraph, table
from analysis.report.section import Row, Section, rows_of
from analysis.report.words import percent, points
from analysis.runs import Run
from analysis.stats import share
from analysis.tables.luck import cells_of, lucky_test


def luck(run: Run) -> Section | None:
    if not run.has("checks"):
        return None
    cells = cells_of(run)
    checks = sum(cell.checks for cell in cells)
    if not checks:
        return None
    part = Section("luck", "Luck", "Damage checks, seen and exact")
    stopped, expected = sum(cell.stopped for cell in cells), math.fsum(cell.checks * cell.p for cell in cells)
    part.body += paragraph(escape(words.lucky(checks, stopped, expected, lucky_test(run).p)))
    rows, strikes = _bins(run)
    if rows:
        label = "; ".join(
            f"strike {r['strike']} at {percent(r['density'], 0)} lucky: seen {percent(r['observed'])}, "
            f"exact {percent(r['exact'])}"
            for r in rows
        )
        part.figure(
            "checks",
            charts.stops(rows, strikes, label),
            "Share of damage checks that a lucky card stops",
            "Points are these games with their 95% intervals, lines are exact. Checks in which a checked card was "
            "known beforehand are left out.",
            table(rows, CHECK_COLUMNS, "Damage checks by strike and share of lucky cards"),
        )
    _deciles(run, part)
    luck_rows = [row for row in rows_of(run, "luck") if row["checks"]]
    part.body += "<h3>Which decks were lucky</h3>" + paragraph(
        "Luck is the number of stopped checks beyond the exact expectation; most decks lie within two standard "
        "deviations. It explains the given share of a deck’s results. Lucky cards that are held at the end of a lost "
        "game, in hand or base, stop nothing any more."
    )
    part.body += f'<div class="wide">{table(luck_rows, LUCK_COLUMNS, "Luck of each deck")}</div>'
    fair = [row for row in rows_of(run, "adjusted") if row["scope"] == "deck" and row["adjusted"] is not None]
    if fair:
        part.body += "<h3>Scores without luck</h3>" + paragraph(
            "Luck evens out in the long run, so it can be taken out of a score: what is left has the same mean and "
            f"less noise. Here that makes the games count as if there were {_gain(fair):.2f} times as many."
        )
        part.body += f'<div class="wide">{table(fair, ADJUSTED_COLUMNS, "Scores without luck")}</div>'
    return part


def _gain(rows: list[Row]) -> float:
    """How many times as many games the adjusted scores are worth, over all decks."""
    saved = math.fsum(row["saved"] * row["games"] for row in rows) / sum(row["games"] for row in rows)
    return 1.0 / (1.0 - saved) if saved < 1.0 else 1.0


def _deciles(run: Run, part: Section) -> None:
    """What luck decides."""
    rows = rows_of(run, "deciles")
    whole = next(row for row in rows_of(run, "explained") if row["scope"] == "all")
    if whole["r2"] is None or len(rows) < 3 or whole["games"] < 100:
        return
    part.body += "<h3>What luck decides</h3>" + paragraph(
        f"Luck in damage checks explains {percent(whole['r2'], 0)} of the results. One more stop than could be "
        f"expected is worth {points(whole['worth'])} points. The luckiest tenth of the players going first take "
        f"{percent(rows[-1]['score'], 0)} of the points, the unluckiest {percent(rows[0]['score'], 0)}."
    )
    label = "; ".join(f"decile {row['decile']}: {percent(row['score'])}" for row in rows)
    part.figure(
        "deciles",
        charts.deciles(rows, label),
        "Score of the player who goes first, by luck in damage checks",
        "From the unluckiest tenth of the games to the luckiest: own stops beyond the exact chances, minus the "
        "opponent’s.",
        table(rows, DECILE_COLUMNS, "Score by decile of luck"),
    )


def _bins(run: Run) -> tuple[list[Row], list[int]]:
    """Cells gathered by strike and by steps of 2 % of lucky cards; strikes and bins with few checks are left out."""
    total = sum(cell.checks for cell in cells_of(run))
    by_strike: dict[int, int] = {}
    bins: dict[tuple[int, int], list[float]] = {}
    for cell in cells_of(run):
        if not cell.deck_size:
            continue
        by_strike[cell.strike] = by_strike.get(cell.strike, 0) + cell.checks
        key = (cell.strike, round(50 * cell.lucky_left / cell.deck_size))
        found = bins.setdefault(key, [0, 0, 0.0, 0.0])
        found[0] += cell.checks
        found[1] += cell.stopped
        found[2] += cell.checks * cell.p
        found[3] += cell.checks * cell.lucky_left / cell.deck_size
    common = sorted(by_strike, key=lambda strike: -by_strike[strike])[:5]
    strikes = sorted(strike for strike in common if by_strike[strike] >= 0.01 * total and strike > 0)
    rows = []
    for (strike, _), (checks, stopped, expected, lucky) in sorted(bins.items()):
        if strike in strikes and checks >= max(30, total * 2e-4):
            seen = share(int(stopped), int(checks))
            rows.append(
                {
                    "strike": strike,
                    "density": lucky / checks,
                    "checks": int(checks),
                    "observed": seen.value,
                    "low": seen.low,
                    "high": seen.high,
                    "exact": expected / checks,
                }
            )
    return rows, [strike for strike in strikes if any(row["strike"] == strike for row in rows)]

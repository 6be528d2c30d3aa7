"""What sections of a page are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

from analysis.report.html import details
from analysis.report.words import percent, points, span
from analysis.runs import Run
from analysis.tables import TABLES

Row = dict[str, Any]
MOST_ROWS = 15
"""Rows of a chart of matchups; beyond that the largest are shown and the table has all."""


@dataclass
class Section:
    """A part of the page: its place in the contents, its heading, HTML, and the charts by the id of their place."""

    name: str
    menu: str
    title: str
    body: str = ""
    charts: dict[str, dict[str, Any]] = field(default_factory=dict)

    def figure(self, name: str, chart: dict[str, Any], title: str, how: str, alternative: str, wide: str = "") -> None:
        """A chart with its finding as title, how to read it, and the same numbers as a table."""
        place = f"{self.name}-{name}"
        self.charts[place] = chart
        label = escape(chart.get("description", title))
        self.body += (
            f"<figure{f' class={wide}' if wide else ''}>"
            f"<figcaption><b>{escape(title)}</b><span>{how}</span></figcaption>"
            f'<div class="plot" id="{place}" role="img" aria-label="{label}"></div>'
            f"{details('Show the numbers', alternative)}</figure>"
        )


def rows_of(run: Run, name: str) -> list[Row]:
    """A table as rows, made once for the page."""
    return run.once(f"rows of {name}", lambda: TABLES[name].make(run).to_dicts())


def dot(row: Row, name: str, value: float, low: float, high: float, signed: bool = False) -> Row:
    """A row of an interval chart; `strong` where the interval leaves out the neutral value."""
    zero = 0.0 if signed else 0.5
    show = (lambda x: f"{points(x)} points") if signed else percent
    interval = f"{points(low)} to {points(high)}" if signed else span(low, high)
    return {
        "name": name,
        "value": value,
        "low": low,
        "high": high,
        "text": show(value),
        "interval": interval,
        "games": row["games"],
        "strong": not low <= zero <= high,
    }

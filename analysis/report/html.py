"""Small pieces of HTML: escaped text, tables, figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """A column of a table: `show` makes the text of a row, `key` what it is sorted by (numbers are right-aligned)."""

    title: str
    show: Callable[[Row], str]
    key: Callable[[Row], float | str | None] | None = None
    about: str = ""
    numeric: bool = True
    raw: bool = False


def column(title: str, field: str, form: Callable[[Any], str] = str, about: str = "", numeric: bool = True) -> Column:
    return Column(title, lambda row: form(row[field]), lambda row: row[field], about, numeric)


def text_column(title: str, field: str, about: str = "") -> Column:
    return column(title, field, lambda value: "" if value is None else str(value), about, numeric=False)


def table(rows: Sequence[Row], columns: Sequence[Column], caption: str, sorted_by: str = "", name: str = "") -> str:
    """A table in a box that scrolls by itself, never the page. The first column names the row.

    With `sorted_by`, the heading by which the rows are sorted already, all headings are buttons that sort.
    """
    sortable = bool(sorted_by)
    head = "".join(_head(c, sortable, c.title == sorted_by) for c in columns)
    body = "".join(
        "<tr>" + "".join(_cell(c, row, first=i == 0, sortable=sortable) for i, c in enumerate(columns)) + "</tr>"
        for row in rows
    )
    mark = f' id="{escape(name)}"' if name else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table{mark}>'
        f'<caption class="unseen">{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
        "</table></div>"
    )


def _head(c: Column, sortable: bool, down: bool) -> str:
    css = ' class="n"' if c.numeric else ""
    title = f' title="{escape(c.about)}"' if c.about else ""
    inner = f'<button type="button"{title}>{escape(c.title)}</button>' if sortable else escape(c.title)
    sort = f' aria-sort="{"descending" if down else "none"}"' if sortable else ""
    return f'<th scope="col"{css}{sort}{"" if sortable else title}>{inner}</th>'


def _cell(c: Column, row: Row, first: bool, sortable: bool) -> str:
    text = c.show(row)
    inner = text if c.raw else escape(text)
    css = ' class="n"' if c.numeric else ""
    key = c.key(row) if sortable and c.key else None
    sort = (
        "" if key is None or not c.numeric else f' data-k="{key:.6g}"' if isinstance(key, float) else f' data-k="{key}"'
    )
    return f'<th scope="row"{css}>{inner}</th>' if first else f"<td{css}{sort}>{inner}</td>"


def details(summary: str, inner: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{inner}</details>"


def heading(title: str) -> str:
    """Text of a heading, in which names with hyphens stay on one line where there is room."""
    return " ".join(
        f'<span class="name">{escape(word)}</span>' if "-" in word else escape(word) for word in title.split(" ")
    )


def paragraph(*sentences: str | None) -> str:
    """Sentences are HTML; the empty ones are left out."""
    text = " ".join(sentence for sentence in sentences if sentence)
    return f"<p>{text}</p>" if text else ""

"""A table as text for a terminal, CSV for a spreadsheet, JSON, or Parquet."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from rich.table import Table

SHARES = frozenset(
    {"score", "low", "high", "balanced", "draw_rate", "best", "worst", "score_first", "unfinished"}
    | {"gp", "oh", "gd", "gih", "gns", "iwd", "played", "kept_rate", "played_share", "milled_share"}
    | {"observed", "exact", "difference", "stop_rate", "expected_rate", "r2", "seen", "unseen", "gain"}
    | {"share", "support", "alpha", "alpha_first", "p_tier", "p_best", "misfit", "polarity", "shrunk", "gih_shrunk"}
    | {"adjusted", "saved", "base", "edited", "change", "alike", "exactly", "skill", "error", "mulligan_rate"}
    | {"los", "holding", "facing", "simulated", "absolute", "mae", "within", "agree", "agree_sure", "gap"}
    | {"mean", "lowest", "highest", "spread", "observed_first", "observed_second", "observed_gap"}
    | {"unplayed", "held", "idle", "better", "vain", "wasted", "missed", "dead", "stuck", "picked", "fall"}
    | {"simulated_first", "simulated_second", "simulated_gap"}
)
"""Columns that hold shares of 1: the terminal shows them in percent. With endings `_low`, `_high` and `end_` too."""


def to_json(frame: pl.DataFrame) -> str:
    """A JSON list of objects, one a row; what is not known is null."""
    return json.dumps(frame.to_dicts(), ensure_ascii=False, indent=1, allow_nan=False)


def to_csv(frame: pl.DataFrame) -> str:
    """CSV with commas and full precision; the byte-order mark at the front makes Excel read the letters right."""
    return "\ufeff" + frame.write_csv()


def save(frame: pl.DataFrame, path: str | Path) -> Path:
    """Writes .csv (with a byte-order mark, so that Excel reads the letters), .json or .parquet, by the name's end.

    The file is whole or absent: it is written under another name and renamed. Raises ValueError for another ending.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in (".csv", ".json", ".parquet"):
        raise ValueError(f"{path}: a table is saved as .csv, .json or .parquet")
    part = path.with_name(f".{path.name}.part")
    try:
        if kind == ".csv":
            part.write_bytes(to_csv(frame).encode())
        elif kind == ".json":
            part.write_bytes(to_json(frame).encode() + b"\n")
        else:
            frame.write_parquet(part)
        os.replace(part, path)
    except OSError as error:  # in words about the file that was asked for
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    return path


def to_terminal(frame: pl.DataFrame, title: str | None = None, rows: int | None = None) -> Table:
    """A rich table: shares in percent, an interval in one column, empty columns left out; at most `rows` rows."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = frame if rows is None else frame.head(rows)
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    if frame.height > shown.height:
        table.caption = f"{frame.height - shown.height:,} more rows; --csv or --json has them all"
    columns = _columns(frame)
    for name, _ in columns:
        right = frame.schema[name].is_numeric()
        # Rich reads markup in plain strings; names of decks are not markup.
        table.add_column(Text(name.replace("_", " ")), justify="right" if right else "left", no_wrap=right)
    for row in shown.iter_rows(named=True):
        table.add_row(*(Text(_cell(name, row[name], [row[end] for end in ends])) for name, ends in columns))
    return table


def _columns(frame: pl.DataFrame) -> list[tuple[str, Sequence[str]]]:
    """Columns to show, each with the two columns of its interval if there are."""
    columns: list[tuple[str, Sequence[str]]] = []
    taken: set[str] = set()
    for name in frame.columns:
        if name in taken or (frame.height and frame[name].null_count() == frame.height):
            continue
        pairs = [("low", "high")] if name in ("score", "advantage") else []
        pairs.append((f"{name}_low", f"{name}_high"))
        ends = next((pair for pair in pairs if set(pair) <= set(frame.columns)), ())
        taken.update(ends)
        columns.append((name, ends))
    return columns


def _cell(name: str, value: Any, ends: Sequence[float | None]) -> str:
    text = number(name, value)
    if ends and all(end is not None for end in ends):
        text += f" [{number(name, ends[0], unit=False)}, {number(name, ends[1], unit=False)}]"
    return text


def number(name: str, value: Any, unit: bool = True) -> str:
    """A value as a person reads it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value) if name in ("matchup", "turn") else f"{value:,}"
    if isinstance(value, float):
        if is_share(name):
            return f"{100 * value:.1f}%" if unit else f"{100 * value:.1f}"
        if name in ("p", "p_holm", "iwd_q"):
            return "<0.0001" if value < 1e-4 else f"{value:.4f}"
        if 0.0 < abs(value) < 0.005:
            return f"{value:.2g}"
        return f"{value:,.3f}" if abs(value) < 10 else f"{value:,.1f}"
    return str(value)


def is_share(name: str) -> bool:
    base = name.removesuffix("_low").removesuffix("_high")
    return base in SHARES or name.startswith("end_") or base in ("first", "second")

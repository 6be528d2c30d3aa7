"""The section that says how far to trust the rest: what the players do badly with each deck."""

from __future__ import annotations

from html import escape

from analysis.report.columns import score
from analysis.report.html import Column, column, paragraph, table, text_column
from analysis.report.section import Row, Section, rows_of
from analysis.report.words import listed, percent
from analysis.runs import Run

SHOWN = (
    ("Held", "held", "cards still in the hand at the end"),
    ("Idle", "idle", "turns that ended with something left that could be paid"),
    ("Better", "better", "of these, where something else would have been better"),
    ("In vain", "vain", "actions of which nothing came but their cost"),
    ("Wasted", "wasted", "stopped attacks that would have done nothing, in hindsight"),
    ("Missed", "missed", "turns with a sure win that was not taken"),
)
MUCH = 0.1
"""A share of actions in vain that is worth a sentence."""


def trust(run: Run) -> Section | None:
    """How players handle each deck; a sample of the games, if `cardmill diagnose` has looked at one."""
    rows = [row for row in rows_of(run, "trust") if row["unplayed"] is not None]
    if not rows:
        return None
    looked = [row for row in rows if row["sample"]]
    part = Section("trust", "Trust", _title(looked))
    part.body += paragraph(
        "A win rate says how a deck does in the hands of these players. A deck that they misplay is better than its "
        "numbers.",
        *_sentences(looked),
    )
    if not looked:
        part.body += paragraph(
            f"How they play has not been looked at: <code>cardmill diagnose {escape(str(run.path))}</code>"
        )
    part.body += table(rows, _columns(looked), "How each deck is played")
    return part


def _title(looked: list[Row]) -> str:
    if not looked:
        return "How far to trust it"
    poor = [row["deck"] for row in looked if _poor(row)]
    return f"How far to trust it: {listed(poor)} played badly" if 0 < len(poor) <= 3 else "How far to trust it"


def _poor(row: Row) -> bool:
    return any(row[f"{name}_low"] is not None and row[f"{name}_low"] >= MUCH for name in ("better", "vain", "missed"))


def _sentences(looked: list[Row]) -> list[str]:
    said = []
    for row in sorted(looked, key=lambda row: -(row["vain"] or 0.0))[:3]:
        if row["vain_low"] is not None and row["vain_low"] >= MUCH:
            most = f", most often {row['most_vain']}" if row["most_vain"] else ""
            said.append(escape(f"{row['agent']} acts in vain with {row['deck']} ({percent(row['vain'], 0)}{most})."))
    return said


def _columns(looked: list[Row]) -> list[Column]:
    columns = [text_column("Deck", "deck"), text_column("Player", "agent")]
    columns.append(column("Unplayed", "unplayed", percent, "cards that came into the hand and were not played from it"))
    if looked:
        columns += [score(title, name, about) for title, name, about in SHOWN]
    return columns

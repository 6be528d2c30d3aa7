"""The page of a comparison: what a change did, the curve of a sweep, the games that it turned."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from analysis.balance import Balance, change, curve, decided, flips, look_words
from analysis.report import charts, html_page, strip, words, write_page
from analysis.report.columns import CHANGE_COLUMNS, CURVE_COLUMNS, FLIP_COLUMNS
from analysis.report.html import paragraph, table
from analysis.report.section import MOST_ROWS, Section
from analysis.report.sections import card_name
from analysis.report.words import percent, points

Row = dict[str, Any]


def write_balance_report(comparison: Balance, path: str | Path) -> Path:
    """Writes the page of a comparison to `path`; whole or not at all."""
    return write_page(balance_page(comparison), path)


def balance_page(comparison: Balance) -> str:
    """The page as text."""
    rows = change(comparison).to_dicts()
    parts = [
        part
        for part in (
            _sweep(comparison) if comparison.info.sweep else _changes(comparison, rows),
            _by_arm(comparison, rows) if comparison.info.sweep else None,
            _turned(comparison),
            _reproduce(comparison),
        )
        if part is not None
    ]
    title = headline(comparison, rows)
    base = comparison.runs[0]
    facts = [
        ("Games in each arm", words.whole(base.rows["games"])),
        ("Arms", str(len(comparison.runs))),
        ("Matchups", words.whole(len(base.info.matchups))),
        ("Seed", str(base.info.seed)),
    ]
    footer = (
        "<p>Made by cardmill. Every change is the difference of two arms on the same seeds, game by game, with its 95% "
        "interval. The players are programs: a change says what it does in their hands.</p>"
    )
    return html_page(
        title, comparison.info.game, f'<div class="lede">{_lede(comparison, rows)}</div>' + strip(facts), parts, footer
    )


def said(comparison: Balance, arm: int = 1) -> str:
    """The change of an arm in words."""
    return words.listed(comparison.info.arms[arm].says) or "no change"


def main_row(comparison: Balance, rows: list[Row], arm: str) -> Row:
    """What a reader asks first: the effect on the changed decks, or for a rule on whoever goes first."""
    mine = [row for row in rows if row["arm"] == arm]
    return next((row for row in mine if row["scope"] == "effect"), None) or next(
        r for r in mine if r["scope"] == "first"
    )


def headline(comparison: Balance, rows: list[Row]) -> str:
    """The one thing to know."""
    info = comparison.info
    if info.sweep:
        return f"What {info.sweep} is worth" if info.sweep != "lucky" else f"Lucky cards in {info.targets[0]}"
    row = main_row(comparison, rows, info.arms[1].folder)
    what = said(comparison)
    if row["scope"] == "first":
        return f"{what}: what changes"
    return {
        "better": f"{what} helps",
        "worse": f"{what} hurts",
        "none": f"{what} changes no result",
        "small": f"{what} changes next to nothing",
    }.get(row["verdict"] or "", f"{what}: no clear effect yet")


def _lede(comparison: Balance, rows: list[Row]) -> str:
    info, base = comparison.info, comparison.runs[0].info
    agents = words.listed([agent.label or agent.name for agent in base.agents])
    sentences = [
        f"The same {words.whole(comparison.runs[0].rows['games'])} games were played in every arm by {agents}."
    ]
    if info.sweep:
        sentences.append(_sweep_words(comparison))
    else:
        sentences.append(effect_words(comparison, main_row(comparison, rows, info.arms[1].folder)))
        if info.until is not None:
            sentences.append(look_words(decided(comparison, info.until), info.until))
    return paragraph(*(escape(sentence) for sentence in sentences))


def effect_words(comparison: Balance, row: Row) -> str:
    """The effect with its interval, the flips and what stayed the same."""
    if row["change"] is None:
        return f"No effect can be told: {row['reason']}."
    who = words.listed(comparison.info.targets) if row["scope"] == "effect" else "whoever goes first"
    games = row["games"]
    text = (
        f"The score of {who} goes from {percent(row['base'])} to {percent(row['edited'])}: {points(row['change'], 2)} "
        f"points ({points(row['change_low'], 2)} to {points(row['change_high'], 2)})."
    )
    turned = row["better"] + row["worse"]
    return (
        f"{text} {words.whole(turned)} of {words.whole(games)} games have another result, {words.whole(row['better'])} "
        f"better and {words.whole(row['worse'])} worse; {percent(row['alike'])} went the same, decision by decision."
    )


def _changes(comparison: Balance, rows: list[Row]) -> Section:
    part = Section("change", "Change", f"What {said(comparison)} does")
    matchups = [row for row in rows if row["scope"] == "matchup" and row["change"] is not None]
    shown = sorted(matchups, key=lambda row: -abs(row["change"]))[:MOST_ROWS]
    dots = [_dot(row, _name(row)) for row in sorted(shown, key=lambda row: -row["change"])]
    whole = [row for row in rows if row["scope"] in ("effect", "first") and row["change"] is not None]
    dots = [_dot(row, {"effect": "All matchups", "first": "Whoever goes first"}[row["scope"]]) for row in whole] + dots
    alternative = table(rows, CHANGE_COLUMNS, "Changes")
    if not dots:
        part.body += alternative
        return part
    part.figure(
        "effects",
        charts.intervals(dots, 0.0, "+.1%", "; ".join(f"{d['name']} {d['text']}" for d in dots)),
        "Change of the score on the same seeds",
        "Percentage points with 95% interval, from the side of the changed deck; grey where 0 is possible.",
        alternative,
    )
    return part


def _name(row: Row) -> str:
    return f"{row['deck']} – {'mirror' if row['deck'] == row['opponent'] else row['opponent']}"


def _dot(row: Row, name: str) -> Row:
    return {
        "name": name,
        "value": row["change"],
        "low": row["change_low"],
        "high": row["change_high"],
        "text": f"{points(row['change'], 2)} points",
        "interval": f"{points(row['change_low'], 2)} to {points(row['change_high'], 2)}",
        "games": row["games"],
        "strong": not row["change_low"] <= 0.0 <= row["change_high"],
    }


def _sweep(comparison: Balance) -> Section:
    info, rows = comparison.info, [row for row in curve(comparison).to_dicts() if row["change"] is not None]
    what = "lucky cards" if info.sweep == "lucky" else info.sweep
    part = Section("curve", "Curve", f"How the score depends on {what}")
    alternative = table(rows, CURVE_COLUMNS, "Values of the sweep")
    named = [{"name": _series_name(comparison, row["series"]), **row} for row in rows]
    label = "; ".join(f"{row['name']} at {row['value']:g}: {points(row['change'], 2)}" for row in named)
    marks = f" The line marks the value as it is, {info.printed:g}." if info.printed is not None else ""
    part.figure(
        "values",
        charts.sweep(named, what, info.printed, label),
        "Change of the score against the game as it is",
        f"Percentage points on the same seeds; bands are 95% intervals.{marks}",
        alternative,
    )
    return part


def _series_name(comparison: Balance, series: str) -> str:
    names = {"effect": words.listed(comparison.info.targets), "first": "whoever goes first"}
    return names.get(series, series)


def _sweep_words(comparison: Balance) -> str:
    rows = [row for row in curve(comparison).to_dicts() if row["change"] is not None]
    if not rows:
        return "No effect can be told."
    mine = [row for row in rows if row["series"] == rows[0]["series"]]
    low, high = mine[0], mine[-1]
    return (
        f"From {low['value']:g} to {high['value']:g}, the score of {_series_name(comparison, low['series'])} goes from "
        f"{percent(low['score'])} to {percent(high['score'])}."
    )


def _by_arm(comparison: Balance, rows: list[Row]) -> Section:
    part = Section("arms", "Arms", "Every value against the game as it is")
    shown = [row for row in rows if row["scope"] != "matchup"]
    part.body += f'<div class="wide long">{table(shown, CHANGE_COLUMNS, "Changes by value")}</div>'
    return part


def _turned(comparison: Balance) -> Section | None:
    rows = flips(comparison).to_dicts()
    if not rows:
        return None
    part = Section("flips", "Turned games", "Games that the change turns")
    part.body += paragraph(
        "Play them with and without the change to see why. At most five a matchup, value and direction are named."
    )
    part.body += f'<div class="wide long">{table(rows[:200], FLIP_COLUMNS, "Games with another result")}</div>'
    return part


def _reproduce(comparison: Balance) -> Section:
    info = comparison.info
    part = Section("reproduce", "Reproduce", "How to get the same numbers")
    part.body += f'<pre tabindex="0"><code>{escape(info.command or "(the command was not noted)")}</code></pre>'
    names = comparison.runs[0]
    lines = "".join(
        f"<div><dt>{escape(arm.folder)}</dt><dd>{escape('; '.join(arm.says) or 'as it is')}</dd></div>"
        for arm in info.arms
    )
    touched = sorted({say.partition(".")[0] for arm in info.arms for say in arm.says if "." in say})
    cards = "".join(f"<div><dt>{escape(card)}</dt><dd>{escape(card_name(names, card))}</dd></div>" for card in touched)
    part.body += f"<dl class=facts>{lines}{cards}</dl>"
    return part

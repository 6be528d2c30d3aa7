"""The section about the decks as a whole: tiers, ratings, what players who adapt would play, cycles."""

from __future__ import annotations

from html import escape

from analysis.report import charts, words
from analysis.report.columns import METAGAME_COLUMNS, NASH_COLUMNS, RATING_COLUMNS, TIER_COLUMNS
from analysis.report.html import details, paragraph, table
from analysis.report.section import Row, Section, rows_of
from analysis.report.words import percent
from analysis.runs import Run


def metagame(run: Run) -> Section | None:
    tiers = [row for row in rows_of(run, "tiers") if row["score"] is not None]
    if len(tiers) < 3:
        return None
    part = Section("metagame", "Metagame", _title(tiers))
    field = "every deck is equally common" if run.shares is None else f"the decks have these shares: {_shares(run)}"
    part.body += paragraph(
        escape(_tier_words(tiers)),
        escape(f"In this field {field}. A tier ends where the next deck is surely weaker than its best one."),
    )
    part.body += table(tiers, TIER_COLUMNS, "Decks by tier")
    _ratings(run, part)
    _nash(run, part)
    return part


def _title(tiers: list[Row]) -> str:
    first = [row["deck"] for row in tiers if row["tier"] == 1]
    if len(first) <= 2:
        return f"{words.listed(first)} in a class of {'its' if len(first) == 1 else 'their'} own"
    return f"{words.small(len(first)).capitalize()} decks share the first tier"


def _shares(run: Run) -> str:
    shares = sorted((run.shares or {}).items(), key=lambda item: (-item[1], item[0]))
    return words.listed([f"{name} {percent(share, 0)}" for name, share in shares if share > 0.0])


def _tier_words(tiers: list[Row]) -> str:
    best = tiers[0]
    sure = f"{best['deck']} is the best deck with probability {percent(best['p_best'], 0)}"
    others = [row for row in tiers[1:] if row["p_best"] >= 0.05]
    if not others:
        return f"{sure}."
    return f"{sure}; {words.listed([row['deck'] + ' ' + percent(row['p_best'], 0) for row in others])}."


def _ratings(run: Run, part: Section) -> None:
    rows = [row for row in rows_of(run, "ratings") if row["elo"] is not None]
    if not rows:
        return
    dots = [
        {
            "name": row["deck"],
            "value": row["elo"],
            "low": row["elo_low"],
            "high": row["elo_high"],
            "text": f"{row['elo']:.0f}",
            "interval": f"{row['elo_low']:.0f} to {row['elo_high']:.0f}",
            "games": row["games"],
            "strong": not row["elo_low"] <= 1500.0 <= row["elo_high"],
        }
        for row in rows
    ]
    worst = max(rows, key=lambda row: abs(row["misfit"]))
    part.figure(
        "ratings",
        charts.intervals(dots, 1500.0, "d", "; ".join(f"{dot['name']} {dot['text']}" for dot in dots)),
        "Elo of the decks",
        escape(
            f"Mean 1500, 95% intervals; draws count. A rating knows no cycles: it errs most in {worst['deck']} against "
            f"{worst['predicted_worst']}, by {abs(100 * worst['misfit']):.1f} points."
        ),
        table(rows, RATING_COLUMNS, "Ratings"),
    )


def _nash(run: Run, part: Section) -> None:
    rows = [row for row in rows_of(run, "nash") if row["share"] is not None]
    values = {row["measure"]: row for row in rows_of(run, "metagame")}
    if not rows:
        return
    played = [row for row in rows if row["share"] >= 0.005]
    mixture = words.listed([f"{row['deck']} {percent(row['share'], 0)}" for row in played])
    cyclic = values["cyclic_share_clean"]["value"]
    part.body += "<h3>If players adapt</h3>" + paragraph(
        escape(
            f"Players who always answer what others play would end with {mixture}."
            if len(played) > 1
            else f"Players who always answer what others play would all play {played[0]['deck']}: no deck beats it."
        ),
        None
        if cyclic is None
        else f"Of the differences between the decks, {percent(1 - cyclic, 0)} are better and worse decks, and "
        f"{percent(cyclic, 0)} are cycles, as rock beats scissors.",
    )
    part.body += f'<div class="wide">{table(rows, NASH_COLUMNS, "What players who adapt would play")}</div>'
    part.body += details("Measures of the whole field", table(list(values.values()), METAGAME_COLUMNS, "Measures"))

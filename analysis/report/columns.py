"""What the tables of the page show: a list of columns for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.report import words
from analysis.report.html import Column, column, text_column
from analysis.report.words import percent, points, span, whole

Row = dict[str, Any]


def pair(row: Row) -> str:
    """The two sides of a row, with their players where these differ."""
    if row["deck_b"] is None:
        return str(row["deck_a"] or {"overall": "All matchups", "mirrors": "All mirrors"}.get(row["scope"], ""))
    agent, against = row.get("agent_a", row.get("agent")), row.get("agent_b", row.get("against"))
    if agent != against:
        return f"{row['deck_a']} ({agent}) – {row['deck_b']} ({against})"
    return f"{row['deck_a']} – {'mirror' if row['deck_a'] == row['deck_b'] else row['deck_b']}"


def score(title: str, name: str, about: str = "") -> Column:
    """A share with its interval in small print."""
    low, high = ("low", "high") if name == "score" else (f"{name}_low", f"{name}_high")

    def show(row: Row) -> str:
        if row[name] is None:
            return "–"
        return f"{percent(row[name])} <small>{span(row[low], row[high])}</small>"

    return Column(title, show, lambda row: row[name], about, raw=True)


def ok(row: Row) -> str:
    kind, mark, said = {True: ("good", "✓", "fine"), False: ("bad", "✗", "wrong"), None: ("", "–", "not judged")}[
        row["ok"]
    ]
    return f'<span class="mark {kind}" role="img" aria-label="{said}">{mark}</span>'


def iwd(row: Row) -> str:
    """IWD in points with a bar that grows to the right or the left of zero."""
    if row["iwd"] is None:
        return "–"
    size = row["iwd_size"] * 50
    side = f"left:{50 - size:.1f}%" if row["iwd"] < 0 else "left:50%"
    clear = not row["iwd_low"] <= 0 <= row["iwd_high"]
    bar = f'<i style="{side};width:{size:.1f}%"></i>'
    return (
        f'<span class="bar{" clear" if clear else ""}" aria-hidden="true">{bar}</span>'
        f"{points(row['iwd'])} <small>{points(row['iwd_low'])} to {points(row['iwd_high'])}</small>"
    )


def points_column(title: str) -> Column:
    def show(row: Row) -> str:
        if row["advantage"] is None:
            return "–"
        return f"{points(row['advantage'])} <small>{points(row['low'])} to {points(row['high'])}</small>"

    return Column(title, show, lambda row: row["advantage"], raw=True)


def verdict(row: Row) -> str:
    return str({"a": f"{row['deck_a']} favoured", "b": f"{row['deck_b']} favoured"}.get(row["verdict"], row["verdict"]))


MATCHUP_COLUMNS = [
    Column("matchup", pair, numeric=False),
    column("games", "games", whole),
    score("score", "score"),
    score("going first", "first"),
    score("going second", "second"),
    column("draws", "draws", whole),
    column("unfinished", "unfinished", whole),
    Column("verdict", verdict, numeric=False),
]
DECK_COLUMNS = [
    text_column("deck", "deck"),
    score("score", "score"),
    column("games", "games", whole),
    column("going first", "first", percent),
    column("going second", "second", percent),
    Column("best matchup", lambda r: f"{r['best_opponent'] or ''} {percent(r['best'])}", numeric=False),
    Column("worst matchup", lambda r: f"{r['worst_opponent'] or ''} {percent(r['worst'])}", numeric=False),
]
FIRST_COLUMNS = [
    Column("", pair, numeric=False),
    column("games", "games", whole),
    column("score going first", "score_first", percent),
    points_column("advantage in points"),
]
SHAPE_COLUMNS = [
    Column("", lambda r: "All games" if r["deck_a"] == "all" and r["matchup"] is None else pair(r), numeric=False),
    column("games", "games", whole),
    column("mean turns", "turns", lambda v: f"{v:.1f}"),
    column("median", "turns_median", lambda v: f"{v:g}"),
    column("5%", "turns_p5", whole),
    column("95%", "turns_p95", whole),
    column("longest", "turns_max", whole),
    column("by life", "end_life", percent),
    column("by deck", "end_deck", percent),
    column("draws", "draw_rate", percent),
    column("unfinished", "unfinished", percent),
    column("decisions", "decisions", lambda v: f"{v:.1f}"),
]
TURN_COLUMNS = [
    column("options at one", "options", lambda v: "–" if v is None else f"{v:.1f}"),
    column("dead turns", "dead", percent, "Turns with nothing done but ending them"),
    column("stuck hands", "stuck", percent, "Turns with cards in hand and none that could be played"),
]
DEAD_COLUMNS = [
    Column("", lambda r: "All decks" if r["deck"] == "all" and r["agent"] is None else r["deck"], numeric=False),
    column("games", "games", whole),
    column("own turns", "turns", whole),
    score("dead turns", "dead"),
    score("stuck hands", "stuck"),
]


def shape_columns(counted: Sequence[str], turns: bool) -> list[Column]:
    """Columns for length, ends and activity; `counted`: what this game counts; turns: whether dead turns are."""
    more = TURN_COLUMNS if turns else []
    return [*SHAPE_COLUMNS, *more, *(column(name, name, lambda v: f"{v:.1f}") for name in counted)]


CHECK_COLUMNS = [
    column("strike", "strike", str),
    column("lucky cards left", "density", percent),
    column("checks", "checks", whole),
    Column("seen", lambda r: f"{percent(r['observed'])} <small>{span(r['low'], r['high'])}</small>", raw=True),
    column("exact", "exact", percent),
]
LUCK_COLUMNS = [
    text_column("deck", "deck"),
    column("checks", "checks", whole),
    score("stopped", "stop_rate"),
    column("exact", "expected_rate", percent),
    column("luck", "luck", words.signed),
    column("in deviations", "z", words.signed),
    column("explains", "r2", percent),
    column("held at a loss", "held_at_loss", lambda v: "–" if v is None else f"{v:.2f}", "Lucky cards in hand or base"),
]
DECILE_COLUMNS = [
    column("tenth", "decile", str),
    column("luck", "luck", lambda v: words.signed(v, 2)),
    column("from", "from", lambda v: words.signed(v, 2)),
    column("to", "to", lambda v: words.signed(v, 2)),
    column("games", "games", whole),
    score("score", "score"),
]
ADJUSTED_COLUMNS = [
    text_column("deck", "deck_a"),
    column("games", "games", whole),
    score("score", "score"),
    score("without luck", "adjusted"),
    column("luck a game", "luck", lambda v: words.signed(v, 3)),
    column("a stop is worth", "worth", points),
    column("noise taken out", "saved", percent),
]
TIER_COLUMNS = [
    text_column("deck", "deck"),
    column("tier", "tier", str),
    score("score", "score"),
    Column("rank", lambda r: f"{r['rank']} <small>{r['rank_low']} to {r['rank_high']}</small>", raw=True),
    column("surely in this tier", "p_tier", lambda v: percent(v, 0)),
    column("the best", "p_best", lambda v: percent(v, 0)),
]
RATING_COLUMNS = [
    text_column("deck", "deck"),
    Column("Elo", lambda r: f"{r['elo']:.0f} <small>{r['elo_low']:.0f} to {r['elo_high']:.0f}</small>", raw=True),
    column("games", "games", whole),
    column("largest error in points", "misfit", points),
    text_column("against", "predicted_worst"),
    text_column("", "flag"),
]
NASH_COLUMNS = [
    text_column("deck", "deck"),
    score("Nash share", "share"),
    column("in an equilibrium", "support", lambda v: percent(v, 0), "Share of the resampled matrices"),
    column("score against it", "score", percent),
    score("alpha-rank", "alpha"),
    column("first there", "alpha_first", lambda v: percent(v, 0)),
]
METAGAME_COLUMNS = [
    Column("measure", lambda r: r["measure"].replace("_", " "), numeric=False),
    column("value", "value", lambda v: "–" if v is None else f"{v:,.3f}"),
    column("from", "low", lambda v: "" if v is None else f"{v:,.3f}"),
    column("to", "high", lambda v: "" if v is None else f"{v:,.3f}"),
    text_column("", "reason"),
]
LEAD_COLUMNS = [
    column("turn", "turn", str),
    column("lead", "lead", lambda v: words.signed(v, 0)),
    column("games", "games", whole),
    score("chance to win", "score"),
]
CARD_COLUMNS = [
    Column("card", lambda row: row["name"], lambda row: row["name"], numeric=False),
    text_column("deck", "deck"),
    column("copies", "in_deck", str, "Copies in the deck"),
    column("OH", "oh", percent, "Win rate of copies in the opening hand"),
    column("GD", "gd", percent, "Win rate of copies drawn later"),
    column("GIH", "gih", percent, "Win rate of copies in hand at any time"),
    column("GNS", "gns", percent, "Win rate of copies never seen"),
    Column("IWD", iwd, lambda row: row["iwd"], "Improvement when drawn: GIH minus GNS, 95% interval", raw=True),
    column("played", "played_share", lambda v: percent(v, 0), "Share of the copies in hand that were played"),
    column("kept", "kept_rate", lambda v: percent(v, 0), "Share of the offered copies whose hand was kept"),
    column("seen", "gih_copies", whole, "Copies in hand over all games"),
]
HEALTH_COLUMNS = [
    text_column("check", "check"),
    Column("", ok, numeric=False, raw=True),
    text_column("found", "found"),
    text_column("expected", "expected"),
    column("p", "p", lambda v: "" if v is None else words.probability(v)),
    text_column("note", "note"),
]


def arm(row: Row) -> str:
    return f"{row['value']:g}" if row["value"] is not None else ""


SCOPES = {"effect": "Changed decks against the others", "first": "Whoever goes first"}


def whose(row: Row) -> str:
    """What a row of changes is about."""
    if row["scope"] == "matchup":
        return f"{row['deck']} – {'mirror' if row['deck'] == row['opponent'] else row['opponent']}"
    return SCOPES.get(row["scope"]) or str(row["deck"])


def changed(title: str, name: str, digits: int = 2) -> Column:
    """A difference in points with its interval in small print."""

    def show(row: Row) -> str:
        if row[name] is None:
            return "–"
        low, high = row[f"{name}_low"], row[f"{name}_high"]
        return f"{points(row[name], digits)} <small>{points(low, digits)} to {points(high, digits)}</small>"

    return Column(title, show, lambda row: row[name], raw=True)


CHANGE_COLUMNS = [
    Column("", whose, numeric=False),
    Column("value", arm),
    column("games", "games", whole),
    column("without", "base", percent),
    column("with", "edited", percent),
    changed("change in points", "change"),
    column("better", "better", whole),
    column("worse", "worse", whole),
    column("the same game", "alike", percent),
    column("p", "p", lambda v: "" if v is None else words.probability(v)),
    text_column("verdict", "verdict"),
]
CURVE_COLUMNS = [
    Column("", lambda r: SCOPES.get(r["series"]) or str(r["series"]), numeric=False),
    column("value", "value", lambda v: f"{v:g}"),
    column("score", "score", percent),
    changed("change in points", "change"),
    changed("per unit, to the next", "slope", 3),
    column("games", "games", whole),
]
FLIP_COLUMNS = [
    column("game", "game", str),
    text_column("arm", "arm"),
    text_column("deck", "deck"),
    text_column("against", "opponent"),
    text_column("without", "base"),
    text_column("with", "edited"),
    text_column("command", "replay_edited"),
]

"""The report: one HTML page that needs no network, the same bytes for the same run."""

from __future__ import annotations

import json
import os
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from analysis.report import words
from analysis.report.html import heading, paragraph
from analysis.report.library import chart_library
from analysis.report.section import Section, rows_of
from analysis.report.sections import SECTIONS, ranked
from analysis.runs import Run

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data:"
"""The page may load nothing at all: what works here works without a network."""

NO_SCRIPT = "The charts need JavaScript. Every chart has its numbers in a table below it."


def write_report(run: Run, path: str | Path) -> Path:
    """Writes the page of a run to `path`; whole or not at all."""
    return write_page(page(run), path)


def page(run: Run) -> str:
    """The page of a run as text."""
    parts = [part for make in SECTIONS if (part := make(run)) is not None]
    title = words.headline(rows_of(run, "decks"), rows_of(run, "matchups"), rows_of(run, "players"))
    return html_page(title, run.info.game, _summary(run) + _strip(run), parts, _footer(run))


def html_page(title: str, game: str, head: str, parts: list[Section], footer: str) -> str:
    """A whole page; `head` and `footer` are HTML."""
    plots: dict[str, Any] = {place: chart for part in parts for place, chart in part.charts.items()}
    menu = "".join(f'<a href="#{part.name}">{escape(part.menu)}</a>' for part in parts)
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            f"<title>{escape(title)} · cardmill</title>",
            '<link rel="icon" href="data:,">',
            f"<style>\n{_file('page.css')}</style>",
            "</head>",
            "<body>",
            '<a class="skip" href="#main">Skip to the results</a>',
            f"<header><p class=kicker>cardmill · {escape(game.capitalize())}</p><h1>{heading(title)}</h1>",
            f"{head}<nav aria-label='Sections'>{menu}</nav></header>",
            "<main id=main>",
            f"<noscript><p>{NO_SCRIPT}</p></noscript>",
            *(_section(part) for part in parts),
            "</main>",
            f"<footer>{footer}</footer>",
            f'<script type="application/json" id="plots">{_json(plots)}</script>',
            f"<script>{chart_library()}</script>",
            f"<script>\n{_file('page.js')}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def write_page(text: str, path: str | Path) -> Path:
    """Writes a page; whole or not at all."""
    path = Path(path)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(text.encode())
    os.replace(part, path)
    return path


def _summary(run: Run) -> str:
    """The page in a few sentences."""
    matchups, decks, info = rows_of(run, "matchups"), rows_of(run, "decks"), run.info
    games = run.rows["games"]
    first = next(row for row in rows_of(run, "first") if row["scope"] in ("overall", "mirrors"))
    agents = [escape(agent.label or agent.name) for agent in info.agents]
    lede = paragraph(
        words.played(games, len(info.matchups), len(info.decks), agents, _balanced(run)),
        *(
            escape(text)
            for text in (words.versus(rows_of(run, "players")), words.field(decks), words.lopsided(matchups))
            if text
        ),
        escape(words.first_player(first)),
        escape(words.length(rows_of(run, "shape")[0])),
    )
    bad = [row["check"] for row in rows_of(run, "health") if row["ok"] is False]
    if not bad:
        return f'<div class="lede">{lede}</div>'
    warning = f"Something is wrong with this run ({escape(words.listed(bad))}); see <a href='#health'>Health</a>."
    return f'<p class="alarm" role="alert">{warning}</p><div class="lede">{lede}</div>'


def _balanced(run: Run) -> bool:
    return all(row["ok"] is True for row in rows_of(run, "health") if row["check"] == "seats balanced")


def _strip(run: Run) -> str:
    """The numbers that a reader looks for first."""
    return strip(
        [
            ("Games", words.whole(run.rows["games"])),
            ("Decks", str(len(ranked(run)) or len(run.info.decks))),
            ("Matchups", words.whole(len(run.info.matchups))),
            ("Seed", str(run.info.seed)),
        ]
    )


def strip(facts: list[tuple[str, str]]) -> str:
    """Names with values, in large print."""
    return "<dl class=strip>" + "".join(f"<div><dt>{k}</dt><dd>{escape(v)}</dd></div>" for k, v in facts) + "</dl>"


def _section(part: Section) -> str:
    title = f'<h2 id="{part.name}-h">{heading(part.title)}</h2>'
    return f'<section id="{part.name}" aria-labelledby="{part.name}-h">{title}{part.body}</section>'


def _footer(run: Run) -> str:
    version = run.info.versions.get("cardmill", "")
    return (
        f"<p>Made by cardmill{' ' + escape(version) if version else ''}. Intervals hold the true value in 95 of 100 "
        "runs (Wilson; draws count half). Verdicts test all matchups together at 5% (Holm). Unfinished games are in "
        "no score. The players are programs: a win rate says how these decks do in their hands.</p>"
    )


def _json(value: Any) -> str:
    """JSON that may stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _file(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")

"""The sections of the page. Each takes a run and returns a Section, or None where the run has nothing to show."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from html import escape

from analysis.report import charts, words
from analysis.report.columns import (
    CARD_COLUMNS,
    DEAD_COLUMNS,
    DECK_COLUMNS,
    FIRST_COLUMNS,
    HEALTH_COLUMNS,
    LEAD_COLUMNS,
    MATCHUP_COLUMNS,
    pair,
    shape_columns,
)
from analysis.report.html import column, details, paragraph, table, text_column
from analysis.report.luck import luck
from analysis.report.metagame import metagame
from analysis.report.section import MOST_ROWS, Row, Section, dot, rows_of
from analysis.report.trust import trust
from analysis.report.words import percent, span
from analysis.runs import Run
from analysis.tables.curve import has_curve
from analysis.tables.dead import counts_turns
from analysis.tables.results import Seats
from analysis.tables.scores import by_deck
from analysis.tables.shape import counted_columns, turn_counts


def ranked(run: Run) -> list[str]:
    """Deck names, the best field score first."""
    names: list[str] = []
    for row in rows_of(run, "decks"):
        if row["deck"] not in names:
            names.append(row["deck"])
    return names


def player_pairs(run: Run) -> list[tuple[str, str]]:
    """(player of the deck, player of the opponent), each pairing of players once."""
    pairs: list[tuple[str, str]] = []
    for _, agent, against in by_deck(run):
        if (agent, against) not in pairs and (against, agent) not in pairs:
            pairs.append((agent, against))
    return pairs


def matchups(run: Run) -> Section:
    rows, names = rows_of(run, "matchups"), ranked(run)
    part = Section("matchups", "Matchups", "Who beats whom")
    part.body += paragraph(escape(words.verdicts(rows)), _strongest_seat(rows))
    alternative = table(rows, MATCHUP_COLUMNS, "All matchups")
    if len(names) > 1:
        for agent, against in player_pairs(run):
            cells = [c for c in _heat_cells(run, names, agent, against, rows) if c["score"] is not None]
            if not cells:
                continue
            versus = "" if agent == against else f", {agent} (rows) against {against} (columns)"
            step = 46 if len(names) <= 8 else 34 if len(names) <= 16 else 26
            label = "; ".join(f"{c['deck']} against {c['opponent']} {c['shown']}%" for c in cells)
            part.figure(
                f"heat-{len(part.charts)}",
                charts.heatmap(cells, names, step, label),
                f"Share of points that the deck in the row takes from the deck in the column{versus}",
                "In percent, a draw counts half, both seats weigh the same. Decks in the order of their field score; "
                "columns carry the numbers of the rows. Paler numbers are matchups that these games do not decide.",
                alternative,
                "wide" if len(names) > 15 else "",
            )
    else:
        part.body += alternative
    field_rows = [row for row in rows_of(run, "decks") if row["score"] is not None]
    if len(field_rows) > 2:
        part.figure(
            "field",
            charts.intervals(
                [dot(row, _player_name(run, row), row["score"], row["low"], row["high"]) for row in field_rows],
                0.5,
                "%",
                "; ".join(f"{row['deck']} {percent(row['score'])}" for row in field_rows),
            ),
            "Score against a field in which every other deck is equally common"
            if run.shares is None
            else "Score against a field with the shares that were given",
            "The bar is the 95% interval; the mirror match is left out.",
            table(rows_of(run, "decks"), DECK_COLUMNS, "Decks against the field"),
        )
    return part


def _player_name(run: Run, row: Row) -> str:
    return row["deck"] if len(run.info.agents) < 2 else f"{row['deck']} ({row['agent']})"


def _heat_cells(run: Run, names: list[str], agent: str, against: str, rows: list[Row]) -> Iterator[Row]:
    """Every ordered pair of decks that met, from the row's view."""
    verdict = {}
    for m in rows:
        verdict[m["deck_a"], m["deck_b"], m["agent_a"], m["agent_b"]] = m["verdict"]
        verdict[m["deck_b"], m["deck_a"], m["agent_b"], m["agent_a"]] = m["verdict"]
    for i, deck in enumerate(names):
        met = by_deck(run).get((deck, agent, against), {})
        for j, opponent in enumerate(names):
            if deck == opponent and agent == against:
                continue  # a mirror is even by its nature (statistics 3.7)
            cell = met.get(opponent, Seats()).cell
            found = verdict.get((deck, opponent, agent, against), "")
            favoured = "" if cell.value is None else deck if cell.value > 0.5 else opponent
            yield {
                "row": f"{i + 1}  {deck}",
                "column": str(j + 1),
                "deck": deck,
                "opponent": opponent,
                "score": cell.value,
                "interval": span(cell.low, cell.high),
                "games": cell.n,
                "verdict": f"{favoured} favoured" if found in ("a", "b") else found,
                "shown": "" if cell.value is None else f"{100 * cell.value:.{1 if len(names) <= 8 else 0}f}",
            }


def _strongest_seat(rows: list[Row]) -> str:
    draws = sum(row["draws"] for row in rows)
    games = sum(row["games"] for row in rows)
    return f"{percent(draws / games)} of the finished games are draws." if games and draws else ""


def first(run: Run) -> Section | None:
    rows = rows_of(run, "first")
    overall = _overall_first(rows)
    matchup_rows = [row for row in rows if row["scope"] == "matchup" and row["advantage"] is not None]
    if overall is None or not matchup_rows:
        return None
    part = Section("first", "Going first", words.first_title(overall))
    logit = next(row for row in rows if row["scope"] == "logit")
    part.body += paragraph(
        escape(words.first_player(overall)),
        "This is the mean score of the player who goes first, over all matchups, minus one half.",
        f"In Elo it is {words.signed(logit['elo'], 0)}." if logit["elo"] is not None else None,
    )
    shown = sorted(matchup_rows, key=lambda row: -abs(row["advantage"]))[:MOST_ROWS]
    shown = sorted(shown, key=lambda row: -row["advantage"])
    dots = [
        dot(row, pair(row), row["advantage"], row["low"], row["high"], signed=True)
        for row in [overall | {"deck_a": "All matchups", "deck_b": None}, *shown]
    ]
    part.figure(
        "seats",
        charts.intervals(dots, 0.0, "+.0%", "; ".join(f"{d['name']} {d['text']}" for d in dots)),
        "What going first adds to the score"
        + (f": the {MOST_ROWS} largest of {len(matchup_rows)} matchups" if len(shown) < len(matchup_rows) else ""),
        "Percentage points with 95% interval, both orders of play weighing the same; grey where 0 is possible. "
        "Among many matchups some stand out by chance.",
        table([row for row in rows if row["scope"] != "logit"], FIRST_COLUMNS, "First-player advantage"),
    )
    return part


def _overall_first(rows: list[Row]) -> Row | None:
    """The advantage over different decks, or over mirrors where there is nothing else."""
    known = [row for row in rows if row["scope"] in ("overall", "mirrors") and row["advantage"] is not None]
    return known[0] if known else None


def length(run: Run) -> Section:
    rows = rows_of(run, "shape")
    whole_run = rows[0]
    part = Section("length", "Length", "How long games last")
    part.body += paragraph(
        escape(words.length(whole_run)),
        escape(words.ends(whole_run)),
        escape(words.decisions(whole_run)),
    )
    counts, games = turn_counts(run), whole_run["games"]
    bars = [
        {"turn": turn, "low": turn - 0.42, "high": turn + 0.42, "games": n, "share": n / games}
        for turn, n in counts.items()
    ]
    part.figure(
        "turns",
        charts.histogram(bars, whole_run["turns_median"], words.length(whole_run)),
        "Turn on which games end",
        "Share of all games; the turns of both players are counted.",
        table(rows, shape_columns(counted_columns(run), counts_turns(run)), "Length and ends of games"),
    )
    if counts_turns(run):
        part.body += "<h3>Dead turns and stuck hands</h3>" + paragraph(
            escape(words.dead(rows_of(run, "dead"))),
            "A turn is dead where its player does nothing but end it; a hand is stuck where it has cards and none of "
            "them can be played at any time of the turn.",
        )
        part.body += table(rows_of(run, "dead"), DEAD_COLUMNS, "Dead turns and stuck hands by deck")
    return part


def lead(run: Run) -> Section | None:
    rows = [row for row in rows_of(run, "lead") if row["score"] is not None]
    alive: dict[int, int] = {}
    for row in rows:
        alive[row["turn"]] = alive.get(row["turn"], 0) + row["games"]
    games = max(alive.values(), default=0)
    # Odd turns: the same player is to move in every line. Turn 1 has no lead yet.
    late = [turn for turn in sorted(alive) if turn % 2 and turn > 2 and alive[turn] >= 0.2 * games]
    if not late or games < 50:
        return None
    turns = sorted({late[round(i * (len(late) - 1) / 3)] for i in range(4)})
    shown = [row for row in rows if row["turn"] in turns and row["games"] >= max(30, games * 5e-4)]
    part = Section("lead", "Lead", "What a lead is worth")
    part.body += paragraph(_lead_words(rows, turns[len(turns) // 2]), _comeback_words(run, turns[len(turns) // 2]))
    part.figure(
        "chance",
        charts.lead(
            shown,
            turns,
            "; ".join(f"turn {r['turn']}, lead {r['lead']}: {percent(r['score'])}" for r in shown),
        ),
        "Chance to win by lead in life",
        "Seen from the player who went first and is about to move; bands are 95% intervals.",
        table(shown, LEAD_COLUMNS, "Chance to win by turn and lead"),
    )
    return part


def _lead_words(rows: list[Row], turn: int) -> str:
    at = {row["lead"]: row for row in rows if row["turn"] == turn and row["games"] >= 30}
    said = []
    for size in (2, 4):
        ahead, behind = at.get(size), at.get(-size)
        if ahead and behind:
            said.append(
                f"{words.small(size).capitalize()} life ahead at the start of turn {turn}, the first player wins "
                f"{percent(ahead['score'])} of the games; {words.small(size)} behind, {percent(behind['score'])}."
            )
    return " ".join(said)


def _comeback_words(run: Run, turn: int) -> str:
    """How often a player comes back, and how much the lead tells at all."""
    behind = [row for row in rows_of(run, "comebacks") if row["turn"] == turn and row["games"] >= 100]
    said = ""
    if behind:
        row = min(behind, key=lambda row: abs(row["behind"] - 3))
        said = (
            f"Players who are {words.small(row['behind'])} or more behind then still take {percent(row['score'])} of "
            f"the points ({span(row['low'], row['high'])})."
        )
    told = next((row for row in rows_of(run, "forecast") if row["turn"] == turn and row["skill"] is not None), None)
    if told:
        said += f" Knowing the lead at that moment takes {percent(told['skill'], 0)} off the error of a forecast."
    return said


def curve(run: Run) -> Section | None:
    """What players have at the ends of their turns, where the game counts it."""
    own = run.info.own
    if own is None or not has_curve(run):
        return None
    rows = rows_of(run, "curve")
    everyone = [row for row in rows if row["deck"] == "all"]
    often = [row for row in everyone if row["turns"] * 20 >= everyone[0]["turns"]]
    shares = [name for name, column in own.columns.items() if column.kind == "bool"]
    counts = [name for name in own.columns if name != "turn" and name not in shares]
    part = Section("curve", "Turns", "What players have, turn by turn")
    part.body += paragraph(escape(f"{own.about[0].upper()}{own.about[1:]}."))
    for name in shares:
        share = sum(row[name] * row["turns"] for row in everyone) / sum(row["turns"] for row in everyone)
        part.body += paragraph(escape(f"In {percent(share)} of the turns: {own.columns[name].about}."))
    points = [
        {"what": own.columns[name].about, "turn": row["turn"], "turns": row["turns"], "mean": row[name]}
        for name in counts
        for row in often
    ]
    columns = [
        text_column("deck", "deck"),
        column("turn", "turn", words.whole),
        column("turns", "turns", words.whole),
        *(column(name, name, percent if name in shares else "{:.2f}".format) for name in (*counts, *shares)),
    ]
    label = "; ".join(f"{p['what']} at the end of turn {p['turn']}: {p['mean']:.1f}" for p in points)
    part.figure(
        "means",
        charts.curve(points, [own.columns[name].about for name in counts], label),
        "Means at the end of a turn",
        "Over both players and all decks, while one turn in twenty is played at least. Later turns are those of long "
        "games.",
        table([row for row in rows if row["turn"] <= often[-1]["turn"]], columns, "Means by deck and turn"),
    )
    return part


def cards(run: Run) -> Section | None:
    rows = rows_of(run, "cards")
    if not rows:
        return None
    names = run.meta.get("names", {})
    for row in rows:
        row["name"] = f"{row['card']} {names[row['card']]}" if row["card"] in names else row["card"]
    part = Section("cards", "Cards", "Cards in hand and left in the deck")
    part.body += paragraph(
        "Win rates count copies, draws half. <b>OH</b> in the opening hand, <b>GD</b> drawn later, <b>GIH</b> in hand "
        "at any time, <b>GNS</b> never seen; <b>IWD</b>, improvement when drawn, is GIH minus GNS in percentage "
        "points. It says with which cards games are won, not that they win them: long games show more cards."
    )
    decks = sorted({row["deck"] for row in rows})
    largest = max((abs(row["iwd"]) for row in rows if row["iwd"] is not None), default=0.0) or 1.0
    rows = sorted(rows, key=lambda row: -math.inf if row["iwd"] is None else row["iwd"], reverse=True)
    rows = [row | {"iwd_size": None if row["iwd"] is None else abs(row["iwd"]) / largest} for row in rows]
    options = "".join(f"<option>{escape(name)}</option>" for name in decks)
    part.body += (
        '<form class="filter" role="search" onsubmit="return false">'
        '<label>Find <input type="search" id="card-find" placeholder="card or deck" autocomplete="off"></label>'
        f'<label>Deck <select id="card-deck"><option value="">all decks</option>{options}</select></label>'
        '<output id="card-count" aria-live="polite"></output></form>'
    )
    cards_table = table(rows, CARD_COLUMNS, "Cards; a heading sorts", sorted_by="IWD", name="card-table")
    part.body += f'<div class="wide long">{cards_table}</div>'
    return part


def health(run: Run) -> Section:
    rows = rows_of(run, "health")
    failed = [row["check"] for row in rows if row["ok"] is False]
    title = "This run can be trusted" if not failed else "Something is wrong with this run"
    part = Section("health", "Health", title)
    part.body += paragraph(
        f"Failed: {escape(words.listed(failed))}. The numbers above should not be used before the cause is known."
        if failed
        else "Counts that must agree do, and the shuffles look fair."
    )
    part.body += table(rows, HEALTH_COLUMNS, "Checks of the run")
    return part


def reproduce(run: Run) -> Section:
    info = run.info
    part = Section("reproduce", "Reproduce", "How to get the same numbers")
    part.body += paragraph(
        "The same command with the same versions gives the same games, one by one, on any number of threads."
    )
    part.body += f'<pre tabindex="0"><code>{escape(info.command or "(the command was not noted)")}</code></pre>'
    facts = [("Game", info.game), ("Seed", str(info.seed)), ("Made", info.created)]
    facts += [("Rules", ", ".join(f"{k} = {v}" for k, v in info.rules.items()))]
    facts += [
        ("Player", agent.label or agent.name)
        if not agent.params
        else (
            "Player",
            f"{agent.label or agent.name}: " + ", ".join(f"{k} = {v:g}" for k, v in sorted(agent.params.items())),
        )
        for agent in info.agents
    ]
    facts += [("Versions", ", ".join(f"{k} {v}" for k, v in sorted(info.versions.items())))]
    facts += [("Machine", ", ".join(f"{k} {v}" for k, v in sorted(info.machine.items())))]
    facts += [(f"Hash of {k}", v) for k, v in sorted(info.hashes.items())]
    part.body += "<dl class=facts>" + "".join(
        f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts if v
    )
    part.body += "</dl>"
    lists = "".join(
        f"<h4>{escape(deck.title or deck.name)}</h4><ul class=list>"
        + "".join(f"<li>{n} × {escape(card_name(run, card))}</li>" for card, n in sorted(deck.cards.items()))
        + "</ul>"
        for deck in info.decks
    )
    part.body += details("Deck lists", lists)
    return part


def card_name(run: Run, card: str) -> str:
    """Number and name of a card, where the run knows its name."""
    name = run.meta.get("names", {}).get(card)
    return f"{card} {name}" if name else card


SECTIONS: tuple[Callable[[Run], Section | None], ...] = (
    matchups,
    metagame,
    first,
    length,
    curve,
    luck,
    lead,
    cards,
    trust,
    health,
    reproduce,
)

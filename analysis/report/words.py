"""Numbers as words: what the page says in sentences. Nothing here computes, all numbers come from the tables."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]

MINUS = "\u2212"
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f}%"


def span(low: float | None, high: float | None, digits: int = 1) -> str:
    """An interval of shares: 56.7 to 59.2%."""
    return "" if low is None or high is None else f"{100 * low:.{digits}f} to {100 * high:.{digits}f}%"


def points(value: float | None, digits: int = 1) -> str:
    """A difference of shares in percentage points, with its sign."""
    if value is None:
        return "–"
    return signed(100 * value, digits)


def signed(value: float | None, digits: int = 1) -> str:
    """A number with its sign; none for what rounds to 0."""
    if value is None:
        return "–"
    text = f"{abs(value):,.{digits}f}"
    return text if not text.strip("0.,") else ("+" if value > 0 else MINUS) + text


def whole(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def small(n: int) -> str:
    """Small numbers as words, others as digits."""
    return SMALL[n] if 0 <= n < len(SMALL) else f"{n:,}"


def plural(n: int, one: str, many: str | None = None) -> str:
    return f"{small(n)} {one if n == 1 else many or one + 's'}"


def listed(names: list[str]) -> str:
    """a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def headline(decks: list[Row], matchups: list[Row], players: list[Row]) -> str:
    """The page's title: the one thing to know. `decks` and `players` best first."""
    if players and players[0]["score"] is not None:
        best = players[0]
        beats = "beats" if best["low"] > 0.5 else "and"
        return f"{best['agent']} {beats} {best['against']}{'' if beats == 'beats' else ' play alike'}"
    ranked = [row for row in decks if row["score"] is not None]
    if len(ranked) == 2 and len([m for m in matchups if m["verdict"] != "mirror"]) == 1:
        cell = next(m for m in matchups if m["verdict"] != "mirror")
        a, b = cell["deck_a"], cell["deck_b"]
        if cell["verdict"] == "a":
            return f"{a} beats {b}"
        if cell["verdict"] == "b":
            return f"{b} beats {a}"
        if cell["verdict"] == "even":
            return f"{a} and {b} are evenly matched"
        return f"{a} against {b}: still open"
    if len(ranked) >= 2:
        best, second = ranked[0], ranked[1]
        if best["low"] > second["high"]:
            return f"{best['deck']} leads a field of {small(len(ranked))}"
        level = [row["deck"] for row in ranked if row["high"] >= best["low"]]
        if len(level) <= 3:
            return f"{listed(level)} share the lead"
        return f"No clear leader among {plural(len(ranked), 'deck')}"
    if len(decks) == 1:
        return f"{decks[0]['deck']} against itself"
    return "No finished games"


def played(games: int, matchups: int, decks: int, agents: list[str], balanced: bool) -> str:
    """What was played; the names of players are HTML already."""
    who = f"the player <b>{agents[0]}</b>" if len(agents) == 1 else f"the players <b>{listed(agents)}</b>"
    seats = ", each seat going first equally often" if balanced else ""
    count = f"{whole(games)} game{'' if games == 1 else 's'}"
    if matchups == 1:
        return f"{count} in one matchup{seats}, played by {who}."
    each = f", {whole(games // matchups)} in each of {small(matchups)} matchups" if games % matchups == 0 else ""
    return f"{count} between {plural(decks, 'deck')}{each}{seats}, played by {who}."


def versus(players: list[Row]) -> str | None:
    if not players or players[0]["score"] is None:
        return None
    best = players[0]
    return (
        f"The player {best['agent']} takes {percent(best['score'])} of the points from {best['against']} "
        f"({span(best['low'], best['high'])}), over all matchups and both seats."
    )


def field(decks: list[Row]) -> str | None:
    """How the best and the last deck do against the field."""
    ranked = [row for row in decks if row["score"] is not None]
    if len(ranked) < 3 or len({row["agent"] for row in ranked}) > 1:
        return None
    best, last = ranked[0], ranked[-1]
    return (
        f"{best['deck']} scores {percent(best['score'])} against the others{_weighted(best)} "
        f"({span(best['low'], best['high'])}); {last['deck']} is last with {percent(last['score'])} "
        f"({span(last['low'], last['high'])})."
    )


def _weighted(row: Row) -> str:
    return "" if row["share"] is None else ", as common as they were said to be,"


def lopsided(matchups: list[Row]) -> str | None:
    """The matchup farthest from even."""
    known = [m for m in matchups if m["verdict"] in ("a", "b")]
    if not known:
        decided = [m for m in matchups if m["verdict"] != "mirror" and m["score"] is not None]
        return "No matchup is decided by these games." if decided else None
    cell = max(known, key=lambda m: (abs(m["score"] - 0.5), -m["matchup"]))
    return sided(cell, lead="The most one-sided matchup: " if len(matchups) > 1 else "")


def sided(cell: Row, lead: str = "") -> str:
    score, low, high = cell["score"], cell["low"], cell["high"]
    winner, loser = cell["deck_a"], cell["deck_b"]
    if cell["agent_a"] != cell["agent_b"]:
        winner, loser = f"{winner} ({cell['agent_a']})", f"{loser} ({cell['agent_b']})"
    if score < 0.5:
        winner, loser, score, low, high = loser, winner, 1 - score, 1 - high, 1 - low
    return f"{lead}{winner} takes {percent(score)} against {loser} ({span(low, high)})."


def verdicts(matchups: list[Row]) -> str:
    """How many matchups are decided, even, open."""
    cells = [m for m in matchups if m["verdict"] != "mirror"]
    decided = sum(m["verdict"] in ("a", "b") for m in cells)
    even = sum(m["verdict"] == "even" for m in cells)
    unclear = len(cells) - decided - even
    parts = []
    if decided:
        parts.append(f"{small(decided)} favour{'s' if decided == 1 else ''} one side")
    if even:
        parts.append(f"{small(even)} {'is' if even == 1 else 'are'} even (within 45 to 55%)")
    if unclear:
        parts.append(f"{small(unclear)} {'needs' if unclear == 1 else 'need'} more games to tell")
    return f"Of {plural(len(cells), 'matchup')}, {listed(parts)}." if cells else ""


def first_player(row: Row) -> str:
    """The overall advantage of the first seat."""
    if row["advantage"] is None:
        return "These games cannot say what going first is worth."
    size = f"{points(row['advantage'])} points ({points(row['low'])} to {points(row['high'])})"
    if row["low"] > 0:
        return f"Going first helps: {size}."
    if row["high"] < 0:
        return f"Going first hurts: {size}."
    return f"Going first makes no difference that these games can show: {size}."


def first_title(row: Row) -> str:
    if row["advantage"] is None or row["low"] <= 0 <= row["high"]:
        return "Going first makes no clear difference"
    return f"Going first {'helps' if row['low'] > 0 else 'hurts'}"


def length(row: Row) -> str:
    median = f"{row['turns_median']:g}"
    if row["turns_p5"] == row["turns_p95"]:
        return f"Nearly every game ends on turn {median}."
    nine_in_ten = f"nine in ten end between turns {row['turns_p5']} and {row['turns_p95']}"
    return f"Half the games are over by turn {median}; {nine_in_ten}."


def decisions(row: Row) -> str:
    """How much there is to decide; options are not counted in old runs."""
    text = f"A game takes {row['decisions']:.0f} decisions on average"
    choice = row.get("options")
    return text + (f", with {choice:.1f} options each." if choice is not None else ".")


def dead(rows: list[Row]) -> str:
    """Dead and stuck turns over all decks, and the deck with most dead ones. Rows of the table `dead`."""
    whole, *decks = rows
    if whole["dead"] is None:
        return "No turn was played."
    text = f"{percent(whole['dead'])} of all turns are dead, and {percent(whole['stuck'])} end with a stuck hand."
    if len(decks) > 1 and decks[0]["dead_low"] > decks[-1]["dead_high"]:
        most, least = decks[0], decks[-1]
        text += f" {most['deck']} has the most dead turns ({percent(most['dead'])}), {least['deck']} the fewest "
        text += f"({percent(least['dead'])})."
    return text


ENDS = {
    "life": "end by life",
    "deck": "end with an empty deck",
    "both": "end with both players losing at once",
    "loop": "stop in a loop (unfinished)",
    "cap": "stop at a limit of the program (unfinished)",
}


def ends(row: Row) -> str:
    shares = [(row[f"end_{end}"], words) for end, words in ENDS.items() if row[f"end_{end}"] > 0]
    if len(shares) == 1:
        return f"All of them {shares[0][1]}."
    parts = [f"{percent(share) if share >= 0.001 else 'under 0.1%'} {words}" for share, words in shares]
    return f"Of all games, {listed(parts)}."


def lucky(checks: int, stopped: int, expected: float, p: float | None) -> str:
    text = (
        f"Lucky cards stopped {percent(stopped / checks)} of {whole(checks)} damage checks; "
        f"the exact answer for the same decks is {percent(expected / checks)}."
    )
    if p is None:
        return text
    verdict = "agree" if p > 1e-4 else "do not agree"
    return f"{text} Over all kinds of checks the two {verdict} (chi-square test, p = {probability(p)})."


def probability(p: float) -> str:
    return "below 0.0001" if p < 1e-4 else f"{p:.4f}" if p < 0.01 else f"{p:.2f}"

"""The tables of a run by name. A new table is a function Run -> DataFrame and one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from analysis.runs import Run
from analysis.tables import again, cards, curve, dead, fair, health, luck, metagame, scores, shape, trust


@dataclass(frozen=True)
class Table:
    """A table that `cardmill table RUN NAME` prints: rows in a fixed order, the same for the same run."""

    name: str
    about: str
    make: Callable[[Run], pl.DataFrame]
    none: str = "the run has nothing of this"
    """Why it may have no rows."""


UNCOUNTED = "the run is from before it was counted"
TABLES: dict[str, Table] = {
    t.name: t
    for t in (
        Table("matchups", "score of a against b with interval, both seats apart, verdict", scores.matchups),
        Table("decks", "score of each deck against the field of the others (--shares)", scores.decks),
        Table("tiers", "decks in tiers by their score against the field, and how sure that is", metagame.tiers),
        Table("ratings", "Elo of each deck with draws (Davidson), and where ratings mislead", metagame.ratings),
        Table("nash", "what players who adapt would play: Nash mixture and alpha-rank", metagame.nash),
        Table("metagame", "cycles, polarity, variety and balance of the matrix as a whole", metagame.metagame),
        Table(
            "players",
            "score of each player against the other, in runs with two of them",
            scores.players,
            "the run has one player",
        ),
        Table("again", "the best deck and the widest matchup of half the games, in the other half", again.again),
        Table("first", "first-player advantage: overall, by matchup, by deck", scores.first),
        Table("cards", "win rate of cards in the opening hand, drawn, in hand, never seen, played", cards.cards),
        Table("seen", "win rate of cards seen by turn t, in games that reached turn t", cards.seen),
        Table("lucky", "damage checks: observed beside exact, by strike, deck size and lucky cards left", luck.lucky),
        Table("luck", "luck of each deck in its damage checks, and how much of the results it explains", luck.luck),
        Table("adjusted", "scores with the luck of damage checks taken out, and what that saves", fair.adjusted),
        Table("explained", "how much of the results luck explains: over all, by seat, by deck", fair.explained),
        Table("deciles", "score by decile of net luck", fair.deciles),
        Table("shape", "game length, ends, draws, decisions and their options, dead turns", shape.shape),
        Table("dead", "turns with nothing done, hands of which nothing could be played, by deck", dead.dead, UNCOUNTED),
        Table(
            "curve",
            "what players have at the ends of their turns, in games that count it",
            curve.curve,
            "this game does not count it",
        ),
        Table("lead", "chance to win by lead in life at the start of a turn", shape.lead),
        Table(
            "comebacks",
            "chance to win of a player who is behind in life",
            shape.comebacks,
            "nobody was behind in a finished game",
        ),
        Table("forecast", "how well the lead in life tells who wins: Brier score, calibration", shape.forecast),
        Table("trust", "how far to trust it: what players do badly with each deck (cardmill diagnose)", trust.trust),
        Table("health", "counts that must agree and shuffles that must be fair", health.health),
    )
}


def nearest(name: str) -> list[str]:
    """Names of tables near to one that does not exist."""
    from difflib import get_close_matches

    return get_close_matches(name.lower(), TABLES, 3, 0.5)


def table(run: Run, name: str) -> pl.DataFrame:
    """The table `name` of a run. Raises KeyError with words for a person."""
    if name not in TABLES:
        close = nearest(name)
        hint = f"did you mean {' or '.join(close)}?" if close else f"the tables are {', '.join(TABLES)}"
        raise KeyError(f'there is no table "{name}"; {hint}')
    return TABLES[name].make(run)

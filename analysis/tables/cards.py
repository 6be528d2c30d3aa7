"""Win rates of cards, in copies (statistics 3.12)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import polars as pl

from analysis.runs import Run
from analysis.stats import Estimate, benjamini_hochberg, difference, missing, shrunk, two_sided, with_error
from analysis.tables.results import floats, interval, ints, table, texts
from sim.results import SEEN_TURNS

NO_COPIES = "no copies in finished games"


class Copies(NamedTuple):
    """Copies by result of their game, the same with k^2 for k copies in one game, and the games with any."""

    win: int = 0
    draw: int = 0
    loss: int = 0
    win2: int = 0
    draw2: int = 0
    loss2: int = 0
    games: int = 0

    def plus(self, other: Copies) -> Copies:
        return Copies(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def total(self) -> int:
        return self.win + self.draw + self.loss

    @property
    def rate(self) -> Estimate:
        """Win rate of the copies, draws half. Copies in one game share its result, so games vary, not copies."""
        if not self.total:
            return missing(NO_COPIES)
        rate = (2 * self.win + self.draw) / (2 * self.total)
        spread = self.win2 * (1 - rate) ** 2 + self.draw2 * (0.5 - rate) ** 2 + self.loss2 * rate**2
        return with_error(rate, math.sqrt(spread) / self.total, self.games)


def cards(run: Run) -> pl.DataFrame:
    """One row a deck, its player and a card: copies and win rates, names as on 17Lands (statistics 3.12).

    oh: kept in the opening hand; gd: drawn later; gih = oh + gd; gns: in the deck at the end, never in hand;
    iwd = gih - gns with a Newcombe interval (cautious: both rest on the same games); played: played win rate.
    Copies that the deck has lost otherwise are in none of them. kept_rate: share of offered copies whose hand was kept;
    played_share: copies played of copies in hand. What the game counts besides (milled in Palworld) has a share too, of
    the copies in the deck. gih_shrunk: gih drawn towards the mean of its deck; iwd_q: Benjamini-Hochberg over all rows
    (statistics 3.17): of the cards with iwd_q below 0.05 about 5 % have no effect at all.
    """
    rows: list[dict[str, Any]] = []
    hands: dict[tuple[str, str], list[Estimate]] = {}
    for (deck, agent, card, in_deck), measures in sorted(_by_card(run).items()):
        games = _games_of(measures)
        kept, drawn, hand = (measures.get(name, Copies()) for name in ("kept", "drawn", "hand"))
        in_hand, never = _in_hand(kept, drawn, hand), measures.get("unseen", Copies()).rate
        played = measures.get("played", Copies())
        offered, returned = (measures.get(name, Copies()) for name in ("offered", "returned"))
        iwd = difference(never, in_hand)
        hands.setdefault((deck, agent), []).append(in_hand)
        rows.append(
            {
                "deck": deck,
                "agent": agent,
                "card": card,
                "in_deck": in_deck,
                "p": two_sided(iwd.value / iwd.se) if iwd.value is not None and iwd.se else None,
                "games": games.total,
                "gp": games.rate.value,
                "oh_copies": kept.total,
                **interval("oh", kept.rate),
                "gd_copies": drawn.total,
                **interval("gd", drawn.rate),
                "gih_copies": kept.total + drawn.total,
                **interval("gih", in_hand),
                "gns_copies": measures.get("unseen", Copies()).total,
                **interval("gns", never),
                **interval("iwd", iwd),
                "played_copies": played.total,
                **interval("played", played.rate),
                "kept_rate": _ratio(offered.total - returned.total, offered.total),
                "played_share": _ratio(played.total, kept.total + drawn.total),
                **{
                    f"{name}_share": _ratio(measures.get(name, Copies()).total, games.total * in_deck)
                    for name in run.info.measures
                },
                "reason": iwd.reason,
            }
        )
    calm = (value for parts in hands.values() for value in shrunk(parts))
    for row, q in zip(rows, benjamini_hochberg([row["p"] for row in rows]), strict=True):
        row |= {"gih_shrunk": next(calm), "iwd_q": q}
    schema = texts("deck", "agent", "card") | ints("in_deck", "games") | floats("gp")
    for name in ("oh", "gd", "gih", "gns"):
        schema |= ints(f"{name}_copies") | floats(name, f"{name}_low", f"{name}_high")
    schema |= floats("iwd", "iwd_low", "iwd_high") | ints("played_copies")
    schema |= floats("played", "played_low", "played_high", "kept_rate", "played_share")
    schema |= floats(*(f"{name}_share" for name in run.info.measures))
    schema |= floats("gih_shrunk", "iwd_q")
    return table(rows, schema | texts("reason"))


def seen(run: Run) -> pl.DataFrame:
    """Win rate of copies seen by the end of turn t against copies not seen by then, in games that reached turn t.

    Comparing inside the games that are alive removes the bias by game length (statistics 3.12).
    """
    rows = []
    for (deck, agent, card, in_deck), measures in sorted(_by_card(run).items()):
        for turn in SEEN_TURNS:
            in_hand, alive = measures.get(f"seen_by_{turn}"), measures.get(f"games_seen_by_{turn}")
            if in_hand is None or alive is None:
                continue
            never = measures[f"rest_seen_by_{turn}"].rate
            gain = difference(never, in_hand.rate)
            rows.append(
                {
                    "deck": deck,
                    "agent": agent,
                    "card": card,
                    "in_deck": in_deck,
                    "turn": turn,
                    "games": alive.total,
                    "copies": in_hand.total,
                    **interval("seen", in_hand.rate),
                    **interval("unseen", never),
                    **interval("gain", gain),
                    "reason": gain.reason,
                }
            )
    return table(
        rows,
        texts("deck", "agent", "card")
        | ints("in_deck", "turn", "games", "copies")
        | floats("seen", "seen_low", "seen_high", "unseen", "unseen_low", "unseen_high")
        | floats("gain", "gain_low", "gain_high")
        | texts("reason"),
    )


CardKey = tuple[str, str, str, int]


def _by_card(run: Run) -> dict[CardKey, dict[str, Copies]]:
    """Copies by measure; beside each measure the games ("games_") and the copies that did not meet it ("rest_")."""
    return run.once("cards", lambda: _copies(run))


def _copies(run: Run) -> dict[CardKey, dict[str, Copies]]:
    keys = ("deck", "agent", "card", "in_deck", "measure")
    games, k, rest = (pl.col("games"), pl.col("k").cast(pl.Int64), (pl.col("in_deck") - pl.col("k")).cast(pl.Int64))
    one = pl.lit(1, pl.Int64)
    counts = []
    for name, copies in (("", k), ("games_", one), ("rest_", rest)):
        for power in (1, 2):
            for result in ("win", "draw", "loss"):
                hit = pl.when(pl.col("result") == result).then(copies**power * games).otherwise(0)
                counts.append(hit.cast(pl.Int64).sum().alias(f"{name}{result}{power}"))
        some = pl.when(pl.col("result").is_not_null() & (copies > 0)).then(games).otherwise(0)
        counts.append(some.sum().alias(f"{name}n"))
    frame = run.collect(run.cards.group_by(*keys).agg(counts)).sort(*keys)
    found: dict[CardKey, dict[str, Copies]] = {}
    for row in frame.iter_rows(named=True):
        measures = found.setdefault((row["deck"], row["agent"], row["card"], row["in_deck"]), {})
        for name in ("", "games_", "rest_"):
            measures[f"{name}{row['measure']}"] = Copies(*_columns(row, name))
    return found


def _columns(row: dict, name: str) -> Iterable[int]:
    for power in (1, 2):
        for result in ("win", "draw", "loss"):
            yield row[f"{name}{result}{power}"]
    yield row[f"{name}n"]


def _games_of(measures: dict[str, Copies]) -> Copies:
    """Games with the card in the deck: every measure of the whole game counts them all, so the largest is the count."""
    whole = [c for name, c in measures.items() if name.startswith("games_") and "seen_by" not in name]
    return max(whole, key=lambda copies: copies.total, default=Copies())


def _in_hand(kept: Copies, drawn: Copies, hand: Copies) -> Estimate:
    """Win rate of kept and drawn copies; how much copies go together in a game is taken from the copies in hand."""
    total = kept.total + drawn.total
    if not total:
        return missing(NO_COPIES)
    both = kept.plus(drawn)
    rate = (2 * both.win + both.draw) / (2 * total)
    together = hand.rate.se or both.rate.se or 0.0
    return with_error(rate, together, hand.games or both.games)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None

"""From the arrays of the kernels to the tables of a run, and back for blocks that go on later.

Counts are kept as (matchup, code) -> count, codes as in `sim.engines`; the tables are a view of them in a fixed order,
so that the same games give the same bytes however they were cut into chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sim.engines import CARDS_SHAPE, TURNS_SHAPE, Counted, Played
from sim.games import columns_of
from sim.results import ENDS, PER_SIDE, SEEN_TURNS, SIDES, RunInfo, tables_of

if TYPE_CHECKING:
    from sim.events import EventTable

RESULTS = ("win", "draw", "loss", None)
WINNERS = ("a", "b", "draw", None)  # by winner & 3: 0, 1, 2, -1
SEATS = ("second", "first")
MATCHUP_SHIFT = 40


def add_up(keys: np.ndarray, counts: np.ndarray) -> Counted:
    """Equal keys become one, sorted."""
    unique, inverse = np.unique(keys, return_inverse=True)
    total = np.zeros(len(unique), np.int64)
    np.add.at(total, inverse, counts)
    return Counted(unique, total)


def sparse(dense: np.ndarray) -> Counted:
    """The counts of a dense array that are not zero, keyed by their place."""
    flat = dense.reshape(-1)
    keys = np.flatnonzero(flat)
    return Counted(keys.astype(np.int64), flat[keys].astype(np.int64))


def add_absent(cards: np.ndarray, rows: np.ndarray, distinct: Sequence[int], measures: int) -> None:
    """Enter the games without a copy of a card (k = 0), which kernels do not count: all games of that result, less
    those with a copy.

    cards: counts of a chunk, as `CARDS_SHAPE`; rows: its games; distinct: different cards of each side's deck;
    measures: how many there are before "seen by turn t", for which games count that reached turn t.
    """
    won = rows["winner"]
    by_a = np.where(won == 2, 1, np.where(won == 1, 2, won.astype(np.int64) & 3))
    reached = np.searchsorted(SEEN_TURNS, rows["turns"], side="right")
    for swapped in range(len(cards)):
        here = rows["swapped"] == swapped
        for side, n in enumerate(distinct):
            result = np.where(by_a < 3, by_a if side == 0 else 2 - by_a, 3)
            ended = np.bincount((4 * reached + result)[here], minlength=4 * len(SEEN_TURNS) + 4).reshape(-1, 4)
            games = ended[::-1].cumsum(axis=0)[::-1]
            games = np.repeat(games, [measures, *[1] * len(SEEN_TURNS)], axis=0)
            counts = cards[swapped, side, :n, : len(games)]
            counts[:, :, 0] = games - counts[:, :, 1:].sum(axis=2)


class Sums:
    """Counts of many chunks of one table."""

    def __init__(self) -> None:
        self._parts: list[Counted] = []
        self._size = 0
        self._next = 1 << 18

    def add(self, part: Counted, matchup: int) -> None:
        """Add the counts of a chunk of `matchup`."""
        self.merge(Counted(part.keys.astype(np.int64) | (np.int64(matchup) << MATCHUP_SHIFT), part.counts))

    def merge(self, part: Counted) -> None:
        """Add counts whose keys name their matchup."""
        self._parts.append(part)
        self._size += len(part.keys)
        if self._size > self._next:  # keep memory near the number of different keys
            self._next = max(self._next, 4 * len(self.total().keys))

    def total(self) -> Counted:
        """Everything added, each key once, sorted."""
        if len(self._parts) != 1:
            keys = np.concatenate([part.keys for part in self._parts] or [np.zeros(0, np.int64)])
            counts = np.concatenate([part.counts for part in self._parts] or [np.zeros(0, np.int64)])
            self._parts = [add_up(keys, counts)]
            self._size = len(self._parts[0].keys)
        return self._parts[0]


def _pick(names: Sequence[str | None], index: np.ndarray) -> pa.Array:
    """Text column: the name of each index."""
    return pa.array(names, pa.string()).take(pa.array(np.asarray(index, np.int32)))


class Tables:
    """Builds the tables of one run."""

    def __init__(self, info: RunInfo) -> None:
        self.names = [deck.name for deck in info.decks]
        self.distinct = [sorted(deck.cards) for deck in info.decks]
        self.copies = [[deck.cards[number] for number in sorted(deck.cards)] for deck in info.decks]
        self.pairs = np.array(info.matchups, np.int32).reshape(-1, 2)
        labels = [agent.label for agent in info.agents]
        self.agents = labels if info.versus else [labels[0], labels[0]]
        self.versus = info.versus
        self.schemas = tables_of(info)
        self.columns = (*PER_SIDE, *info.columns)
        declared = columns_of(info.game)
        self.measures = (*declared.MEASURES, *(f"seen_by_{turn}" for turn in SEEN_TURNS))
        self.bits: dict[str, tuple[int, int]] = declared.OWN_BITS
        self.own = info.own.name if info.own else ""
        self.counted = ("cards", "turns", *([self.own] if self.own else []))
        """Tables of counts."""
        self.events: EventTable | None = None
        if info.events:
            from sim.events import EventTable

            self.events = EventTable(info.game, [deck.slots for deck in info.decks], self.pairs)

    def _deck(self, matchup: np.ndarray, side: np.ndarray | int) -> np.ndarray:
        return self.pairs[matchup, side]

    def games(self, matchup: np.ndarray, g: np.ndarray, rows: np.ndarray) -> pa.Table:
        """`games` rows, sorted by game. matchup, g: int arrays beside `rows`."""
        order = np.argsort(g * len(self.pairs) + matchup, kind="stable")
        matchup, g, rows = matchup[order], g[order], rows[order]
        swapped = (g >> 1) & 1 if self.versus else np.zeros(len(g), np.int64)
        columns: dict[str, pa.Array | np.ndarray] = {
            "game": g * len(self.pairs) + matchup,
            "matchup": matchup,
            "g": g,
            "deck_a": _pick(self.names, self._deck(matchup, 0)),
            "deck_b": _pick(self.names, self._deck(matchup, 1)),
            "agent_a": _pick(self.agents, swapped),
            "agent_b": _pick(self.agents, 1 - swapped),
            "first": _pick(SIDES, rows["first"]),
            "winner": _pick(WINNERS, rows["winner"].astype(np.int8) & 3),
            "end": _pick(ENDS, rows["end"]),
        }
        for side, suffix in enumerate(SIDES):
            for name in self.columns:
                columns[f"{name}_{suffix}"] = rows[name][:, side]
        schema = self.schemas["games"]
        arrays = []
        for field in schema:
            column = columns[field.name] if field.name in columns else rows[field.name]
            if isinstance(column, np.ndarray):
                # safe=True: a number that does not fit its column is an error, never wrapped
                column = pa.array(np.ascontiguousarray(column)).cast(field.type)
            arrays.append(column)
        return pa.Table.from_arrays(arrays, schema=schema)

    def counts(self, table: str, counted: Counted) -> pa.Table:
        """Rows of a table of counts from counts keyed by matchup and code."""
        matchup = (counted.keys >> MATCHUP_SHIFT).astype(np.int32)
        code = counted.keys & ((1 << MATCHUP_SHIFT) - 1)
        columns = {"cards": self._cards, "turns": self._turns}.get(table, self._own)(matchup, code)
        columns |= {"matchup": matchup, self._count(table): counted.counts}
        schema = self.schemas[table]
        arrays = [
            columns[f.name] if isinstance(columns[f.name], pa.Array) else pa.array(columns[f.name]).cast(f.type)
            for f in schema
        ]
        return pa.Table.from_arrays(arrays, schema=schema)

    def _cards(self, matchup: np.ndarray, code: np.ndarray) -> dict[str, pa.Array | np.ndarray]:
        swapped, side, card, measure, k, result = np.unravel_index(code, CARDS_SHAPE)
        deck = self._deck(matchup, side)
        start = np.cumsum([0, *map(len, self.distinct)])
        place = start[deck] + card
        return {
            "deck": _pick(self.names, deck),
            "opponent": _pick(self.names, self._deck(matchup, 1 - side)),
            "side": _pick(SIDES, side),
            "agent": _pick(self.agents, side ^ swapped),
            "card": _pick([number for numbers in self.distinct for number in numbers], place),
            "in_deck": np.array([n for copies in self.copies for n in copies], np.int8)[place],
            "measure": _pick(self.measures, measure),
            "k": k,
            "result": _pick(RESULTS, result),
        }

    def _own(self, matchup: np.ndarray, code: np.ndarray) -> dict[str, pa.Array | np.ndarray]:
        part = {name: (code >> shift) & ((1 << width) - 1) for name, (shift, width) in self.bits.items()}
        return part | {
            "deck": _pick(self.names, self._deck(matchup, part["side"])),
            "side": _pick(SIDES, part["side"]),
            "seat": _pick(SEATS, part["seat"]),
        }

    def _count(self, table: str) -> str:
        """The column with the counts."""
        return "count" if table == self.own else "games"

    def _turns(self, matchup: np.ndarray, code: np.ndarray) -> dict[str, pa.Array | np.ndarray]:
        first, turn, lead, result = np.unravel_index(code, TURNS_SHAPE)
        return {
            "deck_a": _pick(self.names, self._deck(matchup, 0)),
            "deck_b": _pick(self.names, self._deck(matchup, 1)),
            "turn": turn,
            "first": _pick(SIDES, first),
            "lead": lead - 20,
            "result": _pick(RESULTS, result),
        }

    def keys(self, table: str, data: pa.Table) -> Counted:
        """The inverse of `counts`, for a block that goes on."""

        def column(name: str) -> np.ndarray:
            return data[name].to_numpy().astype(np.int64)

        def index(name: str, values: Sequence[str | None]) -> np.ndarray:
            found = pc.index_in(data[name], pa.array(values, pa.string()))
            return found.fill_null(-1).to_numpy().astype(np.int64)

        matchup = column("matchup")
        if table == "cards":
            side = index("side", SIDES)
            deck = self._deck(matchup, side)
            card = np.zeros(len(matchup), np.int64)
            for d, numbers in enumerate(self.distinct):
                here = deck == d
                if here.any():
                    card[here] = index("card", numbers)[here]
            agent = index("agent", self.agents) if self.versus else side
            measure, result = index("measure", self.measures), index("result", RESULTS)
            code = np.ravel_multi_index((agent ^ side, side, card, measure, column("k"), result), CARDS_SHAPE)
        elif table == "turns":
            first, result = index("first", SIDES), index("result", RESULTS)
            code = np.ravel_multi_index((first, column("turn"), column("lead") + 20, result), TURNS_SHAPE)
        else:
            texts = {"side": SIDES, "seat": SEATS}
            code = np.zeros(len(matchup), np.int64)
            for name, (shift, _) in self.bits.items():
                code |= (index(name, texts[name]) if name in texts else column(name)) << shift
        return add_up(code | (matchup << MATCHUP_SHIFT), column(self._count(table)))


class Collected:
    """Everything of one block so far."""

    def __init__(self, tables: Tables, before: dict[str, pa.Table] | None = None) -> None:
        self.tables = tables
        self._before = before["games"] if before else None
        self._rows: list[tuple[int, int, np.ndarray]] = []
        self._sums = {name: Sums() for name in tables.counted}
        self._events_before = before.get("events") if before else None
        self._events: list[tuple[int, np.ndarray]] = []
        if before:
            for name, sums in self._sums.items():
                sums.merge(tables.keys(name, before[name]))

    def add(self, matchup: int, g0: int, played: Played) -> None:
        """Add a finished chunk."""
        self._rows.append((matchup, g0, played.rows))
        for name, sums in self._sums.items():
            sums.add({"cards": played.cards, "turns": played.turns}.get(name, played.own), matchup)
        if played.events is not None:
            self._events.append((matchup, played.events))

    def build(self) -> dict[str, pa.Table]:
        """The tables of the block."""
        rows = np.concatenate([rows for _, _, rows in self._rows])
        matchup = np.concatenate([np.full(len(rows), m, np.int64) for m, _, rows in self._rows])
        g = np.concatenate([np.arange(g0, g0 + len(rows), dtype=np.int64) for _, g0, rows in self._rows])
        games = self.tables.games(matchup, g, rows)
        if self._before is not None:
            games = pa.concat_tables([self._before, games]).combine_chunks()
        built = {"games": games} | {name: self.tables.counts(name, s.total()) for name, s in self._sums.items()}
        if self.tables.events is not None:
            told = np.concatenate([told for _, told in self._events])
            matchup = np.concatenate([np.full(len(told), m, np.int64) for m, told in self._events])
            parts = [self._events_before] if self._events_before is not None else []
            built["events"] = pa.concat_tables([*parts, self.tables.events.table(matchup, told)]).combine_chunks()
        return built

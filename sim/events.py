"""What happens in games, event by event: the table `events` of runs that ask for it.

Counts and rows come from the compiled loop; events are told by the same kernels, stepped from Python decision by
decision, as `cardmill replay` does it. That takes many times as long, and both must end with the same signature.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pyarrow as pa

from kernels import batch
from sim.results import EVENTS, SIDES

TOLD = np.dtype([("g", np.int64), ("n", np.int32), ("word", np.uint64)])
"""One event as it is kept until its block is written; word: as the kernel logs it."""
SLOTS, PLAYER = 64, 128


def tell(lane: Any, tables: Any, players: Any, key: Any, g: int, log: int) -> np.ndarray:
    """The events of game g of a matchup, as TOLD records. players: the player records of that game; log: most events
    that the kernel keeps between two decisions."""
    lane.log_on = 1
    batch.start(lane, tables, players, key, g, g & 1)
    words: list[int] = []
    left = batch.advance(lane, tables, players)
    while True:
        count = int(lane.log_count)
        if count > log:
            raise RuntimeError(f"game {g}: {count} events between two decisions, more than the log holds ({log})")
        words += map(int, lane.log[:count])
        lane.log_count = 0
        if not left:
            break
        batch.choose(lane, tables, players, batch.pick(lane, tables, players))
        left = batch.advance(lane, tables, players)
    lane.log_on = 0
    told = np.zeros(len(words), TOLD)
    told["g"], told["n"], told["word"] = g, np.arange(len(words)), words
    return told


class EventTable:
    """Builds the table of events of one run. decks: the card numbers of each deck, a slot each."""

    def __init__(self, game: str, decks: list[list[str]], pairs: np.ndarray) -> None:
        codes = import_module(f"kernels.{game}.codes")
        self.kinds: list[str] = list(codes.EVENTS)
        self.pairs = pairs
        self.cards = [number for deck in decks for number in deck]
        self.starts = np.cumsum([0, *map(len, decks)])
        self.sizes = np.array([len(deck) for deck in decks])
        self.copies = np.array([deck[: slot + 1].count(deck[slot]) for deck in decks for slot in range(len(deck))])

    def table(self, matchup: np.ndarray, told: np.ndarray) -> pa.Table:
        """`events` rows, sorted by game and n. matchup: int array beside `told`. What only says that a decision had one
        option is left out."""
        word = told["word"]
        keep = np.array([kind != "auto" for kind in self.kinds])[(word & np.uint64(255)).astype(np.int64)]
        matchup, told, word = matchup[keep], told[keep], word[keep]
        game = told["g"] * len(self.pairs) + matchup
        order = np.lexsort((told["n"], game))
        matchup, told, word, game = matchup[order], told[order], word[order], game[order]
        kind = (word & np.uint64(255)).astype(np.int64)
        obj = (word >> np.uint64(8) & np.uint64(255)).astype(np.int64)
        side = np.where(obj < PLAYER, obj >> 6, obj - PLAYER)
        slot = obj & (SLOTS - 1)
        deck = self.pairs[matchup, np.minimum(side, 1)]
        is_card = (obj < PLAYER) & (slot < self.sizes[deck])
        place = np.where(is_card, self.starts[deck] + slot, 0)
        starts = np.flatnonzero(np.diff(game, prepend=-1))
        n = np.arange(len(game)) - np.repeat(starts, np.diff([*starts, len(game)]))
        a = (word >> np.uint64(16) & np.uint64(0xFFFF)).astype(np.int64) - (1 << 15)
        # the turn that an event says to begin lasts until the next one, or the end of the game
        begins = np.flatnonzero((kind == self.kinds.index("turn")) | (n == 0))
        turn = np.where(kind[begins] == self.kinds.index("turn"), a[begins], 0)
        turn = np.repeat(turn, np.diff([*begins, len(game)]))
        names = pa.array([*self.cards, None], pa.string())
        columns: dict[str, pa.Array | np.ndarray] = {
            "game": game,
            "matchup": matchup,
            "g": told["g"],
            "n": n,
            "turn": turn,
            "kind": pa.array(self.kinds).take(pa.array(kind)),
            "side": pa.array([*SIDES, None]).take(pa.array(np.clip(side, 0, 2))),
            "card": names.take(pa.array(np.where(is_card, place, len(self.cards)))),
            "copy": np.where(is_card, self.copies[place], 0),
            "a": a,
            "b": (word >> np.uint64(32)).astype(np.int64) - (1 << 31),
        }
        arrays = [
            columns[f.name] if isinstance(columns[f.name], pa.Array) else pa.array(columns[f.name]).cast(f.type)
            for f in EVENTS
        ]
        return pa.Table.from_arrays(arrays, schema=EVENTS)

"""A player in plain Python whose games are numbers drawn from their key: quick to start, and the same wherever played.

As a script it is a run that can be killed: `python -m tests.sim.fake OUT GAMES THREADS CHUNK DELAY DECKS...`.
"""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace
from typing import Any

import numpy as np

from sim.collect import add_up, sparse
from sim.engines import CARDS_SHAPE, TURNS_SHAPE, Played
from sim.errors import Interrupted
from sim.events import TOLD
from sim.games.palworld.columns import COLUMNS
from sim.provenance import hash64, stream_key
from sim.results import PER_SIDE, RunInfo

ROW = np.dtype(
    [
        ("first", np.uint8),
        ("winner", np.int8),
        ("end", np.uint8),
        ("turns", np.int16),
        ("decisions", np.int32),
        ("steps", np.int32),
        ("signature", np.uint64),
        *[(name, np.float64 if name.startswith("luck_") else np.int32, 2) for name in (*PER_SIDE, *COLUMNS)],
    ]
)
AGENTS = {"random": (0, {}), "passive": (1, {}), "greedy": (2, {"attack": 1.0, "block": 0.5})}
GAME = SimpleNamespace(AGENTS=AGENTS, RULES={})


class FakePlayer:
    """A `ChunkPlayer`; `delay` seconds a chunk, `fail_at`: the g at which it breaks."""

    def __init__(self, info: RunInfo, delay: float = 0.0, fail_at: int = -1) -> None:
        self.info, self.delay, self.fail_at = info, delay, fail_at
        names = [deck.name for deck in info.decks]
        self.keys = [stream_key(info.seed, names[a], names[b]) for a, b in info.matchups]

    def cold(self) -> bool:
        return False

    def prepare(self) -> float:
        return 0.0

    def new_lane(self) -> dict[str, Any]:
        return {"cards": np.zeros(CARDS_SHAPE, np.int64), "turns": np.zeros(TURNS_SHAPE, np.int32)}

    def play_chunk(self, lane: dict[str, Any], matchup: int, g0: int, n: int) -> Played:
        if self.delay:
            time.sleep(self.delay)
        if g0 <= self.fail_at < g0 + n:
            raise RuntimeError(f"planted fault at {self.fail_at}")
        cards, turns, checks = lane["cards"], lane["turns"], []
        cards[:] = 0
        turns[:] = 0
        rows = np.zeros(n, ROW)
        a, b = (self.info.decks[i] for i in self.info.matchups[matchup])
        for i, g in enumerate(range(g0, g0 + n)):
            word = hash64(self.keys[matchup], g)
            winner = (0, 1, 0, 1, 0, 1, 2, -1)[word & 7]
            swapped = (g >> 1) & 1 if self.info.versus else 0
            row = rows[i]
            row["first"], row["winner"], row["end"] = g & 1, winner, (word >> 3) % 5
            row["turns"], row["decisions"], row["signature"] = (word >> 6) & 63, (word >> 12) & 511, word
            for at, name in enumerate((*PER_SIDE, *COLUMNS)):
                row[name] = [(word >> (at + 20)) & 1, (word >> (at + 30)) & 1]
            for side, deck in enumerate((a, b)):
                result = {0: 0, 1: 2, 2: 1, -1: 3}[winner if side == 0 or winner in (2, -1) else 1 - winner]
                every, distinct = np.arange(16), np.arange(len(deck.cards))[:, None]
                k = (np.uint64(word) >> ((every + distinct) % 40).astype(np.uint64) & np.uint64(3)).astype(np.int64)
                cards[swapped, side, distinct, every, k, result] += 1
            turns[g & 1, 1, 20 + ((word >> 9) & 7) - 4, {0: 0, 1: 2, 2: 1, -1: 3}[winner]] += 1
            checks.append(1 + (word & 3) | 50 << 8 | 8 << 16 | (word & 15) << 24 | 1 << 32)
            side = (word >> 2) & 1
            row["checks"], row["lucky"] = [1 - side, side], [(1 - side) * (word >> 1 & 1), side * (word >> 1 & 1)]
        counted = add_up(np.array(checks, np.int64), np.ones(n, np.int64))
        told = None
        if self.info.events:  # two of each game
            told = np.zeros(2 * n, TOLD)
            told["g"], told["n"] = np.repeat(np.arange(g0, g0 + n), 2), np.tile([0, 1], n)
            told["word"] = np.repeat(rows["signature"] & np.uint64(0x3F00), 2) | np.uint64(1 << 31 | 1 << 63)
        return Played(rows, sparse(cards), sparse(turns), counted, told)


def main() -> None:
    import sim.games
    from sim import blocks, places, runs, session

    sim.games.load_game = lambda name: GAME
    blocks.BLOCK_GAMES, blocks.MIN_G, session.SAVE_SECONDS, places.sync = 40, 4, 0.0, lambda path: None
    out, games, threads, chunk, delay, *decks = sys.argv[1:]
    try:
        runs.simulate(
            decks,
            games=int(games),
            seed=7,
            out=out,
            threads=int(threads),
            chunk=int(chunk) or None,
            player=lambda info: FakePlayer(info, float(delay)),
        )
    except Interrupted:
        sys.exit(130)


if __name__ == "__main__":
    main()

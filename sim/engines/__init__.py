"""Who plays chunks of games, and where: the contract between runs and engines.

A `ChunkPlayer` plays games g0 <= g < g0 + n of one matchup and returns what happened as plain arrays. An `Engine`
spreads chunks over workers; runs see only `submit` and `result`, so that threads and clusters are interchangeable.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from kernels import batch


class Chunk(NamedTuple):
    """A piece of work: games g0 <= g < g0 + n of a matchup. `round` is for the one who asks."""

    matchup: int
    g0: int
    n: int
    round: int = 0


class Counted(NamedTuple):
    """A sparse table of counts: `counts[i]` games (or checks) with the code `keys[i]`; codes are unique and sorted.

    cards: `CARDS_SHAPE` flattened; turns: `TURNS_SHAPE` flattened; own: packed as the game declares it (`OWN_BITS`).
    """

    keys: np.ndarray  # int64, below 2**40
    counts: np.ndarray  # int64


class Played(NamedTuple):
    """What came out of a chunk. rows: n records in the order of g, with the fields of `ROW`; own: of the game's own
    table."""

    rows: np.ndarray
    cards: Counted
    turns: Counted
    own: Counted
    events: np.ndarray | None = None  # in runs with events: records of `sim.events.TOLD`


CARDS_SHAPE = (2, *batch.CARDS_SHAPE)
"""swapped agents, side, distinct card of the sorted deck, measure, copies k, result of the side (as `RESULTS`)."""
TURNS_SHAPE = batch.TURNS_SHAPE


class ChunkPlayer(Protocol):
    """Plays one kind of run: its decks, agents and seed are fixed."""

    def prepare(self) -> float:
        """Compile what is needed; seconds it took."""

    def cold(self) -> bool:
        """Whether `prepare` will have to compile, which takes about a minute."""

    def new_lane(self) -> Any:
        """The arrays that one worker plays in, used chunk after chunk."""

    def play_chunk(self, lane: Any, matchup: int, g0: int, n: int) -> Played:
        """Play a chunk. The same arguments give the same result, whatever the lane has played before."""


class Engine(Protocol):
    """Workers."""

    @property
    def workers(self) -> int:
        """How many chunks are played at once, now."""

    def submit(self, chunk: Chunk) -> None:
        """Hand in a piece of work."""

    def result(self, timeout: float) -> tuple[Chunk, Played, float] | None:
        """A finished piece and the seconds one worker spent on it; None if there is none yet. Raises what a worker
        raised."""

    def take_back(self) -> int:
        """Withdraw the pieces that no worker has begun; how many they are."""

    def close(self) -> None:
        """End the workers; what is not finished is lost."""

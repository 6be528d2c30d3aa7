"""Pairs of games: two players on the same seed, once with each assignment (statistics 3.4b).

Game g is played with the one player on side a and the other on side b, and again with the two swapped. Shuffles belong
to the seats, so that decks, seats and luck are the same in both games and only the players differ: common random
numbers. Side a goes first in even g.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np

from kernels import batch
from sim.cards.ast import Card
from sim.engines import Chunk, ChunkPlayer, Counted, Engine, Played
from sim.engines.kernel import KernelPlayer, Lane, player_records
from sim.results import AgentInfo, RunInfo

Pairing = tuple[AgentInfo, AgentInfo]
Joint = np.ndarray
"""joint[i, j]: pairs in which the first player got i with side a and j with side b; 0 loss, 1 draw, 2 win, 3 none.
int64[4, 4]."""

CHUNK_SECONDS = 0.3
CHUNK_MOST = 1024
_NOTHING = Counted(np.zeros(0, np.int64), np.zeros(0, np.int64))


class Duels:
    """A `ChunkPlayer` of pairs. Its matchup number is pairing * matchups of the run + matchup; a chunk of n pairs gives
    2n rows: the n games with the first player on side a, then the same games swapped."""

    def __init__(self, info: RunInfo, cards: Mapping[str, Card], pairings: Sequence[Pairing]) -> None:
        self.info = info
        self.base = KernelPlayer(info, cards, [agent for pairing in pairings for agent in pairing])
        self.pairings(pairings)

    def pairings(self, pairings: Sequence[Pairing]) -> None:
        """Let others play; only while no chunk is open."""
        self.players = [player_records(self.info.game, list(pairing)) for pairing in pairings]

    def cold(self) -> bool:
        return self.base.cold()

    def prepare(self) -> float:
        return self.base.prepare()

    def new_lane(self) -> Lane:
        return self.base.new_lane()

    def play_chunk(self, lane: Lane, matchup: int, g0: int, n: int) -> Played:
        pairing, number = divmod(matchup, len(self.info.matchups))
        rows = lane.clear(2 * n)
        for swapped in (0, 1):
            done = 0
            while done < n:
                lane.own[0] = 0
                done += batch.play_chunk(
                    lane.state,
                    self.base.tables(number),
                    self.players[pairing][swapped:],
                    self.base.keys[number],
                    g0 + done,
                    n - done,
                    0,
                    rows[swapped * n + done :],
                    lane.cards[0],
                    lane.own,
                    lane.turns,
                )
        return Played(rows, _NOTHING, _NOTHING, _NOTHING)


def duel_player(cards: Mapping[str, Card], pairings: Sequence[Pairing], info: RunInfo) -> ChunkPlayer:
    """What plays pairs: as a function of the run comes last, a worker elsewhere can make its own."""
    return Duels(info, cards, pairings)


def joint_of(rows: np.ndarray) -> Joint:
    """Results of the pairs of a chunk."""
    n = len(rows) // 2
    # winner: 0 and 1 for the sides, 2 for a draw, -1 for an unfinished game
    on_a = np.array([2, 0, 1, 3])[rows["winner"][:n]]
    on_b = np.array([0, 2, 1, 3])[rows["winner"][n:]]
    joint = np.zeros((4, 4), np.int64)
    np.add.at(joint, (on_a, on_b), 1)
    return joint


class Tally(msgspec.Struct):
    """Results of pairs so far. done: matchup to the g before which its pairs are counted; joints: their results."""

    done: dict[int, int] = {}
    joints: dict[int, list[list[int]]] = {}

    def joint(self, matchup: int) -> Joint:
        """int64[4, 4]; zeros where nothing is counted."""
        return np.array(self.joints.get(matchup, np.zeros((4, 4))), np.int64)


def play_pairs(
    engine: Engine,
    wanted: Mapping[int, tuple[int, int]],
    tally: Tally,
    tell: Callable[[int], None] = lambda pairs: None,
    stop: threading.Event | None = None,
    keep: Callable[[], None] = lambda: None,
) -> bool:
    """Play pairs g0 <= g < g1 of each matchup in `wanted` that `tally` lacks, and add their results to it; whether all
    are played, which they are unless `stop` was set.

    tell: pairs since the last call; keep: called now and then. Pairs are counted in the order of g, so that the tally
    can be gone on with at any time. Sums do not depend on the speed of the machine, though the chunks do.
    """
    for matchup, (g0, _) in wanted.items():
        tally.done[matchup] = max(g0, tally.done.get(matchup, g0))
    todo = [(m, tally.done[m], g1) for m, (_, g1) in wanted.items() if tally.done[m] < g1][::-1]
    waiting: dict[tuple[int, int], tuple[int, Joint]] = {}
    size, open_ = 1, 0
    while todo or open_:
        if stop is not None and stop.is_set() and todo:
            todo.clear()
            open_ -= engine.take_back()
            continue
        while todo and open_ < 3 * engine.workers:
            matchup, g0, g1 = todo.pop()
            cut = min(g1, g0 + size)
            engine.submit(Chunk(matchup, g0, cut - g0))
            open_ += 1
            if cut < g1:
                todo.append((matchup, cut, g1))
        found = engine.result(0.2)
        if found is None:
            continue
        chunk, played, seconds = found
        open_ -= 1
        size = max(1, min(CHUNK_MOST, int(chunk.n * CHUNK_SECONDS / max(seconds, 1e-4)), 4 * size))
        m = chunk.matchup
        waiting[m, chunk.g0] = chunk.n, joint_of(played.rows)
        while (m, tally.done[m]) in waiting:
            n, joint = waiting.pop((m, tally.done[m]))
            tally.joints[m] = (tally.joint(m) + joint).tolist()
            tally.done[m] += n
            tell(n)
        keep()
    return all(tally.done[m] >= g1 for m, (_, g1) in wanted.items())


def finished_games(joint: Joint) -> Joint:
    """The pairs of which both games have a result: int64[3, 3]."""
    return joint[:3, :3]

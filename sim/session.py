"""One go at a run: plays what its folder lacks.

Games are played in rounds: a round is a short range of g of all matchups, cut into one chunk a matchup. Rounds are
closed in order, so what is written is always a prefix of g, the same for every matchup. Which rounds and chunks there
are depends on the speed of the machine; what the files hold does not.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sim.blocks import active, block_ranges
from sim.collect import Collected, Tables
from sim.engines import Chunk, Engine, Played
from sim.errors import Interrupted
from sim.folder import RunFolder
from sim.places import readable_errors
from sim.results import RunInfo
from sim.until import ends, limit, looks, parse_until

CHUNK_SECONDS = 0.1
"""A chunk is cut to about this long, so that a run can be stopped and its progress seen."""
CHUNK_MOST = 2048
QUEUE_SECONDS = 0.8
"""Work that lies ready for each worker while a block is being written."""
SAVE_SECONDS = 30.0
"""A block that takes long is written unfinished about this often."""
ROUNDS_AHEAD = 64
"""A round is not started while one so much older is open: bounds what waits in memory for a slow chunk."""


class Progress(Protocol):
    """What a run tells while it goes on. Games are counted over all matchups."""

    def say(self, text: str) -> None:
        """One line for people."""

    def compiling(self) -> contextlib.AbstractContextManager[None]:
        """The engine is being compiled, which takes about a minute."""

    def playing(self, done: int, total: int) -> contextlib.AbstractContextManager[Callable[[int], None]]:
        """Games are being played, `done` of them before; the function is told how many there are now."""


class Silent:
    """Tells nothing."""

    def say(self, text: str) -> None:
        pass

    def compiling(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def playing(self, done: int, total: int) -> contextlib.AbstractContextManager[Callable[[int], None]]:
        return contextlib.nullcontext(lambda done: None)


def finished(info: RunInfo) -> bool:
    """Whether the files hold all that was asked for."""
    goal = info.games
    if info.until:
        if not info.looked or (info.looked < info.games and active(info, info.looked)):
            return False
        goal = info.looked
    return sum(info.games_between(block.g0, block.g1) for block in info.blocks) >= info.games_between(0, goal)


class Round(NamedTuple):
    """Games g0 <= g < g1 of the matchups that play them, in the block that covers `start` <= g < `end`."""

    block: int
    start: int
    end: int
    g0: int
    g1: int
    matchups: tuple[int, ...]


class Session:
    """One go at a run: plays what its folder lacks."""

    def __init__(
        self, folder: RunFolder, engine: Engine, chunk: int | None, stop: threading.Event, tell: Progress
    ) -> None:
        self.folder, self.engine, self.chunk, self.stop, self.tell = folder, engine, chunk, stop, tell
        self.matchups = len(folder.info.matchups)
        self.tables = Tables(folder.info)
        self.size = chunk or 4
        self.ready = 3  # chunks in the queue for each worker
        self.open: dict[int, tuple[Round, list[tuple[Chunk, Played]]]] = {}
        self.closed = 0  # rounds closed so far
        self.collected: Collected | None = None
        self.last = Round(0, 0, 0, 0, 0, ())  # the round closed last
        self.writing = False  # stays set where writing failed: it is not tried again
        self.saved = time.monotonic()
        self.clock = time.monotonic()

    def play(self) -> None:
        """Play to the end. Raises Interrupted where `stop` was set; the finished rounds are written then."""
        info = self.folder.info
        if not info.until:
            self._play_to(info.games)
            return
        if info.looked:
            self._play_to(info.looked)  # where files were lost
        at = looks(info.games)
        for number, games in enumerate(at, 1):
            if games <= info.looked:
                continue
            playing = active(info, games - 1)
            if not playing:
                break
            if len(at) > 1:
                self.tell.say(f"look {number} of {len(at)}: {games:,} games a pair, {len(playing)} still played")
            self._play_to(games)
            self._look(games)

    def _play_to(self, games: int) -> None:
        """Play what is missing of the first `games` games of each matchup."""
        info = self.folder.info
        total = info.games_between(0, games)
        done = sum(info.games_between(block.g0, min(block.g1, games)) for block in info.blocks)
        work = self._chunks(games)
        pending, said = 0, False
        with self.tell.playing(done, total) as update:
            try:
                while True:
                    if self.stop.is_set() and not said:
                        said = True
                        pending -= self.engine.take_back()
                        self.tell.say("stopping when the chunks in play are done; once more stops at once")
                    while pending < self.ready * self.engine.workers and not self.stop.is_set():
                        chunk = next(work, None)
                        if chunk is None:
                            break
                        self.engine.submit(chunk)
                        pending += 1
                    if not pending:
                        break
                    finished = self.engine.result(0.2)
                    if finished is None:
                        continue
                    chunk, played, seconds = finished
                    pending -= 1
                    done += chunk.n
                    self._pace(chunk.n, seconds)
                    self._take(chunk, played)
                    update(done)
            finally:
                self._save_unfinished()
        if self.stop.is_set() and done < total:
            raise Interrupted(
                f"stopped; {info.played:,} of {info.games:,} games a pair are kept in {self.folder.place.where}. "
                "The same command goes on from there."
            )

    def _look(self, games: int) -> None:
        """End the matchups that the rule of the run ends here, by their first `games` games and nothing else."""
        info = self.folder.info
        rule, alone = parse_until(info.until), [a == b for a, b in info.matchups]
        z = limit(rule, info.games, games, len(alone) - sum(alone))
        if games < info.games:
            counts = self._results(games)
            for m in active(info, games - 1):
                # a mirror has no verdict to wait for
                if (alone[m] and not rule.width) or ends(rule, z, *map(int, counts[m])):
                    info.stops[m] = games
        info.looked = games
        with readable_errors(self.folder.place.where):
            self.folder.save()

    def _results(self, games: int) -> np.ndarray:
        """Wins of side a, draws and losses of each matchup in its first `games` games."""
        winners = pa.array(["a", "draw", "b"])
        counts = np.zeros((self.matchups, 3), np.int64)
        for block in self.folder.info.blocks:
            data = self.folder.read("games", block, ["matchup", "g", "winner"])
            result = pc.index_in(data["winner"], winners).fill_null(-1).to_numpy()
            valid = (result >= 0) & (data["g"].to_numpy() < games)
            np.add.at(counts, (data["matchup"].to_numpy()[valid], result[valid]), 1)
        return counts

    def _rounds(self, games: int) -> Iterator[Round]:
        """The rounds up to `games` that the folder lacks, in the order of g; their length follows `self.size`."""
        info = self.folder.info
        written = {block.index: block.g1 for block in info.blocks}
        # A round ends where a matchup was stopped, and where one may be.
        marks = sorted({*info.stops.values(), games})
        for index, start, end in block_ranges(info):
            g = written.get(index, start)
            while g < min(end, games) and (playing := tuple(active(info, g))):
                stop = next(mark for mark in marks if mark > g)
                part = Round(index, start, end, g, min(g + self.size, end, stop), playing)
                yield part
                g = part.g1

    def _chunks(self, games: int) -> Iterator[Chunk | None]:
        """One chunk a matchup of each round; None while older rounds must be closed first."""
        for number, part in enumerate(self._rounds(games), self.closed):
            while number - self.closed >= ROUNDS_AHEAD:
                yield None
            self.open[number] = part, []
            for matchup in part.matchups:
                yield Chunk(matchup, part.g0, part.g1 - part.g0, number)

    def _pace(self, n: int, seconds: float) -> None:
        """Let rounds grow or shrink towards chunks of `CHUNK_SECONDS`; enough of them lie ready for `QUEUE_SECONDS`."""
        self.ready = max(3, min(24, int(QUEUE_SECONDS / max(seconds, 1e-3)) + 1))
        if self.chunk is None:
            fit = int(CHUNK_SECONDS * n / max(seconds, 1e-6))
            self.size = max(1, min(CHUNK_MOST, fit, 4 * self.size))
            if self.size >= 4:
                self.size -= self.size % 4

    def _take(self, chunk: Chunk, played: Played) -> None:
        self.open[chunk.round][1].append((chunk, played))
        while self.closed in self.open:
            part, results = self.open[self.closed]
            if len(results) < len(part.matchups):
                break
            del self.open[self.closed]
            self.closed += 1
            self._close(part, results)

    def _close(self, part: Round, results: list[tuple[Chunk, Played]]) -> None:
        """Add a finished round to its block; write the block where it is whole, or once in a while."""
        if self.collected is None:
            before = self.folder.block(part.block)
            self.collected = Collected(self.tables, self.folder.load(before) if before else None)
        for chunk, played in results:
            self.collected.add(chunk.matchup, chunk.g0, played)
        self.last = part
        if part.g1 == part.end:
            self._save(part)
            self.collected = None
        elif time.monotonic() - self.saved > SAVE_SECONDS:
            self._save(part)

    def _save(self, part: Round) -> None:
        assert self.collected is not None
        self.writing = True
        now = time.monotonic()
        self.folder.info.seconds += now - self.clock
        self.clock = self.saved = now
        tables = self.collected.build()
        wanted = self.folder.info.games_between(part.start, part.g1)
        if tables["games"].num_rows != wanted:
            raise RuntimeError(f"{tables['games'].num_rows} rows for {wanted} games: a bug in runs")
        self.folder.commit(part.block, part.start, part.g1, {name: [table] for name, table in tables.items()})
        self.writing = False

    def _save_unfinished(self) -> None:
        """Write what is finished of the block that is being played."""
        if self.collected is not None and not self.writing:
            self._save(self.last)
            self.collected = None


class Signals:
    """Ctrl-C and SIGTERM while it is entered: once `gentle`, the first one sets `stop`, before and after that they
    raise KeyboardInterrupt. Does nothing outside of the main thread, where Python takes no signals."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.gentle = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def take(self) -> None:
        """Be gentle from here on. Takes the signals once more: Ray takes one of them when it starts."""
        self.gentle = True
        if self._before:
            for number in self._before:
                signal.signal(number, self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if not self.gentle or self.stop.is_set():
            raise KeyboardInterrupt
        self.stop.set()

"""Worker threads of this process: kernels release the interpreter lock, so chunks run side by side."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time

from sim.engines import Chunk, ChunkPlayer, Played


def usable_cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


class LocalEngine:
    """An `Engine` of threads, each with a lane of its own."""

    def __init__(self, player: ChunkPlayer, threads: int | None = None) -> None:
        self.player = player
        self.workers = threads or usable_cores()
        self._todo: queue.SimpleQueue[Chunk | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[Chunk, Played, float] | BaseException] = queue.SimpleQueue()
        for i in range(self.workers):
            threading.Thread(target=self._work, name=f"cardmill-{i}", daemon=True).start()

    def _work(self) -> None:
        try:
            lane = self.player.new_lane()
            while (chunk := self._todo.get()) is not None:
                start = time.perf_counter()
                played = self.player.play_chunk(lane, chunk.matchup, chunk.g0, chunk.n)
                self._done.put((chunk, played, time.perf_counter() - start))
        except BaseException as error:  # handed to the thread that waits for results
            self._done.put(error)

    def submit(self, chunk: Chunk) -> None:
        self._todo.put(chunk)

    def result(self, timeout: float) -> tuple[Chunk, Played, float] | None:
        try:
            done = self._done.get(timeout=timeout)
        except queue.Empty:
            return None
        if isinstance(done, BaseException):
            raise done
        return done

    def take_back(self) -> int:
        taken = 0
        with contextlib.suppress(queue.Empty):
            while True:
                self._todo.get_nowait()
                taken += 1
        return taken

    def close(self) -> None:
        for _ in range(self.workers):
            self._todo.put(None)

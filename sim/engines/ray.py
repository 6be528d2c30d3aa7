"""A Ray cluster as workers: the same chunks as tasks, on a cluster that runs or one that is started here.

Every worker process makes its player once for a run; kernels are compiled once for each machine, since processes that
find them missing wait for the one that compiles (kernels/cache.py). A task that is lost with its machine is started
again elsewhere by Ray; what a task gives depends on its chunk alone, so that the rows are those of a local run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec

from sim.cards.ast import Card
from sim.engines import Chunk, ChunkPlayer, Played
from sim.errors import RunError
from sim.provenance import engine_hash
from sim.results import RunInfo

TRIES = 5
"""How often a chunk is handed in again where Ray itself gives up on it."""

Made = Callable[[RunInfo], ChunkPlayer]
_players: dict[str, tuple[ChunkPlayer, Any]] = {}
"""In a worker: the player and the lane of the run that it works for."""


def play(name: str, asked: bytes, cards: dict[str, Card], make: Made | None, chunk: Chunk) -> tuple[Played, float]:
    """The task: play a chunk; with the seconds that it took. name: of the run, for this session."""
    if name not in _players:
        info = msgspec.json.decode(asked, type=RunInfo)
        if make is not None:
            player = make(info)
        else:
            from sim.engines.kernel import KernelPlayer

            if engine_hash(info.game) != info.hashes["engine"]:
                raise RunError("a worker has another version of the engine; install the same cardmill on all machines")
            player = KernelPlayer(info, cards)
        player.prepare()
        _players.clear()
        _players[name] = player, player.new_lane()
    player, lane = _players[name]
    start = time.perf_counter()
    played = player.play_chunk(lane, chunk.matchup, chunk.g0, chunk.n)
    return played, time.perf_counter() - start


class RayEngine:
    """An `Engine` of Ray tasks, one core each. workers: the cores of the cluster, or fewer."""

    def __init__(
        self, info: RunInfo, cards: dict[str, Card], workers: int | None, make: Made | None, say: Callable[[str], None]
    ) -> None:
        try:
            import ray
        except ImportError:
            raise RunError("--engine ray needs the package ray: pip install 'cardmill[ray]'") from None
        self.ray = ray
        self.started = not ray.is_initialized()
        if self.started:
            # RAY_ADDRESS, else the cluster that runs on this machine, else one that is started for this run
            try:
                ray.init(log_to_driver=False, logging_level="error", include_dashboard=False)
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise RunError(f"no Ray cluster can be reached or started: {str(error).splitlines()[0]}") from None
        self.most = workers
        nodes = [node for node in ray.nodes() if node["Alive"]]
        say(
            f"Ray: {len(nodes)} machine{'s' * (len(nodes) != 1)}, {self.workers} cores; a machine that has not played "
            "before compiles the engine first, about a minute"
        )
        self._name = f"{time.time_ns():x}"
        self._task = ray.remote(num_cpus=1, max_retries=-1, scheduling_strategy="SPREAD")(play)
        self._given = [ray.put(msgspec.json.encode(info)), ray.put(cards)]
        self._make = make
        self._open: dict[Any, tuple[Chunk, int]] = {}

    @property
    def workers(self) -> int:
        """Cores that the cluster has now: machines may come and go."""
        cores = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        return min(cores, self.most or cores)

    def submit(self, chunk: Chunk, tries: int = 0) -> None:
        asked, cards = self._given
        self._open[self._task.remote(self._name, asked, cards, self._make, chunk)] = chunk, tries

    def result(self, timeout: float) -> tuple[Chunk, Played, float] | None:
        ready, _ = self.ray.wait(list(self._open), num_returns=1, timeout=timeout)
        if not ready:
            return None
        chunk, tries = self._open.pop(ready[0])
        errors = self.ray.exceptions
        try:
            played, seconds = self.ray.get(ready[0])
        except errors.RayTaskError as error:  # raised by the player itself, and would be again
            raise error.cause if isinstance(error.cause, Exception) else error from None
        except errors.RayError as error:  # lost with a machine or a process
            if tries >= TRIES:
                raise RunError(f"Ray has lost the same chunk {TRIES} times: {str(error).splitlines()[0]}") from None
            self.submit(chunk, tries + 1)
            return None
        return chunk, played, seconds

    def take_back(self) -> int:
        """Withdraws nothing: which tasks have begun is Ray's to know, and those that lie ready are few."""
        return 0

    def close(self) -> None:
        for task in self._open:
            self.ray.cancel(task, force=False)
        self._open.clear()
        if self.started:
            self.ray.shutdown()

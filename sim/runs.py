"""Runs: every pair of decks, many games each, into a run folder that survives any kill.

    run = simulate(["a.toml", "b.toml"], games=100_000, agent="greedy", seed=7)

Games are played in rounds: a round is a short range of g of all matchups, cut into one chunk a matchup. Rounds are
closed in order, so what is written is always a prefix of g, the same for every matchup. Which rounds and chunks there
are depends on the speed of the machine; what the files hold does not.
"""

from __future__ import annotations

import contextlib
import secrets
import shlex
import signal
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sim.agents import parse_agent
from sim.cards import load_cards
from sim.cards.ast import Card
from sim.collect import Collected, Tables
from sim.coverage import of_decks
from sim.decks import Deck, load_decks
from sim.engines import Chunk, ChunkPlayer, Engine, Played
from sim.engines.local import LocalEngine
from sim.errors import Interrupted, RunError
from sim.folder import RunFolder, block_size, existing
from sim.provenance import cards_hash, engine_hash, machine, versions
from sim.results import VERSION, AgentInfo, DeckInfo, RunInfo, read_info

if TYPE_CHECKING:
    import polars as pl

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


class Run:
    """A run folder: where it is, what it holds. The analysis takes it, or its path."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def info(self) -> RunInfo:
        """What was asked and how it was played."""
        return read_info(self.path)

    def scan(self, table: str) -> pl.LazyFrame:
        """A table of the run: games, cards, checks or turns."""
        import polars as pl

        return pl.scan_parquet(self.path / table / "*.parquet")

    @property
    def games(self) -> pl.LazyFrame:
        """One row a game."""
        return self.scan("games")

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"


def open_run(path: str | Path) -> Run:
    """The run in a folder. Raises RunError where there is none."""
    if existing(Path(path)) is None:
        raise RunError("is not a run folder (no run.json in it)", str(path))
    return Run(Path(path))


def simulate(
    decks: Sequence[str | Path | Deck],
    games: int = 10_000,
    agent: str = "greedy",
    versus: str | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    *,
    game: str = "palworld",
    cards: Iterable[str | Path] = (),
    mirrors: bool = False,
    rules: Mapping[str, int] | None = None,
    only: Collection[str] | None = None,
    threads: int | None = None,
    engine: str = "local",
    chunk: int | None = None,
    progress: Progress | None = None,
    player: Callable[[RunInfo], ChunkPlayer] | None = None,
) -> Run:
    """Play `games` games of every pair of decks, or go on with the run that `out` holds.

    decks: files, names of built-in decks, or `Deck`s. agent: both seats; with `versus` each matchup is played in both
    assignments. seed: 0 to 2**64 - 1; without one, that of the run in `out`, else a random one. out: the run folder;
    without one a temporary folder that goes away with the returned object. cards: card files of your own. mirrors: each
    deck against itself too. rules: switches of the game (`sim.games.<game>.RULES`) with other values. only: names of
    decks; pairs without one of them are left out. threads: worker threads, default one a core. chunk: games in a chunk,
    default by speed.

    Raises InputError for anything that cannot be played, before anything is written, and Interrupted on Ctrl-C.
    """
    tell = progress or Silent()
    files = [Path(file) for file in cards]
    wanted, used = plan(
        decks,
        games,
        agent,
        versus,
        seed,
        Path(out) if out is not None else None,
        game,
        files,
        mirrors,
        tell,
        rules,
        only,
    )
    if engine != "local":
        raise RunError(f"unknown engine {engine!r} (known: local)")
    if threads is not None and not 1 <= threads <= 1024:
        raise RunError(f"--threads {threads}: 1 or more")
    if chunk is not None and chunk < 1:
        raise RunError(f"--chunk {chunk}: 1 or more")
    path = Path(out) if out is not None else Path(tempfile.mkdtemp(prefix="cardmill-"))
    with RunFolder.open(path, wanted) as folder:
        if folder.info.played < folder.info.games:
            if player is None:
                from sim.engines.kernel import KernelPlayer

                made: ChunkPlayer = KernelPlayer(folder.info, used)
            else:
                made = player(folder.info)
            with Signals() as signals:
                _prepare(made, folder.info, tell)
                signals.gentle = True
                workers = LocalEngine(made, threads)
                try:
                    Session(folder, workers, chunk, signals.stop, tell).play()
                finally:
                    workers.close()
    run = Run(path)
    if out is None:
        weakref.finalize(run, _remove, path)
    return run


def _remove(path: Path) -> None:
    import shutil

    shutil.rmtree(path, ignore_errors=True)


# ---------------------------------------------------------------------------------------------------------------
# what is asked


def plan(
    decks: Sequence[str | Path | Deck],
    games: int,
    agent: str,
    versus: str | None,
    seed: int | None,
    out: Path | None,
    game: str,
    files: Sequence[Path],
    mirrors: bool,
    tell: Progress,
    rules: Mapping[str, int] | None = None,
    only: Collection[str] | None = None,
) -> tuple[RunInfo, dict[str, Card]]:
    """Everything that decides the run, checked; and the cards it may use. Writes nothing."""
    from sim.games import columns_of, load_game

    module, declared = load_game(game), columns_of(game)
    step = 4 if versus else 2
    if games < 1:
        raise RunError(f"--games {games}: 1 or more are needed")
    if games % step:
        why = "both assignments of the agents and both seats" if versus else "both seats"
        raise RunError(f"--games {games}: must be a multiple of {step}, so that {why} are played equally often")
    pool = load_cards(game, files)
    found = [deck for deck in decks if isinstance(deck, Deck)]
    if len(found) != len(decks):
        if found:
            raise RunError("decks are given either as files or names, or as Deck objects, not both")
        found = load_decks([deck for deck in decks if not isinstance(deck, Deck)], pool, game)
    if len({deck.name for deck in found}) != len(found):
        raise RunError("decks of one run must have different names")
    matchups = [(i, j) for i in range(len(found)) for j in range(i, len(found)) if i != j or mirrors]
    if only is not None:
        matchups = [pair for pair in matchups if not {found[i].name for i in pair}.isdisjoint(only)]
    if not matchups:
        raise RunError(
            "no pair of decks to play: give two decks or more" + ("" if not found else ", or one with --mirrors")
        )
    agents = [parse_agent(text, module.AGENTS) for text in (agent, versus) if text is not None]
    if len(agents) == 2 and agents[0].label == agents[1].label:
        raise RunError(f"--versus {versus}: the same agent as --agent; leave --versus out")
    there = existing(out) if out is not None else None
    if seed is None:
        if there is not None:
            seed = there.seed
        else:
            seed = secrets.randbits(63)
            tell.say(f"seed {seed}")
    elif not 0 <= seed < 2**64:
        raise RunError(f"--seed {seed}: a seed is a number from 0 to 2^64 - 1 ({2**64 - 1})")
    used = {number: pool[number] for deck in found for number in deck.counts}
    info = RunInfo(
        version=VERSION,
        game=game,
        seed=seed,
        games=games,
        decks=[DeckInfo(deck.name, dict(deck.counts), deck.path, deck.title, list(deck.order)) for deck in found],
        matchups=matchups,
        agents=agents,
        versus=versus is not None,
        mirrors=mirrors,
        rules={**getattr(module, "RULES", {}), **(rules or {})},
        user_cards={f"{i}-{file.name}": file.read_text(encoding="utf-8-sig") for i, file in enumerate(files, 1)},
        names={number: card.name for number, card in sorted(used.items())},
        columns=declared.COLUMNS,
        measures={name: about for name, about in declared.MEASURES.items() if about},
        own=declared.OWN,
        coverage=of_decks((deck.counts for deck in found), used),
        hashes={"engine": engine_hash(game), "cards": cards_hash(used.values())},
        versions=versions(),
        machine=machine(),
        command=shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        block_games=block_size(len(matchups)),
    )
    return info, used


def run_cards(info: RunInfo) -> dict[str, Card]:
    """The cards of a run as it was played: those of the game, and the card files that it keeps."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, text in info.user_cards.items():
            file = Path(folder) / Path(name).name
            file.write_text(text, encoding="utf-8")
            files.append(file)
        return load_cards(info.game, files)


def agent_of(info: RunInfo, g: int) -> tuple[AgentInfo, AgentInfo]:
    """The players of sides a and b in game g of a matchup."""
    a, b = info.agents if info.versus else (info.agents[0], info.agents[0])
    return (b, a) if info.versus and (g >> 1) & 1 else (a, b)


# ---------------------------------------------------------------------------------------------------------------
# playing


class Round(NamedTuple):
    """Games g0 <= g < g1 of every matchup; `block` is where they are written."""

    block: int
    g0: int
    g1: int


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
        self.start = 0  # g from which `collected` holds games
        self.last = Round(0, 0, 0)  # the round closed last
        self.writing = False  # stays set where writing failed: it is not tried again
        self.saved = time.monotonic()
        self.clock = time.monotonic()

    def play(self) -> None:
        """Play to the end. Raises Interrupted where `stop` was set; the finished rounds are written then."""
        info = self.folder.info
        total = info.games * self.matchups
        done = sum(block.g1 - block.g0 for block in info.blocks) * self.matchups
        work = self._chunks()
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
                f"stopped; {self.folder.info.played:,} of {info.games:,} games a pair are kept in {self.folder.path}. "
                "The same command goes on from there."
            )

    def _rounds(self) -> Iterator[Round]:
        """The rounds that the folder lacks, in the order of g; their length follows `self.size`."""
        info = self.folder.info
        written = {block.index: block.g1 for block in info.blocks}
        for index in range(-(-info.games // info.block_games)):
            g0 = index * info.block_games
            end = min(g0 + info.block_games, info.games)
            g = written.get(index, g0)
            while g < end:
                part = Round(index, g, min(g + self.size, end))
                yield part
                g = part.g1

    def _chunks(self) -> Iterator[Chunk | None]:
        """One chunk a matchup of each round; None while older rounds must be closed first."""
        for number, part in enumerate(self._rounds()):
            while number - self.closed >= ROUNDS_AHEAD:
                yield None
            self.open[number] = part, []
            for matchup in range(self.matchups):
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
        while self.closed in self.open and len(self.open[self.closed][1]) == self.matchups:
            part, results = self.open.pop(self.closed)
            self.closed += 1
            self._close(part, results)

    def _close(self, part: Round, results: list[tuple[Chunk, Played]]) -> None:
        """Add a finished round to its block; write the block where it is whole, or once in a while."""
        info = self.folder.info
        if self.collected is None:
            before = self.folder.block(part.block)
            self.start = part.block * info.block_games
            self.collected = Collected(self.tables, self.folder.load(before) if before else None)
        for chunk, played in results:
            self.collected.add(chunk.matchup, chunk.g0, played)
        self.last = part
        if part.g1 == min(self.start + info.block_games, info.games):
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
        if tables["games"].num_rows != (part.g1 - self.start) * self.matchups:
            raise RuntimeError(
                f"{tables['games'].num_rows} rows for {part.g1 - self.start} games a pair: a bug in runs"
            )
        self.folder.commit(part.block, self.start, part.g1, tables)
        self.writing = False

    def _save_unfinished(self) -> None:
        """Write what is finished of the block that is being played."""
        if self.collected is not None and not self.writing:
            self._save(self.last)
            self.collected = None


def _prepare(player: ChunkPlayer, info: RunInfo, tell: Progress) -> None:
    if player.cold():
        with tell.compiling():
            info.compile_seconds += player.prepare()
    else:
        player.prepare()


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

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if not self.gentle or self.stop.is_set():
            raise KeyboardInterrupt
        self.stop.set()


def summary(info: RunInfo) -> dict[str, Any]:
    """What `cardmill run` says at the end."""
    games = info.played * len(info.matchups)
    return {
        "games": games,
        "matchups": len(info.matchups),
        "games_per_matchup": info.played,
        "decks": [deck.name for deck in info.decks],
        "agents": [agent.label for agent in info.agents],
        "seed": info.seed,
        "coverage": info.coverage,
        "seconds": round(info.seconds, 3),
        "games_per_s": round(games / info.seconds, 1) if info.seconds else None,
        "compile_s": round(info.compile_seconds, 3),
    }

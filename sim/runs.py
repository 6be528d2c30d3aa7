"""Runs: every pair of decks, many games each, into a run folder that survives any kill.

run = simulate(["a.toml", "b.toml"], games=100_000, agent="greedy", seed=7)
"""

from __future__ import annotations

import secrets
import shlex
import sys
import tempfile
import weakref
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.agents import parse_agent
from sim.blocks import block_size
from sim.cards import load_cards
from sim.cards.ast import Card
from sim.compact import compact
from sim.coverage import of_decks
from sim.decks import Deck, load_decks
from sim.engines import ChunkPlayer, Engine
from sim.engines.local import LocalEngine
from sim.errors import RunError, nearest
from sim.files import read_text
from sim.folder import RunFolder, existing
from sim.places import without_secrets
from sim.provenance import cards_hash, engine_hash, machine, versions
from sim.results import VERSION, AgentInfo, DeckInfo, RunInfo, is_address, read_info, scan
from sim.session import Progress, Session, Signals, Silent, finished
from sim.until import looks, most_games, parse_until, said

if TYPE_CHECKING:
    import polars as pl

ENGINES = ("local", "ray")
GAMES = 10_000
"""Games of each pair where nothing else is asked for."""


class Run:
    """A run: where it is (a folder, or the address of a store), what it holds. The analysis takes it, or its path."""

    def __init__(self, path: Path | str) -> None:
        self.path = path

    @property
    def info(self) -> RunInfo:
        """What was asked and how it was played."""
        return read_info(self.path)

    def scan(self, table: str) -> pl.LazyFrame:
        """A table of the run: games, cards, checks, turns, or events where it has them."""
        return scan(self.path, table, [block.index for block in self.info.blocks])

    @property
    def games(self) -> pl.LazyFrame:
        """One row a game."""
        return self.scan("games")

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"


def open_run(path: str | Path) -> Run:
    """The run in a folder. Raises RunError where there is none."""
    if existing(path) is None:
        raise RunError("is not a run folder (no run.json in it)", without_secrets(str(path)))
    return Run(path if is_address(path) else Path(path))


def simulate(
    decks: Sequence[str | Path | Deck],
    games: int | None = None,
    agent: str = "greedy",
    versus: str | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    *,
    until: str | None = None,
    events: bool = False,
    game: str = "palworld",
    cards: Iterable[str | Path] = (),
    mirrors: bool = False,
    rules: Mapping[str, int] | None = None,
    only: Collection[str] | None = None,
    pairs: Collection[tuple[str, str]] | None = None,
    threads: int | None = None,
    engine: str = "local",
    chunk: int | None = None,
    progress: Progress | None = None,
    player: Callable[[RunInfo], ChunkPlayer] | None = None,
) -> Run:
    """Play `games` games of every pair of decks, or go on with the run that `out` holds.

    decks: files, names of built-in decks, or `Deck`s. agent: both seats; with `versus` each matchup is played in both
    assignments. seed: 0 to 2**64 - 1; without one, that of the run in `out`, else a random one. out: the run folder or
    the address of a store (s3://bucket/folder); without one a temporary folder that goes away with the returned object.
    until: `decided` or `±0.5%`: games go to the pairs that are not known yet (docs/runs.md), `games` is the most then.
    events: one row for each event of each game too, which is slow. cards: card files of your own. mirrors: each deck
    against itself too. rules: switches of the game (`sim.games.<game>.RULES`) with other values. only: names of decks;
    pairs without one of them are left out. pairs: of names of decks, in either order; no others are played. engine:
    `local` or `ray`. threads: workers, default one a core. chunk: games in a chunk, default by speed.

    Raises InputError for anything that cannot be played, before anything is written, and Interrupted on Ctrl-C.
    """
    tell = progress or Silent()
    files = [Path(file) for file in cards]
    if engine not in ENGINES:
        raise RunError(f"unknown engine {engine!r}{nearest(engine, ENGINES)} (known: {', '.join(ENGINES)})")
    if threads is not None and not 1 <= threads <= 100_000:
        raise RunError(f"--threads {threads}: 1 to 100,000")
    if chunk is not None and chunk < 1:
        raise RunError(f"--chunk {chunk}: 1 or more")
    wanted, used = plan(
        decks, games, agent, versus, seed, out, game, files, mirrors, tell, until, events, rules, only, pairs
    )
    path: Path | str = Path(tempfile.mkdtemp(prefix="cardmill-")) if out is None else out
    if not is_address(path):
        path = Path(path)
    with RunFolder.open(path, wanted) as folder:
        if not folder.place.renames:
            tell.say(f"{folder.place.where}: cannot be locked; let no other process write this run meanwhile")
        if not finished(folder.info):
            with Signals() as signals:
                workers = workers_of(engine, folder.info, used, threads, player, tell)
                try:
                    signals.take()
                    Session(folder, workers, chunk, signals.stop, tell).play()
                finally:
                    workers.close()
        compact(folder)
    run = Run(path)
    if out is None:
        weakref.finalize(run, _remove, path)
    return run


def workers_of(
    engine: str,
    info: RunInfo,
    used: dict[str, Card],
    threads: int | None,
    player: Callable[[RunInfo], ChunkPlayer] | None,
    tell: Progress,
) -> Engine:
    """The workers that were asked for, ready to play."""
    if engine == "ray":
        from sim.engines.ray import RayEngine

        return RayEngine(info, used, threads, player, tell.say)
    if player is None:
        from sim.engines.kernel import KernelPlayer

        made: ChunkPlayer = KernelPlayer(info, used)
    else:
        made = player(info)
    if made.cold():
        with tell.compiling():
            info.compile_seconds += made.prepare()
    else:
        made.prepare()
    return LocalEngine(made, threads)


def _remove(path: Path | str) -> None:
    import shutil

    shutil.rmtree(path, ignore_errors=True)


# ---------------------------------------------------------------------------------------------------------------
# what is asked


def plan(
    decks: Sequence[str | Path | Deck],
    games: int | None,
    agent: str,
    versus: str | None,
    seed: int | None,
    out: str | Path | None,
    game: str,
    files: Sequence[Path],
    mirrors: bool,
    tell: Progress,
    until: str | None = None,
    events: bool = False,
    rules: Mapping[str, int] | None = None,
    only: Collection[str] | None = None,
    pairs: Collection[tuple[str, str]] | None = None,
) -> tuple[RunInfo, dict[str, Card]]:
    """Everything that decides the run, checked; and the cards it may use. Writes nothing."""
    from sim.games import columns_of, load_game

    module, declared = load_game(game), columns_of(game)
    rule = parse_until(until) if until is not None else None
    if games is None:
        games = GAMES if rule is None else most_games(rule)
    step = 4 if versus else 2
    if games < 1:
        raise RunError(f"--games {games}: 1 or more are needed")
    if games % step:
        why = "both assignments of the agents and both seats" if versus else "both seats"
        raise RunError(f"--games {games}: must be a multiple of {step}, so that {why} are played equally often")
    if rule is not None:
        looks(games)
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
    if pairs is not None:
        wanted = {frozenset(pair) for pair in pairs}
        matchups = [(i, j) for i, j in matchups if frozenset((found[i].name, found[j].name)) in wanted]
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
        user_cards={f"{i}-{file.name}": read_text(file) for i, file in enumerate(files, 1)},
        names={number: card.name for number, card in sorted(used.items())},
        columns=declared.COLUMNS,
        measures={name: about for name, about in declared.MEASURES.items() if about},
        own=declared.OWN,
        coverage=of_decks((deck.counts for deck in found), used),
        hashes={"engine": engine_hash(game), "cards": cards_hash(used.values())},
        versions=versions(),
        machine=machine(),
        command=without_secrets(shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        block_games=block_size(len(matchups), events),
        events=events,
        until=rule.text if rule is not None else "",
    )
    tell.say(said(rule, games, sum(a != b for a, b in matchups) or 1))
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


def summary(info: RunInfo) -> dict[str, Any]:
    """What `cardmill run` says at the end."""
    each = [info.games_of(m) for m in range(len(info.matchups))]
    games = sum(each)
    return {
        "games": games,
        "matchups": len(info.matchups),
        "games_per_matchup": info.played,
        "games_each": each,
        "until": info.until or None,
        "stopped_early": len(info.stops),
        "decks": [deck.name for deck in info.decks],
        "agents": [agent.label for agent in info.agents],
        "seed": info.seed,
        "coverage": info.coverage,
        "seconds": round(info.seconds, 3),
        "games_per_s": round(games / info.seconds, 1) if info.seconds else None,
        "compile_s": round(info.compile_seconds, 3),
    }

"""How fast this machine plays: one core, all counts and signatures on, compile time apart."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kernels.agents import AGENTS, GREEDY
from sim.agents import parse_agent
from sim.cards import load_cards
from sim.decks import load_decks
from sim.games import known_games, load_game
from sim.results import VERSION, DeckInfo, RunInfo

SEED = 1
CHUNK = 256

Compiling = Callable[[], contextlib.AbstractContextManager[None]]


def bench_info(game: str, agent: str) -> tuple[RunInfo, dict]:
    """The run that is measured, and its cards."""
    module, cards = load_game(game), load_cards(game)
    decks = load_decks(module.BENCH_DECKS, cards, game)
    info = RunInfo(
        version=VERSION,
        game=game,
        seed=SEED,
        games=CHUNK,
        decks=[DeckInfo(deck.name, dict(deck.counts)) for deck in decks],
        matchups=[(0, 1)],
        agents=[parse_agent(agent, module.AGENTS)],
    )
    return info, cards


def measure(
    game: str | None = None,
    agents: Sequence[str] | None = None,
    games: int = 20_000,
    compiling: Compiling = contextlib.nullcontext,
    entries: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """The result that `cardmill bench --json` prints: CPU time of the playing thread, the same games every time.

    compile_s: wall time to compile, or to load what is cached. An entry's signature is the XOR over those of its games.
    compiling: entered while kernels are compiled, which takes about a minute. entries: takes each when done.
    """
    from sim.engines.kernel import KernelPlayer

    compile_s = 0.0
    entries = [] if entries is None else entries
    for name in [game] if game else known_games():
        for agent in agents or sorted(AGENTS[: GREEDY + 1]):
            player = KernelPlayer(*bench_info(name, agent))
            with compiling() if player.cold() else contextlib.nullcontext():
                compile_s += player.prepare()
            lane = player.new_lane()
            player.play_chunk(lane, 0, 0, CHUNK)  # memory is touched, clocks are up
            decisions, signature, start = 0, 0, time.thread_time()
            for g0 in range(0, games, CHUNK):
                rows = player.play_chunk(lane, 0, g0, min(CHUNK, games - g0)).rows
                decisions += int(rows["decisions"].sum())
                signature ^= int(np.bitwise_xor.reduce(rows["signature"]))
            seconds = max(time.thread_time() - start, 1e-9)
            entries.append(
                {
                    "game": name,
                    "agent": agent,
                    "games_per_s": games / seconds,
                    "decisions_per_s": decisions / seconds,
                    "ns_per_decision": 1e9 * seconds / max(decisions, 1),
                    "decisions_per_game": decisions / games,
                    "signature": f"{signature:016x}",
                }
            )
    return {"compile_s": compile_s, "entries": entries}

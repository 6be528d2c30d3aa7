"""A ladder: every player against every other over many decks, on the same seeds (statistics 3.4, 3.5).

    played = ladder(["greedy", "random"], ["a.toml", "b.toml"], games=400, seed=7)

A game is played twice on the same seed with the players swapped (`sim.duels`): deck, seat and shuffles are the same for
both players, and what is left is the difference between them. Each deck is played against each other and itself.
"""

from __future__ import annotations

import functools
import json
import secrets
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from sim.agents import parse_agent
from sim.decks import built_in_decks
from sim.duels import Joint, duel_player, play_pairs
from sim.engines import ChunkPlayer
from sim.errors import RunError
from sim.games import load_game
from sim.results import Duel, DuelCell, LadderInfo, RunInfo
from sim.runs import plan, workers_of
from sim.session import Progress, Silent

GAMES = 200
"""Games of each pair of players in each pair of decks, where nothing else is asked for."""
LOOK_PAIRS = 64
"""Pairs of games between two looks of a sequential test, at least."""


def known_decks(game: str) -> list[str]:
    """Decks for a comparison of players: those that are known from play between people, else all built-in ones."""
    file = Path(__file__).parent / "games" / game / "observed.json"
    if file.is_file():
        return sorted(json.loads(file.read_text(encoding="utf-8"))["shares"])
    return sorted(built_in_decks(game))


def ladder(
    agents: Sequence[str],
    decks: Sequence[str | Path] = (),
    games: int = GAMES,
    seed: int | None = None,
    *,
    game: str = "palworld",
    cards: Sequence[str | Path] = (),
    threads: int | None = None,
    engine: str = "local",
    enough: Callable[[Duel], bool] | None = None,
    progress: Progress | None = None,
    player: Callable[[RunInfo], ChunkPlayer] | None = None,
) -> LadderInfo:
    """Play each pair of players over each pair of decks, `games` games, a multiple of 4: both assignments, both seats.

    decks: files or names of built-in ones; none: `known_decks`. With `enough` a pair of players ends when it says so of
    what they have played; it is asked after the same numbers of games on every machine. Raises InputError.
    """
    tell = progress or Silent()
    players = [parse_agent(text, load_game(game).AGENTS) for text in agents]
    if len({one.label for one in players}) != len(players) or len(players) < 2:
        raise RunError("a ladder needs two players or more, all different: cardmill ladder greedy random")
    if games < 4 or games % 4:
        raise RunError(f"--games {games}: must be a multiple of 4, so that both players have both decks in both seats")
    seed = secrets.randbits(63) if seed is None else seed
    info, used = plan(
        [str(deck) for deck in decks] or known_decks(game),
        games // 2,
        agents[0],
        None,
        seed,
        None,
        game,
        [Path(file) for file in cards],
        True,
        Silent(),
    )
    pairings = list(combinations(players, 2))
    many, pairs = len(info.matchups), games // 2
    tell.say(
        f"seed {seed}; {len(pairings)} pair{'s' * (len(pairings) > 1)} of players over {many} pairs of decks, each "
        "game twice on the same seed with the players swapped (common random numbers)"
    )
    step = max(2, 2 * -(-LOOK_PAIRS // (2 * many))) if enough is not None else pairs
    joints: dict[int, Joint] = {}
    active, now, start = set(range(len(pairings))), 0, time.monotonic()
    workers = workers_of(engine, info, used, threads, player or functools.partial(duel_player, used, pairings), tell)
    try:
        with tell.playing(0, 2 * pairs * many * len(pairings)) as show:
            shown = 0

            def count(more: int) -> None:
                nonlocal shown
                shown += 2 * more
                show(shown)

            while active and now < pairs:
                then = min(now + step, pairs)
                wanted = {i * many + m: (now, then) for i in sorted(active) for m in range(many)}
                play_pairs(workers, wanted, joints, count)
                now = then
                if enough is not None:
                    active = {i for i in active if not enough(_duel(info, pairings[i], joints, i))}
    finally:
        workers.close()
    duels = [_duel(info, pairing, joints, i) for i, pairing in enumerate(pairings)]
    for i, duel in enumerate(duels):
        duel.stopped = i not in active
    names = [deck.name for deck in info.decks]
    return LadderInfo(game, seed, games, players, names, duels, time.monotonic() - start)


def _duel(info: RunInfo, pairing: Sequence, joints: dict[int, Joint], i: int) -> Duel:
    many, names = len(info.matchups), [deck.name for deck in info.decks]
    cells = []
    for m, (a, b) in enumerate(info.matchups):
        joint = joints.get(i * many + m, np.zeros((4, 4), np.int64))
        cells.append(DuelCell(names[a], names[b], joint.tolist()))
    return Duel(pairing[0].label, pairing[1].label, cells)

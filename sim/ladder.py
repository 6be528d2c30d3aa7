"""A ladder: every player against every other over many decks, on the same seeds (statistics 3.4, 3.5).

    played = ladder(["greedy", "random"], ["a.toml", "b.toml"], games=400, seed=7, out="study")

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

import msgspec

from sim.agents import parse_agent
from sim.cards.ast import Card
from sim.decks import built_in_decks
from sim.duels import Pairing, Tally, duel_player, play_pairs
from sim.engines import ChunkPlayer
from sim.errors import Interrupted, RunError
from sim.games import load_game
from sim.kept import Kept, asked_before
from sim.results import Duel, DuelCell, LadderInfo, RunInfo
from sim.runs import plan, workers_of
from sim.session import Progress, Signals, Silent

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
    rule: str = "",
    out: str | Path | None = None,
    progress: Progress | None = None,
    player: Callable[[RunInfo], ChunkPlayer] | None = None,
) -> LadderInfo:
    """Play each pair of players over each pair of decks, `games` games, a multiple of 4: both assignments, both seats.

    decks: files or names of built-in ones; none: `known_decks`. With `enough` a pair of players ends when it says so of
    what they have played; it is asked after the same numbers of games on every machine; rule: that test in words. out:
    a folder that keeps what is played, so that the same call goes on, also with more games where there is no test.

    Raises InputError, and Interrupted on Ctrl-C, with what was played so far.
    """
    tell = progress or Silent()
    players = [parse_agent(text, load_game(game).AGENTS) for text in agents]
    if len({one.label for one in players}) != len(players) or len(players) < 2:
        raise RunError("a ladder needs two players or more, all different: cardmill ladder greedy random")
    if games < 4 or games % 4:
        raise RunError(f"--games {games}: must be a multiple of 4, so that both players have both decks in both seats")
    folder = Path(out) if out is not None else None
    seed = asked_before(folder, "seed") if seed is None else seed
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
    asked = {
        "game": game,
        "seed": seed,
        "players": [one.label for one in players],
        "parameters of the players": [one.params for one in players],
        "decks": {deck.name: deck.cards for deck in info.decks},
        "what the cards do": info.hashes["cards"],
        "the engine": info.hashes["engine"],
        "test": rule or "none",
    } | ({"games": games} if enough is not None else {})
    with Kept(folder, asked, Going(list(range(len(pairings))))) as kept:
        whole = _play(kept, info, used, pairings, pairs, enough, threads, engine, player, tell)
        going = kept.state
    duels = [_duel(info, pairing, going.tally, i) for i, pairing in enumerate(pairings)]
    for i, duel in enumerate(duels):
        duel.stopped = i not in going.active
    names = [deck.name for deck in info.decks]
    played = LadderInfo(game, seed, games, players, names, duels, going.seconds)
    if not whole:
        done = 2 * sum(sum(map(sum, cell.joint)) for duel in duels for cell in duel.cells)
        end = f"kept in {folder}; the same command goes on" if folder is not None else "--out FOLDER would keep them"
        raise Interrupted(f"stopped; {done:,} of {2 * pairs * many * len(pairings):,} games are played, {end}", played)
    return played


class Going(msgspec.Struct):
    """How far a ladder is. active: pairings that no test has ended; now: pairs of each matchup at the last look."""

    active: list[int]
    now: int = 0
    tally: Tally = msgspec.field(default_factory=Tally)
    seconds: float = 0.0


def _play(
    kept: Kept[Going],
    info: RunInfo,
    used: dict[str, Card],
    pairings: Sequence[Pairing],
    pairs: int,
    enough: Callable[[Duel], bool] | None,
    threads: int | None,
    engine: str,
    player: Callable[[RunInfo], ChunkPlayer] | None,
    tell: Progress,
) -> bool:
    """Play what lacks; whether all is played. False where the user has stopped it."""
    going, many = kept.state, len(info.matchups)
    if enough is None:
        going.now = 0  # a larger ladder goes on from what is counted
    elif not going.active or going.now >= pairs:
        return True
    if enough is None and all(going.tally.done.get(m, 0) == pairs for m in range(many * len(pairings))):
        return True
    if max(going.tally.done.values(), default=0) > pairs:
        most = 2 * max(going.tally.done.values())
        raise RunError(f"holds up to {most:,} games of each pair already; games are never taken away", str(kept.folder))
    step = max(2, 2 * -(-LOOK_PAIRS // (2 * many))) if enough is not None else pairs
    with Signals() as signals:
        workers = workers_of(
            engine, info, used, threads, player or functools.partial(duel_player, used, pairings), tell
        )
        signals.take()
        clock = time.monotonic()

        def keep(now: bool = False) -> None:
            nonlocal clock
            going.seconds, clock = going.seconds + time.monotonic() - clock, time.monotonic()
            kept.save() if now else kept.save_sometimes()

        try:
            shown = 2 * sum(going.tally.done.values())
            with tell.playing(shown, 2 * pairs * many * len(pairings)) as show:

                def count(more: int) -> None:
                    nonlocal shown
                    shown += 2 * more
                    show(shown)

                while going.active and going.now < pairs:
                    then = min(going.now + step, pairs)
                    wanted = {i * many + m: (0, then) for i in going.active for m in range(many)}
                    if not play_pairs(workers, wanted, going.tally, count, signals.stop, keep):
                        return False
                    going.now = then
                    if enough is not None:
                        still = [i for i in going.active if not enough(_duel(info, pairings[i], going.tally, i))]
                        going.active = still
        finally:
            keep(True)
            workers.close()
    return True


def _duel(info: RunInfo, pairing: Pairing, tally: Tally, i: int) -> Duel:
    many, names = len(info.matchups), [deck.name for deck in info.decks]
    cells = [DuelCell(names[a], names[b], tally.joint(i * many + m).tolist()) for m, (a, b) in enumerate(info.matchups)]
    return Duel(pairing[0].label, pairing[1].label, cells)

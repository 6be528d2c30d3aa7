"""`python -m bench.peers [--seconds 2]`: random play of cardmill beside other libraries that can be installed.

    pip install essence-wars open_spiel rlcard

What is missing is said and left out. All play uniformly random options on one core, in turns, by the clock of the
thread; a decision is one with two or more options. The games differ, so a ratio says how much a decision costs, not who
plays the same game faster; peers are called from Python, as they are made for.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

ROUNDS = 3
"""Every entry is played so many times in turns; the best counts, since noise only ever adds."""


class Speed(NamedTuple):
    """What a turn of play came to. seconds: of the thread."""

    games: int
    decisions: int
    seconds: float


def timed(play: Callable[[], int], seconds: float) -> Speed:
    """Games for a while; `play` plays one and says how many decisions it had."""
    games = decisions = 0
    start = time.thread_time()
    while (spent := time.thread_time() - start) < seconds:
        decisions += play()
        games += 1
    return Speed(games, decisions, spent)


def cardmill() -> Callable[[float], Speed]:
    """Palworld, two built-in decks, the random player; counts and signatures are collected."""
    from bench.workloads import STARTERS, Workload

    workload = Workload(STARTERS, "random", 1000)
    workload.prepare()

    def play(seconds: float) -> Speed:
        games, decisions, spent = 0, 0, 0.0
        while spent < seconds:
            found = workload.play()
            games, decisions, spent = games + found.games, decisions + found.decisions, spent + found.seconds
        return Speed(games, decisions, spent)

    return play


def essence_wars() -> Callable[[], int]:
    """Essence Wars: lanes, 30-card decks, creatures and spells."""
    from essence_wars import PyGame

    game, seed = PyGame(), iter(range(1 << 62))

    def play() -> int:
        game.reset(next(seed))
        decisions = 0
        while not game.is_done():
            decisions += np.count_nonzero(game.action_mask()) > 1
            game.step(game.random_action())
        return decisions

    return play


def open_spiel(name: str) -> Callable[[], int]:
    """A card game of OpenSpiel."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += len(actions) > 1 and not state.is_chance_node()
            state.apply_action(random.choice(actions))
        return decisions

    return play


def rlcard(name: str) -> Callable[[], int]:
    """A card game of RLCard."""
    import rlcard as library

    env = library.make(name)

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            actions = list(state["legal_actions"])
            decisions += len(actions) > 1
            state, _ = env.step(random.choice(actions))
        return decisions

    return play


PEERS: dict[str, Callable[[], Callable[[], int]]] = {
    "essence-wars": essence_wars,
    "open_spiel hearts": lambda: open_spiel("hearts"),
    "open_spiel gin_rummy": lambda: open_spiel("gin_rummy"),
    "rlcard uno": lambda: rlcard("uno"),
    "rlcard gin-rummy": lambda: rlcard("gin-rummy"),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description="Random play beside other libraries.")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each entry and round")
    seconds = parser.parse_args().seconds
    ours = cardmill()
    entries: dict[str, Callable[[], Speed]] = {"cardmill palworld": lambda: ours(seconds)}
    for name, make in PEERS.items():
        try:
            play = make()
        except ImportError as error:
            print(f"{name}: left out ({error})")
            continue
        entries[name] = lambda play=play: timed(play, seconds)  # type: ignore[misc]
    best: dict[str, Speed] = {}
    for _ in range(ROUNDS):
        for name, measure in entries.items():
            found = measure()
            if name not in best or found.seconds / found.decisions < best[name].seconds / best[name].decisions:
                best[name] = found
    least = best["cardmill palworld"].seconds / best["cardmill palworld"].decisions
    print(f"{'':24}{'games/s':>12}{'decisions/game':>16}{'ns/decision':>13}{'x cardmill':>12}")
    for name, speed in best.items():
        cost = speed.seconds / speed.decisions
        print(
            f"{name:24}{speed.games / speed.seconds:12,.0f}{speed.decisions / speed.games:16.1f}{cost * 1e9:13,.0f}"
            f"{cost / least:12.1f}"
        )


if __name__ == "__main__":
    main()

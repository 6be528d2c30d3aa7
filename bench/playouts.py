"""`python -m bench.playouts`: how many decisions heavy players take a second, and how many games they play on for them.

Positions from the middle of games of greedy players, the ten decks that people played most; one core, CPU time of the
thread. A playout copies the game, takes an option and goes on: to the end, or for as many turns as the player looks.
"""

from __future__ import annotations

import itertools
import time

from bench.workloads import TEN
from sim.agents import parse_agent
from sim.engines.kernel import player_records
from sim.game import Stepped, new_game
from sim.games import load_game

PLAYOUTS = 400
POSITIONS = 40
AFTER = 30
"""Decisions before the position: games have about sixty."""
AGENTS = (f"search:playouts={PLAYOUTS},turns=0", f"search:playouts={PLAYOUTS}", f"planner:nodes={PLAYOUTS}", "planner")


def positions(count: int) -> list[Stepped]:
    """Decisions with four options or more, one in a game."""
    found: list[Stepped] = []
    table = load_game("palworld").AGENTS
    for pair in itertools.cycle(itertools.combinations(TEN, 2)):
        game = new_game(pair, seed=len(found), game="palworld")
        game.lane.log_on = 0
        game.players = player_records("palworld", [parse_agent("greedy", table)])
        for _ in range(AFTER):
            if not game.over:
                game.choose(game.pick())
        while not game.over and len(game.options()) < 4:
            game.choose(game.pick())
        if not game.over:
            found.append(game)
        if len(found) == count:
            return found
    return found


def main() -> None:
    table = load_game("palworld").AGENTS
    games = positions(POSITIONS)
    for text in AGENTS:
        agent = parse_agent(text, table)
        spent = 0.0
        for game in games:
            game.players = player_records("palworld", [agent])
            start = time.thread_time()
            game.pick()
            spent += time.thread_time() - start
        played = agent.params.get("playouts", agent.params.get("nodes", 0)) * len(games)
        print(f"{text}: {len(games) / spent:,.0f} decisions/s, about {played / spent:,.0f} playouts/s")


if __name__ == "__main__":
    main()

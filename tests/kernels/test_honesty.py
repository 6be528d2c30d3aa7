"""Players see their information set and nothing else: what is hidden from one may be anything, its choice is the same.

For a decision of a game, everything that the deciding seat cannot know is dealt anew from outside: the opponent's hand
and deck but for cards it has seen, the own deck but for known places, and the streams of random numbers but its own.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from kernels.agents import PARAMETERS
from kernels.jit import PLAIN
from sim.agents import parse_agent
from sim.engines.kernel import player_records
from sim.game import Stepped, bits, new_game
from sim.games import known_games, load_game

PLAYERS = ("random", "passive", "greedy", "planner", "search")
CHEAP = {"planner": "planner:nodes=24", "search": "search:playouts=6,turns=1"}
GAMES = 1 if PLAIN else 6
EVERY = 5 if PLAIN else 2
"""One decision in so many is looked at."""
DEALS = 3 if PLAIN else 4
pytestmark = pytest.mark.parametrize("game", known_games())


def players(game: str, name: str) -> np.ndarray:
    return player_records(game, [parse_agent(CHEAP.get(name, name), load_game(game).AGENTS)])


def fresh(game: str, seed: int) -> Stepped:
    stepped = new_game(load_game(game).BENCH_DECKS, seed=seed, game=game)
    stepped.players = players(game, "greedy")
    return stepped


def seen(S: np.void, p: int, q: int) -> int:
    """Cards of seat q in hand or deck whose place seat p knows."""
    if p == q:
        known = int(S.known[q]) if "known" in S.dtype.names else 0
        return known | int(S.hand[q])
    return int(S.shown[q]) | (int(S.pick_mask[q]) if int(S.decider) == p else 0)


def deal_anew(twin: Stepped, p: int, rng: random.Random) -> bool:
    """Give what seat p cannot know other values; whether anything has changed."""
    S = twin.lane
    before = S.tobytes()
    for q in range(2):
        fixed = seen(S, p, q)
        known = int(S.known[q]) if "known" in S.dtype.names else 0
        count = int(S.deck_count[q])
        places = [i for i in range(count) if not fixed >> int(S.deck[q, i]) & 1]
        marks = [i for i in places if known >> int(S.deck[q, i]) & 1]
        held = bits(int(S.hand[q]) & ~fixed)
        pool = held + [int(S.deck[q, i]) for i in places]
        rng.shuffle(pool)
        S.hand[q] = int(S.hand[q]) & fixed | sum(1 << slot for slot in pool[: len(held)])
        for i, slot in zip(places, pool[len(held) :], strict=True):
            S.deck[q, i] = slot
        if marks:
            S.known[q] = known & fixed | sum(1 << int(S.deck[q, i]) for i in marks)
        S.shuffle_rng[q] = rng.getrandbits(64)
        if q != p:
            S.choice_rng[q] = rng.getrandbits(64)
    return bool(S.tobytes() != before)


def test_players_are_the_ones_there_are(game: str) -> None:
    assert set(PLAYERS) == set(load_game(game).AGENTS)
    assert set(CHEAP) == set(PARAMETERS)


@pytest.mark.parametrize("name", PLAYERS)
def test_hidden_cards_do_not_matter(game: str, name: str) -> None:
    looked_at, rng = 0, random.Random(f"{game} {name}")
    for seed in range(GAMES):
        stepped = fresh(game, seed)
        step = rng.randrange(EVERY)
        while not stepped.over:
            step += 1
            if step % EVERY == 0:
                stepped.players = players(game, name)
                choice = stepped.copy().pick()
                for _ in range(DEALS):
                    twin = stepped.copy()
                    assert deal_anew(twin, int(stepped.decides), rng)
                    assert twin.fault() is None
                    assert twin.pick() == choice, f"seed {seed}, decision {int(stepped.lane.decisions)}"
                    looked_at += 1
                stepped.players = players(game, "greedy")
            stepped.choose(stepped.pick())
    assert looked_at >= (2 if PLAIN else 100)


@pytest.mark.parametrize("name", ["planner", "search"])
def test_the_own_stream_is_all_the_chance_there_is(game: str, name: str) -> None:
    """The same choice twice; thinking changes nothing of the game but the player's own stream."""
    stepped = fresh(game, 3)
    for _ in range(12):
        stepped.choose(stepped.pick())
    stepped.players = players(game, name)
    left, right = stepped.copy(), stepped.copy()
    p = int(stepped.decides)
    assert left.pick() == right.pick()
    assert left.lane.tobytes() == right.lane.tobytes()
    assert int(left.lane.choice_rng[p]) != int(stepped.lane.choice_rng[p])
    left.lane.choice_rng[p] = stepped.lane.choice_rng[p]
    assert left.lane.tobytes() == stepped.lane.tobytes()

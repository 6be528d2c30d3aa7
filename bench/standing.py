"""`python -m bench.standing`: fits the log odds of `kernels.palworld.standing`, and says how good they are.

Positions are the first decisions of turns in games of greedy players, with decks that are not known from play between
people; the result is tried on games with those that are. Printed are the numbers that a logistic regression finds
beside those that are used, and for both the mean log loss (0.693 says nothing) and how often the favourite won.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.optimize import minimize

from kernels import batch
from kernels.palworld.standing import FEATURES, FIRST, FOE, OWN
from sim.agents import parse_agent
from sim.decks import built_in_decks
from sim.engines.kernel import player_records
from sim.game import Stepped, bits, new_game
from sim.games import load_game
from sim.ladder import known_decks

GAMES_A_PAIR = 8
LEAST = 1e-6
"""Weight of the squares of the numbers, so that the regression has one answer."""


def features(game: Stepped, s: int) -> list[float]:
    """What player s has, in the order of FEATURES."""
    S, T = game.lane, game.tables
    pals, rested = int(S.bases[s]) & int(T.type_mask[s, 0]), int(S.resting[s])
    strike = [0, 0]
    for slot in bits(pals):
        strike[rested >> slot & 1] += max(int(S.strike[s << 6 | slot]), 0)
    structures, gears = ((int(S.bases[s]) & int(T.type_mask[s, kind])).bit_count() for kind in (1, 2))
    life, resources = int(S.life[s]), min(int(S.material[s]), 8) + min(int(S.ingredient[s]), 8)
    deck = max(8 - int(S.deck_count[s]), 0)
    hand = int(S.hand[s]).bit_count()
    return [*strike, pals.bit_count(), structures, gears, hand, int(S.souls[s]), resources, life,
            max(6 - life, 0), max(3 - life, 0), deck]  # fmt: skip


def positions(game: Stepped, key: int) -> Iterator[tuple[list[float], int]]:
    """The first decision of each turn of a game, for the player whose turn it is, and who that is."""
    S, T, P = game.lane, game.tables, game.players
    batch.start(S, T, P, key, key, key & 1)
    turn = 0
    while batch.advance(S, T, P) > 0:
        if int(S.turn) != turn and int(S.turn) > 1 and S.decider == S.turn_seat:
            turn, seat = int(S.turn), int(S.turn_seat)
            yield features(game, seat) + features(game, 1 - seat) + [1.0], seat
        batch.choose(S, T, P, batch.pick(S, T, P))


def sample(decks: Sequence[str], games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions and their results: 1 won by the player whose turn it is, 0 lost, 0.5 a draw."""
    rng = random.Random(seed)
    players: Any = player_records("palworld", [parse_agent("greedy", load_game("palworld").AGENTS)])
    rows, results = [], []
    for number in range(games // GAMES_A_PAIR):
        game = new_game(rng.sample(list(decks), 2), seed=seed)
        game.players, game.lane.log_on = players, 0
        for g in range(GAMES_A_PAIR):
            found = list(positions(game, seed * 1_000_000 + number * GAMES_A_PAIR + g))
            winner = int(game.lane.winner)
            rows += [row for row, _ in found]
            results += [0.5 if winner == 2 else float(winner == seat) for _, seat in found]
    return np.array(rows), np.array(results)


def fit(rows: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Logistic regression."""
    scale = np.maximum(np.abs(rows).max(0), 1.0)
    scaled = rows / scale

    def loss(numbers: np.ndarray) -> tuple[float, np.ndarray]:
        odds = scaled @ numbers
        slope = scaled.T @ (1 / (1 + np.exp(-odds)) - results) / len(results)
        value = (np.logaddexp(0, odds) - results * odds).mean() + LEAST * numbers @ numbers
        return float(value), slope + 2 * LEAST * numbers

    return minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x / scale


def quality(numbers: np.ndarray, rows: np.ndarray, results: np.ndarray) -> str:
    """Log loss and share of favourites that win."""
    odds = rows @ numbers
    loss = (np.logaddexp(0, odds) - results * odds).mean()
    return f"log loss {loss:.4f}, the favourite wins {((odds > 0) == (results > 0.5)).mean():.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description="fit what positions are worth")
    parser.add_argument("--games", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    known = known_decks("palworld")
    rows, results = sample(sorted(set(built_in_decks()) - set(known)), asked.games, asked.seed)
    fitted, used = fit(rows, results), np.array([*OWN, *FOE, FIRST]) / 1000
    print(f"{len(rows):,} positions of {asked.games:,} games")
    for i, name in enumerate(FEATURES):
        j = i + len(FEATURES)
        print(f"{name:42} own {fitted[i]:7.3f} ({used[i]:6.3f})  other {fitted[j]:7.3f} ({used[j]:6.3f})")
    print(f"{'at all':42} {fitted[-1]:11.3f} ({used[-1]:6.3f})")
    test = sample(known, asked.games // 4, asked.seed + 1)
    print(f"fitted on these, tried on decks known from play: {quality(fitted, *test)}")
    print(f"as used: {quality(used, *test)}")


if __name__ == "__main__":
    main()

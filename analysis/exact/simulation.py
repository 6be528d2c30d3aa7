"""The same checks on decks that are really shuffled: the witness beside the exact numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.stats import Estimate, share

BLOCK = 10_000
"""Decks shuffled at a time: bounds memory to some tens of megabytes for any number of games."""


@dataclass(frozen=True)
class Simulated:
    """Counts over `games` shuffled decks, each share with its 95 % interval."""

    games: int
    seed: int
    stops: tuple[int, ...]
    damage: dict[int, int]
    life: int | None = None

    def stop(self, i: int) -> Estimate:
        """Share of decks that stopped the i-th check."""
        return share(self.stops[i], self.games)

    def total(self, damage: int) -> Estimate:
        """Share of decks that took exactly this damage."""
        return share(self.damage.get(damage, 0), self.games)

    def at_least(self, damage: int) -> Estimate:
        return share(sum(n for total, n in self.damage.items() if total >= damage), self.games)

    @property
    def kill(self) -> Estimate | None:
        return None if self.life is None else self.at_least(self.life)

    def to_dict(self) -> dict[str, Any]:
        def plain(estimate: Estimate) -> dict[str, Any]:
            return {"p": estimate.value, "low": estimate.low, "high": estimate.high}

        return {
            "games": self.games,
            "seed": self.seed,
            "checks": [plain(self.stop(i)) for i in range(len(self.stops))],
            "damage": {str(total): plain(self.total(total)) for total in self.damage},
            "at_least": {str(total): plain(self.at_least(total)) for total in self.damage},
            "kill": None if self.kill is None else plain(self.kill),
        }


def shuffled(games: int, deck: int, lucky: int, rng: np.random.Generator) -> np.ndarray:
    """bool[games, deck]: which places hold a lucky card, every choice of places equally likely (Floyd's sampling)."""
    cards, each = np.zeros((games, deck), bool), np.arange(games)
    for last in range(deck - lucky, deck):
        place = rng.integers(0, last + 1, games)
        cards[each, np.where(cards[each, place], last, place)] = True
    return cards


def simulate(
    deck: int,
    lucky: int,
    strikes: Sequence[int],
    games: int,
    seed: int,
    life: int | None = None,
    known: Mapping[int, bool] | None = None,
) -> Simulated:
    """Shuffles `games` decks of `deck` cards, all but the known ones, and plays the checks card by card (CR 11.2.2)."""
    known = known or {}
    free = np.array([place for place in range(deck) if place not in known], int)
    hidden = lucky - sum(known.values())
    if games < 1:
        raise ValueError(f"simulate 1 game or more, not {games}")
    rng = np.random.default_rng(seed)
    stops = np.zeros(len(strikes), np.int64)
    damage = np.zeros(sum(strikes) + 1, np.int64)
    for start in range(0, games, BLOCK):
        n = min(BLOCK, games - start)
        cards, each = np.zeros((n, deck), bool), np.arange(n)
        cards[:, free] = shuffled(n, len(free), hidden, rng)
        cards[:, [place for place, is_lucky in known.items() if is_lucky]] = True
        # next_lucky[game, i]: place of the first lucky card at or behind place i; `deck` where there is none.
        next_lucky = np.full((n, deck + 1), deck, np.int32)
        next_lucky[:, :deck] = np.where(cards, np.arange(deck, dtype=np.int32), np.int32(deck))
        next_lucky = np.minimum.accumulate(next_lucky[:, ::-1], axis=1)[:, ::-1]
        place, taken = np.zeros(n, np.int64), np.zeros(n, np.int64)
        for i, strike in enumerate(strikes):
            end = np.minimum(place + strike, deck)
            found = next_lucky[each, place]
            stopped = found < end
            stops[i] += np.count_nonzero(stopped)
            taken += np.where(stopped, 0, strike)
            place = np.where(stopped, found + 1, end)
        damage += np.bincount(taken, minlength=len(damage))
    totals = {int(total): int(damage[total]) for total in np.flatnonzero(damage)}
    return Simulated(games, seed, tuple(int(s) for s in stops), totals, life)

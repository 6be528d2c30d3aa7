"""Runs that end where a question is answered: `--until decided` and `--until ±0.5%` (docs/runs.md).

A matchup is looked at after 1,000 x 2^r games and at nothing else, so that threads, engines, chunks and interruptions
make no difference. Looking often finds too much by chance; therefore each look may only spend a part of the error
that is allowed in all (spending function of Lan and DeMets of the O'Brien-Fleming type), and matchups share it equally
(Bonferroni).
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

from sim.errors import RunError

FIRST = 1000
"""Games of a matchup at the first look; each further one doubles them."""
MOST = FIRST << 7
"""The most games for `decided`, unless --games says something else."""
ALPHA = 0.05
"""The chance of one wrong verdict or more, over all matchups and looks."""
BAND = 0.05
"""A matchup is even where its score is known to lie within 1/2 +- BAND."""
NORMAL = NormalDist()
Z = NORMAL.inv_cdf(0.975)
Z_POWER = NORMAL.inv_cdf(0.8)
NEVER = 8.0
"""A boundary in standard errors that nothing crosses by chance."""
GRID = 801


class Until(NamedTuple):
    """A rule. width: half the width of the 95% interval that is wanted, or 0.0 for `decided`."""

    width: float

    @property
    def text(self) -> str:
        return f"±{100 * self.width:g}%" if self.width else "decided"


def parse_until(text: str) -> Until:
    """`decided`, or a width such as ±0.5%, +-0.5% or 0.5%. Raises RunError."""
    word = text.strip().casefold()
    if word == "decided":
        return Until(0.0)
    number = word.removeprefix("±").removeprefix("+-").removeprefix("+/-").removesuffix("%").strip()
    try:
        width = float(number) / 100
    except ValueError:
        width = math.nan
    if not word.endswith("%") or not 0.0005 <= width <= 0.2:
        raise RunError(f"--until {text}: either decided, or the half width of an interval from ±0.05% to ±20%")
    return Until(width)


def most_games(rule: Until) -> int:
    """The most games of a matchup: enough for the width that is asked for, whatever the results are."""
    if not rule.width:
        return MOST
    games = FIRST
    while games < needed(rule.width):
        games *= 2
    return games


def needed(width: float) -> int:
    """Games that give a 95% interval of this half width at most: z^2 / 4h^2 (statistics 3.16)."""
    return math.ceil(Z * Z / (4 * width * width))


def looks(games: int) -> list[int]:
    """Games of a matchup at each look of a rule that ends with `games`. Raises RunError for another number of them."""
    found = [FIRST]
    while found[-1] < games:
        found.append(2 * found[-1])
    if found[-1] != games:
        near = " or ".join(f"{n:,}" for n in found[-2:])
        raise RunError(f"--games {games}: with --until 1,000 x 2^r games, here {near}")
    return found


def visible(games: int, z: float = Z) -> float:
    """The smallest difference of a score from 1/2 that a test finds four times out of five, without draws
    (statistics 3.16)."""
    return (z + Z_POWER) * 0.5 / math.sqrt(games)


def spent(alpha: float, t: float) -> float:
    """Error that may be spent by the share t of all games, 2 - 2 Phi(z / sqrt t) on each side (Lan and DeMets 1983)."""
    return 2 * math.erfc(-NORMAL.inv_cdf(alpha / 4) / math.sqrt(2 * t))


@lru_cache
def boundaries(shares: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    """How many standard errors from the null a look must be to decide, for each look, at these shares of all games.

    By the recursion of Armitage, McPherson and Rowe: the density of the sum, given that no look before has decided, is
    carried from look to look on a grid. The last is at t = 1.
    """
    import numpy as np

    found: list[float] = []
    density, grid, before = np.array([1.0]), np.array([0.0]), 0.0
    weights = np.array([1.0])
    for t in shares:
        sd = math.sqrt(t - before)
        budget = spent(alpha, t) - (spent(alpha, before) if before else 0.0)

        def crossing(
            limit: float, grid: np.ndarray = grid, mass: np.ndarray = weights * density, sd: float = sd
        ) -> float:
            up, down = (limit - grid) / sd, (limit + grid) / sd
            tails = [math.erfc(a / math.sqrt(2)) + math.erfc(b / math.sqrt(2)) for a, b in zip(up, down, strict=True)]
            return float(mass @ np.array(tails)) / 2

        low, high = 0.0, NEVER * math.sqrt(t)
        if crossing(high) < budget:
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if crossing(middle) > budget else (low, middle)
        found.append(high / math.sqrt(t))
        points = np.linspace(-high, high, GRID)
        step = np.exp(-(((points[:, None] - grid[None, :]) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))
        density = step @ (weights * density)
        weights = np.full(GRID, 2.0)
        weights[1::2], weights[[0, -1]] = 4.0, 1.0  # Simpson
        weights *= (points[1] - points[0]) / 3
        grid, before = points, t
    return tuple(found)


def limit(rule: Until, games: int, look: int, matchups: int) -> float:
    """Standard errors that decide at a look. look: games at it; matchups: how many share the allowed error."""
    if rule.width:
        return Z  # where it ends depends on the spread of results, not on who wins: nothing is spent
    at = looks(games)
    return boundaries(tuple(n / games for n in at), ALPHA / max(1, matchups))[at.index(look)]


def ends(rule: Until, limit: float, wins: int, draws: int, losses: int) -> bool:
    """Whether the rule ends a matchup with these finished games."""
    n = wins + draws + losses
    if n < 2:
        return False
    score = (wins + draws / 2) / n
    se = math.sqrt(max((wins + draws / 4) / n - score * score, 0.25 / n) / n)
    if rule.width:
        return limit * se <= rule.width
    favoured = abs(wins - losses) >= limit * math.sqrt(max(1, wins + losses))
    return favoured or abs(score - 0.5) + limit * se <= BAND


def said(rule: Until | None, games: int, matchups: int) -> str:
    """The plan, and the smallest effect that it can see, as it is said before a run."""
    if rule is None:
        width = Z * 0.5 / math.sqrt(games)
        return (
            f"{games:,} games a pair: scores to ±{100 * width:.2g}%; finds a score that differs from 50% by "
            f"{100 * visible(games):.2g}% four times out of five"
        )
    at = looks(games)
    steps = ", ".join(f"{n:,}" for n in at)
    head = f"until {rule.text}: looks at {steps} games a pair, {games * matchups:,} in all at most"
    if rule.width:
        return f"{head}; ±{100 * rule.width:g}% needs {needed(rule.width):,} games without draws, fewer with draws"
    z = limit(rule, games, games, matchups)
    return (
        f"{head}; {100 * ALPHA:g}% error over all pairs and looks (O'Brien-Fleming, Bonferroni over {matchups}); "
        f"finds a score that differs from 50% by {100 * visible(games, z):.2g}% four times out of five"
    )

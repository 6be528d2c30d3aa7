"""Ratings of decks from results of pairs: Bradley and Terry with ties after Davidson (statistics 3.11).

Davidson: On extending the Bradley-Terry model to accommodate ties (1970). Arrays may have leading axes, so that all
resamples of a bootstrap are fitted at once.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

ELO = 400.0 / math.log(10.0)
CENTRE = 1500.0
RIDGE = math.log(10.0) ** -2
"""Precision of the prior of a rating: a normal distribution with a deviation of 400 Elo. It weighs like a fifth of a
game, and keeps the ratings of undefeated decks finite."""
STEPS = 60


class Fit(NamedTuple):
    """theta[..., n] sums to 0; nu[...] is the weight of ties."""

    theta: np.ndarray
    nu: np.ndarray

    @property
    def elo(self) -> np.ndarray:
        return CENTRE + ELO * self.theta

    def scores(self) -> np.ndarray:
        """Expected score of i against j, [..., n, n]."""
        win, tie = _chances(self.theta, np.log(np.maximum(self.nu, 1e-300)), self.nu > 0)
        return win + tie / 2


def _chances(theta: np.ndarray, kappa: np.ndarray, ties: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """P(i beats j) and P(tie)."""
    gap = np.clip(theta[..., :, None] - theta[..., None, :], -60.0, 60.0)
    up, down = np.exp(gap / 2), np.exp(-gap / 2)
    tie = np.where(ties, np.exp(np.minimum(kappa, 60.0)), 0.0)[..., None, None]
    whole = up + down + tie
    return up / whole, tie / whole


def davidson(wins: np.ndarray, draws: np.ndarray) -> Fit:
    """Maximum penalised likelihood by Newton's method (statistics 3.11).

    wins[..., i, j]: games that i won against j; draws[..., i, j] = draws[..., j, i]. P(i beats j) is
    pi_i/(pi_i + pi_j + nu sqrt(pi_i pi_j)) with theta = ln pi. Without a draw nu is 0.
    """
    wins, draws = np.asarray(wins, float), np.asarray(draws, float)
    n = wins.shape[-1]
    games = wins + np.swapaxes(wins, -1, -2) + draws
    drawn = draws.sum((-1, -2)) / 2
    ties = drawn > 0
    score = wins + draws / 2
    theta, kappa = np.zeros(wins.shape[:-1]), np.zeros(wins.shape[:-2])
    every = np.arange(n)
    for _ in range(STEPS):
        win, tie = _chances(theta, kappa, ties)
        expected = win + tie / 2
        gradient = np.concatenate(
            [
                (score - games * expected).sum(-1) - RIDGE * theta,
                (drawn - (games * tie).sum((-1, -2)) / 2)[..., None],
            ],
            -1,
        )
        spread = games * (win + tie / 4 - expected**2)
        cross = (games * (tie / 2 - expected * tie)).sum(-1)
        curve = np.zeros((*wins.shape[:-2], n + 1, n + 1))
        curve[..., :n, :n] = -spread
        curve[..., every, every] = spread.sum(-1) + RIDGE
        curve[..., :n, n] = curve[..., n, :n] = cross
        curve[..., n, n] = np.where(ties, (games * tie * (1 - tie)).sum((-1, -2)) / 2, 1.0) + 1e-9
        step = np.linalg.solve(curve, gradient[..., None])[..., 0]
        step = np.clip(step, -1.5, 1.5)
        theta, kappa = theta + step[..., :n], np.where(ties, kappa + step[..., n], 0.0)
        if np.abs(step).max(initial=0.0) < 1e-10:
            break
    theta = theta - theta.mean(-1, keepdims=True)
    return Fit(theta, np.where(ties, np.exp(kappa), 0.0))


def groups(beaten: np.ndarray) -> list[list[int]]:
    """Groups of decks that are tied together by results both ways; between groups no finite rating follows.

    beaten[i, j]: i took a point from j. In the order of the first deck of each group.
    """
    reach = np.asarray(beaten, bool) | np.eye(len(beaten), dtype=bool)
    for _ in range(max(1, len(beaten).bit_length())):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    both = reach & reach.T
    found: list[list[int]] = []
    for i in range(len(beaten)):
        if not any(i in group for group in found):
            found.append([int(j) for j in np.flatnonzero(both[i])])
    return found

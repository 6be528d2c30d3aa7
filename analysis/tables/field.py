"""The decks of a run as one matrix, and the same matrix many times over as other games might have given it.

The bootstrap draws the results of every cell anew from its own shares, with a third of a game added to each result, so
that ten wins out of ten are no certainty. Its random numbers are fixed: the same run gives the same tables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analysis.runs import Run
from analysis.tables.results import matchups_of

RESAMPLES = 1000
FEW = 500
"""Resamples where each needs an equilibrium."""
SEED = 20_260_101


class Field(NamedTuple):
    """names[n]; counts[n, n, 2, 3]: wins, draws, losses of deck i against deck j, going first and second. In runs with
    two players both assignments are put together; mirrors are left out."""

    names: list[str]
    counts: np.ndarray

    @property
    def met(self) -> np.ndarray:
        """bool[n, n]: the two decks have finished games."""
        return self.counts.sum((-1, -2)) > 0

    @property
    def whole(self) -> bool:
        """Every pair of different decks has met."""
        return bool((self.met | np.eye(len(self.names), dtype=bool)).all())

    @property
    def scores(self) -> np.ndarray:
        """M[n, n] (statistics 3.7), both seats with equal weight; 1/2 on the diagonal and where two have not met."""
        return scores(self.counts)

    @property
    def missing(self) -> str | None:
        """Why the matrix answers nothing, in words."""
        if len(self.names) < 2:
            return "no other deck in the run"
        if not self.met.any():
            return "no finished games"
        if not self.whole:
            i, j = next((i, j) for i, j in zip(*np.nonzero(~self.met), strict=True) if i != j)
            return f"{self.names[i]} and {self.names[j]} have no finished games against each other"
        return None


def field_of(run: Run) -> Field:
    """The matrix of a run, decks in the order of the run."""
    return run.once("field", lambda: _field(run))


def _field(run: Run) -> Field:
    names = [deck.name for deck in run.info.decks]
    place = {name: i for i, name in enumerate(names)}
    counts = np.zeros((len(names), len(names), 2, 3), np.int64)
    for cell in matchups_of(run):
        i, j = place[cell.deck_a], place[cell.deck_b]
        if i == j:
            continue
        for seat, (mine, theirs) in enumerate(zip(cell.seats, cell.seats.swapped, strict=True)):
            counts[i, j, seat] += mine[:3]
            counts[j, i, seat] += theirs[:3]
    return Field(names, counts)


def scores(counts: np.ndarray) -> np.ndarray:
    """Scores[..., n, n] of counts[..., n, n, 2, 3]; a seat without games leaves the word to the other."""
    games = counts.sum(-1)
    points = counts[..., 0] + counts[..., 1] / 2
    seats = np.divide(points, games, out=np.zeros(points.shape), where=games > 0)
    seen = (games > 0).sum(-1)
    return np.divide(seats.sum(-1), seen, out=np.full(seen.shape, 0.5), where=seen > 0)


def resampled(run: Run) -> np.ndarray:
    """counts[RESAMPLES, n, n, 2, 3], each cell drawn anew (statistics 3.8, 3.10, 3.11)."""
    return run.once("resampled", lambda: _resampled(field_of(run)))


def _resampled(field: Field) -> np.ndarray:
    rng = np.random.default_rng(SEED)
    n = len(field.names)
    drawn = np.zeros((RESAMPLES, n, n, 2, 3), np.int64)
    for i in range(n):
        for j in range(i + 1, n):
            for seat in (0, 1):
                counts = field.counts[i, j, seat]
                games = int(counts.sum())
                if games:
                    drawn[:, i, j, seat] = rng.multinomial(games, (counts + 1 / 3) / (games + 1), RESAMPLES)
            drawn[:, j, i] = drawn[:, i, j, ::-1, ::-1]
    return drawn


def scores_resampled(run: Run) -> np.ndarray:
    """M[RESAMPLES, n, n]."""
    return run.once("scores resampled", lambda: scores(resampled(run)))


def spread(values: np.ndarray, value: float) -> tuple[float, float]:
    """95 % interval of a bootstrap, never without the value itself."""
    low, high = np.quantile(values, [0.025, 0.975])
    return min(float(low), value), max(float(high), value)


def shares_of(run: Run, names: list[str]) -> np.ndarray:
    """How common each deck is: as asked, else all alike."""
    if run.shares is None:
        return np.full(len(names), 1.0 / len(names))
    return np.array([run.shares.get(name, 0.0) for name in names])


def field_scores(M: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """E_i = sum x_j M_ij over j != i, shares renormalised (statistics 3.8). M may have leading axes."""
    weights = np.broadcast_to(shares, M.shape[-2:]) * (1.0 - np.eye(len(shares)))
    total = weights.sum(-1)
    return np.divide((M * weights).sum(-1), total, out=np.full(M.shape[:-1], 0.5), where=total > 0)

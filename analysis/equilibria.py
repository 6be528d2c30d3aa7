"""What decks players would choose: Nash mixtures, alpha-rank, cycles of a matrix of scores (statistics 3.9, 3.10).

M[i, j] is the score of deck i against deck j, M[i, j] + M[j, i] = 1 and M[i, i] = 1/2.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

TINY = 1e-9
POPULATION = 50
"""Players in the population of alpha-rank."""
STRONGEST = 2.0**30
"""Where the sweep of alpha-rank ends at the latest."""


class Mixture(NamedTuple):
    """A Nash mixture: `shares` of the decks, `gain[i]` the score of deck i against the mixture minus 1/2."""

    shares: np.ndarray
    gain: np.ndarray

    @property
    def exploitability(self) -> float:
        """Most that a single deck wins against the mixture, on the scale -1..1 (statistics 3.10)."""
        return round(max(0.0, 2.0 * float(self.gain.max())), 8)  # the solver is exact to about 1e-9

    @property
    def effective(self) -> float:
        """exp of the entropy: how many equally common decks would be as varied."""
        return math.exp(entropy(self.shares))


def entropy(shares: np.ndarray) -> float:
    some = shares[shares > 0.0]
    return float(-(some * np.log(some)).sum())


def nash(M: np.ndarray, widest: bool = True) -> Mixture:
    """Nash mixture of the zero-sum game A = 2M - 1 (statistics 3.10): no deck scores above 1/2 against it.

    With `widest` the one of largest entropy, which is unique: decks that are alike share alike. Otherwise any one.
    """
    A = 2.0 * np.asarray(M, float) - 1.0
    n = len(A)
    if n == 1:
        return Mixture(np.ones(1), np.zeros(1))
    x = _vertex(A, -np.ones(n))
    if widest:
        # The mean of the corners that favour each deck lies inside the set of all equilibria.
        corners = [_vertex(A, np.eye(n)[i]) for i in range(n)]
        inside = np.mean(corners, 0)
        x = _widest(A, inside) if np.abs(np.array(corners) - inside).max() > 1e-7 else corners[0]
    x = np.where(x < TINY, 0.0, x)
    x = x / x.sum()
    return Mixture(x, A @ x / 2.0)


def nash_many(matrices: np.ndarray) -> np.ndarray:
    """Nash mixtures [..., n] of matrices [..., n, n] that are much alike, as resamples are; not the widest ones.

    Where decks share an equilibrium, their payoffs are equal: a linear system. The sets of decks that were found before
    are tried first, and only a new one needs a linear program.
    """
    found, known = [], list[np.ndarray]()
    for M in matrices:
        A = 2.0 * M - 1.0
        x = next((x for some in known if (x := _on(A, some)) is not None), None)
        if x is None:
            x = nash(M, widest=False).shares
            known.insert(0, np.flatnonzero(x > 1e-7))
        found.append(x)
    return np.stack(found)


def _on(A: np.ndarray, some: np.ndarray) -> np.ndarray | None:
    """The equilibrium in which exactly these decks take part, if there is one."""
    system = np.vstack([A[np.ix_(some, some)], np.ones(len(some))])
    aim = np.append(np.zeros(len(some)), 1.0)
    part = np.linalg.lstsq(system, aim, rcond=None)[0]
    if part.min() <= 1e-9 or np.abs(system @ part - aim).max() > 1e-9 or (A[:, some] @ part).max() > 1e-9:
        return None
    x = np.zeros(len(A))
    x[some] = part
    return x


def _vertex(A: np.ndarray, favour: np.ndarray) -> np.ndarray:
    """A corner of {x: Ax <= 0, sum x = 1, x >= 0} that is farthest in a direction. It is never empty: the value of a
    symmetric game is 0."""
    from scipy.optimize import linprog

    n = len(A)
    found = linprog(-favour, A_ub=A, b_ub=np.full(n, 1e-10), A_eq=np.ones((1, n)), b_eq=[1.0], bounds=(0.0, 1.0))
    if found.x is None:
        raise ArithmeticError(f"no equilibrium found: {found.message}")
    return np.clip(found.x, 0.0, 1.0)


def _widest(A: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Largest entropy among the equilibria; `start` lies inside and says which decks can be in one."""
    from scipy.optimize import minimize

    some = np.flatnonzero(start > 1e-7)
    part = A[:, some]
    found = minimize(
        lambda x: float((x * np.log(np.maximum(x, 1e-300))).sum()),
        start[some],
        jac=lambda x: np.log(np.maximum(x, 1e-300)) + 1.0,
        method="SLSQP",
        bounds=[(1e-12, 1.0)] * len(some),
        constraints=[
            {"type": "eq", "fun": lambda x: x.sum() - 1.0, "jac": lambda x: np.ones((1, len(some)))},
            {"type": "ineq", "fun": lambda x: -part @ x + 1e-10, "jac": lambda x: -part},
        ],
        options={"ftol": 1e-14, "maxiter": 500},
    )
    x = np.zeros(len(A))
    x[some] = np.clip(found.x, 0.0, None)
    x = x / x.sum()
    good = (A @ x).max() < 1e-7 and entropy(x) >= entropy(start) - 1e-12
    return x if good else start


def alpha_rank(M: np.ndarray) -> tuple[np.ndarray, float]:
    """Masses of the decks, and the intensity of selection at which their order was stable (statistics 3.10).

    Omidshafiei and others: alpha-rank (2019), one population of 50. M may have leading axes. All is computed with
    logarithms and without a subtraction (Grassmann, Taksar, Heyman), so that nearly reducible chains do no harm.
    """
    M = np.asarray(M, float)
    alpha, before, calm = 0.25, masses(M, 0.125), 0
    while True:
        now = masses(M, alpha)
        same = (np.argsort(-now.round(6), -1, kind="stable") == np.argsort(-before.round(6), -1, kind="stable")).all()
        calm = calm + 1 if same and np.abs(now - before).max() < 2e-3 else 0
        if calm >= 2 or alpha >= STRONGEST:
            return now, alpha
        before, alpha = now, alpha * 2.0


def masses(M: np.ndarray, alpha: float) -> np.ndarray:
    """Stationary distribution of the deck that the whole population plays, at one intensity of selection."""
    n = M.shape[-1]
    if n == 1:
        return np.ones(M.shape[:-1])
    # u[i, j]: pressure towards j where all play i.
    u = alpha * POPULATION / (POPULATION - 1) * (np.swapaxes(M, -1, -2) - 0.5)
    size = np.maximum(np.abs(u), 1e-12)
    # log((1 - e^-u)/(1 - e^-mu)); for u < 0 both are multiplied by e^u and e^mu.
    fixed = np.log(-np.expm1(-size)) - np.log(-np.expm1(-POPULATION * size))
    fixed = np.where(u < 0.0, fixed - (POPULATION - 1) * size, fixed)
    L = fixed - math.log(n - 1)
    # State by state is taken out of the chain, then put back (GTH), with log-sums.
    for k in range(n - 1, 0, -1):
        out = _logsum(L[..., k, :k])
        L[..., :k, k] = L[..., :k, k] - out[..., None]
        L[..., :k, :k] = np.logaddexp(L[..., :k, :k], L[..., :k, k, None] + L[..., None, k, :k])
    mass = np.zeros(M.shape[:-1])
    for k in range(1, n):
        mass[..., k] = _logsum(mass[..., :k] + L[..., :k, k])
    mass = np.exp(mass - mass.max(-1, keepdims=True))
    return mass / mass.sum(-1, keepdims=True)


def _logsum(x: np.ndarray) -> np.ndarray:
    top = x.max(-1)
    return top + np.log(np.exp(x - top[..., None]).sum(-1))


def polarity(M: np.ndarray) -> np.ndarray:
    """How one-sided the matchups of each deck are: root of the mean of (M_ij - 1/2)^2 over j != i (statistics 3.9)."""
    n = M.shape[-1]
    return np.sqrt(((M - 0.5) ** 2).sum(-1) / max(1, n - 1))


def cycles(M: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """|A - T|^2 and |A|^2 of A = M - 1/2: what no ranking explains, and all; the share is their ratio (statistics 3.9).

    T_ij = r_i - r_j with r_i the mean of row i. Rock, paper, scissors has the share 1, a ladder 0.
    """
    A = np.asarray(M, float) - 0.5
    r = A.mean(-1)
    rest = A - (r[..., :, None] - r[..., None, :])
    return (rest**2).sum((-1, -2)), (A**2).sum((-1, -2))


def gini(shares: np.ndarray) -> float:
    """0 where all shares are equal, near 1 where one has all (statistics 3.15)."""
    x = np.sort(np.asarray(shares, float))
    n, total = len(x), x.sum()
    return float((2 * np.arange(1, n + 1) - n - 1) @ x / (n * total)) if total > 0 else 0.0

"""Intervals, differences, ratings and tests for match results (statistics 3.1-3.5, 3.16, 3.17).

Every function takes counts (integers) or plain floats and returns plain data. What is not defined is `None` with a
`reason` in words, never nan or inf. Scores are 0 (loss), 1/2 (draw) and 1 (win); unfinished games belong in no count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution: every interval here is a 95 % interval."""
Z_POWER = 0.8416212335729143
"""The 80 % point: planning is for a power of 80 %."""
LN10 = math.log(10.0)
NO_GAMES = "no finished games"


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval; `n` counts what it rests on, `se` is its standard error."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    se: float | None = None
    reason: str | None = None


def missing(reason: str, n: int = 0) -> Estimate:
    """The estimate that cannot be made, and why."""
    return Estimate(None, None, None, n, None, reason)


def normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def two_sided(z: float) -> float:
    """Two-sided p of a normal deviate."""
    return math.erfc(abs(z) / math.sqrt(2.0))


def chi_square_p(statistic: float, df: int) -> float | None:
    """P(chi-square with `df` degrees >= statistic); None without degrees of freedom.

    The finite series for whole degrees (Abramowitz and Stegun 26.4.4 and 26.4.5): all terms are positive. A package of
    special functions would take longer to import than all tables take to compute.
    """
    if df < 1:
        return None
    half = statistic / 2.0
    if half <= 0.0 or math.isinf(half):
        return 0.0 if half > 0.0 else 1.0
    powers = (df / 2.0 - i for i in range(1, df // 2 + 1))
    series = math.fsum(math.exp(i * math.log(half) - math.lgamma(i + 1.0) - half) for i in powers)
    return min(1.0, series + (math.erfc(math.sqrt(half)) if df % 2 else 0.0))


def wilson(p: float, n: float) -> tuple[float, float]:
    """Wilson interval for a share `p` of `n` trials; `n` may be an effective number (statistics 3.2)."""
    if n <= 0:
        return 0.0, 1.0
    scale = 1.0 + Z * Z / n
    centre = (p + Z * Z / (2.0 * n)) / scale
    half = Z * math.sqrt(p * (1.0 - p) / n + Z * Z / (4.0 * n * n)) / scale
    # Rounding must not leave 0 or 1 outside the interval of 0/n and n/n.
    return min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half))


def share(k: int, n: int) -> Estimate:
    """k of n with its Wilson interval (statistics 3.2)."""
    if n == 0:
        return missing("no cases")
    p = k / n
    return Estimate(p, *wilson(p, n), n, math.sqrt(p * (1.0 - p) / n))


def with_error(p: float, se: float, n: int) -> Estimate:
    """A score in 0..1 with a known standard error: Wilson with the n that would give that error.

    `n` is the number behind it, and stands in where the error is 0 or the score is at an end of the scale, so that
    100 % never has zero width.
    """
    inside = 0.0 < p < 1.0 and se > 0.0
    return Estimate(p, *wilson(p, p * (1.0 - p) / (se * se) if inside else n), n, se)


def variance(wins: float, draws: float, losses: float) -> float:
    """Variance of one game's score (divisor N)."""
    n = wins + draws + losses
    s = (wins + 0.5 * draws) / n
    return (wins * (1.0 - s) ** 2 + draws * (0.5 - s) ** 2 + losses * s * s) / n


def score(wins: int, draws: int, losses: int) -> Estimate:
    """Score (W + D/2)/N with the Wilson interval of the draws rule (statistics 3.1, 3.2)."""
    n = wins + draws + losses
    if n == 0:
        return missing(NO_GAMES)
    return with_error((2 * wins + draws) / (2 * n), math.sqrt(variance(wins, draws, losses) / n), n)


def effective_games(wins: int, draws: int, losses: int) -> float:
    """The n of the draws rule: N s(1-s)/sigma^2, and N where sigma is 0 (statistics 3.2)."""
    n = wins + draws + losses
    spread = variance(wins, draws, losses)
    s = (2 * wins + draws) / (2 * n)
    return n * s * (1.0 - s) / spread if spread > 0.0 else float(n)


def p_against(wins: int, draws: int, losses: int, null: float = 0.5) -> float | None:
    """Two-sided p of the hypothesis that the true score is `null`: the test that the Wilson interval inverts."""
    if wins + draws + losses == 0:
        return None
    return two_sided(_deviate(wins, draws, losses, null))


def p_even(wins: int, draws: int, losses: int, band: float = 0.05) -> float | None:
    """p of the hypothesis that the true score is farther than `band` from 1/2 (two one-sided tests)."""
    if wins + draws + losses == 0:
        return None
    above = normal_cdf(-_deviate(wins, draws, losses, 0.5 - band))
    below = normal_cdf(_deviate(wins, draws, losses, 0.5 + band))
    return max(above, below)


def _deviate(wins: int, draws: int, losses: int, null: float) -> float:
    s = (2 * wins + draws) / (2 * (wins + draws + losses))
    return (s - null) / math.sqrt(null * (1.0 - null) / effective_games(wins, draws, losses))


def mean_score(parts: Sequence[tuple[int, int, int]]) -> Estimate:
    """Mean of the scores of several groups (wins, draws, losses), each with the same weight (statistics 3.6, 3.7)."""
    return mean_of([score(*part) for part in parts])


def mean_of(parts: Sequence[Estimate], weights: Sequence[float] | None = None) -> Estimate:
    """Weighted mean of independent scores; the weights are renormalised over the parts (statistics 3.8)."""
    weights = [1.0] * len(parts) if weights is None else weights
    total = math.fsum(weights)
    if not parts or total <= 0.0:
        return missing(NO_GAMES)
    for part in parts:
        if part.value is None:
            return missing(part.reason or NO_GAMES, sum(p.n for p in parts))
    value = math.fsum(w * (p.value or 0.0) for w, p in zip(weights, parts, strict=True)) / total
    se = math.sqrt(math.fsum((w * (p.se or 0.0)) ** 2 for w, p in zip(weights, parts, strict=True))) / total
    return with_error(value, se, sum(p.n for p in parts))


def difference(a: Estimate, b: Estimate) -> Estimate:
    """b - a for two independent arms, interval by Newcombe (statistics 3.3)."""
    if a.value is None or b.value is None or a.low is None or b.low is None or a.high is None or b.high is None:
        return missing(a.reason or b.reason or NO_GAMES, min(a.n, b.n))
    d = b.value - a.value
    low = d - math.hypot(b.value - b.low, a.high - a.value)
    high = d + math.hypot(b.high - b.value, a.value - a.low)
    return Estimate(d, low, high, min(a.n, b.n), math.hypot(a.se or 0.0, b.se or 0.0))


@dataclass(frozen=True)
class Paired:
    """Two arms on the same seeds: difference b - a, games better and worse in b, and how far the arms go together."""

    difference: Estimate
    better: int
    worse: int
    p: float | None
    correlation: float | None
    reason: str | None = None


def paired(counts: Sequence[Sequence[int]]) -> Paired:
    """Paired difference, exact McNemar test on the flips, correlation (statistics 3.3).

    `counts[i][j]`: games with result i in arm a and result j in arm b on the same seed; 0 loss, 1 draw, 2 win.
    """
    cells = [(i, j, counts[i][j]) for i in range(3) for j in range(3)]
    n = sum(c for _, _, c in cells)
    if n == 0:
        return Paired(missing("no pairs"), 0, 0, None, None, "no pairs")
    better = sum(c for i, j, c in cells if j > i)
    worse = sum(c for i, j, c in cells if j < i)
    total = sum((j - i) * c for i, j, c in cells)
    squares = sum((j - i) ** 2 * c for i, j, c in cells)
    d = total / (2 * n)
    # Integers up to the division: an edit that changes nothing gives exactly 0.
    se = math.sqrt(max(0, squares * n - total * total) / (4 * n * n) / n)
    estimate = Estimate(d, max(-1.0, d - Z * se), min(1.0, d + Z * se), n, se)
    sum_a, sum_b = sum(i * c for i, _, c in cells), sum(j * c for _, j, c in cells)
    var_a = sum(i * i * c for i, _, c in cells) * n - sum_a * sum_a
    var_b = sum(j * j * c for _, j, c in cells) * n - sum_b * sum_b
    if var_a == 0 or var_b == 0:
        rho, reason = None, "an arm has one result only: no correlation"
    else:
        rho = (sum(i * j * c for i, j, c in cells) * n - sum_a * sum_b) / math.sqrt(var_a * var_b)
        reason = None
    return Paired(estimate, better, worse, mcnemar(better, worse), rho, reason)


def mcnemar(better: int, worse: int) -> float:
    """Two-sided exact p of the flips: binomial(b, b + c, 1/2) (statistics 3.3)."""
    n, k = better + worse, min(better, worse)
    # P(k) and, downwards from it, each term by the one before until they no longer count.
    start = math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2.0))
    term = total = 1.0
    while k > 0 and term > 1e-17 * total:
        term *= k / (n - k + 1)
        total += term
        k -= 1
    return min(1.0, 2.0 * start * total)


@dataclass(frozen=True)
class Rating:
    """Elo and normalised Elo of a score with their errors (95 %), and the likelihood of superiority."""

    n: int
    score: float | None
    se: float | None
    elo: float | None
    elo_error: float | None
    nelo: float | None
    nelo_error: float | None
    los: float | None
    reason: str | None = None


def elo(s: float) -> float | None:
    """Elo difference of a score; None at 0 % and 100 % (statistics 3.4)."""
    return None if not 0.0 < s < 1.0 else -400.0 * math.log10(1.0 / s - 1.0)


def pair_counts(counts: Sequence[int]) -> tuple[int, int, int, int, int]:
    """Five counts by pair score 0, 1/4 .. 1 from five, or from six (LL, LD, WL, DD, WD, WW)."""
    if len(counts) == 6:
        ll, ld, wl, dd, wd, ww = counts
        return ll, ld, wl + dd, wd, ww
    if len(counts) != 5:
        raise ValueError(f"pairs are counted in 5 or 6 classes, not {len(counts)}")
    ll, ld, even, wd, ww = counts
    return ll, ld, even, wd, ww


def pairs(counts: Sequence[int]) -> Rating:
    """Rating from pairs of games (seats or agents swapped, same seed): the variance of the pair (statistics 3.4)."""
    return _rating([(i / 4, c) for i, c in enumerate(pair_counts(counts))], 2)


def singles(wins: int, draws: int, losses: int) -> Rating:
    """Rating from games that do not share seeds (statistics 3.4)."""
    return _rating([(0.0, losses), (0.5, draws), (1.0, wins)], 1)


def _moments(outcomes: Sequence[tuple[float, int]]) -> tuple[int, float, float]:
    n = sum(c for _, c in outcomes)
    s = math.fsum(x * c for x, c in outcomes) / n
    return n, s, math.fsum(c * (x - s) ** 2 for x, c in outcomes) / n


def _rating(outcomes: Sequence[tuple[float, int]], games: int) -> Rating:
    if sum(c for _, c in outcomes) == 0:
        return Rating(0, None, None, None, None, None, None, None, NO_GAMES)
    n, s, v = _moments(outcomes)
    se = math.sqrt(v / n)
    value = elo(s)
    if value is None:
        return Rating(n, s, se, None, None, None, None, None, f"a score of {100 * s:.0f} % has no finite Elo")
    if v == 0.0:
        return Rating(n, s, se, value, None, None, None, None, "all results are equal: no variance, no error")
    low, high = elo(s - Z * se), elo(s + Z * se)
    error = None if low is None or high is None else (high - low) / 2.0
    reason = None if error is not None else "too few games: the interval of the score reaches 0 % or 100 %"
    return Rating(
        n=n,
        score=s,
        se=se,
        elo=value,
        elo_error=error,
        nelo=(s - 0.5) / math.sqrt(games * v) * 800.0 / LN10,
        nelo_error=Z / math.sqrt(games * n) * 800.0 / LN10,
        los=normal_cdf((s - 0.5) / se),
        reason=reason,
    )


@dataclass(frozen=True)
class Sprt:
    """State of a sequential test: `decision` is "H0", "H1", "continue", or None where nothing is defined yet."""

    llr: float | None
    lower: float
    upper: float
    decision: str | None
    elo: float | None
    reason: str | None = None


def sprt(
    counts: Sequence[int], e0: float, e1: float, model: str = "logistic", alpha: float = 0.05, beta: float = 0.05
) -> Sprt:
    """Gaussian sequential test on pairs, H0: e0 against H1: e1 in Elo, or in nElo for "normalised" (statistics 3.5)."""
    if model not in ("logistic", "normalised"):
        raise ValueError(f'model is "logistic" or "normalised", not "{model}"')
    lower, upper = math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)
    five = pair_counts(counts)
    if sum(five) == 0:
        return Sprt(None, lower, upper, None, None, "no pairs")
    n, s, v = _moments([(i / 4, c) for i, c in enumerate(five)])
    if v == 0.0:
        return Sprt(None, lower, upper, None, elo(s), "all pairs have the same score: the test is not defined yet")
    if model == "logistic":
        s0, s1 = (1.0 / (1.0 + 10.0 ** (-e / 400.0)) for e in (e0, e1))
    else:
        s0, s1 = (0.5 + e * math.sqrt(2.0 * v) * LN10 / 800.0 for e in (e0, e1))
    llr = n * (s1 - s0) * (2.0 * s - s0 - s1) / (2.0 * v)
    decision = "H1" if llr >= upper else "H0" if llr <= lower else "continue"
    return Sprt(llr, lower, upper, decision, elo(s))


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm-adjusted p-values, for verdicts; None stays None and does not count (statistics 3.17)."""
    known = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    worst = 0.0
    for rank, (p, i) in enumerate(known):
        worst = max(worst, min(1.0, p * (len(known) - rank)))
        adjusted[i] = worst
    return adjusted


def benjamini_hochberg(ps: Sequence[float | None]) -> list[float | None]:
    """Benjamini-Hochberg-adjusted p-values, for lists (statistics 3.17)."""
    known = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    best = 1.0
    for rank in range(len(known), 0, -1):
        p, i = known[rank - 1]
        best = min(best, p * len(known) / rank)
        adjusted[i] = best
    return adjusted


def shrunk(parts: Sequence[Estimate]) -> list[float | None]:
    """Empirical Bayes: scores drawn towards their common mean, the more the less they rest on (statistics 3.17).

    Beta-binomial: scores are a + b alike before any game, with the beta distribution that the spread of the scores
    beyond their own errors suggests (moments). With fewer than three scores nothing is drawn anywhere.
    """
    known = [(part.value, _behind(part)) for part in parts if part.value is not None]
    if len(known) < 3:
        return [part.value for part in parts]
    games = math.fsum(n for _, n in known)
    mean = math.fsum(p * n for p, n in known) / games
    noise = mean * (1.0 - mean)
    squares = math.fsum(n * (p - mean) ** 2 for p, n in known)
    rest = games - math.fsum(n * n for _, n in known) / games
    between = max(0.0, (squares - (len(known) - 1) * noise) / rest) if rest > 0.0 else 0.0
    if noise <= 0.0:
        return [part.value for part in parts]
    prior = noise / between - 1.0 if between > 0.0 else math.inf
    answers: list[float | None] = []
    for part in parts:
        if part.value is None:
            answers.append(None)
            continue
        n = _behind(part)
        weight = 0.0 if math.isinf(prior) else n / (n + max(0.0, prior))
        answers.append(mean + weight * (part.value - mean))
    return answers


def _behind(part: Estimate) -> float:
    """Games of wins and losses that would give the error of a score."""
    p = part.value or 0.0
    return p * (1.0 - p) / (part.se * part.se) if part.se else float(part.n)


def games_needed(half_width: float, correlation: float = 0.0) -> int:
    """Games for an interval of +- half_width around an even score; `correlation` inside pairs (statistics 3.16)."""
    if half_width <= 0.0:
        raise ValueError("the half width must be above 0")
    return math.ceil(Z * Z / (4.0 * half_width * half_width) * (1.0 + correlation))


def smallest_effect(n: int, p: float = 0.5) -> float | None:
    """Smallest difference of two arms of n games that is seen with a power of 80 % (statistics 3.16)."""
    return None if n <= 0 else (Z + Z_POWER) * math.sqrt(2.0 * p * (1.0 - p) / n)

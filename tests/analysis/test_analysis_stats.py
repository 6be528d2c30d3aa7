"""Scores, intervals, ratings, sequential tests: golden numbers and coverage (statistics 3.1-3.5, 3.16, 3.17)."""

from __future__ import annotations

import math
from math import comb

import numpy as np
import pytest

from analysis import stats


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (55, 100, 0.452446, 0.643855),
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (5023, 10_000, 0.492501, 0.512097),
        (501_000, 1_000_000, 0.500020, 0.501980),
    ],
)
def test_wilson_golden(k, n, low, high):
    """statistics 3.2; a score without draws is the same interval."""
    for found in (stats.share(k, n), stats.score(k, 0, n - k)):
        assert (found.low, found.high) == (pytest.approx(low, abs=5.1e-7), pytest.approx(high, abs=5.1e-7))
        assert found.value == k / n


def test_draws_narrow_the_interval_and_never_close_it():
    assert stats.score(40, 20, 40).high < stats.score(50, 0, 50).high
    for counts in ((5, 0, 0), (0, 5, 0), (0, 0, 5), (1, 0, 0), (0, 1, 0)):
        found = stats.score(*counts)
        assert found.low < found.high and found.low <= found.value <= found.high
    assert stats.score(0, 0, 0) == stats.missing("no finished games")


def test_scores_of_both_sides_sum_to_one():
    for counts in ((7, 3, 5), (1, 0, 0), (0, 9, 1)):
        a, b = stats.score(*counts), stats.score(*reversed(counts))
        assert a.value + b.value == 1.0
        assert a.low == pytest.approx(1 - b.high) and a.high == pytest.approx(1 - b.low)


def test_newcombe_golden():
    """statistics 3.3."""
    found = stats.difference(stats.share(480, 1000), stats.share(520, 1000))
    assert (found.value, found.low, found.high) == pytest.approx((0.04, -0.003816, 0.083599), abs=5.1e-7)
    assert stats.difference(stats.share(1, 2), stats.share(0, 0)).reason == "no cases"


def test_paired_difference():
    """statistics 3.3: an edit that cannot matter gives exactly 0; flips are tested exactly."""
    same = stats.paired([[30, 0, 0], [0, 5, 0], [0, 0, 65]])
    assert (same.difference.value, same.difference.low, same.difference.high) == (0.0, 0.0, 0.0)
    assert (same.better, same.worse, same.p, same.correlation) == (0, 0, 1.0, pytest.approx(1.0))
    found = stats.paired([[300, 0, 30], [0, 0, 0], [12, 0, 258]])
    scores = [(0, 0)] * 300 + [(0, 1)] * 30 + [(1, 0)] * 12 + [(1, 1)] * 258
    a, b = np.array(scores, float).T
    assert found.difference.value == pytest.approx((b - a).mean())
    assert found.difference.high == pytest.approx((b - a).mean() + stats.Z * (b - a).std() / 600**0.5)
    assert found.correlation == pytest.approx(np.corrcoef(a, b)[0, 1])
    from scipy.stats import binomtest

    assert (found.better, found.worse) == (30, 12)
    assert found.p == pytest.approx(binomtest(12, 42).pvalue)
    assert stats.paired([[0, 0, 0], [0, 0, 0], [4, 0, 0]]).correlation is None
    assert stats.paired([[0] * 3] * 3).reason == "no pairs"


def test_exact_binomial():
    """statistics 3.3: small numbers by counting, and numbers at which an incomplete beta function goes wrong."""
    for n in range(1, 30):
        for k in range(n // 2 + 1):
            exact = min(1.0, sum(comb(n, i) for i in range(k + 1)) / 2 ** (n - 1))
            assert stats.mcnemar(k, n - k) == stats.mcnemar(n - k, k) == pytest.approx(exact, rel=1e-12)
    n = 50_000_000
    nearly_even = stats.mcnemar(n // 2 - 1, n // 2 + 1)
    assert nearly_even == pytest.approx(1 - math.sqrt(2 / (math.pi * n)), rel=1e-6)
    assert stats.mcnemar(n // 2 - 10_000, n // 2 + 10_000) == pytest.approx(stats.two_sided(20_000 / n**0.5), rel=1e-2)


def test_chi_square():
    from scipy.stats import chi2

    for df in (1, 2, 3, 4, 7, 30, 101, 1000):
        for x in (1e-9, 0.5, 3.84, 0.7 * df, df, 1.4 * df, 3 * df + 20):
            assert stats.chi_square_p(x, df) == pytest.approx(chi2.sf(x, df), rel=1e-10)
    assert stats.chi_square_p(0.0, 4) == 1.0
    assert stats.chi_square_p(math.inf, 4) == 0.0
    assert stats.chi_square_p(1.0, 0) is None


@pytest.mark.parametrize(
    ("rating", "elo", "elo_error", "nelo", "nelo_error", "los"),
    [
        (stats.singles(136, 111, 96), 40.70, 30.43, 49.77, 36.77, 0.9960),
        (stats.singles(76, 123, 89), None, None, -20.76, 40.13, 0.1553),
        (stats.pairs((34, 54, 31, 32, 64, 75)), 55.58, 27.65, 57.94, 28.28, None),
        (stats.pairs((332, 433, 457, 41, 333, 334)), -8.64, 10.33, -9.17, 10.96, 0.0505),
    ],
)
def test_elo_golden(rating, elo, elo_error, nelo, nelo_error, los):
    """statistics 3.4."""
    for found, golden in ((rating.elo, elo), (rating.elo_error, elo_error)):
        assert golden is None or found == pytest.approx(golden, abs=0.0051)
    assert rating.nelo == pytest.approx(nelo, abs=0.0051)
    assert rating.nelo_error == pytest.approx(nelo_error, abs=0.0051)
    assert los is None or rating.los == pytest.approx(los, abs=5.1e-5)


def test_elo_of_extremes_is_a_reason_not_a_number():
    for counts in ((5, 0, 0), (0, 0, 5)):
        found = stats.singles(*counts)
        assert found.elo is None and found.nelo is None and "no finite Elo" in found.reason
    assert stats.singles(0, 7, 0).elo == 0.0 and "no variance" in stats.singles(0, 7, 0).reason
    assert stats.singles(0, 0, 0).reason == "no finished games"
    few = stats.singles(3, 0, 1)
    assert few.elo == pytest.approx(190.85, abs=0.01) and few.elo_error is None and "too few" in few.reason


@pytest.mark.parametrize(
    ("counts", "e0", "e1", "model", "llr"),
    [
        ((223, 9863, 20279, 1000, 10037, 246), 0.5, 2.5, "logistic", -3.07),
        ((871, 26175, 55003, 980, 26678, 821), 0, 2, "logistic", -4.98),
        ((365, 16618, 36029, 200, 16974, 390), 0, 2, "normalised", 2.25),
        ((127, 4883, 10311, 401, 5150, 104), -1.75, 0.25, "normalised", 3.01),
    ],
)
def test_sprt_golden(counts, e0, e1, model, llr):
    """statistics 3.5."""
    found = stats.sprt(counts, e0, e1, model)
    assert found.llr == pytest.approx(llr, abs=0.0051)
    assert (found.lower, found.upper) == (pytest.approx(-2.944439, abs=1e-6), pytest.approx(2.944439, abs=1e-6))
    assert found.decision == ("H1" if llr > 2.95 else "H0" if llr < -2.95 else "continue")
    assert found.elo is not None


def test_sprt_without_variance():
    assert stats.sprt((0, 0, 5, 0, 0), 0, 2).llr is None
    assert "not defined" in stats.sprt((0, 0, 5, 0, 0), 0, 2).reason
    assert stats.sprt((0,) * 5, 0, 2).reason == "no pairs"


def test_holm_and_benjamini_hochberg():
    """statistics 3.17; a missing p stays missing and does not count."""
    assert stats.holm([0.01, None, 0.04, 0.03]) == [pytest.approx(0.03), None, pytest.approx(0.06), pytest.approx(0.06)]
    assert stats.benjamini_hochberg([0.01, 0.04, None, 0.03]) == [
        pytest.approx(0.03),
        pytest.approx(0.04),
        None,
        pytest.approx(0.04),
    ]
    assert stats.holm([]) == []


def test_empirical_bayes():
    """statistics 3.17: nearer to the truth than the raw scores; nothing is drawn where all are alike or few."""
    rng = np.random.default_rng(5)
    truth = rng.beta(60, 60, 400)
    games = rng.integers(20, 2000, 400)
    parts = [stats.share(int(k), int(n)) for k, n in zip(rng.binomial(games, truth), games, strict=True)]
    calm = np.array(stats.shrunk(parts))
    raw = np.array([part.value for part in parts])
    assert ((calm - truth) ** 2).mean() < 0.75 * ((raw - truth) ** 2).mean()
    few = np.argmin(games)
    many = np.argmax(games)
    assert abs(calm[few] - raw[few]) > abs(calm[many] - raw[many])
    assert stats.shrunk(parts[:2]) == [part.value for part in parts[:2]]
    alike = [stats.share(500, 1000)] * 4 + [stats.missing("none")]
    assert stats.shrunk(alike) == [0.5] * 4 + [None]
    assert stats.shrunk([stats.share(10, 10)] * 3) == [1.0] * 3


def test_planning_golden():
    """statistics 3.16."""
    assert [stats.games_needed(h) for h in (0.05, 0.02, 0.01, 0.005, 0.001)] == [385, 2401, 9604, 38415, 960365]
    assert stats.games_needed(0.02, -0.4) == 1441
    assert stats.smallest_effect(10_000) == pytest.approx(0.0198, abs=1e-4)
    assert stats.smallest_effect(0) is None


def test_coverage_of_single_games():
    """95 % intervals of scores with draws cover the truth in 93-97 % of synthetic runs."""
    rng = np.random.default_rng(1)
    for win, draw in ((0.5, 0.0), (0.55, 0.1), (0.8, 0.02), (0.3, 0.4)):
        truth, hits = win + draw / 2, 0
        for w, d, los in rng.multinomial(400, [win, draw, 1 - win - draw], 4000):
            found = stats.score(int(w), int(d), int(los))
            hits += found.low <= truth <= found.high
        assert 0.93 <= hits / 4000 <= 0.97


def test_coverage_of_pairs_and_differences():
    rng = np.random.default_rng(2)
    weights = [0.1, 0.2, 0.3, 0.25, 0.15]
    truth = sum(i / 4 * w for i, w in enumerate(weights))
    pair_hits = difference_hits = paired_hits = 0
    joint = np.array([[0.35, 0.02, 0.05], [0.01, 0.04, 0.02], [0.03, 0.01, 0.47]])
    shift = sum((j - i) / 2 * joint[i, j] for i in range(3) for j in range(3))
    for _ in range(3000):
        rating = stats.pairs([int(c) for c in rng.multinomial(400, weights)])
        pair_hits += abs(rating.score - truth) <= stats.Z * rating.se
        a, b = rng.binomial(500, 0.4), rng.binomial(500, 0.47)
        found = stats.difference(stats.share(int(a), 500), stats.share(int(b), 500))
        difference_hits += found.low <= 0.07 <= found.high
        both = stats.paired(rng.multinomial(800, joint.ravel()).reshape(3, 3).tolist())
        paired_hits += both.difference.low <= shift <= both.difference.high
    for hits in (pair_hits, difference_hits, paired_hits):
        assert 0.93 <= hits / 3000 <= 0.97


def test_coverage_of_a_seat_balanced_mean():
    rng = np.random.default_rng(3)
    hits = 0
    for first, second in zip(rng.binomial(200, 0.7, 3000), rng.binomial(200, 0.45, 3000), strict=True):
        found = stats.mean_score([(int(first), 0, 200 - int(first)), (int(second), 0, 200 - int(second))])
        hits += found.low <= 0.575 <= found.high
    assert 0.93 <= hits / 3000 <= 0.97

"""Ratings, equilibria, cycles, tiers: known games, second opinions, synthetic truth (statistics 3.8-3.11)."""

from __future__ import annotations

import json
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import analysis
from analysis import bradley_terry, equilibria
from analysis.tables import field as module
from analysis.tables.field import Field, field_of, field_scores, resampled, scores
from sim.commands.table import table as table_command
from sim.errors import InputError
from sim.shares import read_shares
from tests.analysis.synthetic import DECKS, write_run

RPS = np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])
LADDER = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6], [0.3, 0.4, 0.5]])
matrices = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.integers(0, 100), min_size=n * n, max_size=n * n).map(
        lambda x: 0.5 + (np.array(x).reshape(n, n) - np.array(x).reshape(n, n).T) / 200
    )
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return analysis.open_run(write_run(tmp_path_factory.mktemp("runs") / "toy", games=300))


# equilibria


def test_nash_of_known_games():
    assert equilibria.nash(RPS).shares == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert equilibria.nash(LADDER).shares == pytest.approx([1, 0, 0], abs=1e-9)
    # The bias of the winnings of each hand sets the share of the one it loses to.
    M = 0.5 + np.array([[0, 0.1, -0.2], [-0.1, 0, 0.3], [0.2, -0.3, 0]])
    assert equilibria.nash(M).shares == pytest.approx([1 / 2, 1 / 3, 1 / 6], abs=1e-6)


def test_nash_shares_among_decks_that_are_alike():
    """Of all equilibria the widest: two equal rocks take half of what one would."""
    like = [0, 0, 1, 2]
    assert equilibria.nash(RPS[np.ix_(like, like)]).shares == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-5)
    even = equilibria.nash(np.full((5, 5), 0.5))
    assert even.shares == pytest.approx([0.2] * 5, abs=1e-6)
    assert even.effective == pytest.approx(5) and even.exploitability == 0.0


@settings(max_examples=20, deadline=None)
@given(matrices)
def test_nobody_beats_an_equilibrium(M):
    """statistics 3.10: A x* <= 0, and the widest is as wide as any."""
    wide, any_one = equilibria.nash(M), equilibria.nash(M, widest=False)
    for mixture in (wide, any_one):
        assert mixture.shares.sum() == pytest.approx(1) and mixture.shares.min() >= 0
        assert mixture.exploitability < 1e-6
        assert 1 <= mixture.effective <= len(M) + 1e-9
    assert wide.effective >= any_one.effective - 1e-4
    for shares in equilibria.nash_many(np.stack([M, M])):
        assert (M @ shares).max() <= 0.5 + 1e-6


def test_alpha_rank_of_known_games():
    masses, _ = equilibria.alpha_rank(RPS)
    assert masses == pytest.approx([1 / 3] * 3)
    assert equilibria.alpha_rank(LADDER)[0] == pytest.approx([1, 0, 0], abs=1e-9)


def test_alpha_rank_against_the_chain():
    """Second opinion: the stationary distribution from the eigenvector of the chain, where floats bear it."""
    rng = np.random.default_rng(3)
    upper = np.triu(rng.uniform(-0.2, 0.2, (5, 5)), 1)
    M, alpha, m = 0.5 + upper - upper.T, 0.7, equilibria.POPULATION
    chain = np.zeros((5, 5))
    for i in range(5):
        for j in range(5):
            if i != j:
                u = alpha * m / (m - 1) * (M[j, i] - 0.5)
                chain[i, j] = (1 - math.exp(-u)) / (1 - math.exp(-m * u)) / 4
        chain[i, i] = 1 - chain[i].sum()
    values, vectors = np.linalg.eig(chain.T)
    stationary = np.real(vectors[:, np.argmax(np.real(values))])
    assert equilibria.masses(M, alpha) == pytest.approx(stationary / stationary.sum(), abs=1e-9)


@pytest.mark.parametrize("edge", [0.5, 1e-12, 1e-3])
def test_alpha_rank_never_fails_on_reducible_chains(edge):
    for M in (0.5 + edge * np.sign(np.arange(6)[None, :] - np.arange(6)[:, None]), np.full((6, 6), 0.5)):
        masses, _ = equilibria.alpha_rank(M)
        assert np.isfinite(masses).all() and masses.sum() == pytest.approx(1)
    assert equilibria.alpha_rank(np.full((1, 1), 0.5))[0] == [1.0]


def test_cycles_and_polarity_golden():
    """statistics 3.9: rock, paper, scissors 1, a ladder 0."""
    rest, whole = equilibria.cycles(RPS)
    assert rest / whole == pytest.approx(1)
    assert equilibria.cycles(LADDER)[0] == pytest.approx(0, abs=1e-15)
    assert equilibria.polarity(RPS) == pytest.approx([0.4] * 3)
    assert equilibria.gini(np.array([0.25] * 4)) == pytest.approx(0)
    assert equilibria.gini(np.array([1.0, 0, 0, 0])) == pytest.approx(0.75)


# ratings


def test_bradley_terry_of_two_is_the_elo_of_the_score():
    fit = bradley_terry.davidson(np.array([[0, 64_000], [36_000, 0]]), np.zeros((2, 2)))
    assert fit.elo[0] - fit.elo[1] == pytest.approx(400 * math.log10(64 / 36), abs=0.01)
    assert fit.elo.mean() == pytest.approx(1500) and fit.nu == 0


def test_davidson_finds_the_model_that_made_the_games():
    theta, nu = np.array([0.6, 0.1, -0.2, -0.5]), 0.3
    rng = np.random.default_rng(8)
    wins, draws = np.zeros((4, 4)), np.zeros((4, 4))
    for i in range(4):
        for j in range(i + 1, 4):
            a, b = math.exp(theta[i]), math.exp(theta[j])
            whole = a + b + nu * math.sqrt(a * b)
            w, lost, d = rng.multinomial(200_000, [a / whole, b / whole, nu * math.sqrt(a * b) / whole])
            wins[i, j], wins[j, i], draws[i, j], draws[j, i] = w, lost, d, d
    fit = bradley_terry.davidson(wins, draws)
    assert fit.theta == pytest.approx(theta, abs=0.01) and fit.nu == pytest.approx(nu, abs=0.005)
    expected = fit.scores()
    assert expected + expected.T == pytest.approx(np.ones((4, 4)))


def test_davidson_against_a_general_optimiser():
    from scipy.optimize import minimize

    wins = np.array([[0, 60, 70], [40, 0, 55], [30, 45, 0.0]])
    draws = np.array([[0, 10, 5], [10, 0, 8], [5, 8, 0.0]])

    def loss(x):
        theta, value = np.append(x[:2], -x[:2].sum()), 0.0
        for i in range(3):
            for j in range(3):
                if i != j:
                    whole = np.exp(theta[i]) + np.exp(theta[j]) + np.exp(x[2] + (theta[i] + theta[j]) / 2)
                    value -= wins[i, j] * (theta[i] - np.log(whole))
                    value -= draws[i, j] / 2 * (x[2] + (theta[i] + theta[j]) / 2 - np.log(whole))
        return value + bradley_terry.RIDGE / 2 * (theta**2).sum()

    best = minimize(loss, [0, 0, -1.0], tol=1e-10).x
    fit = bradley_terry.davidson(wins, draws)
    assert fit.theta[:2] == pytest.approx(best[:2], abs=1e-4) and fit.nu == pytest.approx(math.exp(best[2]), abs=1e-4)


def test_many_fits_at_once_are_the_single_ones():
    rng = np.random.default_rng(2)
    wins, half = rng.integers(0, 50, (7, 4, 4)).astype(float), rng.integers(0, 9, (7, 4, 4)).astype(float)
    draws = half + half.transpose(0, 2, 1)
    draws[3] = 0
    every = np.arange(4)
    wins[:, every, every] = draws[:, every, every] = 0
    many = bradley_terry.davidson(wins, draws)
    for i in range(7):
        one = bradley_terry.davidson(wins[i], draws[i])
        assert many.theta[i] == pytest.approx(one.theta, abs=1e-8) and many.nu[i] == pytest.approx(one.nu, abs=1e-8)


def test_groups():
    assert bradley_terry.groups(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])) == [[0, 1], [2]]
    assert bradley_terry.groups(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])) == [[0, 1, 2]]
    assert bradley_terry.groups(np.array([[0, 1, 1], [0, 0, 1], [0, 1, 0]])) == [[0], [1, 2]]


# tables


def test_flags(tmp_path):
    """One deck takes everything, one nothing: finite numbers with a flag and words."""
    rows = analysis.ratings(write_run(tmp_path / "wins", games=40, winner="a", decks=DECKS[:3])).to_dicts()
    assert [row["flag"] for row in rows] == ["undefeated", "apart", "winless"]
    assert all(row["reason"] and 0 < row["elo"] < 3000 for row in rows)
    assert {row["flag"] for row in analysis.ratings(write_run(tmp_path / "toy", games=200)).to_dicts()} == {None}


def test_matrix_and_resamples(run):
    field = field_of(run)
    assert field.missing is None
    M = field.scores
    assert np.allclose(M + M.T, 1)
    table = {(r["deck_a"], r["deck_b"]): r["balanced"] for r in analysis.matchups(run).to_dicts()}
    for (a, b), score in table.items():
        assert M[field.names.index(a), field.names.index(b)] == pytest.approx(score)
    again = resampled(run)
    assert (again.sum(-1) == field.counts.sum(-1)).all(), "every resample has the games of the run"
    assert scores(again).mean(0) == pytest.approx(M, abs=0.01)


def test_field_scores_are_those_of_the_decks_table(run):
    shares = {DECKS[0]: 3.0, DECKS[1]: 1.0}
    for asked, shares_list in ((None, [0.25] * 4), (shares, [0.75, 0.25, 0, 0])):
        rows = {row["deck"]: row["score"] for row in analysis.decks(run, asked).to_dicts()}
        found = field_scores(field_of(run).scores, np.array(shares_list))
        for name, score in zip(field_of(run).names, found, strict=True):
            assert rows[name] == pytest.approx(score)
    # Against a field of one other deck, the score is that matchup.
    rows = {row["deck"]: row["score"] for row in analysis.decks(run, shares).to_dicts()}
    first = analysis.matchups(run).filter(pl.col("deck_a") == DECKS[0], pl.col("deck_b") == DECKS[1])
    assert rows[DECKS[0]] == pytest.approx(first["balanced"].item())


def test_tiers_say_how_sure_they_are(run):
    rows = analysis.tiers(run).to_dicts()
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    assert sum(row["p_best"] for row in rows) == pytest.approx(1)
    assert [row["tier"] for row in rows] == sorted(row["tier"] for row in rows)
    assert all(row["rank_low"] <= row["rank"] <= row["rank_high"] for row in rows)
    scored = {row["deck"]: row["score"] for row in analysis.decks(run).to_dicts()}
    assert all(row["score"] == pytest.approx(scored[row["deck"]]) for row in rows)


def test_few_games_make_one_tier(tmp_path):
    rows = analysis.tiers(write_run(tmp_path / "few", games=4)).to_dicts()
    assert {row["tier"] for row in rows} == {1}
    assert max(row["p_best"] for row in rows) < 0.9


def test_the_circle_of_the_toy_is_found(run):
    """The toy's decks beat the next and lose to the one after, which no ranking explains."""
    values = {row["measure"]: row for row in analysis.metagame(run).to_dicts()}
    assert values["cyclic_share"]["value"] > 0.5
    assert values["exploitability"]["value"] < 1e-6
    assert 1 <= values["nash_decks"]["value"] <= 4


def matrix_of_games(p: np.ndarray, games: int, rng: np.random.Generator) -> Field:
    """Games of decks whose true scores are p, the same number in each seat."""
    n = len(p)
    counts = np.zeros((n, n, 2, 3), np.int64)
    for i in range(n):
        for j in range(i + 1, n):
            for seat in (0, 1):
                won = rng.binomial(games, p[i, j])
                counts[i, j, seat] = won, 0, games - won
                counts[j, i, 1 - seat] = games - won, 0, won
    return Field([f"deck {i}" for i in range(n)], counts)


def test_noise_alone_is_not_called_a_cycle(monkeypatch):
    """A ladder seen through few games has a cyclic share; without what noise adds there is none (statistics 3.9)."""
    monkeypatch.setattr(module, "RESAMPLES", 100)
    rng = np.random.default_rng(4)
    truth = 0.5 + 0.04 * (np.arange(6)[None, :] - np.arange(6)[:, None])
    plain, clean = [], []
    for _ in range(30):
        field = matrix_of_games(truth, 100, rng)
        again = scores(module._resampled(field))
        rest, whole = equilibria.cycles(field.scores)
        noise = equilibria.cycles(0.5 + again - again.mean(0))
        plain.append(rest / whole)
        clean.append((rest - noise[0].mean()) / (whole - noise[1].mean()))
    assert np.mean(plain) > 0.05
    assert abs(np.mean(clean)) < 0.02


def test_coverage_of_the_bootstrap(monkeypatch):
    """95 % intervals of field scores and ratings cover the truth in 93-97 % of synthetic matrices."""
    from analysis.tables import field as module

    monkeypatch.setattr(module, "RESAMPLES", 200)
    rng = np.random.default_rng(6)
    theta = np.array([0.3, 0.0, -0.3])
    p, even = 1 / (1 + np.exp(theta[None, :] - theta[:, None])), np.full(3, 1 / 3)
    truth = field_scores(p, even)
    hits = elo_hits = 0
    for _ in range(300):
        field = matrix_of_games(p, 150, rng)
        again = module._resampled(field)
        found, now = field_scores(scores(again), even), field_scores(field.scores, even)
        fits = bradley_terry.davidson(again.sum(3)[..., 0], again.sum(3)[..., 1]).theta
        for i in range(3):
            low, high = module.spread(found[:, i], float(now[i]))
            hits += low <= truth[i] <= high
            low, high = np.quantile(fits[:, i], [0.025, 0.975])
            elo_hits += low <= theta[i] <= high
    assert 0.93 <= hits / 900 <= 0.97
    assert 0.93 <= elo_hits / 900 <= 0.97


# shares


def test_shares_from_a_file_and_in_words(run, tmp_path):
    file = tmp_path / "field.toml"
    file.write_text(f'[shares]\n"{DECKS[0]}" = 2\n"{DECKS[1]}" = 1.5\n', encoding="utf-8")
    assert read_shares(str(file), run.info) == {DECKS[0]: 2.0, DECKS[1]: 1.5}
    assert read_shares("uniform", run.info) is None
    assert read_shares(f"{DECKS[0]}=3, {DECKS[1]}=1", run.info) == {DECKS[0]: 3.0, DECKS[1]: 1.0}
    for wrong in ("no-such-file.toml", f"{DECKS[0]}=many", "observed"):
        with pytest.raises(InputError):
            read_shares(wrong, run.info)
    file.write_text('a = "much"', encoding="utf-8")
    with pytest.raises(InputError, match="has no number"):
        read_shares(str(file), run.info)


def test_shares_of_unknown_decks_are_refused(run, capsys):
    with pytest.raises(analysis.RunError, match="Lamball Lunch"):
        run.against({"Lamball Lunsh": 1.0})
    with pytest.raises(analysis.RunError):
        run.against({DECKS[0]: 0.0})
    table_command(str(run.path), "decks", shares=f"{DECKS[1]}=1", json=True)
    rows = json.loads(capsys.readouterr().out)
    assert {row["deck"]: row["share"] for row in rows}[DECKS[1]] == 1.0


def test_observed_shares_name_built_in_decks():
    """Facts about what people play belong to decks that the program has."""
    from pathlib import Path

    import sim
    from sim.decks import built_in_decks

    data = json.loads((Path(sim.__file__).parent / "games/palworld/observed.json").read_text(encoding="utf-8"))
    known = set(built_in_decks("palworld"))
    assert set(data["shares"]) == set(data["win_rates"]) <= known
    for a, b, share, games in data["matchups"]:
        assert {a, b} <= known and 0 < share < 1 and games > 0

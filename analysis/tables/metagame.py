"""What the matrix says as a whole: ratings, equilibria, tiers, cycles (statistics 3.8-3.11, 3.15)."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from analysis import equilibria
from analysis.bradley_terry import davidson, groups
from analysis.runs import Run
from analysis.tables.field import (
    FEW,
    field_of,
    field_scores,
    resampled,
    scores_resampled,
    shares_of,
    spread,
)
from analysis.tables.results import floats, ints, table, texts
from analysis.tables.scores import BAND, matchups

SURE = 0.975


def ratings(run: Run) -> pl.DataFrame:
    """Elo of each deck after Davidson with 95 % bootstrap interval, best first (statistics 3.11).

    The mean is 1500. `predicted_worst` names the opponent for which the rating errs most, `misfit` by how much (score
    minus prediction): ratings cannot show cycles. `flag`: "undefeated", "winless", or "apart" where no finite rating
    follows from the results; the number is then held in by a weak prior and says little.
    """
    field = field_of(run)
    n = len(field.names)
    if n < 2 or not field.met.any():
        rows: list[dict[str, Any]] = [
            {"deck": name, "games": 0, "reason": field.missing} for name in sorted(field.names)
        ]
        return _ratings_table(rows)
    wins, draws = field.counts.sum(2)[..., 0], field.counts.sum(2)[..., 1]
    fit = davidson(wins, draws)
    again = resampled(run).sum(3)
    many = davidson(again[..., 0], again[..., 1]).elo
    misfit = np.where(field.met, field.scores - fit.scores(), 0.0)
    parts = groups((wins + draws) > 0)
    rows = []
    for i, name in enumerate(field.names):
        games, lost = int(field.counts[i].sum()), int(field.counts[i, :, :, 2].sum())
        won, drawn = int(wins[i].sum()), int(draws[i].sum())
        if not games:
            rows.append({"deck": name, "games": 0, "reason": "no finished games"})
            continue
        flag = None
        if won == games or lost == games:
            flag = "undefeated" if won else "winless"
        elif len(parts) > 1:
            flag = "apart"
        low, high = spread(many[:, i], float(fit.elo[i]))
        worst = int(np.abs(misfit[i]).argmax())
        rows.append(
            {
                "deck": name,
                "elo": float(fit.elo[i]),
                "elo_low": low,
                "elo_high": high,
                "games": games,
                "wins": won,
                "draws": drawn,
                "losses": lost,
                "misfit": float(misfit[i, worst]),
                "predicted_worst": field.names[worst],
                "flag": flag,
                "reason": _flag_words(flag),
            }
        )
    rows.sort(key=lambda row: (-row.get("elo", -math.inf), row["deck"]))
    return _ratings_table(rows)


def _ratings_table(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return table(
        rows,
        texts("deck")
        | floats("elo", "elo_low", "elo_high")
        | ints("games", "wins", "draws", "losses")
        | floats("misfit")
        | texts("predicted_worst", "flag", "reason"),
    )


def _flag_words(flag: str | None) -> str | None:
    if flag == "apart":
        return "some decks took no point from others: how far apart they are is not known"
    if flag:
        return f"{flag}: how far it is from the others is not known"
    return None


def nash(run: Run) -> pl.DataFrame:
    """What a field of players who adapt would play, largest share first (statistics 3.10).

    `share`: the Nash mixture of largest entropy; `support`: in how many of the resampled matrices the deck is part of
    an equilibrium; `score`: score against the mixture (at most 1/2). `alpha`: its mass in alpha-rank, `alpha_first`:
    how often it has the largest. Intervals are bootstrap intervals.
    """
    field = field_of(run)
    schema = (
        texts("deck")
        | floats("share", "share_low", "share_high", "support", "score")
        | floats("alpha", "alpha_low", "alpha_high", "alpha_first")
        | texts("reason")
    )
    if field.missing:
        return table([{"deck": name, "reason": field.missing} for name in sorted(field.names)], schema)
    mixture, many, masses, alphas, _ = _equilibria(run)
    best = alphas.argmax(1)
    rows: list[dict[str, Any]] = []
    for i, name in enumerate(field.names):
        share, mass = float(mixture.shares[i]), float(masses[i])
        low, high = spread(many[:, i], share)
        alpha_low, alpha_high = spread(alphas[:, i], mass)
        rows.append(
            {
                "deck": name,
                "share": share,
                "share_low": low,
                "share_high": high,
                "support": float((many[:, i] > 1e-6).mean()),
                "score": 0.5 + float(mixture.gain[i]),
                "alpha": mass,
                "alpha_low": alpha_low,
                "alpha_high": alpha_high,
                "alpha_first": float((best == i).mean()),
            }
        )
    rows.sort(key=lambda row: (-row["share"], -row["support"], -row["alpha"], row["deck"]))
    return table([_rounded(row) for row in rows], schema)


def _equilibria(
    run: Run,
) -> tuple[equilibria.Mixture, np.ndarray, np.ndarray, np.ndarray, float]:
    """Mixture, resampled mixtures, alpha-rank, resampled alpha-rank, its alpha."""

    def make() -> tuple[equilibria.Mixture, np.ndarray, np.ndarray, np.ndarray, float]:
        M, again = field_of(run).scores, scores_resampled(run)
        masses, alpha = equilibria.alpha_rank(M)
        few = equilibria.nash_many(again[:FEW])
        return equilibria.nash(M), few, masses, equilibria.masses(again, alpha), alpha

    return run.once("equilibria", make)


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    """Ten digits: what a solver returns beyond them differs between machines."""
    return {name: round(value, 10) if isinstance(value, float) else value for name, value in row.items()}


def tiers(run: Run) -> pl.DataFrame:
    """Decks in tiers by their score against the field, and how sure that is (statistics 3.8).

    A tier ends before the first deck that its best deck is ahead of in 97.5 % of the resampled matrices.
    `p_tier`: how often the deck's resampled score lies inside the bounds of its tier (half way to the next deck of
    another tier); `rank_low`, `rank_high`: 95 % of its ranks; `p_best`: how often it is first.
    """
    field = field_of(run)
    schema = (
        ints("tier")
        | texts("deck")
        | floats("score", "low", "high")
        | ints("rank", "rank_low", "rank_high")
        | floats("p_tier", "p_best")
        | texts("reason")
    )
    if field.missing:
        return table([{"deck": name, "reason": field.missing} for name in sorted(field.names)], schema)
    shares = shares_of(run, field.names)
    now, again = field_scores(field.scores, shares), field_scores(scores_resampled(run), shares)
    order = sorted(range(len(now)), key=lambda i: (-now[i], field.names[i]))
    ranks = (again[:, None, :] > again[:, :, None]).sum(2) + 1
    tier_of: dict[int, int] = {}
    leader, tier = order[0], 1
    for i in order:
        if (again[:, leader] > again[:, i]).mean() >= SURE:
            leader, tier = i, tier + 1
        tier_of[i] = tier
    edges = [
        (now[i] + now[j]) / 2 for i, j in pairwise(order) if tier_of[i] != tier_of[j]
    ]  # between tiers, from the top
    placed = (again[..., None] < np.array(edges)).sum(-1) + 1 if edges else np.ones(again.shape)
    best = again.argmax(1)
    rows = []
    for place, i in enumerate(order, 1):
        low, high = spread(again[:, i], float(now[i]))
        rank_low, rank_high = np.quantile(ranks[:, i], [0.025, 0.975], method="nearest")
        rows.append(
            {
                "tier": tier_of[i],
                "deck": field.names[i],
                "score": float(now[i]),
                "low": low,
                "high": high,
                "rank": place,
                "rank_low": min(place, int(rank_low)),
                "rank_high": max(place, int(rank_high)),
                "p_tier": float((placed[:, i] == tier_of[i]).mean()),
                "p_best": float((best == i).mean()),
            }
        )
    return table(rows, schema)


def metagame(run: Run) -> pl.DataFrame:
    """The matrix in a few numbers (statistics 3.9, 3.10, 3.11, 3.15), each with a 95 % bootstrap interval.

    `cyclic_share`: share of the matrix that no ranking explains; `cyclic_share_clean`: the same without what the noise
    of the games adds to it; `polarity`: mean |2M - 1|; `nash_decks`: effective number of decks of the Nash mixture;
    `exploitability`: most that one deck wins against it (-1..1); `nash_gini`; `alpha`: where alpha-rank was stable;
    `outside_band`: share of matchups whose interval lies outside of 45 to 55 %; `largest_edge`: max |M - 1/2|;
    `unevenness`: sum of (M - 1/2)^2 over the matchups; `best_score`: score of the best deck against the field;
    `misfit`: largest error of the ratings; `tie_weight`: nu of the ratings.
    """
    schema = texts("measure") | floats("value", "low", "high") | texts("reason")
    field = field_of(run)
    names = (
        *("cyclic_share", "cyclic_share_clean", "polarity", "nash_decks", "exploitability", "nash_gini", "alpha"),
        *("outside_band", "largest_edge", "unevenness", "best_score", "misfit", "tie_weight"),
    )
    if field.missing:
        return table([{"measure": name, "reason": field.missing} for name in names], schema)
    M, again = field.scores, scores_resampled(run)
    n = len(field.names)
    rows: dict[str, dict[str, Any]] = {}

    def put(name: str, value: float | None, values: np.ndarray | None = None, reason: str | None = None) -> None:
        low, high = (None, None) if values is None or value is None else spread(values, value)
        rows[name] = _rounded({"measure": name, "value": value, "low": low, "high": high, "reason": reason})

    (rest, whole), (rests, wholes) = equilibria.cycles(M), equilibria.cycles(again)
    noise_rest, noise_whole = equilibria.cycles(0.5 + again - again.mean(0))
    clean_rest, clean_whole = rest - noise_rest.mean(), whole - noise_whole.mean()
    if n < 3 or whole == 0.0:
        why = "three decks or more are needed" if n < 3 else "every matchup is exactly even"
        put("cyclic_share", None, reason=why)
        put("cyclic_share_clean", None, reason=why)
    else:
        put("cyclic_share", float(rest / whole), rests / np.maximum(wholes, 1e-300))
        if clean_whole <= 0.0:
            put("cyclic_share_clean", None, reason="the matrix is not larger than its noise")
        else:
            clean = float(np.clip(clean_rest / clean_whole, 0.0, 1.0))
            many = (rests - 2 * noise_rest.mean()) / np.maximum(wholes - 2 * noise_whole.mean(), 1e-12)
            put("cyclic_share_clean", clean, np.clip(many, 0.0, 1.0))
    pairs = n * (n - 1)
    put("polarity", float(np.abs(2 * M - 1).sum() / pairs), np.abs(2 * again - 1).sum((1, 2)) / pairs)
    mixture, many_mixtures, _, _, alpha = _equilibria(run)
    effective = np.array([math.exp(equilibria.entropy(x)) for x in many_mixtures])
    put("nash_decks", mixture.effective, effective)
    put("exploitability", mixture.exploitability)
    put("nash_gini", equilibria.gini(mixture.shares), np.array([equilibria.gini(x) for x in many_mixtures]))
    put("alpha", alpha)
    cells = [row for row in matchups(run).iter_rows(named=True) if row["deck_a"] != row["deck_b"] and row["games"]]
    outside = sum(row["low"] > 0.5 + BAND or row["high"] < 0.5 - BAND for row in cells)
    put("outside_band", outside / len(cells))
    edges = np.abs(again - 0.5)
    put("largest_edge", float(np.abs(M - 0.5).max()), edges.max((1, 2)))
    put("unevenness", float(((M - 0.5) ** 2).sum() / 2), (edges**2).sum((1, 2)) / 2)
    shares = shares_of(run, field.names)
    put("best_score", float(field_scores(M, shares).max()), field_scores(again, shares).max(1))
    fit = davidson(field.counts.sum(2)[..., 0], field.counts.sum(2)[..., 1])
    put("misfit", float(np.abs(M - fit.scores()).max()))
    put("tie_weight", float(fit.nu))
    return table([rows[name] for name in names], schema)

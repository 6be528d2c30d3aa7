"""How near a simulated matrix comes to results between people, and how much of it depends on who plays.

    analysis.calibration.agreement(observed, [run])

Differences are simulated minus observed. Nothing here may be used to choose weights: players are tuned on strength.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from analysis.runs import HasPath, Run, RunError, open_run
from analysis.stats import Estimate, Z, difference, two_sided, wilson
from analysis.tables.results import floats, interval, ints, matchups_of, table, texts
from sim.results import Observed

RESAMPLES = 2000
SEED = 20_261_004
"""Of the bootstrap: the same tables give the same intervals."""
AnyRun = str | Run | HasPath


class Cell(NamedTuple):
    """A pair of decks: what people do and what a player does, both from the side of deck a."""

    deck_a: str
    deck_b: str
    observed: Estimate
    simulated: Estimate


def player_of(run: Run) -> str:
    """Who played a run. Raises RunError where two players met: a matrix of decks needs one."""
    if run.info.versus:
        raise RunError(f"{run.path}: two players meet in this run; a matrix that is compared has one")
    return run.info.agents[0].label or run.info.agents[0].name


def observed_score(share: float, games: int, rounded: float) -> Estimate:
    """A share with its Wilson interval; rounding adds its own error, that of a uniform distribution."""
    variance = share * (1.0 - share) / games + rounded * rounded / 12.0
    n = share * (1.0 - share) / variance if 0.0 < share < 1.0 else games
    return Estimate(share, *wilson(share, n), games, math.sqrt(variance))


def cells(observed: Observed, run: Run) -> list[Cell]:
    """The observed pairs that a run has finished games of."""
    scores: dict[tuple[str, str], Estimate] = {}
    for cell in matchups_of(run):
        scores[cell.deck_a, cell.deck_b] = cell.seats.whole.score
        scores[cell.deck_b, cell.deck_a] = cell.seats.whole.swapped.score
    found = [
        Cell(a, b, observed_score(share, games, observed.rounded), scores[a, b])
        for a, b, share, games in observed.matchups
        if (a, b) in scores and scores[a, b].value is not None
    ]
    if not found:
        raise RunError(f"{run.path}: has none of the observed pairs of decks")
    return found


def pairs(observed: Observed, runs: Sequence[AnyRun]) -> pl.DataFrame:
    """One row a player and pair of decks: shares with intervals, the difference by Newcombe (statistics 3.3).

    `beyond`: the difference is more than chance would make of it, `p` below 0.05; ordered by the size of the miss.
    """
    rows = []
    for run in map(open_run, runs):
        for cell in cells(observed, run):
            miss = difference(cell.observed, cell.simulated)
            p = two_sided((miss.value or 0.0) / miss.se) if miss.se else None
            rows.append(
                {"agent": player_of(run), "deck_a": cell.deck_a, "deck_b": cell.deck_b}
                | interval("observed", cell.observed)
                | interval("simulated", cell.simulated)
                | interval("difference", miss)
                | {"p": p, "beyond": None if p is None else "yes" if p < 0.05 else "no"}
                | {"games_observed": cell.observed.n, "games": cell.simulated.n}
            )
    names = ("observed", "simulated", "difference")
    schema = texts("agent", "deck_a", "deck_b") | floats(*(f"{n}{end}" for n in names for end in ("", "_low", "_high")))
    frame = table(rows, schema | floats("p") | texts("beyond") | ints("games_observed", "games"))
    return frame.sort("agent", pl.col("difference").abs(), descending=[False, True], maintain_order=True)


def agreement(observed: Observed, runs: Sequence[AnyRun]) -> pl.DataFrame:
    """One row a player, after "one half" (which says 1/2 of every pair), with "truth" as the last two.

    `mae`: mean absolute error over the pairs; `rank`: Spearman's correlation as the pairs are written, `rank_both`:
    over both sides of each pair, so that it does not matter which deck is written first; `slope`: of a regression of
    observed on simulated distances from 1/2 through the origin: 1 is right, below 1 the simulation exaggerates;
    `within`: share of pairs whose difference chance alone explains. Intervals by bootstrap over pairs. The rows
    "truth" have the error that sampling alone leaves to a player with the true chances: with as many games as the last
    run, and with games without end.
    """
    opened = [open_run(run) for run in runs]
    rows: list[dict[str, Any]] = []
    for run in opened:
        found = cells(observed, run)
        x, y = _arrays(found)
        if not rows:
            rows.append({"agent": "one half", "pairs": len(y)} | _bootstrapped("mae", _mae, np.full(len(y), 0.5), y))
        row: dict[str, Any] = {"agent": player_of(run), "pairs": len(y)}
        row |= _bootstrapped("mae", _mae, x, y) | _bootstrapped("rank", _rank, x, y)
        row |= _bootstrapped("slope", _slope, x, y)
        row["rank_both"] = _rank(np.concatenate([x, 1 - x]), np.concatenate([y, 1 - y]))
        misses = [difference(cell.observed, cell.simulated) for cell in found]
        chance = [
            miss.value is not None and bool(miss.se) and abs(miss.value) < Z * (miss.se or 0.0) for miss in misses
        ]
        row["within"] = sum(chance) / len(found)
        rows.append(row)
    for name, ours in (("truth, as many games", 1.0), ("truth, endless games", 0.0)):
        errors = [math.hypot(cell.observed.se or 0.0, ours * (cell.simulated.se or 0.0)) for cell in found]
        # E|X| of a normal deviate
        rows.append({"agent": name, "pairs": len(errors), "mae": math.sqrt(2.0 / math.pi) * sum(errors) / len(errors)})
    measures = ("mae", "rank", "slope")
    schema = texts("agent") | ints("pairs") | floats(*(f"{n}{end}" for n in measures for end in ("", "_low", "_high")))
    return table(rows, schema | floats("rank_both", "within"))


def decks(observed: Observed, runs: Sequence[AnyRun]) -> pl.DataFrame:
    """One row a player and deck: how much better the deck does in its hands than in those of people.

    `difference`: mean over the deck's observed pairs, with the interval that sampling leaves; `absolute`: mean size."""
    rows = []
    for run in map(open_run, runs):
        sides: dict[str, list[Estimate]] = {}
        for cell in cells(observed, run):
            miss = difference(cell.observed, cell.simulated)
            sides.setdefault(cell.deck_a, []).append(miss)
            other = Estimate(-(miss.value or 0.0), None, None, miss.n, miss.se)
            sides.setdefault(cell.deck_b, []).append(other)
        for deck, misses in sides.items():
            values = [miss.value or 0.0 for miss in misses]
            mean = math.fsum(values) / len(values)
            error = Z * math.sqrt(math.fsum((miss.se or 0.0) ** 2 for miss in misses)) / len(misses)
            rows.append(
                {
                    "agent": player_of(run),
                    "deck": deck,
                    "pairs": len(misses),
                    "difference": mean,
                    "difference_low": mean - error,
                    "difference_high": mean + error,
                    "absolute": math.fsum(map(abs, values)) / len(values),
                }
            )
    schema = (
        texts("agent", "deck") | ints("pairs") | floats("difference", "difference_low", "difference_high", "absolute")
    )
    return table(rows, schema).sort("agent", pl.col("difference").abs(), descending=[False, True])


def seats(observed: Observed, runs: Sequence[AnyRun]) -> pl.DataFrame:
    """Where it is known how a deck does going first and second: the same of each player, over the pairs of the run."""
    rows = []
    for run in map(open_run, runs):
        for deck, (first, second, games) in observed.first_seat.items():
            parts = [c.seats if c.deck_a == deck else c.seats.swapped for c in matchups_of(run) if deck in c[1:3]]
            if not parts:
                continue
            whole = parts[0]
            for part in parts[1:]:
                whole = whole.plus(part)
            ours = whole.first.score, whole.second.score
            gap = difference(ours[1], ours[0])
            rows.append(
                {"agent": player_of(run), "deck": deck, "games_observed": games}
                | {"observed_first": first, "observed_second": second, "observed_gap": first - second}
                | {"simulated_first": ours[0].value, "simulated_second": ours[1].value}
                | interval("simulated_gap", gap)
            )
    names = ("observed_first", "observed_second", "observed_gap", "simulated_first", "simulated_second")
    gap_columns = floats("simulated_gap", "simulated_gap_low", "simulated_gap_high")
    return table(rows, texts("agent", "deck") | ints("games_observed") | floats(*names) | gap_columns)


# ---------------------------------------------------------------------------------------------------------------
# the same matrix in other hands


def robustness(runs: Sequence[AnyRun]) -> pl.DataFrame:
    """One row for each two players and one for all: do they agree about the decks? (statistics 3.18)

    `agree`: share of pairs of decks in which all name the same favourite; `agree_sure`: of those in which each of them
    is sure (interval off 1/2); `tau`: Kendall's correlation of the deck rankings (of all: the mean); `gap`: mean
    difference of a pair's score (of all: mean of largest minus smallest).
    """
    matrices = [(player_of(run), _scores(run)) for run in map(open_run, runs)]
    if len(matrices) < 2:
        raise RunError("a robustness band needs the same matrix by two players or more; three say something")
    rows = [_agree([one, other]) for one, other in combinations(matrices, 2)]
    if len(matrices) > 2:
        rows.append(_agree(matrices) | {"agents": "all", "tau": math.fsum(row["tau"] for row in rows) / len(rows)})
    return table(rows, texts("agents") | ints("pairs", "pairs_sure") | floats("agree", "agree_sure", "tau", "gap"))


def band(runs: Sequence[AnyRun]) -> pl.DataFrame:
    """One row a deck: the lowest and the highest mean score that a player gives it, and its rank with each.

    The mean is over the pairs that all runs have; `spread` is how far the answer depends on who plays."""
    matrices = [(player_of(run), _scores(run)) for run in map(open_run, runs)]
    common = _common([scores for _, scores in matrices])
    by_player = [(name, _field(scores, common)) for name, scores in matrices]
    rows: list[dict[str, Any]] = []
    for deck in by_player[0][1]:
        values = [scores[deck] for _, scores in by_player]
        ranks = [1 + sum(value > scores[deck] for value in scores.values()) for _, scores in by_player]
        rows.append(
            {"deck": deck, "lowest": min(values), "highest": max(values), "spread": max(values) - min(values)}
            | {"mean": math.fsum(values) / len(values), "ranks": ", ".join(map(str, ranks))}
        )
    rows.sort(key=lambda row: -row["mean"])
    return table(rows, texts("deck") | floats("mean", "lowest", "highest", "spread") | texts("ranks"))


Scores = dict[tuple[str, str], Estimate]


def _scores(run: Run) -> Scores:
    """Score of every pair of two decks, by names in order."""
    found: Scores = {}
    for cell in matchups_of(run):
        if cell.deck_a == cell.deck_b or not cell.seats.whole.games:
            continue
        turned = cell.deck_a > cell.deck_b
        whole = cell.seats.whole.swapped if turned else cell.seats.whole
        found[(cell.deck_b, cell.deck_a) if turned else (cell.deck_a, cell.deck_b)] = whole.score
    return found


def _common(matrices: Sequence[Scores]) -> list[tuple[str, str]]:
    common = sorted(set.intersection(*(set(scores) for scores in matrices)))
    if not common:
        raise RunError("the runs have no pair of decks in common")
    return common


def _field(scores: Scores, common: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Mean score of each deck."""
    sides: dict[str, list[float]] = {}
    for a, b in common:
        value = scores[a, b].value or 0.0
        sides.setdefault(a, []).append(value)
        sides.setdefault(b, []).append(1.0 - value)
    return {deck: math.fsum(values) / len(values) for deck, values in sorted(sides.items())}


def _agree(matrices: Sequence[tuple[str, Scores]]) -> dict[str, Any]:
    from scipy.stats import kendalltau

    common = _common([scores for _, scores in matrices])
    values = np.array([[scores[pair].value for pair in common] for _, scores in matrices], float)
    sure = np.array([[_sure(scores[pair]) for pair in common] for _, scores in matrices]).all(0)
    same = (np.sign(values - 0.5) == np.sign(values[0] - 0.5)).all(0)
    fields = [list(_field(scores, common).values()) for _, scores in matrices]
    tau = float(kendalltau(fields[0], fields[1]).statistic) if len(fields) == 2 and len(fields[0]) > 1 else math.nan
    return {
        "agents": " and ".join(name for name, _ in matrices),
        "pairs": len(common),
        "pairs_sure": int(sure.sum()),
        "agree": float(same.mean()),
        "agree_sure": float(same[sure].mean()) if sure.any() else None,
        "tau": tau if math.isfinite(tau) else None,
        "gap": float(np.ptp(values, axis=0).mean()),
    }


def _sure(score: Estimate) -> bool:
    return score.low is not None and score.high is not None and not score.low <= 0.5 <= score.high


# ---------------------------------------------------------------------------------------------------------------
# numbers


def _arrays(found: Sequence[Cell]) -> tuple[np.ndarray, np.ndarray]:
    """Simulated and observed shares."""
    return tuple(np.array([getattr(cell, side).value for cell in found]) for side in ("simulated", "observed"))  # type: ignore[return-value]


def _mae(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.abs(x - y).mean())


def _rank(x: np.ndarray, y: np.ndarray) -> float | None:
    from scipy.stats import spearmanr

    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return None
    return float(spearmanr(x, y).statistic)


def _slope(x: np.ndarray, y: np.ndarray) -> float | None:
    spread = float(((x - 0.5) ** 2).sum())
    return float(((x - 0.5) * (y - 0.5)).sum()) / spread if spread > 0.0 else None


def _bootstrapped(
    name: str, measure: Callable[[np.ndarray, np.ndarray], float | None], x: np.ndarray, y: np.ndarray
) -> dict[str, float | None]:
    """A measure of all pairs, with the interval of the middle 95 % over resamples of pairs, as three columns."""
    generator = np.random.default_rng(SEED)
    draws = generator.integers(0, len(x), (RESAMPLES, len(x)))
    many = [value for draw in draws if (value := measure(x[draw], y[draw])) is not None]
    whole: dict[str, float | None] = {name: measure(x, y)}
    if len(x) > 2 and many:
        whole |= dict(zip((f"{name}_low", f"{name}_high"), np.quantile(many, [0.025, 0.975]).tolist(), strict=True))
    return whole

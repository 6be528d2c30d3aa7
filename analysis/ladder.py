"""How strong players are: ratings from pairs of games on the same seeds (statistics 3.4, 3.5, 3.11).

    analysis.ladder.duels(sim.ladder.ladder(["greedy", "random"]))

A pair is one game in both assignments of the players; its score is the mean of both. The variance is that of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from analysis.bradley_terry import davidson, groups
from analysis.stats import Sprt, Z, elo, pairs, sprt, with_error
from analysis.tables.results import floats, ints, table, texts
from sim.results import Duel, DuelCell, LadderInfo

RESAMPLES = 1000
CLASSES = ("ll", "ld", "even", "wd", "ww")
"""Scores of a pair 0, 1/4, 1/2 (a win and a loss, or two draws), 3/4, 1."""


class Sequential(NamedTuple):
    """A sequential test: elo0 against elo1; model: "logistic" (Elo) or "normalised" (nElo)."""

    elo0: float
    elo1: float
    model: str = "logistic"

    def state(self, duel: Duel) -> Sprt:
        """Where the test stands."""
        return sprt(five(duel.cells), self.elo0, self.elo1, self.model)

    def ended(self, duel: Duel) -> bool:
        """Whether it is decided."""
        return self.state(duel).decision in ("H0", "H1")


def parse_test(text: str) -> Sequential:
    """`0,10` in Elo, or `0,5,nelo` in normalised Elo. Raises ValueError in words for people."""
    first, *rest = [part.strip() for part in text.split(",")]
    try:
        low, high = float(first), float(rest[0])
    except (ValueError, IndexError):
        low, high = math.nan, math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high) or rest[1:] not in ([], ["elo"], ["nelo"]):
        raise ValueError(f"{text!r}: two numbers of Elo, the smaller one first, as in 0,10 or 0,5,nelo")
    return Sequential(low, high, "normalised" if rest[1:] == ["nelo"] else "logistic")


def joint_of(cells: Sequence[DuelCell]) -> np.ndarray:
    """Finished pairs of several pairs of decks together: int64[3, 3] by result on side a and on side b."""
    return sum((np.array(cell.joint, np.int64)[:3, :3] for cell in cells), np.zeros((3, 3), np.int64))


def five(cells: Sequence[DuelCell]) -> list[int]:
    """Pairs by their score (`CLASSES`)."""
    joint = joint_of(cells)
    return [int(np.trace(joint[:, ::-1], offset)) for offset in (2, 1, 0, -1, -2)]


def unfinished(cells: Sequence[DuelCell]) -> int:
    """Pairs with a game that has no result; they are in no score."""
    return sum(sum(map(sum, cell.joint)) for cell in cells) - int(joint_of(cells).sum())


def rho(cells: Sequence[DuelCell]) -> float | None:
    """Correlation of the two games of a pair: 2 v / s^2 - 1 for the variance v of pairs and s^2 of single games.

    Below 0 the swap makes a comparison better: the same deck wins in both hands (statistics 3.4b, 3.16).
    """
    joint = joint_of(cells)
    n = int(joint.sum())
    if n == 0:
        return None
    scores = np.array([0.0, 0.5, 1.0])
    single = (joint.sum(0) + joint.sum(1)) / (2 * n)
    mean = float(single @ scores)
    spread = float(single @ (scores - mean) ** 2)
    both = (scores[:, None] + scores) / 2 - mean
    return None if spread == 0.0 else 2.0 * float((joint * both**2).sum()) / n / spread - 1.0


def duels(ladder: LadderInfo, test: Sequential | None = None) -> pl.DataFrame:
    """One row for each pair of players, from the view of `agent` (statistics 3.4).

    `score` with its interval, `elo` and `nelo` with theirs, `los`: likelihood of superiority, `rho`: correlation inside
    pairs, pairs by their score (`ll` .. `ww`), `games`, and with a sequential test `llr` and `decision`.
    """
    rows = [_row(duel.cells, test) | {"agent": duel.agent, "opponent": duel.opponent} for duel in ladder.duels]
    return table(rows, texts("agent", "opponent") | _SCHEMA)


def decks(ladder: LadderInfo) -> pl.DataFrame:
    """One row for each pair of players and deck: the pairs of games in which that deck was played, by both in turn.

    Low scores say with which decks `agent` is worse than `opponent`, on either side of the table.
    """
    rows = []
    for duel in ladder.duels:
        for deck in ladder.decks:
            cells = [cell for cell in duel.cells if deck in (cell.deck_a, cell.deck_b)]
            rows.append(
                _row(cells, None) | _held(cells, deck) | {"agent": duel.agent, "opponent": duel.opponent, "deck": deck}
            )
    return table(rows, texts("agent", "opponent", "deck") | floats("holding", "facing") | _SCHEMA)


_SCHEMA = (
    ints("games")
    | floats("score", "score_low", "score_high", "elo", "elo_low", "elo_high")
    | floats("nelo", "nelo_low", "nelo_high", "los", "rho")
    | ints(*CLASSES, "unfinished")
    | floats("llr")
    | texts("decision", "reason")
)


def _row(cells: Sequence[DuelCell], test: Sequential | None) -> dict[str, Any]:
    counts = five(cells)
    rating = pairs(counts)
    row: dict[str, Any] = {"games": 2 * rating.n, "score": rating.score, "reason": rating.reason}
    row |= dict(zip(CLASSES, counts, strict=True)) | {"unfinished": unfinished(cells), "rho": rho(cells)}
    if rating.score is not None and rating.se is not None:
        whole = with_error(rating.score, rating.se, rating.n)
        row |= {"score_low": whole.low, "score_high": whole.high}
    row |= {"elo": rating.elo, "nelo": rating.nelo, "los": rating.los}
    if rating.score is not None and rating.se:
        row |= {"elo_low": elo(rating.score - Z * rating.se), "elo_high": elo(rating.score + Z * rating.se)}
    if rating.nelo is not None and rating.nelo_error is not None:
        row |= {"nelo_low": rating.nelo - rating.nelo_error, "nelo_high": rating.nelo + rating.nelo_error}
    if test is not None:
        state = test.state(Duel("", "", list(cells)))
        row |= {"llr": state.llr, "decision": state.decision, "reason": row["reason"] or state.reason}
    return row


def _held(cells: Sequence[DuelCell], deck: str) -> dict[str, float | None]:
    """Score of the first player with the deck in hand, and with the deck on the other side; mirrors are both."""
    sums = {"holding": [0.0, 0], "facing": [0.0, 0]}
    for cell in cells:
        joint = joint_of([cell])
        n = int(joint.sum())
        on_a, on_b = (float(joint.sum(axis) @ [0.0, 0.5, 1.0]) for axis in (1, 0))
        for side, won in (("a", on_a), ("b", on_b)):
            held = (cell.deck_a if side == "a" else cell.deck_b) == deck
            faced = (cell.deck_b if side == "a" else cell.deck_a) == deck
            for name, yes in (("holding", held), ("facing", faced)):
                if yes:
                    sums[name][0] += won
                    sums[name][1] += n
    return {name: won / n if n else None for name, (won, n) in sums.items()}


def ratings(ladder: LadderInfo) -> pl.DataFrame:
    """Elo of each player by all duels together, mean 1500, with bootstrap intervals over pairs (statistics 3.11)."""
    names = [agent.label for agent in ladder.agents]
    n = len(names)
    generator = np.random.default_rng(ladder.seed & 0xFFFFFFFF)
    wins, draws = np.zeros((RESAMPLES + 1, n, n)), np.zeros((RESAMPLES + 1, n, n))
    games = np.zeros(n, int)
    for duel in ladder.duels:
        i, j = names.index(duel.agent), names.index(duel.opponent)
        joint = joint_of(duel.cells).ravel()
        total = int(joint.sum())
        if not total:
            continue
        drawn = generator.multinomial(total, joint / total, RESAMPLES)
        all_of = np.concatenate([joint[None], drawn]).reshape(-1, 3, 3)
        singles = all_of.sum(1) + all_of.sum(2)
        wins[:, i, j], wins[:, j, i] = singles[:, 2], singles[:, 0]
        draws[:, i, j] = draws[:, j, i] = singles[:, 1]
        games[[i, j]] += 2 * total
    fit = davidson(wins, draws)
    low, high = np.quantile(fit.elo[1:], [0.025, 0.975], axis=0)
    tied = groups((wins[0] + draws[0] / 2) > 0)
    rows = []
    for k in np.argsort(-fit.elo[0], kind="stable"):
        group = next(g for g in tied if k in g)
        reason = (
            None if len(tied) == 1 else "won or lost everything: the distance is a guess" if len(group) == 1 else None
        )
        rows.append(
            {
                "agent": names[k],
                "elo": float(fit.elo[0, k]),
                "elo_low": float(low[k]),
                "elo_high": float(high[k]),
                "games": int(games[k]),
                "reason": reason,
            }
        )
    return table(rows, texts("agent") | floats("elo", "elo_low", "elo_high") | ints("games") | texts("reason"))


def sequential_words(row: dict[str, Any], test: Sequential) -> str:
    """What a sequential test says, in a sentence."""
    unit = "nElo" if test.model == "normalised" else "Elo"
    head = f"{row['agent']} against {row['opponent']}, {test.elo0:g} or {test.elo1:g} {unit}: "
    if row["llr"] is None:
        return head + f"not defined ({row['reason']})."
    said = {
        "H0": f"decided for {test.elo0:g} or less",
        "H1": f"decided for {test.elo1:g} or more",
        "continue": "not decided, more games are needed",
    }[row["decision"]]
    return head + f"{said} (log likelihood ratio {row['llr']:.2f}, bounds ±2.94) after {row['games']:,} games."


def tuned_words(row: dict[str, Any], test: Sequential) -> str:
    """How the test of new weights against the old ones ended."""
    if row["score"] is None:
        return f"Nothing is known of the new weights: {row['reason']}."
    said = {
        "H1": "Better",
        "H0": "Not better",
        "continue": "Not decided",
        None: "Not decided",
    }[row["decision"]]
    score, low, high = (100 * row[name] for name in ("score", "score_low", "score_high"))
    unit = "nElo" if test.model == "normalised" else "Elo"
    return (
        f"{said} on fresh seeds and other decks: {score:.1f} % [{low:.1f}, {high:.1f}] of {row['games']:,} "
        f"games against the start ({test.elo0:g} against {test.elo1:g} {unit}, errors of 5 %)."
    )

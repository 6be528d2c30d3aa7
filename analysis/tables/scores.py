"""Who beats whom: matchups, decks against the field, first-player advantage (statistics 3.1, 3.6-3.8, 3.17)."""

from __future__ import annotations

import math

import polars as pl

from analysis.runs import Run
from analysis.stats import Estimate, Z, difference, holm, mcnemar, mean_of, p_even, shrunk
from analysis.tables.results import Matchup, Seats, floats, interval, ints, matchups_of, table, texts

LEVEL = 0.05
BAND = 0.05
"""A matchup is even when its score is known to lie within 1/2 +- BAND."""


def matchups(run: Run) -> pl.DataFrame:
    """One row a matchup and pair of players: score of a with interval, seats apart, verdict (statistics 3.7).

    `score` counts all finished games (statistics 3.1, 3.2); `balanced` gives both seats equal weight. `verdict`:
    "a" or "b" where that side is favoured (exact sign test on the decisive games), "even" where the score is known to
    lie within 45..55 %, otherwise "unresolved"; both tests by Holm over the matchups at 5 %. A mirror has no verdict.
    `stopped`: "early" where the rule of `--until` ended the matchup because of what its games said: then score and
    interval lie a little too far from 1/2 (with a width as the rule, they do not).
    `shrunk`: the score drawn towards the mean of all matchups (statistics 3.17), for whoever picks the largest.
    """
    rows = []
    for cell in matchups_of(run):
        whole, seats = cell.seats.whole, cell.seats
        rows.append(
            {
                **cell._asdict(),
                **whole._asdict(),
                "games": whole.games,
                **interval("score", whole.score),
                "balanced": seats.balanced.value,
                **interval("first", seats.first.score),
                **interval("second", seats.second.score),
                "draw_rate": whole.draws / whole.games if whole.games else None,
                "reason": whole.score.reason,
                "stopped": "early" if cell.matchup in run.info.stops else None,
            }
        )
    cells = matchups_of(run)
    tested = [_sign_test(cell) for cell in cells]
    even = [None if c.mirror else p_even(*c.seats.whole[:3], BAND) for c in cells]
    calm = shrunk([cell.seats.whole.score for cell in cells])
    for row, cell, p, p_holm, p_even_holm, drawn in zip(
        rows, cells, tested, holm(tested), holm(even), calm, strict=True
    ):
        verdict = _verdict(cell, p_holm, p_even_holm)
        row |= {"p": p, "p_holm": p_holm, "verdict": verdict, "shrunk": None if cell.mirror else drawn}
    return table(
        rows,
        ints("matchup")
        | texts("deck_a", "deck_b", "agent_a", "agent_b")
        | ints("games", "wins", "draws", "losses", "unfinished")
        | floats("score", "low", "high", "balanced", "first", "first_low", "first_high")
        | floats("second", "second_low", "second_high", "draw_rate", "shrunk", "p", "p_holm")
        | texts("verdict", "reason", "stopped"),
    )


def _sign_test(cell: Matchup) -> float | None:
    whole = cell.seats.whole
    return None if cell.mirror or not whole.games else mcnemar(whole.wins, whole.losses)


def _verdict(cell: Matchup, p: float | None, p_even_holm: float | None) -> str:
    if cell.mirror:
        return "mirror"
    if p is not None and p < LEVEL:
        return "a" if cell.seats.whole.wins > cell.seats.whole.losses else "b"
    return "even" if p_even_holm is not None and p_even_holm < LEVEL else "unresolved"


def by_deck(run: Run) -> dict[tuple[str, str, str], dict[str, Seats]]:
    """(deck, its player, the other player) to {opponent deck: results}, every game seen from both sides."""
    found: dict[tuple[str, str, str], dict[str, Seats]] = {}
    for cell in matchups_of(run):
        views = [(cell.deck_a, cell.agent_a, cell.deck_b, cell.agent_b, cell.seats)]
        if not cell.mirror:
            views.append((cell.deck_b, cell.agent_b, cell.deck_a, cell.agent_a, cell.seats.swapped))
        for deck, agent, opponent, against, seats in views:
            opponents = found.setdefault((deck, agent, against), {})
            opponents[opponent] = opponents.get(opponent, Seats()).plus(seats)
    return found


def decks(run: Run) -> pl.DataFrame:
    """Score of each deck against the field of the other decks of the run (statistics 3.8).

    Every opponent counts as its share of the field says, the same for all without shares, whatever the number of games;
    the mirror is left out and the shares renormalised. `polarity`: how one-sided its matchups are (statistics 3.9).
    Best first; decks without a score last.
    """
    rows = []
    for (deck, agent, against), opponents in by_deck(run).items():
        others = {name: seats for name, seats in opponents.items() if name != deck}
        whole = Seats()
        for seats in others.values():
            whole = whole.plus(seats)
        cells = {name: seats.cell for name, seats in others.items()}
        weights = None if run.shares is None else [run.shares.get(name, 0.0) for name in cells]
        field = mean_of(list(cells.values()), weights)
        known = sorted((cell.value, name) for name, cell in cells.items() if cell.value is not None)
        best, worst = (known[-1], known[0]) if known else ((None, None), (None, None))
        rows.append(
            {
                "deck": deck,
                "agent": agent,
                "against": against,
                "opponents": len(others),
                **whole.whole._asdict(),
                "games": whole.whole.games,
                **interval("score", field),
                "first": whole.first.score.value,
                "second": whole.second.score.value,
                "best_opponent": best[1],
                "best": best[0],
                "worst_opponent": worst[1],
                "worst": worst[0],
                "share": None if run.shares is None else run.shares.get(deck, 0.0),
                "polarity": _polarity(known),
                "reason": field.reason if others else "no other deck in the run",
            }
        )
    rows.sort(key=lambda row: (-(row["score"] if row["score"] is not None else -1.0), row["deck"], row["agent"]))
    return table(
        rows,
        texts("deck", "agent", "against")
        | ints("opponents", "games", "wins", "draws", "losses", "unfinished")
        | floats("score", "low", "high", "first", "second")
        | texts("best_opponent")
        | floats("best")
        | texts("worst_opponent")
        | floats("worst", "share", "polarity")
        | texts("reason"),
    )


def _polarity(known: list[tuple[float, str]]) -> float | None:
    """Root of the mean of (score - 1/2)^2 (statistics 3.9)."""
    return math.sqrt(math.fsum((score - 0.5) ** 2 for score, _ in known) / len(known)) if known else None


def players(run: Run) -> pl.DataFrame:
    """Score of each player against another one, over all matchups and both seats with equal weight (statistics 3.1).

    Only runs with two players have rows. Their games share no seeds, so that all of them are independent.
    """
    rows = []
    for agent, against in sorted({(agent, against) for _, agent, against in by_deck(run) if agent != against}):
        cells = [
            seats
            for (_, mine, other), opponents in sorted(by_deck(run).items())
            if (mine, other) == (agent, against)
            for _, seats in sorted(opponents.items())
        ]
        whole = Seats()
        for seats in cells:
            whole = whole.plus(seats)
        known = _known([seats.cell for seats in cells])
        estimate = mean_of(known)
        rows.append(
            {
                "agent": agent,
                "against": against,
                "matchups": len(known),
                **whole.whole._asdict(),
                "games": whole.whole.games,
                **interval("score", estimate),
                "first": whole.first.score.value,
                "second": whole.second.score.value,
                "reason": estimate.reason,
            }
        )
    rows.sort(key=lambda row: (-(row["score"] if row["score"] is not None else -1.0), row["agent"], row["against"]))
    return table(
        rows,
        texts("agent", "against")
        | ints("matchups", "games", "wins", "draws", "losses", "unfinished")
        | floats("score", "low", "high", "first", "second")
        | texts("reason"),
    )


def first(run: Run) -> pl.DataFrame:
    """First-player advantage: score of the first seat minus 1/2 (statistics 3.6).

    `scope`: "overall" (matchups of different decks, equal weights), "mirrors", "logit" (gamma of the logistic model
    in `advantage`, 400 gamma/ln 10 in `elo`), then one row a "matchup" and one a "deck" (its score going first minus
    its score going second, so twice the scale).
    """
    cells = matchups_of(run)
    apart = [_first_seat(c.seats) for c in cells if not c.mirror]
    mirrors = [_mirror_first(c.seats) for c in cells if c.mirror]
    rows = [{"scope": "overall", **_advantage(mean_of(_known(apart)))}]
    if mirrors:
        rows.append({"scope": "mirrors", **_advantage(mean_of(_known(mirrors)))})
    rows.append({"scope": "logit", **_logit(cells)})
    for cell in cells:
        seat = _mirror_first(cell.seats) if cell.mirror else _first_seat(cell.seats)
        names = {"deck_a": cell.deck_a, "deck_b": cell.deck_b, "agent": cell.agent_a, "against": cell.agent_b}
        rows.append({"scope": "matchup", **names, **_advantage(seat)})
    for (deck, agent, against), opponents in sorted(by_deck(run).items()):
        whole = Seats()
        for seats in opponents.values():
            whole = whole.plus(seats)
        rows.append({"scope": "deck", "deck_a": deck, "agent": agent, "against": against, **_first_minus_second(whole)})
    return table(
        rows,
        texts("scope", "deck_a", "deck_b", "agent", "against")
        | ints("games")
        | floats("score_first", "advantage", "low", "high", "elo")
        | texts("reason"),
    )


def _known(parts: list[Estimate]) -> list[Estimate]:
    return [part for part in parts if part.value is not None]


def _first_seat(seats: Seats) -> Estimate:
    """Mean score of the first seat, both orders with equal weight."""
    return Seats(seats.first, seats.second.swapped).balanced


def _mirror_first(seats: Seats) -> Estimate:
    """In a mirror both orders are the same game."""
    return seats.first.plus(seats.second.swapped).score


def _advantage(seat: Estimate) -> dict:
    if seat.value is None or seat.low is None or seat.high is None:
        return {"games": seat.n, "reason": seat.reason}
    return {
        "games": seat.n,
        "score_first": seat.value,
        "advantage": seat.value - 0.5,
        "low": seat.low - 0.5,
        "high": seat.high - 0.5,
    }


def _first_minus_second(seats: Seats) -> dict:
    d = difference(seats.second.score, seats.first.score)
    return {
        "games": seats.whole.games,
        "score_first": seats.first.score.value,
        "advantage": d.value,
        "low": d.low,
        "high": d.high,
        "reason": d.reason,
    }


def _logit(cells: list[Matchup]) -> dict:
    """gamma of logit P(i beats j | i first) = beta_i - beta_j + gamma, by maximum likelihood, draws as half wins."""
    import numpy as np

    rows = []
    for cell in cells:
        i, j = (cell.deck_a, cell.agent_a), (cell.deck_b, cell.agent_b)
        rows += [(i, j, cell.seats.first), (j, i, cell.seats.second.swapped)]
    rows = [row for row in rows if row[2].games]
    games = sum(row[2].games for row in rows)
    names = sorted({name for row in rows for name in row[:2]})
    if not rows:
        return {"games": 0, "reason": "no finished games"}
    x = np.zeros((len(rows), len(names) + 1))
    x[:, -1] = 1.0
    for r, (i, j, _) in enumerate(rows):
        x[r, names.index(i)] += 1.0
        x[r, names.index(j)] -= 1.0
    n = np.array([row[2].games for row in rows], float)
    s = np.array([row[2].score.value for row in rows], float)
    spread = np.array([(row[2].score.se or 0.0) ** 2 for row in rows]) * n * n
    beta = np.zeros(len(names) + 1)
    for _ in range(100):
        p = 1.0 / (1.0 + np.exp(-x @ beta))
        information = x.T @ (x * (n * p * (1.0 - p))[:, None])
        inverse = np.linalg.pinv(information, hermitian=True)
        step = inverse @ (x.T @ (n * (s - p)))
        beta = beta + np.clip(step, -2.0, 2.0)
        if np.abs(beta).max() > 12.0:
            return {"games": games, "reason": "a seat or deck won or lost everything: the logits are not finite"}
        if np.abs(step).max() < 1e-10:
            break
    only_first = np.append(np.zeros(len(names)), 1.0)
    if np.abs(inverse @ information @ only_first - only_first).max() > 1e-6:
        return {"games": games, "reason": "decks and seats cannot be told apart: some matchups lack a seat"}
    gamma = float(beta[-1])
    se = float(np.sqrt((inverse @ (x.T @ (x * spread[:, None])) @ inverse)[-1, -1]))
    return {
        "games": games,
        "score_first": 1.0 / (1.0 + math.exp(-gamma)),
        "advantage": gamma,
        "low": gamma - Z * se,
        "high": gamma + Z * se,
        "elo": 400.0 * gamma / math.log(10.0),
    }

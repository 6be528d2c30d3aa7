"""How games go: length, ends, lead in life against the chance to win (statistics 3.14)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import polars as pl

from analysis.runs import Run
from analysis.stats import score, share
from analysis.tables.results import KEYS, by_matchup, counted, floats, interval, ints, table, texts
from sim.results import ENDS, PER_SIDE, TURN_COLUMNS

PER_TURN = ("decisions", "attacks", "played")
SHORT = {"options": "options", "dead_turns": "dead", "stuck_turns": "stuck"}
"""Names of what is a mean of a decision, and shares of turns."""


def counted_columns(run: Run) -> list[str]:
    """Columns of `games` that count what a side did, in this game."""
    return [name for name, column in {**PER_SIDE, **run.info.columns}.items() if column.counted]


def shape(run: Run) -> pl.DataFrame:
    """Length, ends and activity of games, over all ("all", first row) and by matchup (statistics 3.14).

    Turns are counted over both players; p5 and p95 are the turns by which 5 % and 95 % of the games had ended. The
    shares of the ends (`life`, `deck`, `both`, `loop`, `cap`) and `unfinished` are of all games, `draw_rate` of the
    finished ones, `mulligan_rate` of all opening hands. `options`: at a decision (the branching factor; decisions with
    one option are none). `dead` and `stuck`: shares of the turns, as in the table `dead`. The other columns are means
    of a game, both sides together, or of a turn where they say so.
    """
    means, more = counted_columns(run), [name for name in TURN_COLUMNS if name in run.info.columns]
    both = {name: pl.col(f"{name}_a").cast(pl.Int64) + pl.col(f"{name}_b") for name in (*means, *more)}
    frame = by_matchup(
        run,
        "turns",
        games=pl.len().cast(pl.Int64),
        draws=counted(pl.col("winner") == "draw"),
        unfinished=counted(pl.col("winner").is_null()),
        decisions=pl.col("decisions").cast(pl.Int64).sum(),
        steps=pl.col("steps").cast(pl.Int64).max(),
        mulligans=counted(pl.col("mulligan_a")) + counted(pl.col("mulligan_b")),
        **{name: total.sum() for name, total in both.items()},
        **{f"end_{end}": counted(pl.col("end") == end) for end in ENDS},
    )
    means = ["decisions", *means]
    rows = [_shape({"deck_a": "all", "deck_b": "all"}, frame, means)]
    for key, part in frame.group_by(*KEYS, maintain_order=True):
        rows.append(_shape(dict(zip(KEYS, key, strict=True)), part, means))
    return table(
        rows,
        ints("matchup")
        | texts("deck_a", "deck_b", "agent_a", "agent_b")
        | ints("games")
        | floats("turns", "turns_median")
        | ints("turns_p5", "turns_p95", "turns_max")
        | floats(*(f"end_{end}" for end in ENDS), "unfinished", "draw_rate", "draw_low", "draw_high")
        | floats(*means, *(f"{name}_per_turn" for name in PER_TURN), *(SHORT[name] for name in more), "mulligan_rate")
        | ints("steps_max"),
    )


def _shape(names: dict, frame: pl.DataFrame, means: list[str]) -> dict:
    turns: dict[int, int] = {}
    for turn, games in frame.select("turns", "games").iter_rows():
        turns[turn] = turns.get(turn, 0) + games
    total = {name: int(frame[name].sum()) for name in frame.columns if name not in (*KEYS, "turns", "steps")}
    games, played = total["games"], sum(turn * n for turn, n in turns.items())
    draws = share(total["draws"], games - total["unfinished"])
    return {
        **names,
        "games": games,
        "turns": played / games,
        "turns_median": (rank(turns, (games + 1) // 2) + rank(turns, games // 2 + 1)) / 2,
        "turns_p5": rank(turns, max(1, -(-games * 5 // 100))),
        "turns_p95": rank(turns, max(1, -(-games * 95 // 100))),
        "turns_max": max(turns),
        **{f"end_{end}": total[f"end_{end}"] / games for end in ENDS},
        "unfinished": total["unfinished"] / games,
        "draw_rate": draws.value,
        "draw_low": draws.low,
        "draw_high": draws.high,
        **{name: total[name] / games for name in means},
        **{f"{name}_per_turn": total[name] / played if played else None for name in PER_TURN},
        **{
            SHORT[name]: _part(total.get(name), total["decisions"] if name == "options" else played)
            for name in TURN_COLUMNS
        },
        "mulligan_rate": total["mulligans"] / (2 * games),
        "steps_max": frame["steps"].max(),
    }


def _part(count: int | None, whole: int) -> float | None:
    return None if count is None or not whole else count / whole


def rank(histogram: dict[int, int], place: int) -> int:
    """The value at a place, from 1, in the sorted values of a histogram."""
    seen = 0
    for value, count in sorted(histogram.items()):
        seen += count
        if seen >= place:
            return value
    raise ValueError(f"place {place} of {seen}")


def turn_counts(run: Run) -> dict[int, int]:
    """Games by their number of turns."""
    frame = run.collect(run.games.group_by("turns").agg(games=pl.len().cast(pl.Int64))).sort("turns")
    return dict(frame.iter_rows())


def lead(run: Run) -> pl.DataFrame:
    """Chance to win by lead in life at the start of a turn, seen from the player who went first (statistics 3.14).

    One row a turn and lead (its life minus the opponent's, -20..20); `games` are the finished ones. Turn 1 has the
    first player to move, turn 2 the second, and so on.
    """
    sign = pl.when(pl.col("first") == "a").then(1).otherwise(-1)
    games, won = pl.col("games"), pl.when(pl.col("first") == "a").then(pl.lit("win")).otherwise(pl.lit("loss"))
    lost = pl.when(pl.col("first") == "a").then(pl.lit("loss")).otherwise(pl.lit("win"))
    frame = run.collect(
        run.turns.with_columns(lead=pl.col("lead").cast(pl.Int64) * sign, turn=pl.col("turn").cast(pl.Int64))
        .group_by("turn", "lead")
        .agg(
            wins=pl.when(pl.col("result") == won).then(games).otherwise(0).sum(),
            draws=pl.when(pl.col("result") == "draw").then(games).otherwise(0).sum(),
            losses=pl.when(pl.col("result") == lost).then(games).otherwise(0).sum(),
            unfinished=pl.when(pl.col("result").is_null()).then(games).otherwise(0).sum(),
        )
    ).sort("turn", "lead")
    rows = []
    for row in frame.iter_rows(named=True):
        finished = (row["wins"], row["draws"], row["losses"])
        estimate = score(*finished)
        rows.append({**row, "games": sum(finished), **interval("score", estimate), "reason": estimate.reason})
    return table(
        rows,
        ints("turn", "lead", "games", "wins", "draws", "losses", "unfinished")
        | floats("score", "low", "high")
        | texts("reason"),
    )


def comebacks(run: Run) -> pl.DataFrame:
    """Chance to win of a player who is behind in life at the start of a turn (statistics 3.14).

    One row a turn and deficit: `score` counts the players who are at least `behind` life behind, `exactly` those who
    are just that far behind. Both players are looked at, whoever is to move.
    """
    deficits: dict[int, dict[int, list[int]]] = {}
    for row in lead(run).iter_rows(named=True):
        at, result = row["lead"], (row["wins"], row["draws"], row["losses"])
        if at == 0 or not row["games"]:
            continue
        found = deficits.setdefault(row["turn"], {}).setdefault(abs(at), [0, 0, 0])
        for i, count in enumerate(result if at < 0 else result[::-1]):
            found[i] += count
    rows = []
    for turn, by_size in sorted(deficits.items()):
        total = [0, 0, 0]
        each = []
        for size in sorted(by_size, reverse=True):
            total = [a + b for a, b in zip(total, by_size[size], strict=True)]
            exactly = score(*by_size[size])
            each.append(
                {
                    "turn": turn,
                    "behind": size,
                    "games": sum(total),
                    **interval("score", score(*total)),
                    **interval("exactly", exactly),
                }
            )
        rows += each[::-1]
    return table(
        rows,
        ints("turn", "behind", "games") | floats("score", "low", "high", "exactly", "exactly_low", "exactly_high"),
    )


def forecast(run: Run) -> pl.DataFrame:
    """How well the lead in life tells who wins, by turn (statistics 3.14).

    The forecast is logistic: logit P(whoever went first wins) = `start` + `per_life` x lead, fitted by turn. `brier`:
    its mean squared error; `brier_even`: that of a forecast which knows the turn and not the lead; `skill` = 1 - brier/
    brier_even. `error`: how far observed shares lie from forecasts, mean over leads weighted by games (calibration).
    """
    turns: dict[int, list[tuple[int, int, int, int]]] = {}
    for row in lead(run).iter_rows(named=True):
        if row["games"]:
            turns.setdefault(row["turn"], []).append((row["lead"], row["wins"], row["draws"], row["losses"]))
    rows = []
    for turn, cells in sorted(turns.items()):
        games = sum(sum(cell[1:]) for cell in cells)
        points = sum(w + d / 2 for _, w, d, _ in cells)
        fit = logistic([(at, w + d / 2, w + d + lost) for at, w, d, lost in cells])
        even, leads = points / games, [at for at, *_ in cells]
        said: dict[str, Any] = {
            "turn": turn,
            "games": games,
            "brier_even": _brier(cells, dict.fromkeys(leads, even).__getitem__),
        }
        if fit is None:
            said["reason"] = "no spread of leads, or the lead decides every game: no finite forecast"
        else:
            start, slope = fit

            def chance(at: int, start: float = start, slope: float = slope) -> float:
                return 1.0 / (1.0 + math.exp(-start - slope * at))

            brier = _brier(cells, chance)
            said |= {
                "start": start,
                "per_life": slope,
                "brier": brier,
                "skill": 1.0 - brier / said["brier_even"] if said["brier_even"] else None,
                "error": math.fsum(abs(w + d / 2 - (w + d + lost) * chance(at)) for at, w, d, lost in cells) / games,
            }
        rows.append(said)
    return table(
        rows,
        ints("turn", "games") | floats("start", "per_life", "brier", "brier_even", "skill", "error") | texts("reason"),
    )


def _brier(cells: list[tuple[int, int, int, int]], chance: Callable[[int], float]) -> float:
    """Mean of (result - forecast)^2, results 1, 1/2 and 0."""
    total = math.fsum(
        w * (1 - chance(at)) ** 2 + d * (0.5 - chance(at)) ** 2 + lost * chance(at) ** 2 for at, w, d, lost in cells
    )
    return total / sum(sum(cell[1:]) for cell in cells)


def logistic(cells: list[tuple[int, float, int]]) -> tuple[float, float] | None:
    """Intercept and slope of logit p = a + b x by maximum likelihood from (x, points, games); None where not finite."""
    a = b = 0.0
    for _ in range(60):
        ga = gb = haa = hab = hbb = 0.0
        for x, points, games in cells:
            p = 1.0 / (1.0 + math.exp(-min(40.0, max(-40.0, a + b * x))))
            ga += points - games * p
            gb += x * (points - games * p)
            weight = games * p * (1.0 - p)
            haa, hab, hbb = haa + weight, hab + weight * x, hbb + weight * x * x
        det = haa * hbb - hab * hab
        if det <= 1e-9 * max(haa * hbb, 1e-300):
            return None
        step_a, step_b = (hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det
        a, b = a + max(-2.0, min(2.0, step_a)), b + max(-2.0, min(2.0, step_b))
        if abs(a) > 25.0 or abs(b) > 25.0:
            return None
        if max(abs(step_a), abs(step_b)) < 1e-10:
            return a, b
    return None

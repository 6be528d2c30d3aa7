"""How games go: length, ends, lead in life against the chance to win (statistics 3.14)."""

from __future__ import annotations

import polars as pl

from analysis.runs import Run
from analysis.stats import score, share
from analysis.tables.results import KEYS, by_matchup, counted, floats, interval, ints, table, texts
from sim.results import ENDS, PER_SIDE


def counted_columns(run: Run) -> list[str]:
    """Columns of `games` that count what a side did, in this game."""
    return [name for name, column in {**PER_SIDE, **run.info.columns}.items() if column.counted]


def shape(run: Run) -> pl.DataFrame:
    """Length, ends and activity of games, over all ("all", first row) and by matchup (statistics 3.14).

    Turns are counted over both players; p5 and p95 are the turns by which 5 % and 95 % of the games had ended. The
    shares of the ends (`life`, `deck`, `both`, `loop`, `cap`) and `unfinished` are of all games, `draw_rate` of the
    finished ones. The other columns are means of a game, both sides together.
    """
    means = counted_columns(run)
    both = {name: pl.col(f"{name}_a").cast(pl.Int64) + pl.col(f"{name}_b") for name in means}
    frame = by_matchup(
        run,
        "turns",
        games=pl.len().cast(pl.Int64),
        draws=counted(pl.col("winner") == "draw"),
        unfinished=counted(pl.col("winner").is_null()),
        decisions=pl.col("decisions").cast(pl.Int64).sum(),
        steps=pl.col("steps").cast(pl.Int64).max(),
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
        | floats(*means, "decisions_per_turn")
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
        "decisions_per_turn": total["decisions"] / played if played else None,
        "steps_max": frame["steps"].max(),
    }


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

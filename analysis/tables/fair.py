"""Results without the luck of damage checks, and how much that luck decides (statistics 3.13).

Stops minus exact chances add up to 0 in the mean of all games, however long they last and whatever is played (a
martingale). So luck is a control variate: taking out what goes together with it leaves every score where it is in the
long run, with less noise.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import polars as pl

from analysis.runs import Run
from analysis.stats import Estimate, missing, score, with_error
from analysis.tables.results import KEYS, by_matchup, floats, interval, ints, table, texts

GRAIN = 10_000
"""Luck is summed in ten-thousandths of a check, as integers: sums of floats depend on their order."""
BIN = 100
"""Grains in a bin of the deciles: a hundredth of a check."""
NO_LUCK = "no damage checks, so no luck"
ALL_EQUAL = "all results are equal"
NAMES = ("n", "y", "a", "b", "yy", "aa", "bb", "ab", "ya", "yb")


class Sums(NamedTuple):
    """Integer sums over games, from side a: result y (0, 1, 2), own luck a, the other's luck b in grains."""

    n: int = 0
    y: int = 0
    a: int = 0
    b: int = 0
    yy: int = 0
    aa: int = 0
    bb: int = 0
    ab: int = 0
    ya: int = 0
    yb: int = 0

    def plus(self, other: Sums) -> Sums:
        return Sums(*(x + y for x, y in zip(self, other, strict=True)))

    @property
    def swapped(self) -> Sums:
        """The same games from the other side: result 2 - y, lucks exchanged."""
        return Sums(
            self.n,
            2 * self.n - self.y,
            self.b,
            self.a,
            4 * self.n - 4 * self.y + self.yy,
            self.bb,
            self.aa,
            self.ab,
            2 * self.b - self.yb,
            2 * self.a - self.ya,
        )

    @property
    def net(self) -> tuple[int, int, int, int, int, int]:
        """n, sums of y, x, yy, xx, xy for the net luck x = a - b."""
        xx = self.aa + self.bb - 2 * self.ab
        return self.n, self.y, self.a - self.b, self.yy, xx, self.ya - self.yb


def sums_of(run: Run) -> list[tuple[dict[str, Any], Sums]]:
    """Sums of finished games by matchup, players and first seat. One pass over the games."""
    return run.once("luck sums", lambda: _sums(run))


def _sums(run: Run) -> list[tuple[dict[str, Any], Sums]]:
    _ = run.checks  # says so where the game has none
    done = pl.col("winner").is_not_null()
    y = pl.when(pl.col("winner") == "a").then(2).when(pl.col("winner") == "draw").then(1).otherwise(0).cast(pl.Int64)
    a, b = ((pl.col(f"luck_sum_{side}") * GRAIN).round().cast(pl.Int64) for side in "ab")
    parts = {"n": pl.lit(1, pl.Int64), "y": y, "a": a, "b": b, "yy": y * y, "aa": a * a, "bb": b * b, "ab": a * b}
    parts |= {"ya": y * a, "yb": y * b}
    frame = by_matchup(
        run, "first", **{name: pl.when(done).then(part).otherwise(0).sum() for name, part in parts.items()}
    )
    keys = (*KEYS, "first")
    return [
        ({key: row[key] for key in keys}, Sums(*(row[name] for name in NAMES))) for row in frame.iter_rows(named=True)
    ]


def correlation(sums: tuple[int, int, int, int, int, int]) -> tuple[float | None, float, str | None]:
    """Squared correlation of result and luck, slope of the score in luck (per check), and why there is none."""
    n, y, x, yy, xx, xy = sums
    var_x, var_y, cov = n * xx - x * x, n * yy - y * y, n * xy - x * y
    if not n:
        return None, 0.0, "no finished games"
    if not var_y:
        return None, 0.0, ALL_EQUAL
    if not var_x:
        return None, 0.0, NO_LUCK
    return min(1.0, cov / var_x * (cov / var_y)), cov / var_x * GRAIN / 2.0, None


def own(sums: Sums) -> tuple[int, int, int, int, int, int]:
    """As `Sums.net`, with the luck of side a alone."""
    return sums.n, sums.y, sums.a, sums.yy, sums.aa, sums.ya


def adjusted(run: Run) -> pl.DataFrame:
    """Scores with the luck of damage checks taken out (statistics 3.13), by "matchup" and by "deck".

    `luck`: net luck of a game (own stops beyond the exact chances minus the opponent's); `worth`: change of the score
    for one more stop; `adjusted` = score - worth x luck. `saved`: share of the variance that this takes away (the
    squared correlation), so that the games count as 1/(1 - saved) times as many. A deck's rows leave out its mirror.
    """
    cells: dict[tuple[Any, ...], Sums] = {}
    for names, sums in sums_of(run):
        key = tuple(names[name] for name in KEYS)
        cells[key] = cells.get(key, Sums()).plus(sums)
    rows = []
    decks: dict[str, Sums] = {}
    for key, sums in cells.items():
        names = dict(zip(KEYS, key, strict=True))
        rows.append({"scope": "matchup"} | names | _adjusted(sums))
        if names["deck_a"] != names["deck_b"]:
            for deck, mine in ((names["deck_a"], sums), (names["deck_b"], sums.swapped)):
                decks[deck] = decks.get(deck, Sums()).plus(mine)
    found = [{"scope": "deck", "deck_a": deck} | _adjusted(sums) for deck, sums in decks.items()]
    found.sort(key=lambda row: (-(row["score"] if row["score"] is not None else -1.0), row["deck_a"]))
    return table(
        found + rows,
        texts("scope", "deck_a", "deck_b", "agent_a", "agent_b")
        | ints("games")
        | floats("score", "low", "high", "adjusted", "adjusted_low", "adjusted_high")
        | floats("luck", "worth", "saved")
        | texts("reason"),
    )


def _adjusted(sums: Sums) -> dict[str, Any]:
    n, y, x, yy, *_ = sums.net
    draws = 2 * y - yy  # y is 0, 1 or 2
    whole = score((y - draws) // 2, draws, n - (y + draws) // 2)
    r2, worth, reason = correlation(sums.net)
    clean: Estimate = missing(reason or "")
    if r2 is not None and whole.value is not None and whole.se is not None:
        value = min(1.0, max(0.0, whole.value - worth * x / (n * GRAIN)))
        clean = with_error(value, whole.se * math.sqrt(1.0 - r2), n)
    return {
        "games": n,
        **interval("score", whole),
        **interval("adjusted", clean),
        "luck": x / (n * GRAIN) if n else None,
        "worth": worth if r2 is not None else None,
        "saved": r2,
        "reason": reason,
    }


def explained(run: Run) -> pl.DataFrame:
    """How much of the results the luck of damage checks explains (statistics 3.13).

    `r2`: squared correlation of the result with luck: over "all" games (net luck of whoever goes first), with the luck
    of the "first" and the "second" player alone, and by "deck" (its net luck). `worth`: what one more stop adds to the
    score.
    """
    whole = Sums()
    decks: dict[str, Sums] = {}
    for names, sums in sums_of(run):
        whole = whole.plus(sums if names["first"] == "a" else sums.swapped)
        if names["deck_a"] != names["deck_b"]:
            for deck, mine in ((names["deck_a"], sums), (names["deck_b"], sums.swapped)):
                decks[deck] = decks.get(deck, Sums()).plus(mine)
    rows = [
        {"scope": "all"} | _explained(whole.net),
        {"scope": "first"} | _explained(own(whole)),
        {"scope": "second"} | _explained(own(whole.swapped)),
    ]
    rows += [{"scope": "deck", "deck": deck} | _explained(sums.net) for deck, sums in sorted(decks.items())]
    return table(rows, texts("scope", "deck") | ints("games") | floats("r2", "worth") | texts("reason"))


def _explained(sums: tuple[int, int, int, int, int, int]) -> dict[str, Any]:
    r2, worth, reason = correlation(sums)
    return {"games": sums[0], "r2": r2, "worth": worth if r2 is not None else None, "reason": reason}


def deciles(run: Run) -> pl.DataFrame:
    """Score of whoever goes first by decile of its net luck in damage checks (statistics 3.13).

    Bounds are exact to a hundredth of a check: games with the same rounded luck stay together, so that deciles are not
    all of one size.
    """
    _ = run.checks
    a_first = pl.col("first") == "a"
    net = ((pl.col("luck_sum_a") - pl.col("luck_sum_b")) * GRAIN).round().cast(pl.Int64)
    mine = pl.when(a_first).then(net).otherwise(-net)
    place = (mine / BIN).round().cast(pl.Int64)
    won = pl.col("winner") == pl.col("first")
    drawn = pl.col("winner") == "draw"
    frame = run.collect(
        run.games.filter(pl.col("winner").is_not_null())
        .select(place=place, luck=mine, won=won.cast(pl.Int64), drawn=drawn.cast(pl.Int64))
        .group_by("place")
        .agg(n=pl.len().cast(pl.Int64), luck=pl.col("luck").sum(), won=pl.col("won").sum(), drawn=pl.col("drawn").sum())
    ).sort("place")
    games = int(frame["n"].sum())
    parts: dict[int, list[tuple[int, int, int, int, int]]] = {}
    seen = 0
    for bin_, n, luck, wins, draws in frame.iter_rows():
        # A bin belongs to the decile in which its middle game lies.
        decile = min(10, 1 + (2 * seen + n) * 10 // (2 * games))
        parts.setdefault(decile, []).append((bin_, n, luck, wins, draws))
        seen += n
    rows = []
    for decile, bins in sorted(parts.items()):
        n, luck, wins, draws = (sum(one[i] for one in bins) for i in (1, 2, 3, 4))
        rows.append(
            {
                "decile": decile,
                "games": n,
                "luck": luck / (n * GRAIN),
                "from": bins[0][0] * BIN / GRAIN,
                "to": bins[-1][0] * BIN / GRAIN,
                **interval("score", score(wins, draws, n - wins - draws)),
            }
        )
    return table(rows, ints("decile", "games") | floats("luck", "from", "to", "score", "low", "high"))

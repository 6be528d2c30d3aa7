"""Can this run be trusted? Counts that must agree, shuffles that must be fair (statistics 3.19)."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import polars as pl

from analysis.runs import Run
from analysis.stats import chi_square_p, holm
from analysis.tables.luck import lucky_test
from analysis.tables.results import floats, matchups_of, table, texts

DOUBT = 1e-4
"""A fair run fails a test at this level once in ten thousand runs."""
LOOKED_AT = 2_000_000
"""About so many games are compared with each other."""


def health(run: Run) -> pl.DataFrame:
    """One row a check: what was found, what was expected, `ok` (null where there is nothing to judge), p of a test."""
    rows = [
        _rows(run),
        _asked(run),
        _numbered(run),
        _seats(run),
        *([_check_counts(run)] if run.has("checks") else []),
        _opening_hands(run),
        *([_damage_checks(run)] if run.has("checks") else []),
        _unfinished(run),
        _longest(run),
        _signatures(run),
    ]
    if run.info.coverage:
        graded = ", ".join(f"{share:g}% {grade}" for grade, share in run.info.coverage.items())
        exact = run.info.coverage.get("exact") == 100.0
        note = None if exact else "approximate and left-out cards distort the decks that play them"
        rows.append(
            {"check": "cards modelled", "found": graded, "expected": "all exact", "ok": exact or None, "note": note}
        )
    if run.info.seconds > 0.0:
        speed = f"{run.rows['games'] / run.info.seconds:,.0f} games/s"
        rows.append({"check": "speed", "found": speed, "expected": f"compiled in {run.info.compile_seconds:.1f} s"})
    return table(
        rows,
        texts("check", "found", "expected") | floats("p") | {"ok": pl.Boolean} | texts("note"),
    )


def _rows(run: Run) -> dict:
    """Rows of every file table against the counts that were written down in run.json."""
    noted = {name: sum(block.rows.get(name, 0) for block in run.info.blocks) for name in run.rows}
    wrong = [f"{name} {run.rows[name]:,} of {noted[name]:,}" for name in run.rows if run.rows[name] != noted[name]]
    whole = f"{sum(run.rows.values()):,} rows in {sum(map(len, run.files.values()))} files"
    found = ", ".join(wrong) if wrong else whole
    return {"check": "files whole", "found": found, "expected": "as noted in run.json", "ok": not wrong}


def _asked(run: Run) -> dict:
    info, done = run.info, run.rows["games"]
    asked = info.games * len(info.matchups)
    if info.until:
        ended = info.looked >= info.games or len(info.stops) == len(info.matchups)
        return {
            "check": "games played",
            "found": f"{done:,}",
            "expected": f"until {info.until}, {asked:,} at most",
            "ok": done == info.games_between(0, info.looked) if ended else None,
            "note": None if ended else "stopped early; the same command continues it",
        }
    note = None if done >= asked else "stopped early; the same command continues it"
    return {
        "check": "games played",
        "found": f"{done:,}",
        "expected": f"{asked:,}",
        "ok": True if done == asked else None,
        "note": note,
    }


def _numbered(run: Run) -> dict:
    """Every game once: in a matchup the numbers g are 0..n-1, so their count, largest and sum belong together."""
    g = pl.col("g")
    frame = run.collect(
        run.games.group_by("matchup").agg(n=pl.len().cast(pl.Int64), low=g.min(), high=g.max(), total=g.sum())
    )
    wrong = sum(
        1 for _, n, low, high, total in frame.iter_rows() if low != 0 or high != n - 1 or total != n * (n - 1) // 2
    )
    found = f"{wrong} matchups with gaps or doubles" if wrong else f"{frame.height} matchups numbered without a gap"
    return {"check": "every game once", "found": found, "expected": "games 0 to n-1 of each matchup", "ok": not wrong}


def _seats(run: Run) -> dict:
    off, first, second = 0, 0, 0
    for cell in matchups_of(run):
        a = cell.seats.first.games + cell.seats.first.unfinished
        b = cell.seats.second.games + cell.seats.second.unfinished
        first, second, off = first + a, second + b, max(off, abs(a - b))
    return {
        "check": "seats balanced",
        "found": f"a first {first:,}, b first {second:,}",
        "expected": "the same in every matchup",
        "ok": True if off == 0 else None if off == 1 else False,
    }


def _check_counts(run: Run) -> dict:
    """The checks table and the games table count the same damage checks."""
    counted = run.collect(run.checks.select(pl.col("count").cast(pl.Int64).sum())).item() or 0
    noted = run.collect(
        run.games.select((pl.col("checks_a").cast(pl.Int64) + pl.col("checks_b").cast(pl.Int64)).sum())
    ).item()
    return {
        "check": "tables agree",
        "found": f"{counted:,} damage checks counted",
        "expected": f"{noted:,} in the games",
        "ok": counted == noted,
    }


def _opening_hands(run: Run) -> dict:
    """Copies in the first hand against the hypergeometric, one chi-square a card, Holm over the cards."""
    keys = ("deck", "card", "in_deck", "k")
    frame = run.collect(
        run.cards.filter(pl.col("measure") == "offered").group_by(*keys).agg(games=pl.col("games").sum())
    ).sort(*keys)
    decks: dict[str, dict[tuple[str, int], dict[int, int]]] = {}
    for deck, card, in_deck, k, games in frame.iter_rows():
        decks.setdefault(deck, {}).setdefault((card, in_deck), {})[k] = games
    ps: list[float | None] = []
    for cards in decks.values():
        size = sum(in_deck for _, in_deck in cards)
        games = max(sum(hist.values()) for hist in cards.values())
        held = sum(k * n for hist in cards.values() for k, n in hist.items())
        if 2 * held % games:
            return {
                "check": "opening hands",
                "found": f"{held / games:.4f} cards offered a game",
                "expected": "a whole number, or a half where the second player has one more",
                "ok": False,
            }
        # Where the seats have hands of two sizes, each is that of half of the games.
        hands = {held // games, -(-held // games)}
        ps += [_hand_p(hist, games, size, in_deck, hands) for (_, in_deck), hist in cards.items()]
    worst = min((p for p in holm(ps) if p is not None), default=None)
    tested = sum(p is not None for p in ps)
    return {
        "check": "opening hands",
        "found": f"{tested} cards tested against the exact shuffle" if tested else "too few games to test",
        "expected": f"p above {DOUBT:g}",
        "p": worst,
        "ok": None if worst is None else worst > DOUBT,
    }


def _hand_p(hist: dict[int, int], games: int, size: int, copies: int, hands: set[int]) -> float | None:
    """Chi-square p of the copies of one card in hands of these sizes, equally often; rare counts are pooled into the
    one below."""
    p = [
        sum(
            (Fraction(comb(copies, k) * comb(size - copies, n - k), comb(size, n)) for n in hands if k <= n), Fraction()
        )
        / len(hands)
        for k in range(min(copies, max(hands)) + 1)
    ]
    cells: list[list[float]] = []
    for k, share in enumerate(p):
        expected = float(share * games)
        if cells and (expected < 5.0 or cells[-1][0] < 5.0):
            cells[-1][0] += expected
            cells[-1][1] += hist.get(k, 0)
        else:
            cells.append([expected, float(hist.get(k, 0))])
    if any(expected < 5.0 for expected, _ in cells):
        return None
    return chi_square_p(sum((seen - expected) ** 2 / expected for expected, seen in cells), len(cells) - 1)


def _damage_checks(run: Run) -> dict:
    test = lucky_test(run)
    if not test.cells:
        return {"check": "damage checks", "found": "none in this run", "expected": ""}
    found = f"chi-square {test.statistic:,.1f} with {test.df} degrees of freedom" if test.df else "too few to test"
    if test.impossible:
        found += f", {test.impossible:,} impossible results"
    ok = False if test.impossible else None if test.p is None else test.p > DOUBT
    return {"check": "damage checks", "found": found, "expected": f"p above {DOUBT:g}", "p": test.p, "ok": ok}


def _unfinished(run: Run) -> dict:
    ends = run.collect(
        run.games.filter(pl.col("end").is_in(["loop", "cap"])).group_by("end").agg(n=pl.len().cast(pl.Int64))
    ).sort("end")
    found = ", ".join(f"{n:,} by {end}" for end, n in ends.iter_rows()) or "none"
    share = sum(ends["n"]) / run.rows["games"]
    return {
        "check": "unfinished games",
        "found": found,
        "expected": "below 1%, left out of every score",
        "ok": share < 0.01,
    }


def _longest(run: Run) -> dict:
    steps = run.collect(run.games.select(pl.col("steps").max())).item()
    game = run.collect(run.games.filter(pl.col("steps") == steps).select(pl.col("game").min())).item()
    return {"check": "longest game", "found": f"{steps:,} steps", "expected": "", "note": f"game {game}"}


def _signatures(run: Run) -> dict:
    """Games that went exactly alike: rare with a shuffled deck, all of them when seeds repeat.

    In large runs only the signatures that a small divisor divides: games that are alike fall in or out together.
    """
    part = max(1, run.rows["games"] // LOOKED_AT)
    signature = pl.col("signature")
    looked, distinct = run.collect(
        run.games.filter(signature % part == 0).select(n=pl.len().cast(pl.Int64), distinct=signature.n_unique())
    ).row(0)
    share = distinct / looked if looked else 1.0
    return {
        "check": "games differ",
        "found": f"{100 * share:.4g}% different games",
        "expected": "above 90%",
        "ok": share > 0.9,
        "note": None if part == 1 else f"{looked:,} games were looked at",
    }

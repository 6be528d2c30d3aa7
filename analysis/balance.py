"""What a change did: two runs on the same seeds, game by game (statistics 3.3, 3.15).

    comparison = analysis.open_balance("study")
    analysis.balance.change(comparison)

Differences are edited minus base. A game that a change does not touch is the same in both arms and counts as exactly 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import polars as pl

from analysis.runs import File, HasPath, Run, RunError, open_run, parquet
from analysis.stats import Estimate, Paired, Z, holm, mcnemar, missing, paired, two_sided
from analysis.tables.results import floats, interval, ints, table, texts
from sim.results import BALANCE_VERSION, BalanceInfo

LEVEL = 0.05
SMALL = 0.01
"""A change is called small where its interval lies within a point."""
FLIPS = 5
"""Flipped games that are named for each matchup and direction."""
RESULT = {"a": 2, "draw": 1, "b": 0}

Joint = list[list[int]]
"""Games by result of the base arm (row) and of the edited arm (column): 0 loss, 1 draw, 2 win."""


class Balance:
    """An open comparison: `info` is balance.json, `runs` the run of each arm, the base first."""

    def __init__(self, path: Path, info: BalanceInfo, runs: list[Run]) -> None:
        self.path, self.info, self.runs = path, info, runs
        self._kept: dict[int, list[Cell]] = {}

    def cells(self, arm: int) -> list[Cell]:
        """The matchups of an arm against the base."""
        if arm not in self._kept:
            self._kept[arm] = _cells(self.runs[0], self.runs[arm])
        return self._kept[arm]


class Cell(NamedTuple):
    """One matchup in both arms. joint: results of side a; first: results of whoever went first; alike: games
    that went the same, decision by decision; unfinished: left out, in one arm or both; flips: games to replay, by
    (base, edited)."""

    matchup: int
    deck_a: str
    deck_b: str
    joint: Joint
    first: Joint
    alike: int
    unfinished: int
    flips: dict[tuple[int, int], list[int]]

    @property
    def games(self) -> int:
        return sum(map(sum, self.joint))


def is_balance(path: str | Path) -> bool:
    """The folder holds a comparison, not a single run."""
    return (Path(path) / "balance.json").is_file()


def open_balance(comparison: str | Path | Balance | HasPath) -> Balance:
    """Opens a folder that `cardmill balance` has made. Raises RunError with words for a person."""
    if isinstance(comparison, Balance):
        return comparison
    path = Path(comparison if isinstance(comparison, str | Path) else comparison.path)
    file = path / "balance.json"
    try:
        info = msgspec.json.decode(file.read_bytes(), type=BalanceInfo)
    except FileNotFoundError:
        raise RunError(f"{path}: holds no comparison (a comparison has a file balance.json)") from None
    except (OSError, msgspec.MsgspecError) as error:
        raise RunError(f"{file}: cannot be read: {error}") from None
    if info.version != BALANCE_VERSION:
        raise RunError(f"{file}: version {info.version}; this cardmill reads version {BALANCE_VERSION}")
    runs = [open_run(path / arm.folder) for arm in info.arms]
    return Balance(path, info, runs)


# ---------------------------------------------------------------------------------------------------------------
# game by game


def _cells(base: Run, other: Run) -> list[Cell]:
    """Pairs the games of two runs by their number. File by file where both are cut alike, which takes little memory."""
    if [m for m in base.info.matchups] != [m for m in other.info.matchups]:
        raise RunError(f"{other.path}: plays other matchups than {base.path}")
    if base.info.seed != other.info.seed:
        raise RunError(f"{other.path}: has another seed than {base.path}; only games on the same seeds can be paired")
    cut = [[file.name for file in run.files["games"]] for run in (base, other)]
    parts: list[Sequence[File]] = [[a, b] for a, b in zip(base.files["games"], other.files["games"], strict=False)]
    if cut[0] != cut[1] or base.rows["games"] != other.rows["games"]:
        parts = [[]]
    found: dict[int, _Tally] = {}
    for files in parts:
        scans = [parquet([file]) for file in files] or [base.games, other.games]
        for row in _pairs(base, *scans).iter_rows(named=True):
            found.setdefault(row["matchup"], _Tally()).add(row)
    names = [deck.name for deck in base.info.decks]
    return [
        tally.cell(matchup, *(names[i] for i in base.info.matchups[matchup]))
        for matchup, tally in sorted(found.items())
    ]


def _pairs(base: Run, old: pl.LazyFrame, new: pl.LazyFrame) -> pl.DataFrame:
    """Games by matchup, first seat and result in both arms, with how many went alike and which come first."""
    result = pl.col("winner").cast(pl.String).replace_strict(RESULT, default=None, return_dtype=pl.Int8)
    old = old.select("game", "matchup", first=pl.col("first").cast(pl.String), old=result, was=pl.col("signature"))
    new = new.select("game", new=result, now=pl.col("signature"))
    return base.collect(
        old.join(new, on="game", how="inner")
        .group_by("matchup", "first", "old", "new")
        .agg(
            games=pl.len().cast(pl.Int64),
            alike=(pl.col("was") == pl.col("now")).cast(pl.Int64).sum(),
            which=pl.col("game").bottom_k(FLIPS).sort(),
        )
    )


class _Tally:
    """Sums of one matchup."""

    def __init__(self) -> None:
        self.joint = [[0] * 3 for _ in range(3)]
        self.first = [[0] * 3 for _ in range(3)]
        self.alike = self.unfinished = 0
        self.flips: dict[tuple[int, int], list[int]] = {}

    def add(self, row: dict[str, Any]) -> None:
        old, new, games = row["old"], row["new"], row["games"]
        self.alike += row["alike"]
        if old is None or new is None:
            self.unfinished += games
            return
        self.joint[old][new] += games
        a_first = row["first"] == "a"
        self.first[old if a_first else 2 - old][new if a_first else 2 - new] += games
        if old != new:
            self.flips[old, new] = sorted(self.flips.get((old, new), []) + row["which"])[:FLIPS]

    def cell(self, matchup: int, deck_a: str, deck_b: str) -> Cell:
        return Cell(matchup, deck_a, deck_b, self.joint, self.first, self.alike, self.unfinished, self.flips)


def turned(joint: Joint) -> Joint:
    """The same games from the other side."""
    return [[joint[2 - i][2 - j] for j in range(3)] for i in range(3)]


# ---------------------------------------------------------------------------------------------------------------
# effects


class View(NamedTuple):
    """A matchup from the side of the deck that the change touches, or of a where it touches both or neither."""

    cell: Cell
    deck: str
    opponent: str
    joint: Joint
    one_side: bool


def views(comparison: Balance, arm: int) -> list[View]:
    """The matchups of an arm, each from the side of the changed deck."""
    targets = set(comparison.info.targets)
    found = []
    for cell in comparison.cells(arm):
        a, b = cell.deck_a in targets, cell.deck_b in targets
        if b and not a:
            found.append(View(cell, cell.deck_b, cell.deck_a, turned(cell.joint), True))
        else:
            found.append(View(cell, cell.deck_a, cell.deck_b, cell.joint, a != b))
    return found


def mean_change(parts: Sequence[Paired]) -> Estimate:
    """Mean of paired differences of several matchups, each with the same weight (statistics 3.3)."""
    known = [part.difference for part in parts if part.difference.value is not None]
    if not known:
        return missing("no pairs of finished games")
    value = math.fsum(part.value or 0.0 for part in known) / len(known)
    se = math.sqrt(math.fsum((part.se or 0.0) ** 2 for part in known)) / len(known)
    games = sum(part.n for part in known)
    return Estimate(value, max(-1.0, value - Z * se), min(1.0, value + Z * se), games, se)


def effect(comparison: Balance, arm: int) -> Estimate:
    """Change of the score of the decks that a change touches, over their matchups against the others."""
    one_sided = [view for view in views(comparison, arm) if view.one_side]
    if not one_sided:
        return missing("the change touches both decks of every matchup")
    return mean_change([paired(view.joint) for view in one_sided])


def effect_scores(comparison: Balance, arm: int) -> tuple[float | None, float | None]:
    """Score of the touched decks without and with the change, over the same games."""
    scores = [_scores(view.joint) for view in views(comparison, arm) if view.one_side]
    known = [pair for pair in scores if pair is not None]
    if not known:
        return None, None
    return tuple(math.fsum(pair[i] for pair in known) / len(known) for i in (0, 1))  # type: ignore[return-value]


def _scores(joint: Joint) -> tuple[float, float] | None:
    games = sum(map(sum, joint))
    if not games:
        return None
    old = sum(i * sum(row) for i, row in enumerate(joint)) / (2 * games)
    new = sum(j * row[j] for row in joint for j in range(3)) / (2 * games)
    return old, new


def first_seat(comparison: Balance, arm: int) -> Estimate:
    """Change of the score of whoever goes first, over all matchups (statistics 3.6)."""
    return mean_change([paired(cell.first) for cell in comparison.cells(arm)])


# ---------------------------------------------------------------------------------------------------------------
# tables


def change(comparison: str | Path | Balance | HasPath) -> pl.DataFrame:
    """One row an arm and matchup, from the side of the changed deck, after rows over all of them (statistics 3.3).

    `scope`: "effect" (decks that the change touches against the others, every matchup with the same weight), "first"
    (whoever goes first), "deck" (each deck over its matchups), "matchup". `change` is edited minus base on the same
    seeds; `better`, `worse`: games with a better and a worse result; `alike`: share of games that went the same
    decision by decision; `p`: exact test on the flips (McNemar), over all matchups of an arm by Holm in `p_holm`.
    `verdict`: "better", "worse", "none" (not one game differs in its result), "small" (within a point), else
    "unresolved".
    """
    opened = open_balance(comparison)
    rows = []
    for arm in range(1, len(opened.runs)):
        rows += _arm_rows(opened, arm)
    return table(
        rows,
        texts("arm")
        | floats("value")
        | texts("scope", "deck", "opponent")
        | ints("games")
        | floats("base", "edited", "change", "change_low", "change_high")
        | ints("better", "worse")
        | floats("alike", "correlation", "p", "p_holm")
        | texts("verdict", "reason"),
    )


def _arm_rows(opened: Balance, arm: int) -> list[dict[str, Any]]:
    asked, seen = opened.info.arms[arm], views(opened, arm)
    name = {"arm": asked.folder, "value": asked.value}
    singles = [paired(view.joint) for view in seen]
    adjusted = holm([single.p for single in singles])
    rows: list[dict[str, Any]] = []
    sided = [view for view in seen if view.one_side]
    if sided:
        rows.append(name | {"scope": "effect"} | _summary([(view.cell, view.joint) for view in sided]))
    rows.append(name | {"scope": "first"} | _summary([(view.cell, view.cell.first) for view in seen]))
    decks: dict[str, list[tuple[Cell, Joint]]] = {}
    for view in seen:
        if view.deck != view.opponent:
            decks.setdefault(view.deck, []).append((view.cell, view.joint))
            decks.setdefault(view.opponent, []).append((view.cell, turned(view.joint)))
    for deck, parts in sorted(decks.items()):
        rows.append(name | {"scope": "deck", "deck": deck} | _summary(parts))
    for view, single, p_holm in zip(seen, singles, adjusted, strict=True):
        rows.append(
            name
            | {"scope": "matchup", "deck": view.deck, "opponent": view.opponent}
            | _summary([(view.cell, view.joint)])
            | {"p": single.p, "p_holm": p_holm, "correlation": single.correlation}
            | {"verdict": _verdict(single.difference, p_holm, single.better, single.worse)}
        )
    return rows


def _summary(parts: list[tuple[Cell, Joint]]) -> dict[str, Any]:
    """Scores, change, flips of several matchups."""
    singles = [paired(joint) for _, joint in parts]
    whole = mean_change(singles)
    scores = [pair for _, joint in parts if (pair := _scores(joint)) is not None]
    better, worse = sum(s.better for s in singles), sum(s.worse for s in singles)
    games = sum(cell.games for cell, _ in parts)
    p = None
    if whole.value is not None:
        p = two_sided(whole.value / whole.se) if whole.se else 1.0
    return {
        "games": games,
        "base": math.fsum(pair[0] for pair in scores) / len(scores) if scores else None,
        "edited": math.fsum(pair[1] for pair in scores) / len(scores) if scores else None,
        **interval("change", whole),
        "better": better,
        "worse": worse,
        "alike": sum(cell.alike for cell, _ in parts) / sum(cell.games + cell.unfinished for cell, _ in parts),
        "p": mcnemar(better, worse) if len(parts) == 1 else p,
        "verdict": _verdict(whole, p, better, worse),
        "reason": whole.reason,
    }


def _verdict(whole: Estimate, p: float | None, better: int, worse: int) -> str | None:
    if whole.value is None or whole.low is None or whole.high is None:
        return None
    if better == worse == 0:
        return "none"
    if p is not None and p < LEVEL and whole.value != 0.0:
        return "better" if whole.value > 0 else "worse"
    return "small" if whole.low > -SMALL and whole.high < SMALL else "unresolved"


def flips(comparison: str | Path | Balance | HasPath) -> pl.DataFrame:
    """Games whose result the change turned, at most five a matchup and direction, and the commands that show them."""
    opened = open_balance(comparison)
    names = ("loses", "draws", "wins")
    rows = []
    for arm in range(1, len(opened.runs)):
        folder = opened.info.arms[arm].folder
        for view in views(opened, arm):
            for (old, new), games in sorted(view.cell.flips.items()):
                from_a = view.deck == view.cell.deck_a
                before, after = (names[x if from_a else 2 - x] for x in (old, new))
                for game in games:
                    rows.append(
                        {
                            "arm": folder,
                            "deck": view.deck,
                            "opponent": view.opponent,
                            "game": game,
                            "base": before,
                            "edited": after,
                            "replay_base": f"cardmill replay {opened.path / 'base'} {game}",
                            "replay_edited": f"cardmill replay {opened.path / folder} {game}",
                        }
                    )
    return table(
        rows,
        texts("arm", "deck", "opponent") | ints("game") | texts("base", "edited", "replay_base", "replay_edited"),
    )


def curve(comparison: str | Path | Balance | HasPath) -> pl.DataFrame:
    """The sensitivity curve of a sweep, by value (statistics 3.15).

    `series`: "effect" (the decks that the change touches against the others), "first" (whoever goes first), or a deck.
    `score` is that of the arm, `change` against the base on the same seeds; `slope` is the change for one step of the
    value to the next, from the paired difference of the two arms divided by their distance, null at the last.
    """
    opened = open_balance(comparison)
    schema = (
        texts("series")
        | floats("value", "score", "change", "change_low", "change_high", "slope", "slope_low", "slope_high")
        | ints("games")
        | texts("reason")
    )
    arms = [i for i, arm in enumerate(opened.info.arms) if arm.value is not None and i > 0]
    if not arms:
        reason = "no sweep: --sweep BP01-002.power=1000:1600:100 makes one"
        return table([{"series": "effect", "reason": reason}], schema)
    arms.sort(key=lambda i: opened.info.arms[i].value or 0.0)
    whole = change(opened).filter(pl.col("scope") != "matchup")
    rows = []
    for scope, deck in _series(whole, bool(opened.info.targets)):
        part = whole.filter((pl.col("scope") == scope) & pl.col("deck").eq_missing(pl.lit(deck, pl.String)))
        by_value = {row["value"]: row for row in part.iter_rows(named=True)}
        for place, arm in enumerate(arms):
            value = opened.info.arms[arm].value or 0.0
            row = by_value[value]
            slope: dict[str, float | None] = {}
            if place + 1 < len(arms):
                after = arms[place + 1]
                width = (opened.info.arms[after].value or 0.0) - value
                step = _between(opened, arm, after, scope, deck)
                if step.value is not None and step.low is not None and step.high is not None:
                    slope = {
                        "slope": step.value / width,
                        "slope_low": step.low / width,
                        "slope_high": step.high / width,
                    }
            rows.append(
                {
                    "series": deck or scope,
                    "value": value,
                    "score": row["edited"],
                    "change": row["change"],
                    "change_low": row["change_low"],
                    "change_high": row["change_high"],
                    "games": row["games"],
                    "reason": row["reason"],
                    **slope,
                }
            )
    return table(rows, schema)


def _series(whole: pl.DataFrame, cards: bool) -> list[tuple[str, str | None]]:
    """What the curve is drawn of: the effect of a card; for a rule the first seat and every deck."""
    seen = dict.fromkeys((row["scope"], row["deck"]) for row in whole.iter_rows(named=True))
    wanted = ("effect",) if cards and ("effect", None) in seen else ("first", "deck")
    return [key for key in seen if key[0] in wanted]


def _between(opened: Balance, arm: int, after: int, scope: str, deck: str | None) -> Estimate:
    """Change from one arm to another."""
    step = Balance(opened.path, opened.info, [opened.runs[arm], opened.runs[after]])
    parts: list[Joint] = []
    for view in views(step, 1):
        if scope == "first":
            parts.append(view.cell.first)
        elif scope == "effect":
            parts += [view.joint] if view.one_side else []
        elif deck in (view.deck, view.opponent) and view.deck != view.opponent:
            parts.append(view.joint if deck == view.deck else turned(view.joint))
    return mean_change([paired(joint) for joint in parts])


# ---------------------------------------------------------------------------------------------------------------
# planning and stopping


class Look(NamedTuple):
    """State of a sequential test of a change: `decision` is "up", "down", "no" (smaller than the effect) or "go on"."""

    decision: str
    llr_up: float
    llr_down: float
    bound: float
    games: int


def sequential(whole: Estimate, size: float, alpha: float = 0.05, beta: float = 0.05) -> Look:
    """Is there a change of `size` or more? Two Gaussian tests side by side, 0 against +size and against -size.

    As statistics 3.5 with differences instead of pair scores; the variance is that of the paired differences, with one
    flip added, so that games without any flip decide too. Each side has half of alpha.
    """
    if size <= 0.0:
        raise ValueError("the effect must be above 0")
    upper, lower = math.log((1.0 - beta) / (alpha / 2.0)), math.log(beta / (1.0 - alpha / 2.0))
    if whole.value is None or not whole.n:
        return Look("go on", 0.0, 0.0, upper, 0)
    v = (whole.se or 0.0) ** 2 + 1.0 / whole.n**2
    up = size * (2.0 * whole.value - size) / (2.0 * v)
    down = size * (-2.0 * whole.value - size) / (2.0 * v)
    decision = "up" if up >= upper else "down" if down >= upper else "no" if max(up, down) <= lower else "go on"
    return Look(decision, up, down, upper, whole.n)


TABLES = {
    "change": ("what a change did: by arm, deck and matchup, on the same seeds", change),
    "flips": ("games whose result it turned, with the commands that replay them", flips),
    "curve": ("the sensitivity curve of a sweep", curve),
}
"""Tables of a comparison by name: what they hold, and the function that makes them."""


def decided(comparison: str | Path | Balance | HasPath, size: float) -> Look:
    """The test for the first arm of a comparison, of its effect, or of the first seat for a rule."""
    opened = open_balance(comparison)
    whole = effect(opened, 1)
    return sequential(first_seat(opened, 1) if whole.value is None else whole, size)


def detectable(games: int, flips_share: float = 1.0) -> float | None:
    """Smallest change that paired games see with a power of 80 %, where a share of them changes its result (3.16).

    The variance of a difference of wins is at most the share of flips. Without pairing it would be 1/2.
    """
    from analysis.stats import Z_POWER

    return None if games <= 0 else (Z + Z_POWER) * math.sqrt(flips_share / games)


def look_words(look: Look, size: float) -> str:
    """The state of a sequential test in a sentence."""
    points = f"{100 * size:g} point{'' if size == 0.01 else 's'}"
    said = {
        "up": f"decided: the change helps ({points} up was tested against no change)",
        "down": f"decided: the change hurts ({points} down was tested against no change)",
        "no": f"decided: a change of {points}, up or down, is refuted",
        "go on": f"not decided: whether there is a change of {points} needs more games",
    }[look.decision]
    return f"After {look.games:,} games in each arm {said} (5 % errors of both kinds)."

"""Damage checks, opening hands and draws of real games against exact probabilities (statistics 0)."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import Any

import polars as pl
import pytest

import analysis
import sim
from analysis.exact import opening, stop
from analysis.stats import chi_square_p
from analysis.tables.luck import cells_of, lucky_test
from kernels.jit import PLAIN
from sim.cards import load_cards
from sim.games.palworld.game import Game
from sim.position import Placed, Position, Side
from tests.kernels.table import STARTERS, Table, starters

SMALL = 1e-4
ENOUGH = 5.0
GAMES = 8 if PLAIN else 6000
"""Games a pair and assignment of players: about 60,000 checks."""


def goodness(observed: dict[Any, float], expected: dict[Any, float]) -> float:
    """P of a chi-square test; outcomes expected fewer than five times are pooled."""
    assert set(observed) <= {key for key, n in expected.items() if n > 0}
    big = [key for key, n in expected.items() if n >= ENOUGH]
    terms = [(observed.get(key, 0) - expected[key]) ** 2 / expected[key] for key in big]
    rest = sum(expected.values()) - sum(expected[key] for key in big)
    if rest >= ENOUGH:
        seen = sum(observed.values()) - sum(observed.get(key, 0) for key in big)
        terms.append((seen - rest) ** 2 / rest)
    return chi_square_p(sum(terms), len(terms) - 1) or 1.0


@pytest.fixture(scope="module", params=[("random", None), ("greedy", None), ("greedy", "random")], ids=str)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> sim.Run:
    agent, versus = request.param
    out = tmp_path_factory.mktemp("luck") / "run"
    return sim.simulate(STARTERS, games=GAMES, agent=agent, versus=versus, seed=2024, threads=1, out=out)


def test_damage_checks_stop_as_often_as_they_must(run: sim.Run) -> None:
    """Over cells of strike, cards in the deck and lucky cards left, without known cards."""
    test = lucky_test(analysis.open_run(run))
    assert test.impossible == 0
    if not PLAIN:
        assert test.cells > 100
        assert test.df > 50
        assert test.p is not None and test.p > SMALL


def test_checks_turn_as_many_cards_as_they_must(run: sim.Run) -> None:
    """Within a cell, the number of cards that a check turns: it stops at the first lucky one."""
    frame = pl.read_parquet(run.path / "checks" / "*.parquet").filter(~pl.col("known"))
    keys = ["strike", "deck_size", "lucky_left", "stopped", "flipped"]
    observed: Counter[tuple[int, bool]] = Counter()
    expected: Counter[tuple[int, bool]] = Counter()
    for strike, deck, lucky, stopped, flipped, n in frame.select(*keys, "count").iter_rows():
        assert 0 < flipped <= min(strike, deck)
        assert stopped or flipped == min(strike, deck)
        observed[flipped, stopped] += n
        before = 0.0
        for turned in range(1, min(strike, deck) + 1):
            now = float(stop(deck, lucky, turned))
            expected[turned, True] += n * (now - before)
            before = now
        expected[min(strike, deck), False] += n * (1 - before)
    # Counts of cells are added up: the variance of each is below that of a single binomial, so the test is cautious.
    assert goodness(observed, expected) > SMALL


def test_luck_columns_are_the_checks(run: sim.Run) -> None:
    """Sums over games: luck_sum is stops minus exact chances, luck_var their variance, of checks with nothing known."""
    games = pl.read_parquet(run.path / "games" / "*.parquet")
    cells = cells_of(analysis.open_run(run))
    excess = sum(cell.stopped - cell.checks * cell.p for cell in cells)
    spread = sum(cell.checks * cell.p * (1 - cell.p) for cell in cells)
    assert games["luck_sum_a"].sum() + games["luck_sum_b"].sum() == pytest.approx(excess, abs=1e-6)
    assert games["luck_var_a"].sum() + games["luck_var_b"].sum() == pytest.approx(spread, rel=1e-9)
    assert abs(excess) < 4 * spread**0.5
    counted = pl.read_parquet(run.path / "checks" / "*.parquet")
    assert games["checks_a"].sum() + games["checks_b"].sum() == counted["count"].sum()
    assert games["lucky_a"].sum() + games["lucky_b"].sum() == counted.filter("stopped")["count"].sum()


def test_opening_hands_hold_as_many_copies_as_they_must(run: sim.Run) -> None:
    """Copies of each card among the first five, counted by the run, against the hypergeometric distribution."""
    frame = pl.read_parquet(run.path / "cards" / "*.parquet").filter(measure="offered")
    for copies in frame["in_deck"].unique():
        part = frame.filter(in_deck=copies)
        total = int(part["games"].sum())
        assert total == GAMES * part.select("deck", "card").unique().height
        chances = [comb(copies, k) * comb(50 - copies, 5 - k) / comb(50, 5) for k in range(min(copies, 5) + 1)]
        observed = Counter({k: n for k, n in part.group_by("k").agg(pl.col("games").sum()).iter_rows()})
        assert goodness(observed, {k: total * p for k, p in enumerate(chances)}) > SMALL, copies


def test_lucky_cards_of_opening_hands() -> None:
    """0 to 5 lucky cards among the first five, of both seats, and after a mulligan (CR 6.2.1.7)."""
    table = Table(starters(), key=77)
    S, n = table.lane, 20 if PLAIN else 3000
    offered: Counter[int] = Counter()
    redrawn: Counter[int] = Counter()
    for g in range(n):
        table.start(g)
        table.advance()
        for seat in range(2):
            offered[(int(S.hand[seat]) & int(table.tables.lucky[seat])).bit_count()] += 1
        table.choose(0)  # the first player's mulligan
        table.advance()
        first = int(S.first_seat)
        assert int(S.mulligans[first]) == 1
        redrawn[(int(S.hand[first]) & int(table.tables.lucky[first])).bit_count()] += 1
    chances = dict(enumerate(float(p) for p in opening(50, 8)))
    assert sum(offered.values()) == 2 * n
    assert goodness(offered, {k: 2 * n * p for k, p in chances.items()}) > SMALL
    assert goodness(redrawn, {k: n * p for k, p in chances.items()}) > SMALL


def test_a_check_on_a_known_deck_says_so() -> None:
    """A card that was seen and stays on the deck makes the next check known; once it is gone, none is."""
    cards = load_cards("palworld")
    looker, hitter, top = (cards[number] for number in ("BP01-053", "TD01-002", "TD01-003"))
    own = Side([Placed(looker, "base", rested=True), *[Placed(top, "deck")] * 10], ingredient=1)
    other = Side([*[Placed(hitter, "base")] * 2, *[Placed(top, "deck")] * 10])
    game = Game.from_position(Position((own, other)))
    for kind in ("activate", "end", "attack", "attack"):
        game.choose(max(option for option in game.options() if option.kind == kind))
    words = [int(word) for word in game.lane.check_log[: int(game.lane.check_count)]]
    assert [word >> 24 & 1 for word in words] == [1, 0]

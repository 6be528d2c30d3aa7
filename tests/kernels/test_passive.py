"""Two players who decline everything: a game whose course the rules alone decide (CR 6.2, 7.3, 11.3.2)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kernels.jit import PLAIN
from kernels.palworld import codes
from sim.cards import load_cards
from sim.decks import load_deck
from tests.kernels.soak import LIGHT, pair
from tests.kernels.table import Table, starters

FIXTURES = Path(__file__).parents[1] / "fixtures" / "palworld"
LAST = 90
"""Five of 50 cards are the opening hand, the second player draws in each of the own turns 2, 4 ... 90: 45 cards."""
PASSIVE = ("passive", "passive")


def plain() -> list:
    cards = load_cards("palworld", [FIXTURES / "plain-cards.toml"])
    deck = load_deck(str(FIXTURES / "plain.toml"), cards)
    return [cards[number] for number, n in sorted(deck.counts.items()) for _ in range(n)]


def first_wins_by_deck_out(rows: np.ndarray) -> None:
    assert set(rows["turns"]) == {LAST}
    assert set(rows["end"]) == {codes.END_DECK}
    assert (rows["winner"] == rows["first"]).all()
    second = 1 - rows["first"]
    games = np.arange(len(rows))
    assert set(rows["cards_left"][games, second]) == {0}
    assert set(rows["cards_left"][games, 1 - second]) == {1}, "the first player draws in turns 3, 5 ... 89"
    assert (rows["life"] == 10).all()
    for count in ("attacks", "blocks", "checks", "played", "mulligan"):
        assert not rows[count].any()


@pytest.mark.parametrize("sides", ["plain", "starters"])
def test_passive_games_end_with_the_deck(sides: str) -> None:
    n = 6 if PLAIN else 1000
    table = Table([plain(), plain()] if sides == "plain" else starters(), PASSIVE, key=90)
    rows = table.play(0, n).rows
    first_wins_by_deck_out(rows)
    assert list(rows["first"]) == [0, 1] * (n // 2)


def test_a_mulligan_changes_no_length() -> None:
    """The hand goes back and five cards are drawn again: the same 45 cards are left (CR 6.2.1.7)."""
    table = Table([plain(), plain()], PASSIVE, key=91)
    S = table.lane
    for answers in ((0, 0), (0, 1), (1, 0)):
        table.start(2)
        for answer in answers:
            assert table.advance() == 2
            table.choose(answer)
        left = table.advance()
        while left:
            left = table.step()
        assert (int(S.turn), int(S.end), int(S.winner)) == (LAST, codes.END_DECK, 0)
        assert list(S.mulligans) == [1 - answer for answer in answers]


def test_no_game_is_longer_than_its_decks() -> None:
    """The first player would draw the 45th card in turn 91. A card that goes back into a deck could make games longer;
    games of random decks of all cards have not been: none, over players and kinds of decks."""
    for seed in range(3 if PLAIN else 60):
        table, agents = pair("palworld", seed)
        rows = table.play(0, 20 if set(agents) <= set(LIGHT) and not PLAIN else 1).rows
        assert rows["turns"].max() <= LAST + 1
        assert (rows["end"] < codes.END_LOOP).all()

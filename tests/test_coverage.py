"""Every ability of every card is exercised by a scenario, and docs/coverage.md says what is so."""

from __future__ import annotations

import msgspec
import pytest

from sim.cards import load_cards
from sim.coverage import grade, of_decks, words
from tests import coverage
from tests.exercised import Seen, missing, of_scenarios


@pytest.fixture(scope="module")
def seen() -> Seen:
    return of_scenarios()


def test_every_ability_is_exercised(seen: Seen) -> None:
    """A card written wrongly would pass every comparison of two engines that read the same card."""
    assert not missing(load_cards(game="palworld"), seen)


def test_what_is_not_exercised_is_found(seen: Seen) -> None:
    """Without what the scenarios of one ability show, exactly that ability is missing."""
    less = {key: n for key, n in seen.items() if key != ("BP01-015", 0)}
    assert missing(load_cards(game="palworld"), less) == ["BP01-015 1 (act)"]


def test_the_page_says_what_is_so(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "of_scenarios", lambda: seen)
    assert coverage.PAGE.read_text(encoding="utf-8") == coverage.page(), "python -m tests.coverage --write"


def test_every_card_is_exact() -> None:
    assert {grade(card) for card in load_cards(game="palworld").values()} == {"exact"}


def test_decks_say_how_much_of_them_is_exact() -> None:
    """Notes make a card approximate, or not modelled; a deck counts copies."""
    cards = load_cards(game="palworld")
    a, b, c, *_ = sorted(cards)
    cards[b] = msgspec.structs.replace(cards[b], note="the second part is left out")
    cards[c] = msgspec.structs.replace(cards[c], note="Not modelled: too strange")
    shares = of_decks([{a: 4, b: 3}, {c: 1}], cards)
    assert shares == {"exact": 50.0, "approximate": 37.5, "not modelled": 12.5}
    assert words(shares) == "cards: 50% exact, 37.5% approximate, 12.5% not modelled"
    assert words(of_decks([], cards)) == "cards: 0% exact, 0% approximate, 0% not modelled"

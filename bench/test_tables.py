"""From card files and deck lists to what the kernels read."""

from __future__ import annotations

import pytest

from bench.conftest import Did, Measure, digest, thread_clock
from bench.workloads import STARTERS, TEN, info_of
from sim.cards import card_files, load_cards
from sim.cards.files import read_file
from sim.decks import load_decks
from sim.games.palworld.tables import compile_tables

pytestmark = [thread_clock, pytest.mark.usefixtures("one_core")]


@pytest.mark.parametrize("decks", [STARTERS, TEN], ids=["starters", "ten"])
def test_compile_tables(measure: Measure, decks: tuple[str, ...]) -> None:
    cards, info = load_cards(), info_of(decks)
    lists = [[cards[number] for number, n in sorted(deck.cards.items()) for _ in range(n)] for deck in info.decks]
    pairs = info.matchups[:10]

    def compiled() -> Did:
        return Did(len(pairs), [compile_tables([lists[a], lists[b]]) for a, b in pairs])

    measure(compiled, "matchup", rounds=12, sign=lambda tables: digest(*[table.tobytes() for table in tables]))


def test_parse_cards(measure: Measure) -> None:
    """All card files from their text, without the cache of parsed cards."""
    files = sorted(card_files("palworld"))

    def parsed() -> Did:
        cards = {number: card for file in files for number, card in read_file(file).cards.items()}
        return Did(len(cards), sorted(cards))

    measure(parsed, "card", rounds=10)


def test_load_cards(measure: Measure) -> None:
    def loaded() -> Did:
        return Did(1, sorted(load_cards()))

    measure(loaded, "call", rounds=12)


def test_load_decks(measure: Measure) -> None:
    cards = load_cards()

    def loaded() -> Did:
        decks = load_decks(list(TEN), cards, "palworld")
        return Did(len(decks), [(deck.name, sorted(deck.counts.items())) for deck in decks])

    measure(loaded, "deck", rounds=12)

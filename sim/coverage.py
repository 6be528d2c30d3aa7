"""How much of a run is played by the letter: cards that are exact, approximate or not modelled.

A card whose lines cannot all be exact says so in its `note`; one that starts with "not modelled" stands for a card
whose text does nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from sim.cards.ast import Card

GRADES = ("exact", "approximate", "not modelled")


def grade(card: Card) -> str:
    """How the card is played, one of GRADES."""
    if not card.note:
        return "exact"
    return "not modelled" if card.note.lower().startswith("not modelled") else "approximate"


def of_decks(decks: Iterable[Mapping[str, int]], cards: Mapping[str, Card]) -> dict[str, float]:
    """Percent of the cards of decks (number to copies) by grade."""
    copies = Counter[str]()
    for deck in decks:
        for number, n in deck.items():
            copies[grade(cards[number])] += n
    total = max(copies.total(), 1)
    return {name: round(100 * copies[name] / total, 2) for name in GRADES}


def words(coverage: Mapping[str, float]) -> str:
    """The line of a run: `cards: 100% exact, 0% approximate, 0% not modelled`."""
    return "cards: " + ", ".join(f"{coverage.get(name, 0):g}% {name}" for name in GRADES)

"""What an Aether deck is (s3): exactly 40 cards, 3 of a card, no tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sim.cards.ast import Card
from sim.games.aether import RULES

SIZE = RULES["deck_size"]
EXAMPLE = "3 AE-N01"
NUMBER = r"([A-Z]{2}-[A-Z]?\d{2,3})"
"""Card numbers as people write them, the number itself as group 1."""
NO_CARDS: dict[str, str] = {}
"""What people list beside the cards, and why not."""


def faults(counts: Mapping[str, int], cards: Mapping[str, Card]) -> Iterator[tuple[str, str]]:
    """Broken rules beside the number of cards: the card that shows it ("" for none), and what is wrong. The same card
    is the same number (AE-1.6); legends have no limit of their own (AE-1.7)."""
    for number, count in counts.items():
        if cards[number].type == "token":
            yield number, f"{cards[number].name!r} is a token; tokens are not part of a deck"
        elif count > RULES["copies"]:
            yield number, f"{count} copies of {cards[number].name!r}; at most {RULES['copies']}"

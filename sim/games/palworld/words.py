"""Facts of Palworld cards in English. Abilities: the plain words of `sim.cards.words`."""

from __future__ import annotations

from collections.abc import Iterable

from sim.cards.ast import Card
from sim.cards.words import Printer as Words

__all__ = ["Words", "line"]


def line(card: Card) -> Iterable[str]:
    """The facts of a card, as they stand under its name."""
    yield card.color
    yield f"{card.subtype} {card.type}" if card.subtype and card.subtype != "lucky" else card.type
    yield f"cost {card.cost}"
    if card.power is not None:
        yield f"{'durability' if card.type == 'structure' else 'power'} {card.power}"
    if card.strike is not None:
        yield f"strike {card.strike}"
    yield from card.elements
    yield from card.work
    if card.lucky:
        yield "lucky icon"
    if card.deck_limit != 4:
        yield f"up to {card.deck_limit} in a deck"

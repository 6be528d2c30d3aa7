"""What a Palworld deck is (CR 6.1.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sim.cards.ast import Card

SIZE = 50  # CR 6.1.1.1
LUCKY = 8  # CR 6.1.1.3
COLORS = 2  # of the official deck rules; colourless is not a colour
EXAMPLE = "4 TD01-002"
NUMBER = r"E?([A-Z]{2}\d{2}-\d{3})[A-Z]{0,4}"
"""Card numbers as people write them, the number itself as group 1: a letter before it and letters behind it say which
printing."""
NO_CARDS = {name: f"the souls are not part of the {SIZE} cards; leave them out" for name in ("soul", "souls", "ソウル")}
"""What people list beside the cards, and why not."""


def faults(counts: Mapping[str, int], cards: Mapping[str, Card]) -> Iterator[tuple[str, str]]:
    """Broken rules beside the number of cards: the card that shows it ("" for none), and what is wrong."""
    by_name: dict[str, list[str]] = {}
    for number in counts:
        by_name.setdefault(cards[number].name, []).append(number)
    for name, numbers in by_name.items():
        copies, limit = sum(counts[number] for number in numbers), cards[numbers[0]].deck_limit
        if 0 < limit < copies:
            yield numbers[-1], f"{copies} copies of {name!r}; at most {limit}"
    lucky = sum(count for number, count in counts.items() if cards[number].lucky)
    if lucky > LUCKY:
        yield "", f"{lucky} cards with a lucky icon; at most {LUCKY}"
    colors = sorted({cards[number].color for number in counts} - {"colorless"})
    if len(colors) > COLORS:
        fewest = min(colors, key=lambda color: sum(n for number, n in counts.items() if cards[number].color == color))
        named = ", ".join(f"{number} {cards[number].name!r}" for number in counts if cards[number].color == fewest)
        yield "", f"{len(colors)} colours ({', '.join(colors)}); at most {COLORS} and colourless ({fewest}: {named})"

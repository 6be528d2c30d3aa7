"""Random decks for games that two engines play side by side."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache

from sim.cards import load_cards
from sim.cards.ast import Card
from tests.reference.palworld.random_play import mixed

SIZE, LUCKY, COLORS = 50, 8, 2  # CR 6.1.1
TRIALS = ("TD01", "TD02")
MIXED, RICH = "mixed", "rich"
MADE = "tests/fixtures/cards/palworld-tests.toml"


@lru_cache(maxsize=1)
def pool() -> tuple[Card, ...]:
    """All cards of the game, by number."""
    return tuple(sorted(load_cards(game="palworld").values(), key=lambda card: card.number))


@lru_cache(maxsize=1)
def made() -> tuple[Card, ...]:
    """The same, and the cards made for tests."""
    return tuple(sorted(load_cards("palworld", [MADE]).values(), key=lambda card: card.number))


def legal(rng: random.Random, cards: Sequence[Card] | None = None) -> list[Card]:
    """Fifty cards of two colours and colourless, within the limits of copies and lucky icons (CR 6.1.1).

    Cards come in playsets of one to four, so that copies meet and engines of cards come together.
    """
    cards = cards or pool()
    colors = rng.sample(sorted({card.color for card in cards} - {"colorless"}), COLORS)
    stock = [card for card in cards if card.color in (*colors, "colorless")] * 4
    rng.shuffle(stock)
    deck: list[Card] = []
    for card in stock:
        room = min(SIZE - len(deck), card.deck_limit - sum(other.name == card.name for other in deck))
        if card.lucky:
            room = min(room, LUCKY - sum(other.lucky for other in deck))
        if room > 0:
            deck += [card] * min(room, rng.choice((1, 2, 3, 4, 4)))
    if len(deck) < SIZE:
        raise ValueError(f"these cards give a deck of {len(deck)} only")
    return deck


def stress(rng: random.Random, cards: Sequence[Card] | None = None) -> list[Card]:
    """Fifty of all cards, of any colours and in any number: a few cards often, the others once."""
    cards = cards or pool()
    often = rng.sample(cards, rng.randint(2, 6))
    return [rng.choice(often) if rng.random() < 0.4 else rng.choice(cards) for _ in range(SIZE)]


def few(rng: random.Random) -> list[Card]:
    """Fifty of five to nine cards: many copies of the same."""
    cards = rng.sample(pool(), rng.randint(5, 9))
    return [rng.choice(cards) for _ in range(SIZE)]


def tests(rng: random.Random) -> list[Card]:
    """Stress decks with the cards made for tests, which do what no card of the set does: half of the deck."""
    own = [card for card in made() if card not in pool()]
    often = rng.sample(own, 6)
    return [rng.choice(often) if rng.random() < 0.5 else rng.choice(made()) for _ in range(SIZE)]


def trial(rng: random.Random) -> list[Card]:
    """A legal deck of the cards of the two trial decks."""
    return legal(rng, [card for card in pool() if card.number.startswith(TRIALS)])


KINDS: dict[str, Callable[[random.Random], list[Card]]] = {"legal": legal, "stress": stress, "few": few, "td": trial}
KINDS["tests"] = tests
"""The kinds of decks by name."""


def deal(kind: str, rng: random.Random) -> tuple[list[Card], list[Card]]:
    """Two decks of a kind. "mixed": stress decks of cards that have the abilities of one another; "rich": a stress and
    a tests deck, for games that start in the middle."""
    if kind == MIXED:
        cards = mixed(pool(), rng)
        return stress(rng, cards), stress(rng, cards)
    if kind == RICH:
        return stress(rng), tests(rng)
    return KINDS[kind](rng), KINDS[kind](rng)

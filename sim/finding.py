"""Finds cards by what people remember of them, and prints them: facts, and each ability in words."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

from sim.cards.ast import Card
from sim.cards.verbs import vocabulary
from sim.cards.words import ability_words
from sim.decks import Names, fold
from sim.errors import InputError


def find_cards(cards: Mapping[str, Card], words: Sequence[str]) -> list[Card]:
    """The cards that all words fit: numbers, names in both languages, facts, words of abilities. Without words: all.

    What names exactly one card gives that card alone; cards with that main name ("Suzaku") stand before others with the
    word ("Suzaku Aqua"). Raises InputError for words without a letter or digit.
    """
    for word in words:
        if not fold(word):
            raise InputError(f"{word!r} has no letter or digit to look for; without words all cards are listed")
    names = Names(cards)
    whole = " ".join(words)
    number = names.number(whole.strip())
    if number:
        return [cards[number]]
    if exact := names.whole.get(fold(whole)):
        return [cards[number] for number in sorted(exact)]
    first = names.main.get(fold(whole), set())
    folded = [fold(word) for word in words]
    texts = {number: fold(_facts(card)) for number, card in cards.items()}
    found = [cards[number] for number, text in texts.items() if all(word in text for word in folded)]
    found.sort(key=lambda card: card.number not in first)
    if not found:
        texts = {
            number: text + fold(" ".join(abilities(card)))
            for (number, text), card in zip(texts.items(), cards.values(), strict=True)
        }
        found = [cards[number] for number, text in texts.items() if all(word in text for word in folded)]
    return found


def near_names(cards: Mapping[str, Card], text: str) -> list[str]:
    """Names like `text`, for when nothing was found."""
    names = {fold(name): name for card in cards.values() for name in (card.name, card.main_name) if name}
    return [names[near] for near in difflib.get_close_matches(fold(text), names, n=4, cutoff=0.6)]


def abilities(card: Card) -> list[str]:
    """Each ability in words."""
    return [ability_words(ability, card) for ability in card.abilities]


def _facts(card: Card) -> str:
    return " ".join((card.number, card.name, card.name_ja, *_line(card)))


def _line(card: Card) -> Iterable[str]:
    return import_module(f"sim.games.{card.game}.words").line(card)


def to_text(card: Card) -> str:
    """A card for people."""
    name = f"{card.name} ({card.name_ja})" if card.name_ja else card.name
    lines = [f"{card.number}  {name}", "  " + ", ".join(_line(card))]
    lines += [f"  - {words}" for words in abilities(card)]
    if card.note:
        lines.append(f"  note: {card.note}")
    return "\n".join(lines)


def to_dict(card: Card) -> dict[str, Any]:
    """A card for machines."""
    facts: dict[str, Any] = {"number": card.number, "set": card.set}
    for key in vocabulary(card.game).FIELDS:
        value = abilities(card) if key == "abilities" else getattr(card, key)
        facts[key] = list(value) if isinstance(value, tuple) else value
    return facts

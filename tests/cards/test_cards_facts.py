"""Every printed fact of every card, against a table of facts that was not made from the card files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sim.cards import ast, load_cards
from sim.cards.files import ANY_NUMBER
from sim.cards.words import ability_words

FACTS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("facts.json").read_text(encoding="utf-8"))
CARDS = load_cards()

fact = pytest.mark.parametrize("fact", FACTS, ids=[fact["number"] for fact in FACTS])


def test_the_same_cards() -> None:
    assert set(CARDS) == {fact["number"] for fact in FACTS}
    sizes = {
        name: sum(card.set == name for card in CARDS.values()) for name in ("TD01", "TD02", "BP01", "SS01", "BP02")
    }
    assert sizes == {"TD01": 24, "TD02": 24, "BP01": 100, "SS01": 5, "BP02": 20}


@fact
def test_facts(fact: dict[str, Any]) -> None:
    card = CARDS[fact["number"]]
    for key in ("number", "name", "color", "type", "cost"):
        assert getattr(card, key) == fact[key], key
    for key in ("power", "strike"):
        assert getattr(card, key) == fact.get(key), key
    assert card.subtype == fact.get("subtype", "")
    assert card.name_ja == fact.get("name_ja", "")
    assert list(card.elements) == fact.get("elements", [])
    assert list(card.work) == fact.get("work", [])
    assert card.lucky == fact.get("lucky", False)
    assert card.deck_limit == (fact.get("deck_limit", 4) or ANY_NUMBER)
    assert card.set == fact["number"][:4]
    assert card.note == "", "no card is approximate"


@fact
def test_abilities(fact: dict[str, Any]) -> None:
    """Kinds in printed order, keywords, limits, the quick icon, and every number of a hundred or more."""
    abilities = CARDS[fact["number"]].abilities
    assert [ability.kind for ability in abilities] == fact.get("kinds", [])
    keywords = [f"{a.keyword} {a.number}" if a.number else a.keyword for a in abilities if a.keyword]
    assert keywords == fact.get("keywords", [])
    assert sum(a.limit == 1 for a in abilities) == fact.get("once", 0)
    assert any(a.quick for a in abilities) == fact.get("quick", False)
    assert sorted(numbers(CARDS[fact["number"]])) == fact.get("numbers", [])


def numbers(card: ast.Card) -> list[int]:
    """Numbers of a hundred or more in the words of the abilities; of a keyword only the number written with it."""
    found = []
    for ability in card.abilities:
        text = re.sub(r"\(AUTO[^()]*\)|\(CONT[^()]*\)", "", ability_words(ability, card))
        found += [int(number) for number in re.findall(r"\d{3,}", text)]
    return found


def test_main_names() -> None:
    """CR 2.1.3: before the dash; a card without a dash has none."""
    assert CARDS["BP01-028"].main_name == "Pengullet"
    assert CARDS["TD01-008"].main_name == ""


def test_lucky_icons() -> None:
    """Of BP01, TD01 and TD02 exactly the Lucky Pals have the icon; in BP02 two events have it."""
    lucky = {number for number, card in CARDS.items() if card.lucky}
    assert lucky - {number for number, card in CARDS.items() if card.subtype == "lucky"} == {"BP02-071", "BP02-094"}
    assert sum(number[:4] in ("BP01", "TD01", "TD02") for number in lucky) == 24

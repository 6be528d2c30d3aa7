"""Abilities in English. `words.txt` holds the words of all cards as they were compared with the printed ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sim.cards import ast, load_cards
from sim.cards.language import parse_ability
from sim.cards.words import ability_words

GOLDEN = Path(__file__).with_name("words.txt")
CARD = ast.Card("XX01-001", "Test", "red", "pal")


def all_words() -> str:
    lines = []
    for number, card in load_cards().items():
        if card.abilities:
            lines += [f"{number} {card.name}", *(f"    {ability_words(a, card)}" for a in card.abilities), ""]
    return "\n".join(lines)


def test_golden() -> None:
    """A change of words is looked at: CARDMILL_GOLDEN=1 writes the file anew, the diff shows what changed."""
    if os.environ.get("CARDMILL_GOLDEN"):
        GOLDEN.write_text(all_words(), encoding="utf-8")
    assert all_words() == GOLDEN.read_text(encoding="utf-8")


def test_every_ability_has_words() -> None:
    for card in load_cards().values():
        for ability in card.abilities:
            text = ability_words(ability, card)
            assert len(text) > 10
            assert "None" not in text and "  " not in text and "{word}" not in text and "(s)" not in text
            assert text.count("(") == text.count(")")


PRINTED = {
    "act once [1 soul, assign 1 pal]: choose 2 pals; they get power -300 until end of battle": """
        ACT (once per turn) [Rest 1 soul, assign 1 Pal]: Choose 2 Pals. They get Power-300 until end of battle""",
    "auto enemy lucky pal attacks structure: draw to 3; discard to 1": """
        AUTO: When one of your opponent's lucky Pals attacks a structure, draw until your hand has 3 cards.
        Discard until your hand has 1 card""",
    "cont: stealth; this gets strike -1 per enemy pal": """
        CONT: This card cannot be blocked. This card gets Strike-1 for each of your opponent's Pals""",
    "cont while not night and no (my other gears): this gets power +power of this": """
        CONT: While it is not night and you have no other gears, this card gets Power+the Power of this card""",
    'auto deployed: choose 1 not lucky pal with name "Stone Pit"; mill 2 * souls + 1; damage chosen to them': """
        AUTO: When this card is deployed, choose 1 non-lucky Pal with the card name "Stone Pit". Put the top N cards of
        your deck into the graveyard, where N is 2 times the number of your souls plus 1. Deal N damage to it, where N
        is the number of chosen cards""",
    "event: choose 1 structure; they get power +100 until end of turn": """
        EVENT: Choose 1 structure. It gets Durability+100 until end of turn""",
    "auto my pal buried: exile that; if they are rested and this is a red pal { gain 3 souls }": """
        AUTO: When one of your Pals is put into the graveyard from the base, exile that Pal. If it is rested and this
        card is a red Pal, increase your souls by 3, standing""",
}


@pytest.mark.parametrize("text", PRINTED)
def test_words(text: str) -> None:
    assert ability_words(parse_ability(text), CARD) == " ".join(PRINTED[text].split())

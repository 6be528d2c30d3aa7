"""Aether: the facts of its cards, its decks and their rules, the language of its abilities, what the check finds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sim.cards import ast, load_cards
from sim.cards.ast import nodes_of
from sim.cards.errors import LanguageError
from sim.cards.files import read_text
from sim.cards.language import parse_ability
from sim.cards.lint import CODES as SHARED
from sim.cards.lint import check
from sim.cards.verbs import vocabulary
from sim.cards.words import ability_words
from sim.decks import built_in_decks, load_deck
from sim.errors import DeckError
from sim.games.aether import RULES
from sim.games.aether.lint import CODES
from sim.games.aether.words import is_legend

CARDS = load_cards("aether")
FACTS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("aether-facts.json").read_text(encoding="utf-8"))
DOC = Path(__file__).parents[2] / "docs" / "aether.md"
VERBS = vocabulary("aether").VERBS
KEYWORDS = vocabulary("aether").KEYWORDS

WRITTEN = {
    "damage": {"damage", "player_damage"},
    "buff": {"modify"},
    "grant_keyword": {"keyword"},
    "remove_keyword": {"lose_keyword"},
    "heal_player": {"life"},
    "lose_life": {"lose"},
    "heal_unit": {"restore"},
    "bounce": {"hand"},
    "return_from_grave": {"return"},
    "summon_token": {"summon"},
    "discard_self": {"discard"},
}
"""Operations of the facts and the verbs that do them, where they are not called the same."""


# -------------------------------------------------------------------------------------------------------- facts


def test_the_cards() -> None:
    assert sorted(CARDS) == sorted(fact["number"] for fact in FACTS)
    assert sum(card.type != "token" for card in CARDS.values()) == 60


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["number"])
def test_facts(fact: dict[str, Any]) -> None:
    card = CARDS[fact["number"]]
    assert (card.name, card.element, card.type) == (fact["name"], fact["element"], fact["type"])
    assert (card.cost, card.attack, card.hp) == (fact.get("cost", 0), fact.get("attack"), fact.get("hp"))
    assert (list(card.keywords), card.row) == (fact.get("keywords", []), fact.get("row", ""))
    assert is_legend(card) == fact.get("legend", False)


@pytest.mark.parametrize("fact", [fact for fact in FACTS if "triggers" in fact], ids=lambda fact: fact["number"])
def test_abilities(fact: dict[str, Any]) -> None:
    """Triggers, resonance, targets, operations and numbers of the abilities."""
    abilities = CARDS[fact["number"]].abilities
    nodes = list(nodes_of(abilities))
    kinds = {"spell": "spell", "cont": "static"}
    triggers = [a.trigger.event if a.trigger else kinds[a.kind] for a in abilities]
    assert triggers == fact["triggers"]
    assert [[n.element, n.count] for n in nodes if isinstance(n, ast.Resonance)] == fact.get("resonance", [])
    assert [target(n.what) for n in nodes if isinstance(n, ast.Choose)] == fact.get("targets", [])
    verbs = [n.verb if isinstance(n, ast.Do) else n.kind for n in nodes if isinstance(n, ast.Do | ast.Static)]
    assert len(verbs) == len(fact["verbs"])
    assert all(verb in WRITTEN.get(op, {op}) for verb, op in zip(verbs, fact["verbs"], strict=True))
    assert sorted(number for n in nodes if isinstance(n, ast.Do) for number in numbers(n)) == fact["numbers"]


def target(what: ast.Filter) -> list[Any]:
    """A description as the facts have it."""
    side = {"my": "ally"}.get(what.side, what.side)
    tests: dict[str, Any] = {}
    for test in what.where:
        if isinstance(test.value, ast.Amount):
            assert test.op == "<="
            tests[f"max_{test.key}"] = test.value.const
        else:
            tests[test.value] = True
    return [side, "_or_".join(what.types), what.other, tests]


def numbers(do: ast.Do) -> list[int]:
    found = [a.const for a in (do.amount, do.attack, do.hp) if a is not None]
    if do.verb == "return" and isinstance(do.target, ast.Filter):
        found += [test.value.const for test in do.target.where if isinstance(test.value, ast.Amount)]
    return found


def test_legends() -> None:
    """AE-1.7, 1.8: a frame colour by the printed cost, of tokens never."""
    assert is_legend(CARDS["AE-F08"]) and is_legend(CARDS["AE-F12"])
    assert not is_legend(CARDS["AE-N06"]) and not is_legend(CARDS["AE-K01"])


def test_keywords_are_written_as_the_rules_name_them() -> None:
    assert len(KEYWORDS) == 9
    assert set(KEYWORDS) == {word for card in CARDS.values() for word in card.keywords}


# -------------------------------------------------------------------------------------------------------- decks

SIZES = {
    "blood-garden": 16, "deep-forest-ramp": 16, "drowned-grave-control": 17, "flame-rush": 15,
    "neutral-toolbox": 16, "steam-tempo": 15,
}  # fmt: skip
"""Different cards of each deck."""


def test_decks() -> None:
    assert {name: len(load_deck(name, CARDS, "aether").counts) for name in built_in_decks("aether")} == SIZES
    used = {number for name in SIZES for number in load_deck(name, CARDS, "aether").counts}
    assert used == {number for number, card in CARDS.items() if card.type != "token"}


DECK = {number: 3 for number in sorted(CARDS) if number[3] in "FT"} | {"AE-N01": 3, "AE-N02": 1}
DECK = dict(list(DECK.items())[:12]) | {"AE-N01": 3, "AE-N02": 1}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, ""),
        ({"AE-N02": 2}, "41 cards, 1 too many; a deck has exactly 40"),
        ({"AE-N01": 4, "AE-N02": 0}, "4 copies of 'Tin Squire'; at most 3"),
        ({"AE-K01": 1, "AE-N02": 0}, "'Seedling' is a token"),
        ({"AE-F12": 3}, ""),
    ],
)
def test_deck_rules(change: dict[str, int], told: str, tmp_path: Path) -> None:
    """s3, AE-1.6, AE-1.7: exactly 40, at most 3 of the same number, no tokens; legends have no limit of their own."""
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(f"{n} {card}" for card, n in (DECK | change).items() if n), encoding="utf-8")
    if not told:
        assert sum(load_deck(path, CARDS, "aether").counts.values()) == 40
        return
    with pytest.raises(DeckError) as caught:
        load_deck(path, CARDS, "aether")
    assert told in str(caught.value)


@pytest.mark.parametrize("line", ["3 AE-N01", "AE-N01 x3", "3x Tin Squire", "Tin Squire * 3", "AE-N01×３"])
def test_deck_lines(line: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    rest = [f"{n} {card}" for card, n in DECK.items() if card != "AE-N01"]
    path.write_text("\n".join([*rest, line]), encoding="utf-8")
    assert load_deck(path, CARDS, "aether").counts["AE-N01"] == 3


def test_rules() -> None:
    """The switches of the rules file and their values in these rules (s3, AE-4.4)."""
    assert RULES == {
        "life": 20, "first_hand": 5, "second_hand": 6, "hand_limit": 10, "deck_size": 40, "copies": 3,
        "move_when_summoned": 1,
    }  # fmt: skip


# ----------------------------------------------------------------------------------------------------- language

EXAMPLES = [
    tuple(part.strip() for part in line.rpartition("#")[::2])
    for block in re.findall(r"```card\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
    for line in re.sub(r"\n +", " ", block).splitlines()
]


@pytest.mark.parametrize(("text", "source"), EXAMPLES)
def test_examples_of_the_document(text: str, source: str) -> None:
    """Each is the ability of the card that it names."""
    ability = parse_ability(text, "aether")
    assert source == "no card yet" or ability in CARDS[source].abilities


def test_every_verb_is_documented() -> None:
    used = {n.verb for text, _ in EXAMPLES for n in nodes_of(parse_ability(text, "aether")) if isinstance(n, ast.Do)}
    assert used == set(VERBS)
    for verb in VERBS.values():
        assert set(verb.fields) <= set(ast.Do.__struct_fields__)


def test_documented_findings() -> None:
    rows = dict(re.findall(r"^\| (C\d{3}) \| (.*?) \|$", DOC.read_text(encoding="utf-8"), re.MULTILINE))
    assert rows == CODES
    assert not set(CODES) & set(SHARED)


def test_games_do_not_share_words() -> None:
    """A verb, type or trigger of one game is an error in the other."""
    for text, game in (
        ("auto deployed: draw 1", "aether"),
        ("event: draw 1", "aether"),
        ("spell: gain 2 material", "aether"),
        ("spell: choose 1 pal; destroy them", "aether"),
        ("spell: if night { draw 1 }", "aether"),
        ("auto summoned: draw 1", "palworld"),
        ("event: choose 1 unit; bury them", "palworld"),
        ("event: choose 1 pal; freeze them", "palworld"),
        ("event: if resonance flame 3 { draw 1 }", "palworld"),
    ):
        with pytest.raises(LanguageError):
            parse_ability(text, game)


def test_errors_name_the_words_of_the_game() -> None:
    with pytest.raises(LanguageError) as caught:
        parse_ability("spell: choose 1 enemy unit; freze them", "aether")
    assert "`freeze`" in caught.value.hint


def test_every_ability_has_words() -> None:
    for card in CARDS.values():
        for ability in card.abilities:
            text = ability_words(ability, card)
            assert len(text) > 10
            assert not any(part in text for part in ("None", "  ", "{", "(s)", "base", "Pal"))


WORDS = {
    "spell: choose up to 2 enemy units; damage 1 to them": "Choose up to 2 enemy units. Deal 1 damage to them",
    "spell: enemy discards 1": "Your opponent discards 1 card",
    'spell: summon 3 "AE-K01"': "Summon 3 AE-K01 tokens",
    "spell: ramp 2": "Put the top 2 cards of your deck into your aether zone",
    "cont in hand while resonance tide 3: this costs 2 less": """
        In your hand, while you have 3 or more Tide aether, this costs 2 less (not below 0)""",
    "cont: this gets +1/-1": "This gets +1/-1",
    "auto each turn end: all not flame units with hp >= 3 get -1/-1": """
        At the end of each turn, all non-Flame units with hp 3 or more get -1/-1""",
    "auto destroyed: return 2 other spells in my graveyard": """
        When destroyed, return 2 other spells in your graveyard to your hand""",
    "spell: choose 1 my damaged unit; move them; heal 2 to them": """
        Choose 1 ally damaged unit. Move it to the other row. Heal 2 damage of it""",
}


@pytest.mark.parametrize("text", WORDS)
def test_words(text: str) -> None:
    assert ability_words(parse_ability(text, "aether"), CARDS["AE-N01"]) == " ".join(WORDS[text].split())


# -------------------------------------------------------------------------------------------------------- check

UNIT = '["XX-001"]\nname = "Test"\nelement = "flame"\ntype = "unit"\ncost = 1\nattack = 1\nhp = 1\n'
SPELL = '["XX-002"]\nname = "Test"\nelement = "flame"\ntype = "spell"\ncost = 1\n'
TOKEN = '["XX-K01"]\nname = "Test"\nelement = "flame"\ntype = "token"\nattack = 1\nhp = 1\n'
FAULTS = [
    ("C004", UNIT + "power = 300\n"),
    ("C010", UNIT.replace('"unit"', '"pal"')),
    ("C013", UNIT.replace('"flame"', '"fire"')),
    ("C015", UNIT + 'keywords = ["hast"]\n'),
    ("C016", TOKEN + 'row = "middle"\n'),
    ("C025", SPELL + "attack = 2\nabilities = ['spell: draw 1']\n"),
    ("C025", UNIT + 'row = "front"\n'),
    ("C025", TOKEN + 'row = "front"\ncost = 1\n'),
    ("C028", UNIT.replace("hp = 1", "hp = 0")),
    ("C029", SPELL + "abilities = ['auto summoned: draw 1']\n"),
    ("C029", UNIT + "abilities = ['spell: draw 1']\n"),
    ("C030", UNIT + 'keywords = ["haste", "haste"]\n'),
    ("C031", UNIT.replace("attack = 1\n", "")),
    ("C032", TOKEN),
    ("C033", SPELL),
    ("C034", UNIT + "abilities = ['auto summoned: summon 1 \"AE-F01\"']\n"),
    ("C042", UNIT + "abilities = ['auto summoned: freeze them']\n"),
    ("C050", SPELL + "abilities = ['spell: choose 1 front back unit; freeze them']\n"),
    ("C060", UNIT + "abilities = ['cont: this costs 1 less']\n"),
    ("C061", UNIT + "abilities = ['cont: this gets barrier']\n"),
    ("C061", SPELL + "abilities = ['spell: choose 1 unit; they get barrier until end of turn']\n"),
    ("C062", SPELL + "abilities = ['spell: choose 1 unit in my graveyard; put them into hand']\n"),
    ("C062", SPELL + "abilities = ['spell: return 1 unit']\n"),
    ("C062", SPELL + "abilities = ['spell: return 1 unit in enemy graveyard']\n"),
    ("C062", SPELL + "abilities = ['spell: destroy all cards']\n"),
    ("C062", SPELL + "abilities = ['spell: freeze all units in my hand']\n"),
    ("C063", SPELL + "abilities = ['spell: destroy this']\n"),
]


@pytest.mark.parametrize(("code", "text"), FAULTS)
def test_faults(code: str, text: str) -> None:
    reading = read_text(text, "mine.toml", "aether")
    check(reading)
    assert code in {fault.code for fault in reading.faults}
    assert all(fault.line for fault in reading.faults)


def test_every_code_has_a_case() -> None:
    assert set(CODES) <= {code for code, _ in FAULTS}


def test_sound_cards_have_no_finding() -> None:
    folder = Path(__file__).parents[1] / "fixtures" / "cards"
    for text in (
        UNIT,
        TOKEN + 'row = "back"\n',
        SPELL + "abilities = ['cont in hand: this costs 1 less', 'spell: draw 1']\n",
        UNIT + "abilities = ['auto turn end: all my back units get twin until end of turn']\n",
        (folder / "aether-tests.toml").read_text(encoding="utf-8"),
    ):
        reading = read_text(text, "mine.toml", "aether")
        check(reading)
        assert not reading.faults

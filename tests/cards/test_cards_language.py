"""The grammar: every rule in use and documented, every verb and word of the AST reachable, faults found in place."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark.grammar import NonTerminal, Symbol

from sim.cards import ast, load_cards
from sim.cards.ast import nodes_of
from sim.cards.errors import LanguageError
from sim.cards.files import read_file
from sim.cards.flow import faults_of
from sim.cards.language import _parser, expand_keyword, parse_ability, takes_number
from sim.cards.lint import CODES, WARNINGS, check_cards
from sim.cards.verbs import vocabulary
from sim.cards.words import ability_words

CARD = ast.Card("XX01-001", "Test", "red", "pal")
DOC = Path(__file__).parents[2] / "docs" / "card-language.md"
KEYWORDS = vocabulary("palworld").KEYWORDS
VERBS = vocabulary("palworld").VERBS


def documented() -> list[tuple[str, str]]:
    """Abilities of the document: text, and the card or keyword that it names."""
    found = []
    for block in re.findall(r"^```card\n(.*?)^```", DOC.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for text in re.split(r"\n(?=\S)", block.rstrip()):
            ability, _, source = text.rpartition("  # ")
            found.append((re.sub(r"\s+", " ", ability), source))
    return found


EXAMPLES = documented()


# ------------------------------------------------------------------------------------------------- the document


@pytest.mark.parametrize(("text", "source"), EXAMPLES)
def test_examples_are_real(text: str, source: str) -> None:
    ability = parse_ability(text)
    if source.startswith("keyword "):
        _, name, *number = source.split()
        assert msgspec.structs.replace(ability, keyword=name, number=int(*number)) == expand_keyword(
            name, int(*number), "palworld"
        )
    elif source.startswith("granted by "):
        granted = [n.ability for n in nodes_of(load_cards()[source.split()[-1]].abilities) if isinstance(n, ast.Do)]
        assert ability in granted
    elif source != "no card yet":
        assert ability in load_cards()[source].abilities


def test_every_rule_has_an_example() -> None:
    parser = _parser("palworld")
    texts = [text for text, _ in EXAMPLES]
    used = {str(tree.data) for text in texts for tree in parser.parse(text).iter_subtrees()}
    rules = {str(rule.alias or rule.origin.name) for rule in parser.rules}
    inlined = {"described", "effect", "happening", "cost", "static", "target", "property", "single"}
    assert {rule for rule in rules if not rule.startswith("_")} - inlined <= used


def test_documented_tables() -> None:
    """The tables of keywords and findings say what the program does."""
    text = DOC.read_text(encoding="utf-8")
    for name, meaning in KEYWORDS.items():
        number = {"Brave": "300", "Serious": "400"}.get(name, "")
        written = f"keyword {name} {number}".strip()
        assert f"| `{written}` | `{re.sub('N', number, meaning) if number else meaning}` |" in text
    rows = dict(re.findall(r"^\| (C\d{3}) \| (.*?) \|$", text, re.MULTILINE))
    assert rows == {code: what + " (warning)" * (code in WARNINGS) for code, what in CODES.items()}


def test_the_card_of_the_document(tmp_path: Path) -> None:
    table = re.findall(r"^```toml\n(.*?)^```", DOC.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[0]
    path = tmp_path / "mine.toml"
    path.write_text(table, encoding="utf-8")
    assert check_cards(path) == []
    assert "XX01-001" in read_file(path).cards


# ------------------------------------------------------------------------------------------- verbs and keywords


def test_every_verb_is_used() -> None:
    """By a card, or by an example of the document."""
    abilities = [a for card in load_cards().values() for a in card.abilities]
    abilities += [parse_ability(text) for text, _ in EXAMPLES]
    used = {node.verb for ability in abilities for node in nodes_of(ability) if isinstance(node, ast.Do)}
    assert used == set(VERBS)


def test_every_verb_fills_its_fields() -> None:
    for verb in VERBS.values():
        assert {"{amount}", "{target}"} & set(re.findall(r"{\w+}", verb.words)) <= {f"{{{f}}}" for f in verb.fields}
        assert set(verb.fields) <= set(ast.Do.__struct_fields__)


def test_every_verb_can_be_written() -> None:
    """Each form with plain fields parses to its verb and reads back in English."""
    fill = {
        "{amount}": "2", "{target}": "this", "{until}": "until end of turn", "{change}": "power +100",
        "{ability}": "{ keyword Taunt }", "{resource}": "material", "{next}": "red gear", "{rested}": "rested",
        "{up_to}": "up to", "{from_hand}": "Fire pal",
    }  # fmt: skip
    for name, verb in VERBS.items():
        text = "auto deployed: " + " ".join(fill.get(word.replace("?", ""), word) for word in verb.form.split())
        ability = parse_ability(text)
        assert [node.verb for node in ability.effects if isinstance(node, ast.Do)] == [name]
        assert not [fault for fault in faults_of(ability, CARD) if fault.code == "C051"]
        assert ability_words(ability, CARD)


@pytest.mark.parametrize("name", KEYWORDS)
def test_keywords(name: str) -> None:
    number = " 200" if takes_number(name) else ""
    ability = parse_ability(f"keyword {name}{number}")
    assert (ability.keyword, ability.number) == (name, 200 if number else 0)
    plain = msgspec.structs.replace(ability, keyword="", number=0)
    assert plain == parse_ability(re.sub(r"\bN\b", "200", KEYWORDS[name]))


def test_breakthrough_deals_the_strike_of_the_moment() -> None:
    """CR 12.14: the Strike that it has at that time."""
    (do,) = parse_ability("keyword Breakthrough").effects
    assert do == ast.Do("player_damage", amount=ast.Amount(times=1, term="strike", of="this"))


def test_brackets_mean_nothing_to_plurals_and_space() -> None:
    assert parse_ability("event:choose up to 2 pals;rest them") == parse_ability(
        "event:  choose up to\n 2 pal ; rest them"
    )


# ----------------------------------------------------------------------------------------------------- meanings


def test_choices() -> None:
    pal = ast.Filter(("pal",))
    for text, low, high in (("choose 2 pals", 2, 2), ("choose up to 2 pals", 0, 2)):
        (choose,) = parse_ability(f"event: {text}").effects
        assert choose == ast.Choose(pal, ast.Amount(low), ast.Amount(high))
    (choose,) = parse_ability("event: choose any number of pals").effects
    assert choose == ast.Choose(pal, ast.Amount(0), ast.Amount(times=1, term="count", what=pal))
    (choose,) = parse_ability("event: enemy chooses 1 enemy pal").effects
    assert choose == ast.Choose(ast.Filter(("pal",), "enemy"), ast.Amount(1), ast.Amount(1), who="enemy")


def test_places_and_owners() -> None:
    def what(text: str) -> ast.Filter:
        (do,) = parse_ability(f"event: bury all {text}").effects
        assert isinstance(do, ast.Do) and isinstance(do.target, ast.Filter)
        return do.target

    assert what("my other cards") == ast.Filter((), "my", "base", True)
    assert what("gears in my graveyard") == ast.Filter(("gear",), "my", "graveyard")
    assert what("my gears in my graveyard") == what("gears in my graveyard")
    assert what("pals in exile") == ast.Filter(("pal",), "any", "exile")
    assert what("cards from looked") == ast.Filter((), "any", "looked")
    with pytest.raises(LanguageError, match="both sides"):
        what("my gears in enemy hand")


def test_discard_names_the_hand_it_comes_from() -> None:
    (mine,) = parse_ability("event: discard 1 gear").effects
    (theirs,) = parse_ability("event: enemy discards 1 gear").effects
    assert mine == ast.Do("discard", ast.Amount(1), ast.Filter(("gear",), "my", "hand"))
    assert theirs == ast.Do("discard", ast.Amount(1), ast.Filter(("gear",), "enemy", "hand"), who="enemy")
    assert parse_ability("event: discard 1 card") == parse_ability("event: discard 1")


def test_one_property_is_a_filter() -> None:
    (effect,) = parse_ability("event: if this is rested { draw 1 }").effects
    assert isinstance(effect, ast.If)
    assert effect.when == ast.Is("this", ast.Filter(where=(ast.Test("state", value="rested"),)))


def test_numbers() -> None:
    def amount(text: str) -> ast.Amount | None:
        (do,) = parse_ability(f"act [consume X material]: draw {text}").effects
        assert isinstance(do, ast.Do)
        return do.amount

    assert amount("3") == ast.Amount(3)
    assert amount("X") == ast.Amount(times=1, term="x")
    assert amount("3 * X - 1") == ast.Amount(-1, 3, "x")
    assert amount("cost of this + 2") == ast.Amount(2, 1, "cost", of="this")


# ------------------------------------------------------------------------------------------------------- faults


@pytest.mark.parametrize(
    ("text", "at", "found", "hint"),
    [
        ("act [rest this]: drwa 2", "drwa", "did not expect 'drwa'", "`draw`"),
        ("auto deployd: draw 1", "deployd", "did not expect 'deployd'", "`deployed`"),
        ("event: choose 1 pal where cost <= 3", "where", "did not expect 'where'", "expected"),
        ("event: choose 1 fire pal", "fire", "did not expect 'fire'", "`Fire`"),
        ("event: draw", "", "ends too early", "a number"),
        ("", "", "ends too early", "`act`"),
        ('event: choose 1 pal with name "Foo', '"', "without its second quote", "close it"),
        ("event: draw 123456", "123456", "too large", "at most"),
        ("keyword Brave", "Brave", "needs a number", "keyword Brave 300"),
        ("keyword Taunt 3", "Taunt", "takes no number", "keyword Taunt"),
        ("event: draw 1; ; draw 2", "; draw 2", "did not expect ';'", "expected"),
        ("event: draw 1 ≥ 2", "≥", "did not expect '≥'", "`;`"),
        ("event: " + "may { " * 13 + "draw 1" + " }" * 13, "{ draw", "nested too deeply", "at most 12"),
        ("event: chooses 1 pal", "chooses", "did not expect 'chooses'", "`choose`"),
    ],
)
def test_faults(text: str, at: str, found: str, hint: str) -> None:
    with pytest.raises(LanguageError) as caught:
        parse_ability(text)
    assert found in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.offset == (text.index(at) if at else len(text))


# ---------------------------------------------------------------------------------------------------- at random


VALUES = {t.name: t.pattern.value for t in _parser("palworld").terminals if t.pattern is not None}
VALUES |= {"INT": "3", "QUOTED": '"Stone Pit"'}
WORDS = sorted({*VALUES.values(), "2", "?"})


def accepted(text: str) -> None:
    """Read a text: only a LanguageError inside the text may happen, and what is read is sound."""
    try:
        ability = parse_ability(text)
    except LanguageError as error:
        assert 0 <= error.offset <= len(text)
        assert error.message
        return
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(ability), type=ast.Ability) == ability
    assert ability_words(ability, CARD)
    faults_of(ability, CARD)


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    accepted(text)


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_any_words(words: list[str]) -> None:
    accepted(" ".join(words))


@settings(deadline=None)
@given(st.sampled_from([text for text, _ in EXAMPLES]), st.data())
def test_changed_examples(text: str, data: st.DataObject) -> None:
    words = text.split(" ")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(words) - 1))
        words[at : at + 1] = data.draw(st.lists(st.sampled_from(WORDS), max_size=2)) or [""]
    accepted(" ".join(words))


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_any_sentence_of_the_grammar(seed: int) -> None:
    """A sentence that the grammar makes is read, unless it breaks one of the rules outside of the grammar."""
    text = " ".join(sentence(random.Random(seed)))
    try:
        parse_ability(text)
    except LanguageError as error:
        assert any(part in error.message for part in ("both sides", "needs a number", "takes no number", "too deeply"))
    accepted(text)


@cache
def rules() -> dict[str, list[list[Symbol]]]:
    """The bodies of each rule; within one, the shortest to finish first."""
    found: dict[str, list[list[Symbol]]] = {}
    for rule in _parser("palworld").rules:
        found.setdefault(str(rule.origin.name), []).append(list(rule.expansion))
    depth = dict.fromkeys(found, 10**6)

    def needs(body: list[Symbol]) -> int:
        return max((depth[str(symbol.name)] for symbol in body if isinstance(symbol, NonTerminal)), default=0)

    for _ in found:
        depth = {name: 1 + min(map(needs, bodies)) for name, bodies in found.items()}
    return {name: sorted(bodies, key=needs) for name, bodies in found.items()}


def sentence(draw: random.Random, name: str = "start", level: int = 0) -> Iterator[str]:
    """A random derivation; deep ones take the shortest way out."""
    bodies = rules()[name]
    for symbol in draw.choice(bodies) if level < 14 else bodies[0]:
        if isinstance(symbol, NonTerminal):
            yield from sentence(draw, str(symbol.name), level + 1)
        else:
            yield VALUES[symbol.name]

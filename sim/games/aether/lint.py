"""What an Aether card may look like: facts that go together, and abilities that fit its type."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sim.cards import ast
from sim.cards.ast import nodes_of
from sim.cards.words import article

RANGES = {"cost": (0, 20), "attack": (0, 99), "hp": (1, 99)}
TOKEN = re.compile(r"[A-Z]+-K\d+")
CODES: dict[str, str] = {
    "C015": "unknown keyword",
    "C016": "unknown row",
    "C031": "a unit or token without attack or hp",
    "C032": "a token without the row where it appears",
    "C033": "a spell without text",
    "C034": "a token number that is no token's",
    "C060": "a change of cost outside of the hand, or another one in it",
    "C061": "a barrier that is continuous or has an end",
    "C062": "cards that cannot be chosen or changed where they are",
    "C063": '"this" in a spell',
}
"""Kinds of finding beside those of `sim.cards.lint`."""


def facts(card: ast.Card) -> Iterator[tuple[str, str, str, str]]:
    """Facts that do not go together: key of the table, code, message, hint."""
    unit, spell, token = (card.type == kind for kind in ("unit", "spell", "token"))
    for key in ("attack", "hp"):
        if getattr(card, key) is None and (unit or token):
            yield "type", "C031", f"this {card.type} has no {key}", f"add a line `{key} = ...`"
    absent = [(key, spell and getattr(card, key) is not None) for key in ("attack", "hp")]
    absent += [("keywords", spell and bool(card.keywords)), ("row", not token and bool(card.row))]
    absent.append(("cost", token and bool(card.cost)))
    for key, wrong in absent:
        if wrong:
            yield key, "C025", f"{article(card.type)} has no {key}", "remove the line, or correct the type"
    if token and not card.row:
        yield "type", "C032", "this token has no row", 'add a line `row = "front"` or "back": where it appears first'
    if spell and not card.abilities:
        yield "type", "C033", "this spell does nothing", "add a line `abilities = ['spell: ...']`"
    for key, (low, high) in RANGES.items():
        value = getattr(card, key)
        if value is not None and not low <= value <= high:
            yield key, "C028", f"{key} is {value}", f"it must be from {low} to {high}"
    if card.name != card.name.strip() or not card.name:
        yield "name", "C030", "name is empty or has spaces around it", "write the name as printed"
    if len(set(card.keywords)) < len(card.keywords):
        yield "keywords", "C030", "keywords holds a word twice", "write each word once"


def kind_faults(card: ast.Card, ability: ast.Ability) -> Iterator[tuple[str, str, str, str]]:
    """What an ability cannot be or do: code, word where it shows, message, hint."""
    if card.type == "spell" and ability.kind == "auto":
        yield "C029", "auto", "the text of a spell starts with `spell`", "not with `auto`"
    if card.type != "spell" and ability.kind == "spell":
        yield "C029", "spell", f"{article(card.type)} has no `spell` text", "start it with `auto` or `cont`"
    if ability.kind == "cont":
        for static in ability.statics:
            if (static.kind == "cost") != (ability.zone == "hand"):
                yield (
                    "C060",
                    "cont",
                    "only a cost changes in the hand, and only there",
                    "write `cont in hand: this costs`",
                )
            if static.word == "barrier":
                yield (
                    "C061",
                    "barrier",
                    "a barrier that is used up cannot be continuous",
                    "give it with `auto summoned`",
                )
    if card.type == "spell" and ability.kind == "cont" and ability.zone != "hand":
        yield "C029", "cont", "a spell is never on the field", "write `cont in hand`"
    for node in nodes_of(ability.effects):
        yield from _node_faults(card, node)


def _node_faults(card: ast.Card, node: ast.Node) -> Iterator[tuple[str, str, str, str]]:
    if isinstance(node, ast.Choose):
        if node.what.zone != "field":
            yield "C062", "choose", "only units and players on the field are chosen", "write `return` or `discard`"
        elif not node.what.types or "spell" in node.what.types:
            yield "C062", "choose", "only units and players are on the field", "write `unit` or `player`"
    if isinstance(node, ast.Do):
        zone = node.target.zone if isinstance(node.target, ast.Filter) else ""
        if node.verb == "return" and zone != "graveyard":
            yield "C062", "return", "cards are returned from a graveyard", "write `in my graveyard`"
        elif node.verb == "return" and isinstance(node.target, ast.Filter) and node.target.side != "my":
            yield "C062", "return", "cards are returned from the own graveyard", "write `in my graveyard`"
        elif node.verb != "return" and zone not in ("", "field"):
            yield "C062", node.verb.partition("_")[0], "this can be done to units on the field only", "leave out `in`"
        if isinstance(node.target, ast.Filter) and node.verb != "return" and not _is_units(node.target):
            yield "C062", "all", "only units are on the field", "write `unit`"
        if node.verb == "keyword" and node.word == "barrier" and node.until:
            yield "C061", "barrier", "a barrier lasts until it is used up", "leave out `until end of turn`"
        if node.verb == "summon" and not TOKEN.fullmatch(node.word):
            yield "C034", node.word, f"{node.word!r} is no token", 'a token has a number like "AE-K01"'
        if node.target == "this" and card.type == "spell":
            yield "C063", "this", "a spell is not on the field", "write what it is done to"


def _is_units(what: ast.Filter) -> bool:
    return bool(what.types) and set(what.types) <= {"unit", "token"}

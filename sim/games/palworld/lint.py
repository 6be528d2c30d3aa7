"""What a Palworld card may look like: facts that go together, and abilities that fit its type."""

from __future__ import annotations

from collections.abc import Iterator

from sim.cards import ast
from sim.cards.words import article

RANGES = {"cost": (0, 20), "power": (0, 9999), "strike": (0, 20), "deck_limit": (1, 50)}


def facts(card: ast.Card) -> Iterator[tuple[str, str, str, str]]:
    """Facts that do not go together: key of the table, code, message, hint."""
    pal, structure = card.type == "pal", card.type == "structure"
    if pal:
        for key, code in (("power", "C020"), ("strike", "C021")):
            if getattr(card, key) is None:
                yield "type", code, f"this Pal has no {key}", f"add a line `{key} = ...`"
        if not card.subtype:
            yield "type", "C022", "this Pal has no subtype", 'add a line `subtype = "normal"` or "lucky"'
        if not card.elements:
            yield "type", "C023", "this Pal has no element", 'add a line `elements = ["..."]`'
    if structure and card.power is None:
        yield "type", "C024", "this structure has no durability", "add a line `power = ...`"
    absent = [("strike", card.strike is not None and not pal), ("subtype", bool(card.subtype) and not pal)]
    absent.append(("power", card.power is not None and not pal and not structure))
    absent.append(("elements", bool(card.elements) and not pal))
    absent.append(("work", bool(card.work) and not pal and not structure))
    for key, wrong in absent:
        if wrong:
            yield key, "C025", f"{article(card.type)} has no {key}", "remove the line, or correct the type"
    if card.lucky and card.type in ("structure", "gear"):
        yield "lucky", "C026", f"{article(card.type)} has no lucky icon", "only Pals and events have it"
    if card.subtype == "lucky" and not card.lucky:
        yield "subtype", "C027", "this Lucky Pal has no lucky icon", "add a line `lucky = true`"
    if card.subtype == "normal" and card.lucky:
        yield "lucky", "C027", "this normal Pal has a lucky icon", 'remove the line, or write `subtype = "lucky"`'
    for key, (low, high) in RANGES.items():
        value = getattr(card, key)
        if value is not None and not low <= value <= high:
            yield key, "C028", f"{key} is {value}", f"it must be from {low} to {high}"
    for key in ("name", "name_ja"):
        if getattr(card, key) != getattr(card, key).strip() or (key == "name" and not card.name):
            yield key, "C030", f"{key} is empty or has spaces around it", "write the name as printed"
    for key in ("elements", "work"):
        if len(set(getattr(card, key))) < len(getattr(card, key)):
            yield key, "C030", f"{key} holds a word twice", "write each word once"


def kind_faults(card: ast.Card, ability: ast.Ability) -> Iterator[tuple[str, str, str, str]]:
    if (card.type == "event") != (ability.kind == "event"):
        if card.type == "event" and ability.kind in ("act", "auto"):
            yield "C029", "", "the text of an event card starts with `event`", f"not with `{ability.kind}`"
        elif ability.kind == "event":
            yield "C029", "", f"{article(card.type)} has no `event` text", "start it with `act`, `auto` or `cont`"
    battle = ("Brave", "Serious", "Interrupt", "Stealth", "Assault", "Breakthrough", "Retaliate", "Nocturnal")
    if card.type != "pal" and ability.keyword in battle:
        yield "C029", ability.keyword, f"only a Pal has {ability.keyword}", ""

"""Options as people write them (`attack horse -> player`, `activate gun.1`, `x=2`), and back."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sim.position import PLAYER, Option

SHAPES = {
    "first": "",
    "second": "",
    "mulligan": "",
    "keep": "",
    "play": "CARD [ROW]",
    "charge": "CARD",
    "move": "CARD",
    "activate": "CARD.N",
    "attack": "PAL -> TARGET",
    "draw": "",
    "end": "",
    "block": "CARD",
    "no_block": "",
    "pass": "",
    "choose": "CARD",
    "assign": "CARD",
    "discard": "CARD",
    "done": "",
    "yes": "",
    "no": "",
    "x": "=N",
    "mode": "N",
    "pay": "N",
    "resolve": "CARD.N",
    "name": "NAME",
}
"""What follows the word of each kind of option."""

SEATS = ("A", "B")
ROWS = ("front", "back")
"""Where a unit is put, in games with rows: n of a `play` option is 1 or 2 there, 0 otherwise."""


class Wanted(NamedTuple):
    """A written option: names are not looked up yet. `name` is the card name of a `name` option."""

    kind: str
    obj: str = ""
    target: str = ""
    n: int = 0
    name: str = ""


def word_of(kind: str) -> str:
    return kind.replace("_", " ")


def option_label(option: Option, name_of: Callable[[int], str], names: Sequence[str] = ()) -> str:
    """The text of an option; `name_of` names a card, `names` are the names that may be declared."""
    word, shape = word_of(option.kind), SHAPES[option.kind]
    if shape in ("CARD", "CARD [ROW]"):
        row = f" {ROWS[option.n - 1]}" if shape == "CARD [ROW]" and option.n else ""
        return f"{word} {object_label(option.obj, name_of)}{row}"
    if shape == "CARD.N":
        return f"{word} {name_of(option.obj)}.{option.n}"
    if shape == "PAL -> TARGET":
        target = "player" if option.target >= PLAYER else name_of(option.target)
        return f"{word} {name_of(option.obj)} -> {target}"
    if shape == "=N":
        return f"{word}={option.n}"
    if shape == "N":
        return f"{word} {option.n}"
    if shape == "NAME":
        return f"{word} {names[option.n] if option.n < len(names) else option.n}"
    return word


def object_label(obj: int, name_of: Callable[[int], str]) -> str:
    """A card or, in games that choose players, a player."""
    return SEATS[obj - PLAYER] if obj >= PLAYER else name_of(obj)


def form_of(kind: str) -> str:
    """How an option of this kind is written."""
    shape = SHAPES[kind].replace(" [ROW]", "")
    return word_of(kind) + (shape if shape.startswith("=") or not shape else f" {shape}")


def parse_label(text: str) -> Wanted:
    """The reverse of `option_label`; ValueError says what was found and what would be right."""
    text = " ".join(text.split())
    word, _, rest = text.partition(" ")
    if text == "no block":
        return Wanted("no_block")
    number = re.fullmatch(r"x ?= ?(\d+)", text)
    if number:
        return Wanted("x", n=int(number[1]))
    if word not in SHAPES or word in ("x", "no_block"):
        near = difflib.get_close_matches(word, [kind for kind in SHAPES if kind != "no_block"], 3)
        raise ValueError(
            f"unknown option '{text}'" + (f"; nearest: {', '.join(form_of(kind) for kind in near)}" if near else "")
        )
    wanted = _fields(word, rest)
    if wanted is None:
        raise ValueError(f"'{text}' is written '{form_of(word)}'")
    return wanted


def _fields(kind: str, rest: str) -> Wanted | None:
    shape = SHAPES[kind]
    if shape == "":
        return None if rest else Wanted(kind)
    if shape == "N":
        return Wanted(kind, n=int(rest)) if rest.isdecimal() else None
    if shape == "NAME":
        return Wanted(kind, name=rest) if rest else None
    if shape == "PAL -> TARGET":
        obj, _, target = (part.strip() for part in rest.partition("->"))
        return Wanted(kind, obj, target) if obj and target else None
    if shape == "CARD.N":
        obj, _, n = rest.rpartition(".")
        return Wanted(kind, obj, n=int(n)) if obj and n.isdecimal() else None
    if shape == "CARD [ROW]":
        obj, _, row = rest.rpartition(" ")
        if obj and row in ROWS:
            return Wanted(kind, obj, n=1 + ROWS.index(row))
    return Wanted(kind, rest) if rest else None

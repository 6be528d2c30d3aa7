"""Checks of card files: each finding has a code, a place in the file, and what would be right.

The reader of `sim.cards.files` finds what cannot be read (C000 to C019). Here are the checks of cards that can be
read: facts that do not go together (C020 ...), which a game checks itself (sim/games/<game>/lint.py), and abilities
that cannot mean what they say (C040 ...).
"""

from __future__ import annotations

import importlib
import os
import re
from typing import NamedTuple

from sim.cards import ast
from sim.cards.errors import CardError
from sim.cards.files import Reading, read_file
from sim.cards.flow import faults_of

CODES: dict[str, str] = {
    "C000": "the file cannot be read",
    "C001": "the text does not follow the grammar (TOML or the ability language)",
    "C002": "what stands in the file is no card",
    "C003": "a card stands twice",
    "C004": "unknown key",
    "C005": "value of the wrong type",
    "C006": "a needed key is missing",
    "C010": "unknown type",
    "C011": "unknown subtype",
    "C012": "unknown color",
    "C013": "unknown element",
    "C014": "unknown work",
    "C020": "a Pal without power",
    "C021": "a Pal without strike",
    "C022": "a Pal without subtype",
    "C023": "a Pal without element",
    "C024": "a structure without durability (power)",
    "C025": "a fact that this type of card does not have",
    "C026": "a lucky icon on a structure or gear",
    "C027": "a Lucky Pal without lucky icon, or a normal Pal with one",
    "C028": "a number out of range",
    "C029": "an ability of the wrong kind for this type of card",
    "C030": "an empty text, or the same word twice in a list",
    "C040": "X is used, but no cost defines it",
    "C041": "a cost defines X, but nothing uses it",
    "C042": '"them" before anything was chosen',
    "C043": '"that" without a trigger',
    "C044": '"assigned" without an assign cost',
    "C045": '"paid" without a cost that moves cards',
    "C046": "looked-at cards before anything was looked at",
    "C047": '"did" before anything could be done',
    "C048": '"chosen" before anything was chosen',
    "C049": '"exiled by this" on a card that exiles nothing',
    "C050": "a condition or description that is never or always true",
    "C051": "a verb with a field that it does not use, or without one that it needs",
    "C052": "a cost that cannot be paid from where the ability works",
    "C053": '"also choose" before anything was chosen',
    "C054": "a choice that nothing uses",
}
"""Every kind of finding; a game adds its own (sim/games/<game>/lint.py). Codes keep their meaning for good."""

WARNINGS = {"C023", "C027", "C041", "C054"}
"""Findings that may be what the designer wants."""


class Finding(NamedTuple):
    """One fault. Lines and columns count from 1; 0 where a fault has no place."""

    code: str
    file: str
    line: int
    column: int
    message: str
    hint: str = ""

    @property
    def level(self) -> str:
        return "warning" if self.code in WARNINGS else "error"

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.code} {self.level}: {self.message}" + (f"; {self.hint}" if self.hint else "")


def check_cards(path: str | os.PathLike[str], game: str = "palworld") -> list[Finding]:
    """Every finding of a card file in the order of lines. Raises CardError only where the file cannot be opened."""
    try:
        reading = read_file(path, game)
    except CardError as error:
        if error.code == "C000":
            raise
        return [_finding(error)]
    check(reading)
    return list(map(_finding, reading.faults))


def check(reading: Reading) -> None:
    """Add the faults of the cards that could be read; all faults are then in the order of the file."""
    rules = importlib.import_module(f"sim.games.{reading.game}.lint")
    for card in reading.drafts.values():
        for key, code, message, hint in rules.facts(card):
            reading.fault(reading.source.of_key(card.number, key), message, hint, code)
        for index, ability in enumerate(reading.abilities[card.number]):
            if ability is not None:
                _check_ability(card, index, ability, reading)
    reading.faults.sort(key=lambda fault: (fault.line, fault.column, fault.code))


def _finding(error: CardError) -> Finding:
    return Finding(error.code, error.file, error.line, error.column, error.message, error.hint)


# ---------------------------------------------------------------------------------------------------- abilities


def _check_ability(card: ast.Card, index: int, ability: ast.Ability, reading: Reading) -> None:
    rules, source = importlib.import_module(f"sim.games.{card.game}.lint"), reading.source
    text = source.string(card.number, "abilities", index)

    def place(word: str, nth: int = 0) -> tuple[int, int]:
        """The place where a word stands for the nth time in the text of the ability, else its start."""
        pattern = {"": "^", "them": r"\bthe[my]\b"}.get(word, rf"(?<!\w){re.escape(word)}(?!\w)")
        starts = [found.start() for found in re.finditer(pattern, text)] or [0]
        return source.of_string(card.number, "abilities", index, starts[min(nth, len(starts) - 1)])

    for code, word, message, hint in rules.kind_faults(card, ability):
        reading.fault(place(word), message, hint, code)
    if not ability.keyword:
        for fault in faults_of(ability, card):
            reading.fault(place(fault.word, fault.nth), fault.message, fault.hint, fault.code)

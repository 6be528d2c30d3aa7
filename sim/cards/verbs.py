"""The verb table of a game: every verb of its card language, which fields of `Do` it uses, how a card file writes it
and how it reads in English. The tables stand in the games' vocabularies (sim/games/<game>/vocabulary.py).

A new verb is one row there, one kernel operation, one reference function and one test.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import NamedTuple


class Verb(NamedTuple):
    """fields: what it uses of `Do`. form: how a card file writes it (the grammar makes one rule of each form; a part
    with `?` may be left out). words: how it reads in English."""

    fields: tuple[str, ...]
    form: str
    words: str


def vocabulary(game: str) -> ModuleType:
    """The words of a game: its types, elements, keywords and other lists, its verbs, the facts of its cards."""
    return importlib.import_module(f"sim.games.{game}.vocabulary")

"""What the loop over games asks of a game: functions that are found by the type of the game's state record.

A game is a folder here. Its `state` module has the records (STATE, TABLES, PLAYERS, ROW), its `engine` module the
functions named below. A call of one of them, compiled or not, is a call of the function of the game in whose state it
is made; compiled, it costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numba.extending import overload

from kernels.jit import OPTIONS, PART, PLAIN

_ENGINES: dict[tuple[str, ...], ModuleType] = {}
"""Engine of each game that was asked for, by the field names of its state record."""


def load(game: str) -> ModuleType:
    """The engine module of a game."""
    engine = import_module(f"kernels.{game}.engine")
    _ENGINES.setdefault(import_module(f"kernels.{game}.state").STATE.names, engine)
    return engine


def owner(record: np.dtype) -> tuple[str, ModuleType]:
    """The game that has this state record, and its module of records."""
    for folder in sorted(Path(__file__).parent.glob("*/state.py")):
        state = import_module(f"kernels.{folder.parent.name}.state")
        if state.STATE == record:
            return folder.parent.name, state
    raise TypeError("this is not the state of a game")


def _of_game(stub: Callable[..., Any]) -> Any:
    """Make a stub stand for the function of the same name of the game whose state is the first argument."""
    name = stub.__name__
    if PLAIN:
        return lambda S, *rest: getattr(_ENGINES[S.dtype.names], name)(S, *rest)

    def found(S: Any, *rest: Any) -> Any:
        return getattr(_ENGINES[tuple(S.fields)], name).py_func

    # forceinline=False: see kernels.jit.kernel
    overload(stub, jit_options=OPTIONS | PART | {"forceinline": False}, strict=False)(found)
    return stub


@_of_game
def new_game(S, T, key, g, first):
    """Set up a fresh game. key, g: of its random streams; first: the seat that goes first, 2 for a coin flip."""


@_of_game
def advance(S, T, players, stops):
    """Run to the next decision with two or more options that is not left to `players`; the number of its options, 0
    when the game is over. stops: seats whose decisions are not, as bits 0 and 1; from bit 2 on the turn from which none
    is, 0 for no such turn."""


@_of_game
def choose(S, T, k):
    """Apply the k-th option of the open decision."""


@_of_game
def pick(S, T, players):
    """The option that the player of the deciding seat takes."""


@_of_game
def fixed_cards(S, p, q):
    """Cards of seat q in hand or deck whose place seat p knows, as a mask."""


@_of_game
def determinize(S, T, p, word):
    """Give what seat p cannot know other values that fit with what it has seen: a sample of its information set. word:
    64 random bits that decide all of it, and every shuffle to come."""


@_of_game
def evaluate(S, T, players, p):
    """How seat p stands at a decision or at the end: 0 lost, 1000000 won."""


@_of_game
def sound(S, T):
    """Nothing is wrong with the state; otherwise `S.status` says what."""


@_of_game
def write_row(S, T, row, g, swapped):
    """One row of the games table."""


@_of_game
def count_cards(S, T, cards):
    """Add the game to the counts by card: cards[side, card, measure, copies, result]."""


@_of_game
def count_turns(S, turns):
    """Add the lead in life at the start of each turn: turns[first, turn, lead + 20, result of side a]."""


@_of_game
def count_own(S, own):
    """Append what the game counts besides, as packed words; own[0] counts the entries."""


@_of_game
def cost_of(S, T, obj):
    """What playing a card would cost now."""


@_of_game
def derive(S, T):
    """Compute the derived numbers of a state that was written from outside."""


@_of_game
def copies_of(S, T, obj):
    """Mask of the interchangeable copies that an option naming a card stands for."""

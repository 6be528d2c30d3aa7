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


def owner(record: np.dtype) -> tuple[str, np.dtype]:
    """The game that has this state record, and its record of a row."""
    for folder in sorted(Path(__file__).parent.glob("*/state.py")):
        state = import_module(f"kernels.{folder.parent.name}.state")
        if state.STATE == record:
            return folder.parent.name, state.ROW
    raise TypeError("this is not the state of a game")


def _of_game(stub: Callable[..., Any]) -> Any:
    """Make a stub stand for the function of the same name of the game whose state is the first argument."""
    name = stub.__name__
    if PLAIN:
        return lambda S, *rest: getattr(_ENGINES[S.dtype.names], name)(S, *rest)

    def found(S: Any, *rest: Any) -> Any:
        return getattr(_ENGINES[tuple(S.fields)], name).py_func

    overload(stub, jit_options=OPTIONS | PART, strict=False)(found)
    return stub


@_of_game
def new_game(S, T, key, g, first):
    """Set up a fresh game. key, g: of its random streams; first: the seat that goes first, 2 for a coin flip."""


@_of_game
def advance(S, T, players, stepping):
    """Run to the next decision with two or more options; their number, 0 when the game is over. stepping 0: the players
    take the decisions, to the end of the game."""


@_of_game
def choose(S, T, k):
    """Apply the k-th option of the open decision."""


@_of_game
def pick(S, T, players):
    """The option that the player of the deciding seat takes."""


@_of_game
def sound(S, T):
    """Nothing is wrong with the state; otherwise `S.status` says what."""


@_of_game
def write_row(S, row, g, swapped):
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

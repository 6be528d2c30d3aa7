"""The only loop over games, and the only function that Python calls.

`drive` is compiled once for each game: it plays chunks, and it steps a single game. One entry point a game, since each
holds the whole engine below it and is compiled for itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from kernels import games
from kernels.agents import KNOWN, PLANNER
from kernels.answers import answer, heavy_seats
from kernels.jit import entry, plain_arithmetic
from kernels.rng import U
from kernels.search import LANES, ROOM

OWN_A_GAME = 256
"""Room that `own` must have for one more game."""
CARDS_SHAPE = (2, 64, 16, 16, 4)
"""side, distinct card of the sorted deck, measure, copies k, result of the side (win, draw, loss, none)."""
TURNS_SHAPE = (2, 256, 41, 4)
"""first (a b), turn, lead + 20, result of a."""

PLAY, START, ADVANCE, CHOOSE, PICK, COST, DERIVE, COPIES, VALIDATE = range(9)


def drive(S, T, P, lanes, guess, words, model, room, command, key, g0, n, versus, rows, card_counts, own, turn_counts):
    """Play games g0 .. g0 + n - 1 of a matchup (PLAY), or one step of the game in S; see the functions below."""
    if command == 0:
        for i in range(n):
            if np.int64(own[0]) + OWN_A_GAME + 1 > len(own):
                return i
            g = g0 + i
            swapped = (g >> 1) & 1 if versus else 0
            stops = U(3) if S.check_on else heavy_seats(P[swapped])
            games.new_game(S, T, key, U(g), U(g & 1))
            while games.advance(S, T, P[swapped], stops) > 0 and (S.check_on == 0 or games.sound(S, T)):
                games.choose(S, T, answer(S, T, P[swapped], lanes, guess, words, model, room))
            if S.check_on and not games.sound(S, T):
                return np.int64(-(i << 8) - np.int64(S.status))
            games.write_row(S, T, rows[i], g, swapped)
            games.count_cards(S, T, card_counts)
            games.count_own(S, own)
            games.count_turns(S, turn_counts)
        return n
    if command == 1:
        games.new_game(S, T, key, U(g0), U(n))
        return np.int64(0)
    if command == 2:
        return np.int64(games.advance(S, T, P[0], U(3)))
    if command == 3:
        games.choose(S, T, U(n))
        return np.int64(0)
    if command == 4:
        return np.int64(answer(S, T, P[0], lanes, guess, words, model, room))
    if command == 5:
        return np.int64(games.cost_of(S, T, U(n)))
    if command == 6:
        games.derive(S, T)
    if command == 7:
        return np.int64(games.copies_of(S, T, U(n)))
    if command == 8:
        games.sound(S, T)
        return np.int64(S.status)
    return np.int64(0)


class Kernel(NamedTuple):
    """`drive` of one game, and its modules. room: what it takes where nothing is collected."""

    drive: Callable[..., Any]
    engine: ModuleType
    records: ModuleType
    room: tuple[Any, ...]


_KERNELS: dict[np.dtype, Kernel] = {}
"""By the state record of the game."""


def kernel_of(S: Any) -> Kernel:
    """The kernel of the game whose state this is."""
    found = _KERNELS.get(S.dtype)
    if found is None:
        game, records = games.owner(S.dtype)
        counts = np.zeros(CARDS_SHAPE, np.int64), np.zeros(1, np.uint64), np.zeros(TURNS_SHAPE, np.int32)
        found = _KERNELS[S.dtype] = Kernel(
            entry(drive, game), games.load(game), records, (np.zeros(1, records.ROW), *counts)
        )
    return found


class Scratch(threading.local):
    """What players who search work in, by the state record of the game: states, tables (the same as words), a record of
    players, and their sums."""

    def __init__(self) -> None:
        self.known: dict[np.dtype, tuple[Any, ...]] = {}

    def of(self, records: ModuleType) -> tuple[Any, ...]:
        found = self.known.get(records.STATE)
        if found is None:
            guess = np.zeros(1, records.TABLES)
            lanes, players = np.zeros(LANES, records.STATE), np.zeros(1, records.PLAYERS)
            found = lanes, guess, guess.view(np.uint64), players[0], np.zeros(1, ROOM)[0]
            self.known[records.STATE] = found
        return found


_SCRATCH = Scratch()


def _call(S: Any, T: Any, P: Any, command: int, key: int, g0: int, n: int) -> int:
    """One step of a game: `drive` without anything to collect."""
    kernel = kernel_of(S)
    with plain_arithmetic():
        scratch = _SCRATCH.of(kernel.records)
        return kernel.drive(S, T, P, *scratch, command, U(key), g0, n, 0, *kernel.room)


def _told(T: Any, P: Any) -> None:
    """Refuse players who guess a list where there are none to guess from: they would know it."""
    guessing = (P["agent"] >= PLANNER) & (P["budget"][..., KNOWN] == 0)
    if T["list_count"] == 0 and guessing.any():
        raise ValueError("a player with known=0 needs tables with the lists that an opponent may have")


class BrokenState(RuntimeError):
    """A state in which something does not hold that always must; only found where `S.check_on` is set."""


def play_chunk(
    S: Any, T: Any, P: Any, key: int, g0: int, n: int, versus: int, rows: Any, cards: Any, own: Any, turns: Any
) -> int:
    """Play games g0 .. g0 + n - 1 of one matchup; returns how many were played.

    S: state lane; T: tables of the matchup; P: array of two player records, the second for swapped games (versus 1:
    where (g >> 1) & 1); key: uint64 of run seed and matchup. Side a goes first in even games. rows: one record a game;
    cards, own, turns: counters that are added to. Stops early when `own` has no room for another game: call again with
    the rest. Releases the interpreter lock. Raises BrokenState where S.check_on is set and a state is not sound.
    """
    _told(T, P)
    kernel = kernel_of(S)
    with plain_arithmetic():
        scratch = _SCRATCH.of(kernel.records)
        done = int(kernel.drive(S, T, P, *scratch, PLAY, U(key), g0, n, versus, rows, cards, own, turns))
    if done < 0:
        fault = kernel.engine.FAULTS[(-done & 255) - kernel.engine.CAPACITY - 1]
        raise BrokenState(f"game {g0 + (-done >> 8)} of key {int(key):#x}, decision {int(S.decisions)}: {fault}")
    return done


def start(S: Any, T: Any, P: Any, key: int, g: int, first: int) -> None:
    """Set up game g; first: the seat that goes first, 2 for a coin flip. Nothing is decided yet: call `advance`."""
    _call(S, T, P, START, key, g, first)


def advance(S: Any, T: Any, P: Any) -> int:
    """Run to the next decision; the number of options, 0 when the game is over."""
    return int(_call(S, T, P, ADVANCE, 0, 0, 0))


def choose(S: Any, T: Any, P: Any, k: int) -> None:
    """Apply the k-th option of the open decision."""
    _call(S, T, P, CHOOSE, 0, 0, k)


def pick(S: Any, T: Any, P: Any) -> int:
    """The option that the player of the deciding seat takes (P[0])."""
    _told(T, P[:1])
    return int(_call(S, T, P, PICK, 0, 0, 0))


def cost_of(S: Any, T: Any, P: Any, obj: int) -> int:
    """What playing a card would cost now."""
    return int(_call(S, T, P, COST, 0, 0, obj))


def copies_of(S: Any, T: Any, P: Any, obj: int) -> int:
    """Mask of the copies that an option naming a card stands for."""
    return int(_call(S, T, P, COPIES, 0, 0, obj)) & (2**64 - 1)


def fault(S: Any, T: Any, P: Any) -> str | None:
    """What is wrong with the state at a decision, or at the end of the game."""
    status = _call(S, T, P, VALIDATE, 0, 0, 0)
    engine = kernel_of(S).engine
    return engine.FAULTS[status - engine.CAPACITY - 1] if status > engine.CAPACITY else None


def derive(S: Any, T: Any, P: Any) -> None:
    """Compute the derived numbers of a state that was written from outside."""
    _call(S, T, P, DERIVE, 0, 0, 0)

"""The only loop over games, and the only function that Python calls.

`drive` is the one compiled entry point of a game: it plays chunks, and it steps a single game. One entry point, since
each holds the whole engine below it and is compiled for itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels.jit import entry, plain_arithmetic
from kernels.palworld import cards, collect, copies, derived, machine, players, setup, validate
from kernels.rng import U

CHECKS_A_GAME = 256
"""Room that `checks` must have for one more game."""

PLAY, START, ADVANCE, CHOOSE, PICK, COST, DERIVE, COPIES, VALIDATE = range(9)


@entry
def drive(S, T, P, command, key, g0, n, versus, rows, card_counts, check_list, turn_counts):
    """Play games g0 .. g0 + n - 1 of a matchup (PLAY), or one step of the game in S; see the functions below."""
    if command == 0:
        for i in range(n):
            if np.int64(check_list[0]) + CHECKS_A_GAME + 1 > len(check_list):
                return i
            g = g0 + i
            swapped = (g >> 1) & 1 if versus else 0
            setup.new_game(S, T, key, U(g), U(g & 1))
            while machine.advance(S, T) > 0 and (S.check_on == 0 or validate.sound(S, T)):
                machine.choose(S, T, players.pick(S, T, P[swapped]))
            if S.check_on and not validate.sound(S, T):
                return np.int64(-(i << 8) - np.int64(S.status))
            collect.write_row(S, rows[i], g, swapped)
            collect.count_cards(S, T, card_counts)
            collect.count_checks(S, check_list)
            collect.count_turns(S, turn_counts)
        return n
    if command == 1:
        setup.new_game(S, T, key, U(g0), U(n))
        return np.int64(0)
    if command == 2:
        return np.int64(machine.advance(S, T))
    if command == 3:
        machine.choose(S, T, U(n))
        return np.int64(0)
    if command == 4:
        return np.int64(players.pick(S, T, P[0]))
    if command == 5:
        return np.int64(cards.cost_of(S, T, U(n)))
    if command == 6:
        derived.derive(S, T)
    if command == 7:
        return np.int64(copies.copies_of(S, T, U(n)))
    if command == 8:
        validate.sound(S, T)
        return np.int64(S.status)
    return np.int64(0)


ROOM: dict[str, Any] = {}


def _call(S: Any, T: Any, P: Any, command: int, key: int, g0: int, n: int) -> int:
    """One step of a game: `drive` without anything to collect."""
    if not ROOM:
        from kernels.palworld import state

        ROOM["rows"] = np.zeros(1, state.ROW)
        ROOM["cards"] = np.zeros((2, 64, state.MEASURES, 16, 4), np.int64)
        ROOM["checks"] = np.zeros(1, np.uint64)
        ROOM["turns"] = np.zeros((2, state.TURNS, 41, 4), np.int32)
    with plain_arithmetic():
        return drive(S, T, P, command, U(key), g0, n, 0, ROOM["rows"], ROOM["cards"], ROOM["checks"], ROOM["turns"])


class BrokenState(RuntimeError):
    """A state in which something does not hold that always must; only found where `S.check_on` is set."""


def play_chunk(
    S: Any, T: Any, P: Any, key: int, g0: int, n: int, versus: int, rows: Any, cards: Any, checks: Any, turns: Any
) -> int:
    """Play games g0 .. g0 + n - 1 of one matchup; returns how many were played.

    S: state lane; T: tables of the matchup; P: array of two player records, the second for swapped games (versus 1:
    where (g >> 1) & 1); key: uint64 of run seed and matchup. Side a goes first in even games. rows: one record a game;
    cards, checks, turns: counters that are added to. Stops early when `checks` has no room for another game: call again
    with the rest. Releases the interpreter lock. Raises BrokenState where S.check_on is set and a state is not sound.
    """
    with plain_arithmetic():
        done = int(drive(S, T, P, PLAY, U(key), g0, n, versus, rows, cards, checks, turns))
    if done < 0:
        fault = validate.FAULTS[(-done & 255) - validate.CAPACITY - 1]
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
    return validate.FAULTS[status - validate.CAPACITY - 1] if status > validate.CAPACITY else None


def derive(S: Any, T: Any, P: Any) -> None:
    """Compute the derived numbers of a state that was written from outside."""
    _call(S, T, P, DERIVE, 0, 0, 0)

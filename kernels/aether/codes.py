"""Numbers that the state, the compiled tables and the Python side of Aether share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kernels.numbers import NONE, ONE, PLAYER, SIX, SLOT, ZERO, I, U, codes

__all__ = ["NONE", "ONE", "PLAYER", "SIX", "SLOT", "ZERO", "I", "U"]

if TYPE_CHECKING:

    def __getattr__(name: str) -> np.uint64: ...


ROW = np.uint64(3)  # slots of a row: 0 1 2 are the front row, 3 4 5 the back row (AE-4.1)
FIELD = np.uint64(6)
TURN_CAP = 300  # AE-3.10

TYPES = codes(globals(), "TYPE_", "unit spell token")
ELEMENTS = ("flame", "tide", "grove", "umbra", "neutral")
NEUTRAL = np.uint64(4)

# Where the machine stands; every check (AE-8.9) is AT_CHECK with `after` naming the step behind it.
AT = codes(
    globals(),
    "AT_",
    "mulligan_first mulligan_second start started due main end expire pass check resolve pick over",
)
PHASES = ("setup", "start", "main", "end")
PHASE = codes(globals(), "PHASE_", " ".join(PHASES))

KINDS = "mulligan keep charge play attack attack_player move end choose choose_player discard done yes no mode"
KIND = codes(globals(), "K_", KINDS)

# What an open pick is for.
USE = codes(globals(), "USE_", "them discard return")

# The running effect, and what comes behind it: nothing, the next ability of a summoned unit, of a spell (AE-9.3).
CHAIN = codes(globals(), "CHAIN_", "single summoned spell")

COND = codes(globals(), "COND_", "compare resonance")
COMPARE = {"<=": 0, ">=": 1, "==": 2}
ZONE = codes(globals(), "Z_", "field hand graveyard aether")
SIDE = codes(globals(), "SIDE_", "any my enemy")
REF_THIS, REF_THEM = -1, -2
"""Targets that are no filter."""

OP = codes(
    globals(),
    "OP_",
    "end draw discard mill ramp life lose player_damage damage heal restore modify keyword lose_keyword freeze destroy "
    "hand return move summon choose unless jump may modes",
)
STATIC = codes(globals(), "STATIC_", "keyword modify cost")
TRIGGER = codes(globals(), "ON_", "summoned destroyed turn_start turn_end each_turn_start each_turn_end spell static")

TIMED = np.uint64(sum(1 << int(TRIGGER[e]) for e in TRIGGER if e.removeprefix("each_").startswith("turn_")))
"""Events of the turn's start and end, as bits."""

KEYWORDS = ("haste", "flying", "ranged", "pierce", "barrier", "drain", "venom", "regen", "twin")
KW = {name: np.uint64(1 << i) for i, name in enumerate(KEYWORDS)}
KW_HASTE, KW_FLYING, KW_RANGED, KW_PIERCE, KW_BARRIER, KW_DRAIN, KW_VENOM, KW_REGEN, KW_TWIN = KW.values()

ENDS = ("life", "deck", "both", "loop", "cap")
END_LIFE, END_DECK, END_BOTH, END_LOOP, END_CAP = range(5)

# Events: folded into the signature, and logged where the log is on. obj is the card; a and b as named.
EVENTS = (
    "turn",  # obj: PLAYER + seat; a: turn number
    "mulligan",  # obj: PLAYER + seat
    "draw",  # obj
    "burn",  # obj: to the graveyard since the hand is full
    "charge",  # obj
    "play",  # obj; a: 0 spell, 1 front, 2 back
    "used",  # obj: a spell, to the graveyard after its text
    "attack",  # obj; a: target
    "move",  # obj; a: 1 front, 2 back
    "damage",  # obj: a unit; a: amount
    "life",  # obj: PLAYER + seat; a: change
    "barrier",  # obj; a: 1 gained, 0 gone
    "heal",  # obj; a: amount
    "modify",  # obj; a: attack; b: HP
    "keyword",  # obj; a: index; b: 1 got, 0 lost
    "freeze",  # obj
    "destroy",  # obj: leaves the field in a check
    "return",  # obj: to the hand from the field or the graveyard
    "vanish",  # obj: a token that would go to the hand
    "discard",  # obj
    "mill",  # obj
    "ramp",  # obj; a: 1 used
    "summon",  # obj: a token; a: 1 front, 2 back
    "resolve",  # obj; a: n-th ability of the card
    "over",  # obj: PLAYER + seat of the winner, 255 otherwise; a: end
    "auto",  # only logged: a decision with a single option; obj; a: kind; b: target | n << 8 | seat << 30
)
EVENT = codes(globals(), "E_", " ".join("ret" if e == "return" else e for e in EVENTS))

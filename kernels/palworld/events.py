"""The signature of a game and its log: what happened, over card numbers only."""

from __future__ import annotations

from kernels.events import record, record_with
from kernels.jit import hot
from kernels.palworld.codes import (
    I,
    U,
)


@hot
def name_key(T, obj):
    """Hash of the card number of a card, or of a player; the same for all copies and printings."""
    return T.key[obj]


@hot
def event(S, T, kind, obj, a, b):
    """Something happened: into the signature, and into the log where that is on."""
    record(S, name_key(T, U(obj)), U(kind), U(obj), I(a), I(b))


@hot
def event_with(S, T, kind, obj, other):
    """Something happened between a card and another card or a player."""
    record_with(S, name_key(T, U(obj)), U(kind), U(obj), name_key(T, U(other)), U(other))

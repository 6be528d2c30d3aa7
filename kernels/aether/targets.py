"""Targets of effects: which units an instruction is about, and whether all that must be chosen can be."""

from __future__ import annotations

from kernels.aether.codes import (
    ON_SPELL,
    ONE,
    OP_CHOOSE,
    OP_END,
    OP_JUMP,
    OP_MAY,
    OP_MODES,
    OP_UNLESS,
    REF_THEM,
    REF_THIS,
    SIX,
    TYPE_SPELL,
    ZERO,
    I,
    U,
)
from kernels.aether.derived import amount, bit, holds, matching, on_field
from kernels.jit import hot, kernel

NO_ROW = U(1 << 31)
"""No instruction: walk to the end of the effect."""


@hot
def source_on(S):
    """This is on the field, and has been since its ability began."""
    obj = U(S.source)
    return on_field(S, obj) and S.stay[obj] == S.source_stay


@kernel
def source_words(S, T):
    """Keywords of the source of damage: a spell has none; a unit that is gone has those with which it left."""
    if U(T.type[U(S.card[U(S.source)])]) == TYPE_SPELL:
        return ZERO
    return U(S.words[U(S.source)]) if source_on(S) else U(S.source_words)


@kernel
def targets(S, T, ref, p):
    """Units of player p that an instruction is about; one that is gone is skipped (AE-8.8)."""
    if ref == REF_THIS:
        obj = U(S.source)
        return bit(obj) if (obj >> SIX) == p and source_on(S) else ZERO
    if ref == REF_THEM:
        return S.them[p] & S.field[p]
    return matching(S, T, U(ref), U(S.source), U(S.seat), p)


@kernel
def players_of(T, f, seat):
    """Players that a filter means, as bits (AE-8.26)."""
    if T.filter_players[f] == 0:
        return ZERO
    side = U(T.filter_side[f])
    return U(3) if side == ZERO else ONE << (seat if side == ONE else ONE - seat)


@kernel
def has_candidate(S, T, f, this, seat):
    """Something may be chosen."""
    if players_of(T, f, seat) != ZERO:
        return True
    return matching(S, T, f, this, seat, ONE - seat) != ZERO or matching(S, T, f, this, seat, seat) != ZERO


@kernel
def possible_plain(S, T, row, end, this, seat):
    """`possible` for instructions without modes."""
    while row != end and U(T.code[row, 0]) != OP_END:
        op = U(T.code[row, 0])
        if op == OP_CHOOSE:
            if amount(S, T, I(T.code[row, 2]), this, seat) > 0 and not has_candidate(
                S, T, U(T.code[row, 1]), this, seat
            ):
                return False
        elif op == OP_UNLESS:
            if not holds(S, T, I(T.code[row, 1]), this, seat):
                row = U(T.code[row, 2])
                continue
        elif op == OP_JUMP or op == OP_MAY:
            row = U(T.code[row, 1])
            continue
        row += ONE
    return True


@kernel
def possible(S, T, row, end, this, seat):
    """Every target that must be chosen on the way from an instruction to `end` could be chosen now (AE-8.1, 8.2,
    9.4)."""
    while row != end and U(T.code[row, 0]) != OP_END:
        op = U(T.code[row, 0])
        if op == OP_CHOOSE:
            if amount(S, T, I(T.code[row, 2]), this, seat) > 0 and not has_candidate(
                S, T, U(T.code[row, 1]), this, seat
            ):
                return False
        elif op == OP_MODES:
            good = False
            behind = U(T.code[row, 2])
            for k in range(U(T.code[row, 1])):
                good = good or possible_plain(S, T, U(T.code[row + ONE + k, 1]), behind, this, seat)
            if not good:
                return False
            row = behind
            continue
        elif op == OP_UNLESS:
            if not holds(S, T, I(T.code[row, 1]), this, seat):
                row = U(T.code[row, 2])
                continue
        elif op == OP_JUMP or op == OP_MAY:
            row = U(T.code[row, 1])
            continue
        row += ONE
    return True


@kernel
def castable(S, T, obj):
    """A spell has all targets that it needs (AE-8.1, 8.2)."""
    card = U(S.card[obj])
    first = U(T.first[card])
    for ability in range(first, first + U(T.count[card])):
        if U(T.event[ability]) == ON_SPELL and not possible(S, T, U(T.pc[ability]), NO_ROW, obj, obj >> SIX):
            return False
    return True

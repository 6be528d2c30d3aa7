"""Picks of several cards one at a time."""

from __future__ import annotations

from kernels.events import write_log
from kernels.jit import kernel, lowest, popcount
from kernels.options import add_group, add_one, open_decision
from kernels.palworld.codes import (
    AT_PICK,
    E_AUTO,
    K_DONE,
    K_X,
    NONE,
    ONE,
    SIX,
    USE_PLACE,
    ZERO,
    I,
    U,
)
from kernels.palworld.copies import representatives


@kernel
def add_numbers_up_to(S, high):
    """Options x=0 .. x=high."""
    offset = 0
    while offset <= high:
        n = min(high - offset + 1, 64)
        mask = ~ZERO if n == 64 else (ONE << U(n)) - ONE
        add_group(S, K_X, NONE, offset, ZERO, mask)
        offset += 64


@kernel
def start_pick(S, use, kind, seat, low, high, m0, m1, names):
    """Let a player pick between low and high cards of the masks, one at a time; CR 10.6.3.1."""
    S.pick_use = use
    S.pick_kind = kind
    S.pick_seat = seat
    S.pick_low = low
    S.pick_high = high
    S.pick_mask[0] = m0
    S.pick_mask[1] = m1
    S.picked[0] = ZERO
    S.picked[1] = ZERO
    S.picks = 0
    S.pick_names = names


@kernel
def go_on_picking(S, T):
    """List the next pick; False when nothing is left to decide and `picked` is final."""
    count = I(popcount(S.pick_mask[0]) + popcount(S.pick_mask[1]))
    left = I(S.pick_high) - I(S.picks)
    if count == 0 or left <= 0:
        return False
    if not S.pick_names and I(S.pick_low) - I(S.picks) >= count and (S.pick_use != USE_PLACE or count == 1):
        # "Choose N" of at most N cards is no decision (CR 10.6.3.1.2), their order on a deck is one.
        for p in range(U(2)):
            m = S.pick_mask[p]
            while m != ZERO:
                slot = lowest(m)
                m &= m - ONE
                take_pick(S, T, p << SIX | slot)
                if S.log_on:
                    write_log(S, E_AUTO, p << SIX | slot, I(S.pick_kind), I(255) + (I(S.pick_seat) << 30))
        return False
    seat = U(S.pick_seat)
    open_decision(S, seat, AT_PICK)
    for k in range(U(2)):
        p = seat ^ k
        add_group(S, S.pick_kind, NONE, 0, p, representatives(S, T, p, S.pick_mask[p]))
    if S.picks >= S.pick_low:
        add_one(S, K_DONE)
    return True


@kernel
def take_pick(S, T, obj):
    """Pick a card; with pick_names, all cards that share its name are out."""
    p, b = obj >> SIX, ONE << (obj & U(63))
    S.pick_mask[p] &= ~b
    S.picked[p] |= b
    S.pick_order[U(S.picks)] = obj
    S.picks = U(S.picks) + ONE
    if S.pick_names:
        for q in range(U(2)):
            m = S.pick_mask[q]
            while m != ZERO:
                slot = lowest(m)
                m &= m - ONE
                if T.name[T.card[q << SIX | slot]] == T.name[T.card[obj]]:
                    S.pick_mask[q] &= ~(ONE << slot)

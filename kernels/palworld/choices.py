"""The open decision as groups of options, and picks of several cards one at a time.

A group is one kind of option with one acting card and a mask: one option a bit. Listing masks instead of options is
what makes random play cheap: the number of options is a sum of bit counts, the k-th is found by counting.
"""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.palworld.codes import (
    AT_PICK,
    E_AUTO,
    END_CAP,
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
from kernels.palworld.events import stop, write_log
from kernels.palworld.state import GROUPS


@hot
def open_decision(S, decider, at):
    """Start listing the options of a decision; `at` names the step that takes the answer."""
    S.decider = decider
    S.decision = at
    S.groups = 0
    S.options = 0


@hot
def add_group(S, kind, obj, n, seat, mask):
    """Add the options of a mask; nothing for an empty one."""
    if mask == ZERO:
        return
    i = U(S.groups)
    if i >= U(GROUPS):
        stop(S, END_CAP)
        return
    S.group_kind[i] = kind
    S.group_obj[i] = obj
    S.group_n[i] = n
    S.group_seat[i] = seat
    S.group_mask[i] = mask
    S.groups = i + ONE
    S.options = U(S.options) + popcount(mask)


@hot
def add_one(S, kind):
    """Add an option without a card."""
    add_group(S, kind, NONE, 0, ZERO, ONE)


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
def nth_option(S, k):
    """Group and bit of the k-th option: group << 6 | bit."""
    k = U(k)
    for i in range(U(S.groups)):
        mask = S.group_mask[i]
        n = popcount(mask)
        if k < n:
            while k > ZERO:
                mask &= mask - ONE
                k -= ONE
            return i << SIX | lowest(mask)
        k -= n
    return ZERO


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

"""The open decision as groups of options.

A group is one kind of option with one acting card and a mask: one option a bit. Listing masks instead of options is
what makes random play cheap: the number of options is a sum of bit counts, the k-th is found by counting.
"""

from __future__ import annotations

from kernels.events import stop
from kernels.jit import hot, kernel, lowest, popcount
from kernels.numbers import NONE, ONE, SIX, ZERO, U
from kernels.rng import GAMMA, below, mix

END_CAP = 4
"""Of a game that is longer, or larger, than the program follows."""


@hot
def open_decision(S, decider, at):
    """Start listing the options of a decision; `at` names the step that takes the answer."""
    S.decider = decider
    S.decision = at
    S.groups = 0
    S.options = 0


@hot
def add_group(S, kind, obj, n, seat, mask):
    """Add the options of a mask; nothing for an empty one, which is written without a branch and not counted."""
    i = U(S.groups)
    if i >= U(len(S.group_mask)):
        if mask != ZERO:
            stop(S, END_CAP)
        return
    S.group_kind[i] = kind
    S.group_obj[i] = obj
    S.group_n[i] = n
    S.group_seat[i] = seat
    S.group_mask[i] = mask
    S.groups = i + U(mask != ZERO)
    S.options = U(S.options) + popcount(mask)


@hot
def add_one(S, kind):
    """Add an option without a card."""
    add_group(S, kind, NONE, 0, ZERO, ONE)


@hot
def first_copies(T, p, m):
    """The lowest copy of each card in a mask, for slots in order: a subtraction in every run of copies at once."""
    last = T.last_copies[p]
    rest = ~m
    return m & (((rest & ~last) + T.first_copies[p]) ^ (rest & last))


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


@hot
def random_below(S, p, n):
    """The next number below n of a player's own stream."""
    S.choice_rng[p] += GAMMA
    return below(mix(S.choice_rng[p]), n)

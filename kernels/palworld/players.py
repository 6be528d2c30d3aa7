"""Players: which of the open options to take. Scores are integers, so that processors agree."""

from __future__ import annotations

from kernels.jit import kernel
from kernels.options import random_below
from kernels.palworld.codes import (
    K_DONE,
    K_END,
    K_KEEP,
    K_NO,
    K_NO_BLOCK,
    K_PASS,
    ONE,
    ZERO,
    U,
)
from kernels.palworld.greedy import greedy


@kernel
def passive(S):
    """Declines whatever it may decline; where it must choose, the first option."""
    k = ZERO
    for i in range(U(S.groups)):
        kind = U(S.group_kind[i])
        if kind == K_END or kind == K_NO_BLOCK or kind == K_PASS or kind == K_NO or kind == K_KEEP or kind == K_DONE:
            return k
        mask = S.group_mask[i]
        while mask != ZERO:
            mask &= mask - ONE
            k += ONE
    return ZERO


@kernel
def pick(S, T, P):
    """The option that the deciding seat's player takes: an index below S.options."""
    p = U(S.decider)
    agent = P.agent[p]
    if agent == 0:
        return random_below(S, p, S.options)
    if agent == 1:
        return passive(S)
    return greedy(S, T, P, p)

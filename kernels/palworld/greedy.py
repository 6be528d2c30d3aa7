"""The greedy player: every option of the open decision gets a score, the best is taken.

A first heuristic: curve out, use what is paid for, attack where it gains, block and interrupt by expected loss.
Weights stand in `P.weights` in the order of WEIGHTS; scores are integers. Power is counted in hundreds.
"""

from __future__ import annotations

from kernels.jit import kernel
from kernels.palworld.codes import ZERO


@kernel
def greedy(S, T, P, p):
    """The best option for seat p: an index below S.options."""
    return ZERO

"""Chances in millionths from odds in thousandths of their logarithm, in whole numbers."""

from __future__ import annotations

import math

import numpy as np

from kernels.jit import kernel
from kernels.numbers import I

STEP, LAST = 125, 64
"""The logistic function is tabled every STEP thousandths, up to LAST steps: beyond, the last value stands."""
TABLE = np.array([round(1_000_000 / (1 + math.exp(-STEP * i / 1000))) for i in range(LAST + 1)], np.int64)


@kernel
def chance(odds):
    """The logistic function: 500000 for even odds; between the tabled values a straight line."""
    size = min(abs(I(odds)), I(STEP * LAST - 1))
    i = size // STEP
    value = TABLE[i] + (TABLE[i + 1] - TABLE[i]) * (size - i * STEP) // STEP
    return value if odds >= 0 else 1_000_000 - value

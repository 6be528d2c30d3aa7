"""Chances from odds in whole numbers are those of the logistic function."""

from __future__ import annotations

import itertools
import math

import numpy as np

from kernels.chances import LAST, STEP, TABLE


def chance(odds: int) -> int:
    """`kernels.chances.chance`, which is part of an entry point, as Python."""
    from kernels import chances

    function = getattr(chances.chance, "py_func", chances.chance)
    return int(function(odds))


def test_chances_are_logistic() -> None:
    for odds in range(-7900, 7901, 37):
        assert abs(chance(odds) - 1_000_000 / (1 + math.exp(-odds / 1000))) < 300, odds


def test_chances_are_symmetric_and_rise() -> None:
    found = [chance(odds) for odds in range(-9000, 9001, 25)]
    assert all(a <= b for a, b in itertools.pairwise(found))
    assert all(chance(odds) + chance(-odds) == 1_000_000 for odds in (1, 124, 125, 126, 3000, 20_000))
    assert chance(0) == 500_000
    assert chance(10**9) <= 1_000_000 and chance(-(10**9)) >= 0


def test_table() -> None:
    assert len(TABLE) == LAST + 1 and TABLE[0] == 500_000
    assert (np.diff(TABLE) > 0).all() and STEP * LAST == 8000

"""Copies of a card in a deck, for the tables of every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def mark_copies(T: Any, seat: int, slots: Sequence[int]) -> None:
    """Fill `in_order`, `first_copies` and `last_copies` of a seat (see kernels.options.first_copies). slots: the card
    of each slot."""
    changes = [i for i in range(1, len(slots)) if slots[i] != slots[i - 1]]
    T.in_order[seat] = len(changes) + 1 == len(set(slots))
    T.first_copies[seat] = sum(1 << i for i in (0, *changes))
    T.last_copies[seat] = sum(1 << i - 1 for i in (*changes, max(len(slots), 1)))

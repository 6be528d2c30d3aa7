"""Numbers that all games share: how cards, players and the lack of a card are written."""

from __future__ import annotations

import numpy as np

U, I = np.uint64, np.int64
ONE, ZERO = np.uint64(1), np.uint64(0)
SIX, SLOT = np.uint64(6), np.uint64(63)  # obj = seat << 6 | slot
NONE = np.uint64(255)  # no card
PLAYER = np.uint64(128)  # PLAYER + seat: a player as target


def codes(scope: dict[str, object], prefix: str, names: str) -> dict[str, np.uint64]:
    """Number words from 0 on, as constants `PREFIXWORD` of a module and as a table."""
    table = {name: np.uint64(i) for i, name in enumerate(names.split())}
    scope.update({prefix + name.upper(): value for name, value in table.items()})
    return table

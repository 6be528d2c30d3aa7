"""The weights of the greedy player: factors of its base numbers, in percent.

As parameters of a player they are plain numbers: `greedy:face=1.2,keep=0.5`; 1.0 is the base number itself.
"""

from __future__ import annotations

import numpy as np

WEIGHTS = (
    ("face", 100, "damage to the opponent's life"),
    ("life", 100, "own life"),
    ("kill", 100, "the opponent's units, when one might leave the field"),
    ("keep", 100, "own units, when one might be lost"),
    ("play", 100, "worth of the cards in hand, when one may be played"),
    ("card", 100, "worth of drawing a card"),
    ("charge", 100, "how many aether are wanted before cards are kept"),
    ("curve", 100, "cheap cards that an opening hand must have"),
)
"""Name, default in percent, meaning; the order is that of `P.weights`."""

W_FACE, W_LIFE, W_KILL, W_KEEP, W_PLAY, W_CARD, W_CHARGE, W_CURVE = (np.uint64(i) for i in range(len(WEIGHTS)))

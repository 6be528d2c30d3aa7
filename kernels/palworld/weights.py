"""The weights of the greedy player: factors of its base numbers, in percent.

As parameters of a player they are plain numbers: `greedy:attack=1.2,guard=0.5`; 1.0 is the base number itself.
The defaults that are not 1.0 were found by playing against it, on the ten decks that people play most.
"""

from __future__ import annotations

import numpy as np

WEIGHTS = (
    ("attack", 80, "damage to the opponent's life"),
    ("life", 70, "own life at stake, in blocks, interrupts and effects"),
    ("kill", 140, "the opponent's cards in the base, when one might leave it"),
    ("keep", 100, "own cards in the base, when one might be lost"),
    ("risk", 100, "danger that a rested Pal is attacked in the opponent's turn"),
    ("guard", 40, "worth of a Pal that stays standing as a blocker"),
    ("block", 100, "how surely the opponent is thought to block where it pays"),
    ("allin", 100, "chance of winning this turn at which everything attacks, high: seldom"),
    ("play", 100, "worth of the cards in hand, when one may be played"),
    ("act", 100, "worth of activated abilities"),
    ("card", 100, "worth of drawing a card"),
    ("hold", 100, "worth of keeping quick cards and events for a better moment"),
    ("curve", 100, "cheap Pals that an opening hand must have; two at 100"),
)
"""Name, default in percent, meaning; the order is that of `P.weights`."""

(
    W_ATTACK,
    W_LIFE,
    W_KILL,
    W_KEEP,
    W_RISK,
    W_GUARD,
    W_BLOCK,
    W_ALLIN,
    W_PLAY,
    W_ACT,
    W_CARD,
    W_HOLD,
    W_CURVE,
) = (np.uint64(i) for i in range(len(WEIGHTS)))

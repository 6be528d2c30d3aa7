"""What runs of Aether count besides what every game does; kernels.aether.collect writes it."""

from __future__ import annotations

from sim.results import TURN_COLUMNS, Column, OwnTable

COLUMNS = TURN_COLUMNS | {
    "charges": Column("int16", "cards put into the aether zone by the charge of a turn", True),
    "aether": Column("int16", "cards in the aether zone at the end"),
    "spells": Column("int16", "spells played", True),
    "fronts": Column("int16", "units played into the front row", True),
    "backs": Column("int16", "units played into the back row", True),
    "tokens": Column("int16", "tokens that appeared", True),
    "faces": Column("int16", "attacks on the player", True),
    "moves": Column("int16", "units moved to the other row as an action", True),
    "kills": Column("int16", "units of the opponent that were destroyed, by themselves too", True),
    "burned": Column("int16", "cards lost to a full hand"),
}
"""Columns of `games`, one for each side."""

MEASURES = {
    "offered": "",
    "kept": "",
    "returned": "",
    "drawn": "",
    "hand": "",
    "played": "",
    "charged": "put into the aether zone by the charge of a turn",
    "unseen": "",
}
"""Measures of `cards` in the order of the kernel; a meaning for those that only this game has."""

OWN = OwnTable(
    "curve",
    "ends of turns of a player, before the effects of the turn's end",
    {
        "turn": Column("int8", "turn of the player, from 1"),
        "aether": Column("int8", "cards in the aether zone"),
        "charged": Column("bool", "the player has charged in this turn"),
        "front": Column("int8", "units in the front row"),
        "back": Column("int8", "units in the back row"),
    },
)
OWN_BITS = {
    "side": (0, 1),
    "seat": (1, 1),  # 1: that player went first
    "turn": (2, 6),
    "aether": (8, 6),
    "charged": (14, 1),
    "front": (15, 2),
    "back": (17, 2),
}
"""Where each column lies in the words that the kernel packs: first bit, width; below 40 bits altogether."""

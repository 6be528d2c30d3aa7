"""What runs of Palworld count besides what every game does; kernels.palworld.collect writes it."""

from __future__ import annotations

from sim.results import TURN_COLUMNS, Column, OwnTable

COLUMNS = TURN_COLUMNS | {
    "checks": Column("int16", "damage checks taken", True),
    "lucky": Column("int16", "damage checks stopped by a lucky icon"),
    "lucky_held": Column("int16", "cards with a lucky icon in hand or base at the end"),
    "luck_sum": Column("float64", "sum of (stopped - exact probability) over checks with known = false"),
    "luck_var": Column("float64", "sum of p(1-p) over the same checks"),
    "milled": Column("int16", "cards put from the deck into the graveyard, damage checks included"),
    "blocks": Column("int16", "blocks declared", True),
    "interrupts": Column("int16", "attacks of the opponent made to fail", True),
}
"""Columns of `games`, one for each side."""

MEASURES = {
    "offered": "",
    "kept": "",
    "returned": "",
    "drawn": "",
    "hand": "",
    "played": "",
    "milled": "put from the deck into the graveyard",
    "unseen": "",
}
"""Measures of `cards` in the order of the kernel; a meaning for those that only this game has."""

OWN = OwnTable(
    "checks",
    "damage checks of a player; deck_size and lucky_left before the check",
    {
        "strike": Column("int16", "strike of the attack"),
        "deck_size": Column("int8", "cards in the deck"),
        "lucky_left": Column("int8", "lucky cards among them"),
        "known": Column("bool", "a card of the deck was placed or seen since the last shuffle"),
        "stopped": Column("bool", "a lucky icon stopped the damage"),
        "flipped": Column("int8", "cards turned"),
    },
)
OWN_BITS = {
    "strike": (0, 8),
    "deck_size": (8, 8),
    "lucky_left": (16, 8),
    "known": (24, 1),
    "stopped": (25, 1),
    "side": (26, 1),  # of the player who takes the check
    "seat": (27, 1),  # 1: that player went first
    "flipped": (32, 8),
}
"""Where each column lies in the words that the kernel packs: first bit, width; below 40 bits altogether."""

"""The schema of a run folder: the one thing that the engine and the analysis share.

Every table is a folder of Parquet files inside the run. Old runs stay readable: a change of a column raises `VERSION`.
"""

from __future__ import annotations

import pyarrow as pa

VERSION = 1

SIDES = ("a", "b")
ENDS = ("life", "deck", "both", "loop", "cap")
PER_SIDE = {
    "life": (pa.int32(), "life left at the end, 0 or below for a player who lost by damage"),
    "deck": (pa.int16(), "cards left in the deck"),
    "checks": (pa.int16(), "damage checks taken"),
    "lucky": (pa.int16(), "damage checks stopped by a lucky icon"),
    "luck_sum": (pa.float64(), "sum of (stopped - exact probability) over checks with known = false"),
    "luck_var": (pa.float64(), "sum of p(1-p) over the same checks"),
    "milled": (pa.int16(), "cards put from the deck into the graveyard, damage checks included"),
    "attacks": (pa.int16(), "attacks declared"),
    "blocks": (pa.int16(), "blocks declared"),
    "interrupts": (pa.int16(), "attacks of the opponent made to fail"),
    "played": (pa.int16(), "cards played"),
    "mulligan": (pa.bool_(), "opening hand redrawn"),
}

GAMES = pa.schema(
    [
        pa.field("game", pa.int64(), False),
        pa.field("matchup", pa.int32(), False),
        pa.field("g", pa.int64(), False),
        pa.field("deck_a", pa.string(), False),
        pa.field("deck_b", pa.string(), False),
        pa.field("agent_a", pa.string(), False),
        pa.field("agent_b", pa.string(), False),
        pa.field("first", pa.string(), False),
        pa.field("winner", pa.string(), True),
        pa.field("end", pa.string(), False),
        pa.field("turns", pa.int16(), False),
        pa.field("decisions", pa.int32(), False),
        pa.field("steps", pa.int32(), False),
        *[pa.field(f"{name}_{side}", kind, False) for name, (kind, _) in PER_SIDE.items() for side in SIDES],
        pa.field("signature", pa.uint64(), False),
    ]
)

CARD_MEASURES = ("offered", "kept", "returned", "drawn", "hand", "played", "milled", "unseen")
"""offered: in the first five; kept: in the opening hand that was kept; returned: in a hand that was redrawn;
drawn: came into the hand later; hand: was in the hand at some time; unseen: in the deck at the end, never in hand.
`seen_by_N`: in hand (kept or drawn) by the end of the N-th turn of the game, in games alive at turn N."""
SEEN_TURNS = (2, 4, 6, 8, 10, 12, 16, 20)

CARDS = pa.schema(
    [
        pa.field("matchup", pa.int32(), False),
        pa.field("deck", pa.string(), False),
        pa.field("opponent", pa.string(), False),
        pa.field("side", pa.string(), False),
        pa.field("agent", pa.string(), False),
        pa.field("card", pa.string(), False),
        pa.field("in_deck", pa.int8(), False),
        pa.field("measure", pa.string(), False),
        pa.field("k", pa.int8(), False),
        pa.field("result", pa.string(), True),
        pa.field("games", pa.int64(), False),
    ]
)
"""One row: `games` games in which exactly k copies of the card met the measure; result win, draw, loss, null."""

CHECKS = pa.schema(
    [
        pa.field("matchup", pa.int32(), False),
        pa.field("deck", pa.string(), False),
        pa.field("side", pa.string(), False),
        pa.field("seat", pa.string(), False),
        pa.field("strike", pa.int16(), False),
        pa.field("deck_size", pa.int8(), False),
        pa.field("lucky_left", pa.int8(), False),
        pa.field("known", pa.bool_(), False),
        pa.field("stopped", pa.bool_(), False),
        pa.field("flipped", pa.int8(), False),
        pa.field("count", pa.int64(), False),
    ]
)
"""seat: first or second (the player who takes the check); deck_size and lucky_left: before the check."""

TURNS = pa.schema(
    [
        pa.field("matchup", pa.int32(), False),
        pa.field("deck_a", pa.string(), False),
        pa.field("deck_b", pa.string(), False),
        pa.field("turn", pa.int16(), False),
        pa.field("first", pa.string(), False),
        pa.field("lead", pa.int16(), False),
        pa.field("result", pa.string(), True),
        pa.field("games", pa.int64(), False),
    ]
)
"""Games alive at the start of `turn`: lead is life of deck_a minus life of deck_b (clamped to -20..20);
first: which side went first; result of deck_a: win, draw, loss, null."""

TABLES = {"games": GAMES, "cards": CARDS, "checks": CHECKS, "turns": TURNS}

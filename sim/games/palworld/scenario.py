"""What a scenario of Palworld may say: zones, numbers and marks of a position, and what can be expected of it."""

from __future__ import annotations

from sim.position import Placed, Position, Side
from sim.scenario.shape import Number, Shape, WrittenPosition

PHASES = ("setup", "stand", "draw", "soul", "main", "end", "attack", "block", "quick", "damage", "battle_end")
SOUL_LIMIT = 10  # CR 6.1.2.1


def build(written: WrittenPosition) -> Position:
    """The engine's position; ValueError where the numbers contradict each other."""
    sides = []
    for side, name in zip(written.sides, "AB", strict=True):
        numbers = side.numbers
        if numbers["souls"] + numbers["rested_souls"] > SOUL_LIMIT:
            raise ValueError(
                f"{name} has {numbers['souls']} standing and {numbers['rested_souls']} rested souls: "
                f"at most {SOUL_LIMIT} together (souls is {SOUL_LIMIT} where it is not given)"
            )
        placed = [Placed(card=card, zone=zone, **marks) for card, zone, marks in side.cards]
        sides.append(Side(cards=placed, **numbers))
    return Position(sides=(sides[0], sides[1]), **written.settings)


SHAPE = Shape(
    zones=("base", "hand", "deck", "graveyard", "exile"),
    ordered=("deck",),
    default_deck=("TD01-002",) * 10,
    numbers={
        "life": Number(10, None, None),
        "souls": Number(10, 0, SOUL_LIMIT),
        "rested_souls": Number(0, 0, SOUL_LIMIT),
        "material": Number(0, 0, None),
        "ingredient": Number(0, 0, None),
    },
    marks={
        "rested": (bool, ("base",)),
        "damage": (int, ("base",)),
        "assigned": (bool, ("base",)),
        "played_this_turn": (bool, ("base", "hand", "deck", "graveyard", "exile")),
        "exiled_by": (str, ("exile",)),
    },
    start_phases=("stand", "draw", "soul", "main", "end"),
    phases=PHASES,
    ends=("life", "deck", "both", "loop", "cap", "none"),
    properties={"power": int, "strike": int, "damage": int, "rested": bool, "cost": int},
    build=build,
    switches=("night",),
)

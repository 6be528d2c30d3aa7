"""What a scenario of Aether may say: zones, numbers and marks of a position, and what can be expected of it."""

from __future__ import annotations

from sim.games.aether import RULES
from sim.games.aether.position import Placed, Position, Side
from sim.scenario.shape import Number, Shape, WrittenPosition

ROWS = ("front", "back")
ROW_SIZE = 3  # s3


def build(written: WrittenPosition) -> Position:
    """The engine's position; ValueError where it cannot be."""
    sides = []
    for side, name in zip(written.sides, "AB", strict=True):
        placed = [Placed(card=card, zone=zone, **marks) for card, zone, marks in side.cards]
        for row in ROWS:
            if sum(one.zone == row for one in placed) > ROW_SIZE:
                raise ValueError(f"{name}.{row} has more than {ROW_SIZE} units")
        for one in placed:
            if one.zone in ROWS and one.card.type == "spell":
                raise ValueError(f"{name}.{one.zone}: {one.card.number} is a spell, only units are on the field")
            if one.zone not in ROWS and one.card.type == "token":
                raise ValueError(f"{name}.{one.zone}: {one.card.number} is a token, it is nowhere but on the field")
        aether = sum(one.zone == "aether" for one in placed)
        if side.numbers["used"] > aether:
            raise ValueError(f"{name} has {side.numbers['used']} used of {aether} aether")
        life, used, charged = (side.numbers[key] for key in ("life", "used", "charged"))
        sides.append(Side(cards=placed, life=life, used=used, charged=bool(charged)))
    settings = {key: value for key, value in written.settings.items() if key != "names"}
    return Position(sides=(sides[0], sides[1]), **settings)


SHAPE = Shape(
    zones=(*ROWS, "hand", "deck", "graveyard", "aether"),
    ordered=("deck",),
    default_deck=("AE-N01",) * 10,
    numbers={"life": Number(RULES["life"]), "used": Number(0, 0), "charged": Number(False)},
    marks={
        "damage": (int, ROWS),
        "frozen": (bool, ROWS),
        "idle": (bool, ROWS),
        "barrier": (bool, ROWS),
        "attacks": (int, ROWS),
        "moved": (bool, ROWS),
        "summoned": (bool, ROWS),
        "attack_plus": (int, ROWS),
        "hp_plus": (int, ROWS),
    },
    start_phases=("start", "main", "end"),
    phases=("setup", "start", "main", "end"),
    ends=("life", "deck", "both", "loop", "cap", "none"),
    properties={
        "attack": int,
        "hp": int,
        "max_hp": int,
        "frozen": bool,
        "idle": bool,
        "barrier": bool,
        "cost": int,
    },
    build=build,
    rules=RULES,
    signed=("attack_plus", "hp_plus"),
    appear=("token",),
)

"""A position of Aether, or a fresh game, in a form that every engine can be set up from."""

from __future__ import annotations

import msgspec

from sim.cards.ast import Card


class Placed(msgspec.Struct):
    """One card of a position; its index in `Side.cards` is its slot. The order of the units of a row is the order of
    the row's slots. The marks are those of a unit on the field; barrier None: what the card has; attacks: made this
    turn; summoned: this turn; the plus values last for good."""

    card: Card
    zone: str  # "front" | "back" | "hand" | "deck" (in order, the top first) | "graveyard" | "aether"
    damage: int = 0
    frozen: bool = False
    idle: bool = False
    barrier: bool | None = None
    attacks: int = 0
    moved: bool = False
    summoned: bool = False
    attack_plus: int = 0
    hp_plus: int = 0


class Side(msgspec.Struct):
    """One player's part of a position. used: how many cards of the aether zone are used."""

    cards: list[Placed]
    life: int = 20
    used: int = 0
    charged: bool = False


class Position(msgspec.Struct):
    """A position at the start of `phase` ("start" | "main" | "end").

    setup: a game before its first decision instead: decks in the given order (not shuffled), `coin` goes first (0 or 1;
    None: drawn from the seed). rules: values of rule switches, those of `RULES` where they are not given.
    """

    sides: tuple[Side, Side]
    turn_player: int = 0
    turn: int = 3
    phase: str = "main"
    setup: bool = False
    coin: int | None = None
    seed: int = 0
    rules: dict[str, int] = {}

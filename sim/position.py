"""A position or a fresh game, in a form that every engine can be set up from."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from sim.cards.ast import Card

PLAYER = 128
"""Target code of a player: PLAYER + seat. Cards are seat * 64 + slot, at most 64 a seat."""


class Option(NamedTuple):
    """One thing that the deciding player may do. Which fields a kind uses:

    first second mulligan keep draw end no_block pass done yes no: none; play block choose assign discard charge move:
    obj (play in games with rows: n, 1 front, 2 back);
    attack: obj (attacker), target (obj or PLAYER + seat); activate resolve: obj, n (from 1; for resolve the n-th
    automatic ability of the card, granted ones last, and target: "that", where it is another card); x: n; mode pay: n
    (from 1); name: n (index into the game's sorted card names).
    """

    kind: str
    obj: int = -1
    target: int = -1
    n: int = 0


class Placed(msgspec.Struct):
    """One card of a position; its index in `Side.cards` is its slot."""

    card: Card
    zone: str  # "base" | "hand" | "deck" (in order, the top first) | "graveyard" | "exile"
    rested: bool = False
    damage: int = 0
    assigned: bool = False
    played_this_turn: bool = False
    exiled_by: int = -1  # obj of the card that exiled it


class Side(msgspec.Struct):
    """One player's part of a position."""

    cards: list[Placed]
    life: int = 10
    souls: int = 10
    rested_souls: int = 0
    material: int = 0
    ingredient: int = 0


class Position(msgspec.Struct):
    """A position at the start of `phase` ("main": at the play timing, right after its check timing).

    setup: a game before its first decision instead: decks in the given order (not shuffled), the coin flip won by
    `coin` (0 or 1; None: drawn from the seed). first: the first seat given instead of the coin flip, as in runs
    (then the decks are shuffled from `seed` unless `setup`). names: the card names that may be declared, sorted
    (empty: those of the cards in the position).
    """

    sides: tuple[Side, Side]
    turn_player: int = 0
    turn: int = 3
    phase: str = "main"
    night: bool = False
    setup: bool = False
    coin: int | None = None
    seed: int = 0
    names: tuple[str, ...] = ()

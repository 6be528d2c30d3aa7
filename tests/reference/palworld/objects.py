"""The things of a Palworld game as plain objects: cards, players, effects in force, and the table that holds them.

A card that changes zone becomes a new card (CR 4.1.4), so every stay of a physical card in a zone is a `Piece` of its
own: references to a piece that has left find it gone, with its last information (CR 10.12).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sim.cards.ast import Ability, Card, Effect, Filter
from sim.position import Option

SOUL_LIMIT = 10  # CR 6.1.2.1
SOUL_GROWTH = 2  # CR 7.4.2.1
PAL_LIMIT = 5  # CR 4.4.5.2
START_HAND = 5  # CR 6.2.1.6
DRAW_PRICE = 3  # CR 8.5.1
DECISION_LIMIT = 2000  # decisions in one turn (CR 13.1 is not computed, only guarded)
TURN_LIMIT = 200
ZONES = ("hand", "deck", "graveyard", "exile", "base")


class Decision(NamedTuple):
    """A question to a player; the game goes on when an option is sent back."""

    seat: int
    options: list[Option]


Flow = Generator[Decision, Option, Any]
"""A step of the game that may ask questions on its way."""


class GameOver(Exception):
    """A player has lost, or the game was ended by force."""


class AttackFailed(Exception):
    """The running battle goes to its end (CR 5.18.1)."""


class Last(NamedTuple):
    """What a card was just before it left its zone (CR 10.12)."""

    power: int
    strike: int
    cost: int
    names: frozenset[str]
    keywords: frozenset[str]


@dataclass(eq=False)
class Piece:
    """One card during one stay in one zone. `stamp` orders pieces by when they came; those that were deployed together
    share it."""

    obj: int
    card: Card
    zone: str
    stamp: int = 0
    rested: bool = False
    damage: int = 0
    assigned: bool = False
    used: dict[tuple[Any, ...], int] = field(default_factory=dict)
    modes: dict[tuple[Any, ...], set[int]] = field(default_factory=dict)
    exiled_by: Piece | None = None
    play: int = 0
    printed: tuple[Held, ...] = ()
    last: Last | None = None

    @property
    def owner(self) -> int:
        """CR 3.1.1; no effect of this game makes a player master of another's card."""
        return self.obj // 64

    @property
    def gone(self) -> bool:
        return self.last is not None

    @property
    def is_pal(self) -> bool:
        return self.card.type == "pal"


@dataclass(eq=False)
class Held:
    """An ability that a piece has: printed, granted by an effect, or granted by a continuous ability.

    key: what its uses are counted under. n: which of its kind on the card, from 1.
    """

    piece: Piece
    ability: Ability
    key: tuple[Any, ...]
    stamp: int
    n: int = 0


@dataclass(eq=False)
class Lasting:
    """A continuous effect that an ability has made (CR 10.2.1.2).

    kind: "modify" | "grant" | "name" | "no_stand" | "no_block" | "rush" | "night" | "discount".
    """

    kind: str
    master: int
    stamp: int
    turn: int
    until: str = ""
    pieces: tuple[Piece, ...] = ()
    anchor: Piece | None = None
    power: int = 0
    strike: int = 0
    ability: Ability | None = None
    name: str = ""
    what: Filter | None = None


@dataclass(eq=False)
class Frame:
    """An ability being played or resolved, with everything that its text can refer to."""

    this: Piece
    master: int
    key: tuple[Any, ...] = ()
    that: Piece | None = None
    them: list[Piece] = field(default_factory=list)
    assigned: list[Piece] = field(default_factory=list)
    paid: list[Piece] = field(default_factory=list)
    looked: list[Piece] = field(default_factory=list)
    x: int = 0
    chosen: int = 0
    did: bool = False
    name: str = ""
    known: dict[Piece, Last] = field(default_factory=dict)


@dataclass(eq=False)
class Waiting:
    """An automatic ability that waits to be played (CR 10.8.2); `effects` are those of a delayed trigger otherwise.

    known: what this and that were when a card left the base and so triggered it (CR 10.8.4.1.2).
    """

    source: Piece
    master: int
    n: int
    that: Piece | None = None
    held: Held | None = None
    effects: tuple[Effect, ...] = ()
    them: tuple[Piece, ...] = ()
    known: dict[Piece, Last] = field(default_factory=dict)


@dataclass(eq=False)
class Delayed:
    """A delayed trigger (CR 10.8.5) for the end of this turn."""

    source: Piece
    master: int
    effects: tuple[Effect, ...]
    them: tuple[Piece, ...]


@dataclass(eq=False)
class Battle:
    """A battle: target is a piece, or the seat of the attacked player. combat: the two combat Pals (CR 9.4.3)."""

    attacker: Piece
    target: Piece | int
    combat: tuple[Piece, Piece] | None = None
    failed: bool = False
    ending: bool = False

    def foe_of(self, piece: Piece) -> Piece | None:
        """The opposing combat Pal of a piece, while both are in the base."""
        if self.combat is None or piece not in self.combat or any(side.gone for side in self.combat):
            return None
        return self.combat[1] if piece is self.combat[0] else self.combat[0]


@dataclass(eq=False)
class Player:
    """One player: counters and zones. The deck lists its top card first."""

    seat: int
    life: int = 10
    material: int = 0
    ingredient: int = 0
    souls: int = 0
    rested_souls: int = 0
    played: list[int] = field(default_factory=list)
    hand: list[Piece] = field(default_factory=list)
    deck: list[Piece] = field(default_factory=list)
    graveyard: list[Piece] = field(default_factory=list)
    exile: list[Piece] = field(default_factory=list)
    base: list[Piece] = field(default_factory=list)

    def zone(self, name: str) -> list[Piece]:
        """The cards of a zone; a card being played or resolved lies in none of them (CR 4.11)."""
        return getattr(self, name) if name in ZONES else []

    @property
    def pals(self) -> list[Piece]:
        return [piece for piece in self.base if piece.is_pal]


class Game:
    """The table: everything that is true of a game at one moment, with the small moves that change it."""

    def __init__(self, turn_player: int = 0, turn: int = 0, seed: int = 0) -> None:
        self.players = (Player(0), Player(1))
        self.turn_player = turn_player
        self.turn = turn
        self.phase = "setup"
        self.winner: int | str | None = None  # seat, "draw" or "none"
        self.end: str | None = None
        self.lasting: list[Lasting] = []
        self.waiting: list[Waiting] = []
        self.delayed: list[Delayed] = []
        self.battle: Battle | None = None
        self.frames: list[Frame] = []
        self.names: list[str] = []
        self.soul_drawn = False
        self.stamp = 0
        self.turn_decisions = 0
        self.auto: list[tuple[int, Option]] = []
        self.log: list[tuple[str, int, int, int, int]] = []
        self.damage_checks: list[tuple[int, int, int, int, bool, int]] = []
        """Who took it, strike, size of the deck before, lucky cards in it, stopped, cards turned."""
        self.shuffles: list[list[int]] = []
        self.shuffler: Callable[[int, list[int]], list[int]] | None = None
        self.shuffled: list[list[int]] = []
        self.random = random.Random(seed)
        self.memo: dict[Any, Any] = {}

    def next_stamp(self) -> int:
        self.stamp += 1
        return self.stamp

    def touch(self) -> None:
        """Something changed: derived values must be computed anew."""
        self.memo.clear()

    def note(self, kind: str, obj: int, a: int = 0, b: int = 0) -> None:
        """Log an event; obj is a card, or PLAYER + seat (then the seat is the player's)."""
        seat = obj // 64 if obj < 128 else (obj - 128 if obj < 130 else -1)
        self.log.append((kind, seat, obj, a, b))

    def base(self) -> list[Piece]:
        """All cards of both bases in the order in which they came (CR 10.10.1.6.1)."""
        if "base" not in self.memo:
            both = self.players[0].base + self.players[1].base
            self.memo["base"] = sorted(both, key=lambda piece: (piece.stamp, piece.obj))
        return list(self.memo["base"])

    def find(self, obj: int) -> Piece | None:
        """The piece that a physical card is now, None while it is being played or resolved."""
        owner = self.players[obj // 64]
        for zone in ZONES:
            for piece in owner.zone(zone):
                if piece.obj == obj:
                    return piece
        return None

    def shuffle(self, seat: int) -> None:
        """Shuffle a deck (CR 5.6), into the order that is scripted next, if any, or as `shuffler` says."""
        deck = self.players[seat].deck
        if self.shuffles:
            order = self.shuffles.pop(0)
            by_obj = {piece.obj: piece for piece in deck}
            if sorted(order) != sorted(by_obj):
                raise ValueError(f"scripted shuffle {order} does not fit the deck of seat {seat}: {sorted(by_obj)}")
        else:
            order = [piece.obj for piece in deck]
            if self.shuffler is not None:
                order = self.shuffler(seat, order)
            else:
                self.random.shuffle(order)
            by_obj = {piece.obj: piece for piece in deck}
        self.shuffled.append(order)
        deck[:] = [by_obj[obj] for obj in order]
        self.touch()

"""What lies on the table: cards, players, the game; and what happened so far."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from sim.cards.ast import Ability, Card
from sim.games.aether import RULES
from sim.position import PLAYER, Option

ROWS = ("front", "back")
ROW_SIZE = 3  # s3
TURN_CAP = 300  # AE-3.10
DECISION_LIMIT = 2000  # in one turn: no rule ends a loop, it is only guarded
SLOTS = 64  # of a seat: its cards, then tokens


class Decision(NamedTuple):
    """An open decision; the options are sorted."""

    seat: int
    options: list[Option]


Flow = Generator[Decision, Option, None]
Ask = Generator[Decision, Option, Option]


class GameOver(Exception):
    """Ends the game at once, whatever waits (AE-7.8)."""


class Piece:
    """One card of a game. The marks below `zone` belong to a unit on the field and go when it leaves (AE-6.20)."""

    def __init__(self, obj: int, card: Card, zone: str) -> None:
        self.obj, self.card, self.zone = obj, card, zone
        self.continuous = [ability for ability in card.abilities if ability.kind == "cont"]
        self.last: frozenset[str] = frozenset()  # its keywords when it left the field
        self.reset()

    def reset(self) -> None:
        """A unit as printed, nothing done to it."""
        self.damage = 0
        self.attack_plus = self.hp_plus = 0
        self.attack_turn = self.hp_turn = 0
        self.keywords = set(self.card.keywords) - {"barrier"}
        self.keywords_turn: set[str] = set()
        self.barrier = "barrier" in self.card.keywords
        self.frozen = self.idle = self.moved = self.summoned = self.marked = False
        self.attacks = 0

    @property
    def owner(self) -> int:
        """The seat; owner and controller are the same (AE-8.25)."""
        return self.obj // SLOTS

    @property
    def on_field(self) -> bool:
        return self.zone in ROWS

    @property
    def is_token(self) -> bool:
        return self.card.type == "token"


class Player:
    """One player. deck: the top card first; hand, graveyard and aether have no order (AE-7.9)."""

    def __init__(self, life: int) -> None:
        self.life = life
        self.deck: list[Piece] = []
        self.hand: list[Piece] = []
        self.graveyard: list[Piece] = []
        self.aether: list[Piece] = []
        self.rows: dict[str, list[Piece | None]] = {row: [None] * ROW_SIZE for row in ROWS}
        self.used = 0
        self.charged = False
        self.decked = False  # had to draw from an empty deck (AE-7.3)
        self.appeared: list[tuple[int, str]] = []

    def units(self) -> list[Piece]:
        """Its units in slot order: front 1-3, then back 1-3 (AE-3.4)."""
        return [unit for row in ROWS for unit in self.rows[row] if unit is not None]

    def free(self, row: str) -> bool:
        return None in self.rows[row]

    def zone(self, name: str) -> list[Piece]:
        zones = {"deck": self.deck, "hand": self.hand, "graveyard": self.graveyard, "aether": self.aether}
        return zones[name]


class Waiting(NamedTuple):
    """An on-destroy ability that waits; n: its place among the abilities of the card, from 1."""

    source: Piece
    ability: Ability
    n: int


class Game:
    """Everything about one game."""

    def __init__(self, turn_player: int, turn: int, seed: int, rules: dict[str, int]) -> None:
        self.rules = RULES | rules
        self.players = (Player(self.rules["life"]), Player(self.rules["life"]))
        self.turn_player, self.turn, self.phase = turn_player, turn, "setup"
        self.random = random.Random(seed)
        self.turn_decisions = 0
        self.winner: int | str | None = None
        self.end: str | None = None
        self.queue: list[Waiting] = []  # first in, first out (AE-8.11)
        self.coming: list[Piece] = []  # units whose turn-start or turn-end effect is still to come (AE-3.4)
        self.resolving: Piece | None = None
        self.tokens: dict[str, Card] = {}
        self.next_slot = [0, 0]  # of the next token
        self.first_slot = [0, 0]
        self.appeared: list[tuple[int, str]] = []
        self.shuffles: list[list[int]] = []
        self.shuffler: Callable[[int, list[int]], list[int]] | None = None
        self.shuffled: list[list[int]] = []
        self.auto: list[tuple[int, Option]] = []
        self.log: list[tuple[str, int, int, int, int]] = []

    def happened(self, kind: str, obj: int, a: int = 0, b: int = 0) -> None:
        """An event, into the log; obj is a card, or PLAYER + seat."""
        self.log.append((kind, obj % PLAYER if obj >= PLAYER else obj // SLOTS, obj, a, b))

    def seats(self) -> tuple[int, int]:
        """The active player first (AE-8.10, 9.5)."""
        return self.turn_player, 1 - self.turn_player

    def units(self) -> list[Piece]:
        """All units, the active player's first, in slot order."""
        return [unit for seat in self.seats() for unit in self.players[seat].units()]

    def shuffle(self, seat: int) -> None:
        """Shuffle a deck: into the order that is given next (top card first), else as `shuffler` says, else from the
        seed."""
        deck = self.players[seat].deck
        order = [piece.obj for piece in deck]
        if self.shuffles:
            order = self.shuffles.pop(0)
        elif self.shuffler is not None:
            order = self.shuffler(seat, order)
        else:
            self.random.shuffle(order)
        self.shuffled.append(order)
        deck.sort(key=lambda piece: order.index(piece.obj))

    def find(self, obj: int) -> Piece | None:
        """The card with this number, wherever it is; None for a token that is gone."""
        player = self.players[obj // SLOTS]
        everywhere = [*player.deck, *player.hand, *player.graveyard, *player.aether, *player.units()]
        return next((piece for piece in everywhere if piece.obj == obj), None)


def ask(seat: int, options: Sequence[Option]) -> Ask:
    """One decision."""
    answer = yield Decision(seat, sorted(options))
    return answer


def player_of(obj: int) -> int | None:
    """The seat that an obj means as a target; None for a card."""
    return obj - PLAYER if obj >= PLAYER else None

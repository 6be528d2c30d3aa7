"""A game that is stepped from Python: the one interface under scenarios, replays, agents and learning environments."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np

from kernels import batch
from sim.cards.ast import Card
from sim.position import Option, Position

WINNERS = {0: "A", 1: "B", 2: "draw", -1: "none"}


def bits(mask: int) -> list[int]:
    """Indices of the set bits of a mask."""
    left, found = int(mask), []
    while left:
        low = left & -left
        found.append(low.bit_length() - 1)
        left ^= low
    return found


class Stepped:
    """One game at a decision, or over: what all games share. `sim.games.GAME.game` has the `Game` of each.

    Cards are `obj = seat * 64 + slot`, the slot counting the cards of the seat as they were given.
    """

    kernel: ClassVar[ModuleType]
    """The module of the state record."""
    kinds: ClassVar[tuple[str, ...]]
    """Kinds of options by their code."""
    event_kinds: ClassVar[tuple[str, ...]]
    """Kinds of events by their code."""
    compile_tables: ClassVar[Callable[..., Any]]
    appeared: list[tuple[int, str]]
    """Cards that came into being during the game, as (obj, card number)."""

    def __init__(
        self,
        sides: Sequence[Sequence[Card]],
        names: Sequence[str] = (),
        rules: Mapping[str, Any] | None = None,
        lists: Sequence[Sequence[Card]] = (),
    ) -> None:
        self.sides = tuple(tuple(side) for side in sides)
        self.tables: Any = self.compile_tables(self.sides, names, rules, lists)
        self.lane: Any = self.kernel.new_lane()
        self.players: Any = np.zeros(2, self.kernel.PLAYERS)
        self.names: list[str] = sorted(set(names) | {card.name for side in sides for card in side})
        self.listed: list[Option] | None = None
        self.auto: list[tuple[int, Option]] = []
        self.events: list[tuple[str, int, int, int]] = []
        self.appeared: list[tuple[int, str]] = []

    # What a game adds

    @classmethod
    @abstractmethod
    def from_position(cls, position: Position) -> Self:
        """A game at a position, run to its first decision with two or more options."""

    @abstractmethod
    def _option(self, kind: str, obj: int, card: int, n: int, b: int) -> Option:
        """The option of a bit b of a group; card: the card that the bit may stand for."""

    @abstractmethod
    def _auto(self, kind: str, obj: int, target: int, n: int) -> Option:
        """The option behind a logged decision with a single option."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Everything there is to see, hidden cards included, in plain Python."""

    # Playing

    def start(self, key: int, g: int, first: int) -> None:
        """Set up game g of the streams of `key` and run to its first decision; first: seat, 2 for a coin flip."""
        self.lane.log_on = 1
        batch.start(self.lane, self.tables, self.players, key, g, first)
        self._advance()

    def _advance(self) -> None:
        self.listed = None
        batch.advance(self.lane, self.tables, self.players)
        self._drain()

    def _drain(self) -> None:
        """Read the log of the kernel: what happened, and which decisions resolved themselves."""
        S = self.lane
        for word in S.log[: min(int(S.log_count), len(S.log))]:
            value = int(word)
            kind, obj = self.event_kinds[value & 255], value >> 8 & 255
            a, b = (value >> 16 & 0xFFFF) - 32768, (value >> 32) - 2**31
            if kind == "auto":
                packed = b & 0x3FFFFFFF
                self.auto.append((b >> 30, self._auto(self.kinds[a], obj, packed & 255, packed >> 8)))
            else:
                self.events.append((kind, obj, a, b))
        S.log_count = 0

    @property
    def over(self) -> bool:
        """The game has ended."""
        return int(self.lane.end) != 255

    @property
    def decides(self) -> int | None:
        """Seat that has the open decision."""
        return None if self.over else int(self.lane.decider)

    def _listed(self) -> list[Option]:
        """Options in the order of the kernel, read once a decision."""
        if self.listed is not None:
            return self.listed
        S = self.lane
        groups = slice(int(S.groups))
        fields = (S.group_kind, S.group_obj, S.group_n, S.group_seat, S.group_mask)
        options: list[Option] = []
        for code, obj, n, seat, mask in zip(*(field[groups].tolist() for field in fields), strict=True):
            kind = self.kinds[code]
            options += [self._option(kind, obj, seat * 64 + b, n, b) for b in bits(mask)]
        self.listed = options
        return options

    def options(self) -> list[Option]:
        """The options of the open decision, sorted; empty when the game is over."""
        return [] if self.over else sorted(self._listed())

    def choose(self, option: Option) -> None:
        """Take an option, and go on to the next decision. Raises ValueError for one that is not offered."""
        listed = [] if self.over else self._listed()
        if option not in listed:
            raise ValueError(f"{option} is not offered")
        self.auto = []
        self.events = []
        batch.choose(self.lane, self.tables, self.players, listed.index(option))
        self._advance()

    def pick(self) -> Option:
        """What the player record of the deciding seat would choose; uses its random stream."""
        return self._listed()[batch.pick(self.lane, self.tables, self.players)]

    def copy(self) -> Self:
        """An independent game at the same decision."""
        twin = copy.copy(self)
        lanes = np.zeros(1, self.kernel.STATE)
        lanes[0] = self.lane
        twin.lane = lanes[0]
        twin.players = self.players.copy()
        twin.auto, twin.events, twin.appeared = list(self.auto), list(self.events), list(self.appeared)
        return twin

    # Looking

    def card_of(self, obj: int) -> Card:
        """The card with this number."""
        return self.sides[obj >> 6][obj & 63]

    def cost_of(self, obj: int) -> int:
        """What playing a card would cost now."""
        return batch.cost_of(self.lane, self.tables, self.players, obj)

    def alike(self, obj: int) -> list[int]:
        """Cards that are interchangeable with this one now, itself included."""
        copies = bits(batch.copies_of(self.lane, self.tables, self.players, obj))
        return [obj & 64 | slot for slot in copies] or [obj]

    def fault(self) -> str | None:
        """What is wrong with the state, if anything is."""
        return batch.fault(self.lane, self.tables, self.players)


def game_class(game: str) -> type[Stepped]:
    """The stepped game of that name."""
    found: type[Stepped] = import_module(f"sim.games.{game}.game").Game
    return found


def new_game(
    decks: Sequence[str | Path],
    seed: int = 0,
    g: int = 0,
    first: str | None = None,
    cards: Sequence[str | Path] = (),
    game: str = "palworld",
) -> Stepped:
    """A fresh game of two decks (files or built-in names), at its first decision.

    first: "a" or "b"; None: a coin is flipped (in Palworld its winner chooses, CR 6.2.1.3). The same decks, seed, g and
    first give the same shuffles as game g of a run. cards: more card files. Raises InputError for what cannot be read.
    """
    from sim.cards import load_cards
    from sim.decks import load_decks
    from sim.provenance import stream_key

    known = load_cards(game, cards)
    a, b = load_decks([str(deck) for deck in decks], known, game)
    new = game_class(game)([[known[number] for number in deck.cards()] for deck in (a, b)])
    new.start(stream_key(seed, a.name, b.name), g, 2 if first is None else "ab".index(first))
    return new

"""What a game declares about its scenarios, and a position as it was written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sim.cards.ast import Card


class Number(NamedTuple):
    """A number of a player: its default and its bounds (None: unbounded). A default of true or false: a switch."""

    default: int
    low: int | None = None
    high: int | None = None


@dataclass
class WrittenSide:
    """numbers: all of them, defaults filled in. cards: (card, zone, marks), the index is the slot."""

    numbers: dict[str, int]
    cards: list[tuple[Card, str, dict[str, Any]]] = field(default_factory=list)


@dataclass
class WrittenPosition:
    """settings: turn_player, turn, night, phase, setup, coin, seed, names; only those that were given or set."""

    settings: dict[str, Any]  # and rules, those that were given
    sides: tuple[WrittenSide, WrittenSide]


class Shape(NamedTuple):
    """The words of one game's scenarios.

    zones: in the order in which slots are given. ordered: zones whose order counts in expectations. numbers: of a
    player, in `state()["players"]` under the same name. marks: keys of a placed card with their type and the zones
    where they make sense. start_phases: where a position may start. phases, ends: what may be expected. properties: of
    a card in `state()["objects"]` (`cost` is asked of the engine). build: the engine's position. switches: true or
    false of the whole game, in a position and in expectations. rules: the rule switches that a position may set.
    signed: marks that may be below 0. appear: types of cards that come into being during a game (`appeared` of the
    engine).
    """

    zones: tuple[str, ...]
    ordered: tuple[str, ...]
    default_deck: tuple[str, ...]
    numbers: Mapping[str, Number]
    marks: Mapping[str, tuple[type, tuple[str, ...]]]
    start_phases: tuple[str, ...]
    phases: tuple[str, ...]
    ends: tuple[str, ...]
    properties: Mapping[str, type]
    build: Callable[[WrittenPosition], Any]
    switches: tuple[str, ...] = ()
    rules: Mapping[str, int] = {}
    signed: tuple[str, ...] = ()
    appear: tuple[str, ...] = ()

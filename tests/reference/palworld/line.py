"""Small positions and lines of play for tests of the reference.

    line = Line({"base": "helper=TD01-002 gun=BP01-015"}, {"base": "horse=BP01-013:rested:damage=0"}, material_a=2)
    line.do("activate gun 1", "x 2", "choose horse", "choose horse")
    assert line["horse"].damage == 1000

A card is `NUMBER`, with a name `name=NUMBER` and marks `:rested:assigned:played:damage=N:by=NAME`; a number may be
one of the cards made for the test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.cards import load_cards
from sim.cards.ast import Card
from sim.cards.language import parse_ability
from sim.position import PLAYER, Option, Placed, Position, Side

from .engine import Reference
from .objects import ZONES, Piece

CARDS = load_cards()
FILLER = "TD01-002"  # a Pal without abilities
DECK = " ".join([FILLER] * 10)
ZONE_ORDER = ("base", "hand", "deck", "graveyard", "exile")


def make(number: str, *abilities: str, **facts: Any) -> Card:
    """A card for a test: a red Pal of cost 3, power 500, strike 1 unless said otherwise."""
    plain: dict[str, Any] = {"name": number, "color": "red", "type": "pal", "cost": 3, "power": 500, "strike": 1}
    return Card(number=number, abilities=tuple(parse_ability(text) for text in abilities), **{**plain, **facts})


class Line:
    """A game of the reference with names for its cards; side numbers are given as `life_a=3` and the like."""

    def __init__(
        self,
        a: Mapping[str, str] | None = None,
        b: Mapping[str, str] | None = None,
        *made: Card,
        names: list[str] | None = None,
        shuffles: list[list[int]] | None = None,
        **settings: Any,
    ) -> None:
        self.cards = {**CARDS, **{card.number: card for card in made}}
        self.ids: dict[str, int] = {}
        sides = [self.side(seat, zones or {}, settings) for seat, zones in enumerate((a, b))]
        position = Position(sides=(sides[0], sides[1]), **settings)
        self.game = Reference(position, names, shuffles=shuffles or [])

    def side(self, seat: int, zones: Mapping[str, str], settings: dict[str, Any]) -> Side:
        """One player's part; side numbers are taken out of the settings."""
        written = [
            (zone, text) for zone in ZONE_ORDER for text in zones.get(zone, DECK if zone == "deck" else "").split()
        ]
        texts = [text.partition("=")[0] if "=" in text.split(":")[0] else "" for _, text in written]
        for slot, name in enumerate(texts):
            self.ids[name or f"{'ab'[seat]}{slot}"] = seat * 64 + slot
        placed = [self.placed(zone, text) for zone, text in written]
        letter = "ab"[seat]
        numbers = {key[:-2]: settings.pop(key) for key in list(settings) if key.endswith(f"_{letter}")}
        return Side(cards=placed, **numbers)

    def placed(self, zone: str, text: str) -> Placed:
        head, *marks = text.split(":")
        card = Placed(card=self.cards[head.rpartition("=")[2]], zone=zone)
        for mark in marks:
            key, _, value = mark.partition("=")
            field = {"played": "played_this_turn", "by": "exiled_by"}.get(key, key)
            setattr(card, field, True if not value else self.ids[value] if key == "by" else int(value))
        return card

    def called(self, obj: int) -> str:
        """The name of a card, "player", or "" for none."""
        if obj < 0 or obj >= PLAYER:
            return "" if obj < 0 else "player"
        return next(name for name, other in self.ids.items() if other == obj)

    def text(self, option: Option) -> str:
        """An option in words: `attack horse player`, `activate gun 1`, `choose helper`, `x 2`, `end`."""
        words = [option.kind.replace("_", " "), self.called(option.obj), self.called(option.target)]
        return " ".join([*filter(None, words), *([str(option.n)] if self.numbered(option) else [])])

    @staticmethod
    def numbered(option: Option) -> bool:
        return option.kind in ("activate", "resolve", "x", "mode", "pay", "name")

    @property
    def open(self) -> list[str]:
        """The options of the open decision, sorted."""
        return sorted(self.text(option) for option in self.game.options())

    def do(self, *steps: str) -> Line:
        """Take options one after another."""
        for step in steps:
            found = [option for option in self.game.options() if self.text(option) == step]
            assert found, f"{step!r} is not open: {self.open}"
            self.game.choose(found[0])
        return self

    def __getitem__(self, name: str) -> Piece:
        """The card as it is now."""
        piece = self.game.game.find(self.ids[name])
        assert piece is not None, f"{name} is being resolved"
        return piece

    def power(self, name: str) -> int:
        return int(self.game.state()["objects"][self.ids[name]]["power"])

    def strike(self, name: str) -> int:
        return int(self.game.state()["objects"][self.ids[name]]["strike"])

    def zone(self, name: str) -> str:
        """Owner and zone, such as `b.graveyard`."""
        return f"{'ab'[self.ids[name] // 64]}.{self[name].zone}"

    def all(self, seat: int, zone: str) -> list[str]:
        """Names of the cards of a zone, of the deck in order."""
        assert zone in ZONES
        found = [self.called(piece.obj) for piece in self.game.game.players[seat].zone(zone)]
        return found if zone == "deck" else sorted(found)

    def player(self, seat: int) -> dict[str, Any]:
        """Counters of a player."""
        return dict(self.game.state()["players"][seat])

    def events(self, *kinds: str) -> list[tuple[str, str]]:
        """What was logged, of some kinds, as (kind, card)."""
        return [(kind, self.called(obj)) for kind, _, obj, _, _ in self.game.log if kind in kinds]

    @property
    def phase(self) -> str:
        return str(self.game.state()["phase"])

    @property
    def winner(self) -> tuple[str | None, str | None]:
        state = self.game.state()
        return state["winner"], state["end"]

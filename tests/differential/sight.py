"""What each player has seen of the other's hand and deck, told from the log of a game of Palworld alone."""

from __future__ import annotations

from typing import Any

from sim.game import bits
from sim.position import PLAYER

HIDDEN = ("hand", "deck")
GOES = {
    "draw": "hand", "return": "hand", "deploy": "base", "exile": "exile", "top": "deck", "bottom": "deck", "play": "",
    "bury": "graveyard", "discard": "graveyard", "mill": "graveyard", "check": "graveyard", "used": "graveyard",
}  # fmt: skip
"""Events that move a card, and where to."""


class Sight:
    """Follows a game; `wrong` compares with what the kernel keeps for players who look ahead."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel
        self.zone = {
            obj: zone
            for player in kernel.state()["players"]
            for zone in (*HIDDEN, "base", "graveyard", "exile")
            for obj in player[zone]
        }
        self.shown = self.kept()

    def kept(self) -> set[int]:
        """The hidden cards that the kernel says were shown."""
        shown = {p * 64 + slot for p in range(2) for slot in bits(int(self.kernel.lane.shown[p]))}
        return {obj for obj in shown if self.zone.get(obj) in HIDDEN}

    def wrong(self) -> str:
        """A difference after the latest choice, "" where there is none."""
        for kind, obj, _, _ in self.kernel.events:
            if kind == "mulligan":
                for card in self.cards("hand", obj - PLAYER):
                    self.zone[card] = "deck"
            if kind in ("mulligan", "shuffle"):
                self.shown -= self.cards("deck", obj - PLAYER)
            elif kind == "reveal":
                self.shown.add(obj)
            elif kind in GOES:
                self.move(obj, GOES[kind])
        kept, shown = self.kept(), {obj for obj in self.shown if self.zone.get(obj) in HIDDEN}
        return "" if kept == shown else f"shown:\n  kernel {sorted(kept)}\n  log    {sorted(shown)}"

    def cards(self, zone: str, seat: int) -> set[int]:
        return {obj for obj, place in self.zone.items() if place == zone and obj >> 6 == seat}

    def move(self, obj: int, to: str) -> None:
        """A card changes zone in front of the other player, or face down."""
        place, seat = self.zone.get(obj, ""), obj >> 6
        self.zone[obj] = to
        if place == "hand" and to == "deck":
            self.shown -= {obj, *self.cards("hand", seat)}  # the other player does not see which one goes
        elif place == "hand":
            same = {
                card for card in self.shown & {obj, *self.cards("hand", seat)} if self.number(card) == self.number(obj)
            }
            if same:
                self.shown.discard(obj if obj in same else min(same))
        elif place not in HIDDEN and to in HIDDEN:
            self.shown.add(obj)
        elif to == "deck" or to not in HIDDEN:
            self.shown.discard(obj)

    def number(self, obj: int) -> str:
        return self.kernel.card_of(obj).number

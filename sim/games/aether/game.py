"""Aether stepped from Python: positions, options and what there is to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels import batch
from kernels.aether import codes, state
from sim.cards.ast import Card
from sim.game import WINNERS, Stepped, bits
from sim.games.aether.position import Placed, Position
from sim.games.aether.tables import cards_of, compile_tables
from sim.position import PLAYER, Option

CARD_KINDS = {"charge", "move", "choose", "discard"}
ROWS = ("front", "back")
ZONES = ("hand", "graveyard", "aether")
MARKS = ("frozen", "idle", "moved", "summoned")
START_AT = {"start": "start", "main": "main", "end": "end"}
SHOWN: tuple[str, ...] = (*ZONES, "deck", "deck_count", "row", "life", "used", "charged", "turn", "turn_seat", "phase")
SHOWN += ("winner", "end", "decider", "attack", "max_hp", "damage", "frozen", "idle", "barrier")
"""Fields of the state that `Game.state` shows."""


class Game(Stepped):
    """One Aether game at a decision, or over."""

    kernel = state
    kinds = tuple(codes.KINDS.split())
    event_kinds = codes.EVENTS
    compile_tables = staticmethod(compile_tables)

    def __init__(
        self,
        sides: Sequence[Sequence[Card]],
        names: Sequence[str] = (),
        rules: Mapping[str, Any] | None = None,
        lists: Sequence[Sequence[Card]] = (),
    ) -> None:
        super().__init__(sides, names, rules, lists)
        self.kinds_of_cards = cards_of([*self.sides, *lists])

    # Setting up

    @classmethod
    def from_position(cls, position: Position) -> Game:  # type: ignore[override]
        """A game at a position, run to its first decision with two or more options."""
        game = cls([[placed.card for placed in side.cards] for side in position.sides], rules=position.rules)
        S = game.lane
        S.log_on = 1
        first = position.turn_player if not position.setup else 2 if position.coin is None else position.coin
        batch.start(S, game.tables, game.players, position.seed, 0, first)
        S.log_count = 0
        game._place(position)
        if position.setup:
            game._deal()
        else:
            game._begin(position)
        game._advance()
        return game

    def _place(self, position: Position) -> None:
        """The cards of a position and the marks of its units; nothing triggers."""
        S = self.lane
        for p, side in enumerate(position.sides):
            zones = {
                zone: [slot for slot, placed in enumerate(side.cards) if placed.zone == zone]
                for zone in (*ZONES, *ROWS, "deck")
            }
            S.life[p], S.used[p], S.charged[p], S.decked[p] = side.life, side.used, side.charged, 0
            S.deck_count[p] = len(zones["deck"])
            S.deck[p, : len(zones["deck"])] = zones["deck"][::-1]
            for zone in ZONES:
                S[zone][p] = mask(zones[zone])
            S.total[p] = len(zones["aether"])
            S.elements[p] = 0
            S.allowed[p] = self.tables.element_mask[p, codes.NEUTRAL]
            for slot in zones["aether"]:
                element = codes.ELEMENTS.index(side.cards[slot].card.element)
                S.elements[p, element] += 1
                S.allowed[p] |= self.tables.element_mask[p, element]
            S.front[p] = mask(zones["front"])
            S.field[p] = mask(zones["front"] + zones["back"])
            S.row[p, :3] = [*zones["front"], 255, 255, 255][:3]
            S.row[p, 3:] = [*zones["back"], 255, 255, 255][:3]
            units = {slot: side.cards[slot] for row in ROWS for slot in zones[row]}
            for name in MARKS:
                S[name][p] = mask([slot for slot, placed in units.items() if getattr(placed, name)])
            S.barrier[p] = mask([slot for slot, placed in units.items() if has_barrier(placed)])
            S.attacked[p] = mask([slot for slot, placed in units.items() if placed.attacks])
            S.twice[p] = mask([slot for slot, placed in units.items() if placed.attacks > 1])
            for slot, placed in units.items():
                obj = p * 64 + slot
                S.damage[obj], S.attacks[obj] = placed.damage, placed.attacks
                S.attack_plus[obj], S.hp_plus[obj] = placed.attack_plus, placed.hp_plus
                S.kept_words[obj] = sum(int(codes.KW[word]) for word in placed.card.keywords if word != "barrier")
            S.offered[p] = S.kept[p] = S.drawn[p] = 0

    def _deal(self) -> None:
        """Opening hands from the decks as they lie."""
        S = self.lane
        for seat in (int(S.first_seat), 1 - int(S.first_seat)):
            n = int(self.tables.first_hand if seat == int(S.first_seat) else self.tables.second_hand)
            for _ in range(n):
                self._draw(seat)
            S.offered[seat] = S.kept[seat] = S.hand[seat]

    def _draw(self, p: int) -> None:
        S = self.lane
        if not S.deck_count[p]:
            S.decked[p] = 1
            return
        S.deck_count[p] -= 1
        slot = int(S.deck[p, S.deck_count[p]])
        full = int(S.hand[p]).bit_count() >= int(self.tables.hand_limit)
        zone = S.graveyard if full else S.hand
        zone[p] |= np.uint64(1 << slot)
        self.events.append(("burn" if full else "draw", p * 64 + slot, 0, 0))

    def _begin(self, position: Position) -> None:
        """At the beginning of a phase; in the main phase right after its check."""
        S = self.lane
        S.turn, S.turn_seat = position.turn, position.turn_player
        S.first_seat = position.turn_player if position.turn % 2 else 1 - position.turn_player
        S.at = S.after = codes.AT[START_AT[position.phase]]
        S.phase = codes.PHASES.index(position.phase)
        batch.derive(S, self.tables, self.players)

    # Options

    def _option(self, kind: str, obj: int, card: int, n: int, b: int) -> Option:
        if kind in CARD_KINDS:
            return Option(kind, card)
        if kind == "play":
            return Option("play", card, -1, n)
        if kind == "attack":
            return Option("attack", obj, card)
        if kind == "attack_player":
            return Option("attack", card, PLAYER + 1 - (card >> 6))
        if kind == "choose_player":
            return Option("choose", PLAYER + b)
        return Option("mode", -1, -1, n) if kind == "mode" else Option(kind)

    def _auto(self, kind: str, obj: int, target: int, n: int) -> Option:
        if kind == "choose_player":
            return Option("choose", obj)
        if kind == "attack":
            return Option("attack", obj, target)
        return self._option(kind, obj, obj, n, 0)

    # Looking

    def _drain(self) -> None:
        seen = len(self.events)
        super()._drain()
        for kind, obj, _, _ in self.events[seen:]:
            if kind == "summon":
                self.appeared.append((obj, self.kinds_of_cards[int(self.lane.card[obj])].number))

    def card_of(self, obj: int) -> Card:
        """The card with this number; of a token place the last token there."""
        return self.kinds_of_cards[int(self.lane.card[obj])]

    def waiting(self) -> list[tuple[int, int]]:
        """Waiting on-destroy abilities as (card, n-th ability), sorted."""
        S = self.lane
        places = range(int(S.wait_head), int(S.waits))
        return sorted((int(S.wait_obj[i]), int(self.tables.n[S.wait_ability[i]])) for i in places)

    def state(self) -> dict[str, Any]:
        """Everything there is to see, hidden cards included, in plain Python."""
        if self.lane.dirty:
            batch.derive(self.lane, self.tables, self.players)
        now = {name: self.lane[name].tolist() for name in SHOWN}
        players: list[dict[str, Any]] = []
        objects: dict[int, dict[str, Any]] = {}
        for p in range(2):
            rows = {
                row: [p * 64 + slot for slot in now["row"][p][3 * i : 3 * i + 3] if slot != 255]
                for i, row in enumerate(ROWS)
            }
            players.append(
                {
                    "life": now["life"][p],
                    "used": now["used"][p],
                    "charged": bool(now["charged"][p]),
                    "deck": [p * 64 + slot for slot in reversed(now["deck"][p][: now["deck_count"][p]])],
                    **{zone: [p * 64 + slot for slot in bits(now[zone][p])] for zone in ZONES},
                    **rows,
                }
            )
            for obj in sorted(rows["front"] + rows["back"]):
                marks = {name: bool(now[name][p] >> (obj & 63) & 1) for name in ("frozen", "idle", "barrier")}
                hp = now["max_hp"][obj] - now["damage"][obj]
                objects[obj] = {"attack": now["attack"][obj], "hp": hp, "max_hp": now["max_hp"][obj], **marks}
        over = now["end"] != 255
        return {
            "turn": now["turn"],
            "turn_player": now["turn_seat"],
            "phase": codes.PHASES[now["phase"]],
            "winner": WINNERS[now["winner"]] if over else None,
            "end": codes.ENDS[now["end"]] if over else None,
            "decides": None if over else now["decider"],
            "players": players,
            "objects": objects,
            "waiting": self.waiting(),
        }


def has_barrier(placed: Placed) -> bool:
    """A unit of a position has a barrier: as it says, otherwise as its card has."""
    return "barrier" in placed.card.keywords if placed.barrier is None else placed.barrier


def mask(slots: list[int]) -> np.uint64:
    """A set of slots."""
    return np.uint64(sum(1 << slot for slot in slots))

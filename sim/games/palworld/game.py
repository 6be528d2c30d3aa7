"""Palworld stepped from Python: positions, options and what there is to see."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels import batch
from kernels.palworld import codes, state
from sim.game import WINNERS, Stepped, bits
from sim.games.palworld.tables import compile_tables
from sim.position import PLAYER, Option, Position

NO_CARD = int(codes.NONE)
CARD_KINDS = {"play", "block", "choose", "assign", "discard"}
NUMBER_KINDS = {"x", "mode", "pay", "name"}
ZONE_FIELDS = {"hand": "hand", "graveyard": "graveyard", "exile": "exile", "base": "bases"}
SHOWN = [*ZONE_FIELDS.values(), "deck", "deck_count", "life", "material", "ingredient", "souls", "souls_rested"]
SHOWN += [
    "resting",
    "turn",
    "turn_seat",
    "phase",
    "is_night",
    "winner",
    "end",
    "decider",
    "waits",
    "wait_obj",
    "wait_n",
]
SHOWN += ["power", "strike", "damage"]
"""Fields of the state that `Game.state` shows."""
START_PHASES = {"stand": "stand", "draw": "draw", "soul": "soul", "main": "main_begin", "end": "end"}


class Game(Stepped):
    """One Palworld game at a decision, or over."""

    kernel = state
    kinds = tuple(codes.KINDS.split())
    event_kinds = codes.EVENTS
    compile_tables = staticmethod(compile_tables)

    @classmethod
    def from_position(cls, position: Position) -> Game:
        """A game at a position, run to its first decision with two or more options."""
        game = cls([[placed.card for placed in side.cards] for side in position.sides], position.names)
        game.lane.log_on = 1
        S = game.lane
        if position.setup:
            first = 2
            batch.start(S, game.tables, game.players, position.seed, 0, first)
            if position.coin is not None:
                S.coin_seat = position.coin
            game._arrange(position)
        else:
            batch.start(S, game.tables, game.players, position.seed, 0, 0)
            game._arrange(position)
            game._place(position)
        game._advance()
        return game

    def _arrange(self, position: Position) -> None:
        """Decks in the given order; every other zone empty. The slots of the deck array run from bottom to top."""
        S = self.lane
        S.log_count = 0
        for p, side in enumerate(position.sides):
            zones = {
                name: [slot for slot, placed in enumerate(side.cards) if placed.zone == name]
                for name in ("hand", "base", "deck", "graveyard", "exile")
            }
            S.deck_count[p] = len(zones["deck"])
            for i, slot in enumerate(reversed(zones["deck"])):
                S.deck[p, i] = slot
            S.hand[p] = sum(1 << slot for slot in zones["hand"])
            S.bases[p] = sum(1 << slot for slot in zones["base"])
            S.graveyard[p] = sum(1 << slot for slot in zones["graveyard"])
            S.exile[p] = sum(1 << slot for slot in zones["exile"])

    def _place(self, position: Position) -> None:
        """Everything of a position but the zones of its cards."""
        S = self.lane
        for p, side in enumerate(position.sides):
            S.life[p], S.material[p], S.ingredient[p] = side.life, side.material, side.ingredient
            S.souls[p], S.souls_rested[p] = side.souls + side.rested_souls, side.rested_souls
            S.offered[p] = S.kept[p] = S.drawn[p] = 0
            for slot, placed in enumerate(side.cards):
                obj = p * 64 + slot
                if placed.rested and placed.zone == "base":
                    S.resting[p] |= np.uint64(1 << slot)
                S.played_count[p] += placed.played_this_turn
                if placed.assigned:
                    S.assigned[p] |= np.uint64(1 << slot)
                if placed.damage and placed.zone == "base":
                    S.damage[obj] = placed.damage
                    S.hurt[p] |= np.uint64(1 << slot)
                    S.changed[p] |= np.uint64(1 << slot)
                if placed.exiled_by >= 0:
                    S.exiled_by[obj] = placed.exiled_by
                if placed.zone == "base":
                    # In the order in which they are written, all of them before anything that enters later.
                    S.deployments += 1
                    S.entered[obj] = S.deployments
        S.turn, S.turn_seat = position.turn, position.turn_player
        S.first_seat = position.turn_player if position.turn % 2 else 1 - position.turn_player
        S.night_turn = position.turn + 1 if position.night else 0
        S.dirty, S.stirred = 1, 1
        if position.phase == "main":
            batch.derive(S, self.tables, self.players)
            S.at = codes.AT_MAIN
            S.after = codes.AT_MAIN
        else:
            S.at = codes.AT[START_PHASES[position.phase]]
        S.phase = codes.PHASES.index(position.phase)

    # Options

    def _option(self, kind: str, obj: int, card: int, n: int, b: int) -> Option:
        if kind in CARD_KINDS:
            return Option(kind, card)
        if kind == "attack":
            return Option("attack", obj, card)
        if kind == "attack_player":
            return Option("attack", card, PLAYER + 1 - (card >> 6))
        if kind == "resolve":
            that = int(self.lane.wait_that[b])
            return Option("resolve", obj, -1 if that in (obj, NO_CARD) else that, n)
        if kind == "activate":
            return Option("activate", obj, -1, n)
        return Option(kind, -1, -1, n + b) if kind in NUMBER_KINDS else Option(kind)

    def _auto(self, kind: str, obj: int, target: int, n: int) -> Option:
        if kind == "attack_player":
            return Option("attack", obj, PLAYER + 1 - (obj >> 6))
        if kind == "attack":
            return Option("attack", obj, target)
        if kind in CARD_KINDS:
            return Option(kind, obj)
        if kind in ("activate", "resolve"):
            return Option(kind, obj, -1, n)
        return Option(kind, -1, -1, n) if kind in NUMBER_KINDS else Option(kind)

    # Looking

    def waiting(self) -> list[tuple[int, int]]:
        """Waiting abilities: (card, n-th automatic ability), sorted."""
        S = self.lane
        return sorted((int(S.wait_obj[i]), int(S.wait_n[i])) for i in range(int(S.waits)))

    def state(self) -> dict[str, Any]:
        """Everything there is to see, hidden cards included, in plain Python."""
        if self.lane.dirty:
            batch.derive(self.lane, self.tables, self.players)
        now = {name: self.lane[name].tolist() for name in SHOWN}
        resting = now["resting"]
        players: list[dict[str, Any]] = []
        for p in range(2):
            souls, rested = now["souls"][p], now["souls_rested"][p]
            deck = now["deck"][p][: now["deck_count"][p]]
            players.append(
                {
                    "life": now["life"][p],
                    "material": now["material"][p],
                    "ingredient": now["ingredient"][p],
                    "souls": souls - rested,
                    "rested_souls": rested,
                    "deck": [p * 64 + slot for slot in reversed(deck)],
                    **{zone: [p * 64 + slot for slot in bits(now[field][p])] for zone, field in ZONE_FIELDS.items()},
                }
            )
        objects = {
            obj: {
                "power": now["power"][obj],
                "strike": now["strike"][obj],
                "damage": now["damage"][obj],
                "rested": bool(resting[obj >> 6] >> (obj & 63) & 1),
            }
            for side in players
            for obj in side["base"]
        }
        over, waits = now["end"] != 255, int(now["waits"])
        return {
            "turn": now["turn"],
            "turn_player": now["turn_seat"],
            "phase": codes.PHASES[now["phase"]],
            "night": bool(now["is_night"]),
            "winner": WINNERS[now["winner"]] if over else None,
            "end": codes.ENDS[now["end"]] if over else None,
            "decides": None if over else now["decider"],
            "players": players,
            "objects": objects,
            "waiting": sorted(zip(now["wait_obj"][:waits], now["wait_n"][:waits], strict=True)),
        }

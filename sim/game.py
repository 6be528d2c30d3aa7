"""A game that is stepped from Python: the one interface under scenarios, replays, agents and learning environments."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kernels import batch
from kernels.palworld import codes, state
from sim.cards.ast import Card
from sim.games.palworld.tables import compile_tables
from sim.position import PLAYER, Option, Position

KINDS = tuple(codes.KINDS.split())
NO_CARD = int(codes.NONE)
CARD_KINDS = {"play", "block", "choose", "assign", "discard"}
NUMBER_KINDS = {"x", "mode", "pay", "name"}
WINNERS = {0: "A", 1: "B", 2: "draw", -1: "none"}
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


def bits(mask: int) -> list[int]:
    """Indices of the set bits of a mask."""
    left, found = int(mask), []
    while left:
        low = left & -left
        found.append(low.bit_length() - 1)
        left ^= low
    return found


class Game:
    """One Palworld game at a decision, or over.

    Cards are `obj = seat * 64 + slot`, the slot counting the cards of the seat as they were given.
    """

    def __init__(
        self, sides: Sequence[Sequence[Card]], names: Sequence[str] = (), rules: Mapping[str, Any] | None = None
    ) -> None:
        self.sides = tuple(tuple(side) for side in sides)
        self.tables: Any = compile_tables(self.sides, names, rules)
        self.lane: Any = state.new_lane()
        self.players: Any = np.zeros(2, state.PLAYERS)
        self.names: list[str] = sorted(set(names) | {card.name for side in sides for card in side})
        self.listed: list[Option] | None = None
        self.auto: list[tuple[int, Option]] = []
        self.events: list[tuple[str, int, int, int]] = []

    # Setting up

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
        S.phase = state_phase(position.phase)

    # Playing

    def _advance(self) -> None:
        self.listed = None
        batch.advance(self.lane, self.tables, self.players)
        self._drain()

    def _drain(self) -> None:
        """Read the log of the kernel: what happened, and which decisions resolved themselves."""
        S = self.lane
        for word in S.log[: min(int(S.log_count), state.LOG)]:
            value = int(word)
            kind, obj = codes.EVENTS[value & 255], value >> 8 & 255
            a, b = (value >> 16 & 0xFFFF) - 32768, (value >> 32) - 2**31
            if kind == "auto":
                self.auto.append((b >> 30, auto_option(KINDS[a], obj, b & 0x3FFFFFFF)))
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
            kind = KINDS[code]
            for b in bits(mask):
                card = seat * 64 + b
                if kind in CARD_KINDS:
                    options.append(Option(kind, card))
                elif kind == "attack":
                    options.append(Option("attack", obj, card))
                elif kind == "attack_player":
                    options.append(Option("attack", card, PLAYER + 1 - seat))
                elif kind == "resolve":
                    that = int(S.wait_that[b])
                    options.append(Option("resolve", obj, -1 if that in (obj, NO_CARD) else that, n))
                elif kind == "activate":
                    options.append(Option("activate", obj, -1, n))
                elif kind in NUMBER_KINDS:
                    options.append(Option(kind, -1, -1, n + b))
                else:
                    options.append(Option(kind))
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

    def copy(self) -> Game:
        """An independent game at the same decision."""
        twin = copy.copy(self)
        lanes = np.zeros(1, state.STATE)
        lanes[0] = self.lane
        twin.lane = lanes[0]
        twin.players = self.players.copy()
        twin.auto, twin.events = list(self.auto), list(self.events)
        return twin

    # Looking

    def cost_of(self, obj: int) -> int:
        """What playing a card would cost now."""
        return batch.cost_of(self.lane, self.tables, self.players, obj)

    def alike(self, obj: int) -> list[int]:
        """Cards that are interchangeable with this one now, itself included."""
        copies = bits(batch.copies_of(self.lane, self.tables, self.players, obj))
        return [obj & 64 | slot for slot in copies] or [obj]

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


def new_game(
    decks: Sequence[str | Path],
    seed: int = 0,
    g: int = 0,
    first: str | None = None,
    cards: Sequence[str | Path] = (),
    game: str = "palworld",
) -> Game:
    """A fresh game of two decks (files or built-in names), at its first decision.

    first: "a" or "b"; None: a coin is flipped and its winner chooses (CR 6.2.1.3). The same decks, seed, g and first
    give the same shuffles as game g of a run. cards: more card files. Raises InputError for what cannot be read.
    """
    from sim.cards import load_cards
    from sim.decks import load_decks
    from sim.provenance import stream_key

    known = load_cards(game, cards)
    a, b = load_decks([str(deck) for deck in decks], known)
    new = Game([[known[number] for number, n in sorted(deck.counts.items()) for _ in range(n)] for deck in (a, b)])
    new.lane.log_on = 1
    key = stream_key(seed, a.name, b.name)
    batch.start(new.lane, new.tables, new.players, key, g, 2 if first is None else "ab".index(first))
    new._advance()
    return new


def auto_option(kind: str, obj: int, packed: int) -> Option:
    """The option behind a logged decision with a single option."""
    target, n = packed & 255, packed >> 8
    if kind == "attack_player":
        return Option("attack", obj, PLAYER + 1 - (obj >> 6))
    if kind == "attack":
        return Option("attack", obj, target)
    if kind in CARD_KINDS:
        return Option(kind, obj)
    if kind in ("activate", "resolve"):
        return Option(kind, obj, -1, n)
    return Option(kind, -1, -1, n) if kind in NUMBER_KINDS else Option(kind)


def state_phase(name: str) -> int:
    """Code of a phase."""
    return codes.PHASES.index(name)

"""The reference engine: plays Aether by the rules, from the parsed cards alone, slowly and in plain words.

It has the interface of the compiled engine, so that both can play the same game side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.cards.ast import Card
from sim.games.aether.position import Placed, Position, Side
from sim.position import Option

from . import checks, choices, derived, moves, turns
from .objects import DECISION_LIMIT, ROWS, SLOTS, Decision, Flow, Game, GameOver, Piece


class Reference:
    """One game. After creation and after every choice it stands at the next decision with two or more options.

    shuffles: orders (top card first) that the next shuffles take, instead of drawing from the seed.
    log: events as (kind, seat, obj, a, b). history: the options chosen so far.
    """

    def __init__(
        self,
        position: Position,
        first: int | None = None,
        shuffles: Sequence[Sequence[int]] = (),
    ) -> None:
        self.position, self.first = position, first
        self.game = set_table(position)
        self.game.shuffles = [list(order) for order in shuffles]
        self.history: list[Option] = []
        self.decision: Decision | None = None
        self.flow = self.play()
        self.advance(None)

    @classmethod
    def from_position(cls, position: Position) -> Reference:
        """A game at a position, or with `setup` one before its first decision."""
        return cls(position)

    @classmethod
    def new_game(
        cls,
        decks: tuple[Sequence[Card], Sequence[Card]],
        first: int,
        seed: int = 0,
        shuffles: Sequence[Sequence[int]] = (),
    ) -> Reference:
        """A game of a run: slots in the order of the sorted decks, which are shuffled first, seat 0 before seat 1."""
        return cls(fresh(decks, seed), first, shuffles)

    def play(self) -> Flow:
        """The whole game, from the position to its end."""
        game, position = self.game, self.position
        try:
            if not position.setup:
                yield from turns.play(game, position.phase)
            if self.first is not None:
                for seat in (0, 1):
                    game.shuffle(seat)
            coin = position.coin if position.coin is not None else game.random.randrange(2)
            yield from turns.set_up(game, self.first if self.first is not None else coin)  # AE-1.1
            yield from turns.play(game, "start")
        except GameOver:
            return

    def advance(self, answer: Option | None) -> None:
        """Run to the next decision with two or more options; the others resolve themselves."""
        try:
            while True:
                decision = self.flow.send(answer) if answer is not None else next(self.flow)
                if len(decision.options) > 1:
                    break
                answer = decision.options[0]
                self.game.auto.append((decision.seat, answer))
            self.game.turn_decisions += 1
            if self.game.turn_decisions > DECISION_LIMIT:
                checks.finish(self.game, "none", "loop")
            self.decision = decision
        except (StopIteration, GameOver):
            self.decision = None

    @property
    def over(self) -> bool:
        return self.game.end is not None

    @property
    def decides(self) -> int | None:
        return self.decision.seat if self.decision is not None else None

    @property
    def log(self) -> list[tuple[str, int, int, int, int]]:
        return self.game.log

    @property
    def auto(self) -> list[tuple[int, Option]]:
        """What has resolved itself since the last choice, as (seat, option)."""
        return self.game.auto

    @property
    def appeared(self) -> list[tuple[int, str]]:
        """The tokens that have appeared, in this order: (obj, card number)."""
        return self.game.appeared

    def options(self) -> list[Option]:
        """The options of the open decision, sorted; none after the end."""
        return list(self.decision.options) if self.decision is not None else []

    def choose(self, option: Option) -> None:
        """Take an option of the open decision."""
        if option not in self.options():
            raise ValueError(f"{option} is not open: {self.options()}")
        self.history.append(option)
        self.game.auto = []
        self.advance(option)

    def copy(self) -> Reference:
        """An independent game in the same state: the same choices from the start, with the same shuffles."""
        shuffles = [*self.game.shuffled, *self.game.shuffles]
        twin = Reference(self.position, self.first, shuffles)
        for option in self.history:
            twin.choose(option)
        twin.game.random.setstate(self.game.random.getstate())
        return twin

    def alike(self, obj: int) -> list[int]:
        """The cards that are interchangeable with this one now, itself included."""
        piece = self.game.find(obj)
        if piece is None:
            return [obj]
        player = self.game.players[piece.owner]
        zone = player.units() if piece.on_field else player.zone(piece.zone)
        key = choices.alike(self.game, piece)
        return sorted(one.obj for one in zone if choices.alike(self.game, one) == key)

    def cost_of(self, obj: int) -> int:
        """What playing the card would cost now."""
        piece = self.game.find(obj)
        if piece is None:
            raise ValueError(f"card {obj} is in no zone")
        return derived.cost(self.game, piece)

    def waiting(self) -> list[tuple[int, int]]:
        """Waiting on-destroy abilities as (card, n-th ability), without the one being resolved."""
        return sorted((entry.source.obj, entry.n) for entry in self.game.queue)

    def state(self) -> dict[str, Any]:
        """Everything visible and hidden, in plain values."""
        game = self.game
        winner = "AB"[game.winner] if isinstance(game.winner, int) else game.winner
        return {
            "turn": game.turn,
            "turn_player": game.turn_player,
            "phase": game.phase,
            "winner": winner,
            "end": game.end,
            "decides": self.decides,
            "players": [
                {
                    "life": player.life,
                    "used": player.used,
                    "charged": player.charged,
                    "deck": [piece.obj for piece in player.deck],
                    **{zone: sorted(one.obj for one in player.zone(zone)) for zone in ("hand", "graveyard", "aether")},
                    **{row: [unit.obj for unit in player.rows[row] if unit is not None] for row in ROWS},
                }
                for player in game.players
            ],
            "objects": {
                unit.obj: {
                    "attack": derived.attack(game, unit),
                    "hp": derived.hp(game, unit),
                    "max_hp": derived.max_hp(game, unit),
                    "frozen": unit.frozen,
                    "idle": unit.idle,
                    "barrier": unit.barrier,
                }
                for unit in sorted(game.units(), key=lambda unit: unit.obj)
            },
            "waiting": self.waiting(),
        }


def set_table(position: Position) -> Game:
    """Place the cards of a position; nothing triggers."""
    game = Game(position.turn_player, 1 if position.setup else position.turn, position.seed, position.rules)
    here = [placed.card for side in position.sides for placed in side.cards]
    game.tokens = {token.number: token for card in here for token in card.makes}
    for seat, side in enumerate(position.sides):
        player = game.players[seat]
        player.life, player.used, player.charged = side.life, side.used, side.charged
        game.first_slot[seat] = game.next_slot[seat] = len(side.cards)
        for slot, one in enumerate(side.cards):
            piece = Piece(seat * SLOTS + slot, one.card, one.zone)
            if one.zone in ROWS:
                moves.place(game, piece, one.zone)
                mark(piece, one)
            else:
                player.zone(one.zone).append(piece)
    return game


def mark(unit: Piece, placed: Placed) -> None:
    """The marks of a unit in a position."""
    unit.damage, unit.attacks = placed.damage, placed.attacks
    unit.frozen, unit.idle, unit.moved, unit.summoned = placed.frozen, placed.idle, placed.moved, placed.summoned
    unit.attack_plus, unit.hp_plus = placed.attack_plus, placed.hp_plus
    if placed.barrier is not None:
        unit.barrier = placed.barrier


def fresh(decks: tuple[Sequence[Card], Sequence[Card]], seed: int) -> Position:
    """A position before the first decision of a game with these decks."""
    sides = [
        Side(cards=[Placed(card=card, zone="deck") for card in sorted(deck, key=lambda card: card.number)])
        for deck in decks
    ]
    return Position(sides=(sides[0], sides[1]), setup=True, seed=seed)

"""The reference engine: plays Palworld by the rules, from the parsed cards alone, slowly and in plain words.

It has the interface of the compiled engine, so that both can play the same game side by side: `options`, `choose`,
`state`, `over`, `decides`, `cost_of`, `copy`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.cards.ast import Card
from sim.position import Option, Placed, Position, Side

from . import checks, choices, derived, turns
from .objects import DECISION_LIMIT, Decision, Flow, Game, GameOver, Lasting, Piece

PHASES = ("stand", "draw", "soul", "main", "end")


class Reference:
    """One game. After creation and after every choice it stands at the next decision with two or more options.

    names: card names that may be declared besides those of the position.
    shuffles: orders (top card first) that the next shuffles take, instead of drawing from the seed.
    log: events as (kind, seat, obj, a, b). history: the options chosen so far.
    """

    def __init__(
        self,
        position: Position,
        names: Sequence[str] | None = None,
        first: int | None = None,
        shuffles: Sequence[Sequence[int]] = (),
    ) -> None:
        self.position, self.first = position, first
        self.given_names = list(names) if names is not None else None
        self.game = set_table(position)
        here = {one.card.name for side in position.sides for one in side.cards}
        self.game.names = sorted(here | set(position.names) | set(self.given_names or ()))
        self.game.shuffles = [list(order) for order in shuffles]
        self.history: list[Option] = []
        self.decision: Decision | None = None
        self.flow = self.play()
        self.advance(None)

    @classmethod
    def from_position(cls, position: Position, names: Sequence[str] | None = None) -> Reference:
        """A game at a position, or with `setup` one before its first decision."""
        return cls(position, names)

    @classmethod
    def new_game(
        cls,
        decks: tuple[Sequence[Card], Sequence[Card]],
        first: int,
        seed: int = 0,
        shuffles: Sequence[Sequence[int]] = (),
        names: Sequence[str] | None = None,
    ) -> Reference:
        """A game of a run: slots in the order of the sorted decks, which are shuffled first, seat 0 before seat 1."""
        return cls(fresh(decks, seed), names, first, shuffles)

    def play(self) -> Flow:
        """The whole game, from the position to its end."""
        game, position = self.game, self.position
        try:
            if not position.setup:
                if position.phase == "main":
                    game.phase = "main"
                    yield from turns.play_timing(game)
                    yield from turns.end_phase(game)
                    turns.next_turn(game)
                    yield from turns.turns(game, "stand")
                else:
                    yield from turns.turns(game, position.phase)
            if self.first is not None:
                for seat in (0, 1):  # CR 6.2.1.2
                    game.shuffle(seat)
            yield from turns.set_up(game, position.coin, self.first)
            turns.begin_turn(game)
            yield from turns.turns(game, "stand")
        except GameOver:
            return

    def advance(self, answer: Option | None) -> None:
        """Run to the next decision with two or more options; the others resolve themselves."""
        game = self.game
        try:
            while True:
                decision = self.flow.send(answer) if answer is not None else next(self.flow)
                if len(decision.options) > 1:
                    break
                answer = decision.options[0]
                game.auto.append((decision.seat, answer))
            game.turn_decisions += 1
            if game.turn_decisions > DECISION_LIMIT:
                checks.finish(game, "none", "loop")
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
    def shuffles(self) -> list[list[int]]:
        return self.game.shuffles

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
        twin = Reference(self.position, self.given_names, self.first, shuffles)
        for option in self.history:
            twin.choose(option)
        twin.game.random.setstate(self.game.random.getstate())
        return twin

    @property
    def auto(self) -> list[tuple[int, Option]]:
        """What has resolved itself since the last choice, as (seat, option)."""
        return self.game.auto

    @property
    def names(self) -> list[str]:
        """The card names that may be declared (CR 5.19.1)."""
        return self.game.names

    def alike(self, obj: int) -> list[int]:
        """The cards that are interchangeable with this one now, itself included."""
        piece = self.game.find(obj)
        if piece is None:
            return [obj]
        pointed = choices.pointed_at(self.game)
        key = choices.alike(self.game, piece, pointed)
        zone = self.game.players[piece.owner].zone(piece.zone)
        return sorted(one.obj for one in zone if choices.alike(self.game, one, pointed) == key)

    def cost_of(self, obj: int) -> int:
        """What playing the card would cost now."""
        piece = self.game.find(obj)
        if piece is None:
            raise ValueError(f"card {obj} is in no zone")
        return derived.play_cost(self.game, piece)

    def waiting(self) -> list[tuple[int, int]]:
        """Waiting automatic abilities as (card, n), without the one being resolved."""
        return sorted((entry.source.obj, entry.n) for entry in self.game.waiting)

    def state(self) -> dict[str, Any]:
        """Everything visible and hidden, in plain values."""
        game = self.game
        seat_of = {0: "A", 1: "B"}
        winner = seat_of[game.winner] if isinstance(game.winner, int) else game.winner
        return {
            "turn": game.turn,
            "turn_player": game.turn_player,
            "phase": game.phase,
            "night": derived.night(game),
            "winner": winner,
            "end": game.end,
            "decides": self.decides,
            "players": [
                {
                    "life": player.life,
                    "material": player.material,
                    "ingredient": player.ingredient,
                    "souls": player.souls,
                    "rested_souls": player.rested_souls,
                    "deck": [piece.obj for piece in player.deck],
                    **{
                        zone: sorted(piece.obj for piece in player.zone(zone))
                        for zone in ("hand", "graveyard", "exile", "base")
                    },
                }
                for player in game.players
            ],
            "objects": {
                piece.obj: {
                    "power": derived.power(game, piece),
                    "strike": derived.strike(game, piece),
                    "damage": piece.damage,
                    "rested": piece.rested,
                }
                for piece in sorted(game.base(), key=lambda piece: piece.obj)
            },
            "waiting": self.waiting(),
        }


def set_table(position: Position) -> Game:
    """Place the cards of a position; nothing triggers."""
    game = Game(position.turn_player, position.turn, position.seed)
    placed: dict[int, Piece] = {}
    links: list[tuple[Piece, int]] = []
    for seat, side in enumerate(position.sides):
        player = game.players[seat]
        player.life, player.material, player.ingredient = side.life, side.material, side.ingredient
        if not position.setup:
            player.souls, player.rested_souls = side.souls, side.rested_souls
        for slot, one in enumerate(side.cards):
            piece = Piece(seat * 64 + slot, one.card, one.zone, 0, one.rested, one.damage, one.assigned)
            player.zone(one.zone).append(piece)
            placed[piece.obj] = piece
            if one.played_this_turn:
                piece.play = game.next_stamp()
                player.played.append(piece.play)
            if one.exiled_by >= 0:
                links.append((piece, one.exiled_by))
    for piece, exiler in links:
        piece.exiled_by = placed[exiler]
    if position.night and not position.setup:
        game.lasting.append(Lasting("night", position.turn_player, 0, position.turn, "enemy_turn"))
    return game


def fresh(decks: tuple[Sequence[Card], Sequence[Card]], seed: int) -> Position:
    """A position before the first decision of a game with these decks."""
    sides = [
        Side(cards=[Placed(card=card, zone="deck") for card in sorted(deck, key=lambda card: card.number)])
        for deck in decks
    ]
    return Position(sides=(sides[0], sides[1]), setup=True, seed=seed)

"""Aether side by side: random decks, what is compared, what must hold, and positions to start from."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from sim.cards import load_cards
from sim.cards.ast import Card
from sim.games.aether import RULES
from sim.games.aether.game import Game
from sim.games.aether.position import Placed, Position, Side
from sim.games.aether.vocabulary import KEYWORDS
from tests.differential import pair
from tests.reference.aether.engine import Reference
from tests.reference.aether.objects import ROW_SIZE, ROWS

SIZE, COPIES = RULES["deck_size"], RULES["copies"]
ZONES = (*ROWS, "hand", "deck", "graveyard", "aether")
FIELDS = {
    "turn": "a", "mulligan": "", "draw": "", "burn": "", "charge": "", "play": "a", "used": "", "attack": "a",
    "move": "a", "damage": "a", "life": "a", "barrier": "a", "heal": "a", "modify": "ab", "keyword": "ab",
    "freeze": "", "destroy": "", "return": "", "vanish": "", "discard": "", "mill": "", "ramp": "a", "summon": "a",
    "resolve": "a", "over": "a",
}  # fmt: skip
USED = {"auto": "resolve"}
"""Kinds of abilities and the event that says that one was used."""
TESTS = "tests/fixtures/cards/aether-tests.toml"


# -------------------------------------------------------------------------------------------------------- decks


@lru_cache(maxsize=1)
def pool() -> tuple[Card, ...]:
    """All cards of the game, by number."""
    return tuple(load_cards("aether").values())


@lru_cache(maxsize=1)
def playable() -> tuple[Card, ...]:
    """Those that a deck may hold."""
    return tuple(card for card in pool() if card.type != "token")


@lru_cache(maxsize=1)
def made_up() -> tuple[Card, ...]:
    """The same, and the cards made for tests."""
    return tuple(card for card in load_cards("aether", [TESTS]).values() if card.type != "token")


def legal(rng: random.Random) -> list[Card]:
    """Forty cards of one to three elements and neutral ones, three of a card at most."""
    elements = {*rng.sample(("flame", "tide", "grove", "umbra"), rng.choice((1, 2, 2, 2, 3))), "neutral"}
    stock = [card for card in playable() if card.element in elements]
    rng.shuffle(stock)
    deck: list[Card] = []
    while len(deck) < SIZE:
        for card in stock:
            room = min(SIZE - len(deck), COPIES - deck.count(card))
            deck += [card] * min(room, rng.choice((1, 2, 3, 3)))
    return deck


def stress(rng: random.Random, cards: Sequence[Card] = ()) -> list[Card]:
    """Forty of all cards in any number: a few often, the others once; cheap ones more than dear ones."""
    cards = cards or playable()
    often = rng.sample(cards, rng.randint(2, 6))
    weights = [9 - min(card.cost, 8) for card in cards]
    return [rng.choice(often) if rng.random() < 0.4 else rng.choices(cards, weights)[0] for _ in range(SIZE)]


def few(rng: random.Random) -> list[Card]:
    """Forty of four to eight cards: many copies of the same."""
    cards = rng.sample(playable(), rng.randint(4, 8))
    return [rng.choice(cards) for _ in range(SIZE)]


def tests(rng: random.Random) -> list[Card]:
    """Stress decks with the cards made for tests, which do what no card of the set does."""
    return stress(rng, made_up())


def mixed(rng: random.Random) -> list[Card]:
    """Thirty cards, the units among them with the abilities and keywords of one another and other numbers."""
    units = [card for card in made_up() if card.type == "unit"]
    made = []
    for card in rng.sample(made_up(), 30):
        if card.type == "unit":
            others = rng.sample(units, 3)
            texts = [ability for other in others for ability in other.abilities]
            card = replace(
                card,
                element=rng.choice(("neutral", card.element)),
                cost=rng.randint(0, 3),
                attack=rng.randint(0, 5),
                hp=rng.randint(1, 6),
                keywords=tuple(word for word in KEYWORDS if rng.random() < 0.2),
                abilities=tuple(texts[:3]),
                makes=tuple(token for other in others for token in other.makes),
            )
        made.append(card)
    return made


BUILD: dict[str, Callable[[random.Random], list[Card]]] = {
    "legal": legal,
    "stress": stress,
    "few": few,
    "tests": tests,
    "rich": tests,
}
KINDS = (*BUILD, "mixed")
WHOLE = 4
"""In one of so many games the whole state is compared at every decision, in the others at one of eight."""
POSITIONS = ("rich",)
"""Kinds of decks whose games start in the middle."""


def deal(kind: str, rng: random.Random) -> tuple[list[Card], list[Card]]:
    """Two decks of a kind. "mixed": stress decks of cards that have the abilities of one another."""
    if kind == "mixed":
        cards = mixed(rng)
        return stress(rng, cards), stress(rng, cards)
    return BUILD[kind](rng), BUILD[kind](rng)


def abilities(card: Card) -> list[tuple[str, int]]:
    """The abilities of a card that are counted, by their place."""
    return [("auto", n) for n, ability in enumerate(card.abilities, 1) if ability.kind == "auto"]


# --------------------------------------------------------------------------------------------------- comparison


class Pair(pair.Pair):
    """Both engines at one game of Aether."""

    game = Game
    played_by = Reference
    fields = FIELDS

    def costs_each(self) -> int:
        return 8

    def own_invariants(self, state: dict[str, Any]) -> list[str]:
        """The cards of a seat are in one zone each, tokens on the field or nowhere; bounds of rows, hand, aether."""
        wrong = []
        for p, player in enumerate(state["players"]):
            objs = [obj for zone in ZONES for obj in player[zone]]
            size = len(self.kernel.sides[p])
            own = sorted(obj for obj in objs if obj % 64 < size)
            missing = set(range(p * 64, p * 64 + size)) - set(own)
            if len(set(objs)) != len(objs) or len(missing) > (not self.over and self.resolving(p)):
                wrong.append(f"seat {p}: a card is nowhere or in two zones: {sorted(objs)}")
            if any(obj % 64 >= size for zone in ZONES if zone not in ROWS for obj in player[zone]):
                wrong.append(f"seat {p}: a token off the field")
            if any(len(player[row]) > ROW_SIZE for row in ROWS) or len(player["hand"]) > RULES["hand_limit"]:
                wrong.append(f"seat {p}: a row or the hand is too full")
            if not 0 <= player["used"] <= len(player["aether"]) or player["life"] > RULES["life"]:
                wrong.append(f"seat {p}: used {player['used']} of {len(player['aether'])}, life {player['life']}")
        return wrong

    def resolving(self, seat: int) -> bool:
        """Whether a spell of this seat is being resolved, in no zone (AE-8.24)."""
        source = self.reference.game.resolving
        return source is not None and source.card.type == "spell" and source.owner == seat


class Both(pair.Both):
    """Both engines at a scenario."""

    of = Pair


# ---------------------------------------------------------------------------------------------------- positions


def opening(game: Game, rng: random.Random, seed: int) -> Position:
    """The decks of a table before the first decision, in a random order; slots in that order."""
    sides = []
    for side in game.sides:
        cards = rng.sample(side, len(side))
        sides.append(Side(cards=[Placed(card=card, zone="deck") for card in cards]))
    return Position(sides=(sides[0], sides[1]), setup=True, coin=rng.randrange(2), seed=seed)


def rich(game: Game, rng: random.Random, seed: int) -> Position:
    """The middle of a game in which much is possible: units, aether, hands and graveyards."""
    sides = []
    for side in game.sides:
        cards = rng.sample(side, len(side))
        units = [card for card in cards if card.type == "unit"]
        placed = []
        for row in ROWS:
            for card in units[: rng.randint(0, 3)]:
                units.remove(card)
                cards.remove(card)
                placed.append(unit(card, row, rng))
        zones = rng.choices(("hand", "graveyard", "aether", "deck"), (2, 3, 5, 5), k=len(cards) - 1)
        hands = 0
        for card, zone in zip(cards, [*zones, "deck"], strict=True):
            hands += zone == "hand"
            full = zone == "hand" and hands > RULES["hand_limit"]
            placed.append(Placed(card=card, zone="deck" if full else zone))
        aether = sum(one.zone == "aether" for one in placed)
        sides.append(
            Side(cards=placed, life=rng.randint(1, 20), used=rng.randint(0, aether), charged=rng.random() < 0.3)
        )
    return Position(sides=(sides[0], sides[1]), turn=rng.randint(2, 30), turn_player=rng.randrange(2), seed=seed)


def unit(card: Card, row: str, rng: random.Random) -> Placed:
    """A unit on the field, with damage and marks now and then."""
    hp_plus, chance = rng.choice((0, 0, 0, 1, 2)), rng.random
    return Placed(
        card=card,
        zone=row,
        damage=rng.randint(0, (card.hp or 1) + hp_plus - 1) if chance() < 0.4 else 0,
        frozen=chance() < 0.1,
        idle=chance() < 0.05,
        attacks=int(chance() < 0.1),
        moved=chance() < 0.05,
        summoned=chance() < 0.1,
        attack_plus=rng.choice((0, 0, 0, -1, 1, 3)),
        hp_plus=hp_plus,
    )

"""Reading the card language: amounts, filters, references and conditions, at the moment they are needed."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from sim.cards.ast import All, Amount, Compare, Condition, Filter, Flag, Is, Not, Target, Test

from . import derived
from .objects import Frame, Game, Piece

OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
}


def spelled(nodes: Any) -> str:
    """Text of syntax nodes, to look for words in."""
    return repr(nodes)


# Amounts ------------------------------------------------------------------------------------------------------------


def value(game: Game, amount: Amount | None, frame: Frame) -> int:
    """A number of a text (CR 1.3.2.4: below 0 too)."""
    if amount is None:
        return 0
    return amount.const + (amount.times * term(game, amount, frame) if amount.times else 0)


def count_of(game: Game, amount: Amount | None, frame: Frame) -> int:
    """A number of things to do; below 0 it is read as 0 (CR 1.3.2.2.1)."""
    return max(0, value(game, amount, frame))


def term(game: Game, amount: Amount, frame: Frame) -> int:
    """The variable part of an amount."""
    me = game.players[frame.master]
    match amount.term:
        case "":
            return 0
        case "x":
            return frame.x
        case "count":
            return len(members(game, amount.what or Filter(), frame))
        case "names":
            return different_names(game, members(game, amount.what or Filter(), frame))
        case "souls":
            return me.souls + me.rested_souls
        case "chosen":
            return frame.chosen
        case "hand":
            return len(me.hand)
        case "material":
            return me.material
        case "ingredient":
            return me.ingredient
        case "power" | "strike" | "cost":
            pieces = referred(amount.of, frame)
            if not pieces:
                return 0
            if pieces[0] in frame.known:
                return int(getattr(frame.known[pieces[0]], amount.term))
            read = {"power": derived.power, "strike": derived.strike, "cost": derived.cost}[amount.term]
            return read(game, pieces[0])
    raise ValueError(f"unknown amount term {amount.term!r}")


def different_names(game: Game, pieces: Iterable[Piece]) -> int:
    """The largest number of cards of which no two share a name (CR 5.20)."""
    groups = sorted({derived.names(game, piece) for piece in pieces}, key=sorted)

    def most(left: list[frozenset[str]]) -> int:
        if not left:
            return 0
        first, rest = left[0], left[1:]
        apart = [group for group in rest if not group & first]
        if len(apart) == len(rest):
            return 1 + most(rest)
        return max(1 + most(apart), most(rest))

    return most(groups)


# Filters and references ---------------------------------------------------------------------------------------------


def referred(reference: str, frame: Frame) -> list[Piece]:
    """The cards that a word names, gone or not."""
    match reference:
        case "this":
            return [frame.this]
        case "that":
            return [frame.that] if frame.that is not None else []
        case "them" | "assigned" | "paid":
            return list(getattr(frame, reference))
    raise ValueError(f"unknown reference {reference!r}")


def targets(game: Game, target: Target | None, frame: Frame) -> list[Piece]:
    """The cards that an effect is for; a card that has changed zone since is a new one and is left out (CR 4.1.4)."""
    if target is None:
        return []
    if isinstance(target, str):
        found = [piece for piece in referred(target, frame) if not piece.gone]
    else:
        found = members(game, target, frame)
    return sorted(found, key=lambda piece: piece.obj)


def members(game: Game, what: Filter, frame: Frame) -> list[Piece]:
    """All cards in the filter's zone that match it. Without a zone named it is the base (CR 4.4.3)."""
    if what.zone == "looked":
        pool = [piece for piece in frame.looked if not piece.gone]
    else:
        pool = [piece for player in game.players for piece in player.zone(what.zone)]
    return [piece for piece in pool if fits(game, what, piece, frame)]


def fits(game: Game, what: Filter, piece: Piece, frame: Frame) -> bool:
    """The card matches the filter, whatever its zone."""
    if what.types and piece.card.type not in what.types:
        return False
    if what.side != "any" and (piece.owner == frame.master) != (what.side == "my"):
        return False
    if what.other and piece is frame.this:
        return False
    return all(passes(game, test, piece, frame) for test in what.where)


def passes(game: Game, test: Test, piece: Piece, frame: Frame) -> bool:
    """One test of a card. A main name is the part before the dash of any of its names (CR 2.1.3)."""
    card = piece.card
    if test.op in OPERATORS:
        number = derived.cost(game, piece) if test.key == "cost" else derived.power(game, piece)
        bound = test.value if isinstance(test.value, Amount) else Amount(const=int(test.value))
        return OPERATORS[test.op](number, value(game, bound, frame))
    word = str(test.value)
    match test.key:
        case "color":
            hit = card.color == word
        case "element":
            hit = word in card.elements
        case "work":
            hit = word in card.work
        case "subtype":
            hit = card.subtype == word
        case "main":
            hit = any(name.partition(" – ")[0] == word for name in derived.names(game, piece) if " – " in name)
        case "name":
            hit = word in derived.names(game, piece)
        case "name_has":
            hit = any(word in name for name in derived.names(game, piece))
        case "keyword":
            hit = word in derived.keywords(game, piece)
        case "state":
            hit = piece.rested == (word == "rested")
        case "assigned":
            hit = piece.assigned
        case "exiled_by_this":
            hit = piece.exiled_by is frame.this
        case _:
            raise ValueError(f"unknown test {test.key!r}")
    return hit == (test.op != "not")


# Conditions ---------------------------------------------------------------------------------------------------------


def holds(game: Game, condition: Condition, frame: Frame) -> bool:
    """A condition of a text."""
    match condition:
        case Compare():
            left, right = value(game, condition.left, frame), value(game, condition.right, frame)
            return OPERATORS[condition.op](left, right)
        case Is():
            pieces = referred(condition.of, frame)
            return bool(pieces) and all(fits(game, condition.what, piece, frame) for piece in pieces)
        case Flag(name="night"):
            return derived.night(game)
        case Flag(name="did"):
            return frame.did
        case Flag(name="first_card"):
            return all(play == frame.this.play for play in game.players[frame.master].played)
        case Not():
            return not holds(game, condition.of, frame)
        case All():
            return all(holds(game, part, frame) for part in condition.of)
    raise ValueError(f"unknown condition {condition!r}")

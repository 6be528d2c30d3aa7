"""Numbers and properties as they are now: attack, HP, keywords, cost, conditions, descriptions of cards."""

from __future__ import annotations

from sim.cards.ast import All, Amount, Compare, Condition, Filter, Not, Resonance, Static, Test
from sim.position import PLAYER

from .objects import Game, Piece


def resonates(game: Game, seat: int, element: str, count: int) -> bool:
    """Used and unused aether of the element count (AE-8.20)."""
    return sum(piece.card.element == element for piece in game.players[seat].aether) >= count


def statics(game: Game, piece: Piece, zone: str, kind: str) -> list[Static]:
    """The continuous effects of a card that hold now (AE-8.19)."""
    if not piece.continuous:
        return []
    return [
        static
        for ability in piece.continuous
        if ability.zone == zone
        if ability.when is None or holds(game, piece, piece.owner, ability.when)
        for static in ability.statics
        if static.kind == kind
    ]


def raw_attack(game: Game, unit: Piece) -> int:
    """The plain sum, below 0 too (AE-8.22)."""
    own = sum(amount(game, unit, unit.owner, s.attack) for s in statics(game, unit, "field", "modify"))
    return (unit.card.attack or 0) + unit.attack_plus + unit.attack_turn + own


def attack(game: Game, unit: Piece) -> int:
    """Never below 0 where it is read (s8, AE-8.22)."""
    return max(0, raw_attack(game, unit))


def max_hp(game: Game, unit: Piece) -> int:
    """AE-8.23: what changes HP changes the maximum, damage stays."""
    own = sum(amount(game, unit, unit.owner, s.hp) for s in statics(game, unit, "field", "modify"))
    return (unit.card.hp or 0) + unit.hp_plus + unit.hp_turn + own


def hp(game: Game, unit: Piece) -> int:
    """AE-5.11."""
    return max_hp(game, unit) - unit.damage


def keywords(game: Game, unit: Piece) -> set[str]:
    """Keywords of a unit on the field; one that is off it has those with which it left. Having one twice means nothing
    (AE-6.21)."""
    if not unit.on_field:
        return set(unit.last)
    own = {static.word for static in statics(game, unit, "field", "keyword")}
    return unit.keywords | unit.keywords_turn | own | ({"barrier"} if unit.barrier else set())


def cost(game: Game, piece: Piece) -> int:
    """What playing the card costs: never below 0 (AE-2.12)."""
    less = sum(amount(game, piece, piece.owner, s.amount) for s in statics(game, piece, "hand", "cost"))
    return max(0, piece.card.cost - less)


# --------------------------------------------------------------------------------------- numbers and conditions


def amount(game: Game, source: Piece, seat: int, what: Amount | None) -> int:
    """`const + times * count(...)`."""
    if what is None:
        return 0
    if not what.term:
        return what.const
    assert what.term == "count" and what.what is not None
    return what.const + what.times * len(matching(game, source, seat, what.what))


def holds(game: Game, source: Piece, seat: int, when: Condition) -> bool:
    match when:
        case Resonance():
            return resonates(game, seat, when.element, when.count)
        case Not():
            return not holds(game, source, seat, when.of)
        case All():
            return all(holds(game, source, seat, part) for part in when.of)
        case Compare():
            return compare(amount(game, source, seat, when.left), when.op, amount(game, source, seat, when.right))
    raise TypeError(when)


def compare(left: int, op: str, right: int) -> bool:
    return {"<=": left <= right, ">=": left >= right, "==": left == right}[op]


# --------------------------------------------------------------------------------------------- descriptions


def sides(seat: int, side: str) -> set[int]:
    return {"my": {seat}, "enemy": {1 - seat}, "any": {0, 1}}[side]


def matching(game: Game, source: Piece, seat: int, what: Filter) -> list[Piece]:
    """The cards that a description means now, the active player's first, units in slot order. Rows do not limit effects
    (AE-8.5)."""
    found = []
    for owner in game.seats():
        if owner in sides(seat, what.side):
            player = game.players[owner]
            pieces = player.units() if what.zone == "field" else player.zone(what.zone)
            found += [piece for piece in pieces if fits(game, source, piece, what)]
    return found


def fits(game: Game, source: Piece, piece: Piece, what: Filter) -> bool:
    """Whether a card has the type and passes all tests; `other` leaves out the source alone (AE-8.4)."""
    if what.other and piece is source:
        return False
    types = {piece.card.type} | ({"unit"} if piece.is_token else set())
    if what.types and not types & set(what.types):
        return False
    return all(passes(game, source, piece, test) for test in what.where)


def passes(game: Game, source: Piece, piece: Piece, test: Test) -> bool:
    if isinstance(test.value, Amount):
        value = {
            "cost": lambda: piece.card.cost,  # printed; of a token 0 (AE-1.9)
            "attack": lambda: attack(game, piece) if piece.on_field else piece.card.attack or 0,
            "hp": lambda: hp(game, piece) if piece.on_field else piece.card.hp or 0,
        }[test.key]()
        return compare(value, test.op, amount(game, source, source.owner, test.value))
    has = {
        "element": lambda: piece.card.element == test.value,
        "keyword": lambda: test.value in (keywords(game, piece) if piece.on_field else piece.card.keywords),
        "row": lambda: piece.zone == test.value,
        "state": lambda: piece.on_field and (piece.damage > 0 if test.value == "damaged" else piece.frozen),
    }[test.key]()
    return has == (test.op == "is")


def candidates(game: Game, source: Piece, seat: int, what: Filter) -> list[int]:
    """What may be chosen: units, and players where the text names them (AE-8.26)."""
    found = [piece.obj for piece in matching(game, source, seat, what)]
    if "player" in what.types:
        found += [PLAYER + owner for owner in game.seats() if owner in sides(seat, what.side)]
    return found

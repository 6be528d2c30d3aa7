"""Costs of abilities: whether they can be paid, and paying them in printed order (CR 10.4)."""

from __future__ import annotations

from sim.cards.ast import Cost

from . import choices, derived, moves, reading
from .objects import Flow, Frame, Game, Piece

X_LIMIT = 200


def wants_x(costs: tuple[tuple[Cost, ...], ...]) -> bool:
    """The player chooses an X with this cost (CR 10.6.2.2.2)."""
    return any(part.amount.term == "x" and part.amount.times for parts in costs for part in parts)


def payable(game: Game, parts: tuple[Cost, ...], frame: Frame) -> bool:
    """All parts can be paid, each with what the others leave (CR 10.4.2.2)."""
    me = game.players[frame.master]
    need: dict[str, int] = {}
    for part in parts:
        count = reading.count_of(game, part.amount, frame)
        match part.verb:
            case "souls" | "consume" | "mill":
                what = part.word or part.verb
                need[what] = need.get(what, 0) + count
                stock = {"souls": me.souls, "mill": len(me.deck)}.get(what, getattr(me, what, 0))
                if need[what] > stock:
                    return False
            case "rest":
                if frame.this.gone or frame.this.zone != "base" or frame.this.rested:
                    return False
            case "discard_this":
                if frame.this.gone or frame.this.zone != "hand":
                    return False
            case _:
                if count > len(candidates(game, part, frame, parts)):
                    return False
    return True


def candidates(game: Game, part: Cost, frame: Frame, parts: tuple[Cost, ...]) -> list[Piece]:
    """The cards that can pay a part: not the card itself where another part takes it."""
    me = game.players[frame.master]
    taken = {other.verb for other in parts}
    match part.verb:
        case "assign":
            if derived.rushed(game, frame.master):
                return []
            pool = [pal for pal in me.pals if not pal.rested]
            if "rest" in taken:
                pool = [pal for pal in pool if pal is not frame.this]
        case "discard":
            pool = list(me.hand)
            if "discard_this" in taken:
                pool = [card for card in pool if card is not frame.this]
        case "butcher":
            pool = me.pals
        case "exile":
            pool = me.zone(part.what.zone if part.what is not None else "graveyard")
        case _:
            raise ValueError(f"unknown cost {part.verb!r}")
    if part.what is None:
        return pool
    return [piece for piece in pool if reading.fits(game, part.what, piece, frame)]


def pay(game: Game, parts: tuple[Cost, ...], frame: Frame) -> Flow:
    """Pay a cost, part after part (CR 10.4.2.1). Several cards of one part are picked one by one and paid together."""
    me = game.players[frame.master]
    for part in parts:
        count = reading.count_of(game, part.amount, frame)
        match part.verb:
            case "souls":
                pay_souls(game, frame.master, count)
            case "consume":
                setattr(me, part.word, getattr(me, part.word) - count)
                game.touch()
            case "mill":
                moves.mill(game, frame.master, count)
            case "rest":
                moves.rest(game, frame.this)
            case "discard_this":
                moves.put(game, [frame.this], "graveyard")
            case _:
                kind = {"assign": "assign", "discard": "discard"}.get(part.verb, "choose")
                pool = candidates(game, part, frame, parts)
                picked = yield from choices.pick(game, frame.master, kind, pool, count, count)
                if part.verb == "assign":
                    frame.assigned = picked
                    moves.assign(game, picked, frame.this)
                    continue
                frame.paid += picked
                if part.verb == "exile":
                    moves.put(game, picked, "exile", by=frame.this)
                else:
                    moves.put(game, picked, "graveyard", butchered=part.verb == "butcher")


def pay_souls(game: Game, seat: int, count: int) -> None:
    """Rest standing souls (CR 10.4.3)."""
    me = game.players[seat]
    me.souls -= count
    me.rested_souls += count
    game.touch()

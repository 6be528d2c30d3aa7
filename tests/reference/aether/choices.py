"""Interchangeable cards, and picking some of several."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Sequence

from sim.position import Option

from .objects import Decision, Game, Piece, ask, player_of


def alike(game: Game, piece: Piece) -> Hashable:
    """Cards of one player in one zone with the same key are interchangeable: one option stands for all of them."""
    pointed = piece is game.resolving or piece in game.coming or any(piece is one.source for one in game.queue)
    if not piece.on_field:
        return piece.owner, piece.zone, piece.card.number, pointed
    numbers = (piece.damage, piece.attack_plus, piece.hp_plus, piece.attack_turn, piece.hp_turn, piece.attacks)
    marks = (piece.barrier, piece.frozen, piece.idle, piece.moved, piece.summoned, piece.marked)
    words = (frozenset(piece.keywords), frozenset(piece.keywords_turn))
    return piece.owner, piece.zone, piece.card.number, pointed, numbers, marks, words


def different(game: Game, pieces: Sequence[Piece]) -> list[Piece]:
    """One card, that with the lowest number, of each kind of interchangeable ones."""
    found: dict[Hashable, Piece] = {}
    for piece in sorted(pieces, key=lambda piece: piece.obj):
        found.setdefault(alike(game, piece), piece)
    return list(found.values())


def offered(game: Game, kind: str, objs: Sequence[int]) -> list[Option]:
    """The options to pick one of these cards and players."""
    pieces = [piece for obj in objs if player_of(obj) is None and (piece := game.find(obj)) is not None]
    players = [obj for obj in objs if player_of(obj) is not None]
    return [Option(kind, obj) for obj in (*(piece.obj for piece in different(game, pieces)), *players)]


def pick(
    game: Game, seat: int, kind: str, objs: Sequence[int], low: int, high: int
) -> Generator[Decision, Option, list[int]]:
    """Pick between `low` and `high` of the cards and players, one after another; as many as possible where there are
    fewer than `low`. Having to take all that are left is no decision."""
    left, picked = list(objs), []
    while left and len(picked) < high:
        if len(left) <= low - len(picked):
            picked += sorted(left)
            game.auto += [(seat, Option(kind, obj)) for obj in sorted(left)]
            break
        options = offered(game, kind, left) + ([Option("done")] if len(picked) >= low else [])
        answer = yield from ask(seat, options)
        if answer.kind == "done":
            break
        left.remove(answer.obj)
        picked.append(answer.obj)
    return picked

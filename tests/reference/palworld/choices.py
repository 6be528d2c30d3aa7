"""Choices: which cards are interchangeable, and picking cards one at a time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from sim.position import Option

from . import derived
from .objects import Decision, Flow, Game, Lasting, Piece, Waiting


def alike(game: Game, piece: Piece, pointed: set[Piece]) -> Hashable:
    """Cards of one zone with equal keys are interchangeable: the same card in the same state, and nothing points at
    it (`pointed`)."""
    if piece.zone == "exile":
        return (piece.owner, "exile", piece.card.number, id(piece.exiled_by))
    if piece.zone != "base":
        return (piece.owner, piece.zone, piece.card.number)
    if piece in pointed:
        return (piece.owner, "base", piece.card.number, piece.obj)
    return (
        piece.owner,
        "base",
        piece.card.number,
        piece.rested,
        piece.damage,
        piece.assigned,
        uses(game, piece),
        lasting_on(game, piece),
        frozenset(derived.names(game, piece)),
    )


def pointed_at(game: Game, but_waiting: bool = False) -> set[Piece]:
    """Cards that the battle, a waiting ability, a delayed trigger, the resolving ability, an exiled card or an effect
    that lasts as long as they stay refers to. but_waiting: without the waiting abilities, to compare these."""
    found: list[Piece | None] = []
    if game.battle is not None:
        found.append(game.battle.attacker)
        if isinstance(game.battle.target, Piece):
            found.append(game.battle.target)
    if not but_waiting:
        for entry in game.waiting:
            found += [entry.source, entry.that, *entry.them]
    for delayed in game.delayed:
        found += [delayed.source, *delayed.them]
    for frame in game.frames:
        found += [frame.this, frame.that, *frame.them, *frame.assigned]
    for player in game.players:
        found += [piece.exiled_by for piece in player.exile]
    found += [effect.anchor for effect in game.lasting if effect.pieces]
    return {piece for piece in found if piece is not None}


def uses(game: Game, piece: Piece) -> Hashable:
    """Plays this turn of abilities with a limit, and modes chosen through abilities that offer each once a turn."""
    limited = [held for held in derived.abilities(game, piece) if held.ability.limit]
    used = tuple((held.ability.kind, held.n, piece.used.get(held.key, 0)) for held in limited)
    modes = tuple(sorted((key, tuple(sorted(chosen))) for key, chosen in piece.modes.items() if chosen))
    return used, modes


def lasting_on(game: Game, piece: Piece) -> Hashable:
    """Effects on a card: numbers as sums by when they end, granted abilities in order, the rest as they are."""
    sums: dict[Hashable, list[int]] = {}
    granted: list[Hashable] = []
    others: set[Hashable] = set()
    for effect in game.lasting:
        if piece not in effect.pieces:
            continue
        ends = lasts(game, effect)
        if effect.kind == "modify":
            total = sums.setdefault(ends, [0, 0])
            total[0] += effect.power
            total[1] += effect.strike
        elif effect.kind == "grant":
            granted.append((ends, effect.ability))
        else:
            others.add((effect.kind, ends, effect.name))
    numbers = tuple(sorted((ends, *total) for ends, total in sums.items() if any(total)))
    return numbers, tuple(granted), frozenset(others)


def lasts(game: Game, effect: Lasting) -> tuple[Any, ...]:
    """When an effect ends, comparable between effects: two that were made in different turns may end together."""
    if effect.until == "enemy_stand":  # the next one, whenever it was made
        return (effect.until, effect.master)
    if effect.until == "enemy_turn":
        own = (
            game.turn_player == effect.master
            if (game.turn - effect.turn) % 2 == 0
            else game.turn_player != effect.master
        )
        return (effect.until, effect.turn + (1 if own else 2))
    return (effect.until, effect.anchor.obj if effect.anchor is not None else -1)


def representatives(game: Game, pieces: Iterable[Piece]) -> list[Piece]:
    """The lowest slot of each set of interchangeable cards."""
    ordered = sorted(pieces, key=lambda piece: piece.obj)
    if len({(piece.owner, piece.zone, piece.card.number) for piece in ordered}) == len(ordered):
        return ordered
    pointed = pointed_at(game)
    groups: dict[Hashable, Piece] = {}
    for piece in ordered:
        groups.setdefault(alike(game, piece, pointed), piece)
    return list(groups.values())


def ask(seat: int, options: Iterable[Option]) -> Flow:
    """One decision; the driver answers it itself where it has one option."""
    answer = yield Decision(seat, sorted(options))
    return answer


def pick(
    game: Game,
    seat: int,
    kind: str,
    candidates: Sequence[Piece],
    low: int,
    high: int,
    apart: Callable[[Piece, Piece], bool] | None = None,
) -> Flow:
    """Pick between low and high cards one at a time; nothing happens to them before all are picked.

    As many as possible must be picked up to `low` (CR 10.6.3.1.2): where no more are there than needed they are taken
    without a question. Then "done" ends it (CR 10.6.3.1.1). apart: two cards that may be picked together.
    """
    picked: list[Piece] = []
    while len(picked) < high:
        rest = [piece for piece in candidates if piece not in picked]
        if apart is not None:
            rest = [piece for piece in rest if all(apart(piece, other) for other in picked)]
        if not rest:
            break
        if apart is None and low - len(picked) >= len(rest):
            game.auto += [(seat, Option(kind, piece.obj)) for piece in rest]
            picked += rest
            break
        options = [Option(kind, piece.obj) for piece in representatives(game, rest)]
        if len(picked) >= low:
            options.append(Option("done"))
        answer = yield from ask(seat, options)
        if answer.kind == "done":
            break
        picked.append(next(piece for piece in rest if piece.obj == answer.obj))
    return picked


def pick_number(seat: int, high: int, low: int = 0) -> Flow:
    """Choose a number (options x=low..high)."""
    answer = yield from ask(seat, [Option("x", n=number) for number in range(low, high + 1)])
    return answer.n


def confirm(seat: int) -> Flow:
    """yes or no."""
    answer = yield from ask(seat, [Option("no"), Option("yes")])
    return answer.kind == "yes"


def waiting_groups(game: Game, seat: int) -> dict[Option, Waiting]:
    """The different waiting abilities of a player, each as the option that plays it.

    Equal are the same ability of interchangeable cards with the same "that" (or each with itself as "that"). `target`
    of the option is "that" where it is another card than the source.
    """
    pointed = pointed_at(game, but_waiting=True)
    groups: dict[Hashable, tuple[Option, Waiting]] = {}
    for entry in game.waiting:
        if entry.master != seat:
            continue
        that = -1 if entry.that is None or entry.that is entry.source else entry.that.obj
        key = (source_key(game, entry.source, pointed), text_key(entry), id(entry.that) if that >= 0 else -1)
        groups.setdefault(key, (Option("resolve", entry.source.obj, that, entry.n), entry))
    options: dict[Option, Waiting] = {}
    for option, entry in groups.values():
        options.setdefault(option, entry)
    return options


def text_key(entry: Waiting) -> Hashable:
    """What a waiting ability does: a printed one is known by its place on the card, granted ones with the same text are
    the same. Where the text reads numbers of its own card, those count too."""
    if entry.held is None:
        return entry.effects, frozenset(piece.obj for piece in entry.them if not piece.gone)
    ability = entry.held.ability
    own = entry.known.get(entry.source, entry.source.last) if "of='this'" in repr(ability.effects) else None
    return (entry.n if entry.held.key[0] == "printed" else 0), ability, own


def source_key(game: Game, source: Piece, pointed: set[Piece]) -> Hashable:
    """What makes the sources of two waiting abilities the same for the player who orders them."""
    if not source.gone:
        return alike(game, source, pointed)
    linked = any(piece.exiled_by is source for player in game.players for piece in player.exile)
    return (source.owner, source.card.number, source.obj if linked else -1)

"""Playing cards and abilities (CR 10.6): what may be played, paying for it, and its resolution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from sim.position import Option

from . import choices, costs, derived, effects, moves, reading
from .objects import AttackFailed, Flow, Frame, Game, Held, Piece, Waiting

# Cards --------------------------------------------------------------------------------------------------------------


def can_play(game: Game, piece: Piece, price: int) -> bool:
    """The card can be played for that many souls (CR 10.4.2.2); not where it could not be put into the base."""
    if piece.gone or game.players[piece.owner].souls < price:
        return False
    return piece.card.type == "event" or moves.may_enter(game, piece)


def quick_event(piece: Piece) -> bool:
    """CR 12.2.1.2."""
    return piece.card.type == "event" and any(ability.quick for ability in piece.card.abilities)


def playable(game: Game, seat: int, quick: bool) -> list[Piece]:
    """Cards of the hand that the player may play now (CR 8.2.1); in the quick step only quick events (CR 9.5.2)."""
    return [
        piece
        for piece in game.players[seat].hand
        if (not quick or quick_event(piece)) and can_play(game, piece, derived.play_cost(game, piece))
    ]


def play_card(game: Game, piece: Piece, price: int) -> Flow:
    """CR 10.6.2: reveal, pay, resolve. A Pal, structure or gear enters the base (10.6.2.4.1), an event has its text
    carried out and then goes to the graveyard (10.6.2.4.2)."""
    game.note("play", piece.obj)
    if piece.zone == "hand":
        used = derived.discounts(game, piece)
        game.lasting = [effect for effect in game.lasting if effect not in used]
    card = moves.move(game, piece, "resolution")
    card.play = game.next_stamp()
    game.players[card.owner].played.append(card.play)
    costs.pay_souls(game, card.owner, price)
    if card.card.type != "event":
        moves.deploy(game, [card])
        return
    for i, ability in enumerate(card.card.abilities):
        if ability.kind == "event":
            yield from carry_out(game, ability.effects, Frame(this=card, master=card.owner, key=("printed", i)))
    moves.move(game, card, "graveyard", "used")
    failed_attack(game)


def carry_out(game: Game, text: tuple[effects.Effect, ...], frame: Frame) -> Flow:
    """Resolve a text with its frame on the table, so that the cards it refers to are known to be pointed at."""
    game.frames.append(frame)
    yield from effects.resolve(game, text, frame)
    game.frames.remove(frame)


def failed_attack(game: Game) -> None:
    """After a resolution: a failed attack goes straight to the end of its battle (CR 5.18.1)."""
    if game.battle is not None and game.battle.failed and not game.battle.ending and not game.frames:
        raise AttackFailed


# Activated abilities ------------------------------------------------------------------------------------------------


def activated(game: Game, piece: Piece) -> Iterator[Held]:
    """The valid activated abilities of a card (CR 8.3.1)."""
    for held in derived.abilities(game, piece):
        if held.ability.kind == "act" and derived.works_in(held.ability, piece.zone):
            when = held.ability.when
            if when is None or reading.holds(game, when, derived.own_frame(piece)):
                yield held


def within_limit(held: Held) -> bool:
    """CR 10.7: the limit belongs to this ability of this card in this stay."""
    return not held.ability.limit or held.piece.used.get(held.key, 0) < held.ability.limit


def open_costs(game: Game, held: Held, frame: Frame) -> list[int]:
    """The alternatives that can be paid with the frame's X, as indices; an ability without cost has none to choose."""
    return [i for i, parts in enumerate(held.ability.costs) if costs.payable(game, parts, frame)]


def can_activate(game: Game, held: Held, quick: bool) -> bool:
    """The ability may be activated now (CR 10.4.2.2, 10.7.2; in the quick step CR 12.2.1.1)."""
    if (quick and not held.ability.quick) or not within_limit(held):
        return False
    return not held.ability.costs or bool(open_costs(game, held, derived.own_frame(held.piece)))


def activate(game: Game, held: Held) -> Flow:
    """CR 10.6.2 for an activated ability: X (10.6.2.2.2), which cost (10.6.2.3.1), paying, resolution. The ability
    resolves even if its card has left (10.6.2.4.4)."""
    ability, piece = held.ability, held.piece
    game.note("activate", piece.obj, held.n)
    piece.used[held.key] = piece.used.get(held.key, 0) + 1
    frame = Frame(this=piece, master=piece.owner, key=held.key)
    game.frames.append(frame)
    yield from pay_for(game, held, frame)
    yield from effects.resolve(game, ability.effects, frame)
    game.frames.remove(frame)
    failed_attack(game)


def pay_for(game: Game, held: Held, frame: Frame) -> Flow:
    """Choose X and the cost, then pay it."""
    if costs.wants_x(held.ability.costs):
        high = 0
        while high < costs.X_LIMIT and open_costs(game, held, Frame(frame.this, frame.master, x=high + 1)):
            high += 1
        frame.x = yield from choices.pick_number(frame.master, high)
    if held.ability.costs:
        options = [Option("pay", n=i + 1) for i in open_costs(game, held, frame)]
        answer = yield from choices.ask(frame.master, options)
        yield from costs.pay(game, held.ability.costs[answer.n - 1], frame)


def choices_of(game: Game, seat: int, quick: bool) -> dict[Option, Callable[[], Flow]]:
    """What a player may play at a play timing, each option with the way to do it."""
    table: dict[Option, Callable[[], Flow]] = {}
    for card in choices.representatives(game, playable(game, seat, quick)):
        table[Option("play", card.obj)] = partial(play_card, game, card, derived.play_cost(game, card))
    me = game.players[seat]
    for zone in (me.base, me.hand, me.graveyard):
        able = [piece for piece in zone if any(True for _ in activated(game, piece))]
        for piece in choices.representatives(game, able):
            for held in activated(game, piece):
                if can_activate(game, held, quick):
                    table[Option("activate", piece.obj, n=held.n)] = partial(activate, game, held)
    return table


# Waiting abilities --------------------------------------------------------------------------------------------------


def play_waiting(game: Game, entry: Waiting) -> Flow:
    """Play an automatic ability that waits (CR 10.8.3), wherever its card is by now (CR 10.8.7).

    With a limit or a cost its master may leave it (CR 10.7.3, 10.8.3.1.1); it is left where that is impossible to do
    otherwise (CR 10.8.3.2).
    """
    game.waiting.remove(entry)
    frame = Frame(entry.source, entry.master, that=entry.that, them=list(entry.them), known=entry.known)
    text = entry.effects
    if entry.held is not None:
        held, frame.key, text = entry.held, entry.held.key, entry.held.ability.effects
        if not within_limit(held) or (held.ability.costs and not open_costs(game, held, frame)):
            return
        if held.ability.limit or held.ability.costs:
            game.frames.append(frame)
            yes = yield from choices.confirm(entry.master)
            game.frames.remove(frame)
            if not yes:
                return
        held.piece.used[held.key] = held.piece.used.get(held.key, 0) + 1
    game.note("resolve", entry.source.obj, entry.n)
    game.frames.append(frame)
    if entry.held is not None:
        yield from pay_for(game, entry.held, frame)
    yield from effects.resolve(game, text, frame)
    game.frames.remove(frame)
    failed_attack(game)

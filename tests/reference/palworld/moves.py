"""Moving cards between zones, and the automatic abilities that this and other events trigger (CR 10.8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sim.cards.ast import Static
from sim.position import PLAYER

from . import derived, reading
from .objects import ZONES, Delayed, Frame, Game, Held, Last, Piece, Waiting

RESOURCES = ("material", "ingredient")

# Triggers -----------------------------------------------------------------------------------------------------------


def by_obj(piece: Piece) -> int:
    """The order in which things that happen at once are noted; it decides only which of equal abilities is named."""
    return piece.obj


def trigger(
    game: Game,
    event: str,
    subject: Piece,
    obj: Piece | None = None,
    that: Piece | None = None,
    look_back: bool = False,
) -> None:
    """`event` happens to `subject`: every automatic ability that waits for it starts to wait (CR 10.8.2).

    obj: what is attacked, or the structure assigned to. that: what the effects will call "that" (default the subject).
    look_back: a card leaves the base; numbers of "this" and "that" are those of now, while it is still there
    (CR 10.8.4.1.2), even where they change until the ability resolves.
    """
    that = that or subject
    told = derived.listeners(game, event)
    for held in sorted(told, key=lambda held: (held.piece is not subject, held.piece.obj, held.n)):
        if waits_for(game, held, event, subject, obj):
            known = {one: derived.snapshot(game, one) for one in (held.piece, that)} if look_back else {}
            start_waiting(game, held, that, known)


def waits_for(game: Game, held: Held, event: str, subject: Piece, obj: Piece | None) -> bool:
    """The trigger condition of an automatic ability is met."""
    ability, when = held.ability, held.ability.trigger
    if ability.kind != "auto" or when is None or when.event != event:
        return False
    if not derived.works_in(ability, held.piece.zone):
        return False
    frame = derived.own_frame(held.piece)
    if isinstance(when.subject, str):
        if held.piece is not subject:
            return False
    elif not reading.fits(game, when.subject, subject, frame):
        return False
    if when.object is not None and (obj is None or not reading.fits(game, when.object, obj, frame)):
        return False
    return ability.when is None or reading.holds(game, ability.when, frame)


def start_waiting(game: Game, held: Held, that: Piece, known: dict[Piece, Last]) -> None:
    """CR 10.8.2; twice where an effect says so, never more often (CR 5.21)."""
    twice = any(
        held.piece in derived.static_targets(game, static, source.piece)
        for source, static in derived.statics(game, "twice")
    )
    for _ in range(2 if twice else 1):
        game.waiting.append(Waiting(held.piece, held.piece.owner, held.n, that, held, known=known))


def start_delayed(game: Game, delayed: Delayed) -> None:
    """A delayed trigger comes due (CR 10.8.5); it is numbered behind the automatic abilities of its card."""
    autos = [held for held in derived.abilities(game, delayed.source) if held.ability.kind == "auto"]
    game.waiting.append(
        Waiting(
            delayed.source,
            delayed.master,
            len(autos) + 1,
            effects=delayed.effects,
            them=delayed.them,
        )
    )


# Zones --------------------------------------------------------------------------------------------------------------


def replace(game: Game, piece: Piece, zone: str, last: Last | None = None) -> Piece:
    """The card leaves its zone and becomes a new card that is in no zone yet (CR 4.1.4); its last state is kept."""
    last = last or derived.snapshot(game, piece)
    pile = game.players[piece.owner].zone(piece.zone)
    if piece in pile:
        pile.remove(piece)
    piece.last = last
    for effect in game.lasting:
        if piece in effect.pieces:
            effect.pieces = tuple(one for one in effect.pieces if one is not piece)
    game.lasting = [effect for effect in game.lasting if effect.anchor is not piece]
    game.touch()
    return Piece(piece.obj, piece.card, zone, game.next_stamp(), play=piece.play)


def move(game: Game, piece: Piece, zone: str, event: str = "", top: bool = True, last: Last | None = None) -> Piece:
    """Move one card to a zone of its owner other than the base (CR 3.1.1)."""
    fresh = replace(game, piece, zone, last)
    pile = game.players[piece.owner].zone(zone)
    if zone == "deck" and top:
        pile.insert(0, fresh)
    elif zone in ZONES:
        pile.append(fresh)
    if event:
        game.note(event, piece.obj)
    game.touch()
    return fresh


EVENTS = {"graveyard": "bury", "hand": "return", "exile": "exile", "resolution": ""}


def put(
    game: Game, pieces: Iterable[Piece], zone: str, butchered: bool = False, by: Piece | None = None
) -> list[Piece]:
    """Put cards together into a zone other than base and deck, from wherever they are; returns the new cards.

    Cards that leave the base together see one another leave: triggers and last information are taken while all of
    them are still there (CR 10.8.4.1.2).
    """
    moving = sorted((piece for piece in pieces if not piece.gone), key=lambda piece: piece.obj)
    leave_base(game, [piece for piece in moving if piece.zone == "base"], zone, butchered)
    last = {piece: derived.snapshot(game, piece) for piece in moving}
    arrived = []
    for piece in moving:
        event = EVENTS[zone]
        if zone == "graveyard" and piece.zone != "base":
            event = "discard" if piece.zone == "hand" else "mill"
        fresh = move(game, piece, zone, event, last=last[piece])
        if zone == "exile":
            fresh.exiled_by = by
        arrived.append(fresh)
    return arrived


def leave_base(game: Game, leaving: Sequence[Piece], zone: str, butchered: bool = False) -> None:
    """Events of cards that are about to leave the base together."""
    for piece in sorted(leaving, key=by_obj):
        trigger(game, "leaves", piece, look_back=True)
        if zone == "graveyard":
            trigger(game, "buried", piece, look_back=True)
            buried_in_battle(game, piece)
        if butchered:
            trigger(game, "butchered", piece, look_back=True)


def buried_in_battle(game: Game, piece: Piece) -> None:
    """A combat Pal is put into the graveyard (CR 12.12, 12.14): its own abilities and those of its opponent."""
    foe = game.battle.foe_of(piece) if game.battle is not None else None
    if game.battle is None or foe is None:
        return
    trigger(game, "buried_in_battle", piece, that=foe, look_back=True)
    trigger(game, "foe_buried", foe, that=piece, look_back=True)
    if foe is game.battle.attacker:
        trigger(game, "foe_buried_attacking", foe, that=piece, look_back=True)


def may_enter(game: Game, piece: Piece) -> bool:
    """The card can be put into its owner's base: events cannot, nor a second Legendary Pal of a name (CR 1.3.3)."""
    if piece.card.type not in ("pal", "structure", "gear"):
        return False
    if not derived.legendary(piece):
        return True
    return not any(
        derived.legendary(other) and derived.names(game, other) & derived.names(game, piece)
        for other in game.players[piece.owner].pals
        if other is not piece
    )


def deploy(game: Game, pieces: Iterable[Piece], rested: bool = False) -> list[Piece]:
    """Deploy cards together into their owners' bases (CR 5.15); they see one another enter (CR 10.8.4.2)."""
    stamp = game.next_stamp()
    arrived = []
    for piece in sorted(pieces, key=lambda piece: piece.obj):
        if piece.gone or piece.zone == "base" or not may_enter(game, piece):
            continue
        fresh = replace(game, piece, "base")
        fresh.stamp, fresh.rested = stamp, rested
        game.players[fresh.owner].base.append(fresh)
        game.touch()
        game.note("deploy", fresh.obj, int(rested))
        arrived.append(fresh)
    for fresh in sorted(arrived, key=by_obj):
        trigger(game, "deployed", fresh)
    return arrived


# Orientation, deck and counters -------------------------------------------------------------------------------------


def rest(game: Game, piece: Piece) -> bool:
    """Rest a card of the base; one that is rested already stays as it is (CR 1.3.2.1)."""
    if piece.gone or piece.zone != "base" or piece.rested:
        return False
    piece.rested = True
    game.touch()
    game.note("rest", piece.obj)
    return True


def stand(game: Game, piece: Piece) -> bool:
    """Stand a card of the base, unless an effect forbids it (CR 1.3.3)."""
    if piece.gone or piece.zone != "base" or not piece.rested or derived.cannot_stand(game, piece):
        return False
    piece.rested = False
    game.touch()
    game.note("stand", piece.obj)
    return True


def assign(game: Game, pals: Sequence[Piece], structure: Piece) -> None:
    """Assign standing Pals to a structure (CR 5.17)."""
    pals = sorted(pals, key=lambda pal: pal.obj)
    for pal in pals:
        rest(game, pal)
        pal.assigned = True
        game.touch()
        game.note("assign", pal.obj, structure.obj)
    for pal in sorted(pals, key=by_obj):
        trigger(game, "assigned", pal, structure)


def draw(game: Game, seat: int, count: int) -> int:
    """Draw cards one after another (CR 5.7.2); from an empty deck nothing is drawn (CR 1.3.2)."""
    drawn = 0
    while drawn < count and game.players[seat].deck:
        move(game, game.players[seat].deck[0], "hand", "draw")
        drawn += 1
    return drawn


def flip(game: Game, seat: int, event: str) -> Piece | None:
    """Put the top card of a deck into the graveyard."""
    if not game.players[seat].deck:
        return None
    card = game.players[seat].deck[0]
    fresh = move(game, card, "graveyard")
    game.note(event, fresh.obj, int(fresh.card.lucky))
    return fresh


def mill(game: Game, seat: int, count: int) -> int:
    """Put the top cards of a deck into the graveyard, as many as there are."""
    done = 0
    while done < count and flip(game, seat, "mill") is not None:
        done += 1
    return done


def change_life(game: Game, seat: int, change: int) -> None:
    """CR 3.2.1."""
    game.players[seat].life += change
    game.touch()
    game.note("life", PLAYER + seat, change)


def damage_player(game: Game, seat: int, amount: int) -> None:
    """CR 11.2, at once, inside whatever is being resolved.

    As many cards are flipped as damage was dealt; a lucky one ends it (11.2.2.2), otherwise the whole damage is taken
    off the life at the end or when the deck has run out (11.2.2.3).
    """
    if amount <= 0:
        return
    deck = game.players[seat].deck
    size, lucky = len(deck), sum(card.card.lucky for card in deck)
    stopped = False
    for _ in range(amount):
        card = flip(game, seat, "check")
        if card is None:
            break
        if card.card.lucky:
            stopped = True
            break
    if not stopped:
        change_life(game, seat, -amount)
    game.damage_checks.append((seat, amount, size, lucky, stopped, size - len(game.players[seat].deck)))


def damage(game: Game, pieces: Iterable[Piece], amount: int, frame: Frame | None) -> int:
    """Deal damage to Pals and structures at once (CR 5.14.1); `frame` of the effect, None for battle damage.

    Effects that increase the damage of a source replace it, each once (CR 10.11.2.3); no damage is no event (1.3.2.2).
    """
    hit = []
    for piece in pieces:
        if piece.gone or piece.zone != "base" or piece.card.type not in ("pal", "structure"):
            continue
        dealt = amount
        if frame is not None and amount > 0:
            dealt += sum(
                reading.value(game, static.amount, derived.own_frame(held.piece))
                for held, static in derived.statics(game, "damage_plus")
                if increases(game, held, static, piece, frame)
            )
        if dealt > 0:
            hit.append((piece, dealt))
    for piece, dealt in hit:
        piece.damage += dealt
        game.touch()
        game.note("damage", piece.obj, dealt)
    return len(hit)


def increases(game: Game, held: Held, static: Static, piece: Piece, frame: Frame) -> bool:
    """A continuous effect that increases damage applies: to its sources (CR 10.13.3) and to its targets."""
    own = derived.own_frame(held.piece)
    if static.source is not None and not reading.fits(game, static.source, frame.this, own):
        return False
    if isinstance(static.target, str):
        return piece in derived.static_targets(game, static, held.piece)
    return static.target is None or reading.fits(game, static.target, piece, own)

"""Cards change zones, players change life, units take damage."""

from __future__ import annotations

from collections.abc import Iterable

from sim.position import PLAYER

from . import derived
from .objects import ROWS, SLOTS, Game, Piece

KEYWORDS = ("haste", "flying", "ranged", "pierce", "barrier", "drain", "venom", "regen", "twin")


def draw(game: Game, seat: int) -> None:
    """Draw one card; with an empty deck the loss is noted for the next check (AE-7.3, 7.4). A full hand sends the card
    to the graveyard (AE-7.1)."""
    player = game.players[seat]
    if not player.deck:
        player.decked = True
        return
    piece = player.deck.pop(0)
    if len(player.hand) < game.rules["hand_limit"]:
        enter(game, piece, "hand")
        game.happened("draw", piece.obj)
    else:
        enter(game, piece, "graveyard")
        game.happened("burn", piece.obj)


def enter(game: Game, piece: Piece, zone: str) -> None:
    """Into a zone beside the field."""
    piece.zone = zone
    game.players[piece.owner].zone(zone).append(piece)


def leave_field(game: Game, unit: Piece) -> None:
    """Off the field: everything about it is forgotten (s8, AE-6.20), but not what it could do when it left."""
    unit.last = frozenset(derived.keywords(game, unit))
    row = game.players[unit.owner].rows[unit.zone]
    row[row.index(unit)] = None
    unit.zone = "none"
    unit.reset()


def place(game: Game, unit: Piece, row: str) -> None:
    """Into the lowest free slot of the row (AE-4.2)."""
    slots = game.players[unit.owner].rows[row]
    slots[slots.index(None)] = unit
    unit.zone = row


def put_into_play(game: Game, unit: Piece, row: str) -> None:
    """A unit that enters the field."""
    unit.reset()
    unit.summoned = True
    place(game, unit, row)


def bounce(game: Game, unit: Piece) -> None:
    """Back to its owner's hand; with a full hand to the graveyard, which is no destruction (AE-7.2, 8.15). A token
    vanishes."""
    leave_field(game, unit)
    if unit.is_token:
        game.happened("vanish", unit.obj)
    elif len(game.players[unit.owner].hand) < game.rules["hand_limit"]:
        enter(game, unit, "hand")
        game.happened("return", unit.obj)
    else:
        enter(game, unit, "graveyard")
        game.happened("burn", unit.obj)


def summon_token(game: Game, seat: int, number: str) -> None:
    """Front first, or back first for a back-type token; no free slot, no token (AE-8.17). It triggers nothing
    (AE-8.13)."""
    card, player = game.tokens[number], game.players[seat]
    rows = ROWS if card.row == "front" else ROWS[::-1]
    row = next((row for row in rows if player.free(row)), None)
    if row is None:
        return
    token = Piece(seat * SLOTS + token_slot(game, seat), card, "none")
    put_into_play(game, token, row)
    game.appeared.append((token.obj, number))
    game.happened("summon", token.obj, 1 + ROWS.index(row))


def token_slot(game: Game, seat: int) -> int:
    """The next slot behind the cards of the seat, round and round, that no unit on the field has."""
    taken = {unit.obj % SLOTS for unit in game.players[seat].units()}
    slot = game.next_slot[seat]
    while slot in taken:
        slot = next_slot(game, seat, slot)
    game.next_slot[seat] = next_slot(game, seat, slot)
    return slot


def next_slot(game: Game, seat: int, slot: int) -> int:
    return slot + 1 if slot + 1 < SLOTS else game.first_slot[seat]


# ----------------------------------------------------------------------------------------------- life and damage


def heal_player(game: Game, seat: int, amount: int) -> None:
    """Never above the life at the start (AE-7.7)."""
    player = game.players[seat]
    change_life(game, seat, min(amount, max(0, game.rules["life"] - player.life)))


def change_life(game: Game, seat: int, change: int) -> None:
    if change:
        game.players[seat].life += change
        game.happened("life", PLAYER + seat, change)


def damage_unit(game: Game, source: set[str], unit: Piece, amount: int) -> int:
    """Damage by a source with these keywords; how much was dealt. 0 is no damage (AE-5.5); a barrier nullifies one
    event and is gone (AE-6.1); venom marks the unit for the next check (AE-6.4, 6.5, 6.6)."""
    if amount <= 0:
        return 0
    if unit.barrier:
        unit.barrier = False
        game.happened("barrier", unit.obj, 0)
        return 0
    unit.damage += amount
    game.happened("damage", unit.obj, amount)
    if "venom" in source:
        unit.marked = True
    return amount


def damage_player(game: Game, seat: int, amount: int) -> int:
    """No venom against players (AE-6.5)."""
    if amount <= 0:
        return 0
    change_life(game, seat, -amount)
    return amount


def heal_unit(game: Game, unit: Piece, amount: int) -> None:
    """Damage goes, at most what there is (AE-7.7); lost barriers do not come back (AE-6.2)."""
    healed = min(amount, unit.damage)
    if healed > 0:
        unit.damage -= healed
        game.happened("heal", unit.obj, healed)


def give_keyword(game: Game, unit: Piece, word: str, for_turn: bool) -> None:
    """A barrier is there or not, twice means nothing (AE-6.2, 6.21)."""
    if word == "barrier":
        if not unit.barrier:
            unit.barrier = True
            game.happened("barrier", unit.obj, 1)
        return
    (unit.keywords_turn if for_turn else unit.keywords).add(word)
    game.happened("keyword", unit.obj, KEYWORDS.index(word), 1)


def lose_keyword(game: Game, unit: Piece, word: str) -> None:
    if word == "barrier":
        if unit.barrier:
            unit.barrier = False
            game.happened("barrier", unit.obj, 0)
        return
    unit.keywords.discard(word)
    unit.keywords_turn.discard(word)
    game.happened("keyword", unit.obj, KEYWORDS.index(word), 0)


def freeze(game: Game, unit: Piece) -> None:
    """A frozen unit stays frozen (AE-6.19)."""
    if not unit.frozen:
        unit.frozen = True
        game.happened("freeze", unit.obj)


def thaw(units: Iterable[Piece]) -> None:
    """At its controller's turn start, with a turn lost (AE-6.18)."""
    for unit in units:
        unit.idle = unit.frozen
        unit.frozen = False

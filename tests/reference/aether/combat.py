"""Attacks (s6)."""

from __future__ import annotations

from sim.position import PLAYER

from . import derived, moves
from .objects import Game, Piece


def can_act(unit: Piece) -> bool:
    """Not frozen, not idle after a thaw (AE-6.17, 6.18), not moved (AE-4.5, 4.7)."""
    return not (unit.frozen or unit.idle or unit.moved)


def can_attack(game: Game, unit: Piece) -> bool:
    """s6: from the front row, or from anywhere with ranged; not summoned this turn, or with haste; once, or twice with
    twin (AE-5.10); with at least 1 attack (AE-5.4). Read when the attack is declared (AE-5.9)."""
    words = derived.keywords(game, unit)
    return (
        can_act(unit)
        and (unit.zone == "front" or "ranged" in words)
        and (not unit.summoned or "haste" in words)
        and unit.attacks < (2 if "twin" in words else 1)
        and derived.attack(game, unit) >= 1
    )


def targets(game: Game, unit: Piece) -> tuple[list[Piece], bool]:
    """The units that may be attacked, and whether the player may be: the front row is a wall; behind it is everything,
    the player too (AE-5.1, 5.2). Flying ignores the wall. Read for each attack (AE-5.3)."""
    foe = game.players[1 - unit.owner]
    front = [one for one in foe.rows["front"] if one is not None]
    if front and "flying" not in derived.keywords(game, unit):
        return front, False
    return foe.units(), True


def attack(game: Game, unit: Piece, target: int) -> None:
    """One attack. Everything of it happens at once; the check comes afterwards (AE-5.6, 6.14, 8.12)."""
    unit.attacks += 1
    game.happened("attack", unit.obj, target)
    if target >= PLAYER:
        attack_player(game, unit, target - PLAYER)
    else:
        foe = game.find(target)
        assert foe is not None
        attack_unit(game, unit, foe)


def attack_player(game: Game, unit: Piece, seat: int) -> None:
    """No counter-damage (AE-5.8)."""
    dealt = moves.damage_player(game, seat, derived.attack(game, unit))
    drain(game, unit, derived.keywords(game, unit), dealt)


def attack_unit(game: Game, unit: Piece, foe: Piece) -> None:
    """Both values are read once, before damage (AE-5.7). Any attacked unit strikes back (AE-5.6)."""
    value, counter = derived.attack(game, unit), derived.attack(game, foe)
    words, foe_words = derived.keywords(game, unit), derived.keywords(game, foe)
    left = derived.hp(game, foe)
    dealt = moves.damage_unit(game, words, foe, value)
    taken = moves.damage_unit(game, foe_words, unit, counter)
    if "pierce" in words and dealt:
        pierce(game, foe, value - left)
    drain(game, unit, words, dealt)
    drain(game, foe, foe_words, taken)


def pierce(game: Game, foe: Piece, excess: int) -> None:
    """Attack minus the victim's HP just before damage (AE-6.11), none against a barrier (AE-6.12), only of the attacker
    (AE-6.13), on the back row too (AE-6.15)."""
    moves.damage_player(game, foe.owner, excess)


def drain(game: Game, unit: Piece, words: set[str], dealt: int) -> None:
    """As much as the damage dealt, overkill included and pierce not counted again (AE-6.7, 6.8, 6.9)."""
    if "drain" in words:
        moves.heal_player(game, unit.owner, dealt)

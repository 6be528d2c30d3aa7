"""Attacks (s6)."""

from __future__ import annotations

from kernels.aether.codes import (
    E_ATTACK,
    KW_DRAIN,
    KW_FLYING,
    KW_PIERCE,
    ONE,
    PLAYER,
    SIX,
    ZERO,
    I,
    U,
)
from kernels.aether.derived import bit, hp_of
from kernels.aether.moves import damage_player, damage_unit, heal_player, name_key
from kernels.events import record_with
from kernels.jit import hot, kernel


@hot
def able(S, p):
    """Units of a player that may act: not frozen, not idle after a thaw, not moved (AE-4.5, 6.17, 6.18)."""
    return S.field[p] & ~(S.frozen[p] | S.idle[p] | S.moved[p])


@hot
def attackers(S, p):
    """Units that may attack: from the front row, or ranged; not summoned this turn, or with haste; once, or twice with
    twin; with at least 1 attack (AE-5.4, 5.9, 5.10)."""
    there = (S.front[p] | S.ranged[p]) & (~S.summoned[p] | S.haste[p])
    return able(S, p) & there & S.armed[p] & ~(S.attacked[p] & (S.twice[p] | ~S.twin[p]))


@hot
def walled(S, attacker):
    """The front row of the other player keeps the attacker from everything behind it (AE-5.1, 5.2)."""
    return S.front[ONE - (attacker >> SIX)] != ZERO and U(S.words[attacker]) & KW_FLYING == ZERO


@kernel
def attack(S, T, obj, target):
    """One attack. Everything of it happens at once; the check comes afterwards (AE-5.6, 6.14, 8.12)."""
    p = obj >> SIX
    S.attacks[obj] += 1
    S.twice[p] |= S.attacked[p] & bit(obj)
    S.attacked[p] |= bit(obj)
    S.attack_count[p] += 1
    record_with(S, name_key(S, T, obj), E_ATTACK, obj, name_key(S, T, target), target)
    value, words = I(S.attack[obj]), U(S.words[obj])
    if target >= PLAYER:  # no counter-damage (AE-5.8)
        S.faces[p] += 1
        drain(S, T, p, words, damage_player(S, T, target - PLAYER, value))
        return
    q = target >> SIX
    counter, foe_words, left = I(S.attack[target]), U(S.words[target]), hp_of(S, target)
    dealt = damage_unit(S, T, words, target, value)
    taken = damage_unit(S, T, foe_words, obj, counter)
    if words & KW_PIERCE != ZERO and dealt > 0:  # attack minus HP just before (AE-6.11 to 6.13)
        damage_player(S, T, q, value - left)
    drain(S, T, p, words, dealt)
    drain(S, T, q, foe_words, taken)


@hot
def drain(S, T, p, words, dealt):
    """As much as the damage dealt, overkill included, pierce not counted again (AE-6.7 to 6.9)."""
    if words & KW_DRAIN != ZERO:
        heal_player(S, T, p, dealt)


@hot
def can_move(S, T, p):
    """Units that may change their row: they have neither attacked nor moved (AE-4.6, 4.7); a switch says whether in the
    turn in which they came (AE-4.4)."""
    m = able(S, p) & ~S.attacked[p]
    return m if T.move_when_summoned else m & ~S.summoned[p]


@hot
def in_front(S, obj):
    """The unit is in the front row."""
    return S.front[obj >> SIX] & bit(obj) != ZERO

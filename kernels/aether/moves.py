"""Cards change zones, players change life, units take damage."""

from __future__ import annotations

from kernels.aether.codes import (
    E_BARRIER,
    E_BURN,
    E_DAMAGE,
    E_DRAW,
    E_FREEZE,
    E_HEAL,
    E_LIFE,
    E_MOVE,
    E_RET,
    E_SUMMON,
    E_VANISH,
    FIELD,
    KW_BARRIER,
    KW_VENOM,
    NONE,
    ONE,
    PLAYER,
    ROW,
    SIX,
    SLOT,
    TYPE_TOKEN,
    ZERO,
    I,
    U,
)
from kernels.aether.derived import bit, derive_unit, note_hp, refresh
from kernels.events import record
from kernels.jit import hot, kernel, popcount


@hot
def name_key(S, T, obj):
    """Hash of the number of a card, or of a player; the same for all copies."""
    return T.key[U(S.card[obj])] if obj < PLAYER else obj


@hot
def event(S, T, kind, obj, a, b):
    """Something happened: into the signature, and into the log where that is on."""
    record(S, name_key(S, T, U(obj)), U(kind), U(obj), I(a), I(b))


@kernel
def draw(S, T, p):
    """Draw one card. From an empty deck the loss is noted for the next check (AE-7.3, 7.4); a full hand sends the card
    to the graveyard (AE-7.1)."""
    if S.deck_count[p] == 0:
        S.decked[p] = 1
        return
    slot = take_top(S, p)
    obj = p << SIX | slot
    if I(popcount(S.hand[p])) < I(T.hand_limit):
        S.hand[p] |= ONE << slot
        S.drawn[p] |= ONE << slot
        if S.seen_at[obj] == 255:
            S.seen_at[obj] = min(S.turn, 254)
        event(S, T, E_DRAW, obj, 0, 0)
    else:
        burn(S, T, obj)


@hot
def take_top(S, p):
    """Slot of the top card, which leaves the deck."""
    top = U(S.deck_count[p]) - ONE
    S.deck_count[p] = top
    return U(S.deck[p, top])


@kernel
def burn(S, T, obj):
    """To the graveyard for want of room in the hand."""
    p = obj >> SIX
    S.graveyard[p] |= bit(obj)
    S.burned[p] += 1
    event(S, T, E_BURN, obj, 0, 0)


@kernel
def add_aether(S, T, obj):
    """Into the aether zone, unused."""
    p = obj >> SIX
    S.aether[p] |= bit(obj)
    S.total[p] += 1
    element = U(T.element[U(S.card[obj])])
    S.elements[p, element] += 1
    S.allowed[p] |= T.element_mask[p, element]
    if T.has_statics:
        S.dirty = 1


# The field ----------------------------------------------------------------------------------------------------------


@hot
def free_slot(S, p, row):
    """The lowest free slot of a row (0 front, 1 back), NONE for none (AE-4.2)."""
    first = ROW * row
    for i in range(first, first + ROW):
        if S.row[p, i] == 255:
            return i
    return NONE


@hot
def place(S, obj, i):
    """Put a unit into a slot of the field."""
    p = obj >> SIX
    S.row[p, i] = obj & SLOT
    if i < ROW:
        S.front[p] |= bit(obj)
    else:
        S.front[p] &= ~bit(obj)


@kernel
def lift(S, obj):
    """Take a unit out of its slot."""
    p = obj >> SIX
    for i in range(FIELD):
        if U(S.row[p, i]) == obj & SLOT:
            S.row[p, i] = 255


@kernel
def enter_field(S, T, obj, i):
    """A unit comes to the field as printed."""
    p, b = obj >> SIX, bit(obj)
    words = U(T.printed[U(S.card[obj])])
    S.damage[obj] = 0
    S.attack_plus[obj] = 0
    S.hp_plus[obj] = 0
    S.attack_turn[obj] = 0
    S.hp_turn[obj] = 0
    S.kept_words[obj] = words & ~KW_BARRIER
    S.turn_words[obj] = 0
    S.attacks[obj] = 0
    S.stay[obj] += 1
    S.field[p] |= b
    S.summoned[p] |= b
    S.attacked[p] &= ~b
    S.twice[p] &= ~b
    if words & KW_BARRIER != ZERO:
        S.barrier[p] |= b
    place(S, obj, i)
    if T.has_statics:
        S.dirty = 1
    derive_unit(S, T, obj)


@kernel
def leave_field(S, T, obj):
    """Off the field: everything about the unit is forgotten (AE-6.20), but not what it could do when it left."""
    if S.dirty:
        refresh(S, T)
    p, b = obj >> SIX, bit(obj)
    if obj == U(S.source):
        S.source_words = S.words[obj]
    lift(S, obj)
    S.stay[obj] += 1
    S.field[p] &= ~b
    S.front[p] &= ~b
    S.barrier[p] &= ~b
    S.frozen[p] &= ~b
    S.idle[p] &= ~b
    S.moved[p] &= ~b
    S.summoned[p] &= ~b
    S.marked[p] &= ~b
    if T.has_statics:
        S.dirty = 1


@kernel
def shift(S, T, obj, row):
    """A unit changes its row, where there is room."""
    i = free_slot(S, obj >> SIX, row)
    if i == NONE:
        return
    lift(S, obj)
    place(S, obj, i)
    if T.has_statics:
        S.dirty = 1
    event(S, T, E_MOVE, obj, I(row) + 1, 0)


@hot
def is_token(S, T, obj):
    """The unit is a token."""
    return U(T.type[U(S.card[obj])]) == TYPE_TOKEN


@kernel
def bounce(S, T, obj):
    """Back to its owner's hand; with a full hand to the graveyard, which is no destruction (AE-7.2, 8.15). A token
    vanishes."""
    p = obj >> SIX
    leave_field(S, T, obj)
    if is_token(S, T, obj):
        event(S, T, E_VANISH, obj, 0, 0)
    elif I(popcount(S.hand[p])) < I(T.hand_limit):
        S.hand[p] |= bit(obj)
        S.shown[p] |= bit(obj)
        event(S, T, E_RET, obj, 0, 0)
    else:
        burn(S, T, obj)


@kernel
def summon_token(S, T, p, card):
    """Front first, or back first for a back-type token; no free slot, no token (AE-8.17). It triggers nothing
    (AE-8.13). Tokens take the slots behind the cards of the seat, round and round."""
    row = U(T.back_first[card])
    i = free_slot(S, p, row)
    if i == NONE:
        i = free_slot(S, p, ONE - row)
    if i == NONE:
        return
    slot = U(S.next_token[p])
    while S.field[p] & (ONE << slot) != ZERO:
        slot = behind(T, p, slot)
    S.next_token[p] = behind(T, p, slot)
    obj = p << SIX | slot
    S.card[obj] = card
    enter_field(S, T, obj, i)
    S.tokens[p] += 1
    event(S, T, E_SUMMON, obj, 1 if i < ROW else 2, 0)


@hot
def behind(T, p, slot):
    """The token slot after this one."""
    return slot + ONE if slot < SLOT else U(T.deck_size[p])


# Life and damage ----------------------------------------------------------------------------------------------------


@hot
def change_life(S, T, p, change):
    """Nothing happens where nothing changes."""
    if change != 0:
        S.life[p] += change
        event(S, T, E_LIFE, PLAYER + p, change, 0)


@kernel
def heal_player(S, T, p, n):
    """Never above the life at the start (AE-7.7)."""
    change_life(S, T, p, min(n, max(0, I(T.life) - I(S.life[p]))))


@kernel
def damage_unit(S, T, words, obj, n):
    """Damage by a source with these keywords; how much was dealt. 0 is no damage (AE-5.5); a barrier nullifies one
    event and is gone (AE-6.1); venom marks the unit for the next check (AE-6.4, 6.5, 6.6)."""
    if n <= 0:
        return I(0)
    p, b = obj >> SIX, bit(obj)
    if S.barrier[p] & b != ZERO:
        drop_barrier(S, T, obj)
        return I(0)
    S.damage[obj] += n
    note_hp(S, obj)
    event(S, T, E_DAMAGE, obj, n, 0)
    if words & KW_VENOM != ZERO:
        S.marked[p] |= b
    return n


@hot
def damage_player(S, T, p, n):
    """Damage to a player; how much was dealt. No venom against players (AE-6.5)."""
    if n <= 0:
        return I(0)
    change_life(S, T, p, -n)
    return n


@kernel
def drop_barrier(S, T, obj):
    """A barrier is used up or lost."""
    S.barrier[obj >> SIX] &= ~bit(obj)
    derive_unit(S, T, obj)
    event(S, T, E_BARRIER, obj, 0, 0)


@kernel
def heal_unit(S, T, obj, n):
    """Damage goes, at most what there is (AE-7.7)."""
    healed = min(n, I(S.damage[obj]))
    if healed > 0:
        S.damage[obj] -= healed
        note_hp(S, obj)
        event(S, T, E_HEAL, obj, healed, 0)


@kernel
def freeze(S, T, obj):
    """A frozen unit stays frozen (AE-6.19)."""
    p, b = obj >> SIX, bit(obj)
    if S.frozen[p] & b == ZERO:
        S.frozen[p] |= b
        event(S, T, E_FREEZE, obj, 0, 0)

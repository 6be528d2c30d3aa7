"""What is read of cards: sets that a filter means, amounts, conditions, and the derived numbers of units."""

from __future__ import annotations

from kernels.aether.codes import (
    COND_RESONANCE,
    KW_BARRIER,
    KW_HASTE,
    KW_RANGED,
    KW_REGEN,
    KW_TWIN,
    NONE,
    ON_STATIC,
    ONE,
    SIDE_ANY,
    SIDE_MY,
    SIX,
    SLOT,
    STATIC_COST,
    STATIC_KEYWORD,
    STATIC_MODIFY,
    TIMED,
    Z_AETHER,
    Z_FIELD,
    Z_HAND,
    ZERO,
    I,
    U,
)
from kernels.jit import hot, kernel, lowest, popcount


@hot
def bit(obj):
    """Mask of a card in the slots of its seat."""
    return ONE << (obj & SLOT)


@hot
def on_field(S, obj):
    """The card is a unit on the field."""
    return S.field[obj >> SIX] & bit(obj) != ZERO


@hot
def hp_of(S, obj):
    """HP now (AE-5.11)."""
    return I(S.max_hp[obj]) - I(S.damage[obj])


@kernel
def fits(S, T, f, obj):
    """A unit on the field passes a filter, its side and `other` aside."""
    if T.fit[f, U(S.card[obj])] == 0:
        return False
    p, b = obj >> SIX, bit(obj)
    row = U(1) if S.front[p] & b != ZERO else U(2)
    if U(T.filter_rows[f]) & row == ZERO:
        return False
    if T.filter_damaged[f] >= 0 and (S.damage[obj] > 0) != (T.filter_damaged[f] == 1):
        return False
    if T.filter_frozen[f] >= 0 and (S.frozen[p] & b != ZERO) != (T.filter_frozen[f] == 1):
        return False
    words = U(S.words[obj])
    if words & U(T.filter_with[f]) != U(T.filter_with[f]) or words & U(T.filter_without[f]) != ZERO:
        return False
    attack, hp = I(S.attack[obj]), hp_of(S, obj)
    if attack < I(T.filter_attack[f, 0]) or attack > I(T.filter_attack[f, 1]):
        return False
    return hp >= I(T.filter_hp[f, 0]) and hp <= I(T.filter_hp[f, 1])


@kernel
def matching(S, T, f, this, seat, p):
    """Cards of player p that a filter means, for the effect of card `this` that `seat` controls."""
    side = U(T.filter_side[f])
    if side != SIDE_ANY and (side == SIDE_MY) != (p == seat):
        return ZERO
    zone = U(T.filter_zone[f])
    if zone == Z_FIELD:
        m = S.field[p]
    elif zone == Z_HAND:
        m = S.hand[p]
    elif zone == Z_AETHER:
        m = S.aether[p]
    else:
        m = S.graveyard[p]
    if T.filter_other[f] and this != NONE and (this >> SIX) == p:
        m &= ~bit(this)
    if T.filter_plain[f]:
        return m
    result = ZERO
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        good = fits(S, T, f, obj) if zone == Z_FIELD else T.fit[f, U(S.card[obj])] != 0
        if good:
            result |= ONE << slot
    return result


@kernel
def amount(S, T, i, this, seat):
    """An amount now: constant, plus a factor times the cards that pass a filter; 0 for none."""
    if i < 0:
        return I(0)
    row = U(i)
    result = I(T.amount_const[row])
    if T.amount_filter[row] >= 0:
        f = U(T.amount_filter[row])
        for p in range(U(2)):
            result += I(T.amount_times[row]) * I(popcount(matching(S, T, f, this, seat, p)))
    return result


@kernel
def holds(S, T, i, this, seat):
    """A chain of conditions holds; resonance counts used and unused aether (AE-8.20)."""
    while i >= 0:
        row = U(i)
        if U(T.cond_kind[row]) == COND_RESONANCE:
            good = I(S.elements[seat, U(T.cond_op[row])]) >= I(T.cond_left[row])
        else:
            left, right = amount(S, T, I(T.cond_left[row]), this, seat), amount(S, T, I(T.cond_right[row]), this, seat)
            if T.cond_op[row] == 0:
                good = left <= right
            elif T.cond_op[row] == 1:
                good = left >= right
            else:
                good = left == right
        if good == (T.cond_not[row] != 0):
            return False
        i = I(T.cond_next[row])
    return True


@kernel
def refresh(S, T):
    """The derived numbers of the units with a continuous effect, which is read whenever it is asked for (AE-8.19)."""
    S.dirty = 0
    for p in range(U(2)):
        m = S.lasting[p] & S.field[p]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            derive_unit(S, T, p << SIX | slot)


@hot
def stale(S, T):
    """`refresh` may find other numbers than before."""
    return (S.dirty or T.has_statics > 1) and (S.lasting[0] & S.field[0]) | (S.lasting[1] & S.field[1]) != ZERO


@kernel
def derive(S, T):
    """The derived numbers of all units."""
    S.dirty = 0
    for p in range(U(2)):
        m = S.field[p]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            derive_unit(S, T, p << SIX | slot)


@kernel
def derive_unit(S, T, obj):
    """Attack is never below 0 where it is read (AE-8.22); what changes HP changes the maximum (AE-8.23)."""
    card = U(S.card[obj])
    p = obj >> SIX
    attack = I(T.base_attack[card]) + I(S.attack_plus[obj]) + I(S.attack_turn[obj])
    hp = I(T.base_hp[card]) + I(S.hp_plus[obj]) + I(S.hp_turn[obj])
    words = U(S.kept_words[obj]) | U(S.turn_words[obj])
    if S.barrier[p] & bit(obj) != ZERO:
        words |= KW_BARRIER
    if U(T.on[card]) >> ON_STATIC & ONE != ZERO:
        first = U(T.static_first[card])
        for k in range(first, first + U(T.static_count[card])):
            kind = U(T.static_kind[k])
            if kind == STATIC_COST or not holds(S, T, I(T.static_when[k]), obj, p):
                continue
            if kind == STATIC_KEYWORD:
                words |= U(T.static_word[k])
            elif kind == STATIC_MODIFY:
                attack += amount(S, T, I(T.static_attack[k]), obj, p)
                hp += amount(S, T, I(T.static_hp[k]), obj, p)
    S.attack[obj] = max(attack, 0)
    S.max_hp[obj] = hp
    S.words[obj] = words
    b = bit(obj)
    S.armed[p] = flagged(S.armed[p], b, attack > 0)
    S.ranged[p] = flagged(S.ranged[p], b, words & KW_RANGED != ZERO)
    S.haste[p] = flagged(S.haste[p], b, words & KW_HASTE != ZERO)
    S.twin[p] = flagged(S.twin[p], b, words & KW_TWIN != ZERO)
    S.regen[p] = flagged(S.regen[p], b, words & KW_REGEN != ZERO)
    S.timed[p] = flagged(S.timed[p], b, U(T.on[card]) & TIMED != ZERO)
    S.lasting[p] = flagged(S.lasting[p], b, U(T.on[card]) >> ON_STATIC & ONE != ZERO)
    note_hp(S, obj)


@hot
def flagged(mask, b, on):
    """A mask with a bit set or cleared."""
    return mask | b if on else mask & ~b


@hot
def note_hp(S, obj):
    """Remember whether a unit has HP left."""
    p = obj >> SIX
    S.dying[p] = flagged(S.dying[p], bit(obj), hp_of(S, obj) <= 0)


@kernel
def cost_of(S, T, obj):
    """What playing a card costs now, never below 0 (AE-2.12)."""
    card = U(S.card[obj])
    cost = I(T.cost[card])
    p = obj >> SIX
    if T.cost_statics[p] & bit(obj) != ZERO:
        first = U(T.static_first[card])
        for k in range(first, first + U(T.static_count[card])):
            if U(T.static_kind[k]) == STATIC_COST and holds(S, T, I(T.static_when[k]), obj, p):
                cost -= amount(S, T, I(T.static_attack[k]), obj, p)
    return max(cost, 0)


@kernel
def payable(S, T, p, m):
    """Cards of a mask of the hand that can be paid: enough unused aether, and one of the element, used or not; neutral
    cards need none (AE-2.6, 2.7)."""
    unused = I(S.total[p]) - I(S.used[p])
    known = S.allowed[p]
    changing = m & T.cost_statics[p] & known
    result = m & known & T.cost_at_most[p, U(min(unused, 15))] & ~changing
    while changing != ZERO:
        slot = lowest(changing)
        changing &= changing - ONE
        if cost_of(S, T, p << SIX | slot) <= unused:
            result |= ONE << slot
    return result

"""What cards are and match at this moment: filters, amounts, conditions, Power, Strike, keywords, costs."""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.palworld.codes import (
    COND_COMPARE,
    COND_DID,
    COND_FIRST_CARD,
    COND_IS,
    COND_NIGHT,
    NONE,
    ONE,
    REF_ASSIGNED,
    REF_THAT,
    REF_THEM,
    REF_THIS,
    SIDE_ENEMY,
    SIDE_MY,
    SIX,
    SLOT,
    STATIC_COST,
    TERM_CHOSEN,
    TERM_COST,
    TERM_COUNT,
    TERM_HAND,
    TERM_INGREDIENT,
    TERM_MATERIAL,
    TERM_NAMES,
    TERM_NONE,
    TERM_POWER,
    TERM_SOULS,
    TERM_STRIKE,
    TERM_X,
    Z_BASE,
    Z_EXILE,
    Z_GRAVEYARD,
    Z_HAND,
    Z_LOOKED,
    ZERO,
    I,
    U,
)


@hot
def bit(obj):
    """Mask of one card among the slots of its seat."""
    return ONE << (obj & SLOT)


@hot
def seat_of(obj):
    """Owner of a card; no effect of this game changes the master (CR 3.1)."""
    return obj >> SIX


@hot
def in_base(S, obj, stay):
    """The card is in the base and still the same card (CR 4.1.4)."""
    return obj < U(128) and (S.bases[obj >> SIX] & bit(obj)) != ZERO and S.stay[obj] == stay


@hot
def deck_set(S, T, p):
    """Cards of the deck as a mask: every card of the seat that is in no other zone."""
    n = U(T.deck_size[p])
    all_slots = ~ZERO if n == U(64) else (ONE << n) - ONE
    rest = all_slots & ~(S.hand[p] | S.bases[p] | S.graveyard[p] | S.exile[p])
    card = U(S.event_card)
    if card != NONE and (card >> SIX) == p:
        rest &= ~bit(card)
    return rest


@hot
def compare(op, left, right):
    """left op right with the codes of OPS."""
    if op == 0:
        return left <= right
    if op == 1:
        return left >= right
    return left == right


@kernel
def cost_of(S, T, obj):
    """Cost to play a card now; a reduction never takes it below the floor that its text gives."""
    cost = cost_now(S, T, obj)
    p = obj >> SIX
    if S.discount[p] != 0 and (T.fit[U(S.discount_filter[p]), p] & S.hand[p] & bit(obj)) != ZERO:
        cost = lowered(cost, I(S.discount[p]), 1)
    return cost


@kernel
def cost_now(S, T, obj):
    """Cost of a card (CR 2.7) with the changes of continuous abilities."""
    cost = I(T.cost[T.card[obj]])
    p = obj >> SIX
    for side in range(U(2)):
        m = S.bases[side] & T.cost_statics[side]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            cost = reduced_by(S, T, side << SIX | slot, obj, cost)
    if T.cost_statics[p] & bit(obj) & ~S.bases[p] != ZERO:
        cost = reduced_by(S, T, obj, obj, cost)
    return cost


@hot
def lowered(cost, n, floor):
    """A cost reduced by n, not below the floor."""
    return max(cost - n, min(cost, floor))


@kernel
def reduced_by(S, T, source, obj, cost):
    """Cost of `obj` after the continuous cost changes of `source`."""
    card = U(T.card[source])
    at_home = (S.bases[source >> SIX] & bit(source)) != ZERO
    in_hand = (S.hand[source >> SIX] & bit(source)) != ZERO
    first = U(T.static_first[card])
    for k in range(first, first + U(T.static_count[card])):
        if U(T.static_kind[k]) != STATIC_COST or at_home == (T.static_outside[k] != 0):
            continue
        if T.static_outside[k] == 2 and not in_hand:
            continue
        target = I(T.static_target[k])
        if target < 0:
            if source != obj:
                continue
        elif matching_static(S, T, U(target), source, obj) == ZERO:
            continue
        if holds(S, T, I(T.static_when[k]), source, source >> SIX):
            n = value(S, T, I(T.static_power[k]), source, source >> SIX)
            cost = lowered(cost, n, I(T.static_floor[k]))
    return cost


@hot
def matching_static(S, T, f, source, obj):
    """Nonzero where a card fits a filter on its zone and printed facts, read from the master of `source`."""
    p, seat = obj >> SIX, source >> SIX
    side = U(T.filter_side[f])
    if (side == SIDE_MY and p != seat) or (side == SIDE_ENEMY and p == seat):
        return ZERO
    return T.fit[f, p] & bit(obj) & zone_mask(S, U(T.filter_zone[f]), seat, p)


@hot
def zone_mask(S, zone, seat, p):
    """Cards of seat p in a zone; only the player who looks at cards has looked at any."""
    m = S.bases[p]
    if zone == Z_HAND:
        m = S.hand[p]
    elif zone == Z_GRAVEYARD:
        m = S.graveyard[p]
    elif zone == Z_EXILE:
        m = S.exile[p]
    elif zone == Z_LOOKED:
        m = S.looked if p == seat else ZERO
    return m


@kernel
def matching(S, T, f, this, seat, p):
    """Cards of seat p that pass filter f, read by the master `seat` of an ability of the card `this`; a mask."""
    fit = T.fit[f, p]
    if T.filter_named[f] and S.renamed[p] != ZERO:
        fit = named_fit(S, T, f, p)
    return sift(S, T, f, this, seat, p, fit, True)


@kernel
def matching_now(S, T, f, this, seat, p):
    """`matching` where cards outside the base may have another cost than the printed one (CR 2.7, 10.10)."""
    zone = U(T.filter_zone[f])
    if not T.filter_costed[f] or zone == Z_BASE:
        return matching(S, T, f, this, seat, p)
    changers = (S.bases[0] & T.cost_statics[0]) | (S.bases[1] & T.cost_statics[1])
    if changers | (T.cost_statics[p] & zone_mask(S, zone, seat, p)) == ZERO:
        return matching(S, T, f, this, seat, p)
    m = sift(S, T, f, this, seat, p, T.fit_uncosted[f, p], False)
    low, high, op = I(T.filter_cost_low[f]), I(T.filter_cost_high[f]), I(T.filter_cost_op[f])
    rest = m
    while rest != ZERO:
        slot = lowest(rest)
        rest &= rest - ONE
        cost = cost_now(S, T, p << SIX | slot)
        ok = cost >= low and cost <= high
        if op >= 0:
            ok = ok and compare(op, cost, simple(S, T, I(T.filter_cost[f]), this, seat))
        if not ok:
            m &= ~(ONE << slot)
    return m


@kernel
def sift(S, T, f, this, seat, p, fit, costed):
    """The cards of `fit` in the filter's zone that pass what else it asks, tests on cost only if costed."""
    side = U(T.filter_side[f])
    if (side == SIDE_MY and p != seat) or (side == SIDE_ENEMY and p == seat):
        return ZERO
    m = fit & zone_mask(S, U(T.filter_zone[f]), seat, p)
    if T.filter_other[f] and (this >> SIX) == p:
        m &= ~bit(this)
    if T.filter_dynamic[f] and m != ZERO:
        state = T.filter_state[f]
        if state == 1:
            m &= ~S.resting[p]
        elif state == 2:
            m &= S.resting[p]
        if T.filter_assigned[f]:
            m &= S.assigned[p]
        rest = m if T.filter_dynamic[f] == 2 else ZERO
        while rest != ZERO:
            slot = lowest(rest)
            rest &= rest - ONE
            if not passes(S, T, f, p << SIX | slot, this, seat, costed):
                m &= ~(ONE << slot)
    return m


@kernel
def named_fit(S, T, f, p):
    """`fit` with the declared names that some cards have in addition (CR 2.1.5)."""
    fit = T.fit[f, p]
    for i in range(U(S.says)):
        if T.name_fit[f, U(S.said[i])]:
            fit |= T.fit_unnamed[f, p] & S.said_of[i, p]
    return fit


@kernel
def passes(S, T, f, obj, this, seat, costed):
    """The tests of a filter that depend on more than printed facts, orientation and assignment."""
    op = I(T.filter_cost_op[f])
    if costed and op >= 0 and not compare(op, I(T.cost[T.card[obj]]), simple(S, T, I(T.filter_cost[f]), this, seat)):
        return False
    op = I(T.filter_power_op[f])
    if op >= 0:
        there = S.bases[obj >> SIX] & bit(obj) != ZERO
        power = I(S.power[obj]) if there else I(T.base_power[T.card[obj]])
        if not compare(op, power, simple(S, T, I(T.filter_power[f]), this, seat)):
            return False
    wanted, banned = U(T.filter_with[f]), U(T.filter_without[f])
    if wanted | banned != ZERO:
        words = U(T.printed[T.card[obj]])
        if S.bases[obj >> SIX] & bit(obj) != ZERO:
            words = U(S.keywords[obj])
        if words & wanted != wanted or words & banned != ZERO:
            return False
    if T.filter_exiled[f] and not (U(S.exiled_by[obj]) == this and S.exiled_by_stay[obj] == this_stay(S, this)):
        return False
    return True


@hot
def this_stay(S, this):
    """Stay of the resolving ability's card when it was played or triggered; of any other card its stay now."""
    if U(S.source) == this and S.ability >= 0:
        return S.source_stay
    return S.stay[this]


@kernel
def simple(S, T, a, this, seat):
    """An amount that counts no cards of a filter; filters themselves use only such amounts."""
    term = U(T.amount_term[a])
    n = 0
    if term == TERM_X:
        n = I(S.x)
    elif term == TERM_SOULS:
        n = I(S.souls[seat])
    elif term == TERM_CHOSEN:
        n = I(S.chosen)
    elif term == TERM_HAND:
        n = I(popcount(S.hand[seat]))
    elif term == TERM_MATERIAL:
        n = I(S.material[seat])
    elif term == TERM_INGREDIENT:
        n = I(S.ingredient[seat])
    elif term != TERM_NONE:
        obj = referred(S, I(T.amount_of[a]), this, seat)
        if obj < U(128):
            back = S.back and T.amount_of[a] == REF_THIS and obj == U(S.source)
            if term == TERM_POWER:
                n = I(S.back_power) if back else I(S.power[obj])
            elif term == TERM_STRIKE:
                n = I(S.back_strike) if back else I(S.strike[obj])
            elif term == TERM_COST:
                n = I(T.cost[T.card[obj]])
    return I(T.amount_const[a]) + I(T.amount_times[a]) * n


@kernel
def value(S, T, a, this, seat):
    """An amount, read for an ability of the card `this` with master `seat`."""
    term = U(T.amount_term[a])
    if term != TERM_COUNT and term != TERM_NAMES:
        return simple(S, T, a, this, seat)
    n = 0
    f = U(T.amount_filter[a])
    if term == TERM_COUNT:
        for p in range(U(2)):
            n += I(popcount(matching(S, T, f, this, seat, p)))
    else:
        n = different_names(S, T, f, this, seat)
    return I(T.amount_const[a]) + I(T.amount_times[a]) * n


@kernel
def different_names(S, T, f, this, seat):
    """Number of different card names among the cards of the filter (CR 5.20)."""
    n = 0
    for p in range(U(2)):
        m = matching(S, T, f, this, seat, p)
        while m != ZERO:
            # All renamed cards have the name in common that was declared last, so that one of them counts at most: the
            # others go first.
            plain = m & ~S.renamed[p]
            slot = lowest(plain if plain != ZERO else m)
            m &= ~(ONE << slot)
            rest = m
            while rest != ZERO:
                other = lowest(rest)
                rest &= rest - ONE
                if same_name(S, T, p, slot, other):
                    m &= ~(ONE << other)
            n += 1
    return n


@hot
def same_name(S, T, p, left, right):
    """Two cards of a seat share a card name, printed or added (CR 5.20.1)."""
    a, b = I(T.name[T.card[p << SIX | left]]), I(T.name[T.card[p << SIX | right]])
    if a == b:
        return True
    if S.renamed[p] & ((ONE << left) | (ONE << right)) == ZERO:
        return False
    for i in range(U(S.says)):
        extra_a = S.said_of[i, p] & (ONE << left) != ZERO
        extra_b = S.said_of[i, p] & (ONE << right) != ZERO
        if (extra_a and extra_b) or (extra_a and b == S.said[i]) or (extra_b and a == S.said[i]):
            return True
    return False


@hot
def first_of(mask, p):
    """The lowest card of a mask, NONE where it is empty."""
    return NONE if mask == ZERO else p << SIX | lowest(mask)


@kernel
def referred(S, ref, this, seat):
    """The card that a reference names, where it is now or was last (CR 10.12)."""
    if ref == REF_THIS:
        return this
    if ref == REF_THAT:
        return U(S.that)
    if ref == REF_ASSIGNED:
        return first_of(S.cost_assigned, seat)
    if ref == REF_THEM:
        obj = first_of(S.them[seat], seat)
        if obj == NONE:
            obj = first_of(S.them[ONE - seat], ONE - seat)
        return obj
    return first_of(S.cost_paid, seat)


@kernel
def holds(S, T, c, this, seat):
    """A chain of conditions (all must hold); -1 is always true."""
    while c >= 0:
        kind = U(T.cond_kind[c])
        ok = False
        if kind == COND_COMPARE:
            ok = compare(
                I(T.cond_op[c]),
                value(S, T, I(T.cond_left[c]), this, seat),
                value(S, T, I(T.cond_right[c]), this, seat),
            )
        elif kind == COND_NIGHT:
            ok = S.is_night != 0
        elif kind == COND_DID:
            ok = S.did > 0
        elif kind == COND_FIRST_CARD:
            ok = S.played_count[seat] <= 1
        elif kind == COND_IS:
            ok = is_a(S, T, I(T.cond_of[c]), U(T.cond_filter[c]), this, seat)
        if ok == (T.cond_not[c] != 0):
            return False
        c = I(T.cond_next[c])
    return True


@kernel
def group_of(S, T, ref, this, seat, p):
    """The cards of seat p that a reference names, as a mask, wherever they are."""
    if ref == REF_THEM:
        return S.them[p]
    if ref == REF_ASSIGNED:
        return S.cost_assigned if p == seat else ZERO
    if ref == REF_THIS:
        return bit(this) if (this >> SIX) == p else ZERO
    if ref == REF_THAT:
        that = U(S.that)
        return bit(that) if that != NONE and (that >> SIX) == p else ZERO
    return S.cost_paid if p == seat else ZERO


@hot
def has_left(S, ref, this):
    """The card that "this" or "that" names has changed zone since (CR 4.1.4)."""
    if ref == REF_THIS:
        return S.stay[this] != this_stay(S, this)
    that = U(S.that)
    return ref == REF_THAT and that < U(128) and S.stay[that] != S.that_stay


@kernel
def is_a(S, T, ref, f, this, seat):
    """All cards that the reference names (at least one) pass the tests of the filter, in whatever zone they are."""
    n = 0
    for p in range(U(2)):
        m = group_of(S, T, ref, this, seat, p)
        fit = T.fit[f, p]
        if T.filter_named[f] and S.renamed[p] != ZERO:
            fit = named_fit(S, T, f, p)
        if m & ~fit != ZERO:
            return False
        if T.filter_dynamic[f]:
            state = T.filter_state[f]
            gone = ~ZERO if has_left(S, ref, this) else ~S.bases[p]
            rested = S.resting[p] & ~gone | S.was_rested[p] & gone
            if (state == 1 and m & rested != ZERO) or (state == 2 and m & ~rested != ZERO):
                return False
            if T.filter_assigned[f] and m & ~(S.assigned[p] & ~gone | S.was_assigned[p] & gone) != ZERO:
                return False
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            n += 1
            if T.filter_dynamic[f] == 2 and not passes(S, T, f, p << SIX | slot, this, seat, True):
                return False
    return n > 0

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
    STATIC_GRANT,
    STATIC_MODIFY,
    STATIC_NIGHT,
    STATIC_TWICE,
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
    if op == 2:
        return left == right
    if op == 3:
        return left < right
    if op == 4:
        return left > right
    return left != right


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
        rest = m
        while rest != ZERO:
            slot = lowest(rest)
            rest &= rest - ONE
            if not passes(S, T, f, p << SIX | slot, this, seat, costed):
                m &= ~(ONE << slot)
    return m


@kernel
def named_fit(S, T, f, p):
    """`fit` with the declared name that some cards have in addition (CR 2.1.5)."""
    if T.name_fit[f, U(S.declared)]:
        return T.fit[f, p] | (T.fit_unnamed[f, p] & S.renamed[p])
    return T.fit[f, p]


@kernel
def passes(S, T, f, obj, this, seat, costed):
    """The tests of a filter that depend on more than printed facts, orientation and assignment."""
    op = I(T.filter_cost_op[f])
    if costed and op >= 0 and not compare(op, I(T.cost[T.card[obj]]), simple(S, T, I(T.filter_cost[f]), this, seat)):
        return False
    op = I(T.filter_power_op[f])
    if op >= 0 and not compare(op, I(S.power[obj]), simple(S, T, I(T.filter_power[f]), this, seat)):
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
            # All renamed cards have a name in common, so that one of them counts at most: the others go first.
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
    extra_a = S.renamed[p] & (ONE << left) != ZERO
    extra_b = S.renamed[p] & (ONE << right) != ZERO
    return (extra_a and extra_b) or (extra_a and b == S.declared) or (extra_b and a == S.declared)


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


@kernel
def is_a(S, T, ref, f, this, seat):
    """All cards that the reference names (at least one) pass the tests of the filter, in whatever zone they are."""
    n = 0
    for p in range(U(2)):
        m = group_of(S, T, ref, this, seat, p)
        if m & ~T.fit[f, p] != ZERO:
            return False
        if T.filter_dynamic[f]:
            state = T.filter_state[f]
            if (state == 1 and m & S.resting[p] != ZERO) or (state == 2 and m & ~S.resting[p] != ZERO):
                return False
            if T.filter_assigned[f] and m & ~S.assigned[p] != ZERO:
                return False
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            n += 1
            if T.filter_dynamic[f] and not passes(S, T, f, p << SIX | slot, this, seat, True):
                return False
    return n > 0


@kernel
def derive(S, T):
    """Power, Strike, keywords and night from printed values, lasting effects and continuous abilities (CR 10.10).

    First abilities (10.10.1.2), then what is not a number (10.10.1.3), then numbers (10.10.1.4); all changes of
    numbers are sums, so that their order among themselves does not matter.
    """
    S.dirty = 0
    S.is_night = 1 if S.night_turn >= S.turn and S.night_turn > 0 else 0
    statics = ZERO
    for p in range(U(2)):
        m = S.bases[p]
        statics |= m & T.has_static[p]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            card = U(T.card[obj])
            S.power[obj] = T.base_power[card] + S.power_plus[obj]
            S.strike[obj] = I(T.base_strike[card]) + S.strike_plus[obj]
            S.keywords[obj] = T.printed[card]
        S.twice[p] = ZERO
    granted = False
    for i in range(U(S.grants)):
        ability = U(S.grant_ability[i])
        obj = U(S.grant_obj[i])
        S.keywords[obj] |= T.ability_keyword[ability]
        granted = granted or T.ability_statics[ability] > 0
    S.has_statics = 1 if statics != ZERO or granted else 0
    if S.has_statics == 0:
        return
    for stage in range(3):
        for p in range(U(2)):
            m = S.bases[p] & T.has_static[p]
            while m != ZERO:
                slot = lowest(m)
                m &= m - ONE
                obj = p << SIX | slot
                card = U(T.card[obj])
                first = U(T.static_first[card])
                for k in range(first, first + U(T.static_count[card])):
                    apply_static(S, T, k, obj, stage)
        for i in range(U(S.grants)):
            ability = U(S.grant_ability[i])
            first = U(T.ability_static[ability]) if T.ability_statics[ability] > 0 else ZERO
            for k in range(first, first + U(T.ability_statics[ability])):
                apply_static(S, T, k, U(S.grant_obj[i]), stage)


@hot
def derive_entered(S, T, obj):
    """The derived numbers of a card that has just entered, as far as they do not come from other cards."""
    card = U(T.card[obj])
    S.power[obj] = T.base_power[card]
    S.strike[obj] = T.base_strike[card]
    S.keywords[obj] = T.printed[card]
    if S.has_statics or T.has_static[obj >> SIX] & bit(obj) != ZERO:
        S.dirty = 1


@kernel
def apply_static(S, T, k, obj, stage):
    """One continuous effect of `obj` in the stage it belongs to: 0 night and abilities, 1 others, 2 numbers."""
    kind = U(T.static_kind[k])
    seat = obj >> SIX
    if stage == 0:
        if kind == STATIC_NIGHT and holds(S, T, I(T.static_when[k]), obj, seat):
            S.is_night = 1
        elif kind == STATIC_GRANT and holds(S, T, I(T.static_when[k]), obj, seat):
            word = T.ability_keyword[U(T.static_ability[k])]
            for p in range(U(2)):
                m = static_targets(S, T, k, obj, p)
                while m != ZERO:
                    slot = lowest(m)
                    m &= m - ONE
                    S.keywords[p << SIX | slot] |= word
    elif stage == 1:
        if kind == STATIC_TWICE and holds(S, T, I(T.static_when[k]), obj, seat):
            for p in range(U(2)):
                S.twice[p] |= static_targets(S, T, k, obj, p)
    elif kind == STATIC_MODIFY:
        if holds(S, T, I(T.static_when[k]), obj, seat):
            for p in range(U(2)):
                add_numbers(S, T, k, obj, p, static_targets(S, T, k, obj, p))
    elif kind == STATIC_GRANT and holds(S, T, I(T.static_when[k]), obj, seat):
        # The granted continuous ability belongs to each target: "this" in it is the target.
        ability = U(T.static_ability[k])
        first = U(T.ability_static[ability]) if T.ability_statics[ability] > 0 else ZERO
        for j in range(first, first + U(T.ability_statics[ability])):
            if U(T.static_kind[j]) != STATIC_MODIFY or not holds(S, T, I(T.static_when[j]), obj, seat):
                continue
            for p in range(U(2)):
                add_numbers(S, T, j, obj, p, static_targets(S, T, k, obj, p))


@kernel
def static_targets(S, T, k, obj, p):
    """Cards of seat p that a continuous effect of `obj` applies to."""
    target = I(T.static_target[k])
    if target < 0:
        return bit(obj) if (obj >> SIX) == p else ZERO
    return matching(S, T, U(target), obj, obj >> SIX, p)


@kernel
def add_numbers(S, T, k, obj, p, m):
    """Add Power and Strike of a continuous effect to the cards of a mask."""
    if m == ZERO:
        return
    power, strike = 0, 0
    if T.static_power[k] >= 0:
        power = value(S, T, I(T.static_power[k]), obj, obj >> SIX)
    if T.static_strike[k] >= 0:
        strike = value(S, T, I(T.static_strike[k]), obj, obj >> SIX)
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        S.power[p << SIX | slot] += power
        S.strike[p << SIX | slot] += strike


@kernel
def referenced(S, p, waits):
    """Cards of a seat that something points at, so that they are not interchangeable.

    That is the battle, the first `waits` waiting abilities, delayed triggers, the running effect, an exiled card, or a
    card that is kept from standing.
    """
    m = S.them[p]
    if S.battle:
        m |= stayed(S, U(S.attacker), S.attacker_stay, p) | stayed(S, U(S.target), S.target_stay, p)
    for i in range(U(waits)):
        m |= stayed(S, U(S.wait_obj[i]), S.wait_stay[i], p) | stayed(S, U(S.wait_that[i]), S.wait_that_stay[i], p)
    for q in range(U(2)):
        rest = S.exile[q]
        while rest != ZERO:
            slot = lowest(rest)
            rest &= rest - ONE
            obj = q << SIX | slot
            m |= stayed(S, U(S.exiled_by[obj]), S.exiled_by_stay[obj], p)
    for i in range(U(S.locks)):
        m |= mask_if(U(S.lock_by[i]), p)
    for i in range(U(S.delays)):
        m |= stayed(S, U(S.delay_obj[i]), S.delay_stay[i], p) | S.delay_them[i, p]
    if S.ability >= 0:
        m |= stayed(S, U(S.source), S.source_stay, p) | stayed(S, U(S.that), S.that_stay, p)
        if p == U(S.master):
            m |= S.cost_assigned
    return m


@hot
def mask_if(obj, p):
    """Mask of a card if it belongs to the seat."""
    return ONE << (obj & SLOT) if obj < U(128) and (obj >> SIX) == p else ZERO


@hot
def stayed(S, obj, stay, p):
    """Mask of a card if it belongs to the seat and is still the same card (CR 4.1.4)."""
    return mask_if(obj, p) if obj < U(128) and S.stay[obj] == stay else ZERO


@kernel
def representatives(S, T, p, m):
    """The lowest card of each set of interchangeable copies in a mask of cards of one zone."""
    result = m
    rest = m
    pointed, looked_up = ZERO, False
    while rest != ZERO:
        slot = lowest(rest)
        rest &= rest - ONE
        obj = p << SIX | slot
        copies = rest & T.same[obj]
        if copies == ZERO:
            continue
        if S.bases[p] & (ONE << slot) == ZERO:
            if S.exile[p] & (ONE << slot) != ZERO:
                continue
            result &= ~copies
            rest &= ~copies
            continue
        if not looked_up:
            pointed = referenced(S, p, S.waits)
            looked_up = True
        if pointed & (ONE << slot) != ZERO:
            continue
        copies &= ~pointed
        while copies != ZERO:
            other = lowest(copies)
            copies &= copies - ONE
            if alike(S, p, slot, other):
                result &= ~(ONE << other)
                rest &= ~(ONE << other)
    return result


@kernel
def alike(S, p, left, right):
    """Two copies in a base are in the same state."""
    pair = (ONE << left) | (ONE << right)
    a, b = p << SIX | left, p << SIX | right
    for mask in (S.resting[p], S.assigned[p], S.no_stand[p], S.no_block[p], S.renamed[p]):
        hit = mask & pair
        if hit != ZERO and hit != pair:
            return False
    if S.damage[a] != S.damage[b] or S.power_plus[a] != S.power_plus[b] or S.strike_plus[a] != S.strike_plus[b]:
        return False
    if S.modes_used[a] != S.modes_used[b] or not same_locks(S, a, b):
        return False
    for i in range(U(4)):
        if S.uses[a, i] != S.uses[b, i]:
            return False
    return same_grants(S, a, b)


@kernel
def same_locks(S, a, b):
    """The same cards keep both from standing."""
    balance = 0
    for i in range(U(S.locks)):
        card = U(S.lock_card[i])
        if card == b:
            balance -= 1
        if card != a:
            continue
        balance += 1
        found = False
        for j in range(U(S.locks)):
            found = found or (U(S.lock_card[j]) == b and S.lock_by[j] == S.lock_by[i])
        if not found:
            return False
    return balance == 0


@kernel
def same_grants(S, a, b):
    """Two cards have been given the same abilities in the same order."""
    j = ZERO
    n = U(S.grants)
    for i in range(n):
        if U(S.grant_obj[i]) != a:
            continue
        while j < n and U(S.grant_obj[j]) != b:
            j += ONE
        if j == n or S.grant_ability[i] != S.grant_ability[j] or S.grant_turn[i] != S.grant_turn[j]:
            return False
        if S.grant_uses[i] != S.grant_uses[j]:
            return False
        j += ONE
    while j < n:
        if U(S.grant_obj[j]) == b:
            return False
        j += ONE
    return True


@kernel
def copies_of(S, T, obj):
    """Copies in the same zone that an option naming this card stands for, as a mask, the card included."""
    p, b = obj >> SIX, ONE << (obj & SLOT)
    m = T.same[obj]
    if S.hand[p] & b != ZERO:
        return m & S.hand[p]
    if S.graveyard[p] & b != ZERO:
        return m & S.graveyard[p]
    if S.bases[p] & b == ZERO:
        return b if S.exile[p] & b != ZERO else m & S.looked
    pointed = referenced(S, p, S.waits)
    result = b
    rest = m & S.bases[p] & ~b
    if pointed & b != ZERO:
        return result
    rest &= ~pointed
    while rest != ZERO:
        other = lowest(rest)
        rest &= rest - ONE
        if alike(S, p, obj & SLOT, other):
            result |= ONE << other
    return result

"""Costs: whether they can be paid, and paying them part by part (CR 10.4)."""

from __future__ import annotations

from kernels.jit import hot, kernel, popcount
from kernels.palworld.cards import bit, matching_now, value
from kernels.palworld.choices import start_pick
from kernels.palworld.codes import (
    COST_ASSIGN,
    COST_BUTCHER,
    COST_CONSUME,
    COST_DISCARD,
    COST_DISCARD_THIS,
    COST_EXILE,
    COST_MILL,
    COST_REST,
    COST_SOULS,
    K_ASSIGN,
    K_CHOOSE,
    K_DISCARD,
    ONE,
    SIX,
    TERM_X,
    USE_COST_ASSIGN,
    USE_COST_BUTCHER,
    USE_COST_DISCARD,
    USE_COST_EXILE,
    ZERO,
    I,
    U,
)
from kernels.palworld.decks import mill
from kernels.palworld.zones import discard, rest_card


@hot
def souls_standing(S, p):
    """Souls that can still pay."""
    return I(S.souls[p]) - I(S.souls_rested[p])


@hot
def pay_souls(S, p, n):
    """Rest n souls (CR 10.4.3)."""
    S.souls_rested[p] += n


@kernel
def candidates(S, T, part, obj):
    """Cards that can pay one part of a cost, as a mask of the master's slots."""
    p = obj >> SIX
    verb = U(T.cost_verb[part])
    f = I(T.cost_filter[part])
    if verb == COST_ASSIGN:
        if S.rush[p]:
            return ZERO
        m = S.bases[p] & T.type_mask[p, 0] & ~S.resting[p]
        return m & matching_now(S, T, U(f), obj, p, p) if f >= 0 else m
    if verb == COST_DISCARD:
        m = S.hand[p] & ~bit(obj)
        return m & matching_now(S, T, U(f), obj, p, p) if f >= 0 else m
    if f >= 0:
        return matching_now(S, T, U(f), obj, p, p)
    return S.bases[p] & T.type_mask[p, 0]


@hot
def can_pay_plain(S, T, ability, alt, obj, p):
    """`can_pay` for a cost that is nothing but numbers."""
    if T.need_souls[ability, alt] > souls_standing(S, p):
        return False
    if T.need_material[ability, alt] > S.material[p] or T.need_ingredient[ability, alt] > S.ingredient[p]:
        return False
    if T.need_rest[ability, alt] and S.bases[p] & ~S.resting[p] & bit(obj) == ZERO:
        return False
    n = U(T.need_assign[ability, alt])
    if n > ZERO and (S.rush[p] or popcount(S.bases[p] & T.type_mask[p, 0] & ~S.resting[p]) < n):
        return False
    n = U(T.need_discard[ability, alt])
    if n > ZERO and popcount(S.hand[p] & ~bit(obj)) < n:
        return False
    return T.need_mill[ability, alt] <= S.deck_count[p]


@kernel
def can_pay(S, T, ability, alt, obj, x):
    """Every part of an alternative can be paid by the card's master with this X (CR 10.4.2.2)."""
    p = obj >> SIX
    if T.plain_cost[ability, alt] and x == 0:
        return can_pay_plain(S, T, ability, alt, obj, p)
    first = U(T.alt_first[ability, alt])
    for part in range(first, first + U(T.alt_count[ability, alt])):
        verb = U(T.cost_verb[part])
        a = U(T.cost_amount[part])
        n = I(T.amount_const[a])
        if U(T.amount_term[a]) == TERM_X:
            n += I(T.amount_times[a]) * x
        if verb == COST_SOULS:
            ok = souls_standing(S, p) >= n
        elif verb == COST_CONSUME:
            ok = (S.material[p] if T.cost_word[part] == 0 else S.ingredient[p]) >= n
        elif verb == COST_REST:
            ok = S.bases[p] & ~S.resting[p] & bit(obj) != ZERO
        elif verb == COST_DISCARD_THIS:
            ok = S.hand[p] & bit(obj) != ZERO
        elif verb == COST_MILL:
            ok = I(S.deck_count[p]) >= n
        else:
            ok = I(popcount(candidates(S, T, part, obj))) >= n
        if not ok:
            return False
    return True


@kernel
def payable(S, T, ability, obj):
    """Alternatives that can be paid (X = 0 where it is open), as bits."""
    m = ZERO
    for alt in range(U(T.alternatives[ability])):
        if can_pay(S, T, ability, alt, obj, 0):
            m |= ONE << alt
    return m


@kernel
def highest_x(S, T, ability, obj):
    """The largest X that some alternative can pay; -1 where no cost has an X."""
    best = -1
    for alt in range(U(T.alternatives[ability])):
        if T.needs_x[ability, alt]:
            x = -1
            while x < 1000 and can_pay(S, T, ability, alt, obj, x + 1):
                x += 1
            best = max(best, x)
    return best


@kernel
def pay_part(S, T, part):
    """Pay one part of a cost; True while a pick is open."""
    obj = U(S.source)
    p = obj >> SIX
    verb = U(T.cost_verb[part])
    n = value(S, T, I(T.cost_amount[part]), obj, p)
    if verb == COST_SOULS:
        pay_souls(S, p, n)
    elif verb == COST_CONSUME:
        if T.cost_word[part] == 0:
            S.material[p] -= n
        else:
            S.ingredient[p] -= n
    elif verb == COST_REST:
        rest_card(S, T, obj)
    elif verb == COST_DISCARD_THIS:
        discard(S, T, obj)
    elif verb == COST_MILL:
        mill(S, T, p, n)
    else:
        use, kind = U(USE_COST_ASSIGN), U(K_ASSIGN)
        if verb == COST_DISCARD:
            use, kind = U(USE_COST_DISCARD), U(K_DISCARD)
        elif verb == COST_BUTCHER:
            use, kind = U(USE_COST_BUTCHER), U(K_CHOOSE)
        elif verb == COST_EXILE:
            use, kind = U(USE_COST_EXILE), U(K_CHOOSE)
        m = candidates(S, T, part, obj)
        start_pick(S, use, kind, p, n, n, m if p == ZERO else ZERO, m if p == ONE else ZERO, 0)
        return True
    return False

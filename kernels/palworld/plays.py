"""Cards and activated abilities that may be played at the two play timings (CR 8.2, 8.3, 9.5)."""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.options import add_group
from kernels.palworld.cards import bit, cost_of
from kernels.palworld.codes import K_ACTIVATE, MANY, ONE, SIX, Z_HAND, ZERO, I, U
from kernels.palworld.copies import representatives
from kernels.palworld.costs import can_pay, payable, souls_standing
from kernels.palworld.zones import rivals


@kernel
def playable(S, T, p, m):
    """Cards of a mask of the hand that can be paid, one of each set of copies."""
    souls = souls_standing(S, p)
    cheap = m & T.cost_at_most[p, U(min(max(souls, 0), 15))]
    changers = (S.bases[0] & T.cost_statics[0]) | (S.bases[1] & T.cost_statics[1]) | (S.hand[p] & T.cost_statics[p])
    if changers != ZERO or S.discount[p] != 0:
        rest = m & ~cheap
        while rest != ZERO:
            slot = lowest(rest)
            rest &= rest - ONE
            if cost_of(S, T, p << SIX | slot) <= souls:
                cheap |= ONE << slot
    m = representatives(S, T, p, cheap)
    legends = m & T.legends[p]
    while legends != ZERO:
        slot = lowest(legends)
        legends &= legends - ONE
        if rivals(S, T, p, p << SIX | slot, S.bases[p]):
            m &= ~(ONE << slot)
    return m


@hot
def unused(S, T, ability, obj):
    """The limit of an activated ability is not used up (CR 10.7.2)."""
    return T.limit[ability] == 0 or S.uses[obj, U(T.use_slot[ability])] < T.limit[ability]


@kernel
def can_activate(S, T, ability, obj):
    """An activated ability can be played: its limit is not used up and a cost can be paid (CR 10.4.2.2, 10.7.2)."""
    if not unused(S, T, ability, obj):
        return False
    for alt in range(U(T.alternatives[ability])):
        if can_pay(S, T, ability, alt, obj, 0):
            return True
    return False


@kernel
def within_means(S, T, p, zone):
    """Cards with an activated ability for which the player has enough of every single resource."""
    pals = ZERO if S.rush[p] else popcount(S.bases[p] & T.type_mask[p, 0] & ~S.resting[p])
    others = popcount(S.hand[p]) - zone if S.hand[p] != ZERO else ZERO
    return (
        T.act_within[p, zone, 0, min(U(souls_standing(S, p)), MANY)]
        & T.act_within[p, zone, 1, min(U(S.material[p]), MANY)]
        & T.act_within[p, zone, 2, min(U(S.ingredient[p]), MANY)]
        & T.act_within[p, zone, 3, min(pals, MANY)]
        & T.act_within[p, zone, 4, min(others, MANY)]
    )


@kernel
def activations(S, T, p, zone, m, quick):
    """Options to play activated abilities of the cards of a mask (CR 8.3). zone: 0 base, 1 hand."""
    m &= ~(T.resters[p] & S.resting[p])
    if m == ZERO:
        return
    m = representatives(S, T, p, m & within_means(S, T, p, zone))
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        card = U(T.card[obj])
        first = U(T.act_first[card])
        if T.act_sure[p] & (ONE << slot) != ZERO:  # its cost has been looked at
            if unused(S, T, first, obj):
                add_group(S, K_ACTIVATE, obj, T.n[first], ZERO, ONE)
            continue
        for ability in range(first, first + U(T.act_count[card])):
            if (U(T.zone[ability]) == Z_HAND) != (zone == ONE) or (quick and not T.quick[ability]):
                continue
            if can_activate(S, T, ability, obj):
                add_group(S, K_ACTIVATE, obj, T.n[ability], ZERO, ONE)


@kernel
def granted_activations(S, T, p, quick):
    """Options to play activated abilities that cards were given (CR 10.3): counted after the printed ones."""
    cards = representatives(S, T, p, S.bases[p])
    for i in range(U(S.grants)):
        ability = U(S.grant_ability[i])
        obj = U(S.grant_obj[i])
        if T.kind[ability] != 0 or (obj >> SIX) != p or cards & bit(obj) == ZERO:
            continue
        order = 1
        for j in range(i):
            if U(S.grant_obj[j]) == obj and T.kind[U(S.grant_ability[j])] == 0:
                order += 1
        if (quick and not T.quick[ability]) or (T.limit[ability] and S.grant_uses[i] >= T.limit[ability]):
            continue
        if payable(S, T, ability, obj) != ZERO:
            add_group(S, K_ACTIVATE, obj, I(T.act_count[T.card[obj]]) + order, ZERO, ONE)

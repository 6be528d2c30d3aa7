"""Interchangeable copies of a card: they are one option, for every player."""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest
from kernels.options import first_copies
from kernels.palworld.codes import (
    ONE,
    SIX,
    SLOT,
    ZERO,
    I,
    U,
)


@kernel
def referenced(S, p, waits):
    """Cards of a seat that something points at, so that they are not interchangeable.

    That is the battle, the first `waits` waiting abilities, delayed triggers to come, the running effect, an exiled
    card, or a card that is kept from standing.
    """
    m = S.them[p]
    if S.battle:
        m |= stayed(S, U(S.attacker), S.attacker_stay, p) | stayed(S, U(S.target), S.target_stay, p)
    for i in range(U(waits)):
        m |= stayed(S, U(S.wait_obj[i]), S.wait_stay[i], p) | stayed(S, U(S.wait_that[i]), S.wait_that_stay[i], p)
        if S.wait_ability[i] < 0:
            m |= S.delay_them[U(-1 - I(S.wait_ability[i])), p]
    for q in range(U(2)):
        rest = S.exile[q]
        while rest != ZERO:
            slot = lowest(rest)
            rest &= rest - ONE
            obj = q << SIX | slot
            m |= stayed(S, U(S.exiled_by[obj]), S.exiled_by_stay[obj], p)
    for i in range(U(S.locks)):
        m |= mask_if(U(S.lock_by[i]), p)
    for i in range(U(S.due), U(S.delays)):
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
def representatives(S, T, p, m):
    """The lowest card of each set of interchangeable copies in a mask of cards of one zone."""
    if T.in_order[p]:
        low = first_copies(T, p, m)
        if low == m:
            return m
        if S.bases[p] & m == ZERO:
            return low if S.exile[p] & m == ZERO else m
    return without_copies(S, T, p, m)


@kernel
def without_copies(S, T, p, m):
    """`representatives` card by card."""
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
    for i in range(U(S.says)):
        hit = S.said_of[i, p] & pair
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


@hot
def stayed(S, obj, stay, p):
    """Mask of a card if it belongs to the seat and is still the same card (CR 4.1.4)."""
    return mask_if(obj, p) if obj < U(128) and S.stay[obj] == stay else ZERO


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

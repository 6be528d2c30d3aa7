"""Moving cards, and the automatic abilities that this triggers."""

from __future__ import annotations

from kernels.hidden import hide
from kernels.jit import hot, kernel, lowest, popcount
from kernels.palworld.cards import bit, same_name
from kernels.palworld.codes import (
    E_BOTTOM,
    E_BURY,
    E_DEPLOY,
    E_DISCARD,
    E_EXILE,
    E_REST,
    E_RET,
    E_STAND,
    E_TOP,
    NONE,
    ON_DEPLOYED,
    ONE,
    SIX,
    SLOT,
    TYPE_PAL,
    WATCH_CARDS,
    ZERO,
    I,
    U,
)
from kernels.palworld.decks import see, take_from_deck
from kernels.palworld.derived import derive, derive_entered
from kernels.palworld.events import event
from kernels.palworld.triggers import leave_events, trigger

# Orientation --------------------------------------------------------------------------------------------------------


@hot
def restless(S, T):
    """The state of a card has changed: derived numbers may depend on it."""
    if S.has_statics and U(T.static_watch) & WATCH_CARDS != ZERO:
        S.dirty = 1


@hot
def rest_card(S, T, obj):
    """Rest a card of the base (CR 5.2); one that is rested stays as it is (CR 1.3.2.1)."""
    p, b = obj >> SIX, bit(obj)
    if S.bases[p] & ~S.resting[p] & b != ZERO:
        S.resting[p] |= b
        restless(S, T)
        event(S, T, E_REST, obj, 0, 0)


@kernel
def locked(S, obj):
    """A card in the base keeps this one from standing."""
    for i in range(U(S.locks)):
        if U(S.lock_card[i]) == obj:
            return True
    return False


@kernel
def unlock(S, obj):
    """A card leaves the base: it keeps no other from standing, and nothing keeps it."""
    n = ZERO
    for i in range(U(S.locks)):
        if U(S.lock_card[i]) != obj and U(S.lock_by[i]) != obj:
            S.lock_card[n] = S.lock_card[i]
            S.lock_by[n] = S.lock_by[i]
            n += ONE
    S.locks = n


@hot
def stand_card(S, T, obj):
    """Stand a card of the base unless an effect forbids it (CR 1.3.3)."""
    p, b = obj >> SIX, bit(obj)
    if S.bases[p] & S.resting[p] & b != ZERO and not locked(S, obj):
        S.resting[p] &= ~b
        restless(S, T)
        event(S, T, E_STAND, obj, 0, 0)


# Into and out of the base -------------------------------------------------------------------------------------------


@kernel
def forget(S, obj):
    """A card changes zone: it is a new card (CR 4.1.4), and what was said of the old one does not follow it."""
    p, b = obj >> SIX, bit(obj)
    S.stay[obj] += 1
    S.them[p] &= ~b
    if p == U(S.master):
        S.looked &= ~b
    S.hand[p] &= ~b
    S.graveyard[p] &= ~b
    S.exile[p] &= ~b
    S.exiled_by[obj] = NONE
    if S.bases[p] & b == ZERO:
        return
    S.was_rested[p] = S.was_rested[p] & ~b | S.resting[p] & b
    S.was_assigned[p] = S.was_assigned[p] & ~b | S.assigned[p] & b
    S.bases[p] &= ~b
    S.resting[p] &= ~b
    S.assigned[p] &= ~b
    S.no_stand[p] &= ~b
    S.no_block[p] &= ~b
    if S.renamed[p] & b != ZERO:
        S.renamed[p] &= ~b
        for i in range(U(S.says)):
            S.said_of[i, p] &= ~b
    S.hurt[p] &= ~b
    if S.changed[p] & b != ZERO:
        S.changed[p] &= ~b
        unchange(S, obj)
    if S.has_statics:
        S.dirty = 1
    if S.locks > 0:
        unlock(S, obj)
    for i in range(U(S.delays)):
        S.delay_them[i, p] &= ~b
    if S.grants == 0:
        return
    n = ZERO
    for i in range(U(S.grants)):
        if U(S.grant_obj[i]) != obj:
            S.grant_obj[n] = S.grant_obj[i]
            S.grant_ability[n] = S.grant_ability[i]
            S.grant_turn[n] = S.grant_turn[i]
            S.grant_uses[n] = S.grant_uses[i]
            n += ONE
    S.grants = n


@kernel
def unchange(S, obj):
    """Forget what was changed or counted of a card this turn."""
    S.damage[obj] = 0
    S.power_plus[obj] = 0
    S.strike_plus[obj] = 0
    S.modes_used[obj] = 0
    for i in range(U(4)):
        S.uses[obj, i] = 0


@hot
def hurt(S, obj, amount):
    """A card of the base takes damage (CR 5.14.1)."""
    S.stirred = 1
    S.damage[obj] += amount
    S.hurt[obj >> SIX] |= bit(obj)
    S.changed[obj >> SIX] |= bit(obj)


@kernel
def out_of_deck(S, p, obj):
    """Remove a card that lies in the deck from it."""
    b = bit(obj)
    if (S.hand[p] | S.bases[p] | S.graveyard[p] | S.exile[p]) & b == ZERO and U(S.event_card) != obj:
        take_from_deck(S, p, obj & SLOT)


@kernel
def deploy(S, T, p, m, rested):
    """Deploy cards of a seat together, from any zone (CR 5.15); their abilities see each other enter (CR 10.8.4.2)."""
    S.deployments += 1
    S.stirred = 1
    rest = m
    while rest != ZERO:
        slot = lowest(rest)
        rest &= rest - ONE
        obj = p << SIX | slot
        if S.hand[p] & (ONE << slot) != ZERO:
            hide(S, T, obj)
        out_of_deck(S, p, obj)
        forget(S, obj)
        S.bases[p] |= ONE << slot
        if rested:
            S.resting[p] |= ONE << slot
        S.entered[obj] = S.deployments
        derive_entered(S, T, obj)
        event(S, T, E_DEPLOY, obj, 1 if rested else 0, 0)
    if S.dirty:
        derive(S, T)  # what looks at a card that enters sees it with all effects (CR 10.10.3.1)
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        trigger(S, T, ON_DEPLOYED, obj, NONE, obj)


@kernel
def rivals(S, T, p, obj, m):
    """A Legendary Pal of the mask has a card name of this one, so that it may not enter (keyword Legendary)."""
    m &= T.type_mask[p, 0] & ~bit(obj)
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        if T.legendary[T.card[p << SIX | slot]] and same_name(S, T, p, slot, obj & SLOT):
            return True
    return False


@kernel
def bury(S, T, m0, m1):
    """Put cards of the base into their owners' graveyards at once; how many."""
    m0 &= S.bases[0]
    m1 &= S.bases[1]
    if m0 | m1 == ZERO:
        return 0
    leave_events(S, T, m0, m1, True)
    for p in range(U(2)):
        m = m0 if p == ZERO else m1
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            forget(S, obj)
            S.graveyard[p] |= ONE << slot
            event(S, T, E_BURY, obj, 0, 0)
    return I(popcount(m0) + popcount(m1))


@hot
def in_sight(S, obj):
    """The card as a mask if it lies where both players see it."""
    p = obj >> SIX
    return bit(obj) & (S.bases[p] | S.graveyard[p] | S.exile[p])


@kernel
def discard(S, T, obj):
    """Discard a card of the hand (CR 5.10)."""
    hide(S, T, obj)
    forget(S, obj)
    S.graveyard[obj >> SIX] |= bit(obj)
    event(S, T, E_DISCARD, obj, 0, 0)


@kernel
def exile(S, T, m0, m1):
    """Exile cards from wherever they are (CR 5.5), linked to the card of the running effect; how many."""
    leave_events(S, T, m0 & S.bases[0], m1 & S.bases[1], False)
    for p in range(U(2)):
        m = m0 if p == ZERO else m1
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            if S.hand[p] & (ONE << slot) != ZERO:
                hide(S, T, obj)
            out_of_deck(S, p, obj)
            forget(S, obj)
            S.exile[p] |= ONE << slot
            S.exiled_by[obj] = S.source
            S.exiled_by_stay[obj] = S.source_stay
            event(S, T, E_EXILE, obj, 0, 0)
    return I(popcount(m0) + popcount(m1))


@kernel
def to_hand(S, T, m0, m1):
    """Put cards into their owners' hands from wherever they are; how many."""
    leave_events(S, T, m0 & S.bases[0], m1 & S.bases[1], False)
    for p in range(U(2)):
        m = m0 if p == ZERO else m1
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            public = in_sight(S, obj)
            out_of_deck(S, p, obj)
            forget(S, obj)
            S.shown[p] |= public
            S.hand[p] |= ONE << slot
            S.drawn[p] |= ONE << slot
            see(S, obj)
            event(S, T, E_RET, obj, 0, 0)
    return I(popcount(m0) + popcount(m1))


@kernel
def to_deck(S, T, obj, top):
    """Put a card on top or at the bottom of its owner's deck; its place is known from now on."""
    p = obj >> SIX
    public = in_sight(S, obj)
    if S.hand[p] & bit(obj) != ZERO:
        S.shown[p] &= ~S.hand[p]  # one of the hand's cards, which the opponent does not see
    S.shown[p] = S.shown[p] & ~bit(obj) | public
    out_of_deck(S, p, obj)
    forget(S, obj)
    n = U(S.deck_count[p])
    if top:
        S.deck[p, n] = obj & SLOT
        event(S, T, E_TOP, obj, 0, 0)
    else:
        i = n
        while i > ZERO:
            S.deck[p, i] = S.deck[p, i - ONE]
            i -= ONE
        S.deck[p, 0] = obj & SLOT
        event(S, T, E_BOTTOM, obj, 0, 0)
    S.deck_count[p] = n + ONE
    S.known[p] |= bit(obj)


@hot
def is_pal(T, obj):
    """The card is a Pal."""
    return U(T.type[T.card[obj]]) == TYPE_PAL

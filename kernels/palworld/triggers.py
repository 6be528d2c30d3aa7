"""Automatic abilities: what an event triggers starts to wait (CR 10.8)."""

from __future__ import annotations

from kernels.events import stop
from kernels.jit import hot, kernel, lowest
from kernels.palworld.cards import bit, in_base, matching
from kernels.palworld.codes import (
    END_CAP,
    NONE,
    ON_BURIED,
    ON_BURIED_IN_BATTLE,
    ON_FOE_BURIED,
    ON_FOE_BURIED_ATTACKING,
    ON_LEAVES,
    ONE,
    PLAYER,
    SIX,
    ZERO,
    I,
    U,
)
from kernels.palworld.derived import derive
from kernels.palworld.state import WAITING


@kernel
def wait(S, T, ability, order, obj, that):
    """An automatic ability starts to wait (CR 10.8.2), twice where an effect says so (CR 5.21)."""
    times = ONE
    if S.twice[obj >> SIX] & bit(obj) != ZERO:
        times = U(2)
    for _ in range(times):
        queue(S, I(ability), order, obj, S.stay[obj], that)


@kernel
def queue(S, ability, order, obj, stay, that):
    """Append to the waiting abilities; ability below 0: delayed trigger -1 - ability."""
    n = U(S.waits)
    if n >= U(WAITING):
        stop(S, END_CAP)
        return
    S.wait_ability[n] = ability
    S.wait_obj[n] = obj
    S.wait_stay[n] = stay
    S.wait_n[n] = order
    S.wait_that[n] = that
    S.wait_that_stay[n] = S.stay[that] if that < PLAYER else 0
    S.wait_back[n] = S.look_back
    if S.look_back:
        S.wait_power[n], S.wait_strike[n] = S.power[obj], S.strike[obj]
    S.waits = n + ONE


@hot
def trigger(S, T, on, obj, other, that):
    """Event `on` happens to the card obj; see `trigger_all`. Nearly always nothing listens."""
    p = obj >> SIX
    listening = T.watchers[p, on] & bit(obj) | S.bases[0] & T.listeners[0, on] | S.bases[1] & T.listeners[1, on]
    if listening != ZERO or (S.grants > 0 and (U(T.granted_on) >> on) & ONE != ZERO):
        trigger_all(S, T, on, obj, other, that)


@kernel
def trigger_all(S, T, on, obj, other, that):
    """Event `on` happens to the card obj (with `other`: what it attacks, or the structure it is assigned to).

    Its own abilities and those of watching cards start to wait; `that` is what their effects call "that".
    """
    p = obj >> SIX
    card = U(T.card[obj])
    if S.dirty:
        derive(S, T)  # the card has rested, for one, and that may have made it night
    if T.watchers[p, on] & bit(obj) != ZERO:
        first = U(T.auto_first[card])
        for ability in range(first, first + U(T.auto_count[card])):
            if U(T.on[ability]) == on and T.subject[ability] < 0 and fits_object(S, T, ability, obj, other):
                wait(S, T, ability, I(T.n[ability]), obj, that)
    order = I(T.auto_count[card])
    for i in range(U(S.grants)):
        if U(S.grant_obj[i]) == obj:
            ability = U(S.grant_ability[i])
            if T.kind[ability] != 1:
                continue
            order += 1
            if U(T.on[ability]) == on and T.subject[ability] < 0 and fits_object(S, T, ability, obj, other):
                wait(S, T, ability, order, obj, that)
    for q in range(U(2)):
        m = S.bases[q] & T.listeners[q, on]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            watcher = q << SIX | slot
            card = U(T.card[watcher])
            first = U(T.auto_first[card])
            for ability in range(first, first + U(T.auto_count[card])):
                if U(T.on[ability]) == on and T.subject[ability] >= 0:
                    if matching(S, T, U(T.subject[ability]), watcher, q, p) & bit(obj) == ZERO:
                        continue
                    if fits_object(S, T, ability, watcher, other):
                        wait(S, T, ability, I(T.n[ability]), watcher, that)


@hot
def fits_object(S, T, ability, obj, other):
    """The object of the event passes the filter of the trigger."""
    f = T.object[ability]
    if f < 0:
        return True
    if other >= U(128):
        return False
    return matching(S, T, U(f), obj, obj >> SIX, other >> SIX) & bit(other) != ZERO


@kernel
def leave_events(S, T, m0, m1, buried):
    """Triggers of cards that are about to leave the base together; all of them are still there (CR 10.8.4.1.2)."""
    if m0 | m1 == ZERO:
        return
    if S.dirty:
        derive(S, T)
    S.look_back = 1
    for p in range(U(2)):
        m = m0 if p == ZERO else m1
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            trigger(S, T, ON_LEAVES, obj, NONE, obj)
            if buried:
                trigger(S, T, ON_BURIED, obj, NONE, obj)
                if S.duel:
                    buried_in_battle(S, T, obj)
    S.look_back = 0


@kernel
def buried_in_battle(S, T, obj):
    """Battle triggers of a combat Pal that is put into the graveyard (CR 12.12, 12.14)."""
    attacker, target = U(S.attacker), U(S.target)
    if obj != attacker and obj != target:
        return
    foe = target if obj == attacker else attacker
    stay = S.attacker_stay if obj == attacker else S.target_stay
    foe_stay = S.target_stay if obj == attacker else S.attacker_stay
    if S.stay[obj] != stay or not in_base(S, foe, foe_stay):
        return
    trigger(S, T, ON_BURIED_IN_BATTLE, obj, NONE, foe)
    trigger(S, T, ON_FOE_BURIED, foe, NONE, obj)
    if foe == attacker:
        trigger(S, T, ON_FOE_BURIED_ATTACKING, foe, NONE, obj)

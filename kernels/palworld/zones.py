"""Moving cards, and the automatic abilities that this triggers."""

from __future__ import annotations

import numpy as np

from kernels.jit import hot, kernel, lowest, popcount, word
from kernels.palworld.cards import bit, deck_set, derive, derive_entered, in_base, matching, same_name
from kernels.palworld.codes import (
    E_BOTTOM,
    E_BURY,
    E_CHECK,
    E_DEPLOY,
    E_DISCARD,
    E_DRAW,
    E_EXILE,
    E_LIFE,
    E_MILL,
    E_REST,
    E_RET,
    E_SHUFFLE,
    E_STAND,
    E_TOP,
    END_CAP,
    NONE,
    ON_BURIED,
    ON_BURIED_IN_BATTLE,
    ON_DEPLOYED,
    ON_FOE_BURIED,
    ON_FOE_BURIED_ATTACKING,
    ON_LEAVES,
    ONE,
    PLAYER,
    SIX,
    SLOT,
    TYPE_PAL,
    ZERO,
    I,
    U,
)
from kernels.palworld.state import LOG, WAITING
from kernels.rng import GAMMA, S32, below, mix

FOLD = np.uint64(0xFF51AFD7ED558CCD)
S29, S7, S8, S16 = np.uint64(29), np.uint64(7), np.uint64(8), np.uint64(16)
S40 = np.uint64(40)
A_BIAS, A_MASK, B_BIAS, B_MASK = np.uint64(1 << 15), np.uint64(0xFFFF), np.uint64(1 << 31), np.uint64(0xFFFFFFFF)


@hot
def fold(S, word):
    """Add a word to the signature of the game."""
    z = (S.signature ^ word) * FOLD
    S.signature = z ^ (z >> S29)


@hot
def name_key(T, obj):
    """Hash of the card number of a card, or of a player; the same for all copies and printings."""
    return T.key[T.card[obj]] if obj < U(128) else obj


@hot
def event(S, T, kind, obj, a, b):
    """Something happened: into the signature, and into the log where that is on."""
    record(S, T, U(kind), U(obj), I(a), I(b))


@kernel
def record(S, T, kind, obj, a, b):
    """The body of `event`; apart, so that it is compiled once for one type of each number."""
    owner = (obj >> SIX) & ONE
    fold(S, name_key(T, obj) ^ (kind << S40) ^ (owner << S32) ^ word(a) * GAMMA ^ word(b) * FOLD)
    if S.log_on:
        write_log(S, kind, obj, a, b)


@kernel
def write_log(S, kind, obj, a, b):
    """Append to the event log; what does not fit is counted, so that a reader can say so."""
    n = U(S.log_count)
    if n < U(LOG):
        S.log[n] = kind | obj << S8 | ((word(a) + A_BIAS) & A_MASK) << S16 | ((word(b) + B_BIAS) & B_MASK) << S32
    S.log_count = n + ONE


@kernel
def stop(S, end):
    """End the game by force: a capacity or the loop guard (never silent: the row says so)."""
    S.status = 1
    S.end = end
    S.winner = -1


# Automatic abilities ------------------------------------------------------------------------------------------------


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
    listening = T.watchers[p, on] & bit(obj) | S.bases[0] & T.watchers[0, on] | S.bases[1] & T.watchers[1, on]
    if listening != ZERO or S.grants > 0:
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
        m = S.bases[q] & T.watchers[q, on]
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


# Orientation --------------------------------------------------------------------------------------------------------


@hot
def rest_card(S, T, obj):
    """Rest a card of the base (CR 5.2); one that is rested stays as it is (CR 1.3.2.1)."""
    p, b = obj >> SIX, bit(obj)
    if S.bases[p] & ~S.resting[p] & b != ZERO:
        S.resting[p] |= b
        if S.has_statics:
            S.dirty = 1
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
        if S.has_statics:
            S.dirty = 1
        event(S, T, E_STAND, obj, 0, 0)


# The deck -----------------------------------------------------------------------------------------------------------


@kernel
def shuffle(S, T, p):
    """Shuffle a deck (CR 5.6): Fisher and Yates over the seat's shuffle stream."""
    rng = S.shuffle_rng[p]
    i = U(S.deck_count[p])
    while i > ONE:
        rng += GAMMA
        j = below(mix(rng), i)
        i -= ONE
        card = S.deck[p, i]
        S.deck[p, i] = S.deck[p, j]
        S.deck[p, j] = card
    S.shuffle_rng[p] = rng
    S.known[p] = ZERO


@hot
def see(S, obj):
    """The card comes into the hand: first time it is seen."""
    if S.seen_at[obj] == 255:
        S.seen_at[obj] = min(S.turn, 254)


@kernel
def draw(S, T, p, n):
    """Draw n cards, one after another (CR 5.7.2); from an empty deck nothing is drawn (CR 1.3.2)."""
    drawn = 0
    while drawn < n and S.deck_count[p] > 0:
        top = U(S.deck_count[p]) - ONE
        slot = U(S.deck[p, top])
        S.deck_count[p] = top
        b = ONE << slot
        S.hand[p] |= b
        S.drawn[p] |= b
        S.known[p] &= ~b
        see(S, p << SIX | slot)
        event(S, T, E_DRAW, p << SIX | slot, 0, 0)
        drawn += 1
    if S.deck_count[p] == 0:
        S.stirred = 1
    return drawn


@hot
def flip(S, T, p, kind):
    """Put the top card of a deck into the graveyard; returns it, NONE for an empty deck."""
    if S.deck_count[p] == 0:
        return NONE
    top = U(S.deck_count[p]) - ONE
    slot = U(S.deck[p, top])
    S.deck_count[p] = top
    b = ONE << slot
    S.graveyard[p] |= b
    S.milled[p] |= b
    S.known[p] &= ~b
    obj = p << SIX | slot
    event(S, T, kind, obj, 1 if T.lucky[p] & b != ZERO else 0, 0)
    return obj


@kernel
def mill(S, T, p, n):
    """Put the top n cards of a deck into the graveyard; how many there were."""
    done = 0
    while done < n and flip(S, T, p, E_MILL) != NONE:
        done += 1
    S.stirred = 1
    return done


@kernel
def take_from_deck(S, p, slot):
    """Remove a card from the deck, wherever it lies."""
    n = U(S.deck_count[p])
    S.stirred = 1
    i = ZERO
    while i < n and U(S.deck[p, i]) != slot:
        i += ONE
    if i == n:
        return
    while i + ONE < n:
        S.deck[p, i] = S.deck[p, i + ONE]
        i += ONE
    S.deck_count[p] = n - ONE
    S.known[p] &= ~(ONE << slot)


@kernel
def deal_player(S, T, p, amount):
    """A player takes damage: the damage check (CR 11.2), at once, inside whatever is being resolved (CR 11.1.2.1)."""
    if amount <= 0:
        return
    size = I(S.deck_count[p])
    lucky = I(popcount(T.lucky[p] & deck_set(S, T, p)))
    known = S.known[p] != ZERO
    stopped, flipped = 0, 0
    while flipped < amount:
        obj = flip(S, T, p, E_CHECK)
        if obj == NONE:
            break
        flipped += 1
        if T.lucky[p] & bit(obj) != ZERO:
            stopped = 1
            break
    S.stirred = 1
    if stopped == 0:
        S.life[p] -= amount
        event(S, T, E_LIFE, PLAYER + p, -amount, 0)
    record_check(S, p, amount, size, lucky, known, stopped, flipped)


@kernel
def record_check(S, p, strike, size, lucky, known, stopped, flipped):
    """Count a damage check; without known cards its chance is hypergeometric (statistics 0)."""
    S.checks[p] += 1
    S.lucky_stops[p] += stopped
    if not known:
        miss = 1.0
        for i in range(min(strike, size)):
            miss *= max(size - lucky - i, 0) / (size - i)
        chance = 1.0 - miss
        S.luck_sum[p] += stopped - chance
        S.luck_var[p] += chance * miss
    n = U(S.check_count)
    if n < U(256):
        first = 1 if p == U(S.first_seat) else 0
        word = min(strike, 255) | size << 8 | lucky << 16 | (1 if known else 0) << 24 | stopped << 25
        S.check_log[n] = U(word | I(p) << 26 | first << 27 | flipped << 32)
        S.check_count = n + ONE
    else:
        stop(S, END_CAP)


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
    S.bases[p] &= ~b
    S.resting[p] &= ~b
    S.assigned[p] &= ~b
    S.no_stand[p] &= ~b
    S.no_block[p] &= ~b
    S.renamed[p] &= ~b
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


@kernel
def discard(S, T, obj):
    """Discard a card of the hand (CR 5.10)."""
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
            out_of_deck(S, p, obj)
            forget(S, obj)
            S.hand[p] |= ONE << slot
            S.drawn[p] |= ONE << slot
            see(S, obj)
            event(S, T, E_RET, obj, 0, 0)
    return I(popcount(m0) + popcount(m1))


@kernel
def to_deck(S, T, obj, top):
    """Put a card on top or at the bottom of its owner's deck; its place is known from now on."""
    p = obj >> SIX
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


@kernel
def reshuffle(S, T, p):
    """Shuffle a deck as the result of an effect, and say so."""
    shuffle(S, T, p)
    event(S, T, E_SHUFFLE, PLAYER + p, 0, 0)

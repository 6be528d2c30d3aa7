"""Verbs that do one thing to a group of cards."""

from __future__ import annotations

from kernels.events import stop
from kernels.jit import hot, kernel, lowest, popcount
from kernels.palworld.cards import bit, group_of, in_base, matching, matching_now, value
from kernels.palworld.codes import (
    E_DAMAGE,
    E_GRANT,
    E_MILL,
    E_MODIFY,
    E_REVEAL,
    END_CAP,
    NONE,
    ON_BUTCHERED,
    ONE,
    OP_ADD_NAME,
    OP_BURY,
    OP_BUTCHER,
    OP_DAMAGE,
    OP_DEPLOY,
    OP_EXILE,
    OP_GRANT,
    OP_HAND,
    OP_MODIFY,
    OP_NO_BLOCK,
    OP_NO_STAND,
    OP_REST,
    OP_SHOW,
    PLAYER,
    REF_THAT,
    REF_THIS,
    SIX,
    STATIC_DAMAGE_PLUS,
    UNTIL_ENEMY_TURN,
    UNTIL_THIS_IN_BASE,
    ZERO,
    I,
    U,
)
from kernels.palworld.derived import derive
from kernels.palworld.events import event
from kernels.palworld.state import GRANTS, LOCKS, SAID
from kernels.palworld.triggers import trigger
from kernels.palworld.zones import (
    bury,
    deploy,
    discard,
    exile,
    forget,
    hurt,
    out_of_deck,
    rest_card,
    rivals,
    stand_card,
    to_hand,
)


@kernel
def targets(S, T, target, p):
    """Cards of seat p that an instruction applies to: a filter, or a reference below 0."""
    this, master = U(S.source), U(S.master)
    if target >= 0:
        return matching_now(S, T, U(target), this, master, p)
    if target == REF_THIS:
        return bit(this) if (this >> SIX) == p and in_base(S, this, S.source_stay) else ZERO
    if target == REF_THAT:
        that = U(S.that)
        return bit(that) if that < PLAYER and (that >> SIX) == p and in_base(S, that, S.that_stay) else ZERO
    return group_of(S, T, target, this, master, p)


@hot
def number(S, T, a):
    """An amount of the running effect."""
    return value(S, T, I(a), U(S.source), U(S.master))


@kernel
def until_turn(S, until):
    """Turn at whose end an effect expires: this one, or the opponent's next turn."""
    if until == UNTIL_ENEMY_TURN:
        return I(S.turn) + (1 if U(S.turn_seat) == U(S.master) else 2)
    return I(S.turn)


@kernel
def deal(S, T, m, p, amount):
    """Effect damage to Pals and structures (CR 5.14.1), after replacement effects that raise it (CR 10.11); how many
    are damaged."""
    source = U(S.source)
    master = U(S.master)
    hit = I(0)
    m &= ~T.type_mask[p, 2]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        n = amount
        if amount > 0 and S.bases[master] & T.raisers[master] != ZERO:  # no damage is not raised (CR 1.3.2.2)
            n += damage_plus(S, T, source, master, obj)
        if n > 0:
            hurt(S, obj, n)
            event(S, T, E_DAMAGE, obj, n, 0)
            hit += 1
    return hit


@kernel
def damage_plus(S, T, source, master, obj):
    """Sum of the replacement effects of the master's base that raise this damage; each applies once (CR 10.11.2.3)."""
    total = 0
    for q in range(U(2)):
        m = S.bases[q] & T.raisers[q]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            holder = q << SIX | slot
            card = U(T.card[holder])
            first = U(T.static_first[card])
            for k in range(first, first + U(T.static_count[card])):
                if U(T.static_kind[k]) != STATIC_DAMAGE_PLUS or q != master:
                    continue
                if T.fit[U(T.static_source[k]), source >> SIX] & bit(source) == ZERO:
                    continue
                if matching(S, T, U(T.static_target[k]), holder, q, obj >> SIX) & bit(obj) != ZERO:
                    total += value(S, T, I(T.static_power[k]), holder, q)
    return total


@kernel
def modify(S, T, m, p, power, strike):
    """Power and Strike until the end of the turn; a card that enters later is not changed (CR 10.10.2)."""
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        S.stirred = 1
        S.changed[p] |= ONE << slot
        S.power_plus[obj] += power
        S.strike_plus[obj] += strike
        S.power[obj] += power
        S.strike[obj] += strike
        event(S, T, E_MODIFY, obj, power, strike)


@kernel
def grant(S, T, m, p, ability, turn):
    """Give cards an ability until the end of a turn."""
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        n = U(S.grants)
        if n >= U(GRANTS):
            stop(S, END_CAP)
            return
        obj = p << SIX | slot
        S.grant_obj[n] = obj
        S.grant_ability[n] = ability
        S.grant_turn[n] = turn
        S.grant_uses[n] = 0
        S.grants = n + ONE
        S.dirty = 1
        event(S, T, E_GRANT, obj, T.ability_keyword[U(ability)], 0)


@kernel
def butcher(S, T, m0, m1):
    """Butcher Pals (CR 5.16): into the graveyard, with an event of its own; how many."""
    m0 &= S.bases[0]
    m1 &= S.bases[1]
    S.look_back = 1
    for p in range(U(2)):
        m = m0 if p == ZERO else m1
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            trigger(S, T, ON_BUTCHERED, obj, NONE, obj)
    S.look_back = 0
    return bury(S, T, m0, m1)


@kernel
def card_verb(S, T, op, target, i):
    """Verbs that do one thing to a group of cards; sets `did` to the number of cards affected."""
    m0 = targets(S, T, target, ZERO)
    m1 = targets(S, T, target, ONE)
    if S.dirty:
        derive(S, T)
    if op == OP_HAND:
        S.did = to_hand(S, T, m0, m1)
    elif op == OP_EXILE:
        S.did = exile(S, T, m0, m1)
    elif op == OP_BURY:
        S.did = bury_anywhere(S, T, m0, m1)
    elif op == OP_DEPLOY:
        S.did = deploy_all(S, T, m0, m1, T.code[i, 2])
    elif op == OP_SHOW:
        show(S, T, m0, m1)
    else:
        m0 &= S.bases[0]
        m1 &= S.bases[1]
        base_verb(S, T, op, m0, m1, i)


@kernel
def base_verb(S, T, op, m0, m1, i):
    """The verbs of `card_verb` that work on cards of the base only."""
    if op == OP_BUTCHER:
        S.did = butcher(S, T, m0, m1)
        return
    S.did = 0
    power, strike, until = 0, 0, U(T.code[i, 4])
    if op == OP_DAMAGE:
        power = number(S, T, T.code[i, 2])
    elif op == OP_MODIFY:
        power = number(S, T, T.code[i, 2]) if T.code[i, 2] >= 0 else 0
        strike = number(S, T, T.code[i, 3]) if T.code[i, 3] >= 0 else 0
    for p in range(U(2)):
        m = m0 if p == ZERO else m1
        if m == ZERO:
            continue
        done = I(popcount(m))
        if op == OP_DAMAGE:
            done = deal(S, T, m, p, power)
        elif op == OP_MODIFY:
            modify(S, T, m, p, power, strike)
        elif op == OP_GRANT:
            grant(S, T, m, p, T.code[i, 2], until_turn(S, until))
        elif op == OP_NO_BLOCK:
            S.no_block[p] |= m
        elif op == OP_ADD_NAME:
            add_name(S, m, p)
        elif op == OP_NO_STAND:
            keep_from_standing(S, m, p, until)
        else:
            done = orient(S, T, op, m, p)
        S.did += done


@kernel
def orient(S, T, op, m, p):
    """Rest or stand cards; how many are turned (CR 1.3.2.1)."""
    before = S.resting[p]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        if op == OP_REST:
            rest_card(S, T, p << SIX | slot)
        else:
            stand_card(S, T, p << SIX | slot)
    return I(popcount(before ^ S.resting[p]))


@kernel
def keep_from_standing(S, m, p, until):
    """Cards do not stand in the opponent's next stand phase, or as long as this card is in the base."""
    if until != UNTIL_THIS_IN_BASE:
        if p != U(S.master):  # the opponent's stand phase stands none of the master's cards
            S.no_stand[p] |= m
        return
    if not in_base(S, U(S.source), S.source_stay):
        return
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        lock(S, p << SIX | slot, U(S.source))


@kernel
def legal_deploy(S, T, p, m):
    """Cards of a mask that may enter the base: of Legendary Pals with the same name only one (keyword Legendary)."""
    rest = m
    names = ZERO
    while rest != ZERO:
        slot = lowest(rest)
        rest &= rest - ONE
        obj = p << SIX | slot
        card = U(T.card[obj])
        if not T.legendary[card]:
            continue
        if rivals(S, T, p, obj, S.bases[p] | names):
            m &= ~(ONE << slot)
        else:
            names |= ONE << slot
    return m


@kernel
def deploy_all(S, T, m0, m1, rested):
    """Deploy cards into their owners' bases; how many entered."""
    done = 0
    for p in range(U(2)):
        m = legal_deploy(S, T, p, m0 if p == ZERO else m1)
        if m != ZERO:
            deploy(S, T, p, m, rested)
            done += I(popcount(m))
    return done


@kernel
def bury_anywhere(S, T, m0, m1):
    """Put cards into their owners' graveyards, from the base, the hand or among the cards looked at; how many."""
    n = bury(S, T, m0, m1)
    for p in range(U(2)):
        m = (m0 if p == ZERO else m1) & ~S.graveyard[p]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            n += 1
            if S.hand[p] & (ONE << slot) != ZERO:
                discard(S, T, obj)
                continue
            out_of_deck(S, p, obj)
            forget(S, obj)
            S.graveyard[p] |= ONE << slot
            S.milled[p] |= ONE << slot
            event(S, T, E_MILL, obj, 0, 0)
    return n


@kernel
def show(S, T, m0, m1):
    """Reveal cards: nothing moves."""
    S.did = I(popcount(m0) + popcount(m1))
    for p in range(U(2)):
        m = m0 if p == ZERO else m1
        S.shown[p] |= m & ~(S.bases[p] | S.graveyard[p] | S.exile[p])
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            event(S, T, E_REVEAL, p << SIX | slot, 0, 0)


@kernel
def add_name(S, m, p):
    """Cards get the declared name in addition until the end of the turn (CR 2.1.5)."""
    n = U(S.says)
    i = ZERO
    while i < n and S.said[i] != S.declared:
        i += ONE
    if i >= U(SAID):
        stop(S, END_CAP)
        return
    if i == n:
        S.said[i] = S.declared
        S.said_of[i, 0] = ZERO
        S.said_of[i, 1] = ZERO
        S.says = n + ONE
    S.said_of[i, p] |= m
    S.renamed[p] |= m
    S.dirty = 1


@kernel
def lock(S, obj, by):
    """A card does not stand as long as another one is in the base."""
    n = U(S.locks)
    for i in range(n):
        if U(S.lock_card[i]) == obj and U(S.lock_by[i]) == by:
            return
    if n >= U(LOCKS):
        stop(S, END_CAP)
        return
    S.lock_card[n] = obj
    S.lock_by[n] = by
    S.locks = n + ONE

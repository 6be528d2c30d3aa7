"""Abilities: an effect is run instruction by instruction until it is done or a decision is open."""

from __future__ import annotations

from kernels.aether.choices import start_pick
from kernels.aether.codes import (
    AT_CHECK,
    AT_RESOLVE,
    CHAIN_SINGLE,
    CHAIN_SPELL,
    E_BARRIER,
    E_DISCARD,
    E_KEYWORD,
    E_MILL,
    E_MODIFY,
    E_RAMP,
    E_RESOLVE,
    E_RET,
    E_USED,
    FIELD,
    K_MODE,
    K_NO,
    K_YES,
    KW_BARRIER,
    KW_DRAIN,
    NONE,
    ON_SPELL,
    ON_SUMMONED,
    ONE,
    OP_CHOOSE,
    OP_DAMAGE,
    OP_DESTROY,
    OP_DISCARD,
    OP_DRAW,
    OP_END,
    OP_FREEZE,
    OP_HAND,
    OP_HEAL,
    OP_JUMP,
    OP_KEYWORD,
    OP_LIFE,
    OP_LOSE,
    OP_LOSE_KEYWORD,
    OP_MAY,
    OP_MILL,
    OP_MODES,
    OP_MODIFY,
    OP_MOVE,
    OP_PLAYER_DAMAGE,
    OP_RAMP,
    OP_RESTORE,
    OP_RETURN,
    OP_SUMMON,
    OP_UNLESS,
    PLAYER,
    REF_THEM,
    SIX,
    SLOT,
    USE_DISCARD,
    USE_RETURN,
    USE_THEM,
    ZERO,
    I,
    U,
)
from kernels.aether.derived import amount, bit, derive_unit, holds, matching, refresh, stale
from kernels.aether.moves import (
    add_aether,
    bounce,
    change_life,
    damage_player,
    damage_unit,
    draw,
    drop_barrier,
    event,
    freeze,
    heal_player,
    heal_unit,
    shift,
    summon_token,
    take_top,
)
from kernels.aether.targets import has_candidate, players_of, possible, possible_plain, source_words, targets
from kernels.hidden import hide
from kernels.jit import hot, kernel, popcount
from kernels.options import add_group, add_one, open_decision

GONE = 65535
"""Stay of a source that has left the field."""


@kernel
def begin(S, T, ability, obj, chain, gone):
    """Start an ability of a card; chain: what comes behind it."""
    S.ability = ability
    S.chain = chain
    S.source = obj
    S.source_stay = GONE if gone else S.stay[obj]
    S.source_words = 0
    S.seat = obj >> SIX
    S.pc = T.pc[U(ability)]
    S.answer = -1
    S.them[0] = ZERO
    S.them[1] = ZERO
    S.them_players = 0
    if chain != CHAIN_SPELL:
        event(S, T, E_RESOLVE, obj, T.n[U(ability)], 0)
    S.at = AT_RESOLVE


@kernel
def begin_chain(S, T, obj, chain, after):
    """Start the next on-summon ability of a unit, or part of a spell, behind `after`; False when there is none.
    Together they are one effect (AE-9.3)."""
    card = U(S.card[obj])
    event = ON_SPELL if chain == CHAIN_SPELL else ON_SUMMONED
    first = U(T.first[card])
    for ability in range(first, first + U(T.count[card])):
        if I(ability) > after and U(T.event[ability]) == event:
            begin(S, T, I(ability), obj, chain, False)
            return True
    return False


@kernel
def end_effect(S, T):
    """The running ability is done: the next of its chain, or the check (AE-8.9)."""
    chain, obj = U(S.chain), U(S.source)
    words = S.source_words
    if chain != CHAIN_SINGLE and begin_chain(S, T, obj, chain, I(S.ability)):
        S.source_words = words
        return
    if chain == CHAIN_SPELL:  # after its last part (AE-8.24)
        S.graveyard[obj >> SIX] |= bit(obj)
        event(S, T, E_USED, obj, 0, 0)
    S.ability = -1
    S.source = NONE
    S.at = AT_CHECK


# Instructions -------------------------------------------------------------------------------------------------------


@kernel
def run(S, T):
    """Go on with the running effect; True while a decision of its own is open."""
    while True:
        row = U(S.pc)
        op = U(T.code[row, 0])
        if op == OP_END:
            end_effect(S, T)
            return False
        if stale(S, T):
            refresh(S, T)
        if op == OP_UNLESS:
            met = holds(S, T, I(T.code[row, 1]), U(S.source), U(S.seat))
            S.pc = I(row) + 1 if met else I(T.code[row, 2])
        elif op == OP_JUMP:
            S.pc = T.code[row, 1]
        elif op == OP_MAY or op == OP_MODES:
            if question(S, T, row, op):
                return True
        elif op == OP_CHOOSE or op == OP_DISCARD or op == OP_RETURN:
            if choice(S, T, row, op):
                return False
        else:
            S.pc = I(row) + 1
            if op <= OP_PLAYER_DAMAGE:
                player_verb(S, T, row, op)
            elif op == OP_SUMMON:
                for _ in range(amount(S, T, I(T.code[row, 1]), U(S.source), U(S.seat))):
                    summon_token(S, T, U(S.seat), U(T.code[row, 3]))
            else:
                unit_verb(S, T, row, op)


@kernel
def question(S, T, row, op):
    """ "You may" is asked where all its targets are there, before they are chosen (AE-8.7, 9.4); "choose one" of the
    bodies that can be done. True while the decision is open."""
    this, seat = U(S.source), U(S.seat)
    if S.answer < 0:
        open_decision(S, seat, AT_RESOLVE)
        if op == OP_MAY:
            if not possible(S, T, row + ONE, U(T.code[row, 1]), this, seat):
                S.pc = T.code[row, 1]
                return False
            add_one(S, K_YES)
            add_one(S, K_NO)
            return True
        behind = U(T.code[row, 2])
        for k in range(U(T.code[row, 1])):
            if possible_plain(S, T, U(T.code[row + ONE + k, 1]), behind, this, seat):
                add_group(S, K_MODE, NONE, I(k) + 1, ZERO, ONE)
        if S.groups == 0:
            S.pc = I(behind)
            return False
        return True
    answer = U(S.answer)
    S.answer = -1
    if op == OP_MAY:
        S.pc = I(row) + 1 if answer != ZERO else I(T.code[row, 1])
    else:
        S.pc = T.code[row + answer, 1]
    return False


@kernel
def choice(S, T, row, op):
    """Let the controller choose targets, a player discard, or cards return; False where there is nothing to choose. A
    choice that must be made and cannot ends its block (AE-8.3)."""
    this, seat = U(S.source), U(S.seat)
    S.pc = I(row) + 1
    if op == OP_CHOOSE:
        f = U(T.code[row, 1])
        low, high = amount(S, T, I(T.code[row, 2]), this, seat), amount(S, T, I(T.code[row, 3]), this, seat)
        if low > 0 and not has_candidate(S, T, f, this, seat):
            S.pc = T.code[row, 4]
            return False
        m0, m1 = matching(S, T, f, this, seat, ZERO), matching(S, T, f, this, seat, ONE)
        start_pick(S, USE_THEM, seat, low, high, m0, m1, players_of(T, f, seat))
        return True
    n = amount(S, T, I(T.code[row, 1]), this, seat)
    if op == OP_DISCARD:
        who = seat if T.code[row, 2] == 0 else ONE - seat
        hand = S.hand[who]
        start_pick(S, USE_DISCARD, who, n, n, hand if who == ZERO else ZERO, hand if who == ONE else ZERO, ZERO)
        return True
    n = min(n, I(T.hand_limit) - I(popcount(S.hand[seat])))  # into a full hand nothing is chosen (AE-9.6)
    f = U(T.code[row, 2])
    m0, m1 = matching(S, T, f, this, seat, ZERO), matching(S, T, f, this, seat, ONE)
    start_pick(S, USE_RETURN, seat, n, n, m0, m1, ZERO)
    return True


@kernel
def end_pick(S, T):
    """A pick is complete: do what it was for."""
    use = U(S.pick_use)
    if use == USE_THEM:
        S.them[0] = ZERO
        S.them[1] = ZERO
        S.them_players = 0
    for i in range(U(S.picks)):
        obj = U(S.picked[i])
        if use == USE_THEM:
            if obj >= PLAYER:
                S.them_players = U(S.them_players) | ONE << (obj - PLAYER)
            else:
                S.them[obj >> SIX] |= bit(obj)
        elif use == USE_DISCARD:
            hide(S, T, obj)
            S.hand[obj >> SIX] &= ~bit(obj)
            S.graveyard[obj >> SIX] |= bit(obj)
            event(S, T, E_DISCARD, obj, 0, 0)
        else:
            S.graveyard[obj >> SIX] &= ~bit(obj)
            S.hand[obj >> SIX] |= bit(obj)
            S.shown[obj >> SIX] |= bit(obj)
            event(S, T, E_RET, obj, 0, 0)
    S.at = AT_RESOLVE


@kernel
def player_verb(S, T, row, op):
    """Verbs about players and decks."""
    p = U(S.seat)
    n = amount(S, T, I(T.code[row, 1]), U(S.source), p)
    if op == OP_DRAW:
        for _ in range(n):
            draw(S, T, p)
    elif op == OP_MILL or op == OP_RAMP:
        for _ in range(n):
            if S.deck_count[p] == 0:  # nothing happens (AE-7.10)
                break
            obj = p << SIX | take_top(S, p)
            if op == OP_MILL:
                S.graveyard[p] |= bit(obj)
                event(S, T, E_MILL, obj, 0, 0)
            else:
                add_aether(S, T, obj)
                S.used[p] += T.code[row, 2]
                event(S, T, E_RAMP, obj, T.code[row, 2], 0)
        if S.dirty:
            refresh(S, T)
    elif op == OP_LIFE:
        heal_player(S, T, p, n)
    elif op == OP_LOSE:
        change_life(S, T, p, -n)
    elif op == OP_PLAYER_DAMAGE:
        words = source_words(S, T)
        drain(S, T, words, damage_player(S, T, ONE - p, n))


@hot
def drain(S, T, words, dealt):
    """Drain counts for damage by a unit's own effects too (AE-6.9, 6.10)."""
    if words & KW_DRAIN != ZERO:
        heal_player(S, T, U(S.seat), dealt)


@kernel
def unit_verb(S, T, row, op):
    """Verbs about units: one after another, the active player's first, in slot order. What is read of cards is read
    before the first."""
    first, ref = U(S.turn_seat), I(T.code[row, 2])
    m0, m1 = targets(S, T, ref, ZERO), targets(S, T, ref, ONE)
    this, seat = U(S.source), U(S.seat)
    words = source_words(S, T) if op == OP_DAMAGE else ZERO
    n, hp, dealt = I(0), I(0), I(0)
    if op == OP_DAMAGE or op == OP_HEAL or op == OP_MODIFY:
        n = amount(S, T, I(T.code[row, 1]), this, seat)
    if op == OP_MODIFY:
        hp = amount(S, T, I(T.code[row, 3]), this, seat)
    for k in range(U(2)):
        p = first ^ k
        m = m1 if p == ONE else m0
        for i in range(FIELD):
            slot = U(S.row[p, i])
            if slot == NONE or m & (ONE << (slot & SLOT)) == ZERO:
                continue
            m &= ~(ONE << slot)
            dealt += act_on(S, T, row, op, p << SIX | slot, words, n, hp)
    if op == OP_DAMAGE:
        if ref == REF_THEM:
            for k in range(U(2)):
                if U(S.them_players) >> k & ONE != ZERO:
                    dealt += damage_player(S, T, k, n)
        drain(S, T, words, dealt)
    if S.dirty:
        refresh(S, T)


@kernel
def act_on(S, T, row, op, obj, words, n, hp):
    """One verb on one unit; the damage dealt."""
    if op == OP_DAMAGE:
        return damage_unit(S, T, words, obj, n)
    if op == OP_HEAL:
        heal_unit(S, T, obj, n)
    elif op == OP_RESTORE:
        heal_unit(S, T, obj, I(S.damage[obj]))
    elif op == OP_MODIFY:
        if T.code[row, 4]:
            S.attack_turn[obj] += n
            S.hp_turn[obj] += hp
            S.changed[obj >> SIX] |= bit(obj)
        else:
            S.attack_plus[obj] += n
            S.hp_plus[obj] += hp
        derive_unit(S, T, obj)
        event(S, T, E_MODIFY, obj, n, hp)
    elif op == OP_KEYWORD:
        give_keyword(S, T, obj, U(T.code[row, 1]), T.code[row, 4])
    elif op == OP_LOSE_KEYWORD:
        lose_keyword(S, T, obj, U(T.code[row, 1]))
    elif op == OP_FREEZE:
        freeze(S, T, obj)
    elif op == OP_DESTROY:
        S.marked[obj >> SIX] |= bit(obj)
    elif op == OP_HAND:
        bounce(S, T, obj)
    elif op == OP_MOVE:
        shift(S, T, obj, ONE if S.front[obj >> SIX] & bit(obj) != ZERO else ZERO)
    return I(0)


@kernel
def give_keyword(S, T, obj, index, for_turn):
    """A barrier is there or not, twice means nothing (AE-6.2, 6.21)."""
    b, word = bit(obj), ONE << index
    if word == KW_BARRIER:
        if S.barrier[obj >> SIX] & b == ZERO:
            S.barrier[obj >> SIX] |= b
            derive_unit(S, T, obj)
            event(S, T, E_BARRIER, obj, 1, 0)
        return
    if for_turn:
        S.turn_words[obj] = U(S.turn_words[obj]) | word
        S.changed[obj >> SIX] |= b
    else:
        S.kept_words[obj] = U(S.kept_words[obj]) | word
    derive_unit(S, T, obj)
    event(S, T, E_KEYWORD, obj, index, 1)


@kernel
def lose_keyword(S, T, obj, index):
    """For good: printed, granted, and for this turn; a later grant gives it back."""
    word = ONE << index
    if word == KW_BARRIER:
        if S.barrier[obj >> SIX] & bit(obj) != ZERO:
            drop_barrier(S, T, obj)
        return
    S.turn_words[obj] = U(S.turn_words[obj]) & ~word
    S.kept_words[obj] = U(S.kept_words[obj]) & ~word
    derive_unit(S, T, obj)
    event(S, T, E_KEYWORD, obj, index, 0)

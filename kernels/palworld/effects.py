"""The interpreter of compiled effects: one instruction a verb, resumable at every choice (CR 10.6.2.4, 10.9).

`run` goes on until the effect ends or a decision is open. An instruction that asks a question stays where it is: it
opens the decision, and finds the reply in `answer` when it runs again.
"""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.palworld.cards import (
    bit,
    cost_of,
    derive,
    group_of,
    holds,
    in_base,
    matching,
    matching_now,
    value,
)
from kernels.palworld.choices import add_group, add_numbers_up_to, add_one, open_decision, start_pick
from kernels.palworld.codes import (
    AT_PICK,
    AT_RESOLVE,
    E_DAMAGE,
    E_FAIL,
    E_GAIN,
    E_GRANT,
    E_LIFE,
    E_MILL,
    E_MODIFY,
    E_NIGHT,
    E_PLAY,
    E_REVEAL,
    E_SOULS,
    END_CAP,
    K_CHOOSE,
    K_DISCARD,
    K_MODE,
    K_NAME,
    K_NO,
    K_YES,
    NONE,
    ON_BUTCHERED,
    ONE,
    OP_ADD_NAME,
    OP_AGAIN,
    OP_BOTTOM,
    OP_BURY,
    OP_BUTCHER,
    OP_CHOOSE,
    OP_DAMAGE,
    OP_DECLARE,
    OP_DELAY,
    OP_DEPLOY,
    OP_DISCARD,
    OP_DISCARD_TO,
    OP_DISCOUNT,
    OP_DRAW,
    OP_DRAW_TO,
    OP_END,
    OP_EXILE,
    OP_FAIL_ATTACK,
    OP_GAIN,
    OP_GRANT,
    OP_HAND,
    OP_JUMP,
    OP_LIFE,
    OP_LOOK,
    OP_MAY,
    OP_MILL,
    OP_MODES,
    OP_MODIFY,
    OP_NIGHT,
    OP_NO_BLOCK,
    OP_NO_STAND,
    OP_PLAY,
    OP_PLAYER_DAMAGE,
    OP_REPEAT,
    OP_REST,
    OP_REVEAL,
    OP_RUSH,
    OP_SHOW,
    OP_SHUFFLE,
    OP_SOULS,
    OP_STAND,
    OP_STAND_SOULS,
    OP_TAKE,
    OP_TOP,
    OP_UNLESS,
    PLAYER,
    REF_THAT,
    REF_THIS,
    SIX,
    SOUL_LIMIT,
    STATIC_DAMAGE_PLUS,
    UNTIL_ENEMY_TURN,
    UNTIL_THIS_IN_BASE,
    USE_DISCARD,
    USE_EFFECT,
    USE_PLACE,
    ZERO,
    I,
    U,
)
from kernels.palworld.costs import pay_souls, souls_standing
from kernels.palworld.state import DELAYS, GRANTS, LOCKS
from kernels.palworld.zones import (
    bury,
    deal_player,
    deploy,
    draw,
    event,
    exile,
    forget,
    hurt,
    leave_events,
    mill,
    out_of_deck,
    reshuffle,
    rest_card,
    rivals,
    stand_card,
    stop,
    to_deck,
    to_hand,
    trigger,
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


# Verbs on cards of the base -----------------------------------------------------------------------------------------


@kernel
def deal(S, T, m, p, amount):
    """Effect damage to cards of the base (CR 5.14.1), after replacement effects that raise it (CR 10.11)."""
    source = U(S.source)
    master = U(S.master)
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        n = amount
        if S.bases[master] & T.raisers[master] != ZERO:
            n += damage_plus(S, T, source, master, obj)
        if n > 0:
            hurt(S, obj, n)
            event(S, T, E_DAMAGE, obj, n, 0)


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
    S.did = I(popcount(m0) + popcount(m1))
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
        if op == OP_DAMAGE:
            deal(S, T, m, p, power)
        elif op == OP_MODIFY:
            modify(S, T, m, p, power, strike)
        elif op == OP_GRANT:
            grant(S, T, m, p, T.code[i, 2], until_turn(S, until))
        elif op == OP_NO_BLOCK:
            S.no_block[p] |= m
        elif op == OP_ADD_NAME:
            S.renamed[p] |= m
            S.dirty = 1
        else:
            orient(S, T, op, m, p, until)


@kernel
def orient(S, T, op, m, p, until):
    """Rest, stand, or keep from standing."""
    if op == OP_NO_STAND and until != UNTIL_THIS_IN_BASE:
        if p != U(S.master):  # the opponent's stand phase stands none of the master's cards
            S.no_stand[p] |= m
        return
    if op == OP_NO_STAND and not in_base(S, U(S.source), S.source_stay):
        return
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        if op == OP_REST:
            rest_card(S, T, obj)
        elif op == OP_STAND:
            stand_card(S, T, obj)
        else:
            lock(S, obj, U(S.source))


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
    """Put cards into their owners' graveyards, from the base or from among the cards looked at; how many."""
    n = bury(S, T, m0, m1)
    for p in range(U(2)):
        m = (m0 if p == ZERO else m1) & ~S.graveyard[p]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            out_of_deck(S, p, obj)
            forget(S, obj)
            S.graveyard[p] |= ONE << slot
            S.milled[p] |= ONE << slot
            event(S, T, E_MILL, obj, 0, 0)
            n += 1
    return n


@kernel
def place(S, T, i):
    """Put cards on top or at the bottom of their owners' decks, the turn player's first (CR 1.3.4).

    Of several cards the owner picks one after the other (CR 4.1.5); each goes above or below the one before. True while
    a pick is open: the instruction runs again when its cards are placed.
    """
    if S.answer < 0:
        m0, m1 = targets(S, T, T.code[i, 1], ZERO), targets(S, T, T.code[i, 1], ONE)
        S.did = I(popcount(m0) + popcount(m1))
        leave_events(S, T, m0 & S.bases[0], m1 & S.bases[1], False)
    S.answer = -1
    for k in range(U(2)):
        p = U(S.turn_seat) ^ k
        m = targets(S, T, T.code[i, 1], p)
        n = I(popcount(m))
        if n == 1:
            to_deck(S, T, p << SIX | lowest(m), U(T.code[i, 0]) == OP_TOP)
        elif n > 1:
            start_pick(S, USE_PLACE, K_CHOOSE, p, n, n, m if p == ZERO else ZERO, m if p == ONE else ZERO, 0)
            S.at = AT_PICK
            return True
    return False


@kernel
def place_picked(S, T):
    """The order of `place` is picked: put the cards there."""
    top = U(T.code[U(S.pc), 0]) == OP_TOP
    for k in range(U(S.picks)):
        to_deck(S, T, U(S.pick_order[k]), top)
    S.answer = 0
    S.at = AT_RESOLVE


@kernel
def show(S, T, m0, m1):
    """Reveal cards: nothing moves."""
    S.did = I(popcount(m0) + popcount(m1))
    for p in range(U(2)):
        m = m0 if p == ZERO else m1
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            event(S, T, E_REVEAL, p << SIX | slot, 0, 0)


# Verbs on players ---------------------------------------------------------------------------------------------------


@kernel
def look(S, T, p, n, openly):
    """Look at or reveal the top n cards of the own deck (CR 5.8), fewer where there are fewer (Q&A 38)."""
    count = U(S.deck_count[p])
    S.looked = ZERO
    for k in range(min(U(max(n, 0)), count)):
        slot = U(S.deck[p, count - ONE - k])
        S.looked |= ONE << slot
        S.known[p] |= ONE << slot
        if openly:
            event(S, T, E_REVEAL, p << SIX | slot, 0, 0)


@kernel
def add_souls(S, T, p, n):
    """Move souls into the soul area; never above the limit (Q&A 76); how many."""
    n = min(n, SOUL_LIMIT - I(S.souls[p]))
    if n > 0:
        S.souls[p] += n
        S.dirty = 1
        event(S, T, E_SOULS, PLAYER + p, n, 0)
    return max(n, 0)


@kernel
def player_verb(S, T, op, i):
    """Verbs that concern players; True while a decision is open."""
    master = U(S.master)
    who = master ^ U(T.code[i, 3])
    n = 0
    if T.code[i, 1] >= 0:
        n = number(S, T, T.code[i, 1])
    if op == OP_DRAW:
        S.did = draw(S, T, who, n)
    elif op == OP_DRAW_TO:
        S.did = draw(S, T, who, n - I(popcount(S.hand[who])))
    elif op == OP_GAIN:
        if T.code[i, 2] == 0:
            S.material[master] += n
        else:
            S.ingredient[master] += n
        S.did = n
        event(S, T, E_GAIN, PLAYER + master, T.code[i, 2], n)
    elif op == OP_LIFE:
        S.life[master] += n
        S.stirred = 1
        S.did = n
        event(S, T, E_LIFE, PLAYER + master, n, 0)
    elif op == OP_MILL:
        S.did = mill(S, T, who, n)
    elif op == OP_PLAYER_DAMAGE:
        deal_player(S, T, ONE - master, n)
    elif op == OP_LOOK or op == OP_REVEAL:
        look(S, T, master, n, op == OP_REVEAL)
        S.did = I(popcount(S.looked))
    elif op == OP_SHUFFLE:
        S.looked = ZERO
        reshuffle(S, T, master)
    elif op == OP_SOULS:
        before = I(S.souls[master])
        S.did = add_souls(S, T, master, n)
        if T.code[i, 2]:
            S.souls_rested[master] += I(S.souls[master]) - before
    elif op == OP_NIGHT:
        S.night_turn = max(I(S.night_turn), I(S.turn) + (1 if U(S.turn_seat) == master else 2))
        S.dirty = 1
        event(S, T, E_NIGHT, PLAYER + master, 0, 0)
    elif op == OP_FAIL_ATTACK:
        fail_attack(S, T)
    elif op == OP_RUSH:
        S.rush[master] = 1
    elif op == OP_DISCOUNT:
        S.discount[master] += n
        S.discount_filter[master] = T.code[i, 2]
    elif op == OP_STAND_SOULS:
        return stand_souls(S, master, n, T.code[i, 2])
    elif op == OP_TAKE:
        return take(S, ONE - master, n)
    elif op == OP_DECLARE:
        return declare(S, T)
    else:
        discard_verb(S, T, op, i, who, n)
        return True
    return False


@kernel
def fail_attack(S, T):
    """The attack fails (CR 5.18): the battle goes on at its end right after this effect."""
    attacker = U(S.attacker)
    S.did = 0
    if S.battle and in_base(S, attacker, S.attacker_stay):
        S.failed = 1
        S.did = 1
        S.interrupts[ONE - (attacker >> SIX)] += 1
        event(S, T, E_FAIL, attacker, 0, 0)


@kernel
def discard_verb(S, T, op, i, who, n):
    """The player picks cards of the hand to discard; as many as possible (CR 10.6.3.1.2)."""
    f = T.code[i, 2]
    if op == OP_DISCARD_TO:
        n = I(popcount(S.hand[who])) - n
        f = -1
    m = S.hand[who]
    if f >= 0:
        m &= T.fit[U(f), who]
    n = max(n, 0)
    start_pick(S, USE_DISCARD, K_DISCARD, who, n, n, m if who == ZERO else ZERO, m if who == ONE else ZERO, 0)
    S.at = AT_PICK


@kernel
def stand_souls(S, p, n, up_to):
    """Stand rested souls: as many as possible, or as many as the master likes up to n."""
    n = max(min(n, I(S.souls_rested[p])), 0)
    if up_to and n > 0:
        if S.answer < 0:
            open_decision(S, p, AT_RESOLVE)
            add_numbers_up_to(S, n)
            return True
        n = I(S.answer)
        S.answer = -1
    S.souls_rested[p] -= n
    S.did = n
    S.dirty = 1
    return False


@kernel
def take(S, p, n):
    """The master chooses how much Material, then how much Ingredient the opponent loses, n in total."""
    if S.answer < 0:
        S.loop_left = -1
    high = min(n, I(S.material[p]))
    if S.loop_left < 0:
        if high > 0:
            if S.answer < 0:
                open_decision(S, U(S.master), AT_RESOLVE)
                add_numbers_up_to(S, high)
                return True
            S.loop_left = S.answer
            S.answer = -1
        else:
            S.loop_left = 0
    taken = I(S.loop_left)
    high = min(n - taken, I(S.ingredient[p]))
    more = 0
    if high > 0:
        if S.answer < 0:
            open_decision(S, U(S.master), AT_RESOLVE)
            add_numbers_up_to(S, high)
            # Material is taken when both numbers stand: the loss happens at once.
            return True
        more = I(S.answer)
        S.answer = -1
    S.material[p] -= taken
    S.ingredient[p] -= more
    S.did = taken + more
    S.loop_left = 0
    return False


@kernel
def declare(S, T):
    """Declare the name of a card of the game (CR 5.19)."""
    if S.answer < 0:
        open_decision(S, U(S.master), AT_RESOLVE)
        for k in range(U(I(T.names) + 63) >> SIX):
            n = min(I(T.names) - I(k) * 64, 64)
            add_group(S, K_NAME, NONE, I(k) * 64, ZERO, ~ZERO if n == 64 else (ONE << U(n)) - ONE)
        return True
    S.declared = S.answer
    S.answer = -1
    return False


# Control ------------------------------------------------------------------------------------------------------------


@kernel
def start_choose(S, T, i):
    """The instruction "choose": open the pick; the chosen cards become "them"."""
    master = U(S.master)
    this = U(S.source)
    f = U(T.code[i, 1])
    low, high = number(S, T, T.code[i, 2]), number(S, T, T.code[i, 3])
    flags = T.code[i, 4]
    m0 = matching_now(S, T, f, this, master, ZERO)
    m1 = matching_now(S, T, f, this, master, ONE)
    start_pick(S, USE_EFFECT, K_CHOOSE, master ^ U(flags & 1), low, high, m0, m1, (flags >> 1) & 1)
    if not flags & 4:
        S.them[0] = ZERO
        S.them[1] = ZERO
    S.at = AT_PICK


@kernel
def ask_mode(S, T, i):
    """The instruction "modes": -1 while the decision is open, else the target of the chosen body (0: none is left)."""
    count = T.code[i, 1]
    this = U(S.source)
    if S.answer < 0:
        mask = (ONE << U(count)) - ONE
        if T.code[i, 2]:
            mask &= ~U(S.modes_used[this])
        if mask == ZERO:
            return 0
        open_decision(S, U(S.master), AT_RESOLVE)
        add_group(S, K_MODE, NONE, 1, ZERO, mask)
        return -1
    mode = U(S.answer)
    S.answer = -1
    if T.code[i, 2]:
        S.modes_used[this] |= ONE << mode
        S.changed[this >> SIX] |= bit(this)
    return I(T.code[U(i) + ONE + mode, 1])


@kernel
def can_do(S, T, i):
    """A "may" is asked only where its first instruction can affect something."""
    op = U(T.code[i, 0])
    if op == OP_DISCARD:
        m = S.hand[U(S.master)]
        f = T.code[i, 2]
        return m != ZERO if f < 0 else m & T.fit[U(f), U(S.master)] != ZERO
    if op == OP_CHOOSE:
        f = U(T.code[i, 1])
        m = matching_now(S, T, f, U(S.source), U(S.master), ZERO)
        return m | matching_now(S, T, f, U(S.source), U(S.master), ONE) != ZERO
    if op == OP_DEPLOY or op == OP_PLAY:
        m = ZERO
        for p in range(U(2)):
            n = legal_deploy(S, T, p, targets(S, T, T.code[i, 1], p))
            m |= n
            if op == OP_PLAY and n != ZERO:
                obj = p << SIX | lowest(n)
                if discounted(S, T, obj, number(S, T, T.code[i, 2])) > souls_standing(S, p):
                    return False
        return m != ZERO
    if op >= OP_REST and op <= OP_TOP:
        return targets(S, T, T.code[i, 1], ZERO) | targets(S, T, T.code[i, 1], ONE) != ZERO
    return True


@hot
def discounted(S, T, obj, n):
    """Cost of a card that is played with its cost reduced by n, not below 1."""
    cost = cost_of(S, T, obj)
    return max(cost - n, min(cost, 1))


@kernel
def play_now(S, T, i):
    """Play a card in the middle of an effect with its cost reduced (CR 10.6.2): it enters the base."""
    master = U(S.master)
    m = targets(S, T, T.code[i, 1], master)
    S.did = 0
    if m == ZERO:
        return
    obj = master << SIX | lowest(m)
    cost = discounted(S, T, obj, number(S, T, T.code[i, 2]))
    if cost > souls_standing(S, master) or legal_deploy(S, T, master, bit(obj)) == ZERO:
        return
    pay_souls(S, master, cost)
    S.played_count[master] += 1
    S.played[master] |= bit(obj)
    event(S, T, E_PLAY, obj, 0, 0)
    S.did = deploy_all(
        S, T, bit(obj) if master == ZERO else ZERO, bit(obj) if master == ONE else ZERO, 0
    )


@kernel
def delay(S, i):
    """Make a delayed trigger of this turn (CR 10.8.5)."""
    n = U(S.delays)
    if n >= U(DELAYS):
        stop(S, END_CAP)
        return
    S.delay_pc[n] = I(i) + 1
    S.delay_obj[n] = S.source
    S.delay_stay[n] = S.source_stay
    S.delay_them[n, 0] = S.them[0]
    S.delay_them[n, 1] = S.them[1]
    S.delays = n + ONE


@kernel
def run(S, T):
    """Go on with the effect: True while a decision or pick is open, False when the effect has ended."""
    while True:
        i = U(S.pc)
        op = U(T.code[i, 0])
        S.steps += 1
        if op == OP_END:
            return False
        if op == OP_TOP or op == OP_BOTTOM:
            if place(S, T, i):
                return True
            S.pc += 1
            continue
        if op >= OP_DAMAGE and op <= OP_SHOW and op != OP_PLAY and is_card_verb(op):
            card_verb(S, T, op, T.code[i, 1], i)
            S.pc += 1
            continue
        if op == OP_CHOOSE:
            start_choose(S, T, i)
            S.pc += 1
            return True
        if op == OP_UNLESS:
            if S.dirty:
                derive(S, T)
            if holds(S, T, I(T.code[i, 1]), U(S.source), U(S.master)):
                S.pc += 1
            else:
                S.pc = T.code[i, 2]
        elif op == OP_JUMP:
            S.pc = T.code[i, 1]
        elif op == OP_REPEAT:
            S.loop_left = number(S, T, T.code[i, 1])
            S.pc = I(i) + 1 if S.loop_left > 0 else T.code[i, 2]
            S.loop_pc = I(i) + 1
        elif op == OP_AGAIN:
            S.loop_left -= 1
            S.pc = S.loop_pc if S.loop_left > 0 else I(i) + 1
        elif op == OP_MODES:
            to = ask_mode(S, T, i)
            if to < 0:
                return True
            S.pc = to if to > 0 else T.code[i, 3]
        elif op == OP_MAY:
            if S.answer < 0:
                S.did = 0
                if not can_do(S, T, i + ONE):
                    S.pc = T.code[i, 1]
                    continue
                open_decision(S, U(S.master), AT_RESOLVE)
                add_one(S, K_YES)
                add_one(S, K_NO)
                return True
            S.pc = I(i) + 1 if S.answer == 1 else T.code[i, 1]
            S.answer = -1
        elif op == OP_DELAY:
            delay(S, i)
            S.pc = T.code[i, 1]
        elif op == OP_PLAY:
            play_now(S, T, i)
            S.pc += 1
        elif op == OP_DISCARD or op == OP_DISCARD_TO:
            player_verb(S, T, op, i)
            S.pc += 1
            return True
        elif player_verb(S, T, op, i):
            return True
        else:
            S.pc += 1


@hot
def is_card_verb(op):
    """The verb takes a group of cards as first field."""
    return (
        op == OP_DAMAGE
        or op == OP_MODIFY
        or op == OP_GRANT
        or op == OP_ADD_NAME
        or op == OP_REST
        or op == OP_STAND
        or op == OP_NO_STAND
        or op == OP_NO_BLOCK
        or op == OP_BURY
        or op == OP_BUTCHER
        or op == OP_EXILE
        or op == OP_HAND
        or op == OP_DEPLOY
        or op == OP_SHOW
    )



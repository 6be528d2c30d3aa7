"""The machine: set a game up, go on to the next decision, take the answer.

`advance` runs until a decision with two or more options is open or the game is over; `choose` applies the k-th option.
Everything between is plain data in the state record, so that a game can be copied, stored and resumed at any decision.
"""

from __future__ import annotations

from kernels.events import S7, S16, fold, stop, write_log
from kernels.hidden import hide
from kernels.jit import kernel, lowest
from kernels.options import add_group, nth_option, open_decision
from kernels.palworld.battle import battle_steps
from kernels.palworld.card_verbs import butcher
from kernels.palworld.cards import bit, cost_of
from kernels.palworld.checks import begin, begin_waiting, check, check_then
from kernels.palworld.choices import add_numbers_up_to, go_on_picking, take_pick
from kernels.palworld.codes import (
    AT_ATTACK,
    AT_BATTLE_CLEAN,
    AT_BATTLE_END,
    AT_BLOCKED,
    AT_CHECK,
    AT_COST,
    AT_DAMAGE_BEGIN,
    AT_END,
    AT_END_CLEAN,
    AT_MAIN,
    AT_MULLIGAN_SECOND,
    AT_OVER,
    AT_PICK,
    AT_QUICK,
    AT_RESOLVE,
    E_ACTIVATE,
    E_ASSIGN,
    E_ATTACK,
    E_AUTO,
    E_BLOCK,
    E_PLAY,
    E_USED,
    END_LOOP,
    K_ACTIVATE,
    K_ATTACK,
    K_ATTACK_PLAYER,
    K_BLOCK,
    K_CHOOSE,
    K_DISCARD,
    K_DONE,
    K_DRAW,
    K_END,
    K_MODE,
    K_NO,
    K_PAY,
    K_PLAY,
    K_RESOLVE,
    K_YES,
    NONE,
    ON_ASSIGNED,
    ON_ATTACKED,
    ON_ATTACKS,
    ONE,
    PHASE_ATTACK,
    PLAYER,
    SIX,
    TYPE_EVENT,
    USE_COST_ASSIGN,
    USE_COST_BUTCHER,
    USE_COST_EXILE,
    USE_DISCARD,
    USE_EFFECT,
    USE_PLACE,
    USE_SURPLUS,
    ZERO,
    I,
    U,
)
from kernels.palworld.costs import can_pay, highest_x, pay_part, pay_souls
from kernels.palworld.decks import draw
from kernels.palworld.effects import place_picked, run
from kernels.palworld.events import event, event_with, name_key
from kernels.palworld.players import pick
from kernels.palworld.setup import setup_answer, setup_options
from kernels.palworld.triggers import trigger
from kernels.palworld.turns import turn_steps
from kernels.palworld.zones import deploy, discard, exile, rest_card
from kernels.rng import GAMMA, STEP

MAX_TURN_DECISIONS = 2000
TWO, NO_TURN = U(2), 1 << 30


# Going on -----------------------------------------------------------------------------------------------------------


@kernel
def advance(S, T, P, stops):
    """Run to the next decision with two or more options that is not left to P; their number, 0 when the game is over.

    stops: as in kernels.games. The players of P take their decisions in this loop, since a call for each decision would
    cost a tenth of it.
    """
    until = I(stops >> TWO) if stops > U(3) else I(NO_TURN)
    while True:
        if S.status != 0:
            S.at = AT_OVER
        at = U(S.at)
        S.steps += 1
        if at <= AT_END_CLEAN:
            if at > AT_MULLIGAN_SECOND:
                is_open = turn_steps(S, T, at)
            else:
                setup_options(S)
                is_open = True
        elif at <= AT_BATTLE_CLEAN:
            is_open = battle_steps(S, T, at)
        elif at == AT_CHECK:
            is_open = check(S, T)
        elif at == AT_RESOLVE:
            is_open = resolve(S, T)
        elif at == AT_PICK:
            is_open = go_on_picking(S, T)
            if not is_open:
                end_pick(S, T)
        elif at == AT_COST:
            is_open = pay(S, T)
        else:
            S.groups = 0
            S.options = 0
            return 0
        if not is_open:
            continue
        if S.options >= 2:
            S.decisions += 1
            S.turn_decisions += 1
            S.optioned[U(S.decider)] += I(S.options)
            if S.turn_decisions > MAX_TURN_DECISIONS:
                stop(S, END_LOOP)
            elif (stops >> U(S.decider)) & ONE != ZERO or I(S.turn) >= until:
                return I(S.options)
            else:
                choose(S, T, pick(S, T, P))
        elif S.options == 1:
            if S.log_on:
                log_auto(S)
            apply(S, T, nth_option(S, ZERO))


@kernel
def resolve(S, T):
    """Go on with the running effect; at its end clean up and go on with the battle or a check timing."""
    if run(S, T):
        return S.at == AT_RESOLVE
    card = U(S.event_card)
    if card != NONE:
        S.event_card = NONE
        S.graveyard[card >> SIX] |= bit(card)  # CR 10.6.2.4.2
        event(S, T, E_USED, card, 0, 0)
    S.ability = -1
    S.source = NONE
    S.that = NONE
    S.them[0] = ZERO
    S.them[1] = ZERO
    S.looked = ZERO
    S.cost_assigned = ZERO
    S.cost_paid = ZERO
    check_then(S, S.after)
    if S.failed:
        S.at = AT_BATTLE_END  # CR 5.18.1: at once
    return False


@kernel
def pay(S, T):
    """Determine and pay the cost of an activated ability (CR 10.6.2.2-3); True while a decision is open."""
    ability = U(S.ability)
    obj = U(S.source)
    if S.x < 0:
        high = highest_x(S, T, ability, obj)
        if S.answer < 0:
            open_decision(S, obj >> SIX, AT_COST)
            add_numbers_up_to(S, high)
            return True
        S.x = S.answer
        S.answer = -1
    if S.cost_alternative == 255:
        open_decision(S, obj >> SIX, AT_COST)
        for alt in range(U(T.alternatives[ability])):
            if can_pay(S, T, ability, alt, obj, I(S.x)):
                add_group(S, K_PAY, NONE, I(alt) + 1, ZERO, ONE)
        if S.groups > 1 and S.answer < 0:
            return True
        if S.answer < 0 and S.log_on and T.alternatives[ability] > 1:
            log_auto(S)
        S.cost_alternative = (S.answer if S.answer >= 0 else S.group_n[0]) - 1
        S.answer = -1
        S.cost_index = 0
    alt = U(S.cost_alternative)
    while S.cost_index < T.alt_count[ability, alt]:
        part = U(T.alt_first[ability, alt]) + U(S.cost_index)
        S.cost_index += 1
        if pay_part(S, T, part):
            S.at = AT_PICK
            return False
    S.at = AT_RESOLVE
    return False


@kernel
def end_pick(S, T):
    """A pick is complete: do what it was for."""
    use = U(S.pick_use)
    p = U(S.pick_seat)
    m0, m1 = S.picked[0], S.picked[1]
    own = S.picked[p]
    if use == USE_EFFECT:
        S.them[0] |= m0
        S.them[1] |= m1
        S.chosen = S.picks
        S.did = S.picks
        S.at = AT_RESOLVE
        return
    if use == USE_SURPLUS:
        S.surplus[p] |= own
        S.at = AT_CHECK
        return
    if use == USE_PLACE:
        place_picked(S, T)
        return
    if use == USE_DISCARD:
        S.did = S.picks
        S.at = AT_RESOLVE
    else:
        S.at = AT_COST
    if use == USE_COST_ASSIGN:
        S.cost_assigned |= own
    elif use != USE_DISCARD:
        S.cost_paid |= own
    if use == USE_COST_BUTCHER:
        butcher(S, T, m0, m1)
        return
    if use == USE_COST_EXILE:
        exile(S, T, m0, m1)
        return
    if use == USE_COST_ASSIGN:
        assign(S, T, p, own)
        return
    while own != ZERO:
        slot = lowest(own)
        own &= own - ONE
        discard(S, T, p << SIX | slot)


@kernel
def assign(S, T, p, m):
    """Assign Pals together to the structure whose ability is being paid (CR 5.17)."""
    rest = m
    while rest != ZERO:
        slot = lowest(rest)
        rest &= rest - ONE
        obj = p << SIX | slot
        rest_card(S, T, obj)
        S.assigned[p] |= ONE << slot
        event_with(S, T, E_ASSIGN, obj, U(S.source))
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        trigger(S, T, ON_ASSIGNED, obj, U(S.source), obj)


@kernel
def log_auto(S):
    """Log the only option of a decision that resolves itself."""
    place = nth_option(S, ZERO)
    i, b = place >> SIX, place & U(63)
    kind = U(S.group_kind[i])
    obj, target = U(S.group_obj[i]), NONE
    n = I(S.group_n[i])
    if is_card_option(kind):
        card = U(S.group_seat[i]) << SIX | b
        if kind == K_ATTACK:
            target = card
        else:
            obj = card
    elif kind != K_ACTIVATE and kind != K_RESOLVE:
        n += I(b)
    write_log(S, E_AUTO, obj, I(kind), I(target) + (n << 8) + (I(S.decider) << 30))


# Answers ------------------------------------------------------------------------------------------------------------


@kernel
def choose(S, T, k):
    """Apply the k-th option of the open decision."""
    place = nth_option(S, k)
    i, b = place >> SIX, place & U(63)
    kind = U(S.group_kind[i])
    obj = U(S.group_obj[i])
    word = kind * STEP + U(S.decider) * GAMMA
    if obj != NONE:
        word ^= name_key(T, obj) << S7
    if is_card_option(kind):
        word ^= name_key(T, U(S.group_seat[i]) << SIX | b)
    else:
        word += (U(S.group_n[i]) + b) << S16
    fold(S, word)
    apply(S, T, place)


@kernel
def is_card_option(kind):
    """The bits of a group of this kind are cards."""
    return (
        kind == K_PLAY
        or kind == K_ATTACK
        or kind == K_ATTACK_PLAYER
        or kind == K_BLOCK
        or (kind >= K_CHOOSE and kind <= K_DISCARD)
    )


@kernel
def apply(S, T, place):
    """Apply an option, given as group << 6 | bit."""
    i, b = place >> SIX, place & U(63)
    kind = U(S.group_kind[i])
    at = U(S.decision)
    obj = U(S.group_obj[i])
    card = U(S.group_seat[i]) << SIX | b
    decider = U(S.decider)
    n = I(S.group_n[i]) + I(b)
    S.groups = 0
    S.options = 0
    if at == AT_MAIN:
        if kind != K_END:
            S.acted = 1
        if kind == K_PLAY:
            play(S, T, card, AT_MAIN)
        elif kind == K_ATTACK:
            attack(S, T, obj, card)
        elif kind == K_ATTACK_PLAYER:
            attack(S, T, card, PLAYER + ONE - decider)
        elif kind == K_ACTIVATE:
            activate(S, T, obj, n, AT_MAIN)
        elif kind == K_DRAW:
            S.soul_drawn = 1
            pay_souls(S, decider, I(T.draw_price))
            draw(S, T, decider, 1)
            check_then(S, AT_MAIN)
        else:
            S.at = AT_END
    elif at == AT_PICK:
        if kind == K_DONE:
            S.pick_high = S.picks
        else:
            take_pick(S, T, card)
    elif at == AT_CHECK:
        begin_waiting(S, T, b)
    elif at == AT_RESOLVE or at == AT_COST:
        S.answer = n
        if at == AT_RESOLVE and (kind == K_YES or kind == K_NO):
            S.answer = 1 if kind == K_YES else 0
        elif kind == K_MODE:
            S.answer = I(b)
    elif kind == K_BLOCK:
        block(S, T, card)
    elif at == AT_QUICK:
        if kind == K_PLAY:
            play(S, T, card, AT_QUICK)
        elif kind == K_ACTIVATE:
            activate(S, T, obj, n, AT_QUICK)
        else:
            S.at = AT_DAMAGE_BEGIN
    elif at <= AT_MULLIGAN_SECOND:
        setup_answer(S, T, kind, decider)
    else:
        S.at = AT_BLOCKED


@kernel
def play(S, T, obj, back):
    """Play a card of the hand (CR 10.6.2): pay its cost, then it enters the base or its text is carried out."""
    p = obj >> SIX
    pay_souls(S, p, cost_of(S, T, obj))
    if S.discount[p] != 0 and (T.fit[U(S.discount_filter[p]), p] & bit(obj)) != ZERO:
        S.discount[p] = 0
    S.played_count[p] += 1
    S.played[p] |= bit(obj)
    event(S, T, E_PLAY, obj, 0, 0)
    S.after = back
    card = U(T.card[obj])
    if U(T.type[card]) == TYPE_EVENT:
        hide(S, T, obj)
        S.hand[p] &= ~bit(obj)
        S.stay[obj] += 1
        S.event_card = obj
        begin(S, T, U(T.event_ability[card]), obj, S.stay[obj])
        S.at = AT_RESOLVE
        return
    deploy(S, T, p, bit(obj), 0)
    check_then(S, back)


@kernel
def activate(S, T, obj, n, back):
    """Play an activated ability (CR 10.6.2): the n-th of the card, granted ones after the printed ones."""
    card = U(T.card[obj])
    ability = U(0)
    if n <= I(T.act_count[card]):
        ability = U(T.act_first[card]) + U(n - 1)
        if T.limit[ability]:
            S.changed[obj >> SIX] |= bit(obj)
            S.uses[obj, U(T.use_slot[ability])] += 1
    else:
        left = n - I(T.act_count[card])
        for i in range(U(S.grants)):
            if U(S.grant_obj[i]) == obj and T.kind[U(S.grant_ability[i])] == 0:
                left -= 1
                if left == 0:
                    ability = U(S.grant_ability[i])
                    if T.limit[ability]:
                        S.grant_uses[i] += 1
    begin(S, T, ability, obj, S.stay[obj])
    if T.needs_x[ability, 0] or T.needs_x[ability, 1]:
        S.x = -1
    S.cost_alternative = 255
    S.cost_index = 0
    S.after = back
    S.at = AT_COST
    event(S, T, E_ACTIVATE, obj, n, 0)


@kernel
def attack(S, T, attacker, target):
    """Declare an attack (CR 9.3): the Pal rests; attacker and target trigger."""
    S.phase = PHASE_ATTACK
    S.battle = 1
    S.duel = 0
    S.failed = 0
    S.attacker = attacker
    S.attacker_stay = S.stay[attacker]
    S.target = target
    S.target_stay = S.stay[target] if target < PLAYER else 0
    S.attacks[attacker >> SIX] += 1
    event_with(S, T, E_ATTACK, attacker, target)
    rest_card(S, T, attacker)
    trigger(S, T, ON_ATTACKS, attacker, target, attacker)
    if target < PLAYER:
        trigger(S, T, ON_ATTACKED, target, attacker, target)
    S.at = AT_ATTACK


@kernel
def block(S, T, obj):
    """Block (CR 9.4.2.1): the Pal rests and becomes the target."""
    S.blocks[obj >> SIX] += 1
    S.target = obj
    S.target_stay = S.stay[obj]
    event(S, T, E_BLOCK, obj, 0, 0)
    rest_card(S, T, obj)
    S.at = AT_BLOCKED

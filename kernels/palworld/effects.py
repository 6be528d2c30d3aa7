"""The interpreter of compiled effects: one instruction a verb, resumable at every choice (CR 10.6.2.4, 10.9).

`run` goes on until the effect ends or a decision is open. An instruction that asks a question stays where it is: it
opens the decision, and finds the reply in `answer` when it runs again.
"""

from __future__ import annotations

from kernels.events import stop
from kernels.jit import hot, kernel, lowest, popcount
from kernels.options import add_group, add_one, open_decision
from kernels.palworld.card_verbs import card_verb, deploy_all, legal_deploy, number, targets
from kernels.palworld.cards import bit, cost_of, holds, matching_now
from kernels.palworld.choices import start_pick
from kernels.palworld.codes import (
    AT_PICK,
    AT_RESOLVE,
    E_PLAY,
    END_CAP,
    K_CHOOSE,
    K_MODE,
    K_NO,
    K_YES,
    NONE,
    ONE,
    OP_ADD_NAME,
    OP_AGAIN,
    OP_BOTTOM,
    OP_BURY,
    OP_BUTCHER,
    OP_CHOOSE,
    OP_DAMAGE,
    OP_DELAY,
    OP_DEPLOY,
    OP_DISCARD,
    OP_DISCARD_TO,
    OP_END,
    OP_EXILE,
    OP_GRANT,
    OP_HAND,
    OP_JUMP,
    OP_MAY,
    OP_MODES,
    OP_MODIFY,
    OP_NO_BLOCK,
    OP_NO_STAND,
    OP_PLAY,
    OP_REPEAT,
    OP_REST,
    OP_SHOW,
    OP_STAND,
    OP_TOP,
    OP_UNLESS,
    SIX,
    USE_EFFECT,
    USE_PLACE,
    ZERO,
    I,
    U,
)
from kernels.palworld.costs import pay_souls, souls_standing
from kernels.palworld.derived import derive
from kernels.palworld.events import event
from kernels.palworld.player_verbs import player_verb
from kernels.palworld.state import DELAYS
from kernels.palworld.triggers import leave_events
from kernels.palworld.zones import to_deck

# Verbs on cards of the base -----------------------------------------------------------------------------------------


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
    if is_card_verb(op) or op == OP_TOP or op == OP_BOTTOM:
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
    S.did = deploy_all(S, T, bit(obj) if master == ZERO else ZERO, bit(obj) if master == ONE else ZERO, 0)


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

"""The machine: go on to the next decision, take the answer.

`advance` runs until a decision with two or more options is open or the game is over; `choose` applies the k-th option.
Everything between is plain data in the state record, so that a game can be copied, stored and resumed at any decision.
"""

from __future__ import annotations

from kernels.aether.checks import check, pass_check, quiet
from kernels.aether.choices import go_on_picking, take_pick
from kernels.aether.codes import (
    AT_CHECK,
    AT_END,
    AT_MAIN,
    AT_MULLIGAN_SECOND,
    AT_OVER,
    AT_PICK,
    AT_RESOLVE,
    E_AUTO,
    END_LOOP,
    K_ATTACK,
    K_ATTACK_PLAYER,
    K_CHARGE,
    K_CHOOSE,
    K_CHOOSE_PLAYER,
    K_DISCARD,
    K_DONE,
    K_END,
    K_MODE,
    K_MOVE,
    K_PLAY,
    K_YES,
    NONE,
    ONE,
    PLAYER,
    SIX,
    I,
    U,
)
from kernels.aether.combat import attack, in_front
from kernels.aether.derived import bit
from kernels.aether.effects import end_pick, run
from kernels.aether.moves import name_key, shift
from kernels.aether.players import pick
from kernels.aether.setup import setup_answer, setup_options
from kernels.aether.turns import charge, check_then, play, step
from kernels.events import S7, S16, fold, stop, write_log
from kernels.jit import kernel
from kernels.numbers import ZERO
from kernels.options import nth_option
from kernels.rng import GAMMA, STEP

MAX_TURN_DECISIONS = 2000
TWO, NO_TURN = U(2), 1 << 30


@kernel
def advance(S, T, P, stops):
    """Run to the next decision with two or more options that is not left to P; their number, 0 when the game is over.
    stops: as in kernels.games."""
    until = I(stops >> TWO) if stops > U(3) else I(NO_TURN)
    while True:
        if S.status != 0:
            S.at = AT_OVER
        at = U(S.at)
        S.steps += 1
        if at == AT_CHECK:
            if not quiet(S, T):
                check(S, T)
                continue
            pass_check(S)
            at = U(S.at)
        if at == AT_OVER:
            S.groups = 0
            S.options = 0
            return 0
        if at == AT_RESOLVE:
            is_open = run(S, T)
        elif at == AT_PICK:
            is_open = go_on_picking(S, T)
            if not is_open:
                end_pick(S, T)
        elif at <= AT_MULLIGAN_SECOND:
            setup_options(S)
            is_open = True
        else:
            is_open = step(S, T, at)
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
def log_auto(S):
    """Log the only option of a decision that resolves itself."""
    place = nth_option(S, ZERO)
    i, b = place >> SIX, place & U(63)
    kind = U(S.group_kind[i])
    obj, target = U(S.group_obj[i]), NONE
    if kind == K_CHOOSE_PLAYER:
        obj = PLAYER + b
    elif kind == K_ATTACK:
        target = U(S.group_seat[i]) << SIX | b
    elif is_card_option(kind):
        obj = U(S.group_seat[i]) << SIX | b
    write_log(S, E_AUTO, obj, I(kind), I(target) + (I(S.group_n[i]) << 8) + (I(S.decider) << 30))


@kernel
def is_card_option(kind):
    """The bits of a group of this kind are cards."""
    return (
        kind == K_CHARGE
        or kind == K_PLAY
        or kind == K_ATTACK
        or kind == K_ATTACK_PLAYER
        or kind == K_MOVE
        or kind == K_CHOOSE
        or kind == K_DISCARD
    )


@kernel
def choose(S, T, k):
    """Apply the k-th option of the open decision."""
    place = nth_option(S, k)
    i, b = place >> SIX, place & U(63)
    kind = U(S.group_kind[i])
    obj = U(S.group_obj[i])
    word = kind * STEP + U(S.decider) * GAMMA + (U(S.group_n[i]) << S16)
    if obj != NONE:
        word ^= name_key(S, T, obj) << S7
    if is_card_option(kind):
        word ^= name_key(S, T, U(S.group_seat[i]) << SIX | b)
    else:
        word += b << S16
    fold(S, word)
    apply(S, T, place)


@kernel
def apply(S, T, place):
    """Apply an option, given as group << 6 | bit."""
    i, b = place >> SIX, place & U(63)
    kind = U(S.group_kind[i])
    at = U(S.decision)
    obj = U(S.group_obj[i])
    card = U(S.group_seat[i]) << SIX | b
    decider = U(S.decider)
    n = I(S.group_n[i])
    S.groups = 0
    S.options = 0
    if at == AT_MAIN:
        if kind != K_END:
            S.acted = 1
        if kind == K_CHARGE:
            charge(S, T, card)
        elif kind == K_PLAY:
            play(S, T, card, n)
        elif kind == K_ATTACK:
            attack(S, T, obj, card)
            check_then(S, AT_MAIN)
        elif kind == K_ATTACK_PLAYER:
            attack(S, T, card, PLAYER + ONE - decider)
            check_then(S, AT_MAIN)
        elif kind == K_MOVE:
            S.moved[decider] |= bit(card)
            S.moves[decider] += 1
            shift(S, T, card, ONE if in_front(S, card) else ZERO)
            check_then(S, AT_MAIN)
        else:
            S.at = AT_END
    elif at == AT_PICK:
        if kind == K_DONE:
            S.pick_high = S.picks
        else:
            take_pick(S, PLAYER + b if kind == K_CHOOSE_PLAYER else card)
    elif at == AT_RESOLVE:
        S.answer = n if kind == K_MODE else 1 if kind == K_YES else 0
    else:
        setup_answer(S, T, kind, decider)

"""Phases of a turn (CR 7) and the options of the main phase (CR 8)."""

from __future__ import annotations

from kernels.counts import count_turn
from kernels.events import stop
from kernels.jit import kernel, lowest
from kernels.options import add_group, add_one, open_decision
from kernels.palworld.battle import attacks
from kernels.palworld.cards import bit
from kernels.palworld.checks import check_then
from kernels.palworld.codes import (
    AT_DRAW,
    AT_DRAW_CARD,
    AT_END,
    AT_END_CLEAN,
    AT_MAIN,
    AT_MAIN_BEGIN,
    AT_SOUL,
    AT_SOUL_ADD,
    AT_STAND,
    E_TURN,
    END_CAP,
    K_DRAW,
    K_END,
    K_PLAY,
    NONE,
    ON_TURN_END,
    ONE,
    PHASE_DRAW,
    PHASE_END,
    PHASE_MAIN,
    PHASE_SOUL,
    PHASE_STAND,
    PLAYER,
    SIX,
    ZERO,
    I,
    U,
)
from kernels.palworld.costs import souls_standing
from kernels.palworld.decks import draw
from kernels.palworld.events import event
from kernels.palworld.player_verbs import add_souls
from kernels.palworld.plays import activations, granted_activations, playable
from kernels.palworld.state import TURNS
from kernels.palworld.triggers import queue, trigger
from kernels.palworld.zones import restless, stand_card, unchange

MAX_TURNS = 200


@kernel
def stand_phase(S, T):
    """CR 7.2: the turn begins, the turn player's cards and souls stand. True where the draw phase can begin at once."""
    p = U(S.turn_seat)
    S.phase = PHASE_STAND
    S.turn_decisions = 0
    S.could_play = ZERO
    S.acted = 0
    if S.turn <= TURNS - 1:
        S.lead[U(S.turn)] = max(min(S.life[0] - S.life[1], 1000), -1000)
    if S.turn > MAX_TURNS:
        stop(S, END_CAP)
        return False
    event(S, T, E_TURN, PLAYER + p, S.turn, 0)
    m = S.bases[p] & S.resting[p] & ~S.no_stand[p]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        stand_card(S, T, p << SIX | slot)
    S.no_stand[p] = ZERO
    S.souls_rested[p] = 0
    return check_then(S, AT_DRAW)


@kernel
def end_phase(S, T):
    """CR 7.6.1: what happens at the end of the turn is triggered."""
    p = U(S.turn_seat)
    S.phase = PHASE_END
    count_turn(S)
    m = S.bases[p]
    rest = m & T.watchers[p, ON_TURN_END]
    for i in range(U(S.grants)):
        obj = U(S.grant_obj[i])
        if (obj >> SIX) == p and U(T.on[U(S.grant_ability[i])]) == ON_TURN_END:
            rest |= bit(obj)
    while rest != ZERO:
        slot = lowest(rest)
        rest &= rest - ONE
        trigger(S, T, ON_TURN_END, p << SIX | slot, NONE, p << SIX | slot)
    for i in range(U(S.delays)):
        delayed(S, T, i)
    S.due = S.delays


@kernel
def delayed(S, T, i):
    """A delayed trigger comes due (CR 10.8.5); it counts behind the automatic abilities of its card."""
    obj = U(S.delay_obj[i])
    order = I(T.auto_count[T.card[obj]]) + 1
    for j in range(U(S.grants)):
        if U(S.grant_obj[j]) == obj and T.kind[U(S.grant_ability[j])] == 1:
            order += 1
    queue(S, -1 - I(i), order, obj, S.delay_stay[i], NONE)


@kernel
def end_clean(S, T):
    """CR 7.6.3-4: damage is removed, what lasted until the end of the turn expires, the turn passes."""
    for p in range(U(2)):
        m = S.changed[p]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            S.power[obj] -= S.power_plus[obj]
            S.strike[obj] -= S.strike_plus[obj]
            unchange(S, obj)
        S.changed[p] = ZERO
        S.hurt[p] = ZERO
        if S.renamed[p] != ZERO:
            S.dirty = 1
        S.assigned[p] = ZERO
        S.no_block[p] = ZERO
        S.renamed[p] = ZERO
        S.rush[p] = 0
        S.discount[p] = 0
    n = ZERO
    for i in range(U(S.grants)):
        if S.grant_turn[i] > S.turn:
            S.grant_obj[n] = S.grant_obj[i]
            S.grant_ability[n] = S.grant_ability[i]
            S.grant_turn[n] = S.grant_turn[i]
            S.grant_uses[n] = 0
            n += ONE
    if S.grants > 0:
        S.dirty = 1
    S.grants = n
    S.delays = 0  # one that was made after these came due has missed the end of its turn (CR 7.6.1)
    S.due = 0
    S.says = 0
    S.soul_drawn = 0
    restless(S, T)
    S.turn += 1
    S.turn_seat = ONE - U(S.turn_seat)
    if S.night_turn > 0 and S.night_turn < S.turn:
        S.night_turn = 0
        S.dirty = 1
    S.at = AT_STAND


@kernel
def main_options(S, T):
    """What the turn player may do at the play timing of the main phase (CR 8)."""
    p = U(S.turn_seat)
    S.phase = PHASE_MAIN
    open_decision(S, p, AT_MAIN)
    cards = playable(S, T, p, S.hand[p])
    S.could_play |= cards
    add_group(S, K_PLAY, NONE, 0, p, cards)
    m = S.bases[p] & T.acts[p, 0]
    if m != ZERO:
        activations(S, T, p, ZERO, m, False)
    m = S.hand[p] & T.acts[p, 1]
    if m != ZERO:
        activations(S, T, p, ONE, m, False)
    if S.grants > 0:
        granted_activations(S, T, p, False)
    attacks_left = attacks(S, T, p)
    if souls_standing(S, p) >= I(T.draw_price) and not S.soul_drawn:
        add_one(S, K_DRAW)
    if not (S.rush[p] and attacks_left):  # CR 7.5.2.1
        add_one(S, K_END)


@kernel
def turn_steps(S, T, at):
    """Steps of a turn outside battles (CR 7), one after another as long as no check timing has anything to check; True
    while a decision is open."""
    p = U(S.turn_seat)
    if at == AT_END:
        end_phase(S, T)
        if not check_then(S, AT_END_CLEAN):
            return False
        at = U(AT_END_CLEAN)
    if at == AT_END_CLEAN:
        end_clean(S, T)
        return False
    if at == AT_STAND:
        if not stand_phase(S, T):
            return False
        at = U(AT_DRAW)
    if at == AT_DRAW:
        if S.turn == 1:  # CR 7.3: no draw in the first player's first turn
            at = U(AT_SOUL)
        else:
            S.phase = PHASE_DRAW
            if not check_then(S, AT_DRAW_CARD):
                return False
            at = U(AT_DRAW_CARD)
    if at == AT_DRAW_CARD:
        draw(S, T, p, 1)
        if not check_then(S, AT_SOUL):
            return False
        at = U(AT_SOUL)
    if at == AT_SOUL:
        S.phase = PHASE_SOUL
        if not check_then(S, AT_SOUL_ADD):
            return False
        at = U(AT_SOUL_ADD)
    if at == AT_SOUL_ADD:
        add_souls(S, T, p, I(T.souls_a_turn))  # CR 7.4.2
        if not check_then(S, AT_MAIN_BEGIN):
            return False
        at = U(AT_MAIN_BEGIN)
    if at == AT_MAIN_BEGIN:
        S.phase = PHASE_MAIN
        if not check_then(S, AT_MAIN):
            return False
    main_options(S, T)
    return True

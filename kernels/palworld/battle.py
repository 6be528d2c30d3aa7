"""Steps of a battle (CR 9), the attacks that may begin one (CR 8.4) and what may be played in it (CR 9.5)."""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest
from kernels.options import add_group, add_one, open_decision
from kernels.palworld.cards import bit, in_base, matching
from kernels.palworld.checks import check_then
from kernels.palworld.codes import (
    AT_ATTACK,
    AT_BATTLE_CLEAN,
    AT_BATTLE_END,
    AT_BLOCK,
    AT_BLOCK_BEGIN,
    AT_BLOCKED,
    AT_DAMAGE,
    AT_DAMAGE_BEGIN,
    AT_MAIN,
    AT_QUICK,
    AT_QUICK_BEGIN,
    E_DAMAGE,
    K_ATTACK,
    K_ATTACK_PLAYER,
    K_BLOCK,
    K_NO_BLOCK,
    K_PASS,
    K_PLAY,
    KW_ASSAULT,
    KW_STEALTH,
    KW_TAUNT,
    NONE,
    ON_BATTLE_END,
    ONE,
    PHASE_BATTLE_END,
    PHASE_BLOCK,
    PHASE_DAMAGE,
    PHASE_MAIN,
    PHASE_QUICK,
    PLAYER,
    SIX,
    STATIC_UNATTACKABLE,
    ZERO,
    I,
    U,
)
from kernels.palworld.copies import representatives
from kernels.palworld.decks import deal_player
from kernels.palworld.derived import derive
from kernels.palworld.events import event
from kernels.palworld.plays import activations, granted_activations, playable
from kernels.palworld.triggers import trigger
from kernels.palworld.zones import hurt, is_pal


@kernel
def attackable(S, T, attacker):
    """Cards that the attacker may attack (CR 9.2.3): structures and rested Pals, with Assault standing ones (12.15)."""
    q = ONE - (attacker >> SIX)
    pals = S.bases[q] & T.type_mask[q, 0]
    if U(S.keywords[attacker]) & KW_ASSAULT == ZERO:
        pals &= S.resting[q]
    m = pals | (S.bases[q] & T.type_mask[q, 1])
    guarded = m & T.guarded[q]
    while guarded != ZERO:
        slot = lowest(guarded)
        guarded &= guarded - ONE
        obj = q << SIX | slot
        card = U(T.card[obj])
        first = U(T.static_first[card])
        for k in range(first, first + U(T.static_count[card])):
            if U(T.static_kind[k]) == STATIC_UNATTACKABLE and (
                matching(S, T, U(T.static_target[k]), obj, q, attacker >> SIX) & bit(attacker) != ZERO
            ):
                m &= ~(ONE << slot)
    return m


@kernel
def taunting(S, q, m):
    """Cards of a mask with Taunt (CR 12.10)."""
    result = ZERO
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        if U(S.keywords[q << SIX | slot]) & KW_TAUNT != ZERO:
            result |= ONE << slot
    return result


@kernel
def attacks(S, T, p):
    """Options to start a battle (CR 8.4, 9.2); whether there are any."""
    if S.dirty:
        derive(S, T)
    q = ONE - p
    m = representatives(S, T, p, S.bases[p] & T.type_mask[p, 0] & ~S.resting[p])
    if m == ZERO:
        return False
    direct = m
    nothing = S.bases[q] & (T.type_mask[q, 0] | T.type_mask[q, 1]) == ZERO
    if not nothing:
        alike = S.bases[q] & T.guarded[q] == ZERO
        fresh = True
        aims, forced = ZERO, False
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            attacker = p << SIX | slot
            special = not alike or U(S.keywords[attacker]) & KW_ASSAULT != ZERO
            if fresh or special:
                aims = attackable(S, T, attacker)
                taunts = taunting(S, q, aims)
                forced = taunts != ZERO
                if forced:
                    aims = taunts
                aims = representatives(S, T, q, aims)
                fresh = special  # what an ordinary Pal may attack, every other ordinary one may
            if forced:
                direct &= ~(ONE << slot)
            add_group(S, K_ATTACK, attacker, 0, q, aims)
    add_group(S, K_ATTACK_PLAYER, NONE, 0, p, direct)
    return True


@kernel
def block_options(S, T):
    """The defender may block with a standing Pal that is not the target (CR 9.4.2)."""
    q = ONE - U(S.turn_seat)
    S.phase = PHASE_BLOCK
    attacker = U(S.attacker)
    if S.dirty:
        derive(S, T)
    if not in_base(S, attacker, S.attacker_stay):
        S.at = AT_BLOCKED
        return False
    m = S.bases[q] & T.type_mask[q, 0] & ~S.resting[q] & ~S.no_block[q]
    if in_base(S, U(S.target), S.target_stay):
        m &= ~bit(U(S.target)) if (U(S.target) >> SIX) == q else ~ZERO
    if U(S.keywords[attacker]) & KW_STEALTH != ZERO:
        m = ZERO
    if m == ZERO and not S.log_on:
        S.at = AT_BLOCKED
        return False
    open_decision(S, q, AT_BLOCK)
    add_group(S, K_BLOCK, NONE, 0, q, representatives(S, T, q, m))
    add_one(S, K_NO_BLOCK)
    return True


@hot
def join_battle(S, T):
    """CR 9.4.3: attacker and target Pal become combat Pals of one another."""
    target = U(S.target)
    if in_base(S, U(S.attacker), S.attacker_stay) and in_base(S, target, S.target_stay) and is_pal(T, target):
        S.duel = 1


@kernel
def quick_options(S, T):
    """The defender may play quick events and quick abilities (CR 9.5.2, 12.2)."""
    q = ONE - U(S.turn_seat)
    S.phase = PHASE_QUICK
    open_decision(S, q, AT_QUICK)
    m = S.hand[q] & T.quick_event[q]
    if m != ZERO:
        add_group(S, K_PLAY, NONE, 0, q, playable(S, T, q, m))
    m = S.hand[q] & T.quick_acts[q, 1]
    if m != ZERO:
        activations(S, T, q, ONE, m, True)
    m = S.bases[q] & T.quick_acts[q, 0]
    if m != ZERO:
        activations(S, T, q, ZERO, m, True)
    if S.grants > 0:
        granted_activations(S, T, q, True)
    if S.groups == 0 and not S.log_on:
        S.at = AT_DAMAGE_BEGIN
        return False
    add_one(S, K_PASS)
    return True


@kernel
def damage_step(S, T):
    """CR 9.6.2-3: attacker and target deal battle damage at once, or the player takes it."""
    attacker, target = U(S.attacker), U(S.target)
    S.phase = PHASE_DAMAGE
    if S.dirty:
        derive(S, T)
    if not in_base(S, attacker, S.attacker_stay):
        return
    if target >= PLAYER:
        deal_player(S, T, target - PLAYER, I(S.strike[attacker]))
        return
    if not in_base(S, target, S.target_stay):
        return
    hit, back = I(S.power[attacker]), 0
    if is_pal(T, target):
        back = I(S.power[target])
    if hit > 0:
        hurt(S, target, hit)
        event(S, T, E_DAMAGE, target, hit, 0)
    if back > 0:  # CR 9.6.3.1.1
        hurt(S, attacker, back)
        event(S, T, E_DAMAGE, attacker, back, 0)


@kernel
def battle_end(S, T):
    """CR 9.7.1: what happens at the end of the battle is triggered."""
    S.phase = PHASE_BATTLE_END
    S.failed = 0
    attacker = U(S.attacker)
    if in_base(S, attacker, S.attacker_stay):
        trigger(S, T, ON_BATTLE_END, attacker, NONE, attacker)


@kernel
def battle_steps(S, T, at):
    """Steps of a battle (CR 9) in the same way."""
    if at == AT_ATTACK:
        if not check_then(S, AT_BLOCK_BEGIN):
            return False
        at = U(AT_BLOCK_BEGIN)
    if at == AT_BLOCK_BEGIN:
        S.phase = PHASE_BLOCK
        if not check_then(S, AT_BLOCK):
            return False
        at = U(AT_BLOCK)
    if at == AT_BLOCK:
        if block_options(S, T):
            return True
        at = U(AT_BLOCKED)
    if at == AT_BLOCKED:
        join_battle(S, T)
        if not check_then(S, AT_QUICK_BEGIN):
            return False
        at = U(AT_QUICK_BEGIN)
    if at == AT_QUICK_BEGIN:
        S.phase = PHASE_QUICK
        if not check_then(S, AT_QUICK):
            return False
        at = U(AT_QUICK)
    if at == AT_QUICK:
        if quick_options(S, T):
            return True
        at = U(AT_DAMAGE_BEGIN)
    if at == AT_DAMAGE_BEGIN:
        S.phase = PHASE_DAMAGE
        if not check_then(S, AT_DAMAGE):
            return False
        at = U(AT_DAMAGE)
    if at == AT_DAMAGE:
        damage_step(S, T)
        if not check_then(S, AT_BATTLE_END):
            return False
        at = U(AT_BATTLE_END)
    if at == AT_BATTLE_END:
        battle_end(S, T)
        if not check_then(S, AT_BATTLE_CLEAN):
            return False
    S.battle = 0
    S.duel = 0
    S.attacker = NONE
    S.target = NONE
    S.phase = PHASE_MAIN
    check_then(S, AT_MAIN)
    return False

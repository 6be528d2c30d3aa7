"""Phases of a turn and steps of a battle (CR 7, 9), and the options of the two play timings (CR 8, 9.5)."""

from __future__ import annotations

from kernels.counts import count_turn
from kernels.events import stop
from kernels.jit import hot, kernel, lowest, popcount
from kernels.options import add_group, add_one, open_decision
from kernels.palworld.cards import bit, cost_of, in_base, matching
from kernels.palworld.codes import (
    AT_ATTACK,
    AT_BATTLE_CLEAN,
    AT_BATTLE_END,
    AT_BLOCK,
    AT_BLOCK_BEGIN,
    AT_BLOCKED,
    AT_CHECK,
    AT_DAMAGE,
    AT_DAMAGE_BEGIN,
    AT_DRAW,
    AT_DRAW_CARD,
    AT_END,
    AT_END_CLEAN,
    AT_MAIN,
    AT_MAIN_BEGIN,
    AT_QUICK,
    AT_QUICK_BEGIN,
    AT_SOUL,
    AT_SOUL_ADD,
    AT_STAND,
    E_DAMAGE,
    E_TURN,
    END_CAP,
    K_ACTIVATE,
    K_ATTACK,
    K_ATTACK_PLAYER,
    K_BLOCK,
    K_DRAW,
    K_END,
    K_NO_BLOCK,
    K_PASS,
    K_PLAY,
    KW_ASSAULT,
    KW_STEALTH,
    KW_TAUNT,
    MANY,
    NONE,
    ON_BATTLE_END,
    ON_TURN_END,
    ONE,
    PHASE_BATTLE_END,
    PHASE_BLOCK,
    PHASE_DAMAGE,
    PHASE_DRAW,
    PHASE_END,
    PHASE_MAIN,
    PHASE_QUICK,
    PHASE_SOUL,
    PHASE_STAND,
    PLAYER,
    SIX,
    STATIC_UNATTACKABLE,
    Z_HAND,
    ZERO,
    I,
    U,
)
from kernels.palworld.copies import representatives
from kernels.palworld.costs import can_pay, payable, souls_standing
from kernels.palworld.decks import deal_player, draw
from kernels.palworld.derived import derive
from kernels.palworld.events import event
from kernels.palworld.player_verbs import add_souls
from kernels.palworld.state import TURNS
from kernels.palworld.triggers import queue, trigger
from kernels.palworld.zones import hurt, is_pal, restless, rivals, stand_card, unchange

MAX_TURNS = 200


@hot
def check_then(S, after):
    """A check timing (CR 10.5.3), then go on at `after`; True where nothing has happened since the last one, so that
    there is nothing to check and the next step can begin at once."""
    S.after = after
    if S.stirred or S.dirty or S.waits:
        S.at = AT_CHECK
        return False
    S.at = after
    return True


# Phases -------------------------------------------------------------------------------------------------------------


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
    S.delays = 0
    S.says = 0
    S.soul_drawn = 0
    restless(S, T)
    S.turn += 1
    S.turn_seat = ONE - U(S.turn_seat)
    if S.night_turn > 0 and S.night_turn < S.turn:
        S.night_turn = 0
        S.dirty = 1
    S.at = AT_STAND


# Main phase ---------------------------------------------------------------------------------------------------------


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
        granted_activations(S, T, p)
    attacks_left = attacks(S, T, p)
    if souls_standing(S, p) >= I(T.draw_price) and not S.soul_drawn:
        add_one(S, K_DRAW)
    if not (S.rush[p] and attacks_left):  # CR 7.5.2.1
        add_one(S, K_END)


@kernel
def playable(S, T, p, m):
    """Cards of a mask of the hand that can be paid, one of each set of copies."""
    souls = souls_standing(S, p)
    cheap = m & T.cost_at_most[p, U(min(max(souls, 0), 15))]
    changers = (S.bases[0] & T.cost_statics[0]) | (S.bases[1] & T.cost_statics[1]) | (S.hand[p] & T.cost_statics[p])
    if changers != ZERO or S.discount[p] != 0:
        rest = m & ~cheap
        while rest != ZERO:
            slot = lowest(rest)
            rest &= rest - ONE
            if cost_of(S, T, p << SIX | slot) <= souls:
                cheap |= ONE << slot
    m = representatives(S, T, p, cheap)
    legends = m & T.legends[p]
    while legends != ZERO:
        slot = lowest(legends)
        legends &= legends - ONE
        if rivals(S, T, p, p << SIX | slot, S.bases[p]):
            m &= ~(ONE << slot)
    return m


@hot
def unused(S, T, ability, obj):
    """The limit of an activated ability is not used up (CR 10.7.2)."""
    return T.limit[ability] == 0 or S.uses[obj, U(T.use_slot[ability])] < T.limit[ability]


@kernel
def can_activate(S, T, ability, obj):
    """An activated ability can be played: its limit is not used up and a cost can be paid (CR 10.4.2.2, 10.7.2)."""
    if not unused(S, T, ability, obj):
        return False
    for alt in range(U(T.alternatives[ability])):
        if can_pay(S, T, ability, alt, obj, 0):
            return True
    return False


@kernel
def within_means(S, T, p, zone):
    """Cards with an activated ability for which the player has enough of every single resource."""
    pals = ZERO if S.rush[p] else popcount(S.bases[p] & T.type_mask[p, 0] & ~S.resting[p])
    others = popcount(S.hand[p]) - zone if S.hand[p] != ZERO else ZERO
    return (
        T.act_within[p, zone, 0, min(U(souls_standing(S, p)), MANY)]
        & T.act_within[p, zone, 1, min(U(S.material[p]), MANY)]
        & T.act_within[p, zone, 2, min(U(S.ingredient[p]), MANY)]
        & T.act_within[p, zone, 3, min(pals, MANY)]
        & T.act_within[p, zone, 4, min(others, MANY)]
    )


@kernel
def activations(S, T, p, zone, m, quick):
    """Options to play activated abilities of the cards of a mask (CR 8.3). zone: 0 base, 1 hand."""
    m &= ~(T.resters[p] & S.resting[p])
    if m == ZERO:
        return
    m = representatives(S, T, p, m & within_means(S, T, p, zone))
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        card = U(T.card[obj])
        first = U(T.act_first[card])
        if T.act_sure[p] & (ONE << slot) != ZERO:  # its cost has been looked at
            if unused(S, T, first, obj):
                add_group(S, K_ACTIVATE, obj, T.n[first], ZERO, ONE)
            continue
        for ability in range(first, first + U(T.act_count[card])):
            if (U(T.zone[ability]) == Z_HAND) != (zone == ONE) or (quick and not T.quick[ability]):
                continue
            if can_activate(S, T, ability, obj):
                add_group(S, K_ACTIVATE, obj, T.n[ability], ZERO, ONE)


@kernel
def granted_activations(S, T, p):
    """Options to play activated abilities that cards were given (CR 10.3): counted after the printed ones."""
    for i in range(U(S.grants)):
        ability = U(S.grant_ability[i])
        obj = U(S.grant_obj[i])
        if T.kind[ability] != 0 or (obj >> SIX) != p or representatives(S, T, p, S.bases[p]) & bit(obj) == ZERO:
            continue
        order = 1
        for j in range(i):
            if U(S.grant_obj[j]) == obj and T.kind[U(S.grant_ability[j])] == 0:
                order += 1
        if T.limit[ability] and S.grant_uses[i] >= T.limit[ability]:
            continue
        if payable(S, T, ability, obj) != ZERO:
            add_group(S, K_ACTIVATE, obj, I(T.act_count[T.card[obj]]) + order, ZERO, ONE)


# Battle -------------------------------------------------------------------------------------------------------------


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


@kernel
def battle_end(S, T):
    """CR 9.7.1: what happens at the end of the battle is triggered."""
    S.phase = PHASE_BATTLE_END
    S.failed = 0
    attacker = U(S.attacker)
    if in_base(S, attacker, S.attacker_stay):
        trigger(S, T, ON_BATTLE_END, attacker, NONE, attacker)

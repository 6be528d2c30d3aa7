"""The greedy player in battle: what attacks and blocks gain and risk."""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.palworld.cards import bit
from kernels.palworld.codes import (
    K_ATTACK,
    K_ATTACK_PLAYER,
    KW_STEALTH,
    ON_ATTACKS,
    ONE,
    SIX,
    ZERO,
    I,
    U,
)
from kernels.palworld.judge import (
    battle_score,
    blow,
    dies,
    duel,
    foes,
    life_worth,
    mine,
    open_chance,
    weight,
)
from kernels.palworld.weights import (
    W_ALLIN,
    W_ATTACK,
    W_BLOCK,
    W_GUARD,
    W_LIFE,
    W_RISK,
)
from kernels.palworld.zones import is_pal

LOW = -(1 << 40)
KW_VIGILANCE = U(1 << 6)


@hot
def spot(i, slot):
    """Place of an option: group and bit."""
    return I(i << SIX | slot)


@kernel
def stay_score(S, T, P, p, a, spread):
    """Score of a Pal that stays standing: it cannot be attacked, and it can block. spread: standing Pals in 1024ths
    that are needed against the opponent's."""
    if U(S.keywords[a]) & KW_VIGILANCE != ZERO:
        return I(0)
    q = ONE - p
    power = I(S.power[a]) - I(S.power_plus[a])
    own = mine(S, T, P, p, a)
    life = I(S.life[p])
    risk, guard = I(0), I(0)
    m = S.bases[q] & T.type_mask[q, 0]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        foe = q << SIX | slot
        foe_power = I(S.power[foe]) - I(S.power_plus[foe])
        strike = I(S.strike[foe]) - I(S.strike_plus[foe])
        saved = life_worth(life, strike) * 6 // 10 * weight(P, p, W_LIFE) if strike > 0 else I(0)
        if foe_power >= power:
            risk = max(risk, own - (foes(S, T, P, p, foe) if power >= foe_power else I(0)))
            saved -= own if power < foe_power else own // 2
        guard = max(guard, saved)
    return risk * weight(P, p, W_RISK) * 35 // 10000 + ((guard * spread) >> 10) * weight(P, p, W_GUARD) * 35 // 10000


@kernel
def blocked_score(S, T, P, p, a):
    """Score of the block that would be worst for an attacker; a large number where nothing can block."""
    q = ONE - p
    worst = I(1 << 40)
    if U(S.keywords[a]) & KW_STEALTH != ZERO:
        return worst
    m = S.bases[q] & T.type_mask[q, 0] & ~S.resting[q] & ~S.no_block[q]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        worst = min(worst, duel(S, T, P, p, a, q << SIX | slot, I(0), I(0)))
    return worst


@kernel
def target_score(S, T, P, p, a, target, force):
    """Score of an attack on a card that is not blocked. force: Power of all Pals that can attack."""
    if is_pal(T, target):
        return duel(S, T, P, p, a, target, I(0), I(0))
    score = foes(S, T, P, p, target)
    if dies(S, target, I(S.power[a]), I(0)):
        return score
    left = max(I(S.power[target]) - I(S.damage[target]), 1)
    if force < left:
        return I(0)
    return score * I(S.power[a]) // left * 7 // 10


@hot
def mixed(direct, worst, share):
    """Score of an attack that is blocked in `share` of 1024 cases, where that is worse."""
    return direct + (((worst - direct) * share) >> 10) if worst < direct else direct


@kernel
def face_score(S, T, P, p, a):
    """Score of an attack on the player that is not blocked."""
    return blow(S, T, ONE - p, p, I(S.strike[a])) * weight(P, p, W_ATTACK)


@kernel
def trigger_score(S, T, p, a):
    """Score of what happens when a Pal attacks."""
    if T.watchers[p, ON_ATTACKS] & bit(a) == ZERO:
        return I(0)
    card = U(T.card[a])
    first = U(T.auto_first[card])
    score = I(0)
    for ability in range(first, first + U(T.auto_count[card])):
        if U(T.on[ability]) == ON_ATTACKS:
            score += I(T.intent[ability]) * 60
    return score


@kernel
def wins_now(S, T, P, p, ready, guards):
    """Everything may attack: the opponent's life is within reach although the best attackers are blocked."""
    q = ONE - p
    strike, most = I(0), I(0)
    m = ready
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        n = max(I(S.strike[p << SIX | slot]), 0)
        strike += n
        most = max(most, n)
    life = I(S.life[q])
    if strike - most * guards < life:
        return False
    return open_chance(S, T, q, p, life) * 100 >= weight(P, p, W_ALLIN) * 200


@kernel
def best_attack(S, T, P, p):
    """Best attack: score, place, and the score of the own standing Pal that is missed least when it rests."""
    q = ONE - p
    best, place, spare = I(0), I(-1), I(1 << 40)
    ready = S.bases[p] & T.type_mask[p, 0] & ~S.resting[p]
    if ready == ZERO:
        return best, place, I(1 << 30)
    count = I(popcount(ready))
    guards = I(popcount(S.bases[q] & T.type_mask[q, 0] & ~S.resting[q] & ~S.no_block[q]))
    foe_count = I(popcount(S.bases[q] & T.type_mask[q, 0]))
    share = min(min(guards * 1024 // count, 1024) * weight(P, p, W_BLOCK) // 100, 1024)
    spread = min(foe_count * 1024 // count, 1024)
    allin = wins_now(S, T, P, p, ready, guards)
    force = I(0)
    m = ready
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        force += I(S.power[p << SIX | slot])
    face, face_group = ZERO, ZERO
    strike, blow_score = I(LOW), I(0)  # most Pals have the same Strike
    for i in range(U(S.groups)):
        if U(S.group_kind[i]) == K_ATTACK_PLAYER:
            face, face_group = S.group_mask[i], i
    for i in range(U(S.groups) + ONE):
        # Attackers with targets in their groups; in the last round those that can only attack the player.
        alone = i == U(S.groups)
        if not alone and U(S.group_kind[i]) != K_ATTACK:
            continue
        rest = face if alone else ONE
        while rest != ZERO:
            a = p << SIX | lowest(rest) if alone else U(S.group_obj[i])
            rest &= rest - ONE
            worst = blocked_score(S, T, P, p, a)
            stay = stay_score(S, T, P, p, a, spread)
            extra = trigger_score(S, T, p, a)
            top = I(LOW)
            if face & bit(a) != ZERO:
                if I(S.strike[a]) != strike:
                    strike, blow_score = I(S.strike[a]), face_score(S, T, P, p, a)
                top = mixed(blow_score, worst, share) + extra
                if allin:
                    top += I(30000)
                if top - stay > best:
                    best, place = top - stay, spot(face_group, a & U(63))
                face &= ~bit(a)
            if not alone:
                m = S.group_mask[i]
                while m != ZERO:
                    slot = lowest(m)
                    m &= m - ONE
                    score = mixed(target_score(S, T, P, p, a, q << SIX | slot, force), worst, share) + extra
                    top = max(top, score)
                    if score - stay > best:
                        best, place = score - stay, spot(i, slot)
            spare = min(spare, max(top, stay))
    return best, place, max(spare, 0)


@kernel
def block_choice(S, T, P, p):
    """Block where the battle then goes better: what dies, life saved, and what the rested blocker risks afterwards."""
    q = ONE - p
    attacker = U(S.attacker)
    best = battle_score(S, T, P, p, I(0), I(0), I(0))
    place = spot(U(S.groups) - ONE, ZERO)
    m = S.group_mask[0]
    others = S.bases[q] & T.type_mask[q, 0] & ~S.resting[q]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        b = p << SIX | slot
        score = duel(S, T, P, p, b, attacker, I(0), I(0)) - I(500) * I(popcount(others))
        left = I(S.power[b]) - I(S.damage[b]) - max(I(S.power[attacker]), 0)
        if left > 0:
            danger = others
            while danger != ZERO:
                other = lowest(danger)
                danger &= danger - ONE
                if I(S.power[q << SIX | other]) >= left:
                    score -= mine(S, T, P, p, b) * weight(P, p, W_RISK) * 35 // 10000
                    break
        if score > best:
            best, place = score, spot(ZERO, slot)
    return place

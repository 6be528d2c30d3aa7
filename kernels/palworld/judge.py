"""What things are worth to a seat: life, battles, effects on the cards that can be seen.

Scores are points (sim.games.palworld.worth) times the percent of a weight, so 100 times as large. Only what the seat
may know is used: of the opponent's hand and deck the number of cards, and which cards are in neither.
"""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.palworld.cards import bit, cost_of, holds, in_base, matching
from kernels.palworld.codes import (
    AIM_BOUNCE,
    AIM_BUFF,
    AIM_DAMAGE,
    AIM_DEPLOY,
    AIM_FAIL,
    AIM_GRANT,
    AIM_REST,
    AIM_STAND,
    AIM_TAKE,
    AIM_TOP,
    AIM_WEAKEN,
    COND_COMPARE,
    COND_DID,
    COND_IS,
    NONE,
    ONE,
    OP_CHOOSE,
    OP_DELAY,
    OP_DISCOUNT,
    OP_END,
    OP_JUMP,
    OP_MAY,
    OP_MODES,
    OP_UNLESS,
    PLAYER,
    REF_THIS,
    SIX,
    TERM_CHOSEN,
    Z_LOOKED,
    ZERO,
    I,
    U,
)
from kernels.palworld.costs import souls_standing
from kernels.palworld.weights import W_ATTACK, W_KEEP, W_KILL, W_LIFE, W_PLAY
from kernels.palworld.zones import is_pal

RESOURCE = 15
"""Points of a Material or Ingredient."""
GAME = 3000
"""Points of winning or losing."""
LIFE, LOW = 90, 6
"""Points of a point of life, and how much more each one is worth than the one above it."""
SURE = 1024
"""Chances are counted in 1024ths."""
KW_RETALIATE = U(1 << 8)
UNSEEN_DEPLOY, UNSEEN_TAKE = 15000, 7000
"""Score of a card that is not seen yet, put into the base or the hand."""
MAX_ROWS = 12


@hot
def weight(P, p, i):
    """A weight of the seat's player, in percent."""
    return I(P.weights[p, i])


@hot
def life_worth(life, n):
    """Points of n points of life to a player who has `life`."""
    if n >= life:
        return I(GAME)
    return n * (LIFE + LOW * max(10 - life + n, 0))


@kernel
def open_chance(S, T, q, viewer, n):
    """Chance in 1024ths that n cards from the top of a deck show no lucky icon, as far as `viewer` knows.

    Cards that the viewer cannot see lie in the deck or, for the opponent's, in the hand: all orders are equally likely.
    Own cards that were seen or put on top are known.
    """
    size = U(T.deck_size[q])
    unseen = ~ZERO if size == U(64) else (ONE << size) - ONE
    unseen &= ~(S.bases[q] | S.graveyard[q] | S.exile[q])
    card = U(S.event_card)
    if card != NONE and (card >> SIX) == q:
        unseen &= ~bit(card)
    count = U(S.deck_count[q])
    flips = min(U(max(n, 0)), count)
    if viewer == q:
        unseen &= ~S.hand[q]
        if S.known[q] != ZERO:
            for i in range(flips):
                b = ONE << U(S.deck[q, count - ONE - i])
                if S.known[q] & b != ZERO:
                    if T.lucky[q] & b != ZERO:
                        return I(0)
                    unseen &= ~b
                    flips -= ONE
    left = popcount(unseen)
    lucky = popcount(unseen & T.lucky[q])
    chance = U(SURE)
    while flips > ZERO and left > lucky:
        chance = chance * (left - lucky) // left
        left -= ONE
        flips -= ONE
    return I(chance) if flips == ZERO else I(0)


@kernel
def blow(S, T, q, viewer, strike):
    """Points that the player q is expected to lose by an attack with this Strike."""
    if strike <= 0:
        return I(0)
    return open_chance(S, T, q, viewer, strike) * life_worth(I(S.life[q]), strike) >> 10


@hot
def mine(S, T, P, p, obj):
    """Score of an own card in the base."""
    return I(T.board[T.card[obj]]) * weight(P, p, W_KEEP)


@hot
def foes(S, T, P, p, obj):
    """Score of a card in the opponent's base."""
    return I(T.board[T.card[obj]]) * weight(P, p, W_KILL)


@hot
def dies(S, obj, damage, plus):
    """A card of the base dies of some more damage, its Power changed by plus."""
    total = I(S.damage[obj]) + max(damage, 0)
    return total > 0 and total >= I(S.power[obj]) + plus


@kernel
def duel(S, T, P, p, own, foe, own_plus, foe_plus):
    """Score of a battle between an own Pal and one of the opponent's, with their Power changed."""
    result = I(0)
    own_dies = dies(S, own, I(S.power[foe]) + foe_plus, own_plus)
    foe_dies = dies(S, foe, I(S.power[own]) + own_plus, foe_plus)
    if foe_dies and U(S.keywords[foe]) & KW_RETALIATE != ZERO:
        own_dies = True
    if own_dies and U(S.keywords[own]) & KW_RETALIATE != ZERO:
        foe_dies = True
    if foe_dies:
        result += foes(S, T, P, p, foe)
    if own_dies:
        result -= mine(S, T, P, p, own)
    return result


@kernel
def battle_score(S, T, P, p, strike_plus, attacker_plus, target_plus):
    """What the open battle brings the defender p, with the numbers changed by so much: mostly below 0."""
    attacker, target = U(S.attacker), U(S.target)
    if S.battle == 0 or not in_base(S, attacker, S.attacker_stay) or (attacker >> SIX) == p:
        return I(0)
    if target >= PLAYER:
        return -blow(S, T, p, p, I(S.strike[attacker]) + strike_plus) * weight(P, p, W_LIFE)
    if not in_base(S, target, S.target_stay):
        return I(0)
    if is_pal(T, target):
        return duel(S, T, P, p, target, attacker, target_plus, attacker_plus)
    if dies(S, target, I(S.power[attacker]) + attacker_plus, target_plus):
        return -mine(S, T, P, p, target)
    return I(0)


@kernel
def removal(S, T, P, p, obj):
    """Score of an opponent's card leaving the base: with it the battle ends."""
    score = foes(S, T, P, p, obj)
    if S.battle and obj == U(S.attacker):
        score -= min(battle_score(S, T, P, p, I(0), I(0), I(0)), 0)
    return score


# Effects ------------------------------------------------------------------------------------------------------------


@kernel
def buff_score(S, T, P, p, obj, power, strike):
    """Score of more Power and Strike until the end of the turn for an own card."""
    if S.battle and p != U(S.turn_seat):
        if obj == U(S.target):
            now = battle_score(S, T, P, p, I(0), I(0), I(0))
            return battle_score(S, T, P, p, I(0), I(0), power) - now - 100
        return I(-100)
    if not is_pal(T, obj) or S.resting[p] & bit(obj) != ZERO:
        return I(0)
    score = I(200) + strike * LIFE // 2 * weight(P, p, W_ATTACK)
    q = ONE - p
    left = I(S.power[obj]) - I(S.damage[obj])
    m = S.bases[q] & ~T.type_mask[q, 2]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        foe = q << SIX | slot
        share = I(0)
        if not dies(S, foe, I(S.power[obj]), I(0)) and dies(S, foe, I(S.power[obj]) + power, I(0)):
            share = I(20) if is_pal(T, foe) and S.resting[q] & (ONE << slot) == ZERO else I(50)
        if is_pal(T, foe) and left <= I(S.power[foe]) and left + power > I(S.power[foe]):
            share += 15
        score = max(score, foes(S, T, P, p, foe) * share // 100 + I(S.strike[obj]) * 100)
    return score


@kernel
def rest_score(S, T, P, p, obj, long):
    """Score of resting a card; `long`: it does not stand in the next stand phase either."""
    s = obj >> SIX
    resting = S.resting[s] & bit(obj) != ZERO
    if s == p:
        return I(-100) if resting and long == 0 else -mine(S, T, P, p, obj) * 2 // 5
    score = foes(S, T, P, p, obj)
    if resting:
        return score // 6 if long > 0 else I(0)
    if not is_pal(T, obj):
        return I(100)
    if p != U(S.turn_seat):
        return score // 4
    share = I(25 if long == 0 else 35)
    m = S.bases[p] & T.type_mask[p, 0] & ~S.resting[p]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        if dies(S, obj, I(S.power[p << SIX | slot]), I(0)):
            share += 35
            break
    return score * share // 100


@kernel
def elsewhere_score(S, T, P, p, aim, obj):
    """Score of what happens to a card that is not in a base."""
    s = obj >> SIX
    card = U(T.card[obj])
    score = I(T.value[card]) * 100
    if aim == AIM_TOP:
        # A lucky card on top stops the next attack; any other is drawn again, so the dearest.
        score = I(T.cost[card]) * 200 - 2500
        if T.lucky[s] & bit(obj) != ZERO:
            score += 5000
    elif aim != AIM_DEPLOY and aim != AIM_TAKE:
        score = I(0)
    return score if s == p else -score


@kernel
def aim_score(S, T, P, p, aim, size, obj):
    """Score for seat p of what an effect does to one card."""
    s = obj >> SIX
    own = s == p
    if S.bases[s] & bit(obj) == ZERO:
        return elsewhere_score(S, T, P, p, aim, obj)
    power, strike = size >> 4, size & 15
    if aim == AIM_DAMAGE:
        if dies(S, obj, power, I(0)):
            return -mine(S, T, P, p, obj) if own else removal(S, T, P, p, obj)
        share = power * 20 // max(I(S.power[obj]) - I(S.damage[obj]), 1)
        return -mine(S, T, P, p, obj) * share // 100 - 100 if own else foes(S, T, P, p, obj) * share // 100
    if aim == AIM_BUFF:
        return buff_score(S, T, P, p, obj, power, strike) if own else I(-1000) - power
    if aim == AIM_WEAKEN:
        return -mine(S, T, P, p, obj) // 4 if own else weaken_score(S, T, P, p, obj, power, strike)
    if aim == AIM_REST:
        return rest_score(S, T, P, p, obj, power)
    if aim == AIM_STAND:
        if S.resting[s] & bit(obj) == ZERO:
            return I(0)
        share = I(45) if U(S.turn_seat) == s and is_pal(T, obj) else I(20)
        return mine(S, T, P, p, obj) * share // 100 if own else -foes(S, T, P, p, obj) * share // 100
    if aim == AIM_BOUNCE:
        if own:
            return -mine(S, T, P, p, obj) * 2 // 3
        return removal(S, T, P, p, obj) - foes(S, T, P, p, obj) // 3
    if aim == AIM_GRANT:
        if not own:
            return I(-1000)
        return I(S.strike[obj]) * 1000 if S.resting[p] & bit(obj) == ZERO else I(100)
    if aim == AIM_TOP or aim == AIM_TAKE or aim == AIM_DEPLOY:
        return I(0)
    return -mine(S, T, P, p, obj) if own else removal(S, T, P, p, obj)


@kernel
def weaken_score(S, T, P, p, obj, power, strike):
    """Score of less Power and Strike until the end of the turn for an opponent's card."""
    total = I(S.damage[obj])
    if total > 0 and total >= I(S.power[obj]) - power:
        return removal(S, T, P, p, obj)
    if p != U(S.turn_seat):
        if S.battle and obj == U(S.attacker):
            now = battle_score(S, T, P, p, I(0), I(0), I(0))
            return battle_score(S, T, P, p, -strike, -power, I(0)) - now - 100
        return I(100)
    score = I(100) + power
    m = S.bases[p] & T.type_mask[p, 0] & ~S.resting[p]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        mine_now = I(S.power[p << SIX | slot])
        if mine_now < I(S.power[obj]) - total and mine_now >= I(S.power[obj]) - power - total:
            score = max(score, foes(S, T, P, p, obj) // 3)
    return score


@kernel
def group_score(S, T, P, p, row, this):
    """Score of an instruction that is aimed at cards: the best of a choice, the sum over a group."""
    aim, size, extra = U(T.code[row, 5]), I(T.code[row, 6]), I(T.code[row, 7]) * 100
    if aim == AIM_FAIL:
        return -min(battle_score(S, T, P, p, I(0), I(0), I(0)), 0)
    op = U(T.code[row, 0])
    target = I(T.code[row, 1])
    if target < 0:
        if target != REF_THIS or S.bases[this >> SIX] & bit(this) == ZERO:
            return I(0)
        return aim_score(S, T, P, p, aim, size, this)
    f = U(target)
    if U(T.filter_zone[f]) == Z_LOOKED and S.looked == ZERO:
        return I(UNSEEN_DEPLOY) if aim == AIM_DEPLOY else I(UNSEEN_TAKE)
    best, worst, total, good = I(-1000000), I(1000000), I(0), I(0)
    for k in range(U(2)):
        m = matching(S, T, f, this, p, k)
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            score = aim_score(S, T, P, p, aim, size, k << SIX | slot)
            total += score
            best = max(best, score)
            worst = min(worst, score)
            if score > 0:
                good += 1
    if op != OP_CHOOSE:
        return total
    if best == -1000000:
        return I(0)
    if I(T.code[row, 4]) & 1:  # the opponent chooses
        return worst + extra
    low, high = I(T.amount_const[U(T.code[row, 2])]), I(T.amount_const[U(T.code[row, 3])])
    best += extra
    if best < 0:
        return best if low > 0 else I(0)
    return best * max(min(good, high), 1)


@kernel
def bargain(S, T, P, p, row, most):
    """What a cheaper next card is good for: the reduction that lets seat p pay for the best card of its hand that it
    cannot pay for now, at most `most`, and what that brings. (0, 0) where there is none."""
    souls = souls_standing(S, p)
    need, score = I(0), I(0)
    m = T.fit[U(T.code[row, 2]), p] & S.hand[p]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        cost = I(cost_of(S, T, obj))
        short = cost - souls
        if short <= 0 or short > min(most, cost - 1):
            continue
        gain = I(T.value[T.card[obj]]) * weight(P, p, W_PLAY) - short * RESOURCE * 100
        if gain > score:
            need, score = short, gain
    return need, score


@kernel
def outlook(S, T, P, p, row, this):
    """Score for seat p of carrying out a compiled effect of its card `this` from an instruction on."""
    score = I(0)
    for _ in range(MAX_ROWS):
        op = U(T.code[row, 0])
        if op == OP_END:
            break
        if op == OP_JUMP:
            row = U(T.code[row, 1])
            continue
        if op == OP_UNLESS:
            row = row + ONE if taken(S, T, p, row, this) else U(T.code[row, 2])
            continue
        if op == OP_MAY:
            score += max(I(T.code[row, 7]), 0) * 100
            row = U(T.code[row, 1])
            continue
        if op == OP_DELAY:
            row = U(T.code[row, 1])
            continue
        if op == OP_MODES:
            best = I(-1000000)
            for k in range(U(T.code[row, 1])):
                best = max(best, stretch(S, T, P, p, U(T.code[row + ONE + k, 1]), this))
            score += best
            row = U(T.code[row, 3])
            continue
        if op == OP_DISCOUNT:
            score += bargain(S, T, P, p, row, I(S.material[p]))[1]
        elif T.code[row, 5] != 0 or op == OP_CHOOSE:
            score += group_score(S, T, P, p, row, this)
        else:
            score += I(T.code[row, 7]) * 100
        row += ONE
    return score


@kernel
def stretch(S, T, P, p, row, this):
    """Score of one body of "choose one of": its instructions up to the first jump."""
    score = I(0)
    for _ in range(MAX_ROWS):
        op = U(T.code[row, 0])
        if op == OP_END or op == OP_JUMP:
            break
        if T.code[row, 5] != 0 or op == OP_CHOOSE:
            score += group_score(S, T, P, p, row, this)
        else:
            score += I(T.code[row, 7]) * 100
        row += ONE
    return score


@kernel
def follow_score(S, T, P, p, row, this):
    """Score of what is done only because a card was chosen, such as "if did ..."; else its points."""
    for k in range(ONE, U(4)):
        i = row + k
        op = U(T.code[i, 0])
        if op == OP_END:
            break
        if op == OP_UNLESS:
            c = U(T.code[i, 1])
            if U(T.cond_kind[c]) == COND_DID and T.cond_not[c] == 0:
                return stretch(S, T, P, p, i + ONE, this)
            break
    return I(T.code[row, 7]) * 100


@kernel
def taken(S, T, p, row, this):
    """A condition looks true before its effect begins; what hangs on a choice is judged at the choice."""
    c = I(T.code[row, 1])
    kind = U(T.cond_kind[c])
    if kind == COND_DID or kind == COND_IS:
        return False
    if kind == COND_COMPARE and U(T.amount_term[U(T.cond_left[c])]) == TERM_CHOSEN:
        return False
    return holds(S, T, c, this, p)

"""The greedy player: every option of the open decision gets a score, the best is taken, of equals the first.

A first heuristic without looking ahead: it curves out, uses what is paid for, attacks where that gains more than a
rested Pal risks, blocks and interrupts by expected loss. Scores are explained in kernels.palworld.judge, weights in
kernels.palworld.weights. An option is `place` = group << 6 | bit until the end.
"""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.palworld.cards import bit, cost_of
from kernels.palworld.codes import (
    AT_BLOCK,
    AT_COST,
    AT_MAIN,
    AT_PICK,
    AT_QUICK,
    COST_ASSIGN,
    COST_BUTCHER,
    COST_CONSUME,
    COST_DISCARD,
    COST_DISCARD_THIS,
    COST_MILL,
    COST_REST,
    COST_SOULS,
    K_ACTIVATE,
    K_DRAW,
    K_END,
    K_MODE,
    K_MULLIGAN,
    K_PAY,
    K_PLAY,
    K_RESOLVE,
    K_X,
    K_YES,
    ON_ASSIGNED,
    ON_BURIED,
    ONE,
    OP_DISCOUNT,
    SIX,
    TYPE_EVENT,
    TYPE_PAL,
    USE_COST_ASSIGN,
    USE_COST_BUTCHER,
    USE_COST_DISCARD,
    USE_DISCARD,
    USE_EFFECT,
    USE_SURPLUS,
    ZERO,
    I,
    U,
)
from kernels.palworld.costs import can_pay, souls_standing
from kernels.palworld.greedy_battle import LOW, best_attack, block_choice, spot
from kernels.palworld.judge import (
    GAME,
    RESOURCE,
    aim_score,
    bargain,
    follow_score,
    outlook,
    weight,
)
from kernels.palworld.weights import (
    W_ACT,
    W_CARD,
    W_CURVE,
    W_HOLD,
    W_PLAY,
)
from kernels.palworld.zones import is_pal

CARD, DISCARD, SOUL, MILL = 70, 40, 6, 3
"""Points of a card drawn, a card discarded, a soul, a card put from the deck."""
HOLD_EVENT, HOLD_QUICK, HOLD_INTERRUPT = 40, 60, 70
"""Points of an event, a quick event, an Interrupt Pal kept in the hand."""
DECK_LOW = 8
"""With fewer cards in the deck nothing more is drawn on purpose."""
KW_INTERRUPT = U(1 << 5)


@kernel
def greedy(S, T, P, p):
    """The best option for seat p: an index below S.options."""
    at = U(S.decision)
    if at == AT_MAIN:
        place = main_choice(S, T, P, p)
    elif at == AT_PICK:
        place = pick_choice(S, T, P, p)
    elif at == AT_BLOCK:
        place = block_choice(S, T, P, p)
    elif at == AT_QUICK:
        place = quick_choice(S, T, P, p)
    else:
        place = other_choice(S, T, P, p)
    return index_of(S, U(place))


@kernel
def index_of(S, place):
    """Number of an option among all."""
    k = ZERO
    i = place >> SIX
    for j in range(i):
        k += popcount(S.group_mask[j])
    return k + popcount(S.group_mask[i] & ((ONE << (place & U(63))) - ONE))


# Main phase ---------------------------------------------------------------------------------------------------------


@kernel
def main_choice(S, T, P, p):
    """Play cards, then use abilities, then attack; a sixth Pal comes after the attacks of those it replaces."""
    play, play_place, late = best_play(S, T, P, p)
    if play > 0 and not late:
        return play_place
    attack, attack_place, spare = best_attack(S, T, P, p)
    act, act_place = best_activation(S, T, P, p, spare)
    if act > 0:
        return act_place
    if attack > 0:
        return attack_place
    if play > 0:
        return play_place
    last = U(S.groups) - ONE
    if U(S.group_kind[last]) == K_END:
        return spot(last, ZERO)
    return attack_place if attack_place >= 0 else I(0)


@hot
def price(S, T, p, obj, changed):
    """What a card costs now."""
    if changed:
        return I(cost_of(S, T, obj))
    return I(T.cost[T.card[obj]])


@kernel
def costs_changed(S, T, p):
    """Some effect may change the cost of a card in hand."""
    return (S.bases[0] & T.cost_statics[0]) | (S.bases[1] & T.cost_statics[1]) | (
        S.hand[p] & T.cost_statics[p]
    ) != ZERO or S.discount[p] != 0


@kernel
def least_pal(S, T, p):
    """Points of the own Pal that would be missed least; a rested one is missed less."""
    least = I(GAME)
    m = S.bases[p] & T.type_mask[p, 0]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        points = I(T.board[T.card[p << SIX | slot]])
        if S.resting[p] & (ONE << slot) != ZERO:
            points = points * 2 // 3
        least = min(least, points)
    return least


@kernel
def play_score(S, T, P, p, obj, full):
    """Score of playing a card now; `full`: points of the Pal that a further Pal replaces, 0 while there is room."""
    card = U(T.card[obj])
    kind = U(T.type[card])
    if kind == TYPE_EVENT:
        ability = U(T.event_ability[card])
        hold = I(HOLD_QUICK) if T.quick[ability] else I(HOLD_EVENT)
        return outlook(S, T, P, p, U(T.pc[ability]), obj) * weight(P, p, W_PLAY) // 100 - hold * weight(P, p, W_HOLD)
    score = I(T.value[card]) * weight(P, p, W_PLAY)
    if kind == TYPE_PAL:
        score -= full * 100
        if U(T.printed[card]) & KW_INTERRUPT != ZERO:
            score -= I(HOLD_INTERRUPT) * weight(P, p, W_HOLD)
        return score
    if kind == U(1) and S.bases[p] & T.type_mask[p, 1] & T.same[obj] != ZERO:
        return score // 2  # a second one needs a second Pal to assign
    return score


@kernel
def draw_score(S, P, p):
    """Score of drawing a card."""
    if I(S.deck_count[p]) < DECK_LOW:
        return I(-1000)
    return I(CARD) * weight(P, p, W_CARD)


@kernel
def best_play(S, T, P, p):
    """Best card to play, or the draw for 3 souls, with the best use of the souls that are left: score, place, late.

    Of the rest of the souls one more card is thought of, or the draw; late: a Pal that would replace another.
    """
    changed = costs_changed(S, T, p)
    souls = souls_standing(S, p)
    pals = I(popcount(S.bases[p] & T.type_mask[p, 0]))
    full = least_pal(S, T, p) if pals >= I(T.pal_limit) else I(0)
    last = U(S.groups) - ONE
    draw = I(0)
    best, total, place, late = I(0), I(0), I(-1), False
    for back in range(min(U(2), last + ONE)):
        i = last - back
        if U(S.group_kind[i]) == K_DRAW:
            draw = draw_score(S, P, p)
            if draw > 0:
                best = draw
                total = draw + rest_of_souls(S, T, P, p, souls - I(T.draw_price), U(64), I(0), full, changed)
                place = spot(i, ZERO)
    if U(S.group_kind[0]) == K_PLAY:
        m = S.group_mask[0]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            score = play_score(S, T, P, p, obj, full)
            if score <= 0:
                continue
            left = souls - price(S, T, p, obj, changed)
            both = score + rest_of_souls(S, T, P, p, left, slot, draw, full, changed)
            if both > total:
                best, total, place = score, both, spot(ZERO, slot)
                late = full > 0 and is_pal(T, obj)
    return best, place, late


@kernel
def rest_of_souls(S, T, P, p, souls, but, draw, full, changed):
    """Score of the best further use of some souls: a card of the hand that they pay, or the draw."""
    best = draw if souls >= I(T.draw_price) else I(0)
    if souls <= 0:
        return I(0)
    m = S.hand[p] & T.cost_at_most[p, U(min(souls, 15))]
    if but < U(64):
        m &= ~(ONE << but)
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        card = U(T.card[p << SIX | slot])
        score = I(T.value[card])
        if U(T.type[card]) == TYPE_PAL:
            score -= full
        elif U(T.type[card]) == TYPE_EVENT:
            score -= HOLD_EVENT
        best = max(best, score * weight(P, p, W_PLAY))
    return best


# Abilities ----------------------------------------------------------------------------------------------------------


@kernel
def ability_of(S, T, obj, n):
    """The n-th activated ability of a card, granted ones after the printed ones."""
    card = U(T.card[obj])
    if n <= I(T.act_count[card]):
        return U(T.act_first[card]) + U(n - 1)
    left = n - I(T.act_count[card])
    for i in range(U(S.grants)):
        if U(S.grant_obj[i]) == obj and T.kind[U(S.grant_ability[i])] == 0:
            left -= 1
            if left == 0:
                return U(S.grant_ability[i])
    return U(T.act_first[card])


@kernel
def cost_score(S, T, P, p, ability, alt, obj, spare):
    """Score that one alternative cost takes; spare: score of the Pal that would be assigned."""
    score = I(0)
    first = U(T.alt_first[ability, alt])
    for part in range(first, first + U(T.alt_count[ability, alt])):
        verb = U(T.cost_verb[part])
        a = U(T.cost_amount[part])
        n = I(T.amount_const[a]) + I(T.amount_times[a])
        if verb == COST_SOULS:
            score += n * SOUL * 100 if p == U(S.turn_seat) else n
        elif verb == COST_CONSUME:
            score += n * RESOURCE * 100
        elif verb == COST_ASSIGN:
            score += n * spare
        elif verb == COST_DISCARD:
            score += n * DISCARD * weight(P, p, W_CARD)
        elif verb == COST_DISCARD_THIS:
            score += I(T.value[T.card[obj]]) * weight(P, p, W_HOLD) // 2
        elif verb == COST_BUTCHER:
            score += n * least_pal(S, T, p) * 100
        elif verb == COST_MILL:
            score += n * MILL * 100 if I(S.deck_count[p]) > 2 * DECK_LOW else I(100000)
        elif verb == COST_REST and is_pal(T, obj):
            score += max(spare, I(T.base_strike[T.card[obj]]) * 4000)
    return score


@kernel
def act_score(S, T, P, p, i, spare):
    """Score of an option to activate an ability: what it does less its cheapest cost that can be paid."""
    obj = U(S.group_obj[i])
    ability = ability_of(S, T, obj, I(S.group_n[i]))
    least = I(1 << 40)
    for alt in range(U(T.alternatives[ability])):
        if T.alternatives[ability] == 1 or can_pay(S, T, ability, alt, obj, I(0)):
            least = min(least, cost_score(S, T, P, p, ability, alt, obj, spare))
    return outlook(S, T, P, p, U(T.pc[ability]), obj) * weight(P, p, W_ACT) // 100 - least


@kernel
def best_activation(S, T, P, p, spare):
    """Best activated ability: score and place."""
    best, place = I(0), I(-1)
    for i in range(U(S.groups)):
        if U(S.group_kind[i]) == K_ACTIVATE:
            score = act_score(S, T, P, p, i, spare)
            if score > best:
                best, place = score, spot(i, lowest(S.group_mask[i]))
    return best, place


# Attacks ------------------------------------------------------------------------------------------------------------


# The other player's attack ------------------------------------------------------------------------------------------


@kernel
def quick_choice(S, T, P, p):
    """Quick events and abilities where they save more than they cost; souls of the opponent's turn are free."""
    best = I(0)
    place = spot(U(S.groups) - ONE, ZERO)
    for i in range(U(S.groups)):
        kind = U(S.group_kind[i])
        if kind == K_PLAY:
            m = S.group_mask[i]
            while m != ZERO:
                slot = lowest(m)
                m &= m - ONE
                obj = p << SIX | slot
                ability = U(T.event_ability[T.card[obj]])
                score = outlook(S, T, P, p, U(T.pc[ability]), obj) - I(HOLD_QUICK) * weight(P, p, W_HOLD)
                if score > best:
                    best, place = score, spot(i, slot)
        elif kind == K_ACTIVATE:
            score = act_score(S, T, P, p, i, I(20000))
            if score > best:
                best, place = score, spot(i, lowest(S.group_mask[i]))
    return place


# Picks and answers --------------------------------------------------------------------------------------------------


@kernel
def pick_score(S, T, P, p, use, row, obj):
    """Score of picking one card."""
    card = U(T.card[obj])
    if use == USE_EFFECT:
        return aim_score(S, T, P, p, U(T.code[row, 5]), I(T.code[row, 6]), obj)
    if use == USE_COST_DISCARD or use == USE_DISCARD:
        late = max(I(T.cost[card]) - I(S.souls[p]) - 2, 0)
        return -I(T.value[card]) * 100 + late * 4000
    score = -I(T.board[card]) * 100
    if use == USE_COST_ASSIGN:
        score -= I(S.strike[obj]) * 2000
        if T.watchers[p, ON_ASSIGNED] & bit(obj) != ZERO:
            score += 6000
    elif use == USE_SURPLUS or use == USE_COST_BUTCHER:
        if S.resting[p] & bit(obj) != ZERO:
            score = score * 2 // 3
        if T.watchers[p, ON_BURIED] & bit(obj) != ZERO:
            score += 3000
    return score


@kernel
def pick_choice(S, T, P, p):
    """Choose, assign, discard: the best card, or `done` where picking more would cost something."""
    use = U(S.pick_use)
    row = U(S.pc) - ONE
    best, place = I(LOW), I(0)
    for i in range(U(S.groups)):
        if U(S.group_kind[i]) != U(S.pick_kind):
            # done: what comes of choosing at all counts once
            extra = I(0)
            if use == USE_EFFECT and S.picks == 0 and T.code[row, 7] > 0:
                extra = follow_score(S, T, P, p, row, U(S.source))
            if best + extra <= 0:
                place = spot(i, ZERO)
            continue
        m = S.group_mask[i]
        s = U(S.group_seat[i])
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            score = pick_score(S, T, P, p, use, row, s << SIX | slot)
            if score > best:
                best, place = score, spot(i, slot)
    return place


@kernel
def other_choice(S, T, P, p):
    """Mulligan, modes, numbers, alternative costs, yes or no, order of waiting abilities."""
    kind = U(S.group_kind[0])
    if kind == K_MULLIGAN:
        return spot(ONE if keeps(S, T, P, p) else ZERO, ZERO)
    if kind == K_X:
        return number_choice(S, T, P, p)
    best, place = I(LOW), spot(ZERO, lowest(S.group_mask[0]))
    row = U(S.pc)
    if kind == K_YES:
        score = outlook(S, T, P, p, row + ONE, U(S.source)) + I(T.code[row, 7]) * 100
        return spot(ZERO if score > 0 else ONE, ZERO)
    for i in range(U(S.groups)):
        m = S.group_mask[i]
        while m != ZERO:
            b = lowest(m)
            m &= m - ONE
            score = I(0)
            if kind == K_MODE:
                score = outlook(S, T, P, p, U(T.code[row + ONE + b, 1]), U(S.source))
            elif kind == K_PAY:
                alt = U(I(S.group_n[i]) - 1)
                score = -cost_score(S, T, P, p, U(S.ability), alt, U(S.source), I(5000))
            elif kind == K_RESOLVE:
                score = I(T.intent[U(S.wait_ability[b])])
            if score > best:
                best, place = score, spot(i, b)
    return place


@kernel
def keeps(S, T, P, p):
    """The opening hand can be played: it holds two Pals for the first three turns (docs/studies.md)."""
    pals = I(popcount(S.hand[p] & T.cost_at_most[p, 5] & T.type_mask[p, 0]))
    return pals * 100 >= 2 * weight(P, p, W_CURVE)


@kernel
def number_choice(S, T, P, p):
    """As much as possible; of cards to discard for an X only one; for a cheaper card as much as it takes."""
    last = U(S.groups) - ONE
    n = popcount(S.group_mask[last]) - ONE
    if U(S.decision) == AT_COST:
        ability = U(S.ability)
        first = U(T.alt_first[ability, 0])
        for part in range(first, first + U(T.alt_count[ability, 0])):
            if U(T.cost_verb[part]) == COST_DISCARD and T.amount_times[U(T.cost_amount[part])] > 0:
                return spot(ZERO, min(ONE, n))
        row = U(T.pc[ability])
        if U(T.code[row, 0]) == OP_DISCOUNT:
            return spot(last, min(U(bargain(S, T, P, p, row, I(n))[0]), n))
    return spot(last, n)

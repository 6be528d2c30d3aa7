"""The greedy player: gives each open option a score and takes the best, the first of equal ones."""

from __future__ import annotations

from kernels.aether.codes import (
    AT_MAIN,
    AT_PICK,
    AT_RESOLVE,
    K_ATTACK,
    K_ATTACK_PLAYER,
    K_CHARGE,
    K_CHOOSE,
    K_CHOOSE_PLAYER,
    K_DISCARD,
    K_KEEP,
    K_MODE,
    K_MOVE,
    K_PLAY,
    K_YES,
    KW_BARRIER,
    KW_DRAIN,
    KW_HASTE,
    KW_PIERCE,
    KW_RANGED,
    KW_TWIN,
    KW_VENOM,
    NEUTRAL,
    ON_SPELL,
    ON_SUMMONED,
    ONE,
    PLAYER,
    SIX,
    TYPE_SPELL,
    USE_RETURN,
    USE_THEM,
    ZERO,
    I,
    U,
)
from kernels.aether.combat import attackers, walled
from kernels.aether.derived import bit, hp_of
from kernels.aether.judge import (
    NO_END,
    WORST,
    body,
    follow,
    outlook,
    player_score,
    unit_worth,
    weight,
)
from kernels.aether.weights import W_CHARGE, W_CURVE, W_KEEP, W_KILL, W_PLAY
from kernels.jit import kernel, lowest, popcount

FIRST, NEXT, LATER = 3_000_000, 2_000_000, 1_000_000
"""What is done first in a turn: what wins, the charge, cards and attacks in the order of their scores, moves."""


@kernel
def greedy(S, T, P, p):
    """The option with the best score."""
    best, best_score, k = ZERO, I(WORST) * 10, ZERO
    lethal = False
    if U(S.decision) == AT_MAIN:
        lethal = reach(S, p) >= I(S.life[ONE - p])
    for i in range(U(S.groups)):
        mask = S.group_mask[i]
        while mask != ZERO:
            b = lowest(mask)
            mask &= mask - ONE
            score = score_of(S, T, P, p, i, b, lethal)
            if score > best_score:
                best, best_score = k, score
            k += ONE
    return best


@kernel
def reach(S, p):
    """Damage that the units of a player can deal to the opponent's life now."""
    total = I(0)
    m = attackers(S, p)
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        if not walled(S, obj):
            times = 2 if U(S.words[obj]) & KW_TWIN != ZERO else 1
            total += I(S.attack[obj]) * (times - I(S.attacks[obj]))
    return total


@kernel
def score_of(S, T, P, p, i, b, lethal):
    """Score of one option: bit b of group i."""
    kind = U(S.group_kind[i])
    card = U(S.group_seat[i]) << SIX | b
    at = U(S.decision)
    if at == AT_MAIN:
        if kind == K_ATTACK_PLAYER:
            return face_score(S, T, P, p, card, lethal)
        if kind == K_ATTACK:
            return attack_score(S, T, P, p, U(S.group_obj[i]), card)
        if kind == K_CHARGE:
            return charge_score(S, T, P, p, card)
        if kind == K_PLAY:
            return play_score(S, T, P, p, card, I(S.group_n[i]))
        if kind == K_MOVE:
            return move_score(S, T, p, card)
        return I(0)
    if at == AT_PICK:
        return pick_score(S, T, P, p, kind, card, PLAYER + b)
    if at == AT_RESOLVE:
        return question_score(S, T, P, p, kind, I(S.group_n[i]))
    return opening_score(S, T, P, p, kind)


# Main phase ---------------------------------------------------------------------------------------------------------


@kernel
def face_score(S, T, P, p, obj, lethal):
    """Attack the player."""
    if lethal:
        return I(FIRST)
    n = I(S.attack[obj])
    score = player_score(S, P, p, ONE - p, n)
    if U(S.words[obj]) & KW_DRAIN != ZERO:
        score += min(n, max(I(T.life) - I(S.life[p]), 0)) * 1000
    return score


@kernel
def attack_score(S, T, P, p, obj, foe):
    """Attack a unit: what dies on both sides, and what else the damage does."""
    value, counter = I(S.attack[obj]), I(S.attack[foe])
    words, foe_words = U(S.words[obj]), U(S.words[foe])
    left, mine = hp_of(S, foe), hp_of(S, obj)
    score = I(0)
    if foe_words & KW_BARRIER != ZERO:
        score += unit_worth(S, T, foe) * weight(P, p, W_KILL) * 15 // 100
    elif value >= left or words & KW_VENOM != ZERO:
        score += unit_worth(S, T, foe) * weight(P, p, W_KILL)
        if words & KW_PIERCE != ZERO:
            score += player_score(S, P, p, ONE - p, value - left)
    else:
        score += unit_worth(S, T, foe) * weight(P, p, W_KILL) * value * 35 // (100 * max(left, 1))
    if words & KW_DRAIN != ZERO and foe_words & KW_BARRIER == ZERO:
        score += min(value, max(I(T.life) - I(S.life[p]), 0)) * 1000
    if counter > 0:
        if words & KW_BARRIER != ZERO:
            score -= unit_worth(S, T, obj) * weight(P, p, W_KEEP) * 15 // 100
        elif counter >= mine or foe_words & KW_VENOM != ZERO:
            score -= unit_worth(S, T, obj) * weight(P, p, W_KEEP)
        else:
            score -= unit_worth(S, T, obj) * weight(P, p, W_KEEP) * counter * 25 // (100 * max(mine, 1))
        if foe_words & KW_DRAIN != ZERO and words & KW_BARRIER == ZERO:
            score -= counter * 800
    return score


@kernel
def wanted(S, T, p, card):
    """How much a card of the hand is wanted there, in points: what can be played soon counts most."""
    cost = I(T.cost[card])
    points = 20 + cost * 12
    late = cost - I(S.total[p]) - 1
    if late > 0:
        points -= late * 22
    element = U(T.element[card])
    if element != NEUTRAL and S.elements[p, element] == 0:
        points -= 10
    return points


@kernel
def charge_score(S, T, P, p, obj):
    """Put a card into the aether zone: the least wanted one, of an element that the hand needs."""
    aim = 9 * weight(P, p, W_CHARGE) // 100
    card = U(S.card[obj])
    if I(S.total[p]) >= aim or S.deck_count[p] <= 3:
        return I(-1)
    points = 150 - wanted(S, T, p, card)
    element = U(T.element[card])
    if element != NEUTRAL:
        need = I(popcount(S.hand[p] & T.element_mask[p, element]))
        if S.elements[p, element] == 0:
            points += 25 * min(need, 3)
        else:
            points += 4 * min(need, 3) - 2 * min(I(S.elements[p, element]), 4)
    return I(NEXT) + points


@kernel
def play_score(S, T, P, p, obj, n):
    """Play a card: dearer ones first, by what they do now."""
    card = U(S.card[obj])
    score = I(0)
    spell = U(T.type[card]) == TYPE_SPELL
    first = U(T.first[card])
    for ability in range(first, first + U(T.count[card])):
        event = U(T.event[ability])
        if event == ON_SPELL or event == ON_SUMMONED:
            score += outlook(S, T, P, p, U(T.pc[ability]), NO_END, obj, p)
    if spell:
        score = score * weight(P, p, W_PLAY) // 100
        # A card is spent: it should bring more than what a card and its aether are worth.
        return score - 1500 - I(T.cost[card]) * 500
    points = body(I(T.base_attack[card]), I(T.base_hp[card]), U(T.printed[card])) + 20
    score += points * weight(P, p, W_PLAY) + I(T.cost[card]) * 300
    return score + row_score(S, T, p, card, n)


@kernel
def row_score(S, T, p, card, n):
    """Front or back: those who shoot, and those who are easily killed behind a wall, stand behind."""
    words = U(T.printed[card])
    wall = I(popcount(S.front[p]))
    if words & KW_RANGED != ZERO:
        return I(400) if n == 2 else I(0)
    if words & KW_HASTE != ZERO or wall == 0:
        return I(400) if n == 1 else I(0)
    fragile = I(T.base_hp[card]) <= 2 and I(T.base_attack[card]) <= 1
    return I(400) if (n == 2) == fragile else I(0)


@kernel
def move_score(S, T, p, obj):
    """Move to the front who cannot attack from behind, in a turn in which nothing else is left to do."""
    words = U(S.words[obj])
    b = bit(obj)
    if S.front[p] & b != ZERO or words & KW_RANGED != ZERO:
        return I(-1)
    if S.attack[obj] == 0 and S.front[p] != ZERO:
        return I(-1)
    if I(S.attack[obj]) <= 1 and hp_of(S, obj) <= 2 and S.front[p] != ZERO:
        return I(-1)
    return I(1)


# Inside effects -----------------------------------------------------------------------------------------------------


@kernel
def pick_score(S, T, P, p, kind, obj, player):
    """Pick a target, a card to discard, a card to take back; done: nothing more is worth it."""
    this, seat = U(S.source), U(S.seat)
    if kind == K_DISCARD:
        return -wanted(S, T, p, U(S.card[obj])) * 100
    if kind == K_CHOOSE and U(S.pick_use) == USE_RETURN:
        return wanted(S, T, p, U(S.card[obj])) * 100
    if U(S.pick_use) == USE_THEM:
        if kind == K_CHOOSE:
            return follow(S, T, P, p, U(S.pc), obj, this, seat)
        if kind == K_CHOOSE_PLAYER:
            return follow(S, T, P, p, U(S.pc), player, this, seat)
    return I(0)


@kernel
def question_score(S, T, P, p, kind, n):
    """Whether to do what may be done, which of several things."""
    row = U(S.pc)
    if kind == K_YES:
        return outlook(S, T, P, p, row + ONE, U(T.code[row, 1]), U(S.source), U(S.seat)) - 1
    if kind == K_MODE:
        return outlook(S, T, P, p, U(T.code[row + U(n), 1]), U(T.code[row, 2]), U(S.source), U(S.seat))
    return I(0)


@kernel
def opening_score(S, T, P, p, kind):
    """Keep a hand with something cheap in it; another is redrawn."""
    cheap = I(popcount(S.hand[p] & T.cost_at_most[p, 3]))
    need = (2 * weight(P, p, W_CURVE) + 50) // 100
    if kind == K_KEEP:
        return I(1) if cheap >= need else I(0)
    return I(0) if cheap >= need else I(1)

"""What things are worth to a seat: units, life, cards, and what an effect does to them.

Scores are points times the percent of a weight. Only what the seat may know is used.
"""

from __future__ import annotations

from kernels.aether.codes import (
    KW_DRAIN,
    KW_FLYING,
    KW_PIERCE,
    KW_RANGED,
    KW_REGEN,
    KW_TWIN,
    KW_VENOM,
    ONE,
    OP_CHOOSE,
    OP_DAMAGE,
    OP_DESTROY,
    OP_DISCARD,
    OP_DRAW,
    OP_END,
    OP_FREEZE,
    OP_HAND,
    OP_HEAL,
    OP_JUMP,
    OP_KEYWORD,
    OP_LIFE,
    OP_LOSE,
    OP_LOSE_KEYWORD,
    OP_MAY,
    OP_MODES,
    OP_MODIFY,
    OP_PLAYER_DAMAGE,
    OP_RAMP,
    OP_RESTORE,
    OP_RETURN,
    OP_SUMMON,
    OP_UNLESS,
    PLAYER,
    REF_THEM,
    REF_THIS,
    SIX,
    TYPE_TOKEN,
    ZERO,
    I,
    U,
)
from kernels.aether.combat import attackers
from kernels.aether.derived import amount, bit, holds, hp_of, matching, on_field
from kernels.aether.targets import players_of
from kernels.aether.weights import W_CARD, W_FACE, W_KEEP, W_KILL, W_LIFE
from kernels.jit import hot, kernel, lowest

GAME = 3000
"""Points of winning or losing."""
LIFE, LOW = 12, 2
"""Points of a point of life, and how much more each one is worth than the one above it, below 10."""
CARD, AETHER = 45, 50
"""Points of a card drawn, and of one more aether."""
MAX_ROWS = 24
WORST = -1000000
NO_END = U(1 << 31)


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
def body(attack, hp, words):
    """Points of a unit with these numbers."""
    points = attack * 18 + hp * 12 + 10
    if words & KW_FLYING != ZERO:
        points += attack * 8
    if words & KW_TWIN != ZERO:
        points += attack * 10
    if words & KW_DRAIN != ZERO:
        points += attack * 6
    if words & KW_PIERCE != ZERO:
        points += attack * 3
    if words & KW_VENOM != ZERO:
        points += 45
    if words & KW_REGEN != ZERO:
        points += hp * 4
    if words & KW_RANGED != ZERO:
        points += attack * 4
    return points


@kernel
def unit_worth(S, T, obj):
    """Points of a unit on the field; abilities of its card count as far as its cost is above its body."""
    card = U(S.card[obj])
    points = body(I(S.attack[obj]), max(hp_of(S, obj), 0), U(S.words[obj]))
    if S.barrier[obj >> SIX] & bit(obj) != ZERO:
        points += 25
    if T.on[card] != 0:
        points += 15
    return points if U(T.type[card]) != TYPE_TOKEN else points - 10


@hot
def signed(S, T, P, p, obj):
    """Score of a unit being there: above 0 for an own one."""
    if (obj >> SIX) == p:
        return unit_worth(S, T, obj) * weight(P, p, W_KEEP)
    return -unit_worth(S, T, obj) * weight(P, p, W_KILL)


@kernel
def hurt_score(S, T, P, p, obj, n, venom):
    """Score of damage to a unit."""
    if n <= 0:
        return I(0)
    if S.barrier[obj >> SIX] & bit(obj) != ZERO:
        return -signed(S, T, P, p, obj) * 15 // 100
    hp = hp_of(S, obj)
    if n >= hp or venom:
        return -signed(S, T, P, p, obj)
    return -signed(S, T, P, p, obj) * n * 35 // (100 * max(hp, 1))


@kernel
def player_score(S, P, p, q, n):
    """Score of n damage to player q."""
    if n <= 0:
        return I(0)
    points = life_worth(I(S.life[q]), n)
    return -points * weight(P, p, W_LIFE) if q == p else points * weight(P, p, W_FACE)


@kernel
def change_score(S, T, P, p, obj, attack, hp, for_turn):
    """Score of +X/+Y for a unit."""
    own = (obj >> SIX) == p
    left = hp_of(S, obj)
    if left + hp <= 0:
        return -signed(S, T, P, p, obj)
    sign = I(1) if own else I(-1)
    if for_turn:
        if not own or (attackers(S, p) & bit(obj)) == ZERO:
            return sign * (attack + hp) * 100
        return attack * 1400 + hp * 500
    return sign * (max(attack, -I(S.attack[obj])) * 1800 + hp * 1200)


@kernel
def op_score(S, T, P, p, row, obj, this, seat):
    """Score for p of one instruction for one unit or player."""
    op = U(T.code[row, 0])
    if op == OP_DAMAGE:
        n = amount(S, T, I(T.code[row, 1]), this, seat)
        if obj >= PLAYER:
            return player_score(S, P, p, obj - PLAYER, n)
        venom = on_field(S, this) and U(S.words[this]) & KW_VENOM != ZERO
        return hurt_score(S, T, P, p, obj, n, venom)
    if obj >= PLAYER:
        return I(0)
    own = (obj >> SIX) == p
    if op == OP_DESTROY:
        return -signed(S, T, P, p, obj)
    if op == OP_HAND:
        share = I(55) if not own else I(75)
        if U(T.type[U(S.card[obj])]) == TYPE_TOKEN:
            share = I(100)
        return -signed(S, T, P, p, obj) * share // 100
    if op == OP_FREEZE:
        if S.frozen[obj >> SIX] & bit(obj) != ZERO:
            return I(0)
        worth = I(S.attack[obj]) * 1300 + 300
        return -worth if own else worth
    if op == OP_MODIFY:
        attack, hp = amount(S, T, I(T.code[row, 1]), this, seat), amount(S, T, I(T.code[row, 3]), this, seat)
        return change_score(S, T, P, p, obj, attack, hp, T.code[row, 4] != 0)
    if op == OP_HEAL or op == OP_RESTORE:
        n = I(S.damage[obj])
        if op == OP_HEAL:
            n = min(n, amount(S, T, I(T.code[row, 1]), this, seat))
        return n * 900 if own else -n * 900
    if op == OP_KEYWORD:
        if U(S.words[obj]) >> U(T.code[row, 1]) & ONE != ZERO:
            return I(0)
        return I(1500) if own else I(-1500)
    if op == OP_LOSE_KEYWORD:
        if U(S.words[obj]) >> U(T.code[row, 1]) & ONE == ZERO:
            return I(0)
        return I(-2000) if own else I(2000)
    return I(0)


@kernel
def own_score(S, T, P, p, row, this, seat):
    """Score for p of one instruction without targets."""
    op = U(T.code[row, 0])
    n = amount(S, T, I(T.code[row, 1]), this, seat)
    sign = I(1) if seat == p else I(-1)
    if op == OP_DRAW:
        if n >= I(S.deck_count[seat]):
            return sign * -GAME * 100
        return sign * n * CARD * weight(P, p, W_CARD)
    if op == OP_DISCARD:
        mine = sign if T.code[row, 2] == 0 else -sign
        return -mine * n * 30 * weight(P, p, W_CARD)
    if op == OP_RAMP:
        return sign * n * (AETHER if S.total[seat] < 8 else 10) * 100
    if op == OP_LIFE:
        n = min(n, I(T.life) - I(S.life[seat]))
        return sign * life_worth(I(S.life[seat]) + n, n) * weight(P, p, W_LIFE)
    if op == OP_LOSE:
        return player_score(S, P, p, seat, n)
    if op == OP_PLAYER_DAMAGE:
        return player_score(S, P, p, ONE - seat, n)
    if op == OP_RETURN:
        return sign * n * CARD * weight(P, p, W_CARD)
    if op == OP_SUMMON:
        card = U(T.code[row, 3])
        room = I(0)
        for i in range(U(6)):
            if S.row[seat, i] == 255:
                room += 1
        points = body(I(T.base_attack[card]), I(T.base_hp[card]), U(T.printed[card]))
        return sign * min(n, room) * points * 80
    return I(0)


@kernel
def aimed(T, row):
    """The instruction is about units."""
    op = U(T.code[row, 0])
    return op >= OP_DAMAGE and op <= OP_HAND


@kernel
def group_score(S, T, P, p, row, this, seat):
    """Score of an instruction for the unit `this`, or for all units that a filter means."""
    ref = I(T.code[row, 2])
    if ref == REF_THIS:
        return op_score(S, T, P, p, row, this, this, seat) if on_field(S, this) else I(0)
    total = I(0)
    for q in range(U(2)):
        m = matching(S, T, U(ref), this, seat, q)
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            total += op_score(S, T, P, p, row, q << SIX | slot, this, seat)
    return total


@kernel
def follow(S, T, P, p, row, obj, this, seat):
    """Score of what the instructions from `row` on do to "them", if that is this unit or player."""
    score = I(0)
    for _ in range(MAX_ROWS):
        op = U(T.code[row, 0])
        if op == OP_END or op == OP_CHOOSE:
            break
        if op == OP_UNLESS:
            row = row + ONE if holds(S, T, I(T.code[row, 1]), this, seat) else U(T.code[row, 2])
            continue
        if op == OP_JUMP or op == OP_MAY:
            row = U(T.code[row, 1])
            continue
        if aimed(T, row) and I(T.code[row, 2]) == REF_THEM:
            score += op_score(S, T, P, p, row, obj, this, seat)
        row += ONE
    return score


@kernel
def best_target(S, T, P, p, row, this, seat):
    """Score of the best choice of a `choose` instruction, WORST where there is none."""
    f = U(T.code[row, 1])
    best = I(WORST)
    for q in range(U(2)):
        m = matching(S, T, f, this, seat, q)
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            best = max(best, follow(S, T, P, p, row + ONE, q << SIX | slot, this, seat))
    players = players_of(T, f, seat)
    while players != ZERO:
        q = lowest(players)
        players &= players - ONE
        best = max(best, follow(S, T, P, p, row + ONE, PLAYER + q, this, seat))
    return best


@kernel
def outlook(S, T, P, p, row, end, this, seat):
    """Score for p of the instructions from `row` to `end`: the best of each choice; "you may" only where it pays."""
    score = I(0)
    optional = I(0)
    until = NO_END
    for _ in range(MAX_ROWS):
        if row == until:
            score += max(optional, I(0))
            optional = I(0)
            until = NO_END
        op = U(T.code[row, 0])
        if op == OP_END or row == end:
            break
        gain = I(0)
        step = row + ONE
        if op == OP_UNLESS:
            if not holds(S, T, I(T.code[row, 1]), this, seat):
                step = U(T.code[row, 2])
        elif op == OP_JUMP:
            step = U(T.code[row, 1])
        elif op == OP_MAY:
            until = U(T.code[row, 1])
        elif op == OP_MODES:
            step = U(T.code[row, 2])
        elif op == OP_CHOOSE:
            gain = best_target(S, T, P, p, row, this, seat)
            if gain == WORST:
                gain = I(0)
                step = U(T.code[row, 4])
        elif aimed(T, row):
            if I(T.code[row, 2]) != REF_THEM:
                gain = group_score(S, T, P, p, row, this, seat)
        else:
            gain = own_score(S, T, P, p, row, this, seat)
        if until != NO_END:
            optional += gain
        else:
            score += gain
        row = step
    return score

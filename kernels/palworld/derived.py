"""Power, Strike, keywords and night from printed values and effects in order (CR 10.10)."""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest
from kernels.palworld.cards import bit, holds, matching, value
from kernels.palworld.codes import (
    ONE,
    SIX,
    STATIC_GRANT,
    STATIC_MODIFY,
    STATIC_NIGHT,
    STATIC_TWICE,
    ZERO,
    I,
    U,
)


@kernel
def derive(S, T):
    """Power, Strike, keywords and night from printed values, lasting effects and continuous abilities (CR 10.10).

    First abilities (10.10.1.2), then what is not a number (10.10.1.3), then numbers (10.10.1.4); all changes of
    numbers are sums, so that their order among themselves does not matter.
    """
    S.dirty = 0
    S.stirred = 1  # less Power may be lethal: there is something for the next check timing (CR 10.5.3.1)
    S.is_night = 1 if S.night_turn >= S.turn and S.night_turn > 0 else 0
    statics = ZERO
    for p in range(U(2)):
        m = S.bases[p]
        statics |= m & T.has_static[p]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            card = U(T.card[obj])
            S.power[obj] = T.base_power[card] + S.power_plus[obj]
            S.strike[obj] = I(T.base_strike[card]) + S.strike_plus[obj]
            S.keywords[obj] = T.printed[card]
        S.twice[p] = ZERO
    granted = False
    for i in range(U(S.grants)):
        ability = U(S.grant_ability[i])
        obj = U(S.grant_obj[i])
        S.keywords[obj] |= T.ability_keyword[ability]
        granted = granted or T.ability_statics[ability] > 0
    S.has_statics = 1 if statics != ZERO or granted else 0
    if S.has_statics == 0:
        return
    for stage in range(3):
        for p in range(U(2)):
            m = S.bases[p] & T.has_static[p]
            while m != ZERO:
                slot = lowest(m)
                m &= m - ONE
                obj = p << SIX | slot
                card = U(T.card[obj])
                first = U(T.static_first[card])
                for k in range(first, first + U(T.static_count[card])):
                    apply_static(S, T, k, obj, stage)
        for i in range(U(S.grants)):
            ability = U(S.grant_ability[i])
            first = U(T.ability_static[ability]) if T.ability_statics[ability] > 0 else ZERO
            for k in range(first, first + U(T.ability_statics[ability])):
                apply_static(S, T, k, U(S.grant_obj[i]), stage)


@hot
def derive_entered(S, T, obj):
    """The derived numbers of a card that has just entered, as far as they do not come from other cards."""
    card = U(T.card[obj])
    S.power[obj] = T.base_power[card]
    S.strike[obj] = T.base_strike[card]
    S.keywords[obj] = T.printed[card]
    if S.has_statics or T.has_static[obj >> SIX] & bit(obj) != ZERO:
        S.dirty = 1


@kernel
def apply_static(S, T, k, obj, stage):
    """One continuous effect of `obj` in the stage it belongs to: 0 night and abilities, 1 others, 2 numbers."""
    kind = U(T.static_kind[k])
    seat = obj >> SIX
    if stage == 0:
        if kind == STATIC_NIGHT and holds(S, T, I(T.static_when[k]), obj, seat):
            S.is_night = 1
        elif kind == STATIC_GRANT and holds(S, T, I(T.static_when[k]), obj, seat):
            word = T.ability_keyword[U(T.static_ability[k])]
            for p in range(U(2)):
                m = static_targets(S, T, k, obj, p)
                while m != ZERO:
                    slot = lowest(m)
                    m &= m - ONE
                    S.keywords[p << SIX | slot] |= word
    elif stage == 1:
        if kind == STATIC_TWICE and holds(S, T, I(T.static_when[k]), obj, seat):
            for p in range(U(2)):
                S.twice[p] |= static_targets(S, T, k, obj, p)
    elif kind == STATIC_MODIFY:
        if holds(S, T, I(T.static_when[k]), obj, seat):
            for p in range(U(2)):
                add_numbers(S, T, k, obj, p, static_targets(S, T, k, obj, p))
    elif kind == STATIC_GRANT and holds(S, T, I(T.static_when[k]), obj, seat):
        # The granted continuous ability belongs to each target: "this" in it is the target.
        ability = U(T.static_ability[k])
        first = U(T.ability_static[ability]) if T.ability_statics[ability] > 0 else ZERO
        for j in range(first, first + U(T.ability_statics[ability])):
            if U(T.static_kind[j]) != STATIC_MODIFY or not holds(S, T, I(T.static_when[j]), obj, seat):
                continue
            for p in range(U(2)):
                add_numbers(S, T, j, obj, p, static_targets(S, T, k, obj, p))


@kernel
def static_targets(S, T, k, obj, p):
    """Cards of seat p that a continuous effect of `obj` applies to."""
    target = I(T.static_target[k])
    if target < 0:
        return bit(obj) if (obj >> SIX) == p else ZERO
    return matching(S, T, U(target), obj, obj >> SIX, p)


@kernel
def add_numbers(S, T, k, obj, p, m):
    """Add Power and Strike of a continuous effect to the cards of a mask."""
    if m == ZERO:
        return
    power, strike = 0, 0
    if T.static_power[k] >= 0:
        power = value(S, T, I(T.static_power[k]), obj, obj >> SIX)
    if T.static_strike[k] >= 0:
        strike = value(S, T, I(T.static_strike[k]), obj, obj >> SIX)
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        S.power[p << SIX | slot] += power
        S.strike[p << SIX | slot] += strike

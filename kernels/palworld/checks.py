"""Check timing: rule actions, then waiting automatic abilities (CR 10.5.3, 11)."""

from __future__ import annotations

from kernels.events import write_log
from kernels.jit import hot, kernel, lowest, popcount
from kernels.options import add_group, open_decision
from kernels.palworld.cards import bit, in_base
from kernels.palworld.choices import go_on_picking, start_pick
from kernels.palworld.codes import (
    AT_CHECK,
    AT_OVER,
    AT_PICK,
    AT_RESOLVE,
    E_OVER,
    E_RESOLVE,
    E_RULE,
    END_BOTH,
    END_DECK,
    END_LIFE,
    K_CHOOSE,
    K_RESOLVE,
    NONE,
    ONE,
    PLAYER,
    SIX,
    SLOT,
    USE_SURPLUS,
    ZERO,
    I,
    U,
)
from kernels.palworld.copies import alike, referenced
from kernels.palworld.derived import derive
from kernels.palworld.events import event
from kernels.palworld.state import WAITING
from kernels.palworld.zones import bury


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


@kernel
def check(S, T):
    """One check timing; True while a decision is open. The machine goes on at `after`, or resolves an ability."""
    while True:
        if S.dirty:
            derive(S, T)
        if lose(S, T):
            return False
        crowded = popcount(S.bases[0] & T.type_mask[0, 0]) > U(T.pal_limit)
        crowded = crowded or popcount(S.bases[1] & T.type_mask[1, 0]) > U(T.pal_limit)
        if S.hurt[0] | S.hurt[1] == ZERO and not crowded:
            break
        if S.surplus_done == 0:
            S.lethal[0] = lethal_damage(S, T, ZERO)
            S.lethal[1] = lethal_damage(S, T, ONE)
            S.surplus[0] = ZERO
            S.surplus[1] = ZERO
        if crowded and surplus_pals(S, T):
            return True
        S.surplus_done = 0
        if S.lethal[0] | S.lethal[1] | S.surplus[0] | S.surplus[1] == ZERO:
            break
        if S.log_on:
            log_rules(S)
        if bury(S, T, S.lethal[0] | S.surplus[0], S.lethal[1] | S.surplus[1]) == 0:
            break
    if S.waits == 0:
        S.stirred = 0
        S.at = S.after
        return False
    return next_ability(S, T)


@kernel
def log_rules(S):
    """Log which rule action buries each card that is about to leave."""
    for p in range(U(2)):
        m = S.lethal[p] | S.surplus[p]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            write_log(S, E_RULE, p << SIX | slot, 1 if S.lethal[p] & (ONE << slot) != ZERO else 2, 0)


@kernel
def lose(S, T):
    """Who has no life (CR 11.3.1) or no deck (CR 11.3.2) loses; both at once: a draw (CR 1.2.2)."""
    lost0 = S.life[0] <= 0 or S.deck_count[0] == 0
    lost1 = S.life[1] <= 0 or S.deck_count[1] == 0
    if not (lost0 or lost1):
        return False
    if lost0 and lost1:
        S.winner = 2
        S.end = END_BOTH
    else:
        S.winner = 1 if lost0 else 0
        loser = ZERO if lost0 else ONE
        S.end = END_LIFE if S.life[loser] <= 0 else END_DECK
    S.at = AT_OVER
    event(S, T, E_OVER, PLAYER + U(S.winner) if S.winner < 2 else NONE, S.end, 0)
    return True


@kernel
def lethal_damage(S, T, p):
    """Pals and structures with damage above 0 and at least their Power (CR 11.4.1), as a mask."""
    m = S.hurt[p] & ~T.type_mask[p, 2]
    dead = ZERO
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        obj = p << SIX | slot
        if S.damage[obj] > 0 and S.damage[obj] >= S.power[obj]:
            dead |= ONE << slot
    return dead


@kernel
def surplus_pals(S, T):
    """Pals above the limit (CR 11.5): who leaves is picked, the turn player first (CR 1.3.4). True while open."""
    for k in range(U(2)):
        p = U(S.turn_seat) ^ k
        done = ONE << p
        if U(S.surplus_done) & done != ZERO:
            continue
        pals = S.bases[p] & T.type_mask[p, 0]
        excess = I(popcount(pals)) - I(T.pal_limit)
        if excess <= 0:
            continue
        latest = latest_pals(S, p, pals)
        older = pals & ~latest
        # The last to enter stay, unless they alone are too many (CR 11.5.1.1).
        if I(popcount(older)) < excess:
            S.surplus[p] = older
            excess -= I(popcount(older))
            older = latest
        start_pick(
            S, USE_SURPLUS, K_CHOOSE, p, excess, excess, older if p == ZERO else ZERO, older if p == ONE else ZERO, 0
        )
        S.surplus_done = U(S.surplus_done) | done
        S.at = AT_PICK
        if go_on_picking(S, T):
            return True
        S.surplus[p] |= S.picked[p]
        S.at = AT_CHECK
    return False


@kernel
def latest_pals(S, p, pals):
    """The Pals of the latest deployment among those of a base."""
    latest, last = ZERO, -1
    while pals != ZERO:
        slot = lowest(pals)
        pals &= pals - ONE
        entered = I(S.entered[p << SIX | slot])
        if entered > last:
            latest, last = ONE << slot, entered
        elif entered == last:
            latest |= ONE << slot
    return latest


@kernel
def next_ability(S, T):
    """Choose and play a waiting ability: the turn player's first (CR 10.5.3.2-3). True while a decision is open."""
    for k in range(U(2)):
        seat = U(S.turn_seat) ^ k
        first = -1
        count = 0
        open_decision(S, seat, AT_CHECK)
        for i in range(U(S.waits)):
            if (U(S.wait_obj[i]) >> SIX) != seat or repeats(S, T, i):
                continue
            if first < 0:
                first = I(i)
            count += 1
            add_group(S, K_RESOLVE, S.wait_obj[i], S.wait_n[i], ZERO, ONE << U(i))
        if count == 1:
            begin_waiting(S, T, U(first))
            return False
        if count > 1:
            return True
    return False


@kernel
def repeats(S, T, i):
    """An equal ability waits before this one: the same or an interchangeable card, the same ability and event card, or
    each with itself as event card."""
    obj = U(S.wait_obj[i])
    p = obj >> SIX
    for j in range(i):
        other = U(S.wait_obj[j])
        own = S.wait_that[i] == obj
        if own != (S.wait_that[j] == other) or (not own and S.wait_that[j] != S.wait_that[i]):
            continue
        if other == obj and S.wait_n[j] == S.wait_n[i]:
            return True  # of an earlier stay, too: the two are called the same
        if not same_text(S, U(i), U(j)) or (not own and S.wait_that_stay[j] != S.wait_that_stay[i]):
            continue
        if other == obj and S.wait_stay[j] == S.wait_stay[i]:
            return True
        if other == obj or (other >> SIX) != p or T.card[other] != T.card[obj]:
            continue
        if twins(S, p, obj, other, U(S.wait_stay[i]), U(S.wait_stay[j])):
            return True
    return False


@hot
def same_text(S, i, j):
    """Two waiting abilities are the same one; delayed triggers, where they do the same to the same cards."""
    one, other = I(S.wait_ability[i]), I(S.wait_ability[j])
    if one >= 0 or other >= 0:
        return one == other
    left, right = U(-1 - one), U(-1 - other)
    same = S.delay_them[left, 0] == S.delay_them[right, 0] and S.delay_them[left, 1] == S.delay_them[right, 1]
    return same and S.delay_pc[left] == S.delay_pc[right]


@kernel
def twins(S, p, obj, other, stay, other_stay):
    """Two cards with equal waiting abilities are interchangeable: both in the base and alike, or both gone from it."""
    here = in_base(S, obj, stay)
    there = in_base(S, other, other_stay)
    if here != there:
        return False
    if not here:
        return not (has_exiled(S, obj, stay) or has_exiled(S, other, other_stay))
    if referenced(S, p, 0) & (bit(obj) | bit(other)) != ZERO:
        return False
    return alike(S, p, obj & SLOT, other & SLOT)


@kernel
def has_exiled(S, obj, stay):
    """A card in exile was exiled by this card in the stay given; abilities of such cards are not the same."""
    for p in range(U(2)):
        m = S.exile[p]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            card = p << SIX | slot
            if U(S.exiled_by[card]) == obj and S.exiled_by_stay[card] == stay:
                return True
    return False


@kernel
def begin_waiting(S, T, i):
    """Play a waiting ability: it leaves the queue and its effect starts (CR 10.6.2)."""
    obj = U(S.wait_obj[i])
    ability = I(S.wait_ability[i])
    begin(S, T, U(max(ability, 0)), obj, S.wait_stay[i])
    if ability < 0:
        late = U(-ability - 1)
        S.pc = S.delay_pc[late]
        S.them[0] = S.delay_them[late, 0]
        S.them[1] = S.delay_them[late, 1]
    S.that = S.wait_that[i]
    S.that_stay = S.wait_that_stay[i]
    S.back = S.wait_back[i]
    S.back_power, S.back_strike = S.wait_power[i], S.wait_strike[i]
    n = S.wait_n[i]
    for j in range(i, U(min(I(S.waits) - 1, WAITING - 1))):
        k = j + ONE
        S.wait_ability[j] = S.wait_ability[k]
        S.wait_obj[j] = S.wait_obj[k]
        S.wait_stay[j] = S.wait_stay[k]
        S.wait_n[j] = S.wait_n[k]
        S.wait_that[j] = S.wait_that[k]
        S.wait_that_stay[j] = S.wait_that_stay[k]
        S.wait_back[j] = S.wait_back[k]
        S.wait_power[j] = S.wait_power[k]
        S.wait_strike[j] = S.wait_strike[k]
    S.waits = U(S.waits) - ONE
    S.at = AT_RESOLVE
    event(S, T, E_RESOLVE, obj, n, 0)


@kernel
def begin(S, T, ability, obj, stay):
    """Set up the machine for an ability of a card; what the last one chose and paid has been cleared at its end."""
    S.ability = ability
    S.source = obj
    S.source_stay = stay
    S.master = obj >> SIX
    S.pc = T.pc[ability]
    S.x = 0
    S.answer = -1
    S.did = 0
    S.chosen = 0
    S.back = 0

"""The phases of a turn (s5), and the actions of the main phase."""

from __future__ import annotations

from kernels.aether.checks import finish, pass_check, quiet
from kernels.aether.choices import representatives
from kernels.aether.codes import (
    AT_CHECK,
    AT_DUE,
    AT_END,
    AT_EXPIRE,
    AT_MAIN,
    AT_PASS,
    AT_START,
    AT_STARTED,
    CHAIN_SINGLE,
    CHAIN_SPELL,
    CHAIN_SUMMONED,
    E_CHARGE,
    E_PLAY,
    E_TURN,
    E_USED,
    END_CAP,
    FIELD,
    K_ATTACK,
    K_ATTACK_PLAYER,
    K_CHARGE,
    K_END,
    K_MOVE,
    K_PLAY,
    NONE,
    ON_EACH_TURN_END,
    ON_EACH_TURN_START,
    ON_TURN_END,
    ON_TURN_START,
    ONE,
    PHASE_END,
    PHASE_MAIN,
    PHASE_START,
    PLAYER,
    ROW,
    SIX,
    TURN_CAP,
    TYPE_SPELL,
    ZERO,
    I,
    U,
)
from kernels.aether.combat import attackers, can_move, walled
from kernels.aether.derived import bit, cost_of, derive_unit, payable, refresh
from kernels.aether.effects import begin, begin_chain
from kernels.aether.moves import add_aether, draw, enter_field, event, free_slot, heal_unit
from kernels.aether.state import DUE, TURNS
from kernels.aether.targets import castable
from kernels.counts import count_turn
from kernels.events import stop
from kernels.hidden import hide
from kernels.jit import hot, kernel, lowest, popcount
from kernels.options import add_group, add_one, first_copies, open_decision


@hot
def check_then(S, after):
    """A check (AE-8.9), then on at `after`."""
    S.after = after
    S.at = AT_CHECK


@hot
def checked(S, T, after):
    """The same; True where the check finds nothing, so that the next step can begin at once."""
    check_then(S, after)
    if quiet(S, T):
        pass_check(S)
        return True
    return False


# Phases -------------------------------------------------------------------------------------------------------------


@kernel
def start_phase(S, T):
    """Aether, action rights and thaw, regen, draw, effects, in this order (AE-3.1), in the first turn too (AE-1.5)."""
    p = U(S.turn_seat)
    S.phase = PHASE_START
    S.turn_decisions = 0
    S.could_play = ZERO
    S.acted = 0
    if S.turn < TURNS:
        S.lead[U(S.turn)] = max(min(S.life[0] - S.life[1], 1000), -1000)
    event(S, T, E_TURN, PLAYER + p, S.turn, 0)
    S.used[p] = 0
    S.charged[p] = 0
    S.moved[p] = ZERO
    S.idle[p] = S.frozen[p]  # AE-6.18
    S.frozen[p] = ZERO
    if S.dirty:
        refresh(S, T)
    forget_attacks(S, p)
    m = S.regen[p] & S.field[p]  # frozen units too (AE-6.16)
    if m != ZERO:
        for i in range(FIELD):
            slot = U(S.row[p, i])
            if slot != NONE and m >> slot & ONE != ZERO:
                obj = p << SIX | slot
                heal_unit(S, T, obj, I(S.damage[obj]))
    if S.turn > 1:  # AE-1.4
        draw(S, T, p)


@hot
def forget_attacks(S, p):
    """Units of a player may attack again."""
    m = S.attacked[p]
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        S.attacks[p << SIX | slot] = 0
    S.attacked[p] = ZERO
    S.twice[p] = ZERO


@kernel
def list_due(S, T, own, each, after):
    """The effects of the turn's start or end, in order: the active player's, and those of "each turn" of both (AE-3.3,
    3.4)."""
    first = U(S.turn_seat)
    S.due_head = 0
    S.dues = 0
    S.due_after = after
    if (S.timed[0] & S.field[0]) | (S.timed[1] & S.field[1]) == ZERO:
        S.at = after
        return
    S.at = AT_DUE
    for k in range(U(2)):
        p = first ^ k
        m = S.timed[p] & S.field[p]
        i = ZERO
        while m != ZERO:
            slot = U(S.row[p, i])
            i += ONE
            if slot == NONE or m & (ONE << slot) == ZERO:
                continue
            m &= ~(ONE << slot)
            obj = p << SIX | slot
            card = U(S.card[obj])
            if U(T.on[card]) & (ONE << own | ONE << each) == ZERO:
                continue
            start = U(T.first[card])
            for ability in range(start, start + U(T.count[card])):
                event = U(T.event[ability])
                if event == each or (event == own and k == ZERO):
                    n = U(S.dues)
                    if n >= U(DUE):
                        stop(S, END_CAP)
                        return
                    S.due_obj[n] = obj
                    S.due_stay[n] = S.stay[obj]
                    S.due_ability[n] = ability
                    S.dues = n + ONE


@kernel
def next_due(S, T):
    """Begin the next effect of the turn's start or end whose unit is still there; what one causes is resolved before
    the next (AE-9.2)."""
    while S.due_head < S.dues:
        i = U(S.due_head)
        S.due_head = i + ONE
        obj = U(S.due_obj[i])
        if S.field[obj >> SIX] & bit(obj) != ZERO and S.stay[obj] == S.due_stay[i]:
            S.after = AT_DUE
            begin(S, T, I(S.due_ability[i]), obj, CHAIN_SINGLE, False)
            return
    S.due_head = 0
    S.dues = 0
    S.at = S.due_after


@kernel
def end_phase(S, T):
    """Effects, then "this turn" expires, with a check before the turn passes (AE-3.5, 3.6)."""
    S.phase = PHASE_END
    count_turn(S)
    note_turn(S)
    list_due(S, T, ON_TURN_END, ON_EACH_TURN_END, AT_EXPIRE)


@kernel
def expire(S, T):
    """What lasts this turn ends."""
    for p in range(U(2)):
        m = S.changed[p] & S.field[p]
        S.changed[p] = ZERO
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            S.attack_turn[obj] = 0
            S.hp_turn[obj] = 0
            S.turn_words[obj] = 0
            derive_unit(S, T, obj)
    if T.has_statics:
        S.dirty = 1


@kernel
def pass_turn(S, T):
    """The turn passes; a game without end is a fault of the engine (AE-3.10)."""
    for p in range(U(2)):
        S.summoned[p] = ZERO
        S.idle[p] = ZERO  # AE-9.7
        S.moved[p] = ZERO
        forget_attacks(S, p)
    S.turn += 1
    S.turn_seat = ONE - U(S.turn_seat)
    S.at = AT_START
    if S.turn > TURN_CAP:
        finish(S, T, -1, END_CAP)
        S.status = 1


@kernel
def note_turn(S):
    """Count the end of a turn: whose, aether, charge, units in the rows."""
    n = U(S.curve_count)
    if n >= U(255):
        return
    p = U(S.turn_seat)
    rows = popcount(S.front[p]) + (popcount(S.field[p] & ~S.front[p]) << U(2))
    seat = ONE if p == U(S.first_seat) else ZERO
    turn = min((U(S.turn) + ONE) >> ONE, U(63))
    word = p | seat << ONE | turn << U(2) | min(U(S.total[p]), U(63)) << U(8) | U(S.charged[p]) << U(14)
    S.curve[n] = word | rows << U(15)
    S.curve_count = n + ONE


# Main phase ---------------------------------------------------------------------------------------------------------


@kernel
def main_options(S, T):
    """What the active player may do (AE-3.8)."""
    p = U(S.turn_seat)
    q = ONE - p
    S.phase = PHASE_MAIN
    open_decision(S, p, AT_MAIN)
    if not S.charged[p]:
        add_group(S, K_CHARGE, NONE, 0, p, single(S, T, p, S.hand[p]))
    cards = single(S, T, p, payable(S, T, p, S.hand[p]))
    units = cards & T.unit_mask[p]
    if units != ZERO:
        front = popcount(S.front[p])
        if front < ROW:
            add_group(S, K_PLAY, NONE, 1, p, units)
            S.could_play |= units
        if popcount(S.field[p]) - front < ROW:
            add_group(S, K_PLAY, NONE, 2, p, units)
            S.could_play |= units
    spells = cards & ~T.unit_mask[p]
    if spells != ZERO:
        if spells & T.aimed[p] != ZERO:
            spells = spells & ~T.aimed[p] | with_targets(S, T, p, spells & T.aimed[p])
        S.could_play |= spells
        add_group(S, K_PLAY, NONE, 0, p, spells)
    if S.field[p] != ZERO:
        field_options(S, T, p, q)
    add_one(S, K_END)


@hot
def single(S, T, p, m):
    """One card of each number of a mask of the hand, in the main phase, where nothing points at a card."""
    if T.in_order[p]:
        return first_copies(T, p, m)
    result = ZERO
    while m != ZERO:
        slot = lowest(m)
        result |= ONE << slot
        m &= ~T.same[p << SIX | slot]
    return result


@kernel
def with_targets(S, T, p, m):
    """Spells of a mask that can be used (AE-8.1)."""
    result = ZERO
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        if castable(S, T, p << SIX | slot):
            result |= ONE << slot
    return result


@kernel
def field_options(S, T, p, q):
    """Attacks (AE-5.1 to 5.3) and moves (AE-4.2)."""
    m = attackers(S, p)
    if m != ZERO:
        m = representatives(S, T, p, m, ZERO)
        fronts = representatives(S, T, q, S.front[q], ZERO)
        foes, direct = ZERO, ZERO
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            if walled(S, obj):
                add_group(S, K_ATTACK, obj, 0, q, fronts)
                continue
            if direct == ZERO:
                foes = fronts | representatives(S, T, q, S.field[q] & ~S.front[q], ZERO)
            add_group(S, K_ATTACK, obj, 0, q, foes)
            direct |= ONE << slot
        add_group(S, K_ATTACK_PLAYER, NONE, 0, p, direct)
    m = can_move(S, T, p)
    if m != ZERO:
        front = popcount(S.front[p])
        if front == ROW:
            m &= S.front[p]
        if popcount(S.field[p]) - front == ROW:
            m &= ~S.front[p]
        add_group(S, K_MOVE, NONE, 0, p, representatives(S, T, p, m, ZERO))


@kernel
def charge(S, T, obj):
    """Once a turn: a card from the hand becomes aether, unused (AE-2.1), and one is drawn, always (AE-2.2, 2.3)."""
    p = obj >> SIX
    S.charged[p] = 1
    S.charges[p] |= bit(obj)
    hide(S, T, obj)
    S.hand[p] &= ~bit(obj)
    add_aether(S, T, obj)
    event(S, T, E_CHARGE, obj, 0, 0)
    draw(S, T, p)
    check_then(S, AT_MAIN)


@kernel
def play(S, T, obj, n):
    """Play a card: a unit into a row (1 front, 2 back), where it is before its on-summon effect (AE-8.14), or a spell,
    which is in no zone until its last part is done (AE-8.24)."""
    p = obj >> SIX
    card = U(S.card[obj])
    S.used[p] += cost_of(S, T, obj)
    hide(S, T, obj)
    S.hand[p] &= ~bit(obj)
    S.played[p] |= bit(obj)
    S.played_count[p] += 1
    event(S, T, E_PLAY, obj, n, 0)
    S.after = AT_MAIN
    if U(T.type[card]) == TYPE_SPELL:
        S.spells[p] += 1
        if not begin_chain(S, T, obj, CHAIN_SPELL, -1):
            S.graveyard[p] |= bit(obj)
            event(S, T, E_USED, obj, 0, 0)
            S.at = AT_CHECK
        return
    if n == 1:
        S.fronts[p] += 1
    else:
        S.backs[p] += 1
    enter_field(S, T, obj, free_slot(S, p, U(n - 1)))
    if S.dirty:
        refresh(S, T)
    if not begin_chain(S, T, obj, CHAIN_SUMMONED, -1):
        S.at = AT_CHECK


@kernel
def step(S, T, at):
    """Steps of a turn (s5), one after another as long as no check finds anything; True while a decision is open."""
    if at == AT_DUE:
        next_due(S, T)
        return False
    if at == AT_END:
        end_phase(S, T)
        if S.at != AT_EXPIRE:
            return False
        at = U(AT_EXPIRE)
    if at == AT_EXPIRE:
        expire(S, T)
        if not checked(S, T, AT_PASS):
            return False
        at = U(AT_PASS)
    if at == AT_PASS:
        pass_turn(S, T)
        if S.status != 0:
            return False
        at = U(AT_START)
    if at == AT_START:
        start_phase(S, T)
        if not checked(S, T, AT_STARTED):  # AE-3.2
            return False
        at = U(AT_STARTED)
    if at == AT_STARTED:
        list_due(S, T, ON_TURN_START, ON_EACH_TURN_START, AT_MAIN)
        if S.at != AT_MAIN:
            return False
    if S.dirty:  # a check came before, which leaves no number open
        refresh(S, T)
    main_options(S, T)
    return True

"""Checks: which units are destroyed, who has lost, and the abilities that wait (AE-8.9 to 8.12)."""

from __future__ import annotations

from kernels.aether.codes import (
    AT_OVER,
    CHAIN_SINGLE,
    E_DESTROY,
    E_OVER,
    END_BOTH,
    END_CAP,
    END_DECK,
    END_LIFE,
    FIELD,
    NONE,
    ON_DESTROYED,
    ONE,
    PLAYER,
    SIX,
    ZERO,
    I,
    U,
)
from kernels.aether.derived import bit, refresh, stale
from kernels.aether.effects import begin
from kernels.aether.moves import event, is_token, leave_field
from kernels.aether.state import WAITING
from kernels.events import stop
from kernels.jit import hot, kernel


@kernel
def check(S, T):
    """Units with no HP left or marked leave together, then defeat is read (AE-8.9); then the next waiting ability
    begins (AE-8.11). Nothing waits: on at `S.after`."""
    if stale(S, T):
        refresh(S, T)
    if look(S, T):
        return
    if S.wait_head < S.waits:
        i = U(S.wait_head)
        S.wait_head = i + ONE
        obj = U(S.wait_obj[i])
        begin(S, T, I(S.wait_ability[i]), obj, CHAIN_SINGLE, True)
        S.source_words = S.wait_words[i]
        return
    pass_check(S)


@hot
def pass_check(S):
    """Nothing waits any more: on behind the check."""
    S.wait_head = 0
    S.waits = 0
    S.at = S.after


@hot
def quiet(S, T):
    """A check would find nothing: no unit leaves, nobody has lost, nothing waits, no number is open."""
    calm = (S.marked[0] | S.dying[0]) & S.field[0] | (S.marked[1] | S.dying[1]) & S.field[1] == ZERO
    calm = calm and S.life[0] > 0 and S.life[1] > 0 and S.decked[0] | S.decked[1] == 0
    return calm and S.wait_head == S.waits and not stale(S, T)


@kernel
def look(S, T):
    """The check itself; the game is over."""
    while True:
        doomed0, doomed1 = doomed(S, ZERO), doomed(S, ONE)
        if doomed0 == ZERO and doomed1 == ZERO:
            break
        destroy(S, T, doomed0, doomed1)
        if S.dirty:
            refresh(S, T)
    return defeat(S, T)


@hot
def doomed(S, p):
    """Units of a player that leave in this check."""
    return (S.marked[p] | S.dying[p]) & S.field[p]


@kernel
def destroy(S, T, m0, m1):
    """Together; then their on-destroy abilities wait: the active player's first, in slot order (AE-8.10, 8.12). A token
    vanishes, its ability works (AE-8.16)."""
    first = U(S.turn_seat)
    for k in range(U(2)):
        p = first ^ k
        m = m1 if p == ONE else m0
        for i in range(FIELD):
            slot = U(S.row[p, i])
            if m != ZERO and slot != NONE and m & (ONE << slot) != ZERO:
                queue(S, T, p << SIX | slot)
    for k in range(U(2)):
        p = first ^ k
        m = m1 if p == ONE else m0
        i = ZERO
        while m != ZERO:
            slot = U(S.row[p, i])
            i += ONE
            if slot == NONE or m & (ONE << slot) == ZERO:
                continue
            m &= ~(ONE << slot)
            obj = p << SIX | slot
            leave_field(S, T, obj)
            if not is_token(S, T, obj):
                S.graveyard[p] |= bit(obj)
            S.kills[ONE - p] += 1
            event(S, T, E_DESTROY, obj, 0, 0)


@kernel
def queue(S, T, obj):
    """The on-destroy abilities of a unit wait."""
    card = U(S.card[obj])
    if U(T.on[card]) >> ON_DESTROYED & ONE == ZERO:
        return
    first = U(T.first[card])
    for ability in range(first, first + U(T.count[card])):
        if U(T.event[ability]) == ON_DESTROYED:
            n = U(S.waits)
            if n >= U(WAITING):
                stop(S, END_CAP)
                return
            S.wait_obj[n] = obj
            S.wait_ability[n] = ability
            S.wait_words[n] = S.words[obj]
            S.waits = n + ONE


@kernel
def defeat(S, T):
    """s1: no life left, or a draw from an empty deck; both at once is a draw, in any mix (AE-7.5)."""
    lost0, lost1 = S.life[0] <= 0 or S.decked[0] != 0, S.life[1] <= 0 or S.decked[1] != 0
    if not lost0 and not lost1:
        return False
    if lost0 and lost1:
        finish(S, T, 2, END_BOTH)
    elif lost0:
        finish(S, T, 1, END_LIFE if S.life[0] <= 0 else END_DECK)
    else:
        finish(S, T, 0, END_LIFE if S.life[1] <= 0 else END_DECK)
    return True


@kernel
def finish(S, T, winner, end):
    """The game is over; what waits is not resolved (AE-7.8)."""
    S.winner = winner
    S.end = end
    S.wait_head = 0
    S.waits = 0
    S.at = AT_OVER
    event(S, T, E_OVER, PLAYER + U(winner) if 0 <= winner < 2 else NONE, end, 0)

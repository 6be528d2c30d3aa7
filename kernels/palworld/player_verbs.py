"""Verbs that concern players: hands, decks, resources, souls, the attack."""

from __future__ import annotations

from kernels.jit import kernel, popcount
from kernels.options import add_group, open_decision
from kernels.palworld.card_verbs import number
from kernels.palworld.cards import in_base
from kernels.palworld.choices import add_numbers_up_to, start_pick
from kernels.palworld.codes import (
    AT_PICK,
    AT_RESOLVE,
    E_FAIL,
    E_GAIN,
    E_LIFE,
    E_NIGHT,
    E_REVEAL,
    E_SOULS,
    K_DISCARD,
    K_NAME,
    NONE,
    ONE,
    OP_DECLARE,
    OP_DISCARD_TO,
    OP_DISCOUNT,
    OP_DRAW,
    OP_DRAW_TO,
    OP_FAIL_ATTACK,
    OP_GAIN,
    OP_LIFE,
    OP_LOOK,
    OP_MILL,
    OP_NIGHT,
    OP_PLAYER_DAMAGE,
    OP_REVEAL,
    OP_RUSH,
    OP_SHUFFLE,
    OP_SOULS,
    OP_STAND_SOULS,
    OP_TAKE,
    PLAYER,
    SIX,
    USE_DISCARD,
    WATCH_SOULS,
    ZERO,
    I,
    U,
)
from kernels.palworld.decks import deal_player, draw, mill, reshuffle
from kernels.palworld.events import event


@kernel
def look(S, T, p, n, openly):
    """Look at or reveal the top n cards of the own deck (CR 5.8), fewer where there are fewer (Q&A 38)."""
    count = U(S.deck_count[p])
    S.looked = ZERO
    for k in range(min(U(max(n, 0)), count)):
        slot = U(S.deck[p, count - ONE - k])
        S.looked |= ONE << slot
        S.known[p] |= ONE << slot
        if openly:
            S.shown[p] |= ONE << slot
            event(S, T, E_REVEAL, p << SIX | slot, 0, 0)


@kernel
def add_souls(S, T, p, n):
    """Move souls into the soul area; never above the limit (Q&A 76)."""
    n = min(n, I(T.soul_limit) - I(S.souls[p]))
    if n > 0:
        S.souls[p] += n
        if S.has_statics and U(T.static_watch) & WATCH_SOULS != ZERO:
            S.dirty = 1
        event(S, T, E_SOULS, PLAYER + p, n, 0)


@kernel
def player_verb(S, T, op, i):
    """Verbs that concern players; True while a decision is open."""
    master = U(S.master)
    who = master ^ U(T.code[i, 3])
    n = 0
    if T.code[i, 1] >= 0:
        n = number(S, T, T.code[i, 1])
    if op == OP_DRAW:
        S.did = draw(S, T, who, n)
    elif op == OP_DRAW_TO:
        S.did = draw(S, T, who, n - I(popcount(S.hand[who])))
    elif op == OP_GAIN:
        if T.code[i, 2] == 0:
            S.material[master] += n
        else:
            S.ingredient[master] += n
        event(S, T, E_GAIN, PLAYER + master, T.code[i, 2], n)
    elif op == OP_LIFE:
        S.life[master] += n
        S.stirred = 1
        event(S, T, E_LIFE, PLAYER + master, n, 0)
    elif op == OP_MILL:
        S.did = mill(S, T, who, n)
    elif op == OP_PLAYER_DAMAGE:
        deal_player(S, T, ONE - master, n)
    elif op == OP_LOOK or op == OP_REVEAL:
        look(S, T, master, n, op == OP_REVEAL)
        S.did = I(popcount(S.looked))
    elif op == OP_SHUFFLE:
        S.looked = ZERO
        reshuffle(S, T, master)
    elif op == OP_SOULS:
        before = I(S.souls[master])
        add_souls(S, T, master, n)
        if T.code[i, 2]:
            S.souls_rested[master] += I(S.souls[master]) - before
    elif op == OP_NIGHT:
        S.night_turn = max(I(S.night_turn), I(S.turn) + (1 if U(S.turn_seat) == master else 2))
        S.dirty = 1
        event(S, T, E_NIGHT, PLAYER + master, 0, 0)
    elif op == OP_FAIL_ATTACK:
        fail_attack(S, T)
    elif op == OP_RUSH:
        S.rush[master] = 1
    elif op == OP_DISCOUNT:
        S.discount[master] += n
        S.discount_filter[master] = T.code[i, 2]
    elif op == OP_STAND_SOULS:
        return stand_souls(S, master, n, T.code[i, 2])
    elif op == OP_TAKE:
        return take(S, ONE - master, n)
    elif op == OP_DECLARE:
        return declare(S, T)
    else:
        discard_verb(S, T, op, i, who, n)
        return True
    return False


@kernel
def fail_attack(S, T):
    """The attack fails (CR 5.18): the battle goes on at its end right after this effect."""
    attacker = U(S.attacker)
    if S.battle and in_base(S, attacker, S.attacker_stay):
        S.failed = 1
        S.interrupts[ONE - (attacker >> SIX)] += 1
        event(S, T, E_FAIL, attacker, 0, 0)


@kernel
def discard_verb(S, T, op, i, who, n):
    """The player picks cards of the hand to discard; as many as possible (CR 10.6.3.1.2)."""
    f = T.code[i, 2]
    if op == OP_DISCARD_TO:
        n = I(popcount(S.hand[who])) - n
        f = -1
    m = S.hand[who]
    if f >= 0:
        m &= T.fit[U(f), who]
    n = max(n, 0)
    start_pick(S, USE_DISCARD, K_DISCARD, who, n, n, m if who == ZERO else ZERO, m if who == ONE else ZERO, 0)
    S.at = AT_PICK


@kernel
def stand_souls(S, p, n, up_to):
    """Stand rested souls: as many as possible, or as many as the master likes up to n."""
    n = max(min(n, I(S.souls_rested[p])), 0)
    if up_to and n > 0:
        if S.answer < 0:
            open_decision(S, p, AT_RESOLVE)
            add_numbers_up_to(S, n)
            return True
        n = I(S.answer)
        S.answer = -1
    S.souls_rested[p] -= n
    S.dirty = 1
    return False


@kernel
def take(S, p, n):
    """The master chooses how much Material, then how much Ingredient the opponent loses, n in total."""
    if S.answer < 0:
        S.taken = -1
    high = min(n, I(S.material[p]))
    if S.taken < 0:
        if high > 0:
            if S.answer < 0:
                open_decision(S, U(S.master), AT_RESOLVE)
                add_numbers_up_to(S, high)
                return True
            S.taken = S.answer
            S.answer = -1
        else:
            S.taken = 0
    high = min(n - I(S.taken), I(S.ingredient[p]))
    more = 0
    if high > 0:
        if S.answer < 0:
            open_decision(S, U(S.master), AT_RESOLVE)
            add_numbers_up_to(S, high)
            # Material is taken when both numbers stand: the loss happens at once.
            return True
        more = I(S.answer)
        S.answer = -1
    S.material[p] -= S.taken
    S.ingredient[p] -= more
    return False


@kernel
def declare(S, T):
    """Declare the name of a card of the game (CR 5.19)."""
    if S.answer < 0:
        open_decision(S, U(S.master), AT_RESOLVE)
        for k in range(U(I(T.names) + 63) >> SIX):
            n = min(I(T.names) - I(k) * 64, 64)
            add_group(S, K_NAME, NONE, I(k) * 64, ZERO, ~ZERO if n == 64 else (ONE << U(n)) - ONE)
        return True
    S.declared = S.answer
    S.answer = -1
    return False

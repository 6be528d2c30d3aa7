"""Interchangeable cards, and picks of several cards or players, one at a time."""

from __future__ import annotations

from kernels.aether.codes import (
    AT_PICK,
    E_AUTO,
    K_CHOOSE,
    K_CHOOSE_PLAYER,
    K_DISCARD,
    K_DONE,
    NONE,
    ONE,
    PLAYER,
    SIX,
    SLOT,
    USE_DISCARD,
    ZERO,
    I,
    U,
)
from kernels.aether.derived import bit
from kernels.events import write_log
from kernels.jit import hot, kernel, lowest, popcount
from kernels.options import add_group, add_one, first_copies, open_decision


@kernel
def pointed(S, p):
    """Cards of a seat that something points at: the running effect, effects of this phase that are still to come,
    waiting abilities."""
    m = ZERO
    if S.ability >= 0:
        m |= mask_if(U(S.source), p)
    for i in range(U(S.due_head), U(S.dues)):
        m |= mask_if(U(S.due_obj[i]), p)
    for i in range(U(S.wait_head), U(S.waits)):
        m |= mask_if(U(S.wait_obj[i]), p)
    return m


@hot
def mask_if(obj, p):
    """Mask of a card if it belongs to the seat."""
    return ONE << (obj & SLOT) if obj < PLAYER and (obj >> SIX) == p else ZERO


@kernel
def alike(S, p, left, right):
    """Two copies on the field are in the same state."""
    pair = (ONE << left) | (ONE << right)
    marks = (S.front[p], S.barrier[p], S.frozen[p], S.idle[p], S.moved[p], S.summoned[p], S.marked[p])
    for mask in marks:
        hit = mask & pair
        if hit != ZERO and hit != pair:
            return False
    a, b = p << SIX | left, p << SIX | right
    if S.damage[a] != S.damage[b] or S.attacks[a] != S.attacks[b]:
        return False
    if S.attack_plus[a] != S.attack_plus[b] or S.hp_plus[a] != S.hp_plus[b]:
        return False
    if S.attack_turn[a] != S.attack_turn[b] or S.hp_turn[a] != S.hp_turn[b]:
        return False
    return S.kept_words[a] == S.kept_words[b] and S.turn_words[a] == S.turn_words[b]


@hot
def representatives(S, T, p, m, points):
    """The lowest card of each set of interchangeable ones in a mask of cards of one zone; points: see `pointed`."""
    tokens = m & ~T.cards[p]
    if T.in_order[p] and tokens & (tokens - ONE) == ZERO and first_copies(T, p, m & T.cards[p]) | tokens == m:
        return m
    return without_copies(S, T, p, m, points)


@kernel
def without_copies(S, T, p, m, points):
    """`representatives` card by card."""
    result = m
    rest = m
    while rest != ZERO:
        slot = lowest(rest)
        rest &= rest - ONE
        copies = rest & copies_in_deck(T, p, slot)
        if copies != ZERO:
            copies = twins(S, T, p, slot, copies, points)
            result &= ~copies
            rest &= ~copies
    return result


@hot
def copies_in_deck(T, p, slot):
    """Slots that may hold a copy of a card: those of its number, for a token all token slots."""
    return T.same[p << SIX | slot] if T.cards[p] >> slot & ONE != ZERO else ~T.cards[p]


@kernel
def twins(S, T, p, slot, m, points):
    """The cards of a mask of one zone that are interchangeable with a card there."""
    b = ONE << slot
    m = m & points if points & b != ZERO else m & ~points
    if S.field[p] & b == ZERO:
        return m & T.same[p << SIX | slot]
    result = ZERO
    while m != ZERO:
        other = lowest(m)
        m &= m - ONE
        if S.card[p << SIX | other] == S.card[p << SIX | slot] and alike(S, p, slot, other):
            result |= ONE << other
    return result


@kernel
def copies_of(S, T, obj):
    """Copies in the same zone that an option naming this card stands for, as a mask, the card included."""
    p, b = obj >> SIX, bit(obj)
    zone = b
    for m in (S.hand[p], S.field[p], S.graveyard[p], S.aether[p]):
        if m & b != ZERO:
            zone = m
    if zone == S.field[p] and S.field[p] & b != ZERO:
        zone = S.front[p] if S.front[p] & b != ZERO else S.field[p] & ~S.front[p]
    return b | twins(S, T, p, obj & SLOT, zone, pointed(S, p))


# Picks --------------------------------------------------------------------------------------------------------------


@kernel
def start_pick(S, use, seat, low, high, m0, m1, players):
    """Let a player pick between low and high of the cards and players, one after another."""
    S.pick_use = use
    S.pick_seat = seat
    S.pick_low = low
    S.pick_high = high
    S.pick_mask[0] = m0
    S.pick_mask[1] = m1
    S.pick_players = players
    S.picks = 0
    S.at = AT_PICK


@hot
def pick_kind(S):
    """Kind of the options of the open pick."""
    return K_DISCARD if U(S.pick_use) == USE_DISCARD else K_CHOOSE


@kernel
def go_on_picking(S, T):
    """List the next pick; False when nothing is left to decide and `picked` is final."""
    players = U(S.pick_players)
    left = I(popcount(S.pick_mask[0]) + popcount(S.pick_mask[1]) + popcount(players))
    if left == 0 or S.picks >= S.pick_high:
        return False
    seat = U(S.pick_seat)
    if left <= I(S.pick_low) - I(S.picks):  # having to take all that are left is no decision
        for p in range(U(2)):
            m = S.pick_mask[p]
            while m != ZERO:
                slot = lowest(m)
                m &= m - ONE
                take_all(S, p << SIX | slot)
        while players != ZERO:
            p = lowest(players)
            players &= players - ONE
            take_all(S, PLAYER + p)
        return False
    open_decision(S, seat, AT_PICK)
    for k in range(U(2)):
        p = seat ^ k
        if S.pick_mask[p] != ZERO:
            add_group(S, pick_kind(S), NONE, 0, p, representatives(S, T, p, S.pick_mask[p], pointed(S, p)))
    add_group(S, K_CHOOSE_PLAYER, NONE, 0, ZERO, players)
    if S.picks >= S.pick_low:
        add_one(S, K_DONE)
    return True


@kernel
def take_all(S, obj):
    """A pick that is no decision."""
    take_pick(S, obj)
    if S.log_on:
        kind = K_CHOOSE_PLAYER if obj >= PLAYER else pick_kind(S)
        write_log(S, E_AUTO, obj, I(kind), I(255) + (I(S.pick_seat) << 30))


@kernel
def take_pick(S, obj):
    """Pick a card or player."""
    if obj >= PLAYER:
        S.pick_players = U(S.pick_players) & ~(ONE << (obj - PLAYER))
    else:
        S.pick_mask[obj >> SIX] &= ~bit(obj)
    S.picked[U(S.picks)] = obj
    S.picks = U(S.picks) + ONE

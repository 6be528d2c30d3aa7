"""The deck: shuffling, drawing, milling, and the damage check (CR 5.6, 5.7, 11.2)."""

from __future__ import annotations

from kernels.counts import mix_deck
from kernels.events import stop
from kernels.jit import hot, kernel, popcount
from kernels.palworld.cards import bit, deck_set
from kernels.palworld.codes import (
    E_CHECK,
    E_DRAW,
    E_LIFE,
    E_MILL,
    E_SHUFFLE,
    END_CAP,
    NONE,
    ONE,
    PLAYER,
    SIX,
    ZERO,
    I,
    U,
)
from kernels.palworld.events import event


@kernel
def shuffle(S, T, p):
    """Shuffle a deck (CR 5.6): Fisher and Yates over the seat's shuffle stream."""
    mix_deck(S, p)
    S.known[p] = ZERO
    S.shown[p] &= S.hand[p]


@hot
def see(S, obj):
    """The card comes into the hand: first time it is seen."""
    if S.seen_at[obj] == 255:
        S.seen_at[obj] = min(S.turn, 254)


@kernel
def draw(S, T, p, n):
    """Draw n cards, one after another (CR 5.7.2); from an empty deck nothing is drawn (CR 1.3.2)."""
    drawn = 0
    while drawn < n and S.deck_count[p] > 0:
        top = U(S.deck_count[p]) - ONE
        slot = U(S.deck[p, top])
        S.deck_count[p] = top
        b = ONE << slot
        S.hand[p] |= b
        S.drawn[p] |= b
        S.known[p] &= ~b
        see(S, p << SIX | slot)
        event(S, T, E_DRAW, p << SIX | slot, 0, 0)
        drawn += 1
    if S.deck_count[p] == 0:
        S.stirred = 1
    return drawn


@hot
def flip(S, T, p, kind):
    """Put the top card of a deck into the graveyard; returns it, NONE for an empty deck."""
    if S.deck_count[p] == 0:
        return NONE
    top = U(S.deck_count[p]) - ONE
    slot = U(S.deck[p, top])
    S.deck_count[p] = top
    b = ONE << slot
    S.graveyard[p] |= b
    S.milled[p] |= b
    S.known[p] &= ~b
    obj = p << SIX | slot
    event(S, T, kind, obj, 1 if T.lucky[p] & b != ZERO else 0, 0)
    return obj


@kernel
def mill(S, T, p, n):
    """Put the top n cards of a deck into the graveyard; how many there were."""
    done = 0
    while done < n and flip(S, T, p, E_MILL) != NONE:
        done += 1
    S.stirred = 1
    return done


@kernel
def take_from_deck(S, p, slot):
    """Remove a card from the deck, wherever it lies."""
    n = U(S.deck_count[p])
    S.stirred = 1
    i = ZERO
    while i < n and U(S.deck[p, i]) != slot:
        i += ONE
    if i == n:
        return
    while i + ONE < n:
        S.deck[p, i] = S.deck[p, i + ONE]
        i += ONE
    S.deck_count[p] = n - ONE
    S.known[p] &= ~(ONE << slot)


@kernel
def deal_player(S, T, p, amount):
    """A player takes damage: the damage check (CR 11.2), at once, inside whatever is being resolved (CR 11.1.2.1)."""
    if amount <= 0:
        return
    size = I(S.deck_count[p])
    lucky = I(popcount(T.lucky[p] & deck_set(S, T, p)))
    known = S.known[p] != ZERO
    stopped, flipped = 0, 0
    while flipped < amount:
        obj = flip(S, T, p, E_CHECK)
        if obj == NONE:
            break
        flipped += 1
        if T.lucky[p] & bit(obj) != ZERO:
            stopped = 1
            break
    S.stirred = 1
    if stopped == 0:
        S.life[p] -= amount
        event(S, T, E_LIFE, PLAYER + p, -amount, 0)
    record_check(S, p, amount, size, lucky, known, stopped, flipped)


@kernel
def record_check(S, p, strike, size, lucky, known, stopped, flipped):
    """Count a damage check; without known cards its chance is hypergeometric (statistics 0)."""
    S.checks[p] += 1
    S.lucky_stops[p] += stopped
    if not known:
        miss = 1.0
        for i in range(min(strike, size)):
            miss *= max(size - lucky - i, 0) / (size - i)
        chance = 1.0 - miss
        S.luck_sum[p] += stopped - chance
        S.luck_var[p] += chance * miss
    n = U(S.check_count)
    if n < U(256):
        first = 1 if p == U(S.first_seat) else 0
        word = min(strike, 255) | size << 8 | lucky << 16 | (1 if known else 0) << 24 | stopped << 25
        S.check_log[n] = U(word | I(p) << 26 | first << 27 | flipped << 32)
        S.check_count = n + ONE
    else:
        stop(S, END_CAP)


@kernel
def reshuffle(S, T, p):
    """Shuffle a deck as the result of an effect, and say so."""
    shuffle(S, T, p)
    event(S, T, E_SHUFFLE, PLAYER + p, 0, 0)

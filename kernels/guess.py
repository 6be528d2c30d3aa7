"""An opponent's deck list that is not known: worlds in which the cards that were not seen come from another list.

The tables of a matchup then hold some decks that the opponent may have (`lists`), and for each card what the masks of
a seat say about a slot with it (`facts`). A world gets tables of its own: one of the lists is drawn, as likely as what
was seen makes it (uniform before, times the number of ways to draw these cards from it), and its other cards take the
slots of the cards that were not seen. Where no list holds what was seen, the nearest ones stand in.
"""

from __future__ import annotations

import numpy as np

from kernels import games
from kernels.jit import kernel, lowest
from kernels.numbers import ONE, SIX, ZERO, U
from kernels.record import Fields
from kernels.rng import GAMMA, SHUFFLE, below, mix, stream

LISTS = 48
"""Decks that an opponent may have, at most."""
PLACES = 768
"""Mask words of one seat in the tables, at most."""
CARDS = 256
MOST_WAYS = np.int64(1) << 50


def guess_fields(cards: int) -> Fields:
    """Fields of a game's tables that hold what may be guessed; all zero where everybody knows the lists."""
    return [
        ("list_count", np.uint8, (), "decks that an opponent whose list is not known may have"),
        ("lists", np.int16, (LISTS, 64), "their cards, copies beside one another; -1 behind the last"),
        ("facts", np.uint64, (cards, PLACES // 64), "mask words in which the slot of a card is set, by their number"),
        ("places", np.int32, (2, PLACES), "where the mask words of each seat are in the tables, as words"),
        ("place_count", np.int16, (), "mask words of a seat"),
    ]


GUESS_FIELDS: Fields = [
    ("likely", np.int64, LISTS, "weight of each list"),
    ("seen", np.uint8, CARDS, "how many of each card were seen"),
    ("rest", np.int16, 64, "cards of a list that were not seen"),
]
"""What guessing works in, part of `kernels.search.ROOM`."""


@kernel
def unseen(S, p):
    """Cards of the opponent of seat p that it has not seen, or no longer knows where they are."""
    q = ONE - p
    m = S.hand[q]
    for i in range(U(S.deck_count[q])):
        m |= ONE << U(S.deck[q, i])
    return m & ~games.fixed_cards(S, p, q)


@kernel
def weigh(S, T, p, hidden, room):
    """Fill the weights of the lists with what seat p has seen: all but the hidden cards."""
    q = ONE - p
    for c in range(U(CARDS)):
        room.seen[c] = 0
    total = np.int64(0)
    for slot in range(U(T.deck_size[q])):
        if (hidden >> slot) & ONE == ZERO:
            room.seen[U(T.card[q << SIX | slot])] += 1
            total += 1
    possible = False
    for k in range(U(T.list_count)):
        room.likely[k] = ways(T, room, k, total)
        possible = possible or room.likely[k] > 0
    if not possible:
        for k in range(U(T.list_count)):
            room.likely[k] = 1 + alike(T, room, k) ** 2


@kernel
def ways(T, room, k, total):
    """Ways to draw the cards that were seen from a list; 0 if it does not hold them."""
    found, product = np.int64(0), np.int64(1)
    i = U(0)
    while i < U(64) and T.lists[k, i] >= 0:
        copies = run(T, k, i)
        drawn = np.int64(room.seen[U(T.lists[k, i])])
        if drawn > copies:
            return np.int64(0)
        found += drawn
        for j in range(drawn):
            product = product * (copies - j) // (j + 1)
        product = min(product, MOST_WAYS)
        i += U(copies)
    return product if found == total else np.int64(0)


@kernel
def alike(T, room, k):
    """How many of the cards that were seen a list holds."""
    found = np.int64(0)
    i = U(0)
    while i < U(64) and T.lists[k, i] >= 0:
        copies = run(T, k, i)
        found += min(np.int64(room.seen[U(T.lists[k, i])]), copies)
        i += U(copies)
    return found


@kernel
def run(T, k, i):
    """Copies of the card at place i of a list that follow one another there."""
    n = np.int64(1)
    while np.int64(i) + n < 64 and T.lists[k, i + U(n)] == T.lists[k, i]:
        n += 1
    return n


@kernel
def suppose(W, words, S, p, hidden, room, word):
    """Give the tables W of a world (as words: `words`) cards of a list in the hidden slots, decided by 64 bits."""
    q = ONE - p
    rng = stream(word, U(2), q, SHUFFLE)
    n = left_over(W, room, drawn(W, room, mix(rng)))
    for m in range(U(W.place_count)):
        words[W.places[q, m]] &= ~hidden
    rest = hidden
    i = ZERO
    while rest != ZERO:
        slot = lowest(rest)
        rest &= rest - ONE
        if i < n:
            rng += GAMMA
            j = i + below(mix(rng), n - i)
            other = room.rest[j]
            room.rest[j] = room.rest[i]
            room.rest[i] = other
        place_card(W, words, q, slot, U(room.rest[i % n]))
        i += ONE
    copies(W, q)


@kernel
def drawn(T, room, bits):
    """A list, drawn by its weight."""
    total = ZERO
    for k in range(U(T.list_count)):
        total += U(room.likely[k])
    at = bits % total
    k = ZERO
    while at >= U(room.likely[k]):
        at -= U(room.likely[k])
        k += ONE
    return k


@kernel
def left_over(T, room, k):
    """The cards of a list without those that were seen, into `room.rest`; all of it where nothing else is left."""
    n = ZERO
    i = U(0)
    while i < U(64) and T.lists[k, i] >= 0:
        count = run(T, k, i)
        for _ in range(count - min(np.int64(room.seen[U(T.lists[k, i])]), count)):
            room.rest[n] = T.lists[k, i]
            n += ONE
        i += U(count)
    if n == ZERO:
        while n < i:
            room.rest[n] = T.lists[k, n]
            n += ONE
    return n


@kernel
def place_card(W, words, q, slot, card):
    """A slot of a seat gets a card, in the tables of a world."""
    W.card[q << SIX | slot] = card
    for i in range(U(PLACES // 64)):
        facts = W.facts[card, i]
        while facts != ZERO:
            bit = lowest(facts)
            facts &= facts - ONE
            words[W.places[q, i << SIX | bit]] |= ONE << slot


@kernel
def copies(W, q):
    """Which slots of a seat have the same card, now that they do not lie beside one another."""
    W.in_order[q] = 0
    size = U(W.deck_size[q])
    for slot in range(size):
        same = ZERO
        for other in range(size):
            if W.card[q << SIX | other] == W.card[q << SIX | slot]:
                same |= ONE << other
        W.same[q << SIX | slot] = same

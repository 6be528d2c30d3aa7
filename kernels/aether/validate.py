"""What must hold of a state at every decision and at the end of a game, whatever the cards do.

Only for tests: where `S.check_on` is set, each decision is checked before its answer is chosen. A fault stops the run;
`S.status` then holds CAPACITY + 1 + its place in FAULTS.
"""

from __future__ import annotations

from kernels.aether.checks import doomed
from kernels.aether.codes import (
    AT_MAIN,
    END_BOTH,
    END_CAP,
    END_DECK,
    END_LIFE,
    END_LOOP,
    FIELD,
    K_ATTACK,
    K_ATTACK_PLAYER,
    K_CHARGE,
    K_CHOOSE,
    K_DISCARD,
    K_MOVE,
    K_PLAY,
    NEUTRAL,
    NONE,
    ONE,
    ROW,
    SIX,
    TYPE_SPELL,
    ZERO,
    I,
    U,
)
from kernels.aether.derived import derive
from kernels.aether.state import DUE, GROUPS, WAITING
from kernels.jit import hot, kernel, lowest, popcount, word
from kernels.rng import GAMMA, mix

CAPACITY = 1
"""`S.status` of a game that was ended by force."""
FAULTS = (
    "a card is in two zones, or twice in a deck",
    "a card is in no zone",
    "a card has a zone but no deck has it",
    "the rows and the units on the field differ",
    "a mark of the field on a card outside of it",
    "aether is counted wrongly, or more is used than there is",
    "more cards in a hand than it holds",
    "attack, HP or keywords differ from a new computation",
    "a unit that should have left, in the main phase (AE-8.9)",
    "a lost player in the main phase",
    "an ability waits in the main phase (AE-8.11)",
    "a list is longer than its room",
    "the number of options is not the number of their bits",
    "an option with a card from a wrong zone",
    "the end of the game and the state of its players differ",
)
(
    TWO_ZONES,
    NO_ZONE,
    STRANGER,
    ROWS,
    MARKS,
    AETHER,
    HAND,
    DERIVED,
    DOOMED,
    LOST,
    WAITS,
    ROOM,
    OPTIONS,
    OPTION_ZONE,
    OUTCOME,
) = range(CAPACITY + 1, CAPACITY + 1 + len(FAULTS))


@kernel
def sound(S, T):
    """Nothing is wrong with the state; otherwise `S.status` says what. The state is left as it is."""
    if S.status > CAPACITY:
        return False
    fault = fault_of(S, T)
    if fault != 0:
        S.status = fault
    return fault == 0


@kernel
def fault_of(S, T):
    """The first fault that is found, 0 for none."""
    for p in range(U(2)):
        fault = card_fault(S, T, p)
        if fault == 0:
            fault = field_fault(S, T, p)
        if fault == 0:
            fault = aether_fault(S, T, p)
        if fault != 0:
            return fault
        if I(popcount(S.hand[p])) > I(T.hand_limit):
            return HAND
    if S.waits > WAITING or S.dues > DUE or S.groups > GROUPS:
        return ROOM
    if not S.dirty and stale(S, T):
        return DERIVED
    if S.end != 255:
        return 0 if fair_end(S) else OUTCOME
    if U(S.decision) == AT_MAIN:
        fault = main_fault(S)
        if fault != 0:
            return fault
    return option_fault(S, T)


@kernel
def card_fault(S, T, p):
    """Every card of a deck is in exactly one zone; tokens are on the field or nowhere."""
    every = T.cards[p]
    deck = ZERO
    for i in range(U(S.deck_count[p])):
        deck |= ONE << U(S.deck[p, i])
    limbo = ZERO
    source = U(S.source)
    if S.ability >= 0 and (source >> SIX) == p and U(T.type[U(S.card[source])]) == TYPE_SPELL:
        limbo = ONE << (source & U(63))
    hand, field, graveyard, aether = S.hand[p], S.field[p], S.graveyard[p], S.aether[p]
    places = popcount(hand) + popcount(field) + popcount(graveyard) + popcount(aether) + popcount(limbo)
    there = hand | field | graveyard | aether | limbo | deck
    if popcount(there) != places + U(S.deck_count[p]):
        return TWO_ZONES
    if every & ~there != ZERO:
        return NO_ZONE
    if (there & ~field) & ~every != ZERO:  # tokens are on the field or nowhere
        return STRANGER
    return 0


@kernel
def field_fault(S, T, p):
    """Rows, front row and marks agree with the units on the field."""
    m, front = ZERO, ZERO
    n = 0
    for i in range(FIELD):
        slot = U(S.row[p, i])
        if slot != NONE:
            n += 1
            m |= ONE << slot
            if i < ROW:
                front |= ONE << slot
    if m != S.field[p] or front != S.front[p] or I(popcount(m)) != n:
        return ROWS
    marks = S.barrier[p] | S.frozen[p] | S.idle[p] | S.moved[p] | S.summoned[p] | S.marked[p]
    return MARKS if marks & ~m != ZERO else 0


@kernel
def aether_fault(S, T, p):
    """The counts of the aether zone are those of its cards (AE-2.5)."""
    total = ZERO
    for e in range(U(5)):
        n = popcount(S.aether[p] & T.element_mask[p, e])
        total += n
        if n != U(S.elements[p, e]):
            return AETHER
    allowed = T.element_mask[p, NEUTRAL]
    for e in range(U(4)):
        if S.elements[p, e] > 0:
            allowed |= T.element_mask[p, e]
    if allowed != S.allowed[p]:
        return AETHER
    wrong = total != popcount(S.aether[p]) or total != U(S.total[p]) or S.used[p] > S.total[p]
    return AETHER if wrong else 0


@kernel
def digest(S):
    """Hash of the derived numbers of the field."""
    z = mix(GAMMA)
    for p in range(U(2)):
        m = S.field[p]
        for mask in (S.armed[p], S.ranged[p], S.haste[p], S.twin[p], S.regen[p], S.timed[p], S.lasting[p], S.dying[p]):
            z = mix(z + (mask & m) + GAMMA)
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            z = mix(z + word(S.attack[obj]) + GAMMA)
            z = mix(z + word(S.max_hp[obj]) + GAMMA)
            z = mix(z + U(S.words[obj]) + GAMMA)
    return z


@kernel
def stale(S, T):
    """The derived numbers are not those of a new computation."""
    before = digest(S)
    derive(S, T)
    return digest(S) != before


@kernel
def main_fault(S):
    """What checks leave behind."""
    if S.waits > 0 or S.ability >= 0:
        return WAITS
    for p in range(U(2)):
        if S.life[p] <= 0 or S.decked[p]:
            return LOST
        if doomed(S, p) != ZERO:
            return DOOMED
    return 0


@kernel
def option_fault(S, T):
    """At least two options, counted as their bits, with cards from where their kind takes them."""
    total = ZERO
    for i in range(U(S.groups)):
        mask, q = S.group_mask[i], U(S.group_seat[i])
        total += popcount(mask)
        if mask & ~places(S, U(S.group_kind[i]), U(S.group_obj[i]), q, mask) != ZERO:
            return OPTION_ZONE
    return OPTIONS if total != U(S.options) or total < U(2) or S.decider > 1 else 0


@hot
def places(S, kind, obj, q, mask):
    """Cards of seat q that options of a kind may name; the mask itself for options without a card."""
    p = U(S.decider)
    if kind == K_PLAY or kind == K_DISCARD or kind == K_CHARGE:
        return S.hand[q] if q == p else ZERO
    if kind == K_ATTACK_PLAYER or kind == K_MOVE:
        return S.field[q] if q == p else ZERO
    if kind == K_ATTACK:
        return S.field[q] if q != p and S.field[p] & (ONE << (obj & U(63))) != ZERO else ZERO
    return S.pick_mask[q] if kind == K_CHOOSE else mask


@kernel
def fair_end(S):
    """Who lost has no life left or had to draw from an empty deck, who won did not."""
    lost0, lost1 = S.life[0] <= 0 or S.decked[0] != 0, S.life[1] <= 0 or S.decked[1] != 0
    if S.end == END_LOOP or S.end == END_CAP:
        return S.winner == -1 and S.status == CAPACITY
    if S.end == END_BOTH:
        return S.winner == 2 and lost0 and lost1
    loser = U(1) if S.winner == 0 else U(0)
    if lost0 == lost1 or (loser == ZERO) != lost0 or S.winner < 0 or S.winner > 1:
        return False
    return S.end == (END_LIFE if S.life[loser] <= 0 else END_DECK)

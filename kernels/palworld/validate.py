"""What must hold of a state at every decision and at the end of a game, whatever the cards do.

Only for tests: where `S.check_on` is set, each decision is checked before its answer is chosen. A fault stops the run;
`S.status` then holds CAPACITY + 1 + its place in FAULTS.
"""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount, word
from kernels.palworld.cards import bit
from kernels.palworld.checks import lethal_damage
from kernels.palworld.codes import (
    AT_BLOCK,
    AT_MAIN,
    AT_QUICK,
    END_BOTH,
    END_CAP,
    END_DECK,
    END_LIFE,
    END_LOOP,
    K_ACTIVATE,
    K_ASSIGN,
    K_ATTACK,
    K_ATTACK_PLAYER,
    K_BLOCK,
    K_CHOOSE,
    K_DISCARD,
    K_PLAY,
    NONE,
    ONE,
    SIX,
    ZERO,
    I,
    U,
)
from kernels.palworld.derived import derive
from kernels.palworld.state import GRANTS, GROUPS, WAITING
from kernels.rng import GAMMA, mix

CAPACITY = 1
"""`S.status` of a game that was ended by force."""
FAULTS = (
    "a card is in two zones, or twice in a deck",
    "a card is in no zone",
    "a card has a zone but no deck has it",
    "souls outside of 0 to 10, or more rested than there are",
    "Material or Ingredient below 0",
    "a mark of the base on a card outside of it",
    "damage, changes or uses on a card that is not known to have any",
    "a card known in the deck that is not there",
    "Power, Strike, keywords or night differ from a new computation",
    "more than five Pals at a play timing (CR 11.5)",
    "a lethally damaged card at a play timing (CR 11.4)",
    "a lost player at a play timing (CR 11.3)",
    "an ability waits at a play timing (CR 10.5.3)",
    "a list is longer than its room",
    "the number of options is not the number of their bits",
    "an option with a card from a wrong zone",
    "the end of the game and the state of its players differ",
)
(
    TWO_ZONES,
    NO_ZONE,
    STRANGER,
    SOULS,
    RESOURCES,
    MARKS,
    CHANGES,
    KNOWN,
    DERIVED,
    PALS,
    LETHAL,
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
        if fault != 0:
            return fault
        if S.souls[p] < 0 or S.souls[p] > T.soul_limit or S.souls_rested[p] < 0 or S.souls_rested[p] > S.souls[p]:
            return SOULS
        if S.material[p] < 0 or S.ingredient[p] < 0:
            return RESOURCES
    if S.waits > WAITING or S.grants > GRANTS or S.groups > GROUPS:
        return ROOM
    if not S.dirty and stale(S, T):
        return DERIVED
    if S.end != 255:
        return 0 if fair_end(S) else OUTCOME
    at = U(S.decision)
    if at == AT_MAIN or at == AT_BLOCK or at == AT_QUICK:
        fault = timing_fault(S, T)
        if fault != 0:
            return fault
    return option_fault(S, T)


@kernel
def card_fault(S, T, p):
    """Every card of a seat is in exactly one zone, and carries what belongs there."""
    n = U(T.deck_size[p])
    every = ~ZERO if n == U(64) else (ONE << n) - ONE
    deck = ZERO
    for i in range(U(S.deck_count[p])):
        deck |= ONE << U(S.deck[p, i])
    limbo = ZERO
    if S.event_card != NONE and (U(S.event_card) >> SIX) == p:
        limbo = bit(U(S.event_card))
    hand, base, graveyard, exile = S.hand[p], S.bases[p], S.graveyard[p], S.exile[p]
    places = popcount(hand) + popcount(base) + popcount(graveyard) + popcount(exile) + popcount(limbo)
    there = hand | base | graveyard | exile | limbo | deck
    if popcount(there) != places + U(S.deck_count[p]):
        return TWO_ZONES
    if every & ~there != ZERO:
        return NO_ZONE
    if there & ~every != ZERO:
        return STRANGER
    if S.known[p] & ~deck != ZERO or (p == U(S.master) and S.looked & ~deck != ZERO):
        return KNOWN
    marks = S.resting[p] | S.assigned[p] | S.no_stand[p] | S.no_block[p] | S.renamed[p] | S.hurt[p]
    if not S.dirty:
        marks |= S.twice[p]
    if marks & ~base != ZERO or S.hurt[p] & ~S.changed[p] != ZERO:
        return MARKS
    for slot in range(n):
        obj = p << SIX | slot
        if S.damage[obj] < 0 or (S.damage[obj] > 0 and S.hurt[p] & (ONE << slot) == ZERO):
            return CHANGES
        if S.changed[p] & (ONE << slot) == ZERO and changed(S, obj):
            return CHANGES
    return 0


@hot
def changed(S, obj):
    """Something of this turn was noted on the card."""
    used = S.uses[obj, 0] + S.uses[obj, 1] + S.uses[obj, 2] + S.uses[obj, 3] + S.modes_used[obj]
    return used > 0 or S.power_plus[obj] != 0 or S.strike_plus[obj] != 0


@kernel
def digest(S):
    """Hash of the derived numbers of both bases."""
    z = mix(word(S.is_night) + GAMMA)
    for p in range(U(2)):
        z = mix(z + S.twice[p] + GAMMA)
        m = S.bases[p]
        while m != ZERO:
            slot = lowest(m)
            m &= m - ONE
            obj = p << SIX | slot
            z = mix(z + word(S.power[obj]) + GAMMA)
            z = mix(z + word(S.strike[obj]) + GAMMA)
            z = mix(z + U(S.keywords[obj]) + GAMMA)
    return z


@kernel
def stale(S, T):
    """The derived numbers are not those of a new computation."""
    before, had, stirred = digest(S), S.has_statics, S.stirred
    derive(S, T)
    lost = S.has_statics != 0 and had == 0
    S.has_statics, S.stirred = had, stirred
    return lost or digest(S) != before


@kernel
def timing_fault(S, T):
    """What a check timing leaves behind: rule actions are done, nothing waits (CR 10.5.3, 11)."""
    if S.waits > 0:
        return WAITS
    for p in range(U(2)):
        if S.life[p] <= 0 or S.deck_count[p] == 0:
            return LOST
        if I(popcount(S.bases[p] & T.type_mask[p, 0])) > I(T.pal_limit):
            return PALS
        if not S.dirty and lethal_damage(S, T, p) != ZERO:
            return LETHAL
    return 0


@kernel
def option_fault(S, T):
    """At least two options, counted as their bits, with cards from where their kind takes them."""
    total = ZERO
    for i in range(U(S.groups)):
        mask, q = S.group_mask[i], U(S.group_seat[i])
        total += popcount(mask)
        if mask & ~places(S, T, U(S.group_kind[i]), U(S.group_obj[i]), q, mask) != ZERO:
            return OPTION_ZONE
    return OPTIONS if total != U(S.options) or total < U(2) or S.decider > 1 else 0


@hot
def places(S, T, kind, obj, q, mask):
    """Cards of seat q that options of a kind may name; the mask itself for options without a card."""
    p = U(S.decider)
    if kind == K_PLAY or kind == K_DISCARD:
        return S.hand[q] if q == p else ZERO
    if kind == K_ATTACK_PLAYER or kind == K_BLOCK:
        return S.bases[q] & T.type_mask[q, 0] & ~S.resting[q] if q == p else ZERO
    if kind == K_ASSIGN:
        return S.bases[q] & T.type_mask[q, 0] & ~S.resting[q] if q == p else ZERO
    if kind == K_ATTACK:
        standing = S.bases[p] & T.type_mask[p, 0] & ~S.resting[p] & bit(obj)
        return S.bases[q] if standing != ZERO and q != p else ZERO
    if kind == K_ACTIVATE:
        return mask if (S.bases[p] | S.hand[p]) & bit(obj) != ZERO and obj >> SIX == p else ZERO
    return S.pick_mask[q] if kind == K_CHOOSE else mask


@kernel
def fair_end(S):
    """Who lost has no life or no deck left (CR 11.3), who won has both."""
    lost0 = S.life[0] <= 0 or S.deck_count[0] == 0
    lost1 = S.life[1] <= 0 or S.deck_count[1] == 0
    if S.end == END_LOOP or S.end == END_CAP:
        return S.winner == -1 and S.status == CAPACITY
    if S.end == END_BOTH:
        return S.winner == 2 and lost0 and lost1
    loser = U(1) if S.winner == 0 else U(0)
    if lost0 == lost1 or (loser == ZERO) != lost0 or S.winner < 0 or S.winner > 1:
        return False
    return S.end == (END_LIFE if S.life[loser] <= 0 else END_DECK)

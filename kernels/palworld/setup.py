"""Before the first turn (CR 6.2): decks, the coin flip, opening hands, mulligans."""

from __future__ import annotations

from kernels.jit import kernel, lowest
from kernels.options import add_one, open_decision
from kernels.palworld.codes import (
    AT_COIN,
    AT_MULLIGAN_FIRST,
    AT_MULLIGAN_SECOND,
    AT_STAND,
    E_MULLIGAN,
    K_FIRST,
    K_KEEP,
    K_MULLIGAN,
    K_SECOND,
    NONE,
    ONE,
    PHASE_SETUP,
    PLAYER,
    SIX,
    ZERO,
    U,
)
from kernels.palworld.decks import draw, shuffle
from kernels.palworld.events import event
from kernels.palworld.state import OBJECTS
from kernels.rng import CHOICE, COIN, GAMMA, SHUFFLE, below, mix, stream


@kernel
def clear(S, T):
    """Empty the state: nothing of an earlier game stays."""
    S.signature = ZERO
    for p in range(U(2)):
        S.hand[p] = ZERO
        S.bases[p] = ZERO
        S.graveyard[p] = ZERO
        S.exile[p] = ZERO
        S.deck_count[p] = 0
        S.known[p] = ZERO
        S.shown[p] = ZERO
        S.life[p] = T.life
        S.material[p] = 0
        S.ingredient[p] = 0
        S.souls[p] = 0
        S.souls_rested[p] = 0
        S.played_count[p] = 0
        S.rush[p] = 0
        S.discount[p] = 0
        S.discount_filter[p] = -1
        S.resting[p] = ZERO
        S.hurt[p] = ZERO
        S.changed[p] = ZERO
        S.assigned[p] = ZERO
        S.was_rested[p] = ZERO
        S.was_assigned[p] = ZERO
        S.no_stand[p] = ZERO
        S.no_block[p] = ZERO
        S.renamed[p] = ZERO
        S.twice[p] = ZERO
        S.them[p] = ZERO
        S.pick_mask[p] = ZERO
        S.picked[p] = ZERO
        S.surplus[p] = ZERO
        S.lethal[p] = ZERO
        S.offered[p] = ZERO
        S.kept[p] = ZERO
        S.returned[p] = ZERO
        S.drawn[p] = ZERO
        S.played[p] = ZERO
        S.milled[p] = ZERO
        S.checks[p] = 0
        S.lucky_stops[p] = 0
        S.luck_sum[p] = 0.0
        S.luck_var[p] = 0.0
        S.attacks[p] = 0
        S.blocks[p] = 0
        S.interrupts[p] = 0
        S.mulligans[p] = 0
        S.optioned[p] = 0
        S.dead_turns[p] = 0
        S.stuck_turns[p] = 0
    for obj in range(U(OBJECTS)):
        S.stay[obj] = 0
        S.entered[obj] = 0
        S.damage[obj] = 0
        S.power_plus[obj] = 0
        S.strike_plus[obj] = 0
        S.power[obj] = 0
        S.strike[obj] = 0
        S.keywords[obj] = 0
        S.exiled_by[obj] = NONE
        S.modes_used[obj] = 0
        S.seen_at[obj] = NONE
        for i in range(U(4)):
            S.uses[obj, i] = 0
    S.soul_drawn = 0
    S.declared = -1
    S.says = 0
    S.is_night = 0
    S.deployments = 0
    S.dirty = 1
    S.stirred = 1
    S.has_statics = 0
    S.grants = 0
    S.locks = 0
    S.look_back = 0
    S.back = 0
    S.waits = 0
    S.delays = 0
    S.due = 0
    S.turn = 1
    S.turn_seat = 0
    S.first_seat = 0
    S.coin_seat = 0
    S.night_turn = 0
    S.winner = -1
    S.end = 255
    S.battle = 0
    S.attacker = NONE
    S.target = NONE
    S.duel = 0
    S.failed = 0
    S.ability = -1
    S.source = NONE
    S.master = 0
    S.event_card = NONE
    S.that = NONE
    S.looked = ZERO
    S.cost_assigned = ZERO
    S.cost_paid = ZERO
    S.x = 0
    S.answer = -1
    S.groups = 0
    S.options = 0
    S.surplus_done = 0
    S.decisions = 0
    S.turn_decisions = 0
    S.could_play = ZERO
    S.acted = 0
    S.steps = 0
    S.status = 0
    S.check_count = 0
    S.log_count = 0


@kernel
def new_game(S, T, key, g, first):
    """A fresh game (CR 6.2): shuffled decks, hands of five; the next decision is the first player's mulligan.

    key, g: stream keys; first: the seat that goes first, 2 to flip a coin and let its winner choose.
    """
    clear(S, T)
    for p in range(U(2)):
        S.shuffle_rng[p] = stream(key, g, p, SHUFFLE)
        S.choice_rng[p] = stream(key, g, p, CHOICE)
        n = U(T.deck_size[p])
        for i in range(n):
            S.deck[p, i] = i
        S.deck_count[p] = n
        shuffle(S, T, p)
    S.coin_rng = stream(key, g, ZERO, COIN)
    S.phase = PHASE_SETUP
    if U(first) > ONE:
        S.coin_seat = below(mix(S.coin_rng + GAMMA), U(2))
        S.at = AT_COIN
    else:
        deal(S, T, U(first))


@kernel
def deal(S, T, first):
    """CR 6.2.1.5-11: the second player's soul, five cards each, then mulligans."""
    S.first_seat = first
    S.turn_seat = first
    S.souls[ONE - first] += U(T.second_souls)
    for k in range(U(2)):
        p = first ^ k
        opening_hand(S, T, p)
        S.offered[p] = S.hand[p]
        S.kept[p] = S.hand[p]
    S.at = AT_MULLIGAN_FIRST


@kernel
def opening_hand(S, T, p):
    """Draw the opening hand; its cards do not count as drawn."""
    draw(S, T, p, U(T.hand))
    S.drawn[p] = ZERO


@kernel
def mulligan(S, T, p):
    """CR 6.2.1.7: all cards back, shuffle, five new ones."""
    S.mulligans[p] = 1
    S.returned[p] = S.hand[p]
    m = S.hand[p]
    S.hand[p] = ZERO
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        S.seen_at[p << SIX | slot] = NONE
        S.deck[p, U(S.deck_count[p])] = slot
        S.deck_count[p] += 1
    event(S, T, E_MULLIGAN, PLAYER + p, 0, 0)
    shuffle(S, T, p)
    opening_hand(S, T, p)
    S.kept[p] = S.hand[p]


@kernel
def setup_options(S):
    """First or second for the winner of the coin flip (CR 6.2.1.3), mulligans (CR 6.2.1.7)."""
    at = U(S.at)
    if at == AT_COIN:
        open_decision(S, U(S.coin_seat), AT_COIN)
        add_one(S, K_FIRST)
        add_one(S, K_SECOND)
        return
    seat = U(S.first_seat)
    if at == AT_MULLIGAN_SECOND:
        seat = ONE - seat
    open_decision(S, seat, at)
    add_one(S, K_MULLIGAN)
    add_one(S, K_KEEP)


@kernel
def setup_answer(S, T, kind, decider):
    """Answers before the first turn."""
    if kind == K_FIRST:
        deal(S, T, decider)
    elif kind == K_SECOND:
        deal(S, T, ONE - decider)
    else:
        if kind == K_MULLIGAN:
            mulligan(S, T, decider)
        S.at = AT_MULLIGAN_SECOND if S.at == AT_MULLIGAN_FIRST else AT_STAND

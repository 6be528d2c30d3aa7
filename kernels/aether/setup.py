"""Before the first turn (s3): decks, opening hands, mulligans."""

from __future__ import annotations

from kernels.aether.codes import (
    AT_MULLIGAN_FIRST,
    AT_MULLIGAN_SECOND,
    AT_START,
    E_MULLIGAN,
    FIELD,
    K_KEEP,
    K_MULLIGAN,
    NEUTRAL,
    NONE,
    ONE,
    PHASE_SETUP,
    PLAYER,
    SIX,
    ZERO,
    I,
    U,
)
from kernels.aether.moves import draw, event
from kernels.aether.state import OBJECTS
from kernels.counts import mix_deck
from kernels.jit import kernel, lowest
from kernels.options import add_one, open_decision
from kernels.rng import CHOICE, COIN, GAMMA, SHUFFLE, below, mix, stream


@kernel
def clear(S, T):
    """Empty the state: nothing of an earlier game stays."""
    S.signature = ZERO
    for p in range(U(2)):
        clear_player(S, T, p)
    for obj in range(U(OBJECTS)):
        S.card[obj] = T.card[obj]
        S.stay[obj] = 0
        S.damage[obj] = 0
        S.attack_plus[obj] = 0
        S.hp_plus[obj] = 0
        S.attack_turn[obj] = 0
        S.hp_turn[obj] = 0
        S.kept_words[obj] = 0
        S.turn_words[obj] = 0
        S.attacks[obj] = 0
        S.attack[obj] = 0
        S.max_hp[obj] = 0
        S.words[obj] = 0
        S.seen_at[obj] = NONE
    S.dirty = 0
    S.wait_head = 0
    S.waits = 0
    S.due_head = 0
    S.dues = 0
    S.turn = 1
    S.turn_seat = 0
    S.first_seat = 0
    S.winner = -1
    S.end = 255
    S.ability = -1
    S.chain = 0
    S.source = NONE
    S.source_stay = 0
    S.source_words = 0
    S.seat = 0
    S.pc = 0
    S.after = 0
    S.answer = -1
    S.them_players = 0
    S.groups = 0
    S.options = 0
    S.pick_players = 0
    S.picks = 0
    S.decisions = 0
    S.turn_decisions = 0
    S.could_play = ZERO
    S.acted = 0
    S.steps = 0
    S.status = 0
    S.curve_count = 0
    S.log_count = 0


@kernel
def clear_player(S, T, p):
    """Empty one player's part of the state."""
    S.hand[p] = ZERO
    S.shown[p] = ZERO
    S.field[p] = ZERO
    S.front[p] = ZERO
    S.graveyard[p] = ZERO
    S.aether[p] = ZERO
    S.deck_count[p] = 0
    S.next_token[p] = T.deck_size[p]
    S.life[p] = T.life
    S.allowed[p] = T.element_mask[p, NEUTRAL]
    S.total[p] = 0
    S.used[p] = 0
    S.charged[p] = 0
    S.decked[p] = 0
    for e in range(U(5)):
        S.elements[p, e] = 0
    for i in range(FIELD):
        S.row[p, i] = NONE
    S.armed[p] = ZERO
    S.ranged[p] = ZERO
    S.haste[p] = ZERO
    S.twin[p] = ZERO
    S.regen[p] = ZERO
    S.timed[p] = ZERO
    S.lasting[p] = ZERO
    S.dying[p] = ZERO
    S.changed[p] = ZERO
    S.attacked[p] = ZERO
    S.twice[p] = ZERO
    S.barrier[p] = ZERO
    S.frozen[p] = ZERO
    S.idle[p] = ZERO
    S.moved[p] = ZERO
    S.summoned[p] = ZERO
    S.marked[p] = ZERO
    S.them[p] = ZERO
    S.pick_mask[p] = ZERO
    S.offered[p] = ZERO
    S.kept[p] = ZERO
    S.returned[p] = ZERO
    S.drawn[p] = ZERO
    S.played[p] = ZERO
    S.charges[p] = ZERO
    S.played_count[p] = 0
    S.spells[p] = 0
    S.fronts[p] = 0
    S.backs[p] = 0
    S.tokens[p] = 0
    S.attack_count[p] = 0
    S.faces[p] = 0
    S.moves[p] = 0
    S.kills[p] = 0
    S.burned[p] = 0
    S.mulligans[p] = 0
    S.optioned[p] = 0
    S.dead_turns[p] = 0
    S.stuck_turns[p] = 0


@kernel
def new_game(S, T, key, g, first):
    """A fresh game: shuffled decks, opening hands; the next decision is the first player's mulligan (AE-1.2).

    key, g: stream keys; first: the seat that goes first, 2 to flip a coin (AE-1.1).
    """
    clear(S, T)
    for p in range(U(2)):
        S.shuffle_rng[p] = stream(key, g, p, SHUFFLE)
        S.choice_rng[p] = stream(key, g, p, CHOICE)
        n = U(T.deck_size[p])
        for i in range(n):
            S.deck[p, i] = i
        S.deck_count[p] = n
        mix_deck(S, p)
    S.coin_rng = stream(key, g, ZERO, COIN)
    S.phase = PHASE_SETUP
    who = U(first)
    if who > ONE:
        who = below(mix(S.coin_rng + GAMMA), U(2))
    S.first_seat = who
    S.turn_seat = who
    for k in range(U(2)):
        p = who ^ k
        opening_hand(S, T, p)
        S.offered[p] = S.hand[p]
        S.kept[p] = S.hand[p]
    S.at = AT_MULLIGAN_FIRST


@kernel
def opening_hand(S, T, p):
    """Five cards, six for the second player (AE-1.3); they do not count as drawn."""
    n = I(T.first_hand) if p == U(S.first_seat) else I(T.second_hand)
    for _ in range(n):
        draw(S, T, p)
    S.drawn[p] = ZERO


@kernel
def mulligan(S, T, p):
    """All cards or none, once, the same number again (AE-1.2)."""
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
    mix_deck(S, p)
    opening_hand(S, T, p)
    S.kept[p] = S.hand[p]


@kernel
def setup_options(S):
    """Mulligans: the first player's, then the other's."""
    seat = U(S.first_seat)
    if U(S.at) == AT_MULLIGAN_SECOND:
        seat = ONE - seat
    open_decision(S, seat, S.at)
    add_one(S, K_MULLIGAN)
    add_one(S, K_KEEP)


@kernel
def setup_answer(S, T, kind, decider):
    """Answers before the first turn."""
    if kind == K_MULLIGAN:
        mulligan(S, T, decider)
    S.at = AT_MULLIGAN_SECOND if U(S.at) == AT_MULLIGAN_FIRST else AT_START

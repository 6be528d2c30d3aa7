"""What is kept of a finished game of any game: counts by card, the course of the lead, decks that are shuffled."""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.numbers import ONE, SIX, ZERO, I, U
from kernels.rng import GAMMA, below, mix

SEEN_TURNS = (2, 4, 6, 8, 10, 12, 16, 20)
"""Turns of the game by whose end the cards seen are counted."""


@kernel
def mix_deck(S, p):
    """Shuffle a deck: Fisher and Yates over the seat's shuffle stream."""
    rng = S.shuffle_rng[p]
    i = U(S.deck_count[p])
    while i > ONE:
        rng += GAMMA
        j = below(mix(rng), i)
        i -= ONE
        card = S.deck[p, i]
        S.deck[p, i] = S.deck[p, j]
        S.deck[p, j] = card
    S.shuffle_rng[p] = rng


@hot
def side_result(winner, p):
    """0 win, 1 draw, 2 loss, 3 unfinished, for the player of side p."""
    if winner < 0:
        return U(3)
    if winner == 2:
        return U(1)
    return ZERO if U(winner) == p else U(2)


@hot
def count(T, cards, p, measure, m, result):
    """One more game for each card of a mask, with as many copies as the mask has; 15 stands for 15 or more (only a card
    without a deck limit has them).

    Games without a copy are left out: they are the rest of all games (`sim.collect.add_absent`).
    """
    while m != ZERO:
        obj = p << SIX | lowest(m)
        copies = m & T.same[obj]
        cards[p, U(T.place[obj]), measure, min(popcount(copies), U(15)), result] += 1
        m ^= copies


@kernel
def not_seen_by(S, p, m, turn):
    """The cards of a mask that came into the hand after a turn of the game."""
    later = ZERO
    while m != ZERO:
        slot = lowest(m)
        m &= m - ONE
        if S.seen_at[p << SIX | slot] > turn:
            later |= ONE << slot
    return later


@kernel
def count_seen(S, T, cards, p, hand, result):
    """Count the cards that a player had in the hand by the end of the turns of SEEN_TURNS."""
    later = hand
    for i in range(U(len(SEEN_TURNS))):
        turn = SEEN_TURNS[i]
        if S.turn < turn:
            break
        later = not_seen_by(S, p, later, turn)
        count(T, cards, p, U(8) + i, hand & ~later, result)


@kernel
def count_turn(S):
    """Count a turn that ends: dead, where its player has done nothing; stuck, where no card of the hand could be played
    at any time of the turn."""
    p = U(S.turn_seat)
    if S.acted == 0:
        S.dead_turns[p] += 1
    if S.could_play == ZERO and S.hand[p] != ZERO:
        S.stuck_turns[p] += 1


@kernel
def count_turns(S, turns):
    """Add the lead in life at the start of each turn: turns[first, turn, lead + 20, result of side a]."""
    result = side_result(S.winner, ZERO)
    for turn in range(ONE, U(min(I(S.turn), 255)) + ONE):
        lead = max(min(I(S.lead[turn]), 20), -20) + 20
        turns[U(S.first_seat), turn, U(lead), result] += 1

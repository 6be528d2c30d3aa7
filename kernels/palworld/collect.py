"""What is kept of a finished game: one row, counts by card, damage checks, the course of the lead."""

from __future__ import annotations

from kernels.jit import hot, kernel, lowest, popcount
from kernels.palworld.cards import deck_set
from kernels.palworld.codes import ONE, SIX, ZERO, I, U
from kernels.palworld.state import SEEN_TURNS


@hot
def side_result(winner, p):
    """0 win, 1 draw, 2 loss, 3 unfinished, for the player of side p."""
    if winner < 0:
        return U(3)
    if winner == 2:
        return U(1)
    return ZERO if U(winner) == p else U(2)


@kernel
def write_row(S, row, g, swapped):
    """One row of the games table."""
    row.g = g
    row.first = S.first_seat
    row.swapped = swapped
    row.winner = S.winner
    row.end = S.end
    row.turns = S.turn
    row.decisions = S.decisions
    row.steps = S.steps
    row.signature = S.signature
    for p in range(U(2)):
        row.life[p] = S.life[p]
        row.cards_left[p] = S.deck_count[p]
        row.checks[p] = S.checks[p]
        row.lucky[p] = S.lucky_stops[p]
        row.luck_sum[p] = S.luck_sum[p]
        row.luck_var[p] = S.luck_var[p]
        row.milled[p] = popcount(S.milled[p])
        row.attacks[p] = S.attacks[p]
        row.blocks[p] = S.blocks[p]
        row.interrupts[p] = S.interrupts[p]
        row.played[p] = S.played_count[p]
        row.mulligan[p] = S.mulligans[p]


@kernel
def count_cards(S, T, cards):
    """Add the game to the counts by card: cards[side, card, measure, copies, result]."""
    for p in range(U(2)):
        result = side_result(S.winner, p)
        hand = S.kept[p] | S.drawn[p]
        for card in range(U(T.distinct[p])):
            copies = T.distinct_mask[p, card]
            count(cards, p, card, U(0), S.offered[p] & copies, result)
            count(cards, p, card, U(1), S.kept[p] & copies, result)
            count(cards, p, card, U(2), S.returned[p] & copies, result)
            count(cards, p, card, U(3), S.drawn[p] & ~S.kept[p] & copies, result)
            count(cards, p, card, U(4), hand & copies, result)
            count(cards, p, card, U(5), S.played[p] & copies, result)
            count(cards, p, card, U(6), S.milled[p] & copies, result)
            count(cards, p, card, U(7), deck_set(S, T, p) & ~hand & copies, result)
        for i in range(U(len(SEEN_TURNS))):
            turn = SEEN_TURNS[i]
            if S.turn < turn:
                break
            seen = seen_by(S, p, hand, turn)
            for card in range(U(T.distinct[p])):
                count(cards, p, card, U(8) + i, seen & T.distinct_mask[p, card], result)


@hot
def count(cards, p, card, measure, copies, result):
    """One more game with that many copies; 15 stands for 15 or more (only a card without a deck limit has them)."""
    cards[p, card, measure, min(popcount(copies), U(15)), result] += 1


@kernel
def seen_by(S, p, hand, turn):
    """Cards that were in the hand by the end of a turn of the game."""
    seen = ZERO
    while hand != ZERO:
        slot = lowest(hand)
        hand &= hand - ONE
        if S.seen_at[p << SIX | slot] <= turn:
            seen |= ONE << slot
    return seen


@kernel
def count_checks(S, checks):
    """Append the damage checks of the game; checks[0] counts the entries."""
    n = U(checks[0])
    for i in range(U(S.check_count)):
        checks[n + ONE + i] = S.check_log[i]
    checks[0] = n + U(S.check_count)


@kernel
def count_turns(S, turns):
    """Add the lead in life at the start of each turn: turns[first, turn, lead + 20, result of side a]."""
    result = side_result(S.winner, ZERO)
    for turn in range(ONE, U(min(I(S.turn), 255)) + ONE):
        lead = max(min(I(S.lead[turn]), 20), -20) + 20
        turns[U(S.first_seat), turn, U(lead), result] += 1

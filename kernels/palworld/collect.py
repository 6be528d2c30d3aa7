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
    """Add the game to the counts by card: cards[side, card, measure, copies, result].

    Games without a copy are left out: they are the rest of all games (`sim.collect.add_absent`).
    """
    for p in range(U(2)):
        result = side_result(S.winner, p)
        hand = S.kept[p] | S.drawn[p]
        count(T, cards, p, U(0), S.offered[p], result)
        count(T, cards, p, U(1), S.kept[p], result)
        count(T, cards, p, U(2), S.returned[p], result)
        count(T, cards, p, U(3), S.drawn[p] & ~S.kept[p], result)
        count(T, cards, p, U(4), hand, result)
        count(T, cards, p, U(5), S.played[p], result)
        count(T, cards, p, U(6), S.milled[p], result)
        count(T, cards, p, U(7), deck_set(S, T, p) & ~hand, result)
        later = hand
        for i in range(U(len(SEEN_TURNS))):
            turn = SEEN_TURNS[i]
            if S.turn < turn:
                break
            later = not_seen_by(S, p, later, turn)
            count(T, cards, p, U(8) + i, hand & ~later, result)


@hot
def count(T, cards, p, measure, m, result):
    """One more game for each card of a mask, with as many copies as the mask has; 15 stands for 15 or more (only a card
    without a deck limit has them)."""
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

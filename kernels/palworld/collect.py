"""What is kept of a finished game: one row, counts by card, damage checks, the course of the lead."""

from __future__ import annotations

from kernels.counts import count, count_seen, side_result
from kernels.jit import kernel, popcount
from kernels.palworld.cards import deck_set
from kernels.palworld.codes import ONE, U


@kernel
def write_row(S, T, row, g, swapped):
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
        row.lucky_held[p] = popcount((S.hand[p] | S.bases[p]) & T.lucky[p])
        row.luck_sum[p] = S.luck_sum[p]
        row.luck_var[p] = S.luck_var[p]
        row.milled[p] = popcount(S.milled[p])
        row.attacks[p] = S.attacks[p]
        row.blocks[p] = S.blocks[p]
        row.interrupts[p] = S.interrupts[p]
        row.played[p] = S.played_count[p]
        row.mulligan[p] = S.mulligans[p]
        row.options[p] = S.optioned[p]
        row.dead_turns[p] = S.dead_turns[p]
        row.stuck_turns[p] = S.stuck_turns[p]


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
        count_seen(S, T, cards, p, hand, result)


@kernel
def count_checks(S, checks):
    """Append the damage checks of the game; checks[0] counts the entries."""
    n = U(checks[0])
    for i in range(U(S.check_count)):
        checks[n + ONE + i] = S.check_log[i]
    checks[0] = n + U(S.check_count)

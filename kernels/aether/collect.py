"""What is kept of a finished game: one row, counts by card, the ends of turns."""

from __future__ import annotations

from kernels.aether.codes import ONE, ZERO, I, U
from kernels.counts import count, count_seen, side_result
from kernels.jit import kernel, popcount


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
        row.attacks[p] = S.attack_count[p]
        row.played[p] = S.played_count[p]
        row.mulligan[p] = S.mulligans[p]
        row.options[p] = S.optioned[p]
        row.dead_turns[p] = S.dead_turns[p]
        row.stuck_turns[p] = S.stuck_turns[p]
        row.charges[p] = popcount(S.charges[p])
        row.aether[p] = S.total[p]
        row.spells[p] = S.spells[p]
        row.fronts[p] = S.fronts[p]
        row.backs[p] = S.backs[p]
        row.tokens[p] = S.tokens[p]
        row.faces[p] = S.faces[p]
        row.moves[p] = S.moves[p]
        row.kills[p] = S.kills[p]
        row.burned[p] = S.burned[p]


@kernel
def deck_set(S, p):
    """Cards of a deck as a mask."""
    m = ZERO
    for i in range(U(S.deck_count[p])):
        m |= ONE << U(S.deck[p, i])
    return m


@kernel
def count_cards(S, T, cards):
    """Add the game to the counts by card: cards[side, card, measure, copies, result]."""
    for p in range(U(2)):
        result = side_result(S.winner, p)
        hand = S.kept[p] | S.drawn[p]
        count(T, cards, p, U(0), S.offered[p], result)
        count(T, cards, p, U(1), S.kept[p], result)
        count(T, cards, p, U(2), S.returned[p], result)
        count(T, cards, p, U(3), S.drawn[p] & ~S.kept[p], result)
        count(T, cards, p, U(4), hand, result)
        count(T, cards, p, U(5), S.played[p], result)
        count(T, cards, p, U(6), S.charges[p], result)
        count(T, cards, p, U(7), deck_set(S, p) & ~hand, result)
        count_seen(S, T, cards, p, hand, result)


@kernel
def count_own(S, own):
    """Append the ends of turns of the game; own[0] counts the entries."""
    n = U(own[0])
    for i in range(U(S.curve_count)):
        own[n + ONE + i] = S.curve[i]
    own[0] = n + U(I(S.curve_count))

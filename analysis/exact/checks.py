"""Damage checks on a shuffled deck, exactly (CR 11.2.2, statistics 0).

A check of strike n turns cards from the top of the deck into the graveyard until one is lucky, or n have been turned,
or the deck is empty. A lucky card prevents the whole damage; otherwise the player loses n life, all at once.

Everything is counted in integers. A history of checks fixes which of the turned cards were lucky, and leaves n cards
with k lucky ones in any of C(n, k) patterns: so the probability of a state is (number of histories that lead to it)
x C(n, k) / C(deck, lucky), and only the last step makes a fraction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb

State = tuple[int, int, int]
"""Cards in the deck, lucky ones among them, damage taken so far."""


def validate(deck: int, lucky: int) -> None:
    if deck < 0:
        raise ValueError(f"a deck has 0 or more cards, not {deck}")
    if not 0 <= lucky <= deck:
        raise ValueError(f"a deck of {deck} cards has 0 to {deck} lucky ones, not {lucky}")


def stop(deck: int, lucky: int, strike: int) -> Fraction:
    """P(a check of `strike` finds a lucky card): 1 - C(deck-lucky, n)/C(deck, n) with n = min(strike, deck)."""
    validate(deck, lucky)
    n = max(0, min(strike, deck))
    return 1 - Fraction(comb(deck - lucky, n), comb(deck, n))


def milled(deck: int, lucky: int, strike: int) -> Fraction:
    """E[cards turned by one check]: a card is turned if none before it is lucky."""
    validate(deck, lucky)
    turned = range(max(0, min(strike, deck)))
    return sum((1 - stop(deck, lucky, before) for before in turned), Fraction(0))


def life_lost(deck: int, lucky: int, strike: int) -> Fraction:
    """E[life lost in one check]: the whole strike, or nothing."""
    return max(0, strike) * (1 - stop(deck, lucky, strike))


def opening(deck: int, lucky: int, hand: int = 5) -> list[Fraction]:
    """P(k lucky cards in an opening hand), k = 0..hand (hypergeometric)."""
    validate(deck, lucky)
    if not 0 <= hand <= deck:
        raise ValueError(f"a hand from {deck} cards has 0 to {deck} cards, not {hand}")
    return [Fraction(comb(lucky, k) * comb(deck - lucky, hand - k), comb(deck, hand)) for k in range(hand + 1)]


def one_check(state: State, strike: int) -> Iterator[tuple[State, bool]]:
    """Every way one check can go: the state after it, and whether it was stopped. Each is one pattern of cards."""
    deck, lucky, damage = state
    strike = max(0, strike)
    turned = min(strike, deck)
    if lucky:
        for cards in range(1, min(turned, deck - lucky + 1) + 1):
            yield (deck - cards, lucky - 1, damage), True
    if turned <= deck - lucky:
        yield (deck - turned, lucky, damage + strike), False


def histories(deck: int, lucky: int, strikes: Sequence[int]) -> Iterator[Counter[State]]:
    """How many histories lead to each state, before the first check and after each."""
    validate(deck, lucky)
    ways_to = Counter({(deck, lucky, 0): 1})
    yield ways_to
    for strike in strikes:
        following: Counter[State] = Counter()
        for state, ways in ways_to.items():
            for next_state, _ in one_check(state, strike):
                following[next_state] += ways
        ways_to = following
        yield ways_to


def after(deck: int, lucky: int, strikes: Sequence[int]) -> dict[State, Fraction]:
    """Distribution of the state after a sequence of checks on a uniformly shuffled deck.

    A check on an empty deck turns nothing and does its whole damage; in a game the player has lost by then.
    """
    *_, last = histories(deck, lucky, strikes)
    patterns = comb(deck, lucky)
    return {state: Fraction(ways * comb(*state[:2]), patterns) for state, ways in sorted(last.items())}


def stops(deck: int, lucky: int, strikes: Sequence[int]) -> list[Fraction]:
    """P(the i-th check is stopped), whatever the earlier checks did.

    While the deck cannot run out this equals `stop` on the full deck: the cards behind the last turned one are as
    well shuffled as the whole deck was (statistics 0, property b rests on the same).
    """
    patterns, answers = comb(deck, lucky), []
    for strike, ways_to in zip(strikes, histories(deck, lucky, strikes), strict=False):
        stopped = 0
        for state, ways in ways_to.items():
            stopped += ways * sum(comb(*then[:2]) for then, stop_found in one_check(state, strike) if stop_found)
        answers.append(Fraction(stopped, patterns))
    return answers


def damage(deck: int, lucky: int, strikes: Sequence[int]) -> dict[int, Fraction]:
    """Distribution of the total damage of a sequence of checks; the order of strikes is free while their sum fits."""
    totals: dict[int, Fraction] = {}
    for (_, _, total), p in after(deck, lucky, strikes).items():
        totals[total] = totals.get(total, Fraction(0)) + p
    return dict(sorted(totals.items()))


def at_least(distribution: dict[int, Fraction]) -> dict[int, Fraction]:
    """P(total >= x) for every total x that can happen."""
    left, tail = Fraction(1), {}
    for total, p in sorted(distribution.items()):
        tail[total] = left
        left -= p
    return tail


def kill(distribution: dict[int, Fraction], life: int) -> Fraction:
    """P(total damage >= life)."""
    return sum((p for total, p in distribution.items() if total >= life), Fraction(0))


def no_stop(deck: int, lucky: int, strikes: Sequence[int]) -> Fraction:
    """P(no check is stopped): C(deck-lucky, S)/C(deck, S) for every split of S (statistics 0, property a)."""
    return 1 - stop(deck, lucky, sum(max(0, s) for s in strikes))


def expected(distribution: dict[int, Fraction]) -> Fraction:
    return sum((value * p for value, p in distribution.items()), Fraction(0))

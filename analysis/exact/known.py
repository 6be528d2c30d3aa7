"""Damage checks where some places of the deck are known, and how many checks a player survives (statistics 0, 3.13).

A card that was put on top or on the bottom of a deck, or looked at and left, is known; all others are as well shuffled
as before. A history of checks fixes which of the turned unknown cards were lucky; the unknown ones that are left lie in
any of C(n, k) patterns. So everything is counted in integers, as in `analysis.exact.checks`, and only the last step
divides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb

from analysis.exact.checks import validate

Place = tuple[int, int, int]
"""Cards turned so far, unknown lucky ones among them, damage taken so far."""


class Deck:
    """A deck by place from the top: lucky, not lucky, or unknown.

    cards: all; lucky: lucky ones among all; known: place from the top (0 is the next card) to whether it is lucky.
    Raises ValueError where the known cards do not fit into the deck.
    """

    def __init__(self, cards: int, lucky: int, known: Mapping[int, bool] | None = None) -> None:
        validate(cards, lucky)
        self.cards, self.lucky, self.known = cards, lucky, dict(known or {})
        if any(not 0 <= place < cards for place in self.known):
            raise ValueError(f"more cards are known than the {cards} of the deck")
        self.unknown = cards - len(self.known)
        self.hidden = lucky - sum(self.known.values())
        """Lucky cards in unknown places."""
        if not 0 <= self.hidden <= self.unknown:
            raise ValueError(
                f"{sum(self.known.values())} lucky cards are known and {self.unknown} places are not: "
                f"{lucky} lucky cards do not fit"
            )
        left = [0] * (cards + 1)
        for place in range(cards - 1, -1, -1):
            left[place] = left[place + 1] + (place not in self.known)
        self._left = left
        self.patterns = comb(self.unknown, self.hidden)

    def weight(self, state: Place) -> int:
        """In how many patterns the cards behind the last turned one can lie."""
        turned, found, _ = state
        return comb(self._left[turned], self.hidden - found)

    def check(self, state: Place, strike: int) -> Iterator[tuple[Place, bool]]:
        """Every way one check can go, and whether it was stopped. Each is one pattern of the unknown cards it turns."""
        turned, found, damage = state
        for place in range(turned, min(turned + max(0, strike), self.cards)):
            kind = self.known.get(place)
            if kind is True:
                yield (place + 1, found, damage), True
                return
            if kind is None and found < self.hidden:
                yield (place + 1, found + 1, damage), True
        end = min(turned + max(0, strike), self.cards)
        if self._left[end] >= self.hidden - found:
            yield (end, found, damage + max(0, strike)), False

    def after(self, ways_to: Mapping[Place, int], strike: int) -> tuple[Counter[Place], int]:
        """Histories by state after one more check, and the weight of those in which it was stopped."""
        following: Counter[Place] = Counter()
        stopped = 0
        for state, ways in ways_to.items():
            for then, stop in self.check(state, strike):
                following[then] += ways
                stopped += ways * self.weight(then) * stop
        return following, stopped

    def p(self, weight: int) -> Fraction:
        return Fraction(weight, self.patterns)


def outcomes(deck: Deck, strikes: Sequence[int]) -> tuple[list[Fraction], dict[Place, Fraction]]:
    """P(the i-th check is stopped), whatever the earlier ones did, and the distribution of the state after all."""
    ways_to: Mapping[Place, int] = {(0, 0, 0): 1}
    stops = []
    for strike in strikes:
        ways_to, stopped = deck.after(ways_to, strike)
        stops.append(deck.p(stopped))
    return stops, {state: deck.p(ways * deck.weight(state)) for state, ways in sorted(ways_to.items())}


def kill_curve(deck: Deck, strikes: Sequence[int], life: int) -> list[Fraction]:
    """P(total damage >= life) after 1, 2, ... checks of a sequence (statistics 3.13)."""
    ways_to: Mapping[Place, int] = {(0, 0, 0): 1}
    curve = []
    for strike in strikes:
        ways_to, _ = deck.after(ways_to, strike)
        dead = sum(ways * deck.weight(state) for state, ways in ways_to.items() if state[2] >= life)
        curve.append(deck.p(dead))
    return curve


def checks_to_lose(deck: Deck, strikes: Sequence[int], life: int) -> dict[int, Fraction]:
    """P(a player with `life` life loses in the n-th check), by n (statistics 3.13).

    The strikes are repeated in their order. A player loses without life (CR 11.3.1) and without a deck (CR 11.3.2), so
    that no deck outlasts as many checks as it has cards.
    """
    ways_to: Mapping[Place, int] = {(0, 0, 0): 1}
    lost: dict[int, Fraction] = {}
    for n in range(1, deck.cards + 1):
        following, _ = deck.after(ways_to, max(1, strikes[(n - 1) % len(strikes)]))
        over = {state for state in following if state[2] >= life or state[0] == deck.cards}
        p = deck.p(sum(following[state] * deck.weight(state) for state in over))
        if p:
            lost[n] = p
        ways_to = {state: ways for state, ways in following.items() if state not in over}
        if not ways_to:
            break
    return lost


def known_places(cards: int, top: str = "", bottom: str = "") -> dict[int, bool]:
    """Known places from two texts with a letter a card: L lucky, x not lucky, ? unknown.

    top: from the next card on; bottom: up to the last card. Raises ValueError for another letter, or too many.
    """
    letters = {"L": True, "l": True, "x": False, "X": False, "?": None}
    for text in (top, bottom):
        wrong = next((letter for letter in text if letter not in letters), None)
        if wrong is not None:
            raise ValueError(f"{wrong!r} in {text!r}: a letter a card, L lucky, x not lucky, ? unknown")
    if len(top) + len(bottom) > cards:
        raise ValueError(f"{len(top) + len(bottom)} places are given, and the deck has {cards} cards")
    places = [*enumerate(top), *enumerate(bottom, cards - len(bottom))]
    return {place: kind for place, letter in places if (kind := letters[letter]) is not None}

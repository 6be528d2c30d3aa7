"""The answer of `cardmill lucky`: one sequence of strikes against one deck, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from analysis.exact import checks, known

MOST_STRIKES = 60
MOST_CARDS = 250


@dataclass(frozen=True)
class Check:
    """One check of the sequence. `stop` holds whatever the earlier checks did, `stop_if_none` if none was stopped."""

    strike: int
    stop: Fraction
    stop_if_none: Fraction

    def to_dict(self) -> dict[str, Any]:
        return {
            "strike": self.strike,
            "stop": str(self.stop),
            "stop_p": float(self.stop),
            "stop_if_none": str(self.stop_if_none),
            "stop_if_none_p": float(self.stop_if_none),
        }


@dataclass(frozen=True)
class LuckyAnswer:
    """What a sequence of damage checks does to a shuffled deck. All probabilities are exact fractions.

    `kill` counts damage only; `deck_out` is the probability that the last card is turned, which loses the game too.
    With a life, `kill_curve` is `kill` after each check of the sequence, and `checks_to_lose` the number of checks
    until the player loses where the strikes are repeated. `top`, `bottom`: known cards, as in `known_places`.
    """

    deck: int
    lucky: int
    strikes: tuple[int, ...]
    life: int | None
    checks: tuple[Check, ...]
    damage: dict[int, Fraction]
    at_least: dict[int, Fraction]
    kill: Fraction | None
    expected_damage: Fraction
    expected_milled: Fraction
    deck_out: Fraction
    top: str = ""
    bottom: str = ""
    kill_curve: tuple[Fraction, ...] = ()
    checks_to_lose: dict[int, Fraction] = field(default_factory=dict)

    @property
    def known(self) -> dict[int, bool]:
        """Known places of the deck."""
        return known.known_places(self.deck, self.top, self.bottom)

    @property
    def mean_checks(self) -> Fraction | None:
        """Expected number of checks until the player loses, where life is given."""
        return checks.expected(self.checks_to_lose) if self.checks_to_lose else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: fractions as "29/70", probabilities as floats, totals as strings."""
        return {
            "deck": self.deck,
            "lucky": self.lucky,
            "strikes": list(self.strikes),
            "life": self.life,
            "checks": [check.to_dict() for check in self.checks],
            "damage": {str(total): float(p) for total, p in self.damage.items()},
            "damage_fractions": {str(total): str(p) for total, p in self.damage.items()},
            "at_least": {str(total): float(p) for total, p in self.at_least.items()},
            "kill": None if self.kill is None else float(self.kill),
            "kill_fraction": None if self.kill is None else str(self.kill),
            "expected_damage": float(self.expected_damage),
            "expected_milled": float(self.expected_milled),
            "deck_out": float(self.deck_out),
            "known": {"top": self.top, "bottom": self.bottom},
            "kill_curve": [float(p) for p in self.kill_curve],
            "kill_curve_fractions": [str(p) for p in self.kill_curve],
            "checks_to_lose": {str(n): float(p) for n, p in self.checks_to_lose.items()},
            "mean_checks_to_lose": None if self.mean_checks is None else float(self.mean_checks),
        }


def lucky(
    deck: int, lucky: int, strikes: Sequence[int], life: int | None = None, top: str = "", bottom: str = ""
) -> LuckyAnswer:
    """Exact answer for checks of the given strikes on a deck that is shuffled but for known cards (statistics 0, 3.13).

    deck: cards, 1..250; lucky: lucky ones among them, known ones too; strikes: each 1 or more, at most 60 of them;
    life: 1 or more; top, bottom: a letter a card, L lucky, x not lucky, ? unknown. Raises ValueError in words.
    """
    if not 1 <= deck <= MOST_CARDS:
        raise ValueError(f"the deck must have 1 to {MOST_CARDS} cards, not {deck}")
    checks.validate(deck, lucky)
    if not strikes or len(strikes) > MOST_STRIKES:
        raise ValueError(f"give 1 to {MOST_STRIKES} strikes, not {len(strikes)}")
    for strike in strikes:
        if not 1 <= strike <= 1000:
            raise ValueError(f"a strike is a whole number from 1 to 1000, not {strike}")
    if life is not None and life < 1:
        raise ValueError(f"life is 1 or more, not {life}")
    cards = known.Deck(deck, lucky, known.known_places(deck, top, bottom))
    stops, states = known.outcomes(cards, strikes)
    totals: dict[int, Fraction] = {}
    for (_, _, total), p in states.items():
        if p:
            totals[total] = totals.get(total, Fraction(0)) + p
    totals = dict(sorted(totals.items()))
    each = []
    for i, (strike, p) in enumerate(zip(strikes, stops, strict=True)):
        each.append(Check(strike, p, _if_none(cards, strikes[:i], strike)))
    return LuckyAnswer(
        deck=deck,
        lucky=lucky,
        strikes=tuple(strikes),
        life=life,
        checks=tuple(each),
        damage=totals,
        at_least=checks.at_least(totals),
        kill=None if life is None else checks.kill(totals, life),
        expected_damage=checks.expected(totals),
        expected_milled=sum((turned * p for (turned, _, _), p in states.items()), Fraction(0)),
        deck_out=sum((p for (turned, _, _), p in states.items() if turned == deck), Fraction(0)),
        top=top,
        bottom=bottom,
        kill_curve=() if life is None else tuple(known.kill_curve(cards, strikes, life)),
        checks_to_lose={} if life is None else known.checks_to_lose(cards, strikes, life),
    )


def _if_none(cards: known.Deck, before: Sequence[int], strike: int) -> Fraction:
    """P(a check is stopped | none before it was); where an earlier stop is certain, the check on what is left then."""
    turned = sum(before)
    none = cards.weight((min(turned, cards.cards), 0, 0)) if not _lucky_known(cards, 0, turned) else 0
    if not none:
        left = max(cards.lucky, cards.cards - turned)
        return checks.stop(left, cards.lucky, strike)
    end = min(turned + strike, cards.cards)
    still = cards.weight((end, 0, 0)) if not _lucky_known(cards, turned, end) else 0
    return 1 - Fraction(still, none)


def _lucky_known(cards: known.Deck, start: int, end: int) -> bool:
    """A card that is known to be lucky lies in these places."""
    return any(lucky and start <= place < end for place, lucky in cards.known.items())

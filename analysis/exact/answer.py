"""The answer of `cardmill lucky`: one sequence of strikes against one deck, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from analysis.exact import checks

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
        }


def lucky(deck: int, lucky: int, strikes: Sequence[int], life: int | None = None) -> LuckyAnswer:
    """Exact answer for checks of the given strikes on a shuffled deck (statistics 0, 3.13).

    deck: cards, 1..250; lucky: lucky ones among them; strikes: each 1 or more, at most 60 of them; life: 1 or more.
    Raises ValueError with words for a person.
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
    states = checks.after(deck, lucky, strikes)
    totals = checks.damage(deck, lucky, strikes)
    each = []
    for i, (strike, p) in enumerate(zip(strikes, checks.stops(deck, lucky, strikes), strict=True)):
        # Where an earlier stop is certain, the condition never happens: the deck has only lucky cards left.
        left = max(lucky, deck - sum(strikes[:i]))
        each.append(Check(strike, p, checks.stop(left, lucky, strike)))
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
        expected_milled=sum(((deck - cards) * p for (cards, _, _), p in states.items()), Fraction(0)),
        deck_out=sum((p for (cards, _, _), p in states.items() if cards == 0), Fraction(0)),
    )

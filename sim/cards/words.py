"""Abilities in English, made from their parsed form: exact enough to be compared with the printed card.

What all games share; a game adds its words (sim/games/<game>/words.py).
"""

from __future__ import annotations

import importlib
import re

from sim.cards import ast


def ability_words(ability: ast.Ability, card: ast.Card) -> str:
    """One ability of `card` in English."""
    return importlib.import_module(f"sim.games.{card.game}.words").Words(ability, card).ability()


def upper(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def is_one(amount: ast.Amount | None) -> bool:
    """Whether it is the number 1."""
    return amount == ast.Amount(1)


class Printer:
    """Prints one ability. It remembers what was chosen and looked at, to say "it" or "them" and "that card"."""

    def __init__(self, ability: ast.Ability, card: ast.Card) -> None:
        self.whole, self.card = ability, card
        self.one_chosen = True
        self.chosen = ast.Filter()
        self.one_looked = False
        self.some_left = False  # whether the sentence before concerned the looked-at card only if it fits

    # What a game adds

    def ability(self) -> str:
        """The whole ability."""
        raise NotImplementedError

    def _do(self, do: ast.Do) -> str:
        raise NotImplementedError

    def _target(self, target: ast.Target | None, subject: bool = False) -> str:
        """What a verb is done to; subject: it stands in front of the verb."""
        raise NotImplementedError

    def _cards(self, what: ast.Filter, amount: ast.Amount, short: bool = False) -> str:
        """What follows a number: `Pal`, `of your Pals`, `Pals in your graveyard`."""
        raise NotImplementedError

    def _compare(self, when: ast.Compare) -> str:
        raise NotImplementedError

    def _term(self, amount: ast.Amount) -> str:
        raise NotImplementedError

    def _more_conditions(self, when: ast.Condition) -> str:
        """Conditions that only this game has."""
        raise NotImplementedError

    # effects

    def _sentences(self, effects: tuple[ast.Effect, ...]) -> str:
        """The effects as sentences; the first starts small."""
        return ". ".join(upper(text) if i else text for i, text in enumerate(map(self._effect, effects)))

    def _block(self, effects: tuple[ast.Effect, ...]) -> str:
        """The effects as one part of a sentence."""
        return ", then ".join(map(self._effect, effects))

    def _effect(self, effect: ast.Effect) -> str:
        match effect:
            case ast.Do():
                return self._do(effect)
            case ast.Choose():
                return self._choose(effect)
            case ast.If():
                text = f"if {self._condition(effect.when)}, {self._block(effect.then)}"
                return text + (f"; otherwise, {self._block(effect.otherwise)}" if effect.otherwise else "")
            case ast.Repeat():
                number, tail = self._number(effect.times)
                return f"do this {number} times{tail}: {self._block(effect.body)}"
            case ast.Modes():
                fresh = " that was not chosen this turn" if effect.fresh else ""
                bodies = " / ".join(f"({i}) {self._block(body)}" for i, body in enumerate(effect.bodies, 1))
                return f"choose one{fresh} of {{{bodies}}}"
            case ast.May():
                text = f"you may {self._block(effect.body)}"
                self.some_left = False
                return text
            case ast.Delay():
                return f"at the end of this turn, {self._block(effect.body)}"

    def _choose(self, effect: ast.Choose) -> str:
        verb = "your opponent chooses" if effect.who == "enemy" else "also choose" if effect.keep else "choose"
        self.one_chosen = is_one(effect.high) and not effect.keep
        self.chosen = effect.what
        if effect.high == ast.Amount(times=1, term="count", what=effect.what):
            number, tail = "any number of", ""
        else:
            number, tail = self._number(effect.high)
            number = number if effect.low == effect.high else f"up to {number}"
        different = ", all with different card names" if effect.different_names else ""
        cards = self._cards(effect.what, effect.high)
        if effect.who == "enemy":
            cards = cards.replace("your opponent's", "their")
        return f"{verb} {number} {cards}{different}{tail}"

    def _is_single(self, target: ast.Target | None) -> bool:
        if isinstance(target, ast.Filter):
            return target.zone == "looked" and self.one_looked
        return self.one_chosen if target == "them" else target != "paid"

    def _compared(self, op: str, amount: ast.Amount) -> str:
        value = self._amount(amount)
        if amount.term:
            return {"<=": "at most ", ">=": "at least ", "==": "exactly "}[op] + value
        return {"<=": f"{value} or less", ">=": f"{value} or more", "==": f"exactly {value}"}[op]

    # conditions

    def _condition(self, when: ast.Condition) -> str:
        match when:
            case ast.All():
                return " and ".join(map(self._condition, when.of))
            case ast.Not(of=ast.Flag()):
                return self._more_conditions(when)
            case ast.Not():
                return f"it is not so that {self._condition(when.of)}"
            case ast.Compare():
                return self._compare(when)
            case _:
                return self._more_conditions(when)

    # numbers

    def _number(self, amount: ast.Amount) -> tuple[str, str]:
        """A number inside a sentence and what has to be said about it at the end."""
        if not amount.term or amount.term == "x":
            return self._amount(amount), ""
        return "N", f", where N is {self._amount(amount)}"

    def _amount(self, amount: ast.Amount) -> str:
        if not amount.term:
            return str(amount.const)
        text = self._term(amount)
        if amount.times != 1:
            text = f"{amount.times} times {text}"
        if amount.const:
            text += f" {'plus' if amount.const > 0 else 'minus'} {abs(amount.const)}"
        return text


def article(noun: str) -> str:
    """A noun with its article."""
    return ("an " if noun[:1] in "aeiouAEIOU" else "a ") + noun


def agree(text: str, one_amount: bool, one_target: bool) -> str:
    """Resolve `card(s)` by the amount, and `get(s)`, `do(es)` by the target."""

    def form(found: re.Match[str]) -> str:
        word, ending = found[1], found[2]
        noun = word in ("card", "soul", "token")
        return word + (ending if (not one_amount if noun else one_target) else "")

    return re.sub(r"(\w+)\((s|es)\)", form, text)

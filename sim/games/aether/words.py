"""Abilities of Aether cards in English, made from their parsed form."""

from __future__ import annotations

from collections.abc import Iterable

from sim.cards import ast
from sim.cards.words import Printer, agree, is_one, upper
from sim.games.aether.vocabulary import VERBS

_EVENTS = {
    "summoned": "When summoned from hand",
    "destroyed": "When destroyed",
    "turn_start": "At the start of your turn",
    "turn_end": "At the end of your turn",
    "each_turn_start": "At the start of each turn",
    "each_turn_end": "At the end of each turn",
}
_UNTIL = {"turn": "until end of turn"}
_WHERE = {"hand": "in {owner} hand", "graveyard": "in {owner} graveyard", "aether": "in {owner} aether zone"}


LEGEND = 6
"""The printed cost from which on a card is a legend, a frame colour without rules (AE-1.7, 1.8)."""


def is_legend(card: ast.Card) -> bool:
    """Whether the card is a legend; no token is."""
    return card.type != "token" and card.cost >= LEGEND


def line(card: ast.Card) -> Iterable[str]:
    """The facts of a card, as they stand under its name."""
    yield card.element
    yield f"legend {card.type}" if is_legend(card) else card.type
    if card.type != "token":
        yield f"cost {card.cost}"
    if card.attack is not None:
        yield f"{card.attack}/{card.hp}"
    yield from map(upper, card.keywords)
    if card.row:
        yield f"{card.row} row first"


class Words(Printer):
    """Prints one ability of an Aether card."""

    def ability(self) -> str:
        ability = self.whole
        if ability.kind == "cont":
            zone = "In your hand, " if ability.zone == "hand" else ""
            when = f"while {self._condition(ability.when)}, " if ability.when is not None else ""
            return upper(zone + when + "; ".join(map(self._static, ability.statics)))
        text = self._sentences(ability.effects)
        return upper(text) if ability.trigger is None else f"{_EVENTS[ability.trigger.event]}, {text}"

    def _static(self, static: ast.Static) -> str:
        if static.kind == "keyword":
            return f"this has {upper(static.word)}"
        if static.kind == "cost":
            assert static.amount is not None
            number, tail = self._number(static.amount)
            return f"this costs {number} less (not below 0){tail}"
        return f"this gets {change(static)}"

    def _do(self, do: ast.Do) -> str:
        number, tail = self._number(do.amount) if do.amount is not None else ("", "")
        single = self._is_single(do.target)
        words = VERBS[do.verb].words
        if do.verb == "return":
            assert isinstance(do.target, ast.Filter)
            many = "" if is_one(do.amount) else "s"
            other = "other " if do.target.other else ""
            return f"return {number} {other}{self._noun(do.target, bool(many))} to your hand{tail}"
        text = words.format(
            amount=number,
            target=self._target(do.target, words.startswith("{target}")),
            until=_UNTIL.get(do.until, ""),
            word=self._word(do),
            change=change(do),
            who="your opponent" if do.who == "enemy" else "",
        )
        text = agree(text, is_one(do.amount), single).replace("top 1 card", "top card")
        if do.who == "enemy":
            text = text.replace("discard ", "discards ")
        return " ".join(text.split()) + tail

    def _word(self, do: ast.Do) -> str:
        if do.verb == "ramp":
            return ", used" if do.word else ""
        return do.word if do.verb == "summon" else upper(do.word)

    def _target(self, target: ast.Target | None, subject: bool = False) -> str:
        if isinstance(target, ast.Filter):
            return self._all(target)
        if target == "this":
            return "this"
        return "it" if self.one_chosen else "they" if subject else "them"

    def _all(self, what: ast.Filter) -> str:
        return f"all {self._owned(what, True)}"

    def _cards(self, what: ast.Filter, amount: ast.Amount, short: bool = False) -> str:
        return self._owned(what, not is_one(amount))

    def _owned(self, what: ast.Filter, many: bool) -> str:
        owner = {"my": "ally ", "enemy": "enemy "}.get(what.side, "") if what.zone == "field" else ""
        return ("other " if what.other else "") + owner + self._noun(what, many)

    def _noun(self, what: ast.Filter, many: bool, place: bool = True) -> str:
        before, after = [], []
        for test in what.where:
            if isinstance(test.value, str):
                before.append(f"{'non-' * (test.op == 'not')}{_shown(test)}")
            else:
                after.append(f"with {test.key} {self._compared(test.op, test.value)}")
        types = " or ".join(name + ("s" if many else "") for name in what.types or ("card",))
        owner = "your opponent's" if what.side == "enemy" else "your"
        where = f" {_WHERE[what.zone].format(owner=owner)}" if what.zone != "field" else ""
        return " ".join([*before, types]) + where + "".join(f" {text}" for text in after)

    def _term(self, amount: ast.Amount) -> str:
        assert amount.what is not None
        return f"the number of {self._owned(amount.what, True)}"

    def _more_conditions(self, when: ast.Condition) -> str:
        assert isinstance(when, ast.Resonance)
        return f"you have {when.count} or more {upper(when.element)} aether"

    def _compare(self, when: ast.Compare) -> str:
        return f"{self._amount(when.left)} is {self._compared(when.op, when.right)}"


def change(node: ast.Do | ast.Static) -> str:
    """`+2/-1`."""
    if node.attack is None or node.hp is None:
        return ""
    return f"{node.attack.const:+d}/{node.hp.const:+d}"


def _shown(test: ast.Test) -> str:
    return upper(str(test.value)) if test.key in ("element", "keyword") else str(test.value)

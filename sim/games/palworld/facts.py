"""Printed facts of cards: names, keywords, and whether they pass a filter."""

from __future__ import annotations

from sim.cards.ast import Ability, Amount, Card, Filter, Test

NAME_TESTS = ("main", "name", "name_has")
MEANT = {"Taunt", "Stealth", "Assault", "Legendary"}
"""Keywords whose meaning is a continuous effect of their name."""


def has_name(test: Test, name: str) -> bool:
    """A test on names, for one full card name (CR 2.1.3, 2.1.4)."""
    main = name.partition(" – ")[0] if " – " in name else ""
    if test.key == "main":
        found = main == test.value
    elif test.key == "name":
        found = name == test.value
    else:
        found = str(test.value) in name
    return found == (test.op == "is")


def fits_facts(what: Filter, card: Card, named: bool = True, costed: bool = True) -> bool:
    """The printed facts of a card pass the filter; tests that depend on the game count as passed.

    named, costed: the tests on names, on cost count.
    """
    if what.types and card.type not in what.types:
        return False
    for test in what.where:
        if test.key == "cost":
            limit = test.value
            if costed and isinstance(limit, Amount) and not limit.term and not _cmp(card.cost, test.op, limit.const):
                return False
        elif test.key in NAME_TESTS:
            if named and not has_name(test, card.name):
                return False
        elif test.key == "keyword" and what.zone != "base":
            if (test.value in printed_keywords(card)) != (test.op == "is"):
                return False
        elif test.key in ("color", "element", "work", "subtype"):
            facts = {"color": (card.color,), "element": card.elements, "work": card.work, "subtype": (card.subtype,)}
            if (test.value in facts[test.key]) != (test.op == "is"):
                return False
    return True


def printed_keywords(card: Card) -> set[str]:
    """Keywords that are printed on a card."""
    return set().union(*map(keywords_of, card.abilities))


def keywords_of(ability: Ability) -> set[str]:
    """The keyword that an ability is, and those that it means (`cont: stealth; this gets power +100`)."""
    meant = {static.kind.title() for static in ability.statics if ability.when is None} & MEANT
    return meant | ({ability.keyword} if ability.keyword else set())


def _cmp(left: int, op: str, right: int) -> bool:
    return {"<=": left <= right, ">=": left >= right, "==": left == right}[op]

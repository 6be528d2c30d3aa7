"""How the cards of a scenario are called: ids, card numbers in any printing, and NUMBER#k."""

from __future__ import annotations

from collections.abc import Iterable

from sim.decks import Names as Catalogue
from sim.decks import fold
from sim.errors import nearest


class Names:
    """The names of all cards of a scenario.

    `swap` is called when a step names another copy than the one that stands for it in the engine: from then on each of
    the two interchangeable cards is called by the other's name.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.cards = catalogue.cards
        self.ids: dict[str, int] = {}
        self.copies: dict[str, list[int]] = {}  # card number -> objs, the k-th copy at k - 1
        self.number: dict[int, str] = {}

    def add(self, obj: int, number: str, name: str | None = None) -> None:
        self.number[obj] = number
        self.copies.setdefault(number, []).append(obj)
        if name is not None:
            self.ids[name] = obj

    def copy(self) -> Names:
        other = Names(self.catalogue)
        other.ids, other.number = dict(self.ids), dict(self.number)
        other.copies = {number: list(objs) for number, objs in self.copies.items()}
        return other

    def find(self, text: str) -> frozenset[int]:
        """The cards that a name may mean (empty: a known card that is not here); ValueError for an unknown name."""
        if text in self.ids:
            return frozenset((self.ids[text],))
        number_text, hash_, k = text.partition("#")
        number = self.catalogue.number(number_text)
        if number is None:
            raise ValueError(f"unknown card '{text}'{nearest(text, [*self.ids, *self.copies, *self.cards])}")
        objs = self.copies.get(number, [])
        if not hash_:
            return frozenset(objs)
        if not k.isdecimal() or not 1 <= int(k) <= len(objs):
            have = f"{number}#1 to {number}#{len(objs)}" if objs else "none"
            raise ValueError(f"there is no '{text}' in this position: of {number} it has {have}")
        return frozenset((objs[int(k) - 1],))

    def names_of(self, text: str) -> set[str]:
        """The whole card names that a text means: English, Japanese, or the number of a card."""
        number = self.catalogue.number(text)
        numbers = {number} if number else self.catalogue.whole.get(fold(text), set())
        return {self.cards[number].name for number in numbers}

    def label(self, obj: int) -> str:
        """The id, or the number (with #k where there are several copies)."""
        for name, named in self.ids.items():
            if named == obj:
                return name
        number = self.number[obj]
        copies = self.copies[number]
        return number if len(copies) == 1 else f"{number}#{copies.index(obj) + 1}"

    def labels(self, objs: Iterable[int]) -> str:
        return ", ".join(self.label(obj) for obj in objs) or "nothing"

    def swap(self, a: int, b: int) -> None:
        other = {a: b, b: a}
        self.ids = {name: other.get(obj, obj) for name, obj in self.ids.items()}
        number = self.number[a]
        self.copies[number] = [other.get(obj, obj) for obj in self.copies[number]]

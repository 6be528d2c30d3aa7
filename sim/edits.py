"""Changes to try out: a number of a card, a replaced card, a rule switch. What the command line says becomes card
files, decks and rules that a run can be played with.

An edited card keeps its number and an edited deck its slots, so that with the same seeds every other card lies where it
lay (common random numbers).
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sim.cards import card_files, load_cards
from sim.cards.ast import Card
from sim.decks import Deck, Names, Parsed, check_deck
from sim.errors import InputError, nearest
from sim.files import read_text

MOST_VALUES = 100
"""Values of a sweep; each is a run of its own."""

_SET = re.compile(r"(?P<card>.+)\.(?P<field>[a-z_]+(?:\.\d+)?)")
_COPIES = re.compile(r"(?P<card>.+?)\s+[xX×](?P<copies>\d+)")
_INTEGER = re.compile(r"[+-]?\d+")


class Edits(NamedTuple):
    """Changes that belong together. cards: changed TOML tables by card number; swaps: (old, new, copies or None);
    rules: switches; says: the changes as they were written."""

    cards: dict[str, dict[str, Any]]
    swaps: list[tuple[str, str, int | None]]
    rules: dict[str, int]
    says: list[str]


class Source:
    """The cards that a change starts from: those of the game and of the user's card files, as tables and parsed."""

    def __init__(self, game: str, files: Sequence[str | Path] = ()) -> None:
        from sim.games import load_game

        self.game = game
        self.cards: dict[str, Card] = load_cards(game, files)
        self.names = Names(self.cards)
        self.own: dict[str, dict[str, Any]] = {}
        for file in files:
            self.own |= tomllib.loads(read_text(file))
        module = load_game(game)
        self.rules: dict[str, int] = getattr(module, "RULES", {})
        self.ranges: dict[str, tuple[int, int]] = getattr(module, "RULE_RANGES", {})
        self._built_in: dict[str, dict[str, Any]] = {}

    def number(self, text: str, option: str) -> str:
        """The card that a text means. Raises InputError."""
        try:
            return self.names.find(text)
        except LookupError as error:
            raise InputError(f"{option}: {error.args[0]}") from None

    def table(self, number: str) -> dict[str, Any]:
        """A card as it stands in its file."""
        if number in self.own:
            return dict(self.own[number])
        if not self._built_in:
            for file in card_files(self.game):
                self._built_in |= tomllib.loads(file.read_text(encoding="utf-8"))
        return dict(self._built_in[number])

    # Reading what was asked

    def read(self, sets: Iterable[str], swaps: Iterable[str], rules: Iterable[str]) -> Edits:
        """Raises InputError for what cannot be meant."""
        edits = Edits({}, [], {}, [])
        for text in sets:
            left, equals, value = text.partition("=")
            if not equals:
                raise InputError(f"--set {text}: as in --set BP01-002.power=1400")
            self.set(edits, left.strip(), value.strip())
        for text in swaps:
            edits.swaps.append(self._swap(text))
            edits.says.append(f"{text}")
        for text in rules:
            name, equals, value = (part.strip() for part in text.partition("="))
            if not equals:
                raise InputError(f"--rule {text}: as in --rule life=12")
            edits.rules[name] = self.rule(name, value)
            edits.says.append(f"{name}={value}")
        return edits

    def set(self, edits: Edits, left: str, value: str) -> None:
        """Add `CARD.field=value` to the edits."""
        option = f"--set {left}={value}"
        match = _SET.fullmatch(left)
        if not match:
            raise InputError(f"{option}: as in --set BP01-002.power=1400")
        number, key = self.number(match["card"], option), match["field"]
        table = edits.cards.setdefault(number, self.table(number))
        if key.startswith("text."):
            table["abilities"] = self._with_number(number, table.get("abilities", []), int(key[5:]), value, option)
        else:
            table[key] = self._value(key, value, option)
        edits.says.append(f"{number}.{key}={value}")

    def _value(self, key: str, value: str, option: str) -> Any:
        from sim.cards.verbs import vocabulary

        fields: Mapping[str, tuple[Any, ...]] = vocabulary(self.game).FIELDS
        if key not in fields or key == "abilities":
            known = ", ".join(name for name in fields if name not in ("abilities", "note"))
            raise InputError(
                f"{option}: no field {key!r}{nearest(key, fields)} (known: {known}; text.N for the N-th number of its "
                "abilities)"
            )
        kind, *parts = fields[key]
        if kind is int:
            if not _INTEGER.fullmatch(value):
                raise InputError(f"{option}: {key} is a whole number")
            return int(value)
        if kind is bool:
            if value not in ("true", "false"):
                raise InputError(f"{option}: {key} is true or false")
            return value == "true"
        return [part.strip() for part in value.split(",") if part.strip()] if parts else value

    def _with_number(self, number: str, texts: Sequence[str], n: int, value: str, option: str) -> list[str]:
        """The texts of abilities with their n-th number replaced."""
        if not value.isdecimal():
            raise InputError(f"{option}: a number in a text is a whole number of 0 or more")
        places = [(i, match) for i, text in enumerate(texts) for match in re.finditer(r"\d+", text)]
        if not 1 <= n <= len(places):
            said = "; ".join(
                f"{k}: {texts[i][max(0, m.start() - 20) : m.end() + 12].strip()}" for k, (i, m) in enumerate(places, 1)
            )
            raise InputError(
                f"{option}: the abilities of {number} have {len(places)} numbers" + (f": {said}" if said else "")
            )
        at, match = places[n - 1]
        changed = list(texts)
        changed[at] = texts[at][: match.start()] + value + texts[at][match.end() :]
        return changed

    def _swap(self, text: str) -> tuple[str, str, int | None]:
        option = f"--swap {text}"
        old, equals, new = (part.strip() for part in text.partition("="))
        if not equals:
            raise InputError(f"{option}: as in --swap BP01-002=TD01-002, or 'BP01-002=TD01-002 x1' for one copy")
        copies = _COPIES.fullmatch(new)
        many = int(copies["copies"]) if copies else None
        return self.number(old, option), self.number(copies["card"] if copies else new, option), many

    def rule(self, name: str, value: str) -> int:
        """The value of a rule switch. Raises InputError."""
        option = f"--rule {name}={value}"
        if name not in self.rules:
            known = ", ".join(f"{key} ({now})" for key, now in self.rules.items()) or "none"
            raise InputError(f"{option}: {self.game} has no such switch{nearest(name, self.rules)} (known: {known})")
        low, high = self.ranges.get(name, (0, 10_000))
        if not _INTEGER.fullmatch(value) or not low <= int(value) <= high:
            raise InputError(f"{option}: a whole number from {low} to {high}")
        return int(value)

    def sweep(self, text: str) -> tuple[str, list[int]]:
        """`BP01-002.power=1000:1600:100`, `life=8:14`: what is swept, and its values."""
        option = f"--sweep {text}"
        left, equals, span = (part.strip() for part in text.partition("="))
        if not equals:
            raise InputError(f"{option}: as in --sweep BP01-002.power=1000:1600:100, or --sweep life=8:14:2")
        return left, self.span(span, option)

    @staticmethod
    def span(text: str, option: str) -> list[int]:
        """`LOW:HIGH` or `LOW:HIGH:STEP`, HIGH included."""
        parts = text.split(":")
        if len(parts) not in (2, 3) or not all(_INTEGER.fullmatch(part.strip()) for part in parts):
            raise InputError(f"{option}: from, to and step, as in 1000:1600:100")
        low, high, step = (*map(int, parts), 1)[:3]
        if step < 1 or high < low:
            raise InputError(f"{option}: the step is 1 or more, and the end not below the beginning")
        values = list(range(low, high + 1, step))
        if len(values) > MOST_VALUES:
            raise InputError(f"{option}: {len(values)} values; at most {MOST_VALUES}, each is a run of its own")
        return values

    # Making what is played

    def card_file(self, edits: Edits) -> str:
        """A card file with the user's cards and the changed ones; empty where there is none."""
        tables = self.own | edits.cards
        return "\n".join(f"[{_toml(number)}]\n{_body(table)}" for number, table in sorted(tables.items()))

    def decks(self, decks: Sequence[Deck], edits: Edits) -> list[Deck]:
        """The decks with their cards replaced, slot by slot. Raises InputError where there is nothing to replace."""
        changed = list(decks)
        for old, new, copies in edits.swaps:
            if not any(old in deck.counts for deck in decks):
                raise InputError(f"--swap: no deck has the card {old} {self.cards[old].name!r}")
            changed = [replaced(deck, old, new, copies) for deck in changed]
        return changed

    def faults(self, deck: Deck) -> str:
        """What makes a changed deck one that the deck rules forbid; empty where nothing does."""
        try:
            check_deck(Parsed(deck.name, deck.counts, {}), self.names)
        except InputError as error:
            return error.message
        return ""

    def lucky_dose(self, deck: Deck, k: int) -> tuple[Deck, dict[str, dict[str, Any]]]:
        """The deck with k of its lucky icons: the other copies become cards that lack the icon and nothing else."""
        slots, left, plain = deck.cards(), k, dict[str, dict[str, Any]]()
        for i, number in enumerate(slots):
            if not self.cards[number].lucky:
                continue
            if left > 0:
                left -= 1
                continue
            head, _, tail = number.partition("-")
            without = f"{head}-Z{tail}"
            plain[without] = self.table(number) | {"lucky": False, "subtype": "normal"}
            slots[i] = without
        return reordered(deck, slots), plain


def lucky_cards(deck: Deck, cards: Mapping[str, Card]) -> int:
    """Lucky icons of a deck."""
    return sum(count for number, count in deck.counts.items() if cards[number].lucky)


def replaced(deck: Deck, old: str, new: str, copies: int | None = None) -> Deck:
    """The deck with `copies` of a card (all without a number) replaced by another, slot by slot."""
    slots = deck.cards()
    places = [i for i, number in enumerate(slots) if number == old][: copies if copies is not None else len(slots)]
    for i in places:
        slots[i] = new
    return reordered(deck, slots) if places else deck


def reordered(deck: Deck, slots: Sequence[str]) -> Deck:
    """A deck with other cards in its slots."""
    counts = dict(sorted(Counter(slots).items()))
    order = tuple(slots)
    plain = tuple(number for number, n in counts.items() for _ in range(n))
    return msgspec.structs.replace(deck, counts=counts, order=() if order == plain else order)


def touched(before: Sequence[Deck], after: Sequence[Deck], edits: Edits) -> list[str]:
    """Names of the decks whose cards the edits change."""
    return [
        old.name
        for old, new in zip(before, after, strict=True)
        if old.cards() != new.cards() or any(number in new.counts for number in edits.cards)
    ]


def _toml(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _body(table: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_toml(value)}\n" for key, value in table.items())

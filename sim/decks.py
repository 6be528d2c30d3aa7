"""Deck files: TOML, or plain text as people paste it, and the rules of deck building
(sim/games/<game>/deckbuilding.py).

Every line of a list names one card by number (in any printing) or by name (English or Japanese, whole or only the main
name) and says how many copies. What cannot be understood is an error with its line; nothing is skipped in silence.
"""

from __future__ import annotations

import difflib
import functools
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path

import msgspec

from sim.cards.ast import Card
from sim.errors import DeckError, nearest
from sim.files import read_bytes

LONGEST = 80
"""Letters of an unknown name that are shown and compared; no card has a name of that length."""

BUILT_IN = Path(__file__).parent / "games"

# Card names hold no digits, so the digits at one end of a line are the copies; those of a card number are set apart.
_COUNT_FIRST = re.compile(r"(\d+)\s*(?:枚|[*×✕✖]|[xX](?![a-z]))?[\s,:;]*(.+)")
_COUNT_LAST = re.compile(r"(.+?)[\s,:;]*(?:[*×✕✖]|(?<![A-Za-z])[xX])?\s*\(?(\d+)\)?\s*枚?")
_BULLET = re.compile(r"^[-*•・]\s+")
_COMMENT = re.compile(r"\s*(#|//).*$")
_TOML_KEYS = {"name", "title", "game", "cards", "note"}


class Deck(msgspec.Struct, frozen=True):
    """A legal deck: copies by card number, sorted by number. `name` is unique in a run."""

    name: str
    counts: dict[str, int]
    path: str = ""
    title: str = ""
    order: tuple[str, ...] = ()
    """Card numbers by slot, where that is not the order of numbers: an edited deck keeps the places of its cards."""

    def cards(self) -> list[str]:
        """The card numbers in the order of slots: sorted, copies side by side, or as `order` says."""
        if self.order:
            return list(self.order)
        return [number for number, count in self.counts.items() for _ in range(count)]


class Line(msgspec.Struct, frozen=True):
    """One line of a list before it is looked up: `count` copies of the card that `text` names."""

    count: int
    text: str
    line: int


# ---------------------------------------------------------------------------------------------------------------
# names


@functools.lru_cache(maxsize=4096)  # the same few hundred names are compared again and again
def fold(text: str) -> str:
    """The form in which names are compared: no case, accents, punctuation, spaces, full-width letters."""
    plain = []
    for char in unicodedata.normalize("NFKC", text):
        # Accents go, but the voiced marks of kana are part of the letter.
        base = unicodedata.normalize("NFD", char)[0] if unicodedata.name(char, "").startswith("LATIN") else char
        plain.append(base)
    return "".join(char for char in "".join(plain).casefold() if char.isalnum())


class Names:
    """Finds a card by what people call it."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        self.cards = cards
        game = next((card.game for card in cards.values()), "palworld")
        self.rules = import_module(f"sim.games.{game}.deckbuilding")
        self.form = re.compile(
            rf"(?:(?<![A-Z0-9])|(?<=\dx)|(?<=\d)){self.rules.NUMBER}(?:(?![A-Z0-9])|(?=x\d))", re.IGNORECASE
        )
        self.numbers = {number.upper(): number for number in cards}
        self.whole: dict[str, set[str]] = {}
        self.main: dict[str, set[str]] = {}
        for number, card in cards.items():
            for name in filter(None, (card.name, card.name_ja)):
                self.whole.setdefault(fold(name), set()).add(number)
            # The main name stands before the dash in English and after it in Japanese (CR 2.1.3.2).
            japanese = card.name_ja.partition(" – ")[2]
            for name in filter(None, (card.main_name, japanese)):
                self.main.setdefault(fold(name), set()).add(number)

    def number(self, text: str) -> str | None:
        """The card that a number in any printing means: `EBP01-075SP` is BP01-075."""
        match = self.form.fullmatch(text)
        found = match.group(1) if match else text
        return self.numbers.get(found.upper())

    def find(self, text: str) -> str:
        """The number of the card that `text` means. Raises LookupError with a message for people."""
        text = unicodedata.normalize("NFKC", text).strip().strip("\"'“”").strip()
        number = self.number(text)
        if number:
            return number
        inside = self.form.search(text)
        if inside:
            return self._with_number(text, inside)
        folded = fold(text)
        for names in (self.whole, self.main):
            found = names.get(folded, set())
            if len(found) == 1:
                return next(iter(found))
            if found:
                raise LookupError(f"{text!r} fits several cards: {self.describe(found)}; write the number")
        if folded in self.rules.NO_CARDS:
            raise LookupError(f"{text!r}: {self.rules.NO_CARDS[folded]}")
        raise LookupError(f"unknown card {_short(text)!r}{self.suggest(text)}")

    def _with_number(self, text: str, inside: re.Match[str]) -> str:
        """A line that gives the number and perhaps the name beside it; the two must agree."""
        number = self.number(inside.group(0))
        if number is None:
            raise LookupError(f"unknown card number {inside.group(0)!r}{self.suggest(inside.group(0))}")
        rest = fold(text[: inside.start()] + " " + text[inside.end() :])
        if rest and number not in self.whole.get(rest, set()) | self.main.get(rest, set()):
            raise LookupError(f"{number} is {self.cards[number].name!r}, not what stands beside it: {_short(text)!r}")
        return number

    def describe(self, numbers: Iterable[str]) -> str:
        return ", ".join(f"{number} {self.cards[number].name!r}" for number in sorted(numbers))

    def suggest(self, text: str) -> str:
        """`; did you mean ...?` with numbers, for names that look alike."""
        if re.fullmatch(r"[A-Z]{2,4}\d*-\d+[A-Z]*", text, re.IGNORECASE):
            return nearest(text.upper(), self.cards)
        folded = fold(text)[:LONGEST]
        close = difflib.get_close_matches(folded, [*self.whole, *self.main], n=4, cutoff=0.6)
        begins = [name for name in self.whole if len(folded) >= 3 and name.startswith(folded)]
        numbers: list[str] = []
        for name in [*begins, *close]:
            numbers += sorted(self.whole.get(name, set()) | self.main.get(name, set()))
        known = list(dict.fromkeys(numbers))[:4]
        return f"; did you mean {' or '.join(self.describe([number]) for number in known)}?" if known else ""


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


# ---------------------------------------------------------------------------------------------------------------
# reading


def split_line(raw: str, names: Names, line: int = 0) -> Line | None:
    """One pasted line: how many copies of what; None for an empty line or a comment. Raises LookupError."""
    text = unicodedata.normalize("NFKC", raw).replace("\u200b", "").replace("\ufeff", "")
    text = _BULLET.sub("", _COMMENT.sub("", text).strip())
    if not text:
        return None
    if fold(text) in names.whole:
        return Line(1, text, line)
    number = names.form.search(text)
    held = text[: number.start()] + "\0" + text[number.end() :] if number else text
    if match := _COUNT_FIRST.fullmatch(held):
        count, name = _copies(match.group(1), names), match.group(2)
    elif match := _COUNT_LAST.fullmatch(held):
        count, name = _copies(match.group(2), names), match.group(1)
    else:
        count, name = 1, held
    return Line(count, name.replace("\0", number.group(0) if number else "").strip(), line)


def _copies(text: str, names: Names) -> int:
    count, most = int(text) if len(text) < 6 else 0, names.rules.SIZE
    if not 0 < count <= most:
        raise LookupError(f"{text} is not a number of copies between 1 and {most}")
    return count


def read_text(path: str | Path) -> str:
    """The text of a file that a person wrote: UTF-8 with or without a mark, or UTF-16 with one. Raises DeckError."""
    file = Path(path)
    try:
        if file.is_dir():
            raise DeckError("is a folder, not a deck file", str(path))
        data = read_bytes(file)
    except OSError as error:
        raise DeckError(f"cannot be read: {error.strerror or error}", str(path)) from None
    except ValueError as error:  # a NUL in the path
        raise DeckError(f"is not a path: {error}", repr(str(path))) from None
    try:
        wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        if b"\0" in data and not wide:
            raise DeckError("is a binary file, not a deck list", str(path))
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DeckError("is not text in UTF-8; save it as UTF-8", str(path), line) from None
    return text


MOST_NAME = 200
"""Characters of a deck's name."""


class Parsed(msgspec.Struct):
    """A deck file before the rules are applied."""

    name: str
    counts: dict[str, int]
    lines: dict[str, int]  # card number to the line where it last stood
    title: str = ""
    game: str = ""


def parse_deck(text: str, path: str, names: Names) -> Parsed:
    """The list in `text`; `path` decides the form (`.toml` or plain text) and names the file in errors."""
    toml = path.lower().endswith(".toml")
    parsed = _parse_toml(text, path, names) if toml else Parsed(Path(path).stem, {}, {})
    if not toml:
        _add_lines(parsed, enumerate(text.splitlines(), 1), path, names)
    parsed.name = unicodedata.normalize("NFC", parsed.name).strip()
    if not parsed.name:
        raise DeckError("the deck has no name; leave the line out, and it is called like its file", path)
    odd = next((c for c in parsed.name if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")), None)
    if odd is not None or len(parsed.name) > MOST_NAME:
        found = f"{len(parsed.name)} characters" if odd is None else f"the character U+{ord(odd):04X}"
        raise DeckError(
            f"its name has {found}; a name is one line of at most {MOST_NAME} characters (`name = ...` in a TOML file "
            "gives another one than the file has)",
            path,
        )
    if not parsed.counts:
        raise DeckError(
            f"holds no cards; a deck lists {names.rules.SIZE}, one card a line, as in '{names.rules.EXAMPLE}'", path
        )
    parsed.counts = dict(sorted(parsed.counts.items()))
    return parsed


def _add_lines(parsed: Parsed, lines: Iterable[tuple[int, str]], path: str, names: Names) -> None:
    faults: list[tuple[int, str]] = []
    for at, raw in lines:
        try:
            line = split_line(raw, names, at)
            if line is None:
                continue
            number = names.find(line.text)
        except LookupError as error:
            faults.append((at, error.args[0]))
            continue
        parsed.counts[number] = parsed.counts.get(number, 0) + line.count
        parsed.lines[number] = at
    _refuse(faults, path)


def _refuse(faults: list[tuple[int, str]], path: str) -> None:
    """Raise what is wrong in the lines of a file, if anything is: all of it at once."""
    if len(faults) == 1:
        raise DeckError(faults[0][1], path, faults[0][0])
    if faults:
        raise DeckError("; ".join(f"line {at}: {text}" for at, text in faults), path)


def _parse_toml(text: str, path: str, names: Names) -> Parsed:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+)", str(error))
        at = int(place.group(1)) if place else len(text.splitlines())
        raise DeckError(f"is not valid TOML: {error}", path, at) from None
    except RecursionError:
        raise DeckError("is nested too deeply to be a deck", path) from None
    for key in data:
        if key not in _TOML_KEYS:
            raise DeckError(
                f"unknown key {key!r}{nearest(key, _TOML_KEYS)} (known: {', '.join(sorted(_TOML_KEYS))})",
                path,
                _line_of(text, key),
            )
    for key in ("name", "title", "game", "note"):
        if not isinstance(data.get(key, ""), str):
            raise DeckError(f"{key!r} must be text, not {data[key]!r}", path, _line_of(text, key))
    parsed = Parsed(data.get("name", Path(path).stem), {}, {}, data.get("title", ""), data.get("game", ""))
    cards = data.get("cards", {})
    if isinstance(cards, str):
        cards = cards.splitlines()
    if isinstance(cards, list):
        for entry in cards:
            if not isinstance(entry, str):
                raise DeckError(
                    f"{entry!r} is not a line such as '{names.rules.EXAMPLE}'", path, _line_of(text, str(entry))
                )
        _add_lines(parsed, [(_line_of(text, entry), entry) for entry in cards], path, names)
        return parsed
    if not isinstance(cards, dict):
        count, number = names.rules.EXAMPLE.split()
        message = f"'cards' must be a table (\"{number}\" = {count}) or a list of lines"
        raise DeckError(message, path, _line_of(text, "cards"))
    faults: list[tuple[int, str]] = []
    for key, count in cards.items():
        at = _line_of(text, key)
        try:
            number = names.find(key)
        except LookupError as error:
            faults.append((at, error.args[0]))
            continue
        if type(count) is not int or not 0 < count <= names.rules.SIZE:
            faults.append((at, f"{key!r}: {count!r} is not a number of copies between 1 and {names.rules.SIZE}"))
            continue
        parsed.counts[number] = parsed.counts.get(number, 0) + count
        parsed.lines[number] = at
    _refuse(faults, path)
    return parsed


def _line_of(text: str, word: str) -> int:
    """Where `word` stands first, for messages; tomllib keeps no lines."""
    for at, line in enumerate(text.splitlines(), 1):
        if word in line:
            return at
    return 0


# ---------------------------------------------------------------------------------------------------------------
# rules


def check_deck(parsed: Parsed, names: Names, path: str = "") -> None:
    """The deck rules of the game. Raises DeckError with every rule that is broken."""
    total, size = sum(parsed.counts.values()), names.rules.SIZE
    off = f"{abs(total - size)} too {'many' if total > size else 'few'}"
    faults = [(0, f"{total} cards, {off}; a deck has exactly {size}")] if total != size else []
    broken = names.rules.faults(parsed.counts, names.cards)
    faults += [(parsed.lines.get(number, 0), text) for number, text in broken]
    if faults:
        raise DeckError("; ".join(text for _, text in faults), path, faults[0][0] if len(faults) == 1 else 0)


def built_in_decks(game: str = "palworld") -> dict[str, Path]:
    """The decks that come with the program, by name."""
    return {path.stem: path for path in sorted((BUILT_IN / game / "decks").glob("*.toml"))}


def load_deck(which: str | Path, cards: Mapping[str, Card], game: str = "palworld", names: Names | None = None) -> Deck:
    """A legal deck from a file, or a built-in one by its name. Raises DeckError.

    A text that names a built-in deck means that; a file of the same name is reached as `./name`.
    """
    text = str(which)
    built_in = built_in_decks(game)
    path = built_in.get(text)
    if path is None:
        path = Path(which)
        if not text.strip():
            raise DeckError(
                "an empty name names no deck; give a file, or a built-in deck such as " + next(iter(built_in))
            )
        if not path.exists():
            message = "no such deck file, and no built-in deck of this name"
            raise DeckError(message + nearest(path.stem or text, built_in), text)
    shown = str(path) if text not in built_in else f"built-in deck {text}"
    names = names or Names(cards)
    parsed = parse_deck(read_text(path), str(path), names)
    if parsed.game and parsed.game != game:
        raise DeckError(f"is a deck of the game {parsed.game!r}, not {game!r}", shown)
    check_deck(parsed, names, shown)
    return Deck(parsed.name, parsed.counts, text, parsed.title)


def load_decks(which: Iterable[str | Path], cards: Mapping[str, Card], game: str = "palworld") -> list[Deck]:
    """Several decks; their names must differ, because results are keyed by them."""
    names = Names(cards)
    decks: dict[str, Deck] = {}
    faults: list[DeckError] = []
    for one in which:
        try:
            deck = load_deck(one, cards, game, names)
        except DeckError as error:
            faults.append(error)
            continue
        if deck.name in decks:
            raise DeckError(
                f"a deck named {deck.name!r} is already in this run ({decks[deck.name].path}); names must differ"
                + (" (to play a deck against itself use --mirrors)" if decks[deck.name].counts == deck.counts else ""),
                str(one),
            )
        decks[deck.name] = deck
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise DeckError("\n".join(map(str, faults)))
    return list(decks.values())

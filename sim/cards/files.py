"""Card files: TOML, one table a card, read into `Card`s. Every fault is kept with its place, none is passed over."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from sim.cards.ast import Ability, Card, Do, nodes_of
from sim.cards.errors import CardError, LanguageError
from sim.cards.source import Source
from sim.cards.verbs import vocabulary
from sim.files import read_bytes
from sim.files import read_text as read_file_text

HERE = Path(__file__).parent
GAMES = HERE.parent / "games"

ANY_NUMBER = 50
"""Deck limit of a card that may be in a deck in any number: the size of a deck."""

_NAMES = {str: "a text", int: "a whole number", bool: "true or false", list: "a list"}
_NUMBER = re.compile(r"[A-Z][A-Z0-9]*-[A-Z]*[0-9]+")


class Reading(msgspec.Struct):
    """What a file held. `cards` are the sound ones; `drafts` are all that could be made out, for further checks;
    `abilities` are those of a card by their place in its list, None for one that cannot be read."""

    path: str
    source: Source
    game: str = "palworld"
    cards: dict[str, Card] = {}
    drafts: dict[str, Card] = {}
    abilities: dict[str, list[Ability | None]] = {}
    faults: list[CardError] = []

    def fault(self, place: tuple[int, int], message: str, hint: str = "", code: str = "C002") -> None:
        self.faults.append(CardError(message, self.path, *place, hint=hint, code=code))


# ---------------------------------------------------------------------------------------------------- one file


def read_file(path: str | os.PathLike[str], game: str = "palworld") -> Reading:
    """Read one card file. Raises CardError where the file cannot be read as TOML at all."""
    name = os.fspath(path)
    try:
        text = read_file_text(path)
    except UnicodeDecodeError:
        raise CardError("the file is not UTF-8 text", name, code="C000") from None
    except OSError as error:
        raise CardError(f"cannot read the file: {error.strerror or error}", name, code="C000") from None
    return read_text(text, name, game)


def read_text(text: str, path: str = "", game: str = "palworld") -> Reading:
    """Read the text of a card file; `path` is for messages."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _toml_error(error, path) from None
    except RecursionError:
        raise CardError("the file is nested too deeply", path) from None
    reading = Reading(path, Source(text), game)
    for number, table in tables.items():
        if not isinstance(table, dict):
            place = reading.source.of_key("", number)
            reading.fault(place, f"{number!r} stands outside of a card", 'start with a card number: ["XX01-001"]')
            continue
        faults = len(reading.faults)
        card = _card(number, table, reading)
        if card is not None:
            reading.drafts[number] = card
            if len(reading.faults) == faults:
                reading.cards[number] = card
    return reading


def _toml_error(error: tomllib.TOMLDecodeError, path: str) -> CardError:
    found = re.match(r"(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
    message, line, column = (found[1], int(found[2] or 0), int(found[3] or 0)) if found else (str(error), 0, 0)
    if twice := re.match(r"Cannot declare \('([^']*)',\) twice", message):
        return CardError(f"the card {twice[1]} stands twice in this file", path, line, column, code="C003")
    return CardError(f"this is not TOML: {message[:1].lower()}{message[1:]}", path, line, column)


def _card(number: str, table: Mapping[str, Any], reading: Reading) -> Card | None:
    words = vocabulary(reading.game)
    source, fault = reading.source, reading.fault
    if not _NUMBER.fullmatch(number):
        fault(source.of_table(number), f"{number!r} is no card number", "write it like XX01-001")
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in words.FIELDS:
            near = difflib.get_close_matches(key, words.FIELDS, n=2)
            hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(words.FIELDS)}"
            fault(source.of_key(number, key), f"unknown key {key!r}", hint, "C004")
        elif not _has_type(value, words.FIELDS[key]):
            kind, *parts = words.FIELDS[key]
            wanted = "a list of texts" if parts else _NAMES[kind]
            fault(source.of_key(number, key), f"{key} is {_shown(value)}", f"it must be {wanted}", "C005")
        else:
            values[key] = tuple(value) if isinstance(value, list) else value
    for key in words.REQUIRED:
        if key not in table:
            fault(source.of_table(number), f"the card {number} has no {key}", f"add a line `{key} = ...`", "C006")
    for key, known, code in words.FACTS:
        for index, word in enumerate(_listed(values.get(key))):
            if word not in known:
                place = source.of_string(number, key, index)
                fault(place, f"unknown {key.removesuffix('s')} {word!r}", _nearest(word, known), code)
    texts = enumerate(values.get("abilities", ()))
    abilities = [_ability(text, number, index, reading) for index, text in texts]
    reading.abilities[number] = abilities
    values["abilities"] = tuple(ability for ability in abilities if ability is not None)
    if any(key not in values for key in words.REQUIRED):
        return None
    if "deck_limit" not in values and any(s.kind == "deck_any" for a in values["abilities"] for s in a.statics):
        values["deck_limit"] = ANY_NUMBER
    return Card(number=number, set=number.partition("-")[0], game=reading.game, **values)


def _ability(text: str, number: str, index: int, reading: Reading) -> Ability | None:
    from sim.cards.language import parse_ability

    try:
        return parse_ability(text, reading.game)
    except LanguageError as error:
        place = reading.source.of_string(number, "abilities", index, error.offset)
        reading.fault(place, error.message, error.hint, "C001")
        return None


def _has_type(value: Any, wanted: tuple[type, ...]) -> bool:
    kind, *parts = wanted
    inner = value if parts and isinstance(value, list) else ()
    return type(value) is kind and all(type(part) is parts[0] for part in inner)


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= 40 else text[:37] + "..."


def _listed(value: Any) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (value,) if value is not None else ()


def _nearest(word: str, known: Iterable[str]) -> str:
    names = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold(), names, n=2)
    return f"did you mean {' or '.join(names[n] for n in near)}?" if near else f"known are {', '.join(names.values())}"


# ------------------------------------------------------------------------------------------------- all the files


def card_files(game: str = "palworld") -> list[Path]:
    """The card files of a game that belong to the project."""
    return sorted((GAMES / game / "cards").glob("*.toml"))


def load_cards(game: str = "palworld", extra: Iterable[str | os.PathLike[str]] = ()) -> dict[str, Card]:
    """All cards of a game by number, in the order of numbers. Cards of the `extra` files are added or replace others.

    Raises CardError at the first fault.
    """
    cards = dict(_built_in(game))
    added: dict[str, str] = {}
    for path in extra:
        for number, card in _cards_of(Path(path), game).items():
            if number in added:
                raise CardError(f"the card {number} stands in {added[number]} too", os.fspath(path), code="C003")
            added[number] = os.fspath(path)
            cards[number] = card
    return dict(sorted(_with_tokens(cards).items()))


def _with_tokens(cards: dict[str, Card]) -> dict[str, Card]:
    """The cards with the tokens that they make. Raises CardError for a token that no file has."""
    tokens = {number: card for number, card in cards.items() if card.type == "token"}
    if not tokens:
        return cards
    made = {number: _summoned(card) for number, card in cards.items()}
    whole = {}
    for number, card in cards.items():
        found: dict[str, Card] = {}
        waiting = list(made[number])
        while waiting:
            word = waiting.pop(0)
            if word not in tokens:
                raise CardError(f"the card {number} summons {word}, which is no token of these files", code="C034")
            if word not in found:
                found[word] = tokens[word]
                waiting += made[word]
        whole[number] = msgspec.structs.replace(card, makes=tuple(found.values()))
    return whole


def _summoned(card: Card) -> list[str]:
    """The numbers that the abilities of a card summon, each once."""
    return list(dict.fromkeys(n.word for n in nodes_of(card.abilities) if isinstance(n, Do) and n.verb == "summon"))


@cache
def _built_in(game: str) -> dict[str, Card]:
    if not (GAMES / game / "cards").is_dir():
        known = sorted(path.parent.name for path in GAMES.glob("*/cards"))
        raise CardError(f"unknown game {game!r}", hint=f"known are {', '.join(known)}")
    cards: dict[str, Card] = {}
    for path in card_files(game):
        for number, card in _cards_of(path, game).items():
            if number in cards:
                raise CardError(f"the card {number} stands in another file too", str(path), code="C003")
            cards[number] = card
    return cards


def _cards_of(path: Path, game: str) -> dict[str, Card]:
    """The cards of one file, from the cache where the same text was read before by the same code."""
    try:
        data = read_bytes(path)
    except OSError as error:
        raise CardError(f"cannot read the file: {error.strerror or error}", str(path), code="C000") from None
    kept = _cache_folder() / f"{hashlib.blake2b(_code_hash(game) + data, digest_size=12).hexdigest()}.msgpack"
    try:
        return {card.number: card for card in msgspec.msgpack.decode(kept.read_bytes(), type=list[Card])}
    except (OSError, msgspec.DecodeError):
        pass
    from sim.cards.lint import WARNINGS, check

    reading = read_file(path, game)
    check(reading)
    for fault in reading.faults:
        if fault.code not in WARNINGS:
            raise fault
    _keep(kept, msgspec.msgpack.encode(list(reading.cards.values())))
    return reading.cards


def _keep(path: Path, data: bytes) -> None:
    """Write a cache file complete or not at all; without a cache everything still works."""
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _cache_folder() -> Path:
    """`CARDMILL_CACHE`, else the user's cache folder."""
    named = os.environ.get("CARDMILL_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return Path(named or os.path.expanduser("~/.cache")) / "cardmill" / "cards"


@cache
def _code_hash(game: str) -> bytes:
    digest = hashlib.blake2b(digest_size=12)
    own = (GAMES / game / name for name in ("vocabulary.py", "grammar.lark", "meaning.py", "lint.py"))
    for path in (*sorted(HERE.glob("*.py")), HERE / "grammar.lark", *own):
        digest.update(path.read_bytes())
    return digest.digest()

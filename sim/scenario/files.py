"""Reads a scenario file: what is written becomes a position, names and checked plays, or an error that helps."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from sim.cards import load_cards
from sim.cards.ast import Card
from sim.decks import Names as Catalogue
from sim.errors import InputError, nearest
from sim.files import read_bytes
from sim.scenario.names import Names
from sim.scenario.shape import Shape, WrittenPosition, WrittenSide

SEATS = ("A", "B")
MAX_CARDS = 64
RESERVED = ("A", "B", "night", "turn", "phase", "winner", "end", "legal", "illegal", "waiting")
"""Names that are not ids, because expectations use them."""

TOP_KEYS = ("game", "name", "rule", "cards", "position", "play")
EITHER_KEYS = ("phase", "setup", "coin", "seed")
"""Read at the top of the file and inside [position]."""
POSITION_KEYS = ("turn_player", "turn", "rules", *EITHER_KEYS, *SEATS)


class ScenarioError(InputError):
    """Something in a scenario file is wrong."""


class Unreadable(ScenarioError):
    """The file could not be read at all."""


@dataclass
class Play:
    """One [[play]] block; `index` counts from 1."""

    index: int
    line: list[str]
    expect: dict[str, Any]


@dataclass
class Scenario:
    source: Source
    game: str
    shape: Shape
    name: str
    rule: str
    position: Any
    names: Names
    plays: list[Play]


class Source:
    """The text of a file, for errors that name the line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = read_bytes(path).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Unreadable(f"is not a text file ({error.reason}); a scenario is TOML in UTF-8", str(path)) from None
        except OSError as error:
            raise Unreadable(f"cannot be read: {error.strerror or error}", str(path)) from None
        except ValueError as error:  # a NUL in the path
            raise Unreadable(f"is not a path: {error}", repr(str(path))) from None
        self.lines = self.text.splitlines()

    def toml(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text.replace("\r\n", "\n"))
        except tomllib.TOMLDecodeError as error:
            raise ScenarioError(f"not valid TOML: {error}", str(self.path)) from None
        except RecursionError:
            raise ScenarioError("not a scenario: nested too deeply", str(self.path)) from None

    def line_of(self, token: str, play: int = 0) -> int:
        """The first line (from 1) with the token, from the play-th [[play]] on; 0 for none."""
        seen = 0
        for number, line in enumerate(self.lines, 1):
            seen += line.replace(" ", "").startswith("[[play]]")
            if seen >= play and token in line:
                return number
        return 0

    def fail(self, message: str, token: str = "", play: int = 0) -> NoReturn:
        raise ScenarioError(message, str(self.path), self.line_of(token, play) if token else 0)

    def keys(self, table: Mapping[str, Any], allowed: Iterable[str], where: str, play: int = 0) -> None:
        """Fails on the first key that is not allowed."""
        allowed = list(allowed)
        for key in table:
            if key not in allowed:
                hint = nearest(key, allowed) or f"; known: {', '.join(allowed)}"
                self.fail(f"unknown key '{key}' {where}{hint}", key, play)


def games() -> list[str]:
    """Games that declare scenarios."""
    return sorted(path.parent.name for path in (Path(__file__).parents[1] / "games").glob("*/scenario.py"))


@lru_cache(maxsize=8)
def catalogue_of(game: str, files: tuple[tuple[Path, int], ...]) -> Catalogue:
    """All cards of a game with the user's files, by number; the time of a file says when to read it again."""
    return Catalogue(load_cards(game=game, extra=[path for path, _ in files]))


def read_scenario(path: str | Path) -> Scenario:
    """Reads and checks a file, all but its steps and expectations."""
    source = Source(Path(path))
    document = source.toml()
    source.keys(document, (*TOP_KEYS, *EITHER_KEYS), "in a scenario")
    game = document.get("game", "palworld")
    if game not in games():
        source.fail(f"unknown game {game!r}; games: {', '.join(games())}", "game")
    shape: Shape = importlib.import_module(f"sim.games.{game}.scenario").SHAPE
    try:
        names = Names(catalogue_of(game, _card_files(source, document)))
    except InputError as error:
        raise ScenarioError(str(error)) from None
    position = _position(source, document, shape, names)
    name = document.get("name", source.path.stem)
    rule = document.get("rule", "")
    for key, value in (("name", name), ("rule", rule)):
        if not isinstance(value, str):
            source.fail(f"{key} is a text, not {value!r}", key)
    return Scenario(source, game, shape, name, rule, position, names, _plays(source, document))


def _card_files(source: Source, document: dict[str, Any]) -> tuple[tuple[Path, int], ...]:
    """The card files and when they were changed."""
    files = document.get("cards", [])
    if not isinstance(files, list) or not all(isinstance(file, str) for file in files):
        source.fail('cards is a list of card files, such as ["mine.toml"]', "cards")
    paths = [source.path.parent / file for file in files]
    for path in paths:
        if not path.is_file():
            source.fail(f"no card file {path}", path.name)
    return tuple((path, path.stat().st_mtime_ns) for path in paths)


def _plays(source: Source, document: dict[str, Any]) -> list[Play]:
    blocks = document.get("play", [])
    if not isinstance(blocks, list) or not blocks or not all(isinstance(block, dict) for block in blocks):
        source.fail("a scenario has one [[play]] block or more (in double brackets)", "play")
    plays = []
    for index, block in enumerate(blocks, 1):
        source.keys(block, ("line", "expect"), f"in [[play]] {index}", index)
        line, expect = block.get("line", []), block.get("expect", {})
        if not isinstance(line, list) or not all(isinstance(step, str) for step in line):
            source.fail('line is a list of steps, such as ["A: end"]', "line", index)
        if not isinstance(expect, dict):
            source.fail("expect is a table: [play.expect]", "expect", index)
        plays.append(Play(index, line, expect))
    return plays


# The position.


def _position(source: Source, document: dict[str, Any], shape: Shape, names: Names) -> Any:
    table = document.get("position", {})
    if not isinstance(table, dict):
        source.fail("position is a table: [position]", "position")
    known = [key for key in (*POSITION_KEYS, *shape.switches) if key != "rules" or shape.rules]
    source.keys(table, known, "in [position]")
    settings = _settings(source, shape, document, table)
    settings["names"] = tuple(sorted({card.name for card in names.cards.values()}))
    sides: list[WrittenSide] = []
    later: list[int] = []  # cards of default decks: named after all that is written
    links: list[tuple[dict[str, Any], str]] = []
    for seat, letter in enumerate(SEATS):
        written = table.get(letter, {})
        if not isinstance(written, dict):
            source.fail(f"{letter} is a table: [position.{letter}]", letter)
        source.keys(written, (*shape.numbers, *shape.zones), f"in [position.{letter}]")
        if settings.get("setup") and set(written) - {*shape.numbers, *shape.ordered}:
            source.fail(f"a game before its setup has decks only: {letter} has cards elsewhere", "setup")
        side = WrittenSide({key: _number(source, letter, written, key, shape) for key in shape.numbers})
        for zone in shape.zones:
            default = zone in shape.ordered and zone not in written
            entries = list(shape.default_deck) if default else written.get(zone, [])
            if not isinstance(entries, list):
                source.fail(f"{letter}.{zone} is a list of cards, not {entries!r}", zone)
            for entry in entries:
                obj = seat * MAX_CARDS + len(side.cards)
                card, name, marks = _entry(source, shape, names, zone, entry)
                side.cards.append((card, zone, marks))
                if "exiled_by" in marks:
                    links.append((marks, marks["exiled_by"]))
                _check_id(source, names, name)
                if default:
                    later.append(obj)
                    names.number[obj] = card.number
                else:
                    names.add(obj, card.number, name)
        if len(side.cards) > MAX_CARDS:
            source.fail(f"{letter} has {len(side.cards)} cards; at most {MAX_CARDS}", f"position.{letter}")
        sides.append(side)
    for obj in later:
        names.add(obj, names.number[obj])
    for marks, text in links:
        marks["exiled_by"] = _only(source, names, text)
    try:
        return shape.build(WrittenPosition(settings, (sides[0], sides[1])))
    except ValueError as error:
        source.fail(str(error), "[position")


def _settings(source: Source, shape: Shape, document: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    """turn_player and coin as seats; only what was given."""
    for key in EITHER_KEYS:
        if key in document and key in table:
            source.fail(f"{key} stands twice: at the top and in [position]", key)
    given: dict[str, Any] = {
        key: value
        for key, value in {**document, **table}.items()
        if key in (*POSITION_KEYS, *shape.switches) and key not in SEATS
    }
    for key, value in given.items():
        if key in (*shape.switches, "setup") and not isinstance(value, bool):
            source.fail(f"{key} is true or false, not {value!r}", key)
        if key in ("turn_player", "coin"):
            if value not in SEATS:
                source.fail(f'{key} is "A" or "B", not {value!r}', key)
            given[key] = SEATS.index(value)
        low, high = (1, 2**15) if key == "turn" else (0, 2**63)
        if key in ("turn", "seed") and (type(value) is not int or not low <= value < high):
            source.fail(f"{key} is a whole number from {low} to {high - 1}, not {value!r}", key)
        if key == "phase" and value not in shape.start_phases:
            source.fail(f"unknown phase {value!r}; a position starts in {', '.join(shape.start_phases)}", key)
        if key == "rules":
            _rules(source, shape, value)
    return given


def _rules(source: Source, shape: Shape, value: Any) -> None:
    if not isinstance(value, dict):
        source.fail("rules is a table of rule switches and their values", "rules")
    source.keys(value, shape.rules, "in rules")
    for name, number in value.items():
        if type(number) is not int or not 0 <= number < 2**15:
            source.fail(f"{name} is a whole number from 0, not {number!r}", name)


def _number(source: Source, letter: str, written: dict[str, Any], key: str, shape: Shape) -> int:
    default, low, high = shape.numbers[key]
    value = written.get(key, default)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            source.fail(f"{letter}.{key} is true or false, not {value!r}", key)
        return value
    if type(value) is not int or (low is not None and value < low) or (high is not None and value > high):
        bounds = f" from {low}" * (low is not None) + f" to {high}" * (high is not None)
        source.fail(f"{letter}.{key} is a whole number{bounds}, not {value!r}", key)
    if abs(value) >= 2**15:
        source.fail(f"{letter}.{key} is too large: {value}", key)
    return value


def _entry(
    source: Source, shape: Shape, names: Names, zone: str, entry: Any
) -> tuple[Card, str | None, dict[str, Any]]:
    """A card of a zone, its id and its marks."""
    table = {"card": entry} if isinstance(entry, str) else entry
    if not isinstance(table, dict) or not isinstance(table.get("card"), str):
        source.fail(f'{zone} holds card numbers and tables {{ card = "NUMBER", id = "NAME" }}, not {entry!r}', zone)
    number = names.catalogue.number(table["card"])
    if number is None:
        source.fail(f"unknown card '{table['card']}' in {zone}{nearest(table['card'], names.cards)}", table["card"])
    allowed = [key for key, (_, zones) in shape.marks.items() if zone in zones]
    source.keys(table, ("card", "id", *allowed), f"of {table['card']} in {zone}")
    marks: dict[str, Any] = {key: table[key] for key in allowed if key in table}
    for key, value in marks.items():
        kind = shape.marks[key][0]
        low = -(2**15) if key in shape.signed else 0
        fits = type(value) is kind and not (isinstance(value, int) and not low <= value < 2**15)
        if not fits:
            number = "a whole number" if low else "a whole number from 0"
            form = {bool: "true or false", int: number, str: "the id or number of a card"}[kind]
            source.fail(f"{key} of {table['card']} is {form}, not {value!r}", key)
    name = table.get("id")
    if name is not None and not isinstance(name, str):
        source.fail(f"id of {table['card']} is a text, not {name!r}", "id")
    return names.cards[number], name, marks


def _check_id(source: Source, names: Names, name: str | None) -> None:
    if name is None:
        return
    if name in RESERVED or not name.strip() or "#" in name or "->" in name or names.catalogue.number(name):
        source.fail(
            f"{name!r} cannot be an id: it means something else (not an id: card numbers, '#', {', '.join(RESERVED)})",
            f'"{name}"',
        )
    if name in names.ids:
        source.fail(f"two cards have the id '{name}'", f'"{name}"')


def _only(source: Source, names: Names, text: str) -> int:
    """The one card that a name in the position means."""
    try:
        found = names.find(text)
    except ValueError as error:
        source.fail(str(error), text)
    if len(found) != 1:
        source.fail(f"'{text}' must name one card of the position: {names.labels(sorted(found))}", text)
    return next(iter(found))

"""What must hold: expectations of a [play.expect] table, checked on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from sim.errors import nearest
from sim.labels import SEATS
from sim.scenario.board import PLAYER_NAMES, Board, Step, parse_step
from sim.scenario.files import Play, Scenario
from sim.scenario.names import Names

Check = Callable[[Board], str | None]
"""None where the expectation holds, otherwise what was found instead."""
NOT_YET = -1

GENERAL = ("turn", "phase", "winner", "end", "legal", "illegal", "options", "decides", "waiting")


def checks_of(scenario: Scenario, play: Play) -> list[tuple[str, Check]]:
    """The expectations of a play, each with its key; fails where a key or value cannot be meant."""
    checks = []
    for key, value in play.expect.items():
        if key in SEATS:
            checks += _player(scenario, play, key, value)
        elif isinstance(value, dict):
            checks += _card(scenario, play, key, value)
        else:
            checks.append((key, _general(scenario, play, key, value)))
    return checks


def _fail(scenario: Scenario, play: Play, message: str, token: str) -> Any:
    scenario.source.fail(f"[[play]] {play.index}: {message}", token, play.index)


def _equal(read: Callable[[Board], Any], want: Any, show: Callable[[Any], str] = repr) -> Check:
    def check(board: Board) -> str | None:
        found = read(board)
        return None if found == want else f"expected {show(want)}, found {show(found)}"

    return check


def _find_now(names: Names, name: str) -> frozenset[int]:
    """The cards that a name means; none where it means cards that have not come into being yet."""
    try:
        return names.find(name)
    except ValueError:
        return frozenset()


# Players.


def _player(scenario: Scenario, play: Play, letter: str, table: Any) -> list[tuple[str, Check]]:
    if not isinstance(table, dict):
        _fail(scenario, play, f"{letter} is written with what is meant, such as {letter}.life = 10", letter)
    shape, seat = scenario.shape, SEATS.index(letter)
    checks: list[tuple[str, Check]] = []
    for key, value in table.items():
        where = f"{letter}.{key}"
        if key not in (*shape.numbers, *shape.zones):
            known = nearest(key, (*shape.numbers, *shape.zones)) or f"; known: {', '.join(shape.numbers)}"
            _fail(scenario, play, f"unknown expectation '{where}'{known}", key)
        number = shape.numbers.get(key)
        if type(value) is (int if number is None else type(number.default)):
            checks.append((where, _equal(_count(seat, key), value)))
        elif number is not None and isinstance(number.default, bool):
            _fail(scenario, play, f"{where} is true or false, not {value!r}", key)
        elif key in shape.zones and isinstance(value, list) and all(isinstance(name, str) for name in value):
            for name in value:
                _find(scenario, play, name)
            checks.append((where, _zone(seat, key, value, key in shape.ordered)))
        else:
            form = "a list of cards or how many there are" if key in shape.zones else "a whole number"
            _fail(scenario, play, f"{where} is {form}, not {value!r}", key)
    return checks


def _count(seat: int, key: str) -> Callable[[Board], int]:
    def read(board: Board) -> int:
        value = board.engine.state()["players"][seat][key]
        return value if isinstance(value, int) else len(value)

    return read


def _zone(seat: int, zone: str, want: list[str], ordered: bool) -> Check:
    def check(board: Board) -> str | None:
        objs = list(board.engine.state()["players"][seat][zone])
        same = _in_order(board.names, objs, want) if ordered else _any_order(board.names, objs, want)
        return None if same else f"expected {', '.join(want) or 'nothing'}; found {board.names.labels(objs)}"

    return check


def _in_order(names: Names, objs: list[int], want: list[str]) -> bool:
    return len(objs) == len(want) and all(obj in _find_now(names, name) for obj, name in zip(objs, want, strict=True))


def _any_order(names: Names, objs: list[int], want: list[str]) -> bool:
    """Each name stands for a card of its own: names of one card first, then card numbers."""
    left = list(objs)
    for found in sorted((_find_now(names, name) for name in want), key=len):
        obj = next((obj for obj in left if obj in found), None)
        if obj is None:
            return False
        left.remove(obj)
    return not left


# Cards.


def _find(scenario: Scenario, play: Play, name: str) -> frozenset[int]:
    try:
        found = scenario.names.find(name)
    except ValueError as error:
        return _may_appear(scenario, name) or _fail(scenario, play, str(error), name)
    return found or _may_appear(scenario, name) or _fail(scenario, play, f"no card '{name}' in this position", name)


def _may_appear(scenario: Scenario, name: str) -> frozenset[int]:
    """A card that is not there yet: no obj, but not an error."""
    number = scenario.names.catalogue.number(name.partition("#")[0])
    appears = number is not None and scenario.names.cards[number].type in scenario.shape.appear
    return frozenset((NOT_YET,)) if appears else frozenset()


def _card(scenario: Scenario, play: Play, name: str, table: dict[str, Any]) -> list[tuple[str, Check]]:
    shape = scenario.shape
    if name not in scenario.names.ids and name not in scenario.names.copies and "#" not in name:
        hint = nearest(name, (*GENERAL, *shape.switches, *SEATS, *scenario.names.ids, *scenario.names.copies))
        try:
            scenario.names.find(name)
        except ValueError:
            _fail(scenario, play, f"unknown expectation '{name}'{hint}", name)
    _find(scenario, play, name)
    checks: list[tuple[str, Check]] = []
    for key, value in table.items():
        where = f"{name}.{key}"
        if key == "zone":
            zones = [f"{letter}.{zone}" for letter in SEATS for zone in shape.zones] + ["none"]
            if value not in zones:
                _fail(scenario, play, f"{where} is one of {', '.join(zones)}, not {value!r}", key)
            checks.append((where, _copies(name, _zone_text, value)))
        elif key not in shape.properties:
            known = ("zone", *shape.properties)
            hint = nearest(key, known) or f"; known: {', '.join(known)}"
            _fail(scenario, play, f"unknown expectation '{where}'{hint}", key)
        elif type(value) is not shape.properties[key]:
            form = "true or false" if shape.properties[key] is bool else "a whole number"
            _fail(scenario, play, f"{where} is {form}, not {value!r}", key)
        else:
            checks.append((where, _copies(name, _property(key), value)))
    return checks


def _zone_text(board: Board, obj: int) -> str:
    place = board.zone_of(obj)
    return f"{SEATS[place[0]]}.{place[1]}" if place else "none"


def _property(key: str) -> Callable[[Board, int], Any]:
    def read(board: Board, obj: int) -> Any:
        if key == "cost":
            return board.engine.cost_of(obj)
        look = board.engine.state()["objects"].get(obj)
        return f"{_zone_text(board, obj)}: no {key} there" if look is None else look[key]

    return read


def _copies(name: str, read: Callable[[Board, int], Any], want: Any) -> Check:
    """A name of several copies is fine as long as all of them agree."""

    def check(board: Board) -> str | None:
        objs = sorted(_find_now(board.names, name))
        if not objs:
            return f"there is no '{name}' yet"
        found = {board.names.label(obj): read(board, obj) for obj in objs}
        values = list(found.values())
        if any(value != values[0] for value in values):
            each = ", ".join(f"{label} {value}" for label, value in found.items())
            return f"'{name}' names several cards that differ ({each}); say which one"
        return None if values[0] == want else f"expected {want!r}, found {values[0]!r}"

    return check


# The game.


def _general(scenario: Scenario, play: Play, key: str, value: Any) -> Check:
    shape = scenario.shape
    words = {
        "phase": shape.phases,
        "winner": ("A", "B", "draw", "none"),
        "end": shape.ends,
        "decides": (*SEATS, "none"),
    }
    if key in words:
        if value not in words[key]:
            _fail(scenario, play, f"{key} is one of {', '.join(words[key])}, not {value!r}", key)
        return _equal(_word(key), value)
    if key in (*shape.switches, "turn"):
        if type(value) is not (int if key == "turn" else bool):
            _fail(scenario, play, f"{key} is {'a number' if key == 'turn' else 'true or false'}, not {value!r}", key)
        return _equal(lambda board: board.engine.state()[key], value)
    if key not in GENERAL:
        general = (*GENERAL, *shape.switches)
        hint = nearest(key, (*general, *SEATS, *scenario.names.ids)) or f"; known: {', '.join(general)}"
        _fail(scenario, play, f"unknown expectation '{key}'{hint}", key)
    if key == "waiting" and type(value) is int:
        return _equal(lambda board: len(board.engine.state()["waiting"]), value)
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        _fail(scenario, play, f"{key} is a list of texts, not {value!r}", key)
    if key == "waiting":
        return _waiting(scenario, play, value)
    steps = [step_of(scenario, play, text) for text in value]
    return {"legal": _legal, "illegal": _illegal, "options": _options}[key](steps)


def _word(key: str) -> Callable[[Board], str]:
    def read(board: Board) -> str:
        if key == "decides":
            return "none" if board.decides is None else SEATS[board.decides]
        return str(board.engine.state()[key] or "none")

    return read


def step_of(scenario: Scenario, play: Play, text: str) -> Step:
    try:
        step = parse_step(text)
        for name in (step.wanted.obj, step.wanted.target):
            if name and name not in PLAYER_NAMES and not _may_appear(scenario, name):
                scenario.names.find(name)
        return step
    except ValueError as error:
        return _fail(scenario, play, str(error), text)


def _legal(steps: list[Step]) -> Check:
    def check(board: Board) -> str | None:
        missing = [step.text for step in steps if not board.open_readings(step)]
        return f"not open: {', '.join(missing)} ({board.open_text()})" if missing else None

    return check


def _illegal(steps: list[Step]) -> Check:
    def check(board: Board) -> str | None:
        found = [step.text for step in steps if board.open_readings(step)]
        return f"open after all: {', '.join(found)} ({board.open_text()})" if found else None

    return check


def _options(steps: list[Step]) -> Check:
    def check(board: Board) -> str | None:
        readings = [(step, board.open_readings(step)) for step in steps]
        wrong = [step.text for step, found in readings if len(found) != 1]
        if wrong:
            return f"not exactly one open option: {', '.join(wrong)} ({board.open_text()})"
        left = Counter(board.options())
        left.subtract(found[0].option for _, found in readings)
        if all(count == 0 for count in left.values()):
            return None
        more = [board.label(option) for option, count in left.items() if count > 0]
        twice = [board.label(option) for option, count in left.items() if count < 0]
        return "; ".join(
            [f"open too: {', '.join(more)}"] * bool(more) + [f"named twice: {', '.join(twice)}"] * bool(twice)
        )

    return check


def _waiting(scenario: Scenario, play: Play, texts: list[str]) -> Check:
    want: list[tuple[str, int]] = []  # n 0: any ability of the card
    for text in texts:
        name, dot, n = text.rpartition(".")
        want.append((name, int(n)) if dot and n.isdecimal() else (text, 0))
        _find(scenario, play, want[-1][0])

    def check(board: Board) -> str | None:
        waiting = list(board.engine.state()["waiting"])
        shown = ", ".join(f"{board.names.label(obj)}.{n}" for obj, n in waiting) or "nothing"
        left = list(waiting)
        found = [(_find_now(board.names, name), n) for name, n in want]
        for objs, n in sorted(found, key=lambda item: (not item[1], len(item[0]))):
            one = next((entry for entry in left if entry[0] in objs and n in (0, entry[1])), None)
            if one is None:
                return f"expected {', '.join(texts) or 'nothing'}; found {shown}"
            left.remove(one)
        return f"expected {', '.join(texts) or 'nothing'}; found {shown}" if left else None

    return check

"""Runs scenarios: takes the steps one after another and checks what must hold."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from sim.errors import InputError
from sim.game import game_class
from sim.labels import SEATS
from sim.scenario.board import Board, Reading, Step
from sim.scenario.expect import Check, checks_of, step_of
from sim.scenario.files import Play, Scenario, ScenarioError, Unreadable, read_scenario


class Result(NamedTuple):
    """passed, and what was wrong otherwise; readable: the file could be read at all."""

    passed: bool
    message: str
    path: str = ""
    name: str = ""
    rule: str = ""
    readable: bool = True


class Action(NamedTuple):
    """A step to take, or the checks at the end of a play."""

    play: Play
    step: Step | None = None
    checks: tuple[tuple[str, Check], ...] = ()


class Mismatch(Exception):
    """A step does not fit, or an expectation does not hold; at: the index of the action."""

    def __init__(self, message: str, at: int, action: Action) -> None:
        super().__init__(message)
        self.at, self.action = at, action


def run_scenario(path: str | Path, engine: Any = None) -> Result:
    """Runs one file with an engine class (default: the compiled engine of its game)."""
    try:
        scenario = read_scenario(path)
        actions = actions_of(scenario)
    except ScenarioError as error:
        return Result(False, str(error), str(path), readable=not isinstance(error, Unreadable))
    about = (str(path), scenario.name, scenario.rule)
    if engine is None:
        say_if_compiling(scenario.game)
    try:
        made = (engine or cast(Any, game_class(scenario.game))).from_position(scenario.position)
        board = Board.start(made, scenario.names)
        follow(board, actions)
    except InputError as error:  # the engine cannot hold these cards
        return Result(False, f"{path}: {error}", *about)
    except Mismatch as error:
        play, step = error.action.play, error.action.step
        line = scenario.source.line_of(step.text if step else "expect", play.index)
        return Result(False, f"{path}{f':{line}' if line else ''}: [[play]] {play.index}: {error}", *about)
    return Result(True, "", *about)


@cache
def say_if_compiling(game: str) -> None:
    """A first start compiles the engine; nobody should wonder what takes so long."""
    from kernels import jit

    if jit.cold(game):
        print(
            "Compiling the engine for this machine, once: a minute or two; later starts use the cache", file=sys.stderr
        )


def actions_of(scenario: Scenario) -> list[Action]:
    """All steps and checks in order; ScenarioError where one cannot be meant."""
    actions = []
    for play in scenario.plays:
        actions += [Action(play, step_of(scenario, play, text)) for text in play.line]
        actions.append(Action(play, checks=tuple(checks_of(scenario, play))))
    return actions


def follow(board: Board, actions: Sequence[Action], at: int = 0) -> None:
    """Takes the actions from `at` on. A step that may mean an open option or one that has just resolved itself is read
    in the way that the rest fits, the open one first; Mismatch of the reading that came furthest."""
    while at < len(actions):
        action = actions[at]
        if action.step is None:
            _check(board, action, at)
        else:
            readings = _readings(board, action.step, at, action)
            if len(readings) > 1:
                _branch(board, actions, at, readings)
                return
            board.take(readings[0])
        at += 1


def _branch(board: Board, actions: Sequence[Action], at: int, readings: list[Reading]) -> None:
    failures = []
    for reading in readings:
        other = board.copy()
        other.take(reading)
        try:
            follow(other, actions, at + 1)
            return
        except Mismatch as failure:
            failures.append(failure)
    raise max(failures, key=lambda failure: failure.at)


def _readings(board: Board, step: Step, at: int, action: Action) -> list[Reading]:
    found = board.open_readings(step)
    auto = board.auto_readings(step)
    if len(found) > 1 or (not found and len(auto) > 1):
        several = ", ".join(board.label(reading.option) for reading in (found or auto))
        raise Mismatch(f"'{step.text}' names several options: {several}", at, action)
    if not found and not auto:
        who = "" if board.decides in (None, step.seat) else f"{SEATS[step.seat]} has no decision now; "
        raise Mismatch(f"'{step.text}' is not possible: {who}{board.open_text()}", at, action)
    return [*found, *(auto if len(auto) == 1 else [])]


def _check(board: Board, action: Action, at: int) -> None:
    wrong = [f"{key}: {text}" for key, check in action.checks if (text := check(board)) is not None]
    if wrong:
        raise Mismatch("; ".join(wrong), at, action)


# The command.


def scenario_files(paths: Iterable[str | Path]) -> list[Path]:
    """The files meant, folders searched for *.toml."""
    files: list[Path] = []
    for path in map(Path, paths):
        files += sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    return files


def main(paths: Sequence[str | Path], json: bool = False, engine: Any = None) -> int:
    """`cardmill scenario`: prints a line per file and the sums; 0 all passed, 1 some failed, 2 some not readable."""
    files = scenario_files(paths)
    results = []
    for file in files:
        result = run_scenario(file, engine)
        results.append(result)
        if not json:
            print(f"ok    {result.path}  {result.name}" if result.passed else f"FAIL  {result.message}", flush=True)
    passed = sum(result.passed for result in results)
    failed = len(results) - passed
    if json:
        print(
            json_text.dumps(
                {
                    "passed": passed,
                    "failed": failed,
                    "scenarios": [
                        {
                            "file": result.path,
                            "name": result.name,
                            "rule": result.rule,
                            "passed": result.passed,
                            "message": result.message,
                        }
                        for result in results
                    ],
                },
                ensure_ascii=False,
                indent=2,
            )
        )
    else:
        print(f"{passed} passed, {failed} failed")
    if not files or not all(result.readable for result in results):
        return 2
    return 1 if failed else 0

"""Mutation tests of the kernel's rules: how many small faults do scenarios and differential games find?

    NUMBA_DISABLE_JIT=1 python -m tests.mutation.run --mutants 200 --seed 1

makes mutants one at a time (see mutants.py), runs what reaches the changed line and stops at the first failure; a run
that takes far longer than usual counts as one. First come scenarios as they are written, then with the players changed
round, then beside the reference and some choices further, then whole games that both engines play. Survivors are
printed, with the reason where equivalent.toml gives one.
"""

from __future__ import annotations

import argparse
import atexit
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

import numpy as np

from kernels import batch
from kernels.jit import PLAIN
from sim.games.palworld.game import Game
from sim.scenario import run_scenario, runner
from tests.differential import palworld
from tests.differential.runner import Line, table
from tests.mirror import mirror
from tests.mutation.mutants import RULES, Mutant, file_of, mutants

SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios" / "palworld").glob("*.toml"))
GAMES = [(1, "stress", "moody"), (1, "few", "moody"), (2, "mixed", "moody"), (1, "rich", "moody")]
GAMES += [(2, "legal", "uniform"), (3, "rich", "greedy")]
GAMES += [(seed, kind, "moody") for kind in ("stress", "rich", "mixed") for seed in range(11, 15)]
"""Games for both engines: seed, decks, players."""
EXPLAINED = Path(__file__).parent / "equivalent.toml"
FURTHER = 40
"""Choices that both engines go on for after the end of a scenario."""
ENOUGH = 160
"""Of these longer scenarios so many are tried, the quickest that reach a line."""
SLOWER = 10
"""A run that takes so many times as long as without a change is not waited for."""


class TooLong(BaseException):
    """The run has been given up; no exception that a runner would report as its own."""


class Kernel(Game):
    """The kernel as scenarios play it; the tables of a position are compiled once, they are no rules."""

    made: ClassVar[dict[Any, Any]] = {}

    @staticmethod
    def compile_tables(sides: Any, *others: Any) -> Any:
        key = (repr(others), tuple(tuple(map(id, side)) for side in sides))
        if key not in Kernel.made:
            Kernel.made[key] = (sides, Game.compile_tables(sides, *others))  # with the cards, so that ids stay theirs
        return Kernel.made[key][1]


class KernelPair(palworld.Pair):
    """The two engines with tables that are compiled once."""

    game = Kernel


class Further(palworld.Both):
    """Both engines at a scenario, the last one kept."""

    of = KernelPair
    last: ClassVar[Further]

    def __init__(self, pair: palworld.Pair) -> None:
        super().__init__(pair)
        Further.last = self


@dataclass
class Killer:
    """Something that fails where a rule is wrong: a scenario, or a game that two engines play. stage: of what kind,
    those of a later one are tried after all of the earlier."""

    name: str
    run: Callable[[], bool]
    stage: int = 0
    seconds: float = 0.0
    lines: set[tuple[str, int]] = field(default_factory=set)


def killers() -> list[Killer]:
    """All of them, with the lines of the rules that each reaches; in every stage the quickest first."""
    found = [Killer(path.stem, lambda path=path: run_scenario(path, Kernel).passed) for path in SCENARIOS]
    folder = Path(tempfile.mkdtemp(prefix="cardmill-mutation-"))
    atexit.register(shutil.rmtree, folder)
    for path in SCENARIOS:
        if (turned := mirror(path, folder)) is not None:
            other = f"{path.stem} for the other player"
            found.append(Killer(other, lambda path=turned: run_scenario(path, Kernel).passed, 1))
    found += [Killer(f"{path.stem} and further", lambda path=path: further(path), 2) for path in SCENARIOS]
    found += [Killer(" ".join(map(str, game)), lambda game=game: agrees(game), 3) for game in GAMES]
    found += [Killer(f"{seed} silent", lambda seed=seed: silent(seed), 3) for seed in (1, 2)]
    found += [Killer(f"{seed} in a used state", lambda seed=seed: used(seed), 3) for seed in range(1, 5)]
    for killer in found:
        if not killer.run():
            raise SystemExit(f"{killer.name} fails without any change")
        start = time.process_time()
        killer.lines = traced(killer.run)
        killer.seconds = time.process_time() - start
    return sorted(found, key=lambda killer: (killer.stage, killer.seconds))


def further(path: Path) -> bool:
    """Both engines agree in a scenario and, choosing at random, after it."""
    rng = random.Random(path.stem)
    passed = run_scenario(path, Further).passed
    pair = Further.last.pair
    for _ in range(FURTHER):
        if pair.over:
            break
        pair.choose(rng.choice(pair.options))
    return passed


def agrees(game: tuple[int, str, str]) -> bool:
    """Both engines play the game to its end without a difference."""
    Line(*game).play()
    return True


def silent(seed: int) -> bool:
    """A game without a log is the same as with one."""
    game = table("stress", seed).copy()
    signatures = []
    for log_on in (0, 1):
        game.lane.log_on = log_on
        signatures.append(signature(game, seed))
    return signatures[0] == signatures[1]


def used(seed: int) -> bool:
    """A game is the same in a state that is new and in one that was full of anything."""
    game, other = table("stress", seed).copy(), table("stress", seed).copy()
    lanes = np.zeros(1, other.kernel.STATE)
    lanes[0] = np.frombuffer(random.Random(seed).randbytes(lanes.nbytes), other.kernel.STATE)[0]
    other.lane = lanes[0]
    other.lane.log_on = other.lane.check_on = 0
    return signature(game, seed) == signature(other, seed)


def signature(game: Game, seed: int) -> int:
    """Of a game of random players."""
    S, T, P = game.lane, game.tables, game.players
    batch.start(S, T, P, seed, 0, 0)
    while batch.advance(S, T, P):
        batch.choose(S, T, P, batch.pick(S, T, P))
    return int(S.signature)


def traced(run: Callable[[], Any]) -> set[tuple[str, int]]:
    """The lines of the rules that a run reaches, as (module, line)."""
    modules = {str(file_of(module)): module for module in RULES}
    seen: set[tuple[str, int]] = set()

    def line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            seen.add((modules[frame.f_code.co_filename], frame.f_lineno))
        return line

    def call(frame: FrameType, event: str, _: Any) -> Any:
        return line if frame.f_code.co_filename in modules else None

    sys.settrace(call)
    try:
        run()
    finally:
        sys.settrace(None)
    return seen


def killed_by(mutant: Mutant, found: Sequence[Killer]) -> str:
    """The first killer that fails with the mutant; "" where all pass."""
    reached = {(mutant.module, line) for line in range(mutant.line, mutant.last + 1)}
    original, target = mutant.target.__code__, mutant.target
    target.__code__ = mutant.code
    try:
        longer = 0
        for killer in found:
            if not killer.lines & reached:
                continue
            longer += killer.stage == 2
            if (killer.stage != 2 or longer <= ENOUGH) and fails(killer):
                return killer.name
    finally:
        target.__code__ = original
    return ""


def fails(killer: Killer) -> bool:
    """The killer finds something: it fails, breaks off or takes too long."""

    def give_up(*_: Any) -> None:
        raise TooLong

    signal.signal(signal.SIGVTALRM, give_up)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 2 + SLOWER * killer.seconds)
        try:
            return not killer.run()
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except (Exception, TooLong):
        return True


def explained() -> dict[tuple[str, str, str, str], str]:
    """Why a surviving mutant is no fault."""
    if not EXPLAINED.exists():
        return {}
    rows = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get("mutant", [])
    return {(row["module"], row["function"], row["source"], row["change"]): row["reason"] for row in rows}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="how many small faults of the rules do the tests find?")
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="WORDS", default="", help="of these mutants, those whose words contain this")
    parser.add_argument("--trust", action="store_true", help="do not try those that are explained")
    parser.add_argument("--quiet", action="store_true", help="print survivors only")
    asked = parser.parse_args(argv)
    if not PLAIN:
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.mutation.run", *(argv or sys.argv[1:])],
            {**os.environ, "NUMBA_DISABLE_JIT": "1"},
        )
    np.seterr(all="ignore")
    runner.read_scenario = cache(runner.read_scenario)  # type: ignore[attr-defined]
    start = time.process_time()
    found, reasons = killers(), explained()
    print(f"{len(found)} scenarios and games, {time.process_time() - start:.0f} s to see what each reaches", flush=True)
    by: Counter[str] = Counter()
    alive: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants(asked.mutants, asked.seed):
        if asked.only not in str(mutant):
            continue
        name = "" if asked.trust and mutant.key in reasons else killed_by(mutant, found)
        by["killed" if name else "equivalent" if mutant.key in reasons else "alive"] += 1
        if name and not asked.quiet:
            print(f"killed  {mutant}  by {name}", flush=True)
        if not name:
            print(
                f"{'same   ' if mutant.key in reasons else 'ALIVE  '} {mutant}  {reasons.get(mutant.key, '')}",
                flush=True,
            )
            alive[mutant.module].append(mutant)
    total, spent = sum(by.values()), time.process_time() - start
    real = by["killed"] / max(total - by["equivalent"], 1)
    print(
        f"{total} mutants: {by['killed']} killed, {by['equivalent']} equivalent, {by['alive']} alive; "
        f"kill rate {real:.1%} of those that are a fault, {by['killed'] / max(total, 1):.1%} of all; {spent:.0f} s"
    )
    return 1 if by["alive"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Mutation tests of the kernel's rules: how many small faults do scenarios and differential games find?

    NUMBA_DISABLE_JIT=1 python -m tests.mutation.run --mutants 200 --seed 1

makes mutants one at a time (see mutants.py), runs what they make a difference in (see watch.py) and stops at the first
failure; a run that takes far longer than usual counts as one. First come scenarios as they are written, then with the
players changed round, then beside the reference and some choices further, then whole games that both engines play.
Survivors are printed, with the reason where equivalent.toml gives one.
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
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from kernels import batch, games
from kernels.jit import PLAIN
from kernels.rng import COIN
from sim.games.palworld.game import Game
from sim.scenario import run_scenario, runner
from tests.differential import pair, palworld
from tests.differential.runner import Line, table
from tests.mirror import mirror
from tests.mutation.mutants import Mutant, mutants, named
from tests.mutation.watch import taken, watch

SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios" / "palworld").glob("*.toml"))
GAMES = [(1, "stress", "moody"), (1, "few", "moody"), (2, "mixed", "moody"), (1, "rich", "moody")]
GAMES += [(2, "legal", "uniform"), (3, "rich", "greedy")]
GAMES += [(seed, kind, "moody") for kind in ("stress", "tests", "rich", "mixed") for seed in range(11, 15)]
"""Games for both engines: seed, decks, players."""
EXPLAINED = Path(__file__).parent / "equivalent.toml"
FURTHER = 40
"""Choices that both engines go on for after the end of a scenario."""
UNTIL = 7
"""Turn in which a game that is left to its players stops."""
ENOUGH = (1000, 200, 100, 30)
"""So many of each stage are tried, the quickest first."""
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
    those of a later one are tried after all of the earlier. tells: the mutants that change a value in it."""

    name: str
    run: Callable[[], bool]
    stage: int = 0
    seconds: float = 0.0
    tells: set[int] = field(default_factory=set)


def killers(chosen: Sequence[Mutant]) -> list[Killer]:
    """All of them, with the mutants that each may find; in every stage the quickest first."""
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
    found += [Killer(f"{seed} left to the players", lambda seed=seed: left_to_players(seed), 3) for seed in range(1, 5)]
    with watch(chosen):
        for killer in found:
            start = time.process_time()
            passed, killer.tells = taken(killer.run)
            killer.seconds = time.process_time() - start
            if not passed:
                raise SystemExit(f"{killer.name} fails without any change")
    return sorted(found, key=lambda killer: (killer.stage, killer.seconds))


def further(path: Path) -> bool:
    """Both engines agree in a scenario and, choosing at random, after it."""
    rng = random.Random(path.stem)
    passed = run_scenario(path, Further).passed
    both = Further.last.pair
    for _ in range(FURTHER):
        if both.over:
            break
        both.choose(rng.choice(both.options))
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


def left_to_players(seed: int) -> bool:
    """A game that is left to its players stops in the turn that is asked for, as if stepped, and its coin falls as its
    stream says."""
    stepped, left = table("stress", seed).copy(), table("stress", seed).copy()
    for game in (stepped, left):
        batch.start(game.lane, game.tables, game.players, seed, 0, 2)
    coin = (pair.mix((pair.stream(seed, 0, 0, int(COIN)) + pair.GAMMA) & pair.WORD) >> 32) * 2 >> 32
    games.advance(left.lane, left.tables, left.players[0], np.uint64(UNTIL << 2))
    S, T, P = stepped.lane, stepped.tables, stepped.players
    while batch.advance(S, T, P) and int(S.turn) < UNTIL:
        batch.choose(S, T, P, batch.pick(S, T, P))
    same = all(int(S[name]) == int(left.lane[name]) for name in ("signature", "turn", "decisions", "coin_seat"))
    return same and int(S.coin_seat) == coin


def signature(game: Game, seed: int) -> int:
    """Of a game of random players."""
    S, T, P = game.lane, game.tables, game.players
    batch.start(S, T, P, seed, 0, 0)
    while batch.advance(S, T, P):
        batch.choose(S, T, P, batch.pick(S, T, P))
    return int(S.signature)


def killed_by(number: int, mutant: Mutant, found: Sequence[Killer]) -> str:
    """The first killer that fails with the mutant of that number; "" where all pass."""
    original, target = mutant.target.__code__, mutant.target
    target.__code__ = mutant.code
    tried: Counter[int] = Counter()
    try:
        for killer in found:
            if number not in killer.tells:
                continue
            tried[killer.stage] += 1
            if tried[killer.stage] <= ENOUGH[killer.stage] and fails(killer):
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
    told = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    return {
        (module, function, source, change): reason
        for module, functions in told.items()
        for function, sources in functions.items()
        for source, changes in sources.items()
        for change, reason in changes.items()
    }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="how many small faults of the rules do the tests find?")
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="WORDS", nargs="+", help="no sample: all mutants whose words contain this")
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
    reasons = explained()
    chosen = named(asked.only) if asked.only else mutants(asked.mutants, asked.seed)
    found = killers(chosen)
    told = time.process_time() - start
    print(f"{len(found)} scenarios and games, {told:.0f} s to see which mutants make a difference in each", flush=True)
    by: Counter[str] = Counter()
    for number, mutant in enumerate(chosen):
        name = "" if asked.trust and mutant.key in reasons else killed_by(number, mutant, found)
        by["killed" if name else "equivalent" if mutant.key in reasons else "alive"] += 1
        if name and not asked.quiet:
            print(f"killed  {mutant}  by {name}", flush=True)
        if not name:
            tells = sum(number in killer.tells for killer in found)
            seen = f"another value in {tells} of {len(found)}" if tells else "never another value"
            sort = "same   " if mutant.key in reasons else "ALIVE  "
            print(f"{sort} {mutant}  {reasons.get(mutant.key, seen)}", flush=True)
    total, spent = sum(by.values()), time.process_time() - start
    real = by["killed"] / max(total - by["equivalent"], 1)
    print(
        f"{total} mutants: {by['killed']} killed, {by['equivalent']} equivalent, {by['alive']} alive; "
        f"kill rate {real:.1%} of those that are a fault, {by['killed'] / max(total, 1):.1%} of all; {spent:.0f} s"
    )
    return 1 if by["alive"] else 0


if __name__ == "__main__":
    sys.exit(main())

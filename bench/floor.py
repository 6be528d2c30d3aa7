"""The C floor: a rough game of this kind in plain C, about what compiled code can do on the machine at hand.

Its rules are simplified; it is a yardstick, not a reference. Times are quoted as multiples of its time per decision,
taken in the same minute, so that they mean something on another machine or on a busy one.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sim.provenance import machine

SOURCES = Path(__file__).parent / "floor"
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
PLAYERS = {"random": 0, "greedy": 1}
SEED = 42
COLUMNS = 25
"""Numbers that the floor writes for each game; `DECISIONS` is where its decisions are counted."""
DECISIONS = 7
STATE_BYTES = 1 << 16
"""Room for the state of one game, generously."""


class Floor(NamedTuple):
    """What was measured, in CPU time of this thread, the best of the repeats."""

    ns: float
    """Nanoseconds a decision; forced picks count as decisions (4% with the random, 11% with the greedy player)."""
    decisions: float
    """Decisions a game."""
    signature: str
    """Sum over all results: equal for the same games."""


def compiler() -> str | None:
    """The C compiler: `CC`, else cc, gcc or clang; None where there is none."""
    names = [os.environ.get("CC"), "cc", "gcc", "clang"]
    return next((found for name in names if name and (found := shutil.which(name))), None)


def cache_folder() -> Path:
    """Folder for the compiled floor, beside the compiled kernels."""
    named = os.environ.get("CARDMILL_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "cardmill"


@cache
def library() -> ctypes.CDLL | None:
    """The compiled floor, made anew where its sources, the compiler or the processor are new. None, with a printed
    line, where there is no compiler that takes it."""
    cc = compiler()
    if cc is None:
        print("no C floor: there is no C compiler here (cc, gcc, clang, or CC); ratios are left out", file=sys.stderr)
        return None
    version = subprocess.run([cc, "--version"], capture_output=True, text=True).stdout
    digest = hashlib.blake2b(repr((version, FLAGS, machine()["processor"])).encode(), digest_size=8)
    for source in sorted(SOURCES.iterdir()):
        digest.update(source.read_bytes())
    file = cache_folder() / f"floor-{digest.hexdigest()}.so"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            made = Path(folder) / "floor.so"
            done = subprocess.run([cc, *FLAGS, SOURCES / "floor.c", "-o", made], capture_output=True, text=True)
            if done.returncode:
                print(f"no C floor: {cc} cannot compile it; ratios are left out\n{done.stderr}", file=sys.stderr)
                return None
            made.replace(file)
    return ctypes.CDLL(str(file))


def measure(player: str = "random", games: int = 400, repeats: int = 4) -> Floor | None:
    """Play the same `games` games `repeats` times. None without a compiler."""
    floor = library()
    if floor is None:
        return None
    state, stream = ctypes.create_string_buffer(STATE_BYTES), (ctypes.c_uint64 * 8)()
    rows = np.zeros((games, COLUMNS), np.int32)
    play, code, out = floor.run_chunk, PLAYERS[player], rows.ctypes.data_as(ctypes.c_void_p)
    seed, first, n = ctypes.c_uint64(SEED), ctypes.c_int64(0), ctypes.c_int64(games)
    best = float("inf")
    for _ in range(repeats):
        start = time.thread_time()
        play(state, stream, seed, first, n, code, code, out)
        best = min(best, time.thread_time() - start)
    decisions = int(rows[:, DECISIONS].sum())
    total = int((rows.astype(np.int64) * np.arange(1, COLUMNS + 1)).sum())
    return Floor(1e9 * best / decisions, decisions / games, str(total))


def main() -> None:
    """`python -m bench.floor`: what the floor is here."""
    for player in PLAYERS:
        floor = measure(player, 3000, 15)
        if floor is not None:
            print(f"{player}: {floor.ns:.1f} ns a decision, {floor.decisions:.1f} decisions a game, {floor.signature}")


if __name__ == "__main__":
    main()

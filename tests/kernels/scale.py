"""Memory of long runs, and that no game of them is lost: not a part of the test command.

    python -m tests.kernels.scale

plays 100,000 and 1,000,000 games, each in a process of its own, and prints rows, seats and memory of both.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.kernels.table import STARTERS

ROOM_MB = 150
"""How much more memory ten times as many games may need: buffers of a block, whatever the number of games."""


def measure(games: int, agent: str, threads: int) -> dict[str, Any]:
    """Play a run in this process and say what it took. Memory in MB, the most there was."""
    import resource
    import time

    import polars as pl

    import sim

    def most() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    with tempfile.TemporaryDirectory() as folder:
        sim.simulate(STARTERS, games=2, agent=agent, seed=1, threads=threads)  # compiles, or loads from the cache
        before, start = most(), time.perf_counter()
        run = sim.simulate(STARTERS, games=games, agent=agent, seed=1, threads=threads, out=Path(folder) / "run")
        seconds, after = time.perf_counter() - start, most()
        frame = pl.scan_parquet(run.path / "games" / "*.parquet")
        rows = frame.select(pl.len(), pl.col("game").n_unique(), pl.col("winner").null_count()).collect().row(0)
        seats = frame.group_by("first").agg(pl.len()).sort("first").collect()["len"].to_list()
        size = sum(path.stat().st_size for path in run.path.rglob("*.parquet"))
        return {
            "games": games,
            "rows": rows[0],
            "distinct": rows[1],
            "unfinished": rows[2],
            "seats": seats,
            "games_per_s": round(games / seconds),
            "loaded_mb": round(before),
            "peak_mb": round(after),
            "bytes_a_game": round(size / games, 1),
        }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="memory of long runs")
    parser.add_argument("--games", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--agent", default="greedy")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--here", action="store_true", help="play one run in this process and print it as JSON")
    arguments = parser.parse_args(argv)
    if arguments.here:
        print(json.dumps(measure(arguments.games[0], arguments.agent, arguments.threads)))
        return 0
    common = ["--agent", arguments.agent, "--threads", str(arguments.threads)]
    done: list[dict[str, Any]] = []
    # A first process fills the cache of compiled kernels: compiling takes more memory than playing.
    for games in (2, *arguments.games):
        command = [sys.executable, "-m", "tests.kernels.scale", "--here", "--games", str(games), *common]
        result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])
        if games == 2 and games not in arguments.games:
            continue
        print(", ".join(f"{key} {value}" for key, value in result.items()), flush=True)
        done.append(result)
    whole = all(r["rows"] == r["distinct"] == r["games"] and set(r["seats"]) == {r["games"] // 2} for r in done)
    more = max(r["peak_mb"] for r in done) - min(r["peak_mb"] for r in done)
    print(f"rows and seats {'exact' if whole else 'WRONG'}; {more} MB more for the longest run than for the shortest")
    return 0 if whole and more <= ROOM_MB else 1


if __name__ == "__main__":
    sys.exit(main())

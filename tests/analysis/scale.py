"""All tables of a very large run, each in a process of its own: seconds, seconds of CPU time and memory.

    python -m tests.analysis.scale --rows 50000000 --out /somewhere/with/space

The run is a toy run whose blocks are repeated with other numbers and signatures, so that it is written at the speed of
the disk; the tables do not know. Linux only.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import polars as pl

from analysis.tables import TABLES
from sim.results import Block, read_info
from tests.analysis.synthetic import write_run

DECKS = [f"toy deck {i}" for i in range(10)]
GAMES, TIMES = 200, 12
"""Games of each of the 45 matchups that are played, and how often a block holds them."""


def shifted(games: pl.DataFrame, matchups: int, i: int) -> pl.DataFrame:
    """The same games under other numbers, with other signatures."""
    return games.with_columns(
        pl.col("g") + i * GAMES,
        pl.col("game") + i * GAMES * matchups,
        signature=(pl.col("signature") // 4 + i * 0x9E3779B97F4A7).cast(pl.UInt64),
    )


def write_large(path: Path, rows: int) -> Path:
    """A run of at least `rows` games."""
    write_run(path, games=GAMES, decks=DECKS, blocks=1)
    info = read_info(path)
    (block,) = info.blocks
    matchups = len(info.matchups)
    games = pl.read_parquet(path / "games" / "000000.parquet")
    for name in block.rows:
        if name != "games":
            frame = pl.read_parquet(path / name / "000000.parquet")
            counts = "count" if "count" in frame.columns else "games"
            frame.with_columns(pl.col(counts) * TIMES).write_parquet(path / name / "000000.parquet")
    noted = block.rows | {"games": block.rows["games"] * TIMES}
    info.blocks = []
    for i in range(-(-rows // (GAMES * TIMES * matchups))):
        parts = [shifted(games, matchups, i * TIMES + k) for k in range(TIMES)]
        pl.concat(parts).write_parquet(path / "games" / f"{i:06d}.parquet", compression="zstd", compression_level=1)
        for name in block.rows:
            if name != "games" and i:  # counts name no game: the same file once more
                os.link(path / name / "000000.parquet", path / name / f"{i:06d}.parquet")
        g0 = i * TIMES * GAMES
        info.blocks.append(Block(i, g0, g0 + TIMES * GAMES, noted))
    info.games = len(info.blocks) * TIMES * GAMES
    (path / "run.json").write_bytes(msgspec.json.encode(info))
    return path


def measure(path: Path, name: str) -> tuple[float, float, float]:
    """Seconds, seconds of CPU time and megabytes of one table, in a new process."""
    code = (
        "import sys, time, analysis; analysis.table(sys.argv[1], sys.argv[2]); print(time.process_time()); "
        # not ru_maxrss, which a new process takes over from the one that started it
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code, str(path), name], capture_output=True, text=True, check=True)
    busy, kilobytes = map(float, done.stdout.split())
    return time.perf_counter() - start, busy, kilobytes / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--keep", action="store_true", help="leave the run where it is")
    asked = parser.parse_args()
    start = time.perf_counter()
    if not (asked.out / "run.json").exists():
        write_large(asked.out, asked.rows)
    print(f"written in {time.perf_counter() - start:.0f} s", flush=True)
    total = work = most = 0.0
    for name in TABLES:
        seconds, busy, megabytes = measure(asked.out, name)
        total, work, most = total + seconds, work + busy, max(most, megabytes)
        print(f"{name:12}{seconds:8.1f} s {busy:8.1f} s of CPU {megabytes:8.0f} MB", flush=True)
    print(f"{'all':12}{total:8.1f} s {work:8.1f} s of CPU {most:8.0f} MB at most")
    if not asked.keep:
        shutil.rmtree(asked.out)


if __name__ == "__main__":
    main()

"""From the arrays of the kernels to the files of a run."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

from bench.conftest import Did, Measure, digest, process_clock
from bench.workloads import STARTERS, info_of
from sim.cards import load_cards
from sim.collect import Collected, Tables
from sim.engines import Played
from sim.engines.kernel import KernelPlayer
from sim.folder import RunFolder
from sim.results import RunInfo

pytestmark = process_clock
CHUNK, CHUNKS = 1000, 100
"""A block of 100,000 games, as a run writes them."""


@pytest.fixture(scope="module")
def chunk() -> tuple[RunInfo, Played]:
    info = info_of(STARTERS)
    player = KernelPlayer(info, load_cards())
    player.prepare()
    return info, player.play_chunk(player.new_lane(), 0, 0, CHUNK)


def gather(info: RunInfo, played: Played) -> Collected:
    collected = Collected(Tables(info))
    for i in range(CHUNKS):
        collected.add(0, i * CHUNK, played)
    return collected


def content(tables: dict[str, pa.Table]) -> str:
    """Signature of what tables hold, whatever their chunks and metadata."""
    return digest(*[pl.DataFrame(table).hash_rows().sum() for table in tables.values()])


def test_build_a_block(measure: Measure, chunk: tuple[RunInfo, Played]) -> None:
    """Rows and counts of many chunks become the four tables."""
    info, played = chunk

    def build() -> Did:
        return Did(CHUNK * CHUNKS, gather(info, played).build())

    measure(build, "game", rounds=12, sign=content)


def test_write_a_block(measure: Measure, chunk: tuple[RunInfo, Played], tmp_path: Path) -> None:
    """The four tables become Parquet files, flushed."""
    info, played = chunk
    info.games, info.block_games = CHUNK * CHUNKS, CHUNK * CHUNKS
    tables = gather(info, played).build()
    with RunFolder.open(tmp_path / "run", info) as folder:

        def write() -> Did:
            folder.commit(0, 0, info.games, {name: [table] for name, table in tables.items()})
            return Did(info.games, folder.info.blocks[0])

        measure(write, "game", rounds=12, sign=lambda block: content(folder.load(block)))

"""Few files: the small blocks of a finished run become one block for 100,000 games.

Runs with events are played in smaller blocks, so that memory is bounded; a block that was lost and played again may be
in parts. Rows are copied part by part, counts are added up. It is a commit like any other: a process that is killed in
between leaves either the parts or the whole (`sim.folder`), and the next one that opens the run merges again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

from sim.blocks import groups
from sim.collect import Sums, Tables
from sim.folder import RunFolder
from sim.results import Block


def compact(folder: RunFolder) -> int:
    """Merge the blocks of a finished run that lie in one range; how many files a table has less."""
    merged = 0
    for blocks in groups(folder.info):
        if len(blocks) > 1:
            tables = Tables(folder.info)
            parts = {name: _parts(folder, tables, name, blocks) for name in folder.info.tables}
            folder.commit(blocks[0].index, blocks[0].g0, blocks[-1].g1, parts)
            merged += len(blocks) - 1
    return merged


def _parts(folder: RunFolder, tables: Tables, name: str, blocks: Sequence[Block]) -> Iterable[pa.Table]:
    """A table of several blocks: rows one block after another, counts added up."""
    if name not in tables.counted:
        yield from (folder.read(name, block) for block in blocks)
        return
    sums = Sums()
    for block in blocks:
        sums.merge(tables.keys(name, folder.read(name, block)))
    yield tables.counts(name, sums.total())

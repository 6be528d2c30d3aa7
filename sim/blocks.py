"""Which games a block holds: the ranges of g that files of a run cover.

Ranges are fixed by what was asked for and by the stops of a rule (`--until`), never by speed, threads or interruptions.
"""

from __future__ import annotations

from collections.abc import Iterator

from sim.results import Block, RunInfo

BLOCK_GAMES = 100_000
"""A file holds at least as many games, except the last of a run: at most one file per 100,000 games a table."""
EVENT_BLOCKS = 10
"""With events, which take a thousand times the room of a row, blocks are played in so many parts; a finished run has
them in one file (sim/compact.py)."""
MIN_G = 500
"""Games of each matchup in a block at least; with many matchups the count tables would outgrow the games otherwise."""


def block_size(matchups: int, events: bool = False) -> int:
    """How many g a block of a new run covers; depends on the number of matchups alone, so that ranges are fixed."""
    games = BLOCK_GAMES // EVENT_BLOCKS if events else BLOCK_GAMES
    return -(-max(-(-games // matchups), MIN_G // EVENT_BLOCKS if events else MIN_G) // 4) * 4


def active(info: RunInfo, g: int) -> list[int]:
    """The matchups that play game g."""
    return [m for m in range(len(info.matchups)) if info.stops.get(m, g + 1) > g]


def fixed_ranges(info: RunInfo) -> Iterator[tuple[int, int, int]]:
    """Number, g0 and g1 of every range of the run as it was asked for. Where matchups were stopped, ranges cover more
    g, so that they hold as many games as before; a stop changes no range that ends before it."""
    number = g0 = 0
    while g0 < info.games and active(info, g0):
        g1, missing = g0, (info.block_games or block_size(len(info.matchups), info.events)) * len(info.matchups)
        while missing > 0 and (playing := len(active(info, g1))):
            step = -(-missing // playing)
            step = min([step + -step % 4, *(stop - g1 for stop in info.stops.values() if stop > g1)])
            g1, missing = g1 + step, missing - step * playing
        yield number, g0, min(g1, info.games)
        number, g0 = number + 1, g1


def block_ranges(info: RunInfo) -> Iterator[tuple[int, int, int]]:
    """Index, g0 and g1 of every block as it will be: those that are there, the last of them grown, and what lacks."""
    there = {block.g0: block for block in info.blocks}
    used = {block.index for block in info.blocks}
    g0 = 0
    for number, _, end in fixed_ranges(info):
        while g0 < end:
            here = there.get(g0)
            g1 = min([end, *(start for start in there if start > g0)])
            if here is not None:
                index, g1 = here.index, max(g1, here.g1)  # merged blocks cover several ranges
            else:
                index = number if number not in used else max(used) + 1
                used.add(index)
            yield index, g0, g1
            g0 = g1


def groups(info: RunInfo) -> list[list[Block]]:
    """The blocks that a finished run has as one, in the order of g: those of a range, with events those of ten."""
    parts = EVENT_BLOCKS if info.events else 1
    ends = [(end, number // parts) for number, _, end in fixed_ranges(info)]
    found: list[list[Block]] = []
    before = -1, -1  # group and end of the last block
    for block in sorted(info.blocks, key=lambda block: block.g0):
        group = next((group for end, group in ends if block.g0 < end), -1)
        if (group, block.g0) != before:
            found.append([])
        found[-1].append(block)
        before = group, block.g1
    return found

"""The run folder: files complete or absent, whatever happens to the process.

A block is one file in each table. It is written under hidden names, then `run.json` is replaced (from then on the block
counts as written), then the hidden files take their names. A process killed in between is finished or undone by the
next one that opens the folder. In a store, which has no hidden names, a block counts once `run.json` names its files;
one that was being written then is written again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from sim.errors import RunError
from sim.places import LOCK, Place, file_in_the_way, place_of, readable_errors
from sim.results import VERSION, Block, RunInfo, read_info


def file_name(block: int) -> str:
    return f"{block:07}.parquet"


class RunFolder:
    """An open run folder, locked where that is possible; use as a context manager."""

    def __init__(self, place: Place, info: RunInfo) -> None:
        self.place, self.info = place, info

    @classmethod
    def open(cls, out: str | Path, wanted: RunInfo) -> RunFolder:
        """Create the folder for `wanted`, or open the one that is there if it holds the same run.

        Raises RunError, before anything is written, where the folder holds something else.
        """
        place = place_of(out)
        found = existing(out, place)
        if found:
            refuse_difference(place.where, found, wanted)
        with readable_errors(place.where):
            place.make([""])
        place.lock()
        try:
            found = existing(out, place)  # again: another process may have made it meanwhile
            if found:
                refuse_difference(place.where, found, wanted)
                folder = cls(place, found)
                with readable_errors(place.where):
                    folder._recover()
                folder.info.games = wanted.games
                folder.info.versions = wanted.versions
            else:
                folder = cls(place, wanted)
            with readable_errors(place.where):
                place.make(list(folder.info.tables))
                folder.save()
        except BaseException:
            place.release()
            raise
        return folder

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.place.release()

    def save(self) -> None:
        """Write `run.json`."""
        self.place.put("run.json", msgspec.json.format(msgspec.json.encode(self.info), indent=1))

    def block(self, index: int) -> Block | None:
        """What is written of a block."""
        return next((block for block in self.info.blocks if block.index == index), None)

    def load(self, block: Block) -> dict[str, pa.Table]:
        """The tables of a written block."""
        return {table: self.read(table, block) for table in self.info.tables}

    def read(self, table: str, block: Block, columns: list[str] | None = None) -> pa.Table:
        """One table of a written block."""
        with self.place.source(f"{table}/{file_name(block.index)}") as file:
            return pq.ParquetFile(file).read(columns=columns)

    def commit(self, index: int, g0: int, g1: int, tables: Mapping[str, Iterable[pa.Table]]) -> None:
        """Write a block in place of all that is there of games g0 to g1: of its shorter self, or of smaller blocks.

        tables: each in parts, one after another; one part at a time is asked for.
        """
        block = Block(index, g0, g1, {})
        meta = {"cardmill": json.dumps({"version": VERSION, "block": index, "g0": g0, "g1": g1})}
        with readable_errors(self.place.where):
            for name, parts in tables.items():
                data, block.rows[name] = written(parts, self.info.tables[name].with_metadata(meta))
                block.hashes[name] = hash_of(data)
                self.place.stage(f"{name}/{file_name(index)}", g1, data)
            inside = [old for old in self.info.blocks if g0 <= old.g0 and old.g1 <= g1]
            others = [old for old in self.info.blocks if old not in inside]
            self.info.blocks = sorted([*others, block], key=lambda b: b.g0)
            self.save()
            self._name_files(block)
            for old in inside:
                if old.index != index:
                    for name in tables:
                        self.place.remove(f"{name}/{file_name(old.index)}")

    def _name_files(self, block: Block) -> None:
        """Give the hidden files of a block that `run.json` knows their names."""
        for table in self.info.tables:
            self.place.publish(f"{table}/{file_name(block.index)}", block.g1)

    def _recover(self) -> None:
        """Finish or undo what a killed process left, and forget blocks whose files are not whole."""
        for block in self.info.blocks:
            self._name_files(block)
        whole = [block for block in self.info.blocks if self._is_whole(block)]
        if len(whole) != len(self.info.blocks):
            self.info.blocks = whole
            self.save()
        known = {file_name(block.index) for block in whole}
        for table in self.info.tables:
            for name in self.place.names(table):
                ours = re.fullmatch(r"\d{7}\.parquet|\.\d{7}\.parquet\.\d+\.tmp", name)
                if ours and name not in known:
                    self.place.remove(f"{table}/{name}")

    def _is_whole(self, block: Block) -> bool:
        for table in self.info.tables:
            try:
                with self.place.source(f"{table}/{file_name(block.index)}") as file:
                    metadata = pq.ParquetFile(file).metadata
                extra = json.loads((metadata.metadata or {})[b"cardmill"])
            except (OSError, pa.ArrowInvalid, KeyError, ValueError):
                return False
            if metadata.num_rows != block.rows.get(table) or (extra["g0"], extra["g1"]) != (block.g0, block.g1):
                return False
        return True


def written(parts: Iterable[pa.Table], schema: pa.Schema) -> tuple[Any, int]:
    """The bytes of a file with these rows, and how many they are."""
    stream, rows = pa.BufferOutputStream(), 0
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for part in parts:
            writer.write_table(part.replace_schema_metadata(schema.metadata))
            rows += part.num_rows
    return stream.getvalue(), rows


def hash_of(data: Any) -> str:
    """Hash of the bytes of a file: 32 hexadecimal digits."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def existing(out: str | Path, place: Place | None = None) -> RunInfo | None:
    """The run in `out`; None where there is no folder or an empty one. Raises RunError for anything else."""
    place = place or place_of(out)
    where = place.where
    try:
        return read_info(where if place.renames else out)
    except FileNotFoundError:
        pass
    except NotADirectoryError:
        raise RunError("is a file; a run needs a folder", file_in_the_way(where)) from None
    except OSError as error:
        raise RunError(f"cannot be read: {error.strerror or error}", where) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RunError(f"is not a run.json of this program: {error}", f"{where}/run.json") from None
    left = {LOCK, ".run.json.0.tmp", ".run.json.tmp"}  # of a process killed at its very start
    with readable_errors(where):
        strange = [name for name in place.strays() if name not in left]
    if strange:
        raise RunError(f"is not a run folder (no run.json, but {strange[0]!r}); choose another --out", where)
    return None


def refuse_difference(where: str, found: RunInfo, wanted: RunInfo) -> None:
    """Raises RunError with every difference that makes `wanted` another run than the one in `path`."""
    lines = list(differences(found, wanted))
    if lines:
        text = "\n".join(f"  {line}" for line in lines)
        raise RunError(f"holds a run with other settings; choose another --out.\n{text}", where)
    if found.played > wanted.games:
        raise RunError(
            f"holds {found.played:,} games of each pair already, more than the {wanted.games:,} asked for; "
            "games are never taken away",
            where,
        )


def differences(found: RunInfo, wanted: RunInfo) -> Iterator[str]:
    """One line for each setting that decides what the games are."""

    def compare(what: str, old: Any, new: Any) -> Iterator[str]:
        if old != new:
            yield f"{what}: {old} there, {new} asked for"

    yield from compare("version of the folder", found.version, wanted.version)
    yield from compare("game", found.game, wanted.game)
    yield from compare("seed", found.seed, wanted.seed)
    agents = [" versus ".join(agent.label for agent in info.agents) for info in (found, wanted)]
    yield from compare("agents", *agents)
    if agents[0] == agents[1]:
        for old, new in zip(found.agents, wanted.agents, strict=True):
            for key in sorted({*old.params, *new.params}):
                yield from compare(f"agent {old.label}, {key}", old.params.get(key), new.params.get(key))
    yield from compare("mirrors", found.mirrors, wanted.mirrors)
    yield from compare("events", found.events, wanted.events)
    yield from compare("until", found.until or "no rule", wanted.until or "no rule")
    if found.until:  # how often the rule looks, and so how sure it must be, depends on the most games
        yield from compare("games (part of the rule that ends matchups)", found.games, wanted.games)
    before, after = [deck.name for deck in found.decks], [deck.name for deck in wanted.decks]
    yield from compare("decks", ", ".join(before), ", ".join(after))
    if before == after:
        for a, b in zip(found.decks, wanted.decks, strict=True):
            for number in sorted({*a.cards, *b.cards}):
                copies = [f"{deck.cards.get(number, 0)} {number}" for deck in (a, b)]
                yield from compare(f"deck {a.name}", *copies)
    for key in sorted({*found.rules, *wanted.rules}):
        yield from compare(f"rule {key}", found.rules.get(key), wanted.rules.get(key))
    for key, meaning in (
        ("cards", "what the cards of these decks do"),
        ("engine", "the engine (another version plays other games)"),
    ):
        yield from compare(meaning, found.hashes.get(key), wanted.hashes.get(key))

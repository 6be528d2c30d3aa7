"""The run folder: files complete or absent, whatever happens to the process.

A block is one file in each table. It is written under hidden names, then `run.json` is replaced (from then on the block
counts as written), then the hidden files take their names. A process killed in between is finished or undone by the
next one that opens the folder.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from sim.errors import RunError
from sim.results import VERSION, Block, RunInfo, read_info, tables_of

BLOCK_GAMES = 100_000
"""A file holds at least as many games, except the last of a run: at most one file per 100,000 games a table."""
MIN_G = 500
"""Games of each matchup in a block at least; with many matchups the count tables would outgrow the games otherwise."""
LOCK = ".lock"


def block_size(matchups: int) -> int:
    """How many g a block covers; depends on nothing but the number of matchups, so that ranges are fixed."""
    return -(-max(-(-BLOCK_GAMES // matchups), MIN_G) // 4) * 4


def file_name(block: int) -> str:
    return f"{block:07}.parquet"


@contextlib.contextmanager
def readable_errors(path: Path) -> Iterator[None]:
    """Turns what the system says about files into a RunError."""
    try:
        yield
    except OSError as error:
        hint = "; the files finished before are whole" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
        raise RunError(f"cannot be written: {error.strerror or error}{hint}", str(path)) from None


def sync(path: Path) -> None:
    """Make a file or folder survive a power cut."""
    if path.is_dir() and os.name == "nt":
        return  # folders cannot be flushed there
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_file(path: Path, data: bytes) -> None:
    """Write a small file so that it is complete or absent."""
    hidden = path.with_name(f".{path.name}.tmp")
    hidden.write_bytes(data)
    sync(hidden)
    hidden.replace(path)
    sync(path.parent)


class Lock:
    """Holds a folder for one process; the system lets go of it when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK
        self.file: IO[str] | None = None

    def take(self) -> None:
        with readable_errors(self.path.parent):
            file = open(self.path, "a+", encoding="ascii")  # noqa: SIM115 held until `release`
        try:
            if os.name == "nt":
                import msvcrt

                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
                file.seek(0)
                who = file.read().strip()
                file.close()
                raise RunError(
                    "another process is writing this run" + (f" (process {who})" if who else ""), str(self.path.parent)
                ) from None
            # a file system without locks: go on, one process is the user's care there
        if os.name != "nt":
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
        self.file = file

    def release(self) -> None:
        if self.file is not None:
            self.file.close()  # the file stays: taking it away would let two processes lock two files of this name
            self.file = None


class RunFolder:
    """An open run folder, locked; use as a context manager."""

    def __init__(self, path: Path, info: RunInfo, lock: Lock) -> None:
        self.path, self.info, self._lock = path, info, lock
        self.tables = tables_of(info)

    @classmethod
    def open(cls, path: Path, wanted: RunInfo) -> RunFolder:
        """Create the folder for `wanted`, or open the one that is there if it holds the same run.

        Raises RunError, before anything is written, where the folder holds something else.
        """
        found = existing(path)
        if found:
            refuse_difference(path, found, wanted)
        with readable_errors(path):
            path.mkdir(parents=True, exist_ok=True)
        lock = Lock(path)
        lock.take()
        try:
            found = existing(path)  # again: another process may have made it meanwhile
            if found:
                refuse_difference(path, found, wanted)
                folder = cls(path, found, lock)
                with readable_errors(path):
                    folder._recover()
                folder.info.games = wanted.games
                folder.info.versions = wanted.versions
            else:
                folder = cls(path, wanted, lock)
            with readable_errors(path):
                for table in folder.tables:
                    (path / table).mkdir(exist_ok=True)
                folder.save()
        except BaseException:
            lock.release()
            raise
        return folder

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._lock.release()

    def save(self) -> None:
        """Write `run.json`."""
        data = msgspec.json.encode(self.info)
        replace_file(self.path / "run.json", msgspec.json.format(data, indent=1))

    def block(self, index: int) -> Block | None:
        """What is written of a block."""
        return next((block for block in self.info.blocks if block.index == index), None)

    def load(self, block: Block) -> dict[str, pa.Table]:
        """The tables of a written block."""
        # ParquetFile: read_table would take the file's folder for a partitioned data set
        return {table: pq.ParquetFile(self._file(table, block.index)).read() for table in self.tables}

    def commit(self, index: int, g0: int, g1: int, tables: dict[str, pa.Table]) -> None:
        """Write a block, or a longer version of it, in place of what was there."""
        block = Block(index, g0, g1, {name: table.num_rows for name, table in tables.items()})
        meta = {"cardmill": json.dumps({"version": VERSION, "block": index, "g0": g0, "g1": g1})}
        with readable_errors(self.path):
            for name, table in tables.items():
                hidden = self._hidden(name, block)
                pq.write_table(table.replace_schema_metadata(meta), hidden, compression="zstd")
                sync(hidden)
            others = [other for other in self.info.blocks if other.index != index]
            self.info.blocks = sorted([*others, block], key=lambda b: b.index)
            self.save()
            self._name_files(block)

    def _file(self, table: str, index: int) -> Path:
        return self.path / table / file_name(index)

    def _hidden(self, table: str, block: Block) -> Path:
        return self.path / table / f".{file_name(block.index)}.{block.g1}.tmp"

    def _name_files(self, block: Block) -> None:
        """Give the hidden files of a block that `run.json` knows their names."""
        for table in self.tables:
            hidden = self._hidden(table, block)
            if hidden.exists():
                hidden.replace(self._file(table, block.index))
                sync(hidden.parent)

    def _recover(self) -> None:
        """Finish or undo what a killed process left, and forget blocks whose files are not whole."""
        for block in self.info.blocks:
            self._name_files(block)
        whole = [block for block in self.info.blocks if self._is_whole(block)]
        if len(whole) != len(self.info.blocks):
            self.info.blocks = whole
            self.save()
        known = {file_name(block.index) for block in whole}
        for table in self.tables:
            for file in (self.path / table).iterdir():
                ours = re.fullmatch(r"\d{7}\.parquet|\.\d{7}\.parquet\.\d+\.tmp", file.name)
                if ours and file.name not in known:
                    file.unlink()

    def _is_whole(self, block: Block) -> bool:
        for table in self.tables:
            try:
                metadata = pq.read_metadata(self._file(table, block.index))
                extra = json.loads((metadata.metadata or {})[b"cardmill"])
            except (OSError, pa.ArrowInvalid, KeyError, ValueError):
                return False
            if metadata.num_rows != block.rows[table] or (extra["g0"], extra["g1"]) != (block.g0, block.g1):
                return False
        return True


def existing(path: Path) -> RunInfo | None:
    """The run in `path`; None where there is no folder or an empty one. Raises RunError for anything else."""
    try:
        return read_info(path)
    except FileNotFoundError:
        pass
    except NotADirectoryError:
        raise RunError("is a file; a run needs a folder", str(path)) from None
    except OSError as error:
        raise RunError(f"cannot be read: {error.strerror or error}", str(path)) from None
    except msgspec.MsgspecError as error:
        raise RunError(f"is not a run.json of this program: {error}", str(path / "run.json")) from None
    if path.is_dir():
        left = {LOCK, ".run.json.tmp"}  # of a process killed at its very start
        strange = sorted(file.name for file in path.iterdir() if file.name not in left and not _empty_folder(file))
        if strange:
            raise RunError(f"is not a run folder (no run.json, but {strange[0]!r}); choose another --out", str(path))
    return None


def _empty_folder(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def refuse_difference(path: Path, found: RunInfo, wanted: RunInfo) -> None:
    """Raises RunError with every difference that makes `wanted` another run than the one in `path`."""
    lines = list(differences(found, wanted))
    if lines:
        text = "\n".join(f"  {line}" for line in lines)
        raise RunError(f"holds a run with other settings; choose another --out.\n{text}", str(path))
    if found.played > wanted.games:
        raise RunError(
            f"holds {found.played:,} games of each pair already, more than the {wanted.games:,} asked for; "
            "games are never taken away",
            str(path),
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

"""Where a run is written: a folder, or a store with an address such as s3://bucket/folder.

A folder takes files under hidden names first and renames them; a store takes each file in one put, which either happens
or does not. A folder is locked for one process; stores have no locks that work everywhere.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Protocol

from sim.errors import RunError
from sim.results import connect, is_address

LOCK = ".lock"


class Place(Protocol):
    """Named files; a name may have a folder in front, as in games/0000000.parquet."""

    where: str
    renames: bool
    """Whether `stage` keeps a file out of sight until `publish`."""

    def make(self, folders: list[str]) -> None:
        """Create the place and folders in it, where missing."""

    def lock(self) -> None:
        """Hold the place for this process. Raises RunError where another one does."""

    def release(self) -> None:
        """Let go of it."""

    def read(self, name: str) -> bytes:
        """The bytes of a file. Raises FileNotFoundError."""

    def source(self, name: str) -> Any:
        """A file as pyarrow reads it, for a `with`. Raises FileNotFoundError."""

    def names(self, folder: str = "") -> list[str]:
        """Names of files and folders in a folder; none where it is missing."""

    def strays(self) -> list[str]:
        """Names of files, and of folders with something in them."""

    def put(self, name: str, data: Any) -> None:
        """Write a file so that it is complete or absent."""

    def stage(self, name: str, mark: int, data: Any) -> None:
        """Write a file that `publish` gives its name."""

    def publish(self, name: str, mark: int) -> None:
        """Give a staged file its name, where that has not happened yet."""

    def remove(self, name: str) -> None:
        """Take a file away."""


def place_of(out: str | Path) -> Place:
    """The place that `--out` names."""
    if not is_address(out):
        return Folder(Path(out))
    if str(out).startswith("file://"):
        from urllib.parse import unquote, urlsplit

        return Folder(Path(unquote(urlsplit(str(out)).path)))
    return Store(str(out))


def without_secrets(text: str) -> str:
    """Addresses may name a key and a password: s3://KEY:SECRET@bucket."""
    import re

    return re.sub(r"://[^/@\s]+@", "://***@", text)


@contextlib.contextmanager
def readable_errors(where: str | Path) -> Iterator[None]:
    """Turns what the system says about files into a RunError."""
    try:
        yield
    except OSError as error:
        hint = "; the files finished before are whole" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
        raise RunError(f"cannot be written: {error.strerror or error}{hint}", str(where)) from None


def file_in_the_way(path: str | Path) -> str:
    """The file that stands where a folder would have to be: `path`, or one of the folders that it names."""
    whole = Path(path)
    return str(next((one for one in (*reversed(whole.parents), whole) if one.is_file()), whole))


def sync(path: Path) -> None:
    """Make a file or folder survive a power cut."""
    if path.is_dir() and os.name == "nt":
        return  # folders cannot be flushed there
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Folder:
    """A folder of this machine."""

    renames = True

    def __init__(self, path: Path) -> None:
        self.path, self.where = path, str(path)
        self._lock = Lock(path)

    def make(self, folders: list[str]) -> None:
        for folder in folders:
            (self.path / folder).mkdir(parents=True, exist_ok=True)

    def lock(self) -> None:
        self._lock.take()

    def release(self) -> None:
        self._lock.release()

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def source(self, name: str) -> Any:
        # opened here: pyarrow would take the file's folder for a partitioned data set
        return open(self.path / name, "rb")

    def names(self, folder: str = "") -> list[str]:
        try:
            return sorted(file.name for file in (self.path / folder).iterdir())
        except FileNotFoundError:
            return []

    def strays(self) -> list[str]:
        return [name for name in self.names() if not (self.path / name).is_dir() or self.names(name)]

    def put(self, name: str, data: Any) -> None:
        self.stage(name, 0, data)
        self.publish(name, 0)

    def stage(self, name: str, mark: int, data: Any) -> None:
        hidden = self._hidden(name, mark)
        try:
            with open(hidden, "wb") as file:
                file.write(data)
            sync(hidden)
        except OSError:
            with contextlib.suppress(OSError):  # a full disk: give back what is of no use
                hidden.unlink()
            raise

    def publish(self, name: str, mark: int) -> None:
        hidden = self._hidden(name, mark)
        if hidden.exists():
            hidden.replace(self.path / name)
            sync(hidden.parent)

    def remove(self, name: str) -> None:
        (self.path / name).unlink()

    def _hidden(self, name: str, mark: int) -> Path:
        file = self.path / name
        return file.with_name(f".{file.name}.{mark}.tmp")


class Store:
    """A store with an address. What is staged is there at once: a reader goes by run.json, which is written last."""

    renames = False

    def __init__(self, address: str) -> None:
        self.where = without_secrets(address)
        try:
            self.files, self.base = connect(address)
        except OSError as error:
            raise RunError(str(error), self.where) from None

    def make(self, folders: list[str]) -> None:
        if self.files.type_name not in ("s3", "gcs"):  # there, folders are only parts of names
            for folder in folders:
                self.files.create_dir(f"{self.base}/{folder}", recursive=True)

    def lock(self) -> None:
        pass

    def release(self) -> None:
        pass

    def read(self, name: str) -> bytes:
        with self.files.open_input_stream(f"{self.base}/{name}") as file:
            return file.read()

    def source(self, name: str) -> Any:
        return self.files.open_input_file(f"{self.base}/{name}")

    def names(self, folder: str = "") -> list[str]:
        from pyarrow.fs import FileSelector

        chosen = FileSelector(f"{self.base}/{folder}".rstrip("/"), allow_not_found=True)
        return sorted(found.base_name for found in self.files.get_file_info(chosen))

    def strays(self) -> list[str]:
        from pyarrow.fs import FileSelector, FileType

        every = FileSelector(self.base, allow_not_found=True, recursive=True)
        files = [found.path for found in self.files.get_file_info(every) if found.type == FileType.File]
        return sorted({path.lstrip("/")[len(self.base.lstrip("/")) + 1 :].partition("/")[0] for path in files})

    def put(self, name: str, data: Any) -> None:
        with self.files.open_output_stream(f"{self.base}/{name}") as file:
            file.write(data)

    def stage(self, name: str, mark: int, data: Any) -> None:
        self.put(name, data)

    def publish(self, name: str, mark: int) -> None:
        pass

    def remove(self, name: str) -> None:
        self.files.delete_file(f"{self.base}/{name}")


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
            with contextlib.suppress(OSError):  # a full disk: the lock holds without the number in it
                file.truncate(0)
                file.write(str(os.getpid()))
                file.flush()
        self.file = file

    def release(self) -> None:
        if self.file is not None:
            with contextlib.suppress(OSError):
                self.file.close()  # the file stays: taking it away would let two processes lock two files of this name
            self.file = None

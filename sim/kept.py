"""What a long command keeps while it works, so that the same command goes on where it was stopped.

A folder with one file `progress.json`, replaced whole: what was asked, and how far it is. One process holds it at a
time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar

import msgspec

from sim.errors import RunError
from sim.places import LOCK, Folder, file_in_the_way, readable_errors

SECONDS = 10.0
"""How often progress is written, about."""
NAME = "progress.json"
State = TypeVar("State", bound=msgspec.Struct)


class _Noted(msgspec.Struct):
    asked: dict[str, Any]
    state: msgspec.Raw


class Kept(Generic[State]):
    """Progress in a folder; as a context manager it holds the folder. Without a folder nothing is kept.

    asked: every setting that decides the result, under the words that a person knows. state: how far it is, as found;
    `start` where there was nothing. Raises RunError where the folder holds something else, with every difference.
    """

    def __init__(self, folder: Path | None, asked: Mapping[str, Any], start: State) -> None:
        self.folder, self.asked, self.state = folder, dict(asked), start
        self.place = Folder(folder) if folder is not None else None
        self.saved = time.monotonic()

    def __enter__(self) -> Kept[State]:
        if self.place is None:
            return self
        found = _read(self.place.path)
        with readable_errors(self.place.where):
            left = {LOCK, f".{NAME}.0.tmp"}  # of a process killed at its very start
            if found is None and not left.issuperset(self.place.strays()):
                raise RunError(f"is not empty and holds no {NAME}; choose another --out", self.place.where)
            self.place.make([""])
        self.place.lock()
        try:
            found = _read(self.place.path)
            if found is not None:
                self._take(found)
            self.save()
        except BaseException:
            self.place.release()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self.place is not None:
            self.place.release()

    def _take(self, found: _Noted) -> None:
        asked = msgspec.json.decode(msgspec.json.encode(self.asked))
        lines = [
            f"  {key}: {found.asked.get(key)} there, {asked.get(key)} asked for"
            for key in sorted({*found.asked, *asked})
            if found.asked.get(key) != asked.get(key)
        ]
        where = str(self.folder)
        if lines:
            text = "\n".join(lines)
            raise RunError(
                f"holds what was played with other settings; choose another --out, or remove it.\n{text}", where
            )
        try:
            self.state = msgspec.json.decode(found.state, type=type(self.state))
        except msgspec.MsgspecError as error:
            raise RunError(f"is not of this program: {error}", f"{where}/{NAME}") from None

    def save(self) -> None:
        """Write how far it is. Raises RunError."""
        self.saved = time.monotonic()
        if self.place is not None:
            noted = _Noted(self.asked, msgspec.Raw(msgspec.json.encode(self.state)))
            with readable_errors(self.place.where):
                self.place.put(NAME, msgspec.json.encode(noted))

    def save_sometimes(self) -> None:
        """The same, where the last time is some seconds ago."""
        if time.monotonic() - self.saved > SECONDS:
            self.save()


def asked_before(folder: Path | None, key: str) -> Any:
    """A setting of what is kept in a folder; None where there is nothing."""
    found = _read(folder) if folder is not None else None
    return found.asked.get(key) if found is not None else None


def _read(folder: Path) -> _Noted | None:
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=_Noted)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise RunError("is a file; progress needs a folder", file_in_the_way(folder)) from None
    except OSError as error:
        raise RunError(f"cannot be read: {error.strerror or error}", str(folder)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RunError(f"is not of this program: {error}", f"{folder}/{NAME}") from None

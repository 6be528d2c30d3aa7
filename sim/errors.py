"""Errors that are meant for people: where, what was found, what would be right. Never shown with a traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(Exception):
    """Something that the user gave cannot be used. `str()` is the whole message."""

    def __init__(self, message: str, file: str = "", line: int = 0) -> None:
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        super().__init__(place + message)
        self.message, self.file, self.line = message, file, line


class DeckError(InputError):
    """A deck that cannot be read, or that the deck rules forbid."""


class RunError(InputError):
    """A run that cannot be started, resumed or read."""


class Interrupted(Exception):
    """The user stopped a run (Ctrl-C, SIGTERM). What was finished is in the files, or else in `so_far`."""

    def __init__(self, message: str, so_far: object = None) -> None:
        super().__init__(message)
        self.so_far = so_far


def nearest(word: str, known: Iterable[str], most: int = 3) -> str:
    """`; did you mean a, b?` for the known names most like `word`, or nothing."""
    names = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(word.casefold(), names, n=most, cutoff=0.6)
    return f"; did you mean {' or '.join(repr(names[name]) for name in found)}?" if found else ""

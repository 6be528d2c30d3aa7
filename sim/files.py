"""Files that users name: read as bytes or text, and refused in words where they are none."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file. Raises OSError, also for a pipe or device, which might never end or answer."""
    mode = Path(path).stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device; save what it gives to a file", str(path))
    return Path(path).read_bytes()


def read_text(path: str | os.PathLike[str]) -> str:
    """Its text in UTF-8, with or without a byte-order mark, lines ended by newlines alone. Raises OSError and
    UnicodeDecodeError."""
    return read_bytes(path).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def why(error: Exception) -> str:
    """What is wrong with a file, without its name."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)

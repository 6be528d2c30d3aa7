"""Compiled kernels on disk, one file for each signature and kind of processor.

Numba's own cache keeps an index beside the code: two processes that compile at once may mix them up, a damaged file
ends the program, and loading fills registries that only the compiler needs (a second for each start). Here a file is
whole or compiled anew, one process compiles while the others wait for it, and loading is only that.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba.core import caching, serialize
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target

DIGEST = 32
ENDING = ".kernel"


def usable(folder: Path) -> bool:
    """Whether files can be written into a folder, which is made where it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _own(folder: Path) -> bool:
    """Whether nobody else can put files into a folder of ours: what lies there is run as a program."""
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        return os.name == "nt" or (
            stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022
        )
    return False


def cache_folder(name: str) -> Path:
    """`cardmill/name` in `CARDMILL_CACHE`, else in the user's cache folder, else (neither can be written) in a folder
    for temporary files."""
    named = os.environ.get("CARDMILL_CACHE") or os.environ.get("XDG_CACHE_HOME")
    try:
        folder = (Path(named) if named else Path.home() / ".cache") / "cardmill" / name
        if usable(folder):
            return folder
    except RuntimeError:  # no home
        pass
    shared = Path(tempfile.gettempdir()) / f"cardmill-{os.getuid() if hasattr(os, 'getuid') else 0}"
    return shared / name if _own(shared) and usable(shared / name) else Path(tempfile.mkdtemp(prefix="cardmill-"))


def processor() -> str:
    """What compiled code depends on: system, processor and its abilities; 8 hexadecimal digits."""
    return hashlib.blake2b(repr(cpu_target.target_context.codegen().magic_tuple()).encode(), digest_size=4).hexdigest()


def cold(folder: Path) -> bool:
    """Whether nothing has been compiled into a folder for this processor."""
    return not any(folder.glob(f"*-{processor()}-*{ENDING}"))


class KernelCache(caching._Cache):
    """The compiled forms of one function. What cannot be kept is said once, and compiled again the next time."""

    def __init__(self, folder: Path, function: Callable[..., Any]) -> None:
        self.folder, self.name = folder, function.__name__
        self._alone = contextlib.ExitStack()

    cache_path = property(lambda self: str(self.folder))

    def file(self, signature: Any) -> Path:
        """Where a compiled form is kept."""
        key = hashlib.blake2b(repr(signature).encode(), digest_size=8).hexdigest()
        return self.folder / f"{self.name}-{processor()}-{key}{ENDING}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kept form; None where there is none: then this process is to compile it, and others wait."""
        found = self._load(sig, target_context)
        if found is None:
            self._alone.enter_context(locked(self.folder / f".{self.name}.lock"))
            found = self._load(sig, target_context)  # again: the process that was waited for may have made it
        return found

    def _load(self, signature: Any, target: Any) -> Any:
        try:
            data = self.file(signature).read_bytes()
            if hashlib.blake2b(data[DIGEST:], digest_size=DIGEST).digest() != data[:DIGEST]:
                return None  # cut short, or of something else
            return CompileResult._rebuild(target, *pickle.loads(data[DIGEST:]))
        except OSError:
            return None
        except Exception as error:  # whatever a whole file of another version brings about
            warnings.warn(f"{self.file(signature)}: not used, compiled anew: {error!r}", stacklevel=2)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled form, whole or not at all."""
        text = serialize.dumps(data._reduce())
        file = self.file(sig)
        hidden = file.with_name(f".{file.name}.{os.getpid()}")
        try:
            try:
                hidden.write_bytes(hashlib.blake2b(text, digest_size=DIGEST).digest() + text)
                hidden.replace(file)
            finally:
                hidden.unlink(missing_ok=True)
        except OSError as error:
            warnings.warn(
                f"the compiled engine cannot be kept in {self.folder} ({error.strerror}), so that the next start "
                "compiles again; name another folder in CARDMILL_CACHE",
                stacklevel=2,
            )

    def release(self) -> None:
        """Let others compile; call it when a compilation has ended, well or not."""
        self._alone.close()

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """While entered, no other process is; without effect on file systems that know no locks."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            file = stack.enter_context(open(path, "a+b"))
            if os.name == "nt":
                import msvcrt

                while True:  # gives up after ten seconds
                    with contextlib.suppress(PermissionError):
                        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
                        break
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX)
        yield

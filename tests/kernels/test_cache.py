"""The cache of compiled kernels: whatever lies in it, a start works or says why. With a kernel of three lines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernels import cache, jit

ROOT = Path(__file__).parents[2]
TINY = """
import functools

import numpy as np
from kernels import jit

@jit.kernel
def part(x):
    return x * np.int64(3)

@functools.partial(jit.entry, game="tiny")
def tiny(x, into):
    for i in range(len(into)):
        into[i] += part(x)
    return x + 1

cold, into = jit.cold("tiny"), np.zeros(2, np.int64)
print(int(tiny(np.int64(4), into)), list(map(int, into)), "cold" if cold else "warm", jit.cache_of("tiny"))
"""
RIGHT = "5 [12, 12]"

pytestmark = pytest.mark.skipif(jit.PLAIN, reason="plain mode compiles nothing")


def start(folder: Path, **more: str) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "CARDMILL_CACHE": str(folder)} | more
    return subprocess.Popen(
        [sys.executable, "-c", TINY], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert out.startswith(RIGHT), out
    return out, err


def play(folder: Path, **more: str) -> tuple[str, str]:
    """What a start prints, and what it warns of; the results are those of the kernel."""
    return finish(start(folder, **more))


def kept(folder: Path) -> list[Path]:
    return list(folder.rglob(f"*{cache.ENDING}"))


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A cache with the kernel in it, and what the file holds."""
    folder = tmp_path_factory.mktemp("cache")
    out, err = play(folder)
    assert " cold " in out and not err
    (file,) = kept(folder)
    return folder, file.read_bytes()


def test_the_second_start_loads(warm: tuple[Path, bytes]) -> None:
    folder, data = warm
    before = kept(folder)[0].stat().st_mtime_ns
    out, err = play(folder)
    assert " warm " in out and not err
    assert kept(folder)[0].stat().st_mtime_ns == before
    assert kept(folder)[0].read_bytes() == data


@pytest.mark.parametrize("damage", ["cut", "empty", "one bit", "foreign", "whole but foreign"])
def test_damaged_and_foreign_files_are_compiled_anew(damage: str, warm: tuple[Path, bytes]) -> None:
    folder, data = warm
    (file,) = kept(folder)
    if damage == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "one bit":
        middle = len(data) // 2
        file.write_bytes(data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :])
    elif damage == "foreign":
        file.write_bytes(b"not a kernel " * 100)
    else:
        import hashlib
        import pickle

        text = pickle.dumps(["of", "another", "version"])
        file.write_bytes(hashlib.blake2b(text, digest_size=cache.DIGEST).digest() + text)
    _, err = play(folder)
    assert "Traceback" not in err
    assert ("compiled anew" in err) == (damage == "whole but foreign")
    assert len(kept(folder)) == 1
    assert file.stat().st_size > 1000
    assert play(folder)[1] == ""


def test_eight_processes_at_once(tmp_path: Path) -> None:
    """One compiles, the others wait for it; nothing but one whole file is left."""
    processes = [start(tmp_path) for _ in range(8)]
    for process in processes:
        assert finish(process)[1] == ""
    (file,) = kept(tmp_path)
    assert {path.name for path in file.parent.iterdir()} == {file.name, ".tiny.lock"}


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    """Neither the folder named nor a home: a folder for temporary files, which nobody else can write into."""
    (tmp_path / "file").touch()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    out, err = play(tmp_path / "file", TMPDIR=str(temporary))
    assert not err
    assert str(temporary) in out
    (folder,) = temporary.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    assert " warm " in play(tmp_path / "file", TMPDIR=str(temporary))[0]
    folder.chmod(0o777)  # somebody else may have put a program there: it is not used
    out, _ = play(tmp_path / "file", TMPDIR=str(temporary))
    assert " cold " in out and f"{folder}/" not in out


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.CompileResult, "_rebuild", None)
    monkeypatch.setattr(Path, "write_bytes", full)
    result = type("Result", (), {"_reduce": lambda self: (1, 2)})()
    with pytest.warns(UserWarning, match="No space left on device"):
        cache.KernelCache(tmp_path, play).save_overload("signature", result)
    assert not list(tmp_path.iterdir())


def test_changed_kernels_and_options_have_another_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = jit.source_hash("palworld")
    monkeypatch.setitem(jit.OPTIONS, "boundscheck", not jit.CHECKED)
    changed = jit.source_hash("palworld")
    assert changed != before
    monkeypatch.undo()
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: read(self) + (b" " if self.name == "rng.py" else b""))
    assert jit.source_hash("palworld") not in (before, changed)

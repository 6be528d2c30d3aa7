"""Where results come from: hashes of what decides them, versions, machine."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import msgspec

from sim.cards.ast import Card

ROOT = Path(__file__).parent.parent
PACKAGES = ("cardmill", "numba", "llvmlite", "numpy", "pyarrow")


def hash64(*parts: int | str) -> int:
    """A number of 64 bits from numbers below 2**64 and texts; no two lists of parts are written the same way."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        data = part.to_bytes(8, "little") if isinstance(part, int) else part.encode()
        digest.update(bytes([isinstance(part, str)]) + len(data).to_bytes(8, "little") + data)
    return int.from_bytes(digest.digest(), "little")


def stream_key(seed: int, deck_a: str, deck_b: str) -> int:
    """Key of all random streams of a matchup: nothing but the seed and the names of its two decks."""
    return hash64(seed, deck_a, deck_b)


def key_of(number: str) -> int:
    """64-bit hash of a card number; signatures are made of it, never of table indices."""
    return int.from_bytes(hashlib.blake2b(number.encode(), digest_size=8).digest(), "little")


def hash_files(paths: Iterable[Path]) -> str:
    """Hash of the contents and relative names of files: 16 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(paths):
        # newlines as in the repository, so that a checkout on Windows is the same version
        data = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def engine_hash(game: str) -> str:
    """Version of the engine: the kernels of the game and what turns its cards into tables."""
    kernels = ROOT / "kernels"
    return hash_files([*kernels.glob("*.py"), *(kernels / game).rglob("*.py"), ROOT / "sim/games" / game / "tables.py"])


def cards_hash(cards: Iterable[Card]) -> str:
    """Hash of what cards are and do; the note on a card does not count."""
    digest = hashlib.blake2b(digest_size=8)
    for card in sorted(cards, key=lambda card: card.number):
        digest.update(msgspec.json.encode(msgspec.structs.replace(card, note="")))
    return digest.hexdigest()


def versions() -> dict[str, str]:
    """Versions of the program and of what decides or writes its results."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def machine() -> dict[str, str]:
    """The machine, without names of people or hosts."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": _processor(),
        "cores": str(os.cpu_count() or 1),
        "byte order": sys.byteorder,
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()

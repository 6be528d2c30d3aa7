"""The one place that decorates kernels: compile options, cache folder, bit intrinsics.

`CARDMILL_CHECKED=1` compiles with bounds checks, `NUMBA_DISABLE_JIT=1` runs everything as plain Python on
`Record` elements. Each game has a cache folder, named after a hash of its kernel sources and the shared ones, the
options and the versions, since Numba notices neither a changed callee in another file nor changed options.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from kernels import cache
from kernels.linking import install, one_entry

CHECKED = os.environ.get("CARDMILL_CHECKED", "") == "1"
PLAIN = bool(numba.config.DISABLE_JIT)
# _nrt=False: no reference counts, hence no allocation inside kernels; worth a factor of two to four.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "boundscheck": CHECKED}
PART: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Parts of an entry point are never called from Python."""


def source_hash(game: str) -> str:
    """Hash of everything that decides what the compiled kernels of a game do: 16 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=8)
    root = Path(__file__).parent
    for path in sorted([*root.glob("*.py"), *(root / game).rglob("*.py")]):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(repr((numba.__version__, np.__version__, sys.version_info[:2], sorted(OPTIONS.items()))).encode())
    return digest.hexdigest()


@functools.cache
def cache_of(game: str) -> Path:
    """Folder of the compiled kernels of a game."""
    return cache.cache_folder(f"{game}-{source_hash(game)}")


def cold(game: str) -> bool:
    """Whether the kernels of a game must be compiled before they can be called, which takes about a minute."""
    return not PLAIN and cache.cold(cache_of(game))


if not PLAIN:
    install()


@contextmanager
def plain_arithmetic() -> Iterator[None]:
    """Let 64-bit numbers wrap without a warning where kernels run as plain Python."""
    if PLAIN:
        with np.errstate(over="ignore"):
            yield
    else:
        yield


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel function."""
    # forceinline=False is said, since a function that is first met inside an inlined one would inherit it.
    return function if PLAIN else numba.njit(forceinline=False, **PART, **OPTIONS)(function)


def hot(function: Callable[..., Any]) -> Any:
    """Compile a small kernel function that is always inlined into its callers."""
    return function if PLAIN else numba.njit(forceinline=True, **PART, **OPTIONS)(function)


def entry(function: Callable[..., Any], game: str) -> Any:
    """Compile a kernel that Python calls, for a game; only these are cached, each holds the engine below it."""
    if PLAIN:
        return function
    dispatcher = numba.njit(**OPTIONS)(function)
    dispatcher._cache = cache.KernelCache(cache_of(game), function)
    compile_one = dispatcher.compile

    def compile_whole(signature: Any) -> Any:
        try:
            with one_entry(function.__name__):
                return compile_one(signature)
        finally:
            dispatcher._cache.release()

    dispatcher.compile = compile_whole
    return dispatcher


if PLAIN:

    def word(number: int) -> np.uint64:
        """A signed number as 64 bits."""
        return np.uint64(int(number) & 0xFFFFFFFFFFFFFFFF)

    def popcount(mask: np.uint64) -> np.uint64:
        """Number of set bits."""
        return np.uint64(int(mask).bit_count())

    def lowest(mask: np.uint64) -> np.uint64:
        """Index of the lowest set bit; 64 for an empty mask."""
        value = int(mask)
        return np.uint64((value & -value).bit_length() - 1 if value else 64)

else:

    @intrinsic
    def _ctpop(typingctx, mask):
        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), codegen

    @intrinsic
    def _cttz(typingctx, mask):
        def codegen(context, builder, signature, args):
            from llvmlite import ir

            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.uint64(types.uint64), codegen

    @hot
    def word(number):
        """A signed number as 64 bits."""
        return np.uint64(number)

    @hot
    def popcount(mask):
        """Number of set bits."""
        return _ctpop(np.uint64(mask))

    @hot
    def lowest(mask):
        """Index of the lowest set bit; 64 for an empty mask."""
        return _cttz(np.uint64(mask))

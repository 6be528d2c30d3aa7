"""Compile an entry point once: everything below it is typed and lowered, and only the entry point is optimised.

Numba links each compiled function into every caller and optimises the result again, level by level, and makes machine
code of each. With one entry point only its own library is ever called, so the others are left as they are: the same
code at half the time. This reaches into Numba (the version is pinned); without it everything works, more slowly.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding import Linkage
from numba import _dynfunc, types
from numba.core import codegen, cpu

_entry: list[str] = []
_optimize = codegen.CPUCodeLibrary._optimize_final_module
_finalize = codegen.CPUCodeLibrary._finalize_final_module
_executable = cpu.CPUContext.get_executable
_record_text = types.Record.__repr__


@ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.py_object)
def _not_callable(_self: Any, _args: Any) -> Any:
    raise TypeError("this kernel was compiled as a part of an entry point and cannot be called from Python")


_NOT_CALLABLE = ctypes.cast(_not_callable, ctypes.c_void_p).value


def _is_part(library: Any) -> bool:
    return bool(_entry) and _entry[-1] not in library.name


def _optimize_final_module(self: Any) -> None:
    if _is_part(self):
        return
    if _entry:
        # Nobody else calls the parts: what is used once may be inlined, what is not used any more may go.
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
    _optimize(self)


def _finalize_final_module(self: Any) -> None:
    if _is_part(self):
        self._finalize_dynamic_globals()
        self._finalized = True
    else:
        _finalize(self)


def _get_executable(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
    if not _is_part(library):
        return _executable(self, library, fndesc, env)
    library._ensure_finalized()
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(
        fndesc.lookup_module(), name, "part of an entry point", _NOT_CALLABLE, env, (library,)
    )


def _record_repr(self: Any) -> str:
    # Numba asks for the text of a record type all the time, and ours have a hundred fields.
    if not hasattr(self, "_text"):
        self._text = _record_text(self)
    text: str = self._text
    return text


def install() -> None:
    """Put the functions above in the place of Numba's."""
    codegen.CPUCodeLibrary._optimize_final_module = _optimize_final_module
    codegen.CPUCodeLibrary._finalize_final_module = _finalize_final_module
    cpu.CPUContext.get_executable = _get_executable
    types.Record.__repr__ = _record_repr


@contextmanager
def one_entry(name: str) -> Iterator[None]:
    """While an entry point of this name is compiled, the functions below it are its parts."""
    _entry.append(name)
    try:
        yield
    finally:
        _entry.pop()

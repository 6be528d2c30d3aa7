"""Structured records: the state of a game, its tables and its rows, one element of a structured array each."""

from __future__ import annotations

from typing import Any

import numpy as np

Fields = list[tuple[str, Any, int | tuple[int, ...], str]]
"""Name, type, shape and meaning of each field."""


class Record(np.void):
    """An element of a structured array whose fields are attributes.

    Like `np.record`, with less work an access: kernels as plain Python read millions of fields, and a call of a kernel
    finds the memory of its records through `data`, which describes no fields.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"no field {name}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    @property
    def data(self) -> Any:
        return np.frombuffer(self, np.uint8)


def record(fields: Fields) -> np.dtype:
    """Structured dtype of a field list, aligned; its elements are records."""
    return np.dtype((Record, np.dtype([(name, kind, shape) for name, kind, shape, _ in fields], align=True)))

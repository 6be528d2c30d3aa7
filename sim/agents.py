"""Players by name: `greedy`, or with parameters `greedy:attack=1.2,block=0.5`, or with weights of a file
`greedy:weights=mine.toml`, which `cardmill tune` writes."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from typing import Any

from kernels.agents import PARAMETERS
from sim.errors import RunError, nearest
from sim.files import read_text, why
from sim.results import AgentInfo

AgentTable = Mapping[str, tuple[int, Mapping[str, float]]]
"""Name of a player to its code in the kernels and its parameters with their defaults."""

MOST = 1_000_000
"""The largest parameter."""


def parse_agent(text: str, known: AgentTable) -> AgentInfo:
    """The player that `text` means, with all its parameters. Raises RunError for an unknown player or parameter, and
    for a file of weights that cannot be used; what is written beside a file has the last word."""
    name, _, rest = text.strip().partition(":")
    if name not in known:
        raise RunError(f"unknown agent {name!r}{nearest(name, known)} (known: {', '.join(sorted(known))})")
    defaults = known[name][1]
    params = {key: float(value) for key, value in defaults.items()}
    given: dict[str, float] = {}
    filed: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key == "weights" and "weights" not in defaults:
            filed |= read_weights(value, name, defaults)
            continue
        if key not in defaults:
            known_keys = ", ".join(sorted(defaults)) or "none"
            raise RunError(f"agent {name!r} has no parameter {key!r}{nearest(key, defaults)} (known: {known_keys})")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not equals or not math.isfinite(number):
            raise RunError(f"agent {name!r}: {part!r} is not of the form {key}=1.2")
        _check_range(name, key, number)
        if key in given:
            raise RunError(f"agent {name!r}: {key!r} is given twice")
        given[key] = number
    given = filed | given
    params |= given
    # A parameter that has its default value is the same player and gets the same name.
    whole = {budget for budget, _, _ in PARAMETERS.get(name, ())}
    values = {key: int(value) if key in whole else value for key, value in given.items()}
    shown = ",".join(f"{key}={values[key]!r}" for key in sorted(given) if given[key] != defaults[key])
    return AgentInfo(name, params, f"{name}:{shown}" if shown else name)


def _check_range(name: str, key: str, number: float, path: str = "") -> None:
    whole = {budget for budget, _, _ in PARAMETERS.get(name, ())}
    if key in whole and not (number.is_integer() and 0 <= number <= MOST):
        raise RunError(f"agent {name!r}: {key} must be a whole number from 0 to {MOST:,}, not {number:g}", path)
    if abs(number) > MOST:
        raise RunError(f"agent {name!r}: {key}={number:g} is out of range (at most {MOST:,})", path)


def read_weights(path: str, name: str, known: Mapping[str, float]) -> dict[str, float]:
    """The table `weights` of a TOML file, or the whole file where it has none. Raises RunError."""
    try:
        data: dict[str, Any] = tomllib.loads(read_text(path))
    except FileNotFoundError:
        raise RunError(f"agent {name!r}: there is no file of weights {path!r}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RunError(f"cannot be read as weights: {why(error)}", path) from None
    weights = data.get("weights", data)
    if not isinstance(weights, dict) or not weights:
        raise RunError("has no weights; one line each, as in `attack = 1.2`", path)
    for key, value in weights.items():
        if key not in known:
            names = ", ".join(sorted(known)) or "none"
            raise RunError(f"agent {name!r} has no parameter {key!r}{nearest(key, known)} (known: {names})", path)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise RunError(f"{key} = {value!r} is no number", path)
        _check_range(name, key, float(value), path)
    return {key: float(value) for key, value in weights.items()}

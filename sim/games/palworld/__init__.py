"""Palworld: what the shared rooms ask a game for."""

from __future__ import annotations

from kernels.palworld.state import AGENTS as NAMES
from kernels.palworld.weights import WEIGHTS

WEIGHTED = {"greedy": {name: default / 100 for name, default, _ in WEIGHTS}}
AGENTS: dict[str, tuple[int, dict[str, float]]] = {
    name: (code, WEIGHTED.get(name, {})) for code, name in enumerate(NAMES)
}
"""Players: name to their code in the kernels and their parameters with defaults, in the order of `P.weights`."""
RULES: dict[str, int] = {}
"""Rule switches with their values in these rules."""
BENCH_DECKS = ("starter-red-blue", "starter-green-purple")
"""Two built-in decks that speed is measured with."""

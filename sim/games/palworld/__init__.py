"""Palworld: what the shared rooms ask a game for."""

from __future__ import annotations

import tomllib
from pathlib import Path

from kernels.agents import agent_table
from kernels.palworld.weights import WEIGHTS

AGENTS = agent_table({name: default / 100 for name, default, _ in WEIGHTS})
"""Players: name to their code in the kernels and their parameters with defaults: budgets, then weights."""
RULES: dict[str, int] = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
"""Rule switches with their values in these rules."""
RULE_RANGES = {
    "life": (1, 200),
    "hand": (0, 20),
    "second_souls": (0, 10),
    "souls_a_turn": (0, 10),
    "soul_limit": (1, 15),
    "draw_price": (1, 15),
    "pal_limit": (1, 20),
}
"""What each switch may be set to."""
BENCH_DECKS = ("starter-red-blue", "starter-green-purple")
"""Two built-in decks that speed is measured with."""

"""Aether: what the shared rooms ask a game for."""

from __future__ import annotations

import tomllib
from pathlib import Path

from kernels.aether.weights import WEIGHTS
from kernels.agents import agent_table

AGENTS = agent_table({name: default / 100 for name, default, _ in WEIGHTS})
"""Players: name to their code in the kernels and their parameters with defaults: budgets, then weights."""
RULES: dict[str, int] = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
"""Rule switches with their values in these rules."""
RULE_RANGES = {
    "life": (1, 200),
    "first_hand": (0, 10),
    "second_hand": (0, 10),
    "hand_limit": (1, 20),
    "deck_size": (1, 58),
    "copies": (1, 58),
    "move_when_summoned": (0, 1),
}
"""What each switch may be set to. A seat has 64 places for cards: six of them are for tokens."""
BENCH_DECKS = ("steam-tempo", "deep-forest-ramp")
"""Two built-in decks that speed is measured with."""

"""Aether: what the shared rooms ask a game for."""

from __future__ import annotations

import tomllib
from pathlib import Path

RULES: dict[str, int] = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
"""Rule switches with their values in these rules."""

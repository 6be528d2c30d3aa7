"""The games, a folder each: cards, decks, verbs, labels and players of that game."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

from sim.errors import RunError, nearest


def known_games() -> list[str]:
    """Names of the games that can be played."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/__init__.py"))


def load_game(name: str) -> ModuleType:
    """The package of a game. Raises RunError for an unknown one."""
    if name not in known_games():
        raise RunError(f"unknown game {name!r}{nearest(name, known_games())} (known: {', '.join(known_games())})")
    return import_module(f"sim.games.{name}")


def columns_of(name: str) -> ModuleType:
    """What runs of a game count besides what every game does."""
    return import_module(f"sim.games.{name}.columns")

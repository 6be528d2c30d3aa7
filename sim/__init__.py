"""cardmill: trading-card games by the million. What a person touches; everything is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.cards import load_cards
    from sim.decks import load_deck
    from sim.game import new_game
    from sim.runs import Run, open_run, simulate

_HOMES = {
    "simulate": "sim.runs",
    "open_run": "sim.runs",
    "Run": "sim.runs",
    "new_game": "sim.game",
    "load_deck": "sim.decks",
    "load_cards": "sim.cards",
}
__all__ = ["Run", "load_cards", "load_deck", "new_game", "open_run", "simulate"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sim' has no attribute {name!r}")

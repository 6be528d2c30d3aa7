"""Closed forms and exact programs: the oracle beside every simulated number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.exact.answer import LuckyAnswer, lucky
from analysis.exact.checks import (
    after,
    at_least,
    damage,
    expected,
    kill,
    life_lost,
    milled,
    no_stop,
    opening,
    stop,
    stops,
)
from analysis.exact.known import Deck, checks_to_lose, kill_curve, known_places, outcomes

if TYPE_CHECKING:
    from analysis.exact.simulation import Simulated, simulate

__all__ = [
    "Deck",
    "LuckyAnswer",
    "Simulated",
    "after",
    "at_least",
    "checks_to_lose",
    "damage",
    "expected",
    "kill",
    "kill_curve",
    "known_places",
    "life_lost",
    "lucky",
    "milled",
    "no_stop",
    "opening",
    "outcomes",
    "simulate",
    "stop",
    "stops",
]


def __getattr__(name: str) -> Any:
    # NumPy is loaded only where something is simulated: the exact answers need none.
    if name in ("Simulated", "simulate"):
        from analysis.exact import simulation

        return getattr(simulation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

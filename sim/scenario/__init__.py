"""Scenarios: a position, a line of play, and what must hold (docs/scenarios.md)."""

from sim.scenario.files import ScenarioError, read_scenario
from sim.scenario.runner import Result, main, run_scenario

__all__ = ["Result", "ScenarioError", "main", "read_scenario", "run_scenario"]

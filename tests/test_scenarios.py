"""Every scenario file holds on both engines, and every ability of the cards has one."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from sim.scenario import read_scenario, run_scenario

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.toml"))
ENGINES = {"kernel": ("sim.game", "Game"), "reference": ("tests.reference.palworld.engine", "Reference")}


def engine_of(name: str) -> Any:
    module, cls = ENGINES[name]
    return getattr(pytest.importorskip(module, exc_type=ModuleNotFoundError), cls)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER).with_suffix("")))
def test_scenario(path: Path, engine: str) -> None:
    result = run_scenario(path, engine_of(engine))
    assert result.passed, result.message


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER).with_suffix("")))
def test_scenario_cites_a_rule_and_says_what_it_shows(path: Path) -> None:
    scenario = read_scenario(path)
    assert scenario.rule
    assert scenario.name != path.stem


def test_every_card_with_an_ability_has_a_scenario() -> None:
    """A card written wrongly would pass every comparison of two engines that read the same card."""
    cards = importlib.import_module("sim.cards").load_cards(game="palworld")
    cited = " ".join(read_scenario(path).rule for path in FILES)
    missing = [number for number, card in sorted(cards.items()) if card.abilities and number not in cited]
    assert not missing

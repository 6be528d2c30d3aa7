"""Every scenario file holds on both engines, and every ability of the cards has one."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest

from sim.scenario import read_scenario, run_scenario
from tests.mirror import UNFAIR, mirror

NOT_PLAYED = {
    1: "deck building: tests of the deck rules",
    2: "deck building: tests of the deck rules",
    3: "deck building: tests of the deck rules",
    4: "conduct: how people shuffle",
    5: "accessories",
    6: "accessories",
    7: "time limits of tournaments",
    69: "conduct: a forgotten card name",
}
"""Official questions and answers that no position can show, and why."""
ASKED = {*range(1, 10), 11, 14, *range(17, 20), *range(22, 28), 29, *range(31, 34), *range(35, 40), *range(41, 47), 48}
ASKED |= {*range(50, 58), 59, *range(61, 64), 65, *range(67, 71), *range(72, 75), 76, *range(78, 83), *range(85, 94)}
ASKED |= {95, 97}
"""The numbers of the official questions and answers."""

RESOLUTIONS = {1: 9, 2: 12, 3: 10, 4: 9, 5: 11, 6: 21, 7: 10, 8: 26, 9: 7}
"""Resolutions of open questions in the rules of Aether: AE-1.1 to AE-1.9, AE-2.1 to ..."""
NO_POSITION = {
    "AE-1.6": "deck building: tests of the deck rules",
    "AE-1.7": "legends have no rules: a fact of the card, tests of the cards",
    "AE-1.8": "legends have no rules: a fact of the card, tests of the cards",
}
"""Those that no position can show, and why."""

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.toml"))
ENGINES = {
    "kernel": ("sim.games.{game}.game", "Game"),
    "reference": ("tests.reference.{game}.engine", "Reference"),
    "both": ("tests.differential.{game}", "Both"),
}


def engine_of(name: str, path: Path) -> Any:
    module, cls = ENGINES[name]
    game = path.relative_to(FOLDER).parts[0]
    return getattr(pytest.importorskip(module.format(game=game), exc_type=ModuleNotFoundError), cls)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER).with_suffix("")))
def test_scenario(path: Path, engine: str) -> None:
    result = run_scenario(path, engine_of(engine, path))
    assert result.passed, result.message


@pytest.mark.parametrize("engine", ("kernel", "reference"))
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER).with_suffix("")))
def test_scenario_holds_for_the_other_player(path: Path, engine: str, tmp_path: Path) -> None:
    turned = mirror(path, tmp_path)
    if turned is None:
        assert UNFAIR.search(path.read_text(encoding="utf-8"))
        return
    result = run_scenario(turned, engine_of(engine, path))
    assert result.passed, result.message


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER).with_suffix("")))
def test_scenario_cites_a_rule_and_says_what_it_shows(path: Path) -> None:
    scenario = read_scenario(path)
    assert scenario.rule
    assert scenario.name != path.stem


def test_every_official_answer_has_a_scenario_or_a_reason() -> None:
    cited = {int(n) for path in FILES for n in re.findall(r"Q&A (\d+)", read_scenario(path).rule)}
    assert cited == ASKED - set(NOT_PLAYED)


@pytest.mark.parametrize("game", ["palworld", "aether"])
def test_every_card_with_an_ability_has_a_scenario(game: str) -> None:
    """A card written wrongly would pass every comparison of two engines that read the same card."""
    cards = importlib.import_module("sim.cards").load_cards(game=game)
    cited = " ".join(read_scenario(path).rule for path in FILES)
    missing = [n for n, card in sorted(cards.items()) if (card.abilities or card.keywords) and n not in cited]
    assert not missing


def test_every_resolution_of_aether_has_a_scenario_or_a_reason() -> None:
    known = {f"AE-{part}.{n}" for part, last in RESOLUTIONS.items() for n in range(1, last + 1)}
    cited = {rule for path in FILES for rule in re.findall(r"AE-\d+\.\d+", read_scenario(path).rule)}
    assert cited == known - set(NO_POSITION)

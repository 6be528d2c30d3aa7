"""The log of a game: what it says, and that it is the game of the run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.cards import load_cards
from sim.errors import RunError
from sim.labels import option_label
from sim.position import Option, Placed, Position, Side
from sim.replay import narrate, replay
from sim.runs import simulate

CARDS = load_cards(game="palworld")


def side(**zones: list[str]) -> Side:
    zones.setdefault("deck", ["TD01-002"] * 10)
    return Side(cards=[Placed(card=CARDS[number], zone=zone) for zone, numbers in zones.items() for number in numbers])


def play(*labels: str) -> Callable[[Any], Option]:
    """Chooses the options with these labels, one after the other; then the last one of each decision."""
    left = list(labels)

    def choose(game: Any) -> Option:
        if not left:
            return game.options()[-1]
        label = left.pop(0)
        for option in game.options():
            name = lambda obj: game.sides[obj // 64][obj % 64].number  # noqa: E731
            if option_label(option, name, game.names) == label:
                return option
        raise AssertionError(f"{label} is not open")

    return choose


def told(position: Position, *labels: str) -> list[str]:
    from sim.games.palworld.game import Game

    return [entry.text for entry in narrate(Game.from_position(position), play(*labels))]


def in_order(lines: list[str], *wanted: str) -> None:
    left: Iterator[str] = iter(lines)
    for line in wanted:
        assert line in left, f"{line!r} is missing or out of order in {lines[:30]}"


def test_a_battle_is_told() -> None:
    attacker = side(base=["TD02-001"], hand=["TD01-009"])
    defender = side(base=["TD01-024"], deck=["TD01-005", "TD01-001", "TD01-002"])
    lines = told(
        Position(sides=(attacker, defender)),
        "play TD01-009",
        "attack TD02-001 -> player",
        "block TD01-024",
    )
    in_order(
        lines,
        "A: play Weapon Workbench (A's TD01-009)",
        "Weapon Workbench (A's TD01-009) is deployed: hand -> base",
        "A: attack Mossanda (A's TD02-001) -> player",
        "Mossanda (A's TD02-001) rests",
        "B: block Ribbuny (B's TD01-024)",
        "Ribbuny (B's TD01-024) takes 900 damage",
        "Mossanda (A's TD02-001) takes 200 damage",
        "Ribbuny (B's TD01-024) goes to the graveyard: base -> graveyard",
        "Ribbuny (B's TD01-024): automatic ability 1",
        "B: Material +1",
    )


def test_a_damage_check_is_told() -> None:
    attackers = side(base=["TD01-001", "TD02-001"])
    defender = side(deck=["TD01-005", "TD01-001", "TD01-002", "TD01-003", "TD01-003"])
    lines = told(Position(sides=(attackers, defender)), "attack TD01-001 -> player", "attack TD02-001 -> player", "end")
    in_order(
        lines,
        "damage check of B: Arsox (B's TD01-005): deck -> graveyard",
        "damage check of B: Grizzbolt (B's TD01-001): deck -> graveyard, lucky: no damage",
        "damage check of B: Jolthog (B's TD01-002): deck -> graveyard",
        "damage check of B: Kelpsea Ignis (B's TD01-003#1): deck -> graveyard",
        "B: life -2, now 8",
        "Turn 4: B (A: life 10, hand 0, deck 10; B: life 8, hand 0, deck 1)",
        "A wins: the other player has no cards left in the deck (CR 11.3.2)",
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(__file__).parents[2] / "sim" / "games" / "palworld" / "decks"
    decks = sorted(folder.glob("*.toml"))[:3]
    out = tmp_path_factory.mktemp("replay") / "run"
    simulate([str(deck) for deck in decks], games=4, agent="greedy", versus="random", seed=11, out=out)
    return out


def test_replay_is_the_game_of_the_run(run: Path) -> None:
    """`replay` compares the signature; here the rest of the row."""
    import polars as pl

    rows = pl.read_parquet(run / "games" / "*.parquet").sort("game")
    assert rows.height == 12
    for row in rows.iter_rows(named=True):
        log = replay(run, row["game"])
        for key in ("deck_a", "deck_b", "agent_a", "agent_b", "first", "winner", "end", "turns", "signature"):
            assert log.about[key] == row[key], key
        decisions = [entry for entry in log.entries if entry.kind == "decision"]
        assert len(decisions) == row["decisions"]


def test_text_and_json(run: Path) -> None:
    log = replay(run, 5)
    text = log.text()
    assert text.startswith(f"Game 5 of {run} (seed 11): A plays ")
    assert "\nTurn 1: " in text
    said = json.loads(json.dumps(log.to_dict()))
    assert said["game"] == 5
    assert {entry["kind"] for entry in said["log"]} == {"turn", "decision", "event"}
    for entry in said["log"]:
        if entry["kind"] == "decision":
            assert entry["option"] in entry["options"]
            assert len(entry["options"]) > 1
    draws = [entry for entry in said["log"] if entry.get("event") == "draw"]
    assert all((entry["from"], entry["to"]) == ("deck", "hand") for entry in draws)


@pytest.mark.parametrize("game", [-1, 12, 10**9])
def test_no_such_game(run: Path, game: int) -> None:
    with pytest.raises(RunError, match="no game"):
        replay(run, game)


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a run folder"):
        replay(tmp_path, 0)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(RunError, match="damaged"):
        replay(tmp_path, 0)


def test_another_version_is_told(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.replay._row", lambda path, game: {"signature": 1})
    with pytest.raises(RunError, match="played differently"):
        replay(run, 0)

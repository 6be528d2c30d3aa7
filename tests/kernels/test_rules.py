"""Rule switches: what each one changes, and both engines alike under changed rules."""

from __future__ import annotations

import random

import pytest

from sim.cards import load_cards
from sim.decks import load_deck
from sim.games.palworld import RULE_RANGES, RULES
from sim.games.palworld.game import Game
from tests.differential import palworld as pairs
from tests.differential.palworld import Pair
from tests.reference.palworld import checks, effects, engine, random_play, turns

CHANGED = {"life": 7, "hand": 4, "souls_a_turn": 3, "soul_limit": 9, "draw_price": 2, "pal_limit": 3}


def sides():
    cards = load_cards()
    return [
        [cards[number] for number in load_deck(name, cards).cards()] for name in ("tuned-rg-break", "tuned-red-gun")
    ]


def start(**rules: int) -> Game:
    game = Pair.of_run(Game(sides(), rules=rules), 0, 5).kernel if not rules else Game(sides(), rules=rules)
    if rules:
        from kernels import batch

        batch.start(game.lane, game.tables, game.players, 5, 0, 0)
        game._advance()
    return game


def test_ranges_hold_the_rules() -> None:
    assert set(RULE_RANGES) == set(RULES)
    assert all(low <= RULES[name] <= high for name, (low, high) in RULE_RANGES.items())


def test_start() -> None:
    """CR 6.1.2, 6.2.1: life, hands and the second player's souls as the switches say."""
    for rules in ({}, {"life": 12, "hand": 6, "second_souls": 3}):
        said = RULES | rules
        players = start(**rules).state()["players"]
        for seat, player in enumerate(players):
            assert player["life"] == said["life"]
            assert len(player["hand"]) == said["hand"]
            assert player["souls"] == (said["second_souls"] if seat else 0)


@pytest.mark.parametrize("seed", range(6))
def test_both_engines_agree_under_changed_rules(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        "START_HAND": "hand",
        "SOUL_GROWTH": "souls_a_turn",
        "SOUL_LIMIT": "soul_limit",
        "DRAW_PRICE": "draw_price",
        "PAL_LIMIT": "pal_limit",
    }
    for module in (checks, effects, turns, random_play, pairs):
        for name, rule in names.items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, CHANGED[rule])
    made = engine.fresh

    def fresh(decks, seed):
        position = made(decks, seed)
        for side in position.sides:
            side.life = CHANGED["life"]
        return position

    monkeypatch.setattr(engine, "fresh", fresh)
    both = Pair.of_run(Game(sides(), rules=CHANGED), seed % 2, seed)
    choose = random.Random(seed)
    most = 0
    while not both.over:
        both.choose(choose.choice(both.kernel.options()))
        most = max(most, *(player["souls"] + player["rested_souls"] for player in both.kernel.state()["players"]))
    assert most <= CHANGED["soul_limit"]

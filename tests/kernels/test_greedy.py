"""Choices of the greedy player of Palworld on small positions."""

from __future__ import annotations

import pytest

from sim.agents import parse_agent
from sim.cards import load_cards
from sim.engines.kernel import player_records
from sim.game import Stepped, bits, game_class, new_game
from sim.games import load_game
from sim.position import Placed, Position, Side

FURNACE, SHOTGUN, PAL = "BP01-016", "BP01-020", "TD01-002"


def at_the_furnace(hand: list[str], souls: int, material: int) -> Stepped:
    """A Furnace that has been used for its card, some Material, and nobody to fight."""
    cards = load_cards("palworld")
    placed = [Placed(cards[FURNACE], "base"), *(Placed(cards[number], "hand") for number in hand)]
    deck = [Placed(cards[PAL], "deck") for _ in range(6)]  # so few that nothing is drawn for souls
    sides = (Side([*placed, *deck], souls=souls, material=material), Side(list(deck), souls=0))
    game = game_class("palworld").from_position(Position(sides))
    game.players[:] = player_records("palworld", [parse_agent("greedy", load_game("palworld").AGENTS)])
    return game


@pytest.mark.parametrize("lacking", [1, 2])
def test_a_cheaper_card_costs_what_it_lacks(lacking):
    cost = load_cards("palworld")[SHOTGUN].cost
    game = at_the_furnace([SHOTGUN], cost - lacking, 9)
    option = game.pick()
    assert (option.kind, game.card_of(option.obj).number, option.n) == ("activate", FURNACE, 2)
    game.choose(option)
    option = game.pick()
    assert (option.kind, option.n) == ("x", lacking)
    game.choose(option)
    option = game.pick()
    assert (option.kind, game.card_of(option.obj).number) == ("play", SHOTGUN)


@pytest.mark.parametrize(
    ("hand", "souls", "material"),
    [
        ([], 3, 9),  # nothing to play
        ([PAL], 0, 9),  # only gears become cheaper
        ([SHOTGUN], 0, 9),  # never below 1
        ([SHOTGUN], 1, 1),  # not enough Material
    ],
)
def test_material_is_kept_where_it_buys_nothing(hand, souls, material):
    game = at_the_furnace(hand, souls, material)
    turn = int(game.lane.turn)
    while not game.over and int(game.lane.turn) == turn:
        option = game.pick()
        assert option.kind != "activate" or option.n != 2
        game.choose(option)


def test_hands_with_two_cheap_pals_are_kept():
    """And no others, whatever else is cheap."""
    cards, kept, returned = load_cards("palworld"), 0, 0
    players = player_records("palworld", [parse_agent("greedy", load_game("palworld").AGENTS)])
    for g in range(30):
        game = new_game(["starter-red-blue", "machine-gun-furnace-br"], seed=4, g=g, first="a")
        game.players[:] = players
        while game.options()[0].kind in ("keep", "mulligan"):
            seat = int(game.lane.decider)
            hand = [game.card_of(seat * 64 + slot) for slot in bits(int(game.lane.hand[seat]))]
            pals = sum(card.type == "pal" and card.cost <= 5 for card in hand)
            option = game.pick()
            assert (option.kind == "keep") is (pals >= 2), [cards[card.number].name for card in hand]
            kept, returned = kept + (option.kind == "keep"), returned + (option.kind == "mulligan")
            game.choose(option)
    assert kept and returned

"""The reference engine of Aether: whole games, copies, setting up, what scenarios do not show."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sim.cards import load_cards
from sim.cards.ast import Card
from sim.decks import built_in_decks, load_deck
from sim.games.aether.position import Placed, Position, Side
from sim.position import Option
from tests.reference.aether import Reference, fresh

CARDS = load_cards("aether", ["tests/fixtures/cards/aether-tests.toml"])
DECKS = {name: load_deck(name, CARDS, "aether").cards() for name in built_in_decks("aether")}
ZONES = ("deck", "hand", "graveyard", "aether", "front", "back")
SIZE = 40


def deck(name: str) -> list[Card]:
    return [CARDS[number] for number in DECKS[name]]


def random_game(seed: int) -> Reference:
    rng = random.Random(seed)
    return Reference.new_game((deck(rng.choice(sorted(DECKS))), deck(rng.choice(sorted(DECKS)))), seed % 2, seed)


def play(game: Reference, rng: random.Random, choices: int = 10**6) -> Reference:
    for _ in range(choices):
        if game.over:
            break
        game.choose(rng.choice(game.options()))
    return game


@pytest.mark.parametrize("seed", range(12))
def test_random_games(seed: int) -> None:
    """Every game ends; at every decision there are two options or more, each card is in one zone, tokens are on the
    field or nowhere."""
    game, rng = random_game(seed), random.Random(seed)
    while not game.over:
        assert len(game.options()) > 1
        game.choose(rng.choice(game.options()))
        for seat, player in enumerate(game.state()["players"]):
            own = sorted(obj for zone in ZONES for obj in player[zone] if obj % 64 < SIZE)
            everywhere = list(range(seat * 64, seat * 64 + SIZE))
            assert own == everywhere or len(own) == SIZE - 1  # a spell that is being resolved
            assert len(player["hand"]) <= 10 and player["life"] <= 20 and player["used"] <= len(player["aether"])
    state = game.state()
    assert state["end"] in ("life", "deck", "both") and state["turn"] < 300
    assert game.options() == [] and game.decides is None


def test_a_copy_is_the_same_game() -> None:
    game = play(random_game(5), random.Random(1), 60)
    twin = game.copy()
    assert twin.state() == game.state() and twin.options() == game.options()
    assert play(twin, random.Random(2)).state() == play(game.copy(), random.Random(2)).state()
    assert not game.over


def test_the_same_seed_is_the_same_game() -> None:
    logs = [play(random_game(seed), random.Random(7)).log for seed in (3, 3, 4)]
    assert logs[0] == logs[1] != logs[2]


def test_the_coin_falls_both_ways() -> None:
    """AE-1.1: the coin says who goes first; nobody chooses."""
    first = Counter()
    for seed in range(40):
        game = Reference.from_position(fresh((deck("flame-rush"), deck("blood-garden")), seed))
        assert game.options() == [Option("keep"), Option("mulligan")]
        first[game.decides] += 1
    assert min(first.values()) > 8


def test_the_redrawn_hand_is_from_the_whole_deck() -> None:
    """AE-1.2: all cards go back before the new ones are drawn."""
    seen = set()
    for seed in range(30):
        game = Reference.new_game((deck("flame-rush"), deck("blood-garden")), 0, seed)
        before = set(game.state()["players"][0]["hand"])
        game.choose(Option("mulligan"))
        after = set(game.state()["players"][0]["hand"])
        assert len(after) == len(before) == 5
        seen.add(len(before & after))
    assert len(seen) > 1


def test_rule_switches() -> None:
    """Life, hands and hand limit as the switches say."""
    position = fresh((deck("flame-rush"), deck("blood-garden")), 1)
    position.rules = {"life": 9, "first_hand": 4, "second_hand": 8, "hand_limit": 7}
    position.coin = 0
    players = Reference.from_position(position).state()["players"]
    assert [len(player["hand"]) for player in players] == [4, 7]
    assert len(players[1]["graveyard"]) == 1


def test_rows_keep_their_slots() -> None:
    """AE-4.2: a new unit takes the lowest free slot, those that are there stay where they are."""
    units = [Placed(card=CARDS[number], zone="front") for number in ("AE-F01", "AE-N03", "AE-G05")]
    hand = [Placed(card=CARDS["AE-N01"], zone="hand"), Placed(card=CARDS["AE-N01"], zone="aether")]
    foe = [Placed(card=CARDS["AE-G05"], zone="front"), Placed(card=CARDS["AE-N01"], zone="deck")]
    game = Reference.from_position(Position(sides=(Side(cards=[*units, *hand]), Side(cards=foe))))
    game.choose(Option("attack", 0, 64))
    assert game.state()["players"][0]["front"] == [1, 2]
    game.choose(Option("play", 3, n=1))
    assert game.state()["players"][0]["front"] == [3, 1, 2]


def test_tokens_take_the_slots_behind_the_cards() -> None:
    """Each new token takes the next slot; it is named in the order in which tokens appear."""
    cards = [
        Placed(card=CARDS["AE-G11"], zone="hand"),
        *(Placed(card=CARDS["AE-G01"], zone="aether") for _ in range(4)),
    ]
    game = Reference.from_position(Position(sides=(Side(cards=cards), Side(cards=[]))))
    game.choose(Option("play", 0))
    assert game.appeared == [(5, "AE-K01"), (6, "AE-K01"), (7, "AE-K01")]


def test_events_tell_what_happened() -> None:
    """Drain and pierce: damage to the unit, what it strikes back, the excess, then the healing."""
    mine = [Placed(card=CARDS["XA-001"], zone="front")]
    foe = [Placed(card=CARDS["AE-N01"], zone="front"), Placed(card=CARDS["AE-N01"], zone="deck")]
    game = Reference.from_position(Position(sides=(Side(cards=mine, life=10), Side(cards=foe))))
    game.choose(Option("attack", 0, 64))
    told = [(kind, obj, a) for kind, _, obj, a, _ in game.log[:6]]
    assert told == [
        ("attack", 0, 64), ("damage", 64, 3), ("damage", 0, 2), ("life", 129, -1), ("life", 128, 3), ("destroy", 64, 0),
    ]  # fmt: skip

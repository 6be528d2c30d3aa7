"""Players who are not told the opponent's list: lists change no game, and what they have not seen may be anything."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kernels import batch
from kernels.agents import PARAMETERS
from kernels.jit import PLAIN
from sim.agents import parse_agent
from sim.cards import load_cards
from sim.cards.ast import Card
from sim.decks import built_in_decks
from sim.engines.kernel import opposing_lists, player_records
from sim.game import Stepped, bits, game_class
from sim.games import known_games, load_game
from sim.games.lists import mask_places
from tests.kernels.table import Table
from tests.kernels.test_honesty import seen

GUESSING = {"planner": "planner:nodes=24,known=0", "search": "search:playouts=6,turns=1,known=0"}
GAMES = 1 if PLAIN else 3
EVERY = 4
pytestmark = pytest.mark.parametrize("game", known_games())


def lists(game: str) -> list[list[Card]]:
    guessing = parse_agent(GUESSING["search"], load_game(game).AGENTS)
    return opposing_lists(game, [guessing], load_cards(game))


def decks(game: str, seed: int) -> list[list[Card]]:
    """Two of the game's decks."""
    return random.Random(f"{game} {seed}").sample(lists(game), 2)


def test_every_heavy_player_can_guess(game: str) -> None:
    assert set(GUESSING) == set(PARAMETERS)
    assert len(lists(game)) == len(built_in_decks(game))
    told = parse_agent("search", load_game(game).AGENTS)
    assert opposing_lists(game, [told], load_cards(game)) == []


@pytest.mark.parametrize("agents", [("random", "random"), ("greedy", "random")])
def test_games_are_the_same_with_lists(game: str, agents: tuple[str, str]) -> None:
    n = 2 if PLAIN else 100
    for seed in range(1 if PLAIN else 5):
        sides = decks(game, seed)
        without, table = Table(sides, agents, seed, game), Table(sides, agents, seed, game)
        table.tables = game_class(game).compile_tables(sides, lists=lists(game))
        assert int(table.tables.list_count) == len(lists(game))
        assert (table.play(0, n).rows["signature"] == without.play(0, n).rows["signature"]).all()


def test_facts_make_the_masks_of_any_order(game: str) -> None:
    """What the tables say of the cards, put together slot by slot, is what they say of a deck in that order."""
    compiled, rng = game_class(game).compile_tables, random.Random(game)
    for seed in range(12):
        own, other = decks(game, seed)
        mixed = rng.sample(other, len(other))
        T, expected = (compiled([own, side], lists=lists(game)) for side in (other, mixed))
        state = Table([own, other], game=game).state
        places = mask_places(state)
        assert (T.places[:, : places.shape[1]] == places).all()
        masks = np.zeros(places.shape[1], np.uint64)
        for slot in range(len(mixed)):
            facts = np.unpackbits(T.facts[expected.card[64 + slot]].view(np.uint8), bitorder="little")
            masks |= facts[: len(masks)].astype(np.uint64) << np.uint64(slot)
        words = np.frombuffer(expected.tobytes(), np.uint64)
        assert (masks == words[places[1]]).all()


def stepped(game: str, seed: int) -> Stepped:
    """A game with tables to guess from."""
    new = game_class(game)(decks(game, seed), lists=lists(game))
    new.players = players(game, "greedy")
    new.start(seed + 1, 0, seed & 1)
    return new


def players(game: str, agent: str) -> np.ndarray:
    return player_records(game, [parse_agent(agent, load_game(game).AGENTS)])


def with_other_cards(here: Stepped, p: int, game: str, rng: random.Random) -> Stepped:
    """The game with any cards in the place of those of the opponent that seat p has not seen."""
    twin = here.copy()
    S, q = twin.lane, 1 - p
    hidden = int(S.hand[q]) | sum(1 << int(slot) for slot in S.deck[q, : int(S.deck_count[q])])
    hidden &= ~seen(S, p, q)
    pool = [card for deck in lists(game) for card in deck]
    sides = [list(side) for side in here.sides]
    for slot in bits(hidden):
        sides[q][slot] = rng.choice(pool)
    twin.tables = game_class(game).compile_tables(sides, here.names, lists=lists(game))
    twin.sides = tuple(map(tuple, sides))
    if "names" in here.tables.dtype.names:
        twin.tables.names = here.tables.names
    if "card" in S.dtype.names:
        for slot in bits(hidden):
            S.card[q * 64 + slot] = twin.tables.card[q * 64 + slot]
        masks = [int(twin.tables.element_mask[q, e]) for e in range(5) if e == 4 or S.elements[q, e]]
        S.allowed[q] = sum({1 << slot for mask in masks for slot in bits(mask)})
    return twin


@pytest.mark.parametrize("name", GUESSING)
def test_the_cards_that_were_not_seen_do_not_matter(game: str, name: str) -> None:
    looked_at, rng = 0, random.Random(f"{game} {name}")
    for seed in range(GAMES):
        here = stepped(game, seed)
        step = rng.randrange(EVERY)
        while not here.over:
            step += 1
            if step % EVERY == 0:
                here.players = players(game, GUESSING[name])
                choice = here.copy().pick()
                twin = with_other_cards(here, int(here.decides), game, rng)
                assert twin.pick() == choice, f"seed {seed}, decision {int(here.lane.decisions)}"
                looked_at += 1
                here.players = players(game, "greedy")
            here.choose(here.pick())
    assert looked_at >= (1 if PLAIN else 20)


def test_a_list_that_is_told_matters(game: str) -> None:
    """The same test of a player who knows the list finds that it does."""
    differs, rng = 0, random.Random(game)
    for seed in range(GAMES):
        here = stepped(game, seed)
        while not here.over and not differs:
            here.players = players(game, "search:playouts=40")
            twin = with_other_cards(here, int(here.decides), game, rng)
            differs += twin.pick() != here.copy().pick()
            here.players = players(game, "greedy")
            here.choose(here.pick())
    assert differs or PLAIN


def test_who_guesses_needs_lists(game: str) -> None:
    table = Table(decks(game, 1), game=game)
    table.players = players(game, GUESSING["planner"])
    with pytest.raises(ValueError, match="known=0"):
        table.play(0, 1)


def test_games_are_played_alike_in_any_way(game: str) -> None:
    """Chunks, and stepped."""
    n = 1 if PLAIN else 6
    agents = (GUESSING["search"], "greedy")
    table = Table(decks(game, 3), agents, 5, game)
    whole = table.play(0, n).rows["signature"]
    parts = [int(table.play(g, 1).rows["signature"][0]) for g in range(n)]
    assert whole.tolist() == parts
    table.start(0)
    while table.step() if int(table.lane.decisions) else table.advance():
        pass
    assert int(table.lane.signature) == parts[0]
    batch.advance(table.lane, table.tables, table.players)


def test_decks_that_are_in_no_list(game: str) -> None:
    """Where no list holds what was seen, the nearest ones stand in."""
    cards = [card for card in load_cards(game).values() if card.type != "token"]
    rng = random.Random(5)
    size = len(lists(game)[0])
    odd = sorted(rng.choices(cards, k=size), key=lambda card: card.number)
    rows = Table([odd, decks(game, 2)[0]], ("greedy", GUESSING["planner"]), 8, game).play(0, 1 if PLAIN else 20).rows
    assert (rows["winner"] >= 0).all()

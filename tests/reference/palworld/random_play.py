"""Random games of the reference engine alone, with invariants checked at every decision.

    python -m tests.reference.palworld.random_play --games 20 --seed 1

plays decks drawn from all cards; a broken invariant or an error prints the seed that shows it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Mapping, Sequence

import msgspec

from sim.cards import load_cards
from sim.cards.ast import Card

from .engine import Reference
from .objects import PAL_LIMIT, SOUL_LIMIT, ZONES

DECK_SIZE = 50  # CR 6.1.1.1
STATE_KEYS = {"turn", "turn_player", "phase", "night", "winner", "end", "decides", "players", "objects", "waiting"}
PLAYER_KEYS = {"life", "material", "ingredient", "souls", "rested_souls", "hand", "deck", "graveyard", "exile", "base"}


def deck_of(cards: Mapping[str, Card], counts: Mapping[str, int]) -> list[Card]:
    """The cards of a deck list."""
    return [cards[number] for number, count in counts.items() for _ in range(count)]


def random_deck(cards: Sequence[Card], rng: random.Random) -> list[Card]:
    """Fifty cards, up to four of each, of any colours."""
    pool = [card for card in cards for _ in range(4)]
    return rng.sample(pool, DECK_SIZE)


def mixed(cards: Sequence[Card], rng: random.Random) -> list[Card]:
    """The same cards with abilities of one another: combinations that nobody has printed."""
    texts = [ability for card in cards if card.type == "event" for ability in card.abilities]
    others = [ability for card in cards if card.type != "event" for ability in card.abilities]
    return [
        msgspec.structs.replace(
            card,
            abilities=(rng.choice(texts),) if card.type == "event" else tuple(rng.sample(others, rng.randint(1, 3))),
        )
        for card in cards
    ]


def check_invariants(game: Reference, sizes: tuple[int, int]) -> None:
    """What must be true at every decision of every game; raises AssertionError."""
    state = game.state()
    assert set(state) == STATE_KEYS
    resolving = {frame.this.obj for frame in game.game.frames if frame.this.zone == "resolution"}
    for seat, player in enumerate(state["players"]):
        assert set(player) == PLAYER_KEYS
        objs = [obj for zone in ZONES for obj in player[zone]]
        assert len(objs) == len(set(objs)), "a card is in two places"
        lost = set(range(seat * 64, seat * 64 + sizes[seat])) - set(objs)
        assert lost <= resolving and not set(objs) & resolving, f"cards {lost} are nowhere"
        assert player["souls"] >= 0 and player["rested_souls"] >= 0
        assert player["souls"] + player["rested_souls"] <= SOUL_LIMIT
        assert player["material"] >= 0 and player["ingredient"] >= 0
        pals = game.game.players[seat].pals
        if state["phase"] == "main" and not game.game.frames and not game.game.waiting and not game.over:
            # The surplus itself is chosen before it is gone; every other decision of the phase finds the base in order.
            kinds = {option.kind for option in game.options()}
            assert kinds == {"choose"} or len(pals) <= PAL_LIMIT, "too many Pals"
    in_base = sorted(obj for player in state["players"] for obj in player["base"])
    assert sorted(state["objects"]) == in_base
    assert game.over == (state["decides"] is None) == (state["winner"] is not None) == (not game.options())
    assert game.over or len(game.options()) >= 2
    assert game.options() == sorted(set(game.options()))
    fresh = dict(state)
    game.game.memo.clear()
    assert game.state() == fresh, "a kept value was out of date"


def play(
    game: Reference, rng: random.Random, sizes: tuple[int, int] = (DECK_SIZE, DECK_SIZE), check: bool = True
) -> int:
    """Play a game to its end with random choices; returns how many."""
    count = 0
    while not game.over:
        if check:
            check_invariants(game, sizes)
        game.choose(rng.choice(game.options()))
        count += 1
    if check:
        check_invariants(game, sizes)
    return count


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="random games of the reference engine with invariants")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game; the others follow")
    parser.add_argument("--mixed", action="store_true", help="give the cards abilities of one another")
    parser.add_argument("--no-check", action="store_true", help="only play")
    arguments = parser.parse_args(argv)
    cards = sorted(load_cards().values(), key=lambda card: card.number)
    ends: dict[str, int] = {}
    choices = turns = 0
    start = time.process_time()
    for seed in range(arguments.seed, arguments.seed + arguments.games):
        rng = random.Random(seed)
        pool = mixed(cards, rng) if arguments.mixed else cards
        decks = (random_deck(pool, rng), random_deck(pool, rng))
        game = Reference.new_game(decks, first=seed % 2, seed=seed)
        try:
            choices += play(game, rng, check=not arguments.no_check)
        except Exception:
            print(f"seed {seed}, after {len(game.history)} choices, last {game.history[-3:]}", file=sys.stderr)
            raise
        end = game.state()["end"]
        ends[end] = ends.get(end, 0) + 1
        turns += game.state()["turn"]
    spent = time.process_time() - start
    print(
        f"{arguments.games} games, {choices} choices, {turns} turns, {spent:.1f} s; ends {dict(sorted(ends.items()))}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Options, dead turns and stuck hands as the kernels count them, against a recount at every decision."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pytest

from kernels import jit
from sim.game import Stepped, new_game
from sim.games import known_games, load_game

DECKS = {game: load_game(game).BENCH_DECKS for game in known_games()}
DECKS["palworld"] = "tuned-gp-ramp", "community-gp-big"  # cards that cost too much for the first turns
SEEDS = (2, 3) if jit.PLAIN else tuple(range(30))


class Recount:
    """What the options and choices of a game say, by seat; hands are looked at when the end of a turn is chosen."""

    def __init__(self, game: Stepped, name: str) -> None:
        self.game, self.main = game, int(import_module(f"kernels.{name}.codes").AT_MAIN)
        self.options, self.dead, self.stuck = [0, 0], [0, 0], [0, 0]
        self.acted = self.playable = False

    def look(self) -> None:
        options = self.game.options()
        self.options[self.game.lane.decider] += len(options)
        if self.game.lane.decision == self.main:
            self.playable |= any(option.kind == "play" for option in options)

    def choose(self, option: Any) -> None:
        lane = self.game.lane
        self.acted |= lane.decision == self.main and option.kind != "end"
        seat = int(lane.turn_seat)
        held = int(lane.hand[seat])
        self.game.choose(option)
        for choice, hand in [(option, held), *((auto, None) for _, auto in self.game.auto)]:
            self.acted |= choice.kind == "attack"
            if choice.kind == "end":
                self.end_turn(seat, int(lane.hand[seat]) if hand is None else hand)
                seat = 1 - seat

    def end_turn(self, seat: int, hand: int) -> None:
        self.dead[seat] += not self.acted
        self.stuck[seat] += hand != 0 and not self.playable
        self.acted = self.playable = False


@pytest.mark.parametrize(("game", "decks"), DECKS.items())
@pytest.mark.parametrize("quick", [False, True])
def test_counts_are_those_of_a_recount(game: str, decks: Sequence[str], quick: bool) -> None:
    """quick: the player ends its turn at once half of the time, so that there are dead turns."""
    seen = [0, 0]
    for seed in SEEDS:
        stepped, rng = new_game(decks, seed=seed, first="a", game=game), random.Random(seed)
        recount = Recount(stepped, game)
        while not stepped.over:
            recount.look()
            options = stepped.options()
            ends = [option for option in options if option.kind == "end"] if quick and rng.random() < 0.5 else []
            recount.choose(rng.choice(ends or options))
        lane = stepped.lane
        assert lane.optioned.tolist() == recount.options
        assert lane.dead_turns.tolist() == recount.dead
        assert lane.stuck_turns.tolist() == recount.stuck
        seen = [seen[0] + sum(recount.dead), seen[1] + sum(recount.stuck)]
    assert seen[0] > 0 and seen[1] > 0

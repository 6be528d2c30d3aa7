"""Two decks at the real kernel, without a run around them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from kernels import batch
from kernels.palworld import state
from sim.agents import parse_agent
from sim.cards import load_cards
from sim.cards.ast import Card
from sim.decks import load_decks
from sim.engines.kernel import opposing_lists, player_records
from sim.game import game_class
from sim.games import load_game

STARTERS = ("starter-red-blue", "starter-green-purple")


def starters() -> list[list[Card]]:
    """The cards of the two starter decks, in the order of a run."""
    cards = load_cards("palworld")
    decks = load_decks(STARTERS, cards)
    return [[cards[number] for number, n in sorted(deck.counts.items()) for _ in range(n)] for deck in decks]


class Played(NamedTuple):
    """What the kernel has written: rows and the three tables of counts."""

    rows: np.ndarray
    cards: np.ndarray
    own: np.ndarray
    turns: np.ndarray


def blank(n: int, row: np.dtype = state.ROW) -> Played:
    """Zeroed arrays for n games."""
    return Played(
        np.zeros(n, row),
        np.zeros(batch.CARDS_SHAPE, np.int64),
        np.zeros(1 + (n + 1) * batch.OWN_A_GAME, np.uint64),
        np.zeros(batch.TURNS_SHAPE, np.int32),
    )


class Table:
    """Decks and players of one matchup; `lane` is the state that they play in."""

    def __init__(
        self,
        sides: Sequence[Sequence[Card]],
        agents: tuple[str, str] = ("random", "random"),
        key: int = 1,
        game: str = "palworld",
    ) -> None:
        self.state = import_module(f"kernels.{game}.state")
        known = load_game(game).AGENTS
        players = [parse_agent(agent, known) for agent in agents]
        lists = opposing_lists(game, players, load_cards(game))
        self.tables: Any = game_class(game).compile_tables(sides, lists=lists)
        self.players: Any = player_records(game, players)
        self.key = np.uint64(key)
        self.lane: Any = self.state.new_lane()

    def play(self, g0: int, n: int, versus: int = 0) -> Played:
        """Play games g0 .. g0 + n - 1."""
        played = blank(n, self.state.ROW)
        done = batch.play_chunk(self.lane, self.tables, self.players, self.key, g0, n, versus, *played)
        assert done == n
        return played

    def start(self, g: int, first: int | None = None) -> None:
        """Set up game g; `first` as in a run where it is not given."""
        batch.start(self.lane, self.tables, self.players, int(self.key), g, g & 1 if first is None else first)

    def advance(self) -> int:
        """Run to the next decision: the number of options, 0 at the end."""
        return batch.advance(self.lane, self.tables, self.players)

    def choose(self, k: int) -> None:
        """Apply the k-th option."""
        batch.choose(self.lane, self.tables, self.players, k)

    def step(self) -> int:
        """Let the player choose, and run to the next decision."""
        self.choose(batch.pick(self.lane, self.tables, self.players))
        return self.advance()

    def over(self) -> bool:
        """No decision is open any more."""
        return int(self.lane.end) != 255

    def fault(self) -> str | None:
        """What is wrong with the state."""
        return batch.fault(self.lane, self.tables, self.players)

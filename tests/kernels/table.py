"""Two decks at the real kernel, without a run around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kernels import batch
from kernels.agents import AGENTS
from kernels.palworld import codes, state
from sim.cards import load_cards
from sim.cards.ast import Card
from sim.decks import load_decks
from sim.games.palworld.tables import compile_tables

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


def blank(n: int) -> Played:
    """Zeroed arrays for n games."""
    return Played(
        np.zeros(n, state.ROW),
        np.zeros(batch.CARDS_SHAPE, np.int64),
        np.zeros(1 + (n + 1) * batch.OWN_A_GAME, np.uint64),
        np.zeros(batch.TURNS_SHAPE, np.int32),
    )


class Table:
    """Decks and players of one matchup; `lane` is the state that they play in."""

    def __init__(
        self, sides: Sequence[Sequence[Card]], agents: tuple[str, str] = ("random", "random"), key: int = 1
    ) -> None:
        self.tables: Any = compile_tables(sides)
        self.players: Any = np.zeros(2, state.PLAYERS)
        for swapped in range(2):
            for seat in range(2):
                self.players[swapped].agent[seat] = AGENTS.index(agents[seat ^ swapped])
        self.key = np.uint64(key)
        self.lane: Any = state.new_lane()

    def play(self, g0: int, n: int, versus: int = 0) -> Played:
        """Play games g0 .. g0 + n - 1."""
        played = blank(n)
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
        return int(self.lane.at) == codes.AT_OVER

    def fault(self) -> str | None:
        """What is wrong with the state."""
        return batch.fault(self.lane, self.tables, self.players)

"""What the benchmarks play: decks, seeds, and chunks of games timed without what Python does around them."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from kernels import batch
from sim.agents import parse_agent
from sim.cards import load_cards
from sim.decks import load_decks
from sim.engines.kernel import KernelPlayer
from sim.games import load_game
from sim.results import VERSION, DeckInfo, RunInfo

SEED = 1
STARTERS = ("starter-red-blue", "starter-green-purple")
TEN = (
    "chillet-relaxaurus-bp",
    "chillet-relaxaurus-br",
    "lamball-stone-pit-pr",
    "tombat-medicine-gp",
    "foxparks-harness-br",
    "machine-gun-furnace-br",
    "shadowbeak-menasting-bp",
    "cattiva-azurobe-br",
    "lamball-cattiva-bg",
    "chillet-relaxaurus-bg",
)
"""The ten decks that people played most: real decks use more of the rules than the starters."""
SIX = (
    "blood-garden",
    "deep-forest-ramp",
    "drowned-grave-control",
    "flame-rush",
    "neutral-toolbox",
    "steam-tempo",
)
"""All decks of Aether."""
WORKLOADS = {"starters": STARTERS, "ten": TEN, "aether": SIX}
GAMES = {"aether": "aether"}
"""Game of a workload; the others are of Palworld."""


class Timed(NamedTuple):
    """Games that were played, and the CPU time of the thread that played them."""

    seconds: float
    games: int
    decisions: int
    """Only those with two or more options."""
    signature: str
    """XOR over the signatures of the games."""

    @property
    def ns(self) -> float:
        """Nanoseconds a decision."""
        return 1e9 * self.seconds / self.decisions


def info_of(decks: tuple[str, ...], agent: str = "random", game: str = "palworld") -> RunInfo:
    """A run of every pair of these decks."""
    module = load_game(game)
    lists = load_decks(list(decks), load_cards(game), game)
    return RunInfo(
        version=VERSION,
        game=game,
        seed=SEED,
        games=0,
        decks=[DeckInfo(deck.name, dict(deck.counts)) for deck in lists],
        matchups=[(a, b) for a in range(len(lists)) for b in range(a + 1, len(lists))],
        agents=[parse_agent(agent, module.AGENTS)],
    )


class Workload:
    """Every pair of some decks, played by one player; all counts and signatures are collected, as in a run."""

    def __init__(self, decks: tuple[str, ...], agent: str, games: int, game: str = "palworld") -> None:
        """games: in all, spread over the pairs, each with both seats; 64 a pair or more, since a run plays a pair in
        chunks and its tables stay in the processor's cache."""
        self.info = info_of(decks, agent, game)
        self.player = KernelPlayer(self.info, load_cards(self.info.game))
        pairs = len(self.info.matchups)
        self.tables = [self.player.tables(matchup) for matchup in range(pairs)]
        self.each = max(64, games // pairs // 2 * 2)
        self.games = self.each * pairs
        self.lane = self.player.new_lane()
        self.rows: Any = self.lane.clear(self.games)

    def prepare(self) -> float:
        """Compile, or load from the cache; the seconds it took."""
        return self.player.prepare()

    def play(self) -> Timed:
        """Play all games; the same ones each time."""
        player, lane = self.player, self.lane
        rows = self.rows = lane.clear(self.games)
        seconds = 0.0
        for matchup, tables in enumerate(self.tables):
            g = 0
            while g < self.each:
                key, cards, left = player.keys[matchup], lane.cards[0], self.each - g
                part = rows[matchup * self.each + g :]
                start = time.thread_time()
                g += batch.play_chunk(
                    lane.state, tables, player.players, key, g, left, 0, part, cards, lane.own, lane.turns
                )
                seconds += time.thread_time() - start
                lane.own[0] = 0
        signature = int(np.bitwise_xor.reduce(rows["signature"]))
        return Timed(seconds, self.games, int(rows["decisions"].sum()), f"{signature:016x}")

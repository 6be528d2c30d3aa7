"""Plays random and built-in decks with every player for as long as one likes, every state validated.

    CARDMILL_CHECKED=1 python -m tests.kernels.soak --minutes 60

prints what was played; a fault ends it with the command that shows it again. With CARDMILL_CHECKED=1 the kernels are
compiled with bounds checks too.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from kernels import batch, jit
from kernels.aether import state as aether
from kernels.palworld import state as palworld
from sim.cards import load_cards
from sim.cards.ast import Card
from sim.decks import built_in_decks, load_decks
from tests.kernels.table import Table

LIGHT = ("random", "passive", "greedy")
OFTEN = (3, 1, 3)
HEAVY = ("planner:nodes=10,worlds=3", "search:playouts=24,turns=2")
"""Players whose games take a thousand times as long, with small budgets."""
HEAVY_EACH = 8
"""One in so many pairs of decks meets a heavy player, for HEAVY_GAMES games."""
HEAVY_GAMES = 3
GAMES_A_PAIR = 50
WATCHED = 2
"""Games a pair of decks that are played once more, decision by decision, to see how much lies in each zone."""
BUILTIN = "built-in"
MADE_FOR_TESTS = {"tests", "rich"}
"""Kinds of decks with cards that set one another off without end."""


class Watched(NamedTuple):
    """What is counted at decisions: masks of cards, numbers, and lists with the room that each has."""

    zones: tuple[str, ...]
    numbers: tuple[str, ...]
    lists: dict[str, int]


GAMES = {
    "palworld": Watched(
        ("hand", "bases", "graveyard", "exile"),
        ("souls", "material", "ingredient", "options"),
        {
            "waits": palworld.WAITING,
            "grants": palworld.GRANTS,
            "groups": palworld.GROUPS,
            "delays": palworld.DELAYS,
            "locks": palworld.LOCKS,
            "says": palworld.SAID,
        },
    ),
    "aether": Watched(
        ("hand", "field", "graveyard", "aether"),
        ("next_token", "options"),
        {"waits": aether.WAITING, "dues": aether.DUE, "groups": aether.GROUPS},
    ),
}


class Total:
    """What was played of one game so far."""

    def __init__(self, game: str) -> None:
        self.game, self.watched = game, GAMES[game]
        self.games = self.decisions = self.turns = self.longest = 0
        self.ends: Counter[str] = Counter()
        self.players: Counter[str] = Counter()
        names = (*self.watched.zones, *self.watched.numbers, *self.watched.lists)
        self.largest: dict[str, int] = dict.fromkeys(names, 0)

    def add(self, rows: np.ndarray, agents: Sequence[str]) -> None:
        ends = import_module(f"kernels.{self.game}.codes").ENDS
        self.games += len(rows)
        self.decisions += int(rows["decisions"].sum())
        self.turns += int(rows["turns"].sum())
        self.longest = max(self.longest, int(rows["turns"].max()))
        self.ends.update(ends[end] for end in rows["end"])
        self.players.update({agent.partition(":")[0]: len(rows) for agent in agents})

    def watch(self, table: Table, g: int) -> None:
        """Play game g decision by decision and keep the largest count of every zone and list."""
        table.start(g)
        table.advance()
        while not table.over():
            S: Any = table.lane
            found = {zone: max(int(mask).bit_count() for mask in S[zone]) for zone in self.watched.zones}
            found |= {name: int(np.max(S[name])) for name in (*self.watched.numbers, *self.watched.lists)}
            for name, n in found.items():
                self.largest[name] = max(self.largest[name], n)
            table.step()

    def __str__(self) -> str:
        rooms = self.watched.lists
        largest = [f"{name} {n}" + f" of {rooms.get(name)}" * (name in rooms) for name, n in self.largest.items()]
        return (
            f"{self.game}: {self.games} games, {self.decisions} decisions, {self.turns} turns (at most {self.longest} "
            f"a game), ends {dict(sorted(self.ends.items()))}; games with {dict(sorted(self.players.items()))}\n"
            f"  largest at a decision: {', '.join(largest)}"
        )


def pair(game: str, seed: int) -> tuple[Table, tuple[str, str]]:
    """Two decks of a kind, and two players, that the seed names."""
    rng = random.Random(f"soak {game} {seed}")
    own = import_module(f"tests.differential.{game}")
    kind = rng.choice(sorted({*own.KINDS, BUILTIN} - MADE_FOR_TESTS))
    deal = builtin(game, rng) if kind == BUILTIN else own.deal(kind, rng)
    one, other = rng.choices(LIGHT, OFTEN, k=2)
    if seed % HEAVY_EACH == HEAVY_EACH - 1:
        one = rng.choice(HEAVY)
    agents = (one, other) if rng.random() < 0.5 else (other, one)
    table = Table([sorted(deck, key=lambda card: card.number) for deck in deal], agents, seed, game)
    table.lane.check_on = 1
    return table, agents


def builtin(game: str, rng: random.Random) -> list[list[Card]]:
    """Two of a game's own decks."""
    cards = load_cards(game)
    decks = load_decks(rng.sample(sorted(built_in_decks(game)), 2), cards, game)
    return [[cards[number] for number, n in deck.counts.items() for _ in range(n)] for deck in decks]


def soak(total: Total, seed: int, games: int, each: int = GAMES_A_PAIR, until: float = float("inf")) -> int:
    """Play `games` games more, `each` a pair of decks, or until that time of the process; the next seed. Raises
    BrokenState."""
    last = total.games + games
    while total.games < last and time.monotonic() < until:
        try:
            table, agents = pair(total.game, seed)
            light = set(agents) <= set(LIGHT)
            n = min(each if light else HEAVY_GAMES, last - total.games)
            total.add(table.play(0, n).rows, agents)
            for g in range(min(n, WATCHED) if light else 0):
                total.watch(table, g)
        except (batch.BrokenState, IndexError) as error:
            again = f"python -m tests.kernels.soak --game {total.game} --seed {seed} --games {each} --each {each}"
            raise batch.BrokenState(f"{error}; again: {again}") from error
        seed += 1
    return seed


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="play random and built-in decks, every state validated")
    parser.add_argument("--game", choices=tuple(GAMES), nargs="+", default=list(GAMES))
    parser.add_argument("--games", type=int, default=10_000, help="of each game")
    parser.add_argument("--minutes", type=float, help="so long instead, all games in turns")
    parser.add_argument("--seed", type=int, default=0, help="first pair of decks; the others follow")
    parser.add_argument("--each", type=int, default=GAMES_A_PAIR, help="games a pair of decks of light players")
    asked = parser.parse_args(argv)
    start = time.monotonic()
    totals = [Total(game) for game in asked.game]
    try:
        if asked.minutes is None:
            for total in totals:
                soak(total, asked.seed, asked.games, asked.each)
        else:
            seeds, until = dict.fromkeys(asked.game, asked.seed), start + 60 * asked.minutes
            while time.monotonic() < until:
                for total in totals:
                    seeds[total.game] = soak(total, seeds[total.game], HEAVY_EACH * asked.each, asked.each, until)
    except batch.BrokenState as error:
        print(error, file=sys.stderr)
        return 1
    print(*totals, sep="\n")
    print(f"bounds {'checked' if jit.CHECKED else 'not checked'}; {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Plays random decks of all cards for as long as one likes, every state validated.

    CARDMILL_CHECKED=1 python -m tests.kernels.soak --games 10000

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

import numpy as np

from kernels import batch, jit
from kernels.palworld import codes, state
from tests.differential import decks
from tests.kernels.table import Table

AGENTS = (("random", "random"), ("greedy", "random"), ("greedy", "greedy"))
GAMES_A_PAIR = 50
WATCHED = 2
"""Games a pair of decks that are played once more, decision by decision, to see how much lies in each zone."""
ZONES = ("hand", "bases", "graveyard", "exile")
LISTS = {
    "waits": state.WAITING,
    "grants": state.GRANTS,
    "groups": state.GROUPS,
    "delays": state.DELAYS,
    "locks": state.LOCKS,
    "says": state.SAID,
}
"""Lists of the state, with the room that each has."""


class Total:
    """What was played so far."""

    def __init__(self) -> None:
        self.games = self.decisions = self.turns = self.longest = 0
        self.ends: Counter[str] = Counter()
        self.largest: dict[str, int] = dict.fromkeys((*ZONES, *LISTS, "options", "souls", "resources"), 0)

    def add(self, rows: np.ndarray) -> None:
        self.games += len(rows)
        self.decisions += int(rows["decisions"].sum())
        self.turns += int(rows["turns"].sum())
        self.longest = max(self.longest, int(rows["turns"].max()))
        self.ends.update(codes.ENDS[end] for end in rows["end"])

    def watch(self, table: Table, g: int) -> None:
        """Play game g decision by decision and keep the largest count of every zone and list."""
        table.start(g)
        table.advance()
        while not table.over():
            S = table.lane
            found = {zone: max(int(mask).bit_count() for mask in getattr(S, zone)) for zone in ZONES}
            found |= {name: int(getattr(S, name)) for name in (*LISTS, "options")}
            found["souls"] = int(S.souls.max())
            found["resources"] = int(max(S.material.max(), S.ingredient.max()))
            for name, n in found.items():
                self.largest[name] = max(self.largest[name], n)
            table.step()


def pair(seed: int) -> Table:
    """Two decks of a kind, and two players, that the seed names."""
    rng = random.Random(f"soak {seed}")
    kind = rng.choice(sorted(set(decks.KINDS) - {"tests"}))  # cards made for tests set one another off without end
    deal = decks.KINDS[kind]
    table = Table([sorted(deal(rng), key=lambda card: card.number) for _ in range(2)], AGENTS[seed % 3], seed)
    table.lane.check_on = 1
    return table


def soak(seed: int, games: int, each: int = GAMES_A_PAIR) -> Total:
    """Play `games` games, `each` a pair of decks. Raises BrokenState."""
    total = Total()
    while total.games < games:
        n = min(each, games - total.games)
        try:
            table = pair(seed)
            total.add(table.play(0, n).rows)
            for g in range(min(n, WATCHED)):
                total.watch(table, g)
        except (batch.BrokenState, IndexError) as error:
            again = f"python -m tests.kernels.soak --seed {seed} --games {each} --each {each}"
            raise batch.BrokenState(f"{error}; again: {again}") from error
        seed += 1
    return total


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="play random decks, every state validated")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="first pair of decks; the others follow")
    parser.add_argument("--each", type=int, default=GAMES_A_PAIR, help="games a pair of decks")
    arguments = parser.parse_args(argv)
    start = time.perf_counter()
    try:
        total = soak(arguments.seed, arguments.games, arguments.each)
    except batch.BrokenState as error:
        print(error, file=sys.stderr)
        return 1
    print(
        f"{total.games} games, {total.decisions} decisions, {total.turns} turns (at most {total.longest} a game), "
        f"ends {dict(sorted(total.ends.items()))}; bounds {'checked' if jit.CHECKED else 'not checked'}; "
        f"{time.perf_counter() - start:.0f} s"
    )
    rooms = {name: f"{n} of {LISTS[name]}" if name in LISTS else str(n) for name, n in total.largest.items()}
    print("largest at a decision: " + ", ".join(f"{name} {text}" for name, text in rooms.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

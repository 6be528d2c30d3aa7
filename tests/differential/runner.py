"""Plays games in the kernel and in the reference side by side.

    python -m tests.differential.runner --games 1000 --decks legal

prints what was compared, or the first divergence with the command that shows it again. Several kinds of decks and
players share the games; times are those of the processor.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from sim.games import load_game
from sim.labels import option_label
from sim.position import Option
from tests.differential.pair import Divergence
from tests.differential.shrink import Start, shrink, snapshot

PLAYERS = ("uniform", "moody", "greedy", "mixed")
MOODS = (0.05, 0.3, 1.0, 1.0, 3.0)
AGAIN = "python -m tests.differential.runner"
STARTS = 40
SHOWN = 20
GAMES_A_PAIR = 8
"""Seeds in a row with the same decks; the last of them starts before the coin flip, with the decks in a given order."""


class Line:
    """One game of a seed: who chooses what.

    players: "uniform" over the options; "moody": each kind of option has a weight that is drawn for the game; "greedy":
    the kernel's greedy player; "mixed": greedy against moody.
    """

    def __init__(self, seed: int, kind: str, players: str, game: str = "palworld") -> None:
        self.seed, self.kind, self.players, self.game = seed, kind, players, game
        self.rng = random.Random(f"{seed} {kind}")
        self.moods: dict[tuple[int, str], float] = {}
        self.starts: deque[tuple[int, Start]] = deque(maxlen=STARTS)
        own, dealt = shell(game), table(kind, seed // GAMES_A_PAIR, game)
        if seed % GAMES_A_PAIR == GAMES_A_PAIR - 1:
            self.pair = own.Pair.of_position(own.opening(dealt, self.rng, seed))
        elif kind in own.POSITIONS:
            self.pair = own.Pair.of_position(own.rich(dealt, self.rng, seed))
        else:
            self.pair = own.Pair.of_run(dealt, seed & 1, seed)
        self.pair.state_each = 1 if seed % own.WHOLE == 0 else 8
        records = self.pair.kernel.players
        records["agent"][:] = load_game(game).AGENTS["greedy"][0]
        for i, (_, default, _) in enumerate(import_module(f"kernels.{game}.weights").WEIGHTS):
            records["weights"][:, :, i] = default

    def pick(self) -> Option:
        """The next choice."""
        options = self.pair.options
        seat = self.pair.kernel.decides
        if self.players == "greedy" or (self.players == "mixed" and seat == self.seed >> 1 & 1):
            return self.pair.kernel.pick()
        if self.players == "uniform":
            return self.rng.choice(options)
        weights = []
        for option in options:
            mood = (seat or 0, option.kind + (" player" if option.target >= 128 else ""))
            if mood not in self.moods:
                self.moods[mood] = self.rng.choice(MOODS)
            weights.append(self.moods[mood])
        return self.rng.choices(options, weights)[0]

    def play(self, seen: Seen | None = None, keep: bool = False) -> None:
        """To the end of the game, or to a Divergence. seen: counts what is played. keep: the latest play timings, to
        shrink from."""
        while not self.pair.over:
            start = snapshot(self.pair) if keep else None
            if start is not None:
                self.starts.append((len(self.pair.history), start))
            self.pair.choose(self.pick())
            if seen is not None:
                seen.add(self.pair.kernel)

    def shrunk(self) -> str | None:
        """A small scenario that shows how the game diverges, if there is one."""
        again = Line(self.seed, self.kind, self.players, self.game)
        try:
            again.play(keep=True)
        except Divergence:
            return shrink(list(again.starts), again.pair.history)
        return None


class Seen:
    """How often cards were played and abilities used, by card number, kind of ability and number of the ability."""

    def __init__(self, game: str) -> None:
        self.own = shell(game)
        self.counts: Counter[tuple[str, str, int]] = Counter()

    def add(self, game: Any) -> None:
        """What the last choice led to."""
        for kind, obj, a, _ in game.events:
            if kind in ("play", "activate", "resolve"):
                number = card_of(game, obj)
                self.counts[number, kind, 0 if kind == "play" else a] += 1

    def missing(self) -> list[str]:
        """Cards that were never played, and abilities of cards that were never used."""
        never = []
        for card in self.own.pool():
            if card.type != "token" and not self.counts[card.number, "play", 0]:
                never.append(card.number)
            for kind, n in self.own.abilities(card):
                if not self.counts[card.number, self.own.USED[kind], n]:
                    never.append(f"{card.number} {kind} {n}")
        return never


def shell(game: str) -> Any:
    """What a game brings: tests.differential.palworld, tests.differential.aether."""
    return import_module(f"tests.differential.{game}")


def card_of(game: Any, obj: int) -> str:
    """The number of a card, or of a token that appeared."""
    cards = game.sides[obj >> 6]
    return cards[obj & 63].number if obj & 63 < len(cards) else dict(game.appeared)[obj]


@lru_cache(maxsize=1)
def table(kind: str, number: int, game: str = "palworld") -> Any:
    """Two decks of a kind, sorted, with compiled tables."""
    own = shell(game)
    pair = own.deal(kind, random.Random(f"{kind} {number}"))
    return own.Pair.game([sorted(deck, key=lambda card: card.number) for deck in pair])


def name_of(line: Line, obj: int) -> str:
    """A card in a report: `A12 TD01-002`."""
    if obj >= 128:
        return f"player {'AB'[obj - 128]}" if obj < 130 else "-"
    return f"{'AB'[obj >> 6]}{obj & 63} {card_of(line.pair.kernel, obj)}"


def report(line: Line, error: Divergence) -> str:
    """Everything there is to say about a divergence."""
    pair = line.pair
    said = lambda obj: name_of(line, obj)  # noqa: E731
    state = pair.kernel.state()
    where = f"seed {line.seed}, decks {line.kind}, players {line.players}: step {len(pair.history)}"
    cards = [obj for obj in mentioned(str(error)) if obj & 63 < len(pair.kernel.sides[obj >> 6])]
    rows = [
        f"{where}, turn {state['turn']} of {'AB'[state['turn_player']]}, {state['phase']}",
        *(f"  {text}" for text in str(error).splitlines()),
        "cards: " + ", ".join(said(obj) for obj in cards),
        "last choices: " + "; ".join(option_label(o, said, pair.kernel.names) for o in pair.history[-8:]),
        "events: " + "; ".join(f"{kind} {said(obj)} {a} {b}" for kind, obj, a, b in pair.kernel.events),
        "options: " + "; ".join(option_label(option, said, pair.kernel.names[:3]) for option in pair.kernel.options()),
    ]
    for p, player in enumerate(state["players"]):
        looks = [
            f"{said(obj)} {state['objects'][obj]}"
            for zone in player.values()
            if isinstance(zone, list)
            for obj in zone
            if obj in state["objects"]
        ]
        rows.append(f"{'AB'[p]}: " + ", ".join(looks))
    game = f" --game {line.game}" * (line.game != "palworld")
    rows.append(f"again: {AGAIN}{game} --seed {line.seed} --decks {line.kind} --players {line.players}")
    return "\n".join(rows)


def mentioned(text: str) -> list[int]:
    """Card codes that a report may speak of."""
    words = "".join(c if c.isdigit() else " " for c in text).split()
    return sorted({int(word) for word in words if len(word) <= 3 and int(word) < 128})


@dataclass
class Tally:
    """What was played with one kind of decks and players."""

    games: int = 0
    failed: int = 0
    choices: int = 0
    turns: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    spent: float = 0.0

    def __str__(self) -> str:
        ends = ", ".join(f"{end} {n:,}" for end, n in sorted(self.ends.items()))
        return (
            f"{self.games:,} games, {self.choices:,} choices, {self.turns:,} turns, ends {ends}; "
            f"{self.failed} divergences; {self.games / max(self.spent, 0.001):.1f} games/s"
        )

    def __iadd__(self, other: Tally) -> Tally:
        self.games, self.failed = self.games + other.games, self.failed + other.failed
        self.choices, self.turns = self.choices + other.choices, self.turns + other.turns
        self.ends, self.spent = self.ends + other.ends, self.spent + other.spent
        return self


def play(kind: str, players: str, seeds: range, seen: Seen, asked: argparse.Namespace) -> Tally:
    """Games of one kind; each divergence is reported as it is found, and ends it unless asked to go on."""
    tally = Tally()
    start = told = time.process_time()
    for seed in seeds:
        line = None
        tally.games += 1
        try:
            line = Line(seed, kind, players, asked.game)
            line.play(seen)
        except Divergence as error:
            tally.failed += 1
            text = report(line, error) if line else f"seed {seed}, decks {kind}, at the start: {error}"
            print(text, file=sys.stderr, flush=True)
            if asked.shrink and line:
                write_small(line, asked.shrink)
            if not asked.go_on:
                break
            continue
        state = line.pair.kernel.state()
        tally.ends[state["end"]] += 1
        tally.choices += len(line.pair.history)
        tally.turns += state["turn"]
        told = tell(told, start, tally)
    tally.spent = time.process_time() - start
    return tally


def write_small(line: Line, file: Path) -> None:
    """Write a divergence as a small scenario, where it shows from a later turn too."""
    small = line.shrunk()
    print(f"shrunk to {file}" if small else "not shown from any later turn", file=sys.stderr)
    if small:
        file.write_text(small, encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="compare the kernel with the reference, decision by decision")
    parser.add_argument("--games", type=int, default=1, help="in total, shared by the kinds of decks and players")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game of each kind; the others follow")
    parser.add_argument("--game", choices=["palworld", "aether"], default="palworld")
    parser.add_argument("--decks", default=["legal"], nargs="+")
    parser.add_argument("--players", choices=PLAYERS, default=["moody"], nargs="+")
    parser.add_argument("--shrink", type=Path, metavar="FILE", help="write a divergence as a small scenario")
    parser.add_argument("--go-on", action="store_true", help="go on after a divergence, and count")
    asked = parser.parse_args(argv)
    own = shell(asked.game)
    if unknown := set(asked.decks) - set(own.KINDS):
        parser.error(f"unknown decks {', '.join(sorted(unknown))}; known are {', '.join(own.KINDS)}")
    seen, total = Seen(asked.game), Tally()
    both = [(kind, players) for kind in asked.decks for players in asked.players]
    for i, (kind, players) in enumerate(both):
        share = asked.games * (i + 1) // len(both) - asked.games * i // len(both)
        tally = play(kind, players, range(asked.seed, asked.seed + share), seen, asked)
        print(f"{kind} decks, {players} players: {tally}", flush=True)
        total += tally
        if tally.failed and not asked.go_on:
            return 1
    if len(both) > 1:
        print(f"all: {total}")
    if not {"td", "mixed"} & set(asked.decks):
        missing = seen.missing()
        print(f"never played or used: {', '.join(missing[:SHOWN]) or 'nothing'}{' ...' * (len(missing) > SHOWN)}")
    return 1 if total.failed else 0


def tell(told: float, start: float, tally: Tally) -> float:
    """Say how far a long run is, once a minute of work; when that was said last."""
    now = time.process_time()
    if now - told < 60:
        return told
    speed = tally.games / (now - start)
    print(f"{tally.games} games, {tally.failed} divergences, {speed:.1f} games/s", file=sys.stderr, flush=True)
    return now


if __name__ == "__main__":
    np.seterr(over="ignore")
    sys.exit(main())

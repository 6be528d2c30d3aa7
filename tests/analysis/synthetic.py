"""Writes run folders without the engine: a toy card game with real decks, draws and damage checks, on NumPy arrays.

The toy keeps what the tables rest on (shuffled decks, checks that turn cards until a lucky one, mulligans, turns,
deck-outs) and leaves out everything else, so that a run of some thousand games is written in a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb
from pathlib import Path

import msgspec
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from sim.games.palworld.columns import COLUMNS, MEASURES, OWN
from sim.results import (
    PER_SIDE,
    SEEN_TURNS,
    VERSION,
    AgentInfo,
    Block,
    DeckInfo,
    RunInfo,
    tables_of,
)

DECKS = ("Lamball Lunch", "Foxparks Fire", "Depresso Night", "Grizzbolt Guard")
LIFE, SIZE, HAND, LAST_TURN = 10, 50, 5, 60
AGENTS = ("greedy", "random")
RESULTS = ("win", "draw", "loss", None)
STOP = np.array(
    [
        [1 - comb(n - k, min(s, n)) / comb(n, min(s, n)) if k <= n else 0.0 for n in range(SIZE + 1)]
        for k in range(9)
        for s in range(5)
    ]
).reshape(9, 5, SIZE + 1)


def counted(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows and how often each occurs: np.unique over one number a row, which is much quicker than axis=0."""
    low = rows.min(axis=0, initial=0)
    size = rows.max(axis=0, initial=0) - low + 1
    codes, count = np.unique(np.ravel_multi_index(tuple((rows - low).T), tuple(size)), return_counts=True)
    return np.stack(np.unravel_index(codes, tuple(size)), 1) + low, count


def deck_list(deck: int, lucky: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Card numbers, copies, and which are lucky: two lucky cards, ten others in fours, twos to fill up."""
    copies = [lucky - lucky // 2, lucky // 2] + [4] * 10
    copies += [min(2, SIZE - sum(copies) - i) for i in range(0, SIZE - sum(copies), 2)]
    kept = [n for n in copies if n]
    numbers = [f"TOY{deck + 1}-{i + 1:03d}" for i in range(len(kept))]
    is_lucky = np.array([n > 0 for n in copies[:2] if n] + [False] * (len(kept) - sum(n > 0 for n in copies[:2])))
    return numbers, np.array(kept), is_lucky


def write_run(
    path: Path,
    games: int = 400,
    decks: Sequence[str] = DECKS,
    mirrors: bool = False,
    seed: int = 7,
    blocks: int = 2,
    winner: str | None = "play",
    lucky: Sequence[int] = (8, 8, 6, 4),
    versus: bool = False,
) -> Path:
    """A whole run folder of `games` games a matchup. `winner`: "play" it, or what to write for every game.

    With `versus` greedy plays random, which attacks less: in every four games, both players have both sides and seats.
    """
    pairs = list((combinations_with_replacement if mirrors else combinations)(range(len(decks)), 2))
    if len(decks) == 1:
        pairs = [(0, 0)]
    lists = [deck_list(i, lucky[i % len(lucky)]) for i in range(len(decks))]
    bounds = np.linspace(0, games, blocks + 1).astype(int) // 2 * 2
    bounds[-1] = games
    parts: list[Block] = []
    info = RunInfo(
        version=VERSION,
        game="palworld",
        seed=seed,
        games=games,
        decks=[
            DeckInfo(name, dict(zip(cards, copies.tolist(), strict=True)))
            for name, (cards, copies, _) in zip(decks, lists, strict=True)
        ],
        matchups=pairs,
        agents=[AgentInfo("greedy", {"attack": 1.0}, "greedy"), AgentInfo("random", {}, "random")][: 1 + versus],
        versus=versus,
        mirrors=mirrors,
        versions={"cardmill": "0.1.0", "python": "3.11.7", "numba": "0.68.1"},
        machine={"cpu": "a test", "cores": "2"},
        command=f"cardmill run {' '.join(repr(d) for d in decks)} --games {games} --seed {seed} --out toy",
        created="2026-01-01T00:00:00Z",
        seconds=12.5,
        compile_seconds=31.0,
        block_games=int(bounds[1]),
        columns=COLUMNS,
        measures={name: about for name, about in MEASURES.items() if about},
        own=OWN,
    )
    schemas = tables_of(info)
    for index, (g0, g1) in enumerate(pairwise(bounds)):
        tables: dict[str, list[pl.DataFrame]] = {"games": [], "cards": [], "checks": [], "turns": []}
        for matchup, (a, b) in enumerate(pairs):
            rng = np.random.default_rng([seed, a, b, int(g0)])
            toy = _Toy(rng, int(g0), int(g1), (a, b), (lists[a], lists[b]), versus)
            toy.play(winner)
            names = (decks[a], decks[b])
            tables["games"].append(toy.games(matchup, len(pairs), names))
            tables["cards"].append(toy.cards(matchup, names))
            tables["checks"].append(toy.check_counts(matchup, names))
            tables["turns"].append(toy.turn_counts(matchup, names))
        rows = {}
        for name, frames in tables.items():
            schema = schemas[name]
            (path / name).mkdir(parents=True, exist_ok=True)
            whole = pl.concat(frames)
            whole = whole.sort("game") if name == "games" else whole
            pq.write_table(whole.select(schema.names).to_arrow().cast(schema), path / name / f"{index:06d}.parquet")
            rows[name] = whole.height
        parts.append(Block(index, int(g0), int(g1), rows))
    info.blocks = parts
    (path / "run.json").write_bytes(msgspec.json.format(msgspec.json.encode(info), indent=2))
    return path


class _Toy:
    """All games g0..g1 of one matchup side by side; arrays are [side, game, ...]."""

    def __init__(self, rng, g0, g1, decks, lists, versus):
        self.rng, self.decks, self.lists = rng, decks, lists
        self.g = np.arange(g0, g1)
        self.n = n = g1 - g0
        self.first = self.g % 2  # side that goes first
        self.each = np.arange(n)
        swapped = (self.g >> 1) & 1
        self.random = np.stack([swapped, 1 - swapped]) * versus  # 1: that side is played by random
        order = [np.repeat(np.arange(len(copies)), copies) for _, copies, _ in lists]
        shuffle = lambda side: rng.permuted(np.tile(order[side], (n, 1)), axis=1)  # noqa: E731
        self.offered = np.stack([shuffle(0), shuffle(1)])
        good = np.stack([(self.offered[s, :, :HAND] >= 2).sum(axis=1) for s in (0, 1)])
        self.mulligan = good < 3
        again = np.stack([shuffle(0), shuffle(1)])
        self.order = np.where(self.mulligan[:, :, None], again, self.offered)
        self.lucky = np.stack([lists[s][2][self.order[s]] for s in (0, 1)])
        self.place = np.full((2, n), HAND)
        self.life = np.full((2, n), LIFE)
        self.drawn = np.full((2, n, SIZE), 99)
        self.drawn[:, :, :HAND] = 0
        self.milled = np.zeros((2, n, SIZE), bool)
        zero = lambda kind=np.int64: np.zeros((2, n), kind)  # noqa: E731
        self.checks, self.stopped, self.attacks, self.blocks = zero(), zero(), zero(), zero()
        self.luck, self.luck_var = zero(float), zero(float)
        self.turns = np.zeros(n, np.int64)
        self.end = np.full(n, -1)
        self.winner = np.full(n, -1)
        self.check_rows, self.turn_rows = [], []

    def play(self, winner):
        for turn in range(1, LAST_TURN + 1):
            on = self.end < 0
            if not on.any():
                break
            self.turns[on] = turn
            lead = np.clip(self.life[0] - self.life[1], -20, 20)
            self.turn_rows.append(np.stack([np.full(on.sum(), turn), self.first[on], lead[on], self.each[on]], 1))
            side = self.first if turn % 2 else 1 - self.first
            self._draw(side, on, turn)
            for _ in range(1 + (turn > 4) + (turn > 9)):
                self._attack(side, self.end < 0, turn)
        left = self.end < 0
        self.end[left] = 4
        if winner != "play":
            self.winner[:] = {"a": 0, "b": 1, "draw": 2, None: -1}[winner]
            self.end[:] = {"a": 0, "b": 0, "draw": 2, None: 4}[winner]

    def _draw(self, side, on, turn):
        place = self.place[side, self.each]
        out = on & (place >= SIZE)
        self.end[out], self.winner[out] = 1, 1 - side[out]
        go = np.flatnonzero(on & ~out)
        self.drawn[side[go], go, place[go]] = turn
        self.place[side[go], go] += 1

    def _attack(self, side, on, turn):
        foe = 1 - side
        # Each deck beats the next one and loses to the one after: a circle, so that no deck is simply best.
        edge = (0.0, 0.05, -0.03)[(self.decks[1] - self.decks[0]) % 3] * np.where(side == 0, 1, -1)
        # Copies of the third card in hand make attacks likelier: the card that wins games.
        bomb = ((self.order[side, self.each] == 2) & (self.drawn[side, self.each] < 99)).sum(axis=1)
        go = (
            on & (turn > 1) & (self.rng.random(self.n) < 0.30 + edge + 0.04 * bomb - 0.1 * self.random[side, self.each])
        )
        self.attacks[side, self.each] += go
        block = go & (self.rng.random(self.n) < 0.25)
        self.blocks[foe, self.each] += block
        hit = np.flatnonzero(go & ~block)
        owner, strike = foe[hit], self.rng.choice([1, 2, 3], len(hit), p=[0.3, 0.5, 0.2])
        place = self.place[owner, hit]
        deck = SIZE - place
        ahead = np.arange(SIZE)[None, :]
        cards = self.lucky[owner, hit] & (ahead >= place[:, None])
        lucky_left = cards.sum(axis=1)
        found = np.where(cards.any(axis=1), cards.argmax(axis=1), SIZE)
        end = np.minimum(place + strike, SIZE)
        stopped = found < end
        flipped = np.where(stopped, found + 1, end) - place
        self.milled[owner, hit] |= (ahead >= place[:, None]) & (ahead < (place + flipped)[:, None])
        self.place[owner, hit] += flipped
        self.life[owner, hit] -= np.where(stopped, 0, strike)
        known = self.rng.random(len(hit)) < 0.03
        p = STOP[lucky_left, strike, deck]
        self.checks[owner, hit] += 1
        self.stopped[owner, hit] += stopped
        self.luck[owner, hit] += np.where(known, 0.0, stopped - p)
        self.luck_var[owner, hit] += np.where(known, 0.0, p * (1 - p))
        seat = (owner != self.first[hit]).astype(int)
        self.check_rows.append(np.stack([owner, seat, strike, deck, lucky_left, known, stopped, flipped], 1))
        dead = hit[self.life[owner, hit] <= 0]
        self.end[dead], self.winner[dead] = 0, side[dead]
        fate = self.rng.random(len(dead))
        both, loop = dead[fate < 0.02], dead[fate > 0.9995]
        self.end[both], self.winner[both] = 2, 2
        self.end[loop], self.winner[loop] = 3, -1

    def games(self, matchup, matchups, names):
        sides = {
            "life": self.life,
            "cards_left": SIZE - self.place,
            "checks": self.checks,
            "lucky": self.stopped,
            "luck_sum": self.luck,
            "luck_var": self.luck_var,
            "milled": self.milled.sum(axis=2),
            "attacks": self.attacks,
            "blocks": self.blocks,
            "interrupts": np.zeros_like(self.life),
            "played": (self.drawn < 99).sum(axis=2) // 2,
            "mulligan": self.mulligan,
            "options": self.attacks * 7 + self.blocks + self.turns,
            "dead_turns": np.minimum(self.attacks % 3, self.turns // 2),
            "stuck_turns": np.minimum(self.checks % 2, self.turns // 2),
            "lucky_held": (self.lucky & (self.drawn < 99)).sum(axis=2),
        }
        assert set(sides) == {*PER_SIDE, *COLUMNS}
        text = lambda values: pl.Series(values, dtype=pl.String)  # noqa: E731
        return pl.DataFrame(
            {
                "game": self.g * matchups + matchup,
                "matchup": np.full(self.n, matchup),
                "g": self.g,
                **{f"deck_{s}": text([names[i]] * self.n) for i, s in enumerate("ab")},
                **{f"agent_{s}": text([AGENTS[r] for r in self.random[i]]) for i, s in enumerate("ab")},
                "first": text(["ab"[i] for i in self.first]),
                "winner": text([("a", "b", "draw", None)[i] for i in self.winner]),
                "end": text([("life", "deck", "both", "loop", "cap")[i] for i in self.end]),
                "turns": self.turns,
                "decisions": self.attacks.sum(axis=0) * 3 + self.turns * 2,
                "steps": self.attacks.sum(axis=0) * 5 + self.turns * 4,
                **{f"{name}_{s}": values[i] for name, values in sides.items() for i, s in enumerate("ab")},
                "signature": self.rng.integers(0, 2**63, self.n).astype(np.uint64),
            }
        )

    def _result(self, side):
        """0 win, 1 draw, 2 loss, 3 unfinished, for one side."""
        return np.where(self.winner < 0, 3, np.where(self.winner == 2, 1, np.where(self.winner == side, 0, 2)))

    def cards(self, matchup, names):
        frames = []
        for side in (0, 1):
            numbers, copies, _ = self.lists[side]
            drawn = self.drawn[side]
            opening = np.broadcast_to(np.arange(SIZE) < HAND, drawn.shape)
            played = (drawn < 99) & (np.random.default_rng(5).random(drawn.shape) < 0.6)
            masks = {
                "kept": opening,
                "drawn": (drawn > 0) & (drawn < 99),
                "hand": drawn < 99,
                "played": played,
                "milled": self.milled[side],
                "unseen": np.arange(SIZE)[None, :] >= self.place[side][:, None],
                **{f"seen_by_{t}": drawn <= t for t in SEEN_TURNS},
            }
            which = self.order[side][:, :, None] == np.arange(len(numbers))
            counts = {name: (which & mask[:, :, None]).sum(axis=1) for name, mask in masks.items()}
            counts["offered"] = (self.offered[side][:, :HAND, None] == np.arange(len(numbers))).sum(axis=1)
            counts["returned"] = np.where(self.mulligan[side][:, None], counts["offered"], 0)
            rows = []
            for measure, (name, k) in enumerate(counts.items()):
                alive = np.flatnonzero(self.turns >= int(name[8:]) if name.startswith("seen_by_") else self.turns >= 0)
                result = np.repeat((self._result(side) + 4 * self.random[side])[alive], len(numbers))
                card = np.tile(np.arange(len(numbers)), len(alive))
                rows.append(np.stack([np.full(len(card), measure), card, k[alive].ravel(), result], 1))
            kinds, games = counted(np.concatenate(rows))
            measures = list(counts)
            frames.append(
                pl.DataFrame(
                    {
                        "card": [numbers[i] for i in kinds[:, 1]],
                        "in_deck": copies[kinds[:, 1]],
                        "measure": [measures[i] for i in kinds[:, 0]],
                        "k": kinds[:, 2],
                        "result": pl.Series([RESULTS[r % 4] for r in kinds[:, 3]], dtype=pl.String),
                        "agent": [AGENTS[r // 4] for r in kinds[:, 3]],
                        "games": games,
                        "deck": [names[side]] * len(kinds),
                        "opponent": [names[1 - side]] * len(kinds),
                        "side": ["ab"[side]] * len(kinds),
                    }
                )
            )
        return pl.concat(frames).with_columns(matchup=pl.lit(matchup))

    def check_counts(self, matchup, names):
        rows = np.concatenate(self.check_rows) if self.check_rows else np.zeros((0, 8), int)
        kinds, count = counted(rows)
        return pl.DataFrame(
            {
                "matchup": np.full(len(kinds), matchup),
                "deck": [names[s] for s in kinds[:, 0]],
                "side": ["ab"[s] for s in kinds[:, 0]],
                "seat": [("first", "second")[s] for s in kinds[:, 1]],
                "strike": kinds[:, 2],
                "deck_size": kinds[:, 3],
                "lucky_left": kinds[:, 4],
                "known": kinds[:, 5].astype(bool),
                "stopped": kinds[:, 6].astype(bool),
                "flipped": kinds[:, 7],
                "count": count,
            },
            schema_overrides={name: pl.String for name in ("deck", "side", "seat")},
        )

    def turn_counts(self, matchup, names):
        rows = np.concatenate(self.turn_rows) if self.turn_rows else np.zeros((0, 4), int)
        rows[:, 3] = self._result(0)[rows[:, 3]]
        kinds, games = counted(rows)
        return pl.DataFrame(
            {
                "matchup": np.full(len(kinds), matchup),
                "deck_a": [names[0]] * len(kinds),
                "deck_b": [names[1]] * len(kinds),
                "turn": kinds[:, 0],
                "first": ["ab"[s] for s in kinds[:, 1]],
                "lead": kinds[:, 2],
                "result": pl.Series([RESULTS[r] for r in kinds[:, 3]], dtype=pl.String),
                "games": games,
            },
            schema_overrides={name: pl.String for name in ("deck_a", "deck_b", "first")},
        )


def damage_file(path: Path) -> Path:
    """Cuts a Parquet file in half, as a full disk or a broken copy would."""
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path


def drop_column(path: Path, column: str) -> Path:
    pq.write_table(pq.read_table(path).drop_columns([column]), path)
    return path


def empty_run(path: Path) -> Path:
    """A folder as a run leaves it that was stopped before its first file."""
    write_run(path, games=2)
    for file in path.glob("*/*.parquet"):
        schema = pq.read_schema(file)
        pq.write_table(pa.Table.from_batches([], schema), file)
    return path

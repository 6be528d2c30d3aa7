"""Plays chunks with the compiled kernels of a game."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from kernels import batch, jit
from kernels.agents import PARAMETERS
from sim.cards import load_cards
from sim.cards.ast import Card
from sim.collect import add_absent, sparse
from sim.decks import built_in_decks, load_decks
from sim.engines import CARDS_SHAPE, TURNS_SHAPE, Counted, Played
from sim.game import game_class
from sim.games import columns_of, load_game
from sim.provenance import stream_key
from sim.results import AgentInfo, RunInfo

OWN_ROOM = 1 << 16
"""Entries of the game's own table that a lane takes before they are counted."""
TABLES_KEPT = 1024
"""Matchups whose tables are kept: some 100 KB each, and tens of milliseconds to make them."""


class Lane:
    """The arrays of one worker: the state of its game, the rows and the counters of a chunk."""

    def __init__(self, state: Any, versus: bool) -> None:
        self.state = state.new_lane()
        self.row = state.ROW
        self.rows = np.zeros(0, self.row)
        self.cards = np.zeros((2 if versus else 1, *CARDS_SHAPE[1:]), np.int64)
        self.own = np.zeros(OWN_ROOM, np.uint64)
        self.turns = np.zeros(TURNS_SHAPE, np.int32)

    def clear(self, n: int) -> np.ndarray:
        """Set everything to zero, with rows for n games."""
        self.rows = np.zeros(n, self.row)
        self.cards[:] = 0
        self.own[0] = 0
        self.turns[:] = 0
        return self.rows


def player_records(game: str, agents: list[AgentInfo]) -> Any:
    """Records that tell kernels who plays: as given, and with the sides swapped; one agent: both alike."""
    state, known = import_module(f"kernels.{game}.state"), load_game(game).AGENTS
    scale = getattr(state, "WEIGHT_SCALE", 1)
    both = [agents[0], agents[-1]]
    records = np.zeros(2, state.PLAYERS)
    for swapped, order in enumerate((both, both[::-1])):
        for seat, agent in enumerate(order):
            code, defaults = known[agent.name]
            records[swapped].agent[seat] = code
            budgets = [key for key, _, _ in PARAMETERS.get(agent.name, ())]
            for i, key in enumerate(budgets):
                records[swapped].budget[seat, i] = round(agent.params[key])
            for i, key in enumerate(key for key in defaults if key not in budgets):
                records[swapped].weights[seat, i] = round(agent.params[key] * scale)
    return records


def opposing_lists(game: str, agents: Iterable[AgentInfo], cards: Mapping[str, Card]) -> list[list[Card]]:
    """Decks that a player who is not told the opponent's list thinks of: the game's own; none where all are told.
    cards: those of the run, which may be changed ones."""
    if all(agent.params.get("known", 1) for agent in agents):
        return []
    known = load_cards(game) | dict(cards)
    return [[known[number] for number in deck.cards()] for deck in load_decks(built_in_decks(game), known, game)]


class KernelPlayer:
    """A `ChunkPlayer`: decks as tables, made for a matchup when it is played, and the players of both seats.

    others: players beside those of the run.
    """

    def __init__(self, info: RunInfo, cards: Mapping[str, Card], others: Sequence[AgentInfo] = ()) -> None:
        self.game = info.game
        self.state = import_module(f"kernels.{info.game}.state")
        self.versus, self.events = info.versus, info.events
        self.players = player_records(info.game, info.agents)
        slots = [[cards[number] for number in deck.slots] for deck in info.decks]
        names = [deck.name for deck in info.decks]
        make = game_class(info.game).compile_tables
        lists = opposing_lists(info.game, [*info.agents, *others], cards)

        @lru_cache(TABLES_KEPT)
        def tables(matchup: int) -> Any:
            a, b = info.matchups[matchup]
            return make([slots[a], slots[b]], rules=info.rules, lists=lists)

        self.tables = tables
        self.distinct = [(len(set(info.decks[a].slots)), len(set(info.decks[b].slots))) for a, b in info.matchups]
        self.measures = len(columns_of(info.game).MEASURES)
        self.keys = [np.uint64(stream_key(info.seed, names[a], names[b])) for a, b in info.matchups]

    def cold(self) -> bool:
        return jit.cold(self.game)

    def prepare(self) -> float:
        start = time.perf_counter()
        lane = self.new_lane()
        self._play(lane, 0, 0, 0, lane.clear(1), 0)  # no game: compiles, or loads from the cache
        return time.perf_counter() - start

    def new_lane(self) -> Lane:
        return Lane(self.state, self.versus)

    def _play(self, lane: Lane, matchup: int, g: int, n: int, rows: np.ndarray, swapped: int) -> int:
        return batch.play_chunk(
            lane.state,
            self.tables(matchup),
            self.players,
            self.keys[matchup],
            g,
            n,
            int(self.versus),
            rows,
            lane.cards[swapped],
            lane.own,
            lane.turns,
        )

    def play_chunk(self, lane: Lane, matchup: int, g0: int, n: int) -> Played:
        rows, done = lane.clear(n), 0
        own: list[np.ndarray] = []
        while done < n:
            g = g0 + done
            # With two agents the counts by card are kept by assignment, which changes every other game.
            swapped = (g >> 1) & 1 if self.versus else 0
            end = min((g | 1) + 1, g0 + n) if self.versus else g0 + n
            played = self._play(lane, matchup, g, end - g, rows[done:], swapped)
            done += played
            if g + played < end or done == n:
                own.append(lane.own[1 : 1 + int(lane.own[0])].astype(np.int64))
                lane.own[0] = 0
        keys = np.concatenate(own)
        add_absent(lane.cards, rows, self.distinct[matchup], self.measures)
        counted = Counted(*np.unique(keys, return_counts=True))
        told = self._tell(lane, matchup, g0, rows) if self.events else None
        return Played(rows, sparse(lane.cards), sparse(lane.turns), counted, told)

    def _tell(self, lane: Lane, matchup: int, g0: int, rows: np.ndarray) -> np.ndarray:
        """The events of the games of a chunk, played once more."""
        from sim.events import TOLD, tell

        told, tables = [np.zeros(0, TOLD)], self.tables(matchup)
        for g, row in enumerate(rows, g0):
            players = self.players[(g >> 1) & 1 :] if self.versus else self.players
            told.append(tell(lane.state, tables, players, self.keys[matchup], g, self.state.LOG))
            if lane.state.signature != row["signature"]:
                raise RuntimeError(f"game {g} of matchup {matchup} is stepped otherwise than it is played")
        return np.concatenate(told)

"""`cardmill verify`: whether a run holds what it says, and whether its games are played so again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sim.collect import Tables
from sim.engines import ChunkPlayer
from sim.errors import RunError
from sim.folder import existing, file_name, hash_of
from sim.places import place_of, readable_errors
from sim.provenance import cards_hash, engine_hash
from sim.results import SIDES, Block, RunInfo
from sim.runs import agent_of, run_cards

SAMPLE = 200
"""Games that are played again."""
EVERY_GAME = ("kept", "returned", "drawn", "hand", "played", "unseen")
"""Measures of the table of cards that count each game once for each card and side."""


class Verified(NamedTuple):
    """findings: what is wrong, a line each; notes: what could not be looked at; replayed: games played again."""

    findings: list[str]
    notes: list[str]
    files: int
    games: int
    replayed: int


def verify(
    run: str | Path,
    sample: int = SAMPLE,
    player: Callable[[RunInfo], ChunkPlayer] | None = None,
    findings: list[str] | None = None,
) -> Verified:
    """Check every file of a run, add its counts up again, and play `sample` of its games again.

    findings: takes each finding when it is there. Raises RunError where there is no run.
    """
    place = place_of(run)
    info = existing(run, place)
    if info is None:
        raise RunError("is not a run folder (no run.json in it)", place.where)
    findings = [] if findings is None else findings
    notes: list[str] = []
    chosen = _sample(info, sample)
    rows: dict[int, dict[str, object]] = {}
    files = games = 0
    for block in info.blocks:
        tables: dict[str, pa.Table] = {}
        for table, schema in info.tables.items():
            name = f"{table}/{file_name(block.index)}"
            files += 1
            try:
                with readable_errors(place.where):
                    data = place.read(name)
            except RunError:
                findings.append(f"{name}: is missing or cannot be read")
                continue
            wrong, found = _file(data, block, table, schema)
            findings += [f"{name}: {text}" for text in wrong]
            if found is not None:
                tables[table] = found
        if len(tables) == len(info.tables):
            findings += [f"{file_name(block.index)}: {text}" for text in _block(info, block, tables)]
            games += tables["games"].num_rows
            wanted = tables["games"].filter(pc.is_in(tables["games"]["game"], pa.array(chosen, pa.int64())))
            rows |= {row["game"]: row for row in wanted.to_pylist()}
    known = {file_name(block.index) for block in info.blocks}
    for table in info.tables:
        for name in place.names(table):
            if name.endswith(".parquet") and name not in known:
                findings.append(f"{table}/{name}: is not noted in run.json")
    if not games:
        notes.append("the run holds no games")
    if games and info.hashes.get("engine") == engine_hash(info.game):
        findings += _replay(info, rows, player)
    elif games:
        notes.append("no game was played again: the run is of another version of the engine")
        rows = {}
    return Verified(findings, notes, files, games, len(rows))


def _file(data: bytes, block: Block, table: str, schema: pa.Schema) -> tuple[list[str], pa.Table | None]:
    """What is wrong with one file by itself; its table where it can be read."""
    noted = block.hashes.get(table)
    wrong = [] if noted in (None, hash_of(data)) else ["its bytes are not those that were written (another hash)"]
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        if table == "events":  # a thousand times the games: read, but not kept
            rows = sum(file.read_row_group(i).num_rows for i in range(file.num_row_groups))
            found = file.schema_arrow.empty_table()
        else:
            found = file.read()
            rows = found.num_rows
        extra = json.loads((file.metadata.metadata or {}).get(b"cardmill", b"{}"))
    except (OSError, ValueError, pa.ArrowException) as error:
        return [*wrong, f"is no whole Parquet file ({str(error).splitlines()[0]})"], None
    if not found.schema.remove_metadata().equals(schema.remove_metadata()):
        return [*wrong, "has other columns than this table has"], None
    if rows != block.rows.get(table):
        wrong.append(f"{rows} rows, run.json says {block.rows.get(table)}")
    if (extra.get("g0"), extra.get("g1")) != (block.g0, block.g1):
        wrong.append(f"covers games {extra.get('g0')} to {extra.get('g1')}, run.json says {block.g0} to {block.g1}")
    return wrong, found


def _block(info: RunInfo, block: Block, tables: dict[str, pa.Table]) -> Iterator[str]:
    """What does not fit together in the tables of a block."""
    games = tables["games"]
    g, matchup = games["g"].to_numpy(), games["matchup"].to_numpy()
    if games.num_rows != info.games_between(block.g0, block.g1):
        yield f"its games are not games {block.g0} to {block.g1 - 1} of each matchup, each once and in order"
        return
    expected = [
        game_g * len(info.matchups) + m
        for m in range(len(info.matchups))
        for game_g in range(block.g0, min(block.g1, info.stops.get(m, block.g1)))
    ]
    if not np.array_equal(games["game"].to_numpy(), np.sort(np.array(expected, np.int64))):
        yield f"its games are not games {block.g0} to {block.g1 - 1} of each matchup, each once and in order"
        return
    if not np.array_equal(g * len(info.matchups) + matchup, games["game"].to_numpy()):
        yield "numbers of games do not fit matchup and g"
    pairs = np.array(info.matchups).reshape(-1, 2)
    names = np.array([deck.name for deck in info.decks], object)
    for side, label in enumerate(SIDES):
        if not np.array_equal(games[f"deck_{label}"].to_numpy(zero_copy_only=False), names[pairs[matchup, side]]):
            yield f"decks of side {label} are not those of the matchups"
        agents = np.array([agent_of(info, i)[side].label for i in range(4)], object)[g % 4]
        if not np.array_equal(games[f"agent_{label}"].to_numpy(zero_copy_only=False), agents):
            yield f"agents of side {label} are not those of the run"
    if not np.array_equal(games["first"].to_numpy(zero_copy_only=False), np.array(SIDES, object)[g % 2]):
        yield "seats are not balanced as they must be"
    yield from _counts(info, games, tables)


def _counts(info: RunInfo, games: pa.Table, tables: dict[str, pa.Table]) -> Iterator[str]:
    """Counts that can be made again from the games."""
    results = {"a": ("win", "loss"), "b": ("loss", "win"), "draw": ("draw", "draw"), None: (None, None)}
    each = {
        (row["matchup"], row["winner"]): row["game_count"]
        for row in games.group_by(["matchup", "winner"]).aggregate([("game", "count")]).to_pylist()
    }
    turns = tables["turns"].filter(pc.equal(tables["turns"]["turn"], 1))
    found = {
        (row["matchup"], row["result"]): row["games_sum"]
        for row in turns.group_by(["matchup", "result"]).aggregate([("games", "sum")]).to_pylist()
    }
    if found and found != {(m, results[winner][0]): n for (m, winner), n in each.items()}:
        yield "turns: results of the games alive in turn 1 are not those of the games"
    cards = tables["cards"].filter(pc.is_in(tables["cards"]["measure"], pa.array(EVERY_GAME)))
    grouped = cards.group_by(["matchup", "side", "measure", "result"]).aggregate([("games", "sum")]).to_pylist()
    for row in grouped:
        side = SIDES.index(row["side"])
        distinct = len(info.decks[info.matchups[row["matchup"]][side]].cards)
        winners = [winner for winner, both in results.items() if both[side] == row["result"]]
        played = sum(each.get((row["matchup"], winner), 0) for winner in winners)
        if row["games_sum"] != distinct * played:
            yield (
                f"cards: {row['measure']} of side {row['side']} in matchup {row['matchup']} counts {row['games_sum']} "
                f"games with result {row['result']}, the games say {distinct * played}"
            )
            break
    if "checks" in tables and {"checks_a", "lucky_a"} <= set(games.column_names):
        checks = tables["checks"]
        for label in SIDES:
            mine = checks.filter(pc.equal(checks["side"], label))
            stopped = mine.filter(mine["stopped"])
            for what, part, column in (("checks", mine, "checks"), ("stopped checks", stopped, "lucky")):
                counted = pc.sum(part["count"]).as_py() or 0
                said = pc.sum(games[f"{column}_{label}"]).as_py() or 0
                if counted != said:
                    yield f"checks: {counted} {what} of side {label}, the games say {said}"


def _sample(info: RunInfo, n: int) -> list[int]:
    """About n games, spread evenly over those that the run holds."""
    total = info.played * len(info.matchups)
    every = [i * total // n for i in range(n)] if n < total else range(total)
    size = len(info.matchups)
    return [game for game in every if game // size < info.games_of(game % size)]


def _replay(
    info: RunInfo, rows: dict[int, dict[str, object]], player: Callable[[RunInfo], ChunkPlayer] | None
) -> Iterator[str]:
    """Games that are played otherwise than their row says."""
    if not rows:
        return
    if player is None:
        from sim.engines.kernel import KernelPlayer

        cards = run_cards(info)
        used = [cards[number] for deck in info.decks for number in deck.cards if number in cards]
        if cards_hash({card.number: card for card in used}.values()) != info.hashes.get("cards"):
            yield "run.json: the cards of these decks do something else now than in the run"
            return
        made: ChunkPlayer = KernelPlayer(info, cards)
        made.prepare()
    else:
        made = player(info)
    tables, lane, size = Tables(info), made.new_lane(), len(info.matchups)
    for game, row in sorted(rows.items()):
        matchup, g = np.array([game % size]), np.array([game // size])
        again = tables.games(matchup, g, made.play_chunk(lane, game % size, game // size, 1).rows).to_pylist()[0]
        other = [name for name in again if again[name] != row[name]]
        if other:
            block = next(block.index for block in info.blocks if block.g0 <= game // size < block.g1)
            yield f"games/{file_name(block)}: game {game} is played otherwise ({', '.join(other)})"

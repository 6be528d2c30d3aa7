"""Runs: the same tables whatever happens on the way there."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import sim
from sim import blocks, places, runs, session
from sim import folder as folders
from sim.agents import parse_agent
from sim.blocks import block_size
from sim.collect import Tables
from sim.errors import InputError, Interrupted, RunError
from sim.games.palworld.columns import MEASURES as DECLARED
from sim.places import Lock
from sim.provenance import hash64, stream_key
from sim.results import SEEN_TURNS, RunInfo, read_info, tables_of
from sim.verify import verify
from tests.sim.fake import AGENTS, GAME, FakePlayer

pytestmark = pytest.mark.usefixtures("fake_game")
DECKS = ("starter-red-blue", "starter-green-purple", "community-rb-gun")
ROOT = Path(__file__).parents[2]
GOLDEN = 0x5A75D18DFBF7B54E  # of hash64(7, "a", "b"): a change would give old seeds other games

TABLE_NAMES = ("games", "cards", "turns", "checks")


def play(out: Path | None = None, games: int = 200, decks: tuple[str, ...] = DECKS[:2], **more) -> sim.Run:
    more = {"seed": 7, "threads": 2, "player": FakePlayer} | more
    return sim.simulate(decks, games=games, out=out, **more)


def tables(run: sim.Run | Path) -> dict[str, pl.DataFrame]:
    path = run if isinstance(run, Path) else run.path
    return {table: pl.read_parquet(path / table / "*.parquet") for table in TABLE_NAMES}


def counts(run: sim.Run | Path, table: str) -> pl.DataFrame:
    """A count table added up over blocks."""
    frame = tables(run)[table]
    value = "count" if table == "checks" else "games"
    keys = [name for name in frame.columns if name != value]
    return frame.group_by(keys).agg(pl.col(value).sum()).sort(keys)


def assert_same(a: sim.Run | Path, b: sim.Run | Path) -> None:
    assert tables(a)["games"].equals(tables(b)["games"])
    for table in TABLE_NAMES[1:]:
        assert counts(a, table).equals(counts(b, table))


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 40 games, saved after every round; without the waits that only a power cut makes necessary."""
    monkeypatch.setattr(places, "sync", lambda path: None)
    monkeypatch.setattr(blocks, "BLOCK_GAMES", 40)
    monkeypatch.setattr(blocks, "MIN_G", 4)
    monkeypatch.setattr(session, "SAVE_SECONDS", 0.0)


# what is in a run


def test_schema_rows_and_seats(tmp_path: Path) -> None:
    run = play(tmp_path / "run", decks=DECKS, mirrors=True)
    info = run.info
    assert info.matchups == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    for table, frame in tables(run).items():
        assert frame.schema == pl.Schema(pl.from_arrow(tables_of(read_info(run.path))[table].empty_table()).schema)
        assert sum(block.rows[table] for block in info.blocks) == frame.height
    games = tables(run)["games"]
    assert games["game"].to_list() == list(range(6 * 200))
    assert (games["game"] == games["g"] * 6 + games["matchup"]).all()
    seats = games.group_by("matchup", "first").len()
    assert set(seats["len"]) == {100}
    assert games["winner"].null_count() > 0
    names = [deck.name for deck in info.decks]
    for matchup, (a, b) in enumerate(info.matchups):
        part = games.filter(matchup=matchup)
        assert set(part["deck_a"]) == {names[a]}
        assert set(part["deck_b"]) == {names[b]}
        assert part["signature"].to_list() == [hash64(stream_key(7, names[a], names[b]), g) for g in range(200)]


def test_counts_add_up_to_games(tmp_path: Path) -> None:
    run = play(tmp_path / "run", decks=DECKS)
    frames = tables(run)
    assert frames["turns"]["games"].sum() == frames["checks"]["count"].sum() == 600
    by_measure = frames["cards"].group_by("side", "measure").agg(pl.col("games").sum())
    distinct = sum(len(run.info.decks[a].cards) for a, _ in run.info.matchups)
    assert set(by_measure.filter(side="a")["games"]) == {200 * distinct}
    assert set(by_measure["measure"]) == {*DECLARED, *(f"seen_by_{turn}" for turn in SEEN_TURNS)}
    cards = frames["cards"]
    info = run.info
    copies = {(deck.name, number): n for deck in info.decks for number, n in deck.cards.items()}
    for deck, card, n in cards.select("deck", "card", "in_deck").unique().iter_rows():
        assert copies[deck, card] == n
    won = frames["games"].filter(pl.col("winner") == "b", matchup=0).height
    for card in run.info.decks[1].cards:
        counted = cards.filter(matchup=0, side="b", measure="kept", result="win", card=card)
        assert counted["games"].sum() == won


def test_versus_plays_both_assignments(tmp_path: Path) -> None:
    run = play(tmp_path / "run", versus="random")
    games = tables(run)["games"]
    seats = games.group_by("agent_a", "agent_b", "first").len()
    assert set(seats["len"]) == {50}
    assert set(seats["agent_a"]) == {"greedy", "random"}
    assert (games["agent_a"] != games["agent_b"]).all()
    first = games.head(4)["agent_a"].to_list()
    assert first == ["greedy", "greedy", "random", "random"]
    cards = tables(run)["cards"].filter(measure="kept").group_by("side", "agent", "card").agg(pl.col("games").sum())
    assert set(cards["games"]) == {100}
    assert [agent.name for agent in runs.agent_of(run.info, 2)] == ["random", "greedy"]


def test_keys_and_counts_are_inverse(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    for versus in (None, "random"):
        run = play(tmp_path / f"run-{versus}", decks=DECKS, versus=versus)
        made = Tables(run.info)
        for table in TABLE_NAMES[1:]:
            data = pq.ParquetFile(run.path / table / "0000000.parquet").read()
            assert made.counts(table, made.keys(table, data)).equals(data.replace_schema_metadata(None))


def test_adding_a_deck_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    two, three = tables(play(tmp_path / "2")), tables(play(tmp_path / "3", decks=DECKS))
    before = two["games"].drop("game", "matchup")
    after = three["games"].filter(deck_a=DECKS[0], deck_b=DECKS[1]).drop("game", "matchup")
    assert before.equals(after)


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_extreme_seeds(seed: int, tmp_path: Path) -> None:
    run = play(tmp_path / "run", seed=seed)
    assert run.info.seed == read_info(run.path).seed == seed
    assert tables(run)["games"]["signature"].n_unique() == 200


def test_without_a_seed_each_run_is_another() -> None:
    first, second = play(seed=None), play(seed=None)
    assert first.info.seed != second.info.seed


def test_without_out_the_folder_goes_with_the_run() -> None:
    run = play()
    path = run.path
    assert run.games.select(pl.len()).collect().item() == 200
    del run
    assert not path.exists()


def test_provenance(tmp_path: Path) -> None:
    info = play(tmp_path / "run", agent="greedy:attack=1.5").info
    assert info.agents[0].label == "greedy:attack=1.5"
    assert info.agents[0].params == {"attack": 1.5, "block": 0.5}
    assert sum(info.decks[0].cards.values()) == 50
    assert set(info.hashes) == {"engine", "cards"}
    assert {"python", "numba", "numpy", "pyarrow", "cardmill"} <= set(info.versions)
    assert info.machine["cores"]
    assert info.created and info.seconds > 0


# the same tables


@pytest.mark.parametrize(("threads", "chunk"), [(1, None), (2, 1), (3, 7), (2, 64), (2, 1000)])
def test_threads_and_chunks_do_not_matter(threads: int, chunk: int | None, tmp_path: Path) -> None:
    reference = play(tmp_path / "reference", decks=DECKS, threads=1, chunk=200)
    assert_same(reference, play(tmp_path / "other", decks=DECKS, threads=threads, chunk=chunk))


@pytest.mark.usefixtures("small_blocks")
def test_blocks_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = play(tmp_path / "many", decks=DECKS, chunk=5)
    assert len(many.info.blocks) == 13
    monkeypatch.undo()
    monkeypatch.setattr("sim.games.load_game", lambda name: GAME)
    assert_same(many, play(tmp_path / "one", decks=DECKS))


@pytest.mark.usefixtures("small_blocks")
def test_prefix_and_extension(tmp_path: Path) -> None:
    whole = play(tmp_path / "whole", games=200)
    for games in (2, 30, 40, 42, 120, 200):
        grown = play(tmp_path / "grown", games=games, seed=None if games > 2 else 7)
        assert tables(grown)["games"].equals(tables(whole)["games"].head(games))
    assert_same(whole, grown)
    assert grown.info.games == grown.info.played == 200


def test_files_are_few() -> None:
    assert block_size(1) == 100_000
    for matchups in (1, 3, 10, 45, 630, 5000):
        size = block_size(matchups)
        assert size % 4 == 0
        assert size * matchups >= 100_000


@pytest.mark.usefixtures("small_blocks")
def test_a_finished_run_is_left_as_it_is(tmp_path: Path) -> None:
    run = play(tmp_path / "run")
    before = {path: path.stat().st_mtime_ns for path in run.path.rglob("*.parquet")}
    play(tmp_path / "run")
    assert before == {path: path.stat().st_mtime_ns for path in run.path.rglob("*.parquet")}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("table", TABLE_NAMES)
@pytest.mark.parametrize("damage", ["gone", "cut", "empty"])
def test_damaged_blocks_are_played_again(table: str, damage: str, tmp_path: Path) -> None:
    whole, run = play(tmp_path / "whole", chunk=40), play(tmp_path / "run", chunk=40)
    file = run.path / table / "0000002.parquet"
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[: 100 if damage == "cut" else 0])
    assert_same(whole, play(tmp_path / "run", chunk=40))


@pytest.mark.usefixtures("small_blocks")
def test_a_kill_between_the_steps_of_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ends after any of the file operations of a run; the next one ends with the same tables."""
    whole = play(tmp_path / "whole", games=46)
    real = places.Path.replace
    for fail_at in range(40):
        out = tmp_path / str(fail_at)
        calls = 0

        def replace(self: Path, target: Path, fail_at: int = fail_at) -> Path:
            nonlocal calls
            calls += 1
            if calls > fail_at:
                raise KeyboardInterrupt  # nothing after it may run
            return real(self, target)

        monkeypatch.setattr(places.Path, "replace", replace)
        try:
            play(out, games=46, chunk=20)
        except KeyboardInterrupt:
            pass
        else:
            break
        finally:
            monkeypatch.setattr(places.Path, "replace", real)
        assert_same(whole, play(out, games=46, chunk=20))
        assert not list(out.rglob("*.tmp"))
    assert fail_at > 10


@pytest.mark.usefixtures("small_blocks")
def test_a_fault_of_a_worker_is_raised_and_nothing_is_lost(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="planted fault at 90"):
        play(tmp_path / "run", threads=1, chunk=4, player=lambda info: FakePlayer(info, fail_at=90))
    assert read_info(tmp_path / "run").played >= 80
    assert_same(play(tmp_path / "run"), play(tmp_path / "whole"))


# killed from outside


def start(out: Path, games: int, *, chunk: int = 8, delay: float = 0.004) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.sim.fake", str(out), str(games), "2", str(chunk), str(delay), *DECKS[:2]]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE)


def wait_for(condition, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.slow
def test_killed_at_random_moments(tmp_path: Path) -> None:
    """SIGKILL, and the same command again: the tables of an uninterrupted run, no game twice and none lost."""
    kills, games = 20, 8000
    whole = play(tmp_path / "whole", games=games)
    out, moment = tmp_path / "killed", random.Random(5)
    for _ in range(kills):
        process = start(out, games)
        wait_for(lambda: (out / "run.json").exists())
        time.sleep(0.05 + 0.5 * moment.random())
        process.kill()
        process.wait()
    assert read_info(out).played < games, "the kills came too late to show anything"
    run = play(out, games=games)
    assert_same(whole, run)
    numbers = tables(run)["games"]["game"]
    assert numbers.n_unique() == len(numbers) == games
    assert not list(out.rglob("*.tmp"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.usefixtures("small_blocks")
def test_stopped_by_a_signal(number: signal.Signals, tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = start(out, 4000)
    wait_for(lambda: (out / "run.json").exists() and read_info(out).played > 0)
    process.send_signal(number)
    assert process.wait(timeout=20) == 130
    assert b"Traceback" not in (process.stderr.read() if process.stderr else b"")
    played = read_info(out).played
    assert 0 < played < 4000
    assert tables(out)["games"].height == played
    games = played + 40 + played % 2
    assert_same(play(tmp_path / "whole", games=games), play(out, games=games))


def test_interrupted_says_how_to_go_on(tmp_path: Path) -> None:
    class Stops(FakePlayer):
        def play_chunk(self, lane, matchup, g0, n):
            if g0 == 40:
                os.kill(os.getpid(), signal.SIGINT)
            return super().play_chunk(lane, matchup, g0, n)

    with pytest.raises(Interrupted, match="same command goes on"):
        play(tmp_path / "run", games=4000, chunk=4, player=lambda info: Stops(info, delay=0.005))
    kept = read_info(tmp_path / "run").played
    assert 40 <= kept < 4000
    assert tables(tmp_path / "run")["games"].height == kept


# what is refused


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 8}, ["seed: 7 there, 8 asked for"]),
        ({"agent": "random"}, ["agents: greedy there, random asked for"]),
        ({"agent": "greedy:attack=2"}, ["greedy:attack=2.0 asked for"]),
        ({"versus": "random"}, ["greedy versus random asked for"]),
        ({"decks": (DECKS[0], DECKS[2])}, ["decks: ", DECKS[2]]),
        ({"decks": (DECKS[1], DECKS[0])}, ["decks: "]),
        ({"mirrors": True}, ["mirrors: False there"]),
        ({"games": 100}, ["holds 200 games of each pair already", "100 asked for"]),
    ],
)
def test_another_run_is_refused_with_the_difference(change: dict, words: list[str], tmp_path: Path) -> None:
    play(tmp_path / "run")
    before = sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))
    with pytest.raises(RunError) as caught:
        play(tmp_path / "run", **change)
    for word in words:
        assert word in str(caught.value)
    assert before == sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))


def test_changed_deck_cards_and_engine_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = tmp_path / "mine.toml"
    text = (ROOT / "sim/games/palworld/decks/starter-red-blue.toml").read_text(encoding="utf-8").replace("starter-", "")
    deck.write_text(text, encoding="utf-8")
    decks = (str(deck), DECKS[1])
    play(tmp_path / "run", decks=decks)
    deck.write_text(text.replace('"TD01-002" = 2', '"TD01-002" = 1').replace('"TD01-003" = 2', '"TD01-003" = 3'))
    with pytest.raises(RunError, match=r"2 TD01-002 there, 1 TD01-002 asked for"):
        play(tmp_path / "run", decks=decks)
    deck.write_text(text, encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(runs, "engine_hash", lambda game: "another")
        with pytest.raises(RunError, match="the engine"):
            play(tmp_path / "run", decks=decks)
    play(tmp_path / "run", decks=decks)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": 0}, "--games 0"),
        ({"games": 7}, "multiple of 2"),
        ({"games": 6, "versus": "random"}, "multiple of 4"),
        ({"seed": -1}, "--seed -1"),
        ({"seed": 2**64}, "0 to 2\\^64 - 1"),
        ({"threads": 0}, "--threads 0"),
        ({"chunk": 0}, "--chunk 0"),
        ({"engine": "cloud"}, "unknown engine 'cloud'"),
        ({"agent": "gredy"}, "did you mean 'greedy'"),
        ({"agent": "greedy:atack=1"}, "no parameter 'atack'; did you mean 'attack'"),
        ({"agent": "greedy:attack"}, "not of the form attack=1.2"),
        ({"agent": "greedy:attack=nan"}, "not of the form"),
        ({"versus": "greedy"}, "the same agent"),
        ({"decks": (DECKS[0],)}, "no pair of decks"),
        ({"decks": ()}, "no pair of decks"),
        ({"decks": ("nonsense", DECKS[0])}, "no such deck"),
        ({"decks": (DECKS[0], DECKS[0])}, "already in this run"),
    ],
)
def test_wrong_use_writes_nothing(change: dict, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        play(tmp_path / "run", **change)
    assert not (tmp_path / "run").exists()


def test_folders_that_are_no_runs(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.doc").touch()
    with pytest.raises(RunError, match=r"not a run folder.*thesis.doc"):
        play(tmp_path / "other")
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="is a file"):
        play(tmp_path / "file")
    for text in ("", "{", "[]", '{"version": 1}'):
        (tmp_path / "broken").mkdir(exist_ok=True)
        (tmp_path / "broken" / "run.json").write_text(text)
        with pytest.raises(RunError, match=r"run\.json"):
            play(tmp_path / "broken")
    with pytest.raises(RunError, match="not a run folder"):
        sim.open_run(tmp_path)


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="the user may write everywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(RunError, match="cannot be written: Permission denied"):
        play(tmp_path / "locked" / "run")


def test_disk_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = play(tmp_path / "run", games=100)
    before = tables(run)["games"]

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders.pq, "ParquetWriter", full)
    with pytest.raises(RunError, match=r"No space left on device; the files finished before are whole"):
        play(tmp_path / "run", games=200)
    monkeypatch.undo()
    assert pl.read_parquet(run.path / "games" / "*.parquet").equals(before)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = sys.platform == "linux" and os.getuid() == 0
    if not made or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]).returncode:
        pytest.skip("a small disk needs root on Linux")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.usefixtures("small_blocks")
def test_a_disk_that_is_full_and_one_that_cannot_be_written(small_disk: Path, tmp_path: Path) -> None:
    """What was finished before is whole, and goes on elsewhere."""
    out = small_disk / "run"
    with pytest.raises(RunError, match=r"cannot be written: No space left on device; the files finished before"):
        play(out, games=20_000)
    played = read_info(out).played
    assert played > 100
    assert verify(out, 20, FakePlayer).findings == []
    with pytest.raises(RunError, match="No space left on device"):
        play(out, games=20_000)
    assert read_info(out).played >= played
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(RunError, match="cannot be written: Read-only file system"):
        play(out, games=20_000)
    with pytest.raises(RunError, match="cannot be written: Read-only file system"):
        play(small_disk / "another", games=100)
    shutil.copytree(out, tmp_path / "moved")
    games = read_info(out).played + 40
    games += games % 2
    assert_same(play(tmp_path / "whole", games=games), play(tmp_path / "moved", games=games))


def test_two_processes_on_one_folder(tmp_path: Path) -> None:
    run = play(tmp_path / "run", games=100)
    lock = Lock(run.path)
    lock.take()
    with pytest.raises(RunError, match=rf"another process is writing this run \(process {os.getpid()}\)"):
        play(tmp_path / "run", games=200)
    lock.release()
    assert play(tmp_path / "run", games=200).info.played == 200


# small parts


def test_hash64_keeps_parts_apart() -> None:
    keys = [hash64(1, "ab", "c"), hash64(1, "a", "bc"), hash64(1, "abc"), hash64(0, "ab", "c"), hash64("1", "ab", "c")]
    assert len(set(keys)) == 5
    assert hash64(7, "a", "b") == GOLDEN
    assert stream_key(1, "a", "b") != stream_key(1, "b", "a")


def test_agents_are_named_by_what_differs_from_the_defaults() -> None:
    assert parse_agent("greedy:attack=1", AGENTS).label == "greedy"
    assert parse_agent("greedy: block=2 , attack=1.5", AGENTS).label == "greedy:attack=1.5,block=2.0"
    with pytest.raises(RunError, match="twice"):
        parse_agent("greedy:attack=1,attack=2", AGENTS)


def test_run_cards_come_back_from_the_run(tmp_path: Path) -> None:
    info = play(tmp_path / "run").info
    cards = runs.run_cards(info)
    assert all(number in cards for deck in info.decks for number in deck.cards)


def test_info_is_what_was_written(tmp_path: Path) -> None:
    run = play(tmp_path / "run")
    assert isinstance(run.info, RunInfo)
    assert sim.open_run(run.path).info == run.info

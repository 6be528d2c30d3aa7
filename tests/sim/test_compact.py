"""Few files: what small blocks become, and that nothing else changes thereby."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import polars as pl
import pytest

import sim
from sim import blocks, places
from sim.blocks import block_ranges, fixed_ranges
from sim.compact import compact
from sim.errors import Interrupted
from sim.folder import RunFolder
from sim.results import RunInfo, read_info
from sim.verify import verify
from tests.sim.fake import FakePlayer
from tests.sim.test_runs import DECKS, counts, play

pytestmark = pytest.mark.usefixtures("fake_game")
ROWS = ("games", "events")
COUNTS = ("cards", "turns", "checks")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 120 games, with events of 12."""
    monkeypatch.setattr(places, "sync", lambda path: None)
    monkeypatch.setattr(blocks, "BLOCK_GAMES", 120)
    monkeypatch.setattr(blocks, "MIN_G", 4)


def told(out: Path, games: int, **more) -> sim.Run:
    return play(out, games=games, **{"events": True, "chunk": 6} | more)


def loose(out: Path, games: int, monkeypatch: pytest.MonkeyPatch) -> sim.Run:
    """The same run with its small blocks as they were played."""
    with monkeypatch.context() as patch:
        patch.setattr("sim.runs.compact", lambda folder: 0)
        return told(out, games)


def assert_same(a: Path, b: Path) -> None:
    for name in ROWS:
        frames = [sim.open_run(run).scan(name).collect() for run in (a, b)]
        assert frames[0].equals(frames[1])
    for name in COUNTS:
        assert counts(a, name).equals(counts(b, name))


def test_one_file_for_the_games_of_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = loose(tmp_path / "parts", 250, monkeypatch)
    assert len(parts.info.blocks) == 21
    whole = told(tmp_path / "whole", 250)
    assert [(block.g0, block.g1) for block in whole.info.blocks] == [(0, 120), (120, 240), (240, 250)]
    for name in (*ROWS, *COUNTS):
        assert len(list((tmp_path / "whole" / name).iterdir())) == 3
    assert_same(tmp_path / "parts", tmp_path / "whole")
    # counts are added up: no key is there twice
    first = pl.read_parquet(tmp_path / "whole" / "cards" / "0000000.parquet")
    assert not first.drop("games").is_duplicated().any()
    assert verify(whole.path, 20, FakePlayer).findings == []
    # and what was played before files were merged is merged when it is opened again
    told(tmp_path / "parts", 250)
    assert [b.hashes for b in parts.info.blocks] == [b.hashes for b in whole.info.blocks]


def test_extended_after_merging(tmp_path: Path) -> None:
    whole = told(tmp_path / "whole", 400)
    for games in (2, 50, 110, 130, 300, 302, 304, 400):
        grown = told(tmp_path / "grown", games)
        assert grown.info.played == games
        assert len(grown.info.blocks) == -(-games // 120)
    assert_same(tmp_path / "whole", tmp_path / "grown")
    assert [(b.g0, b.g1) for b in grown.info.blocks] == [(b.g0, b.g1) for b in whole.info.blocks]
    assert verify(grown.path, 20, FakePlayer).findings == []


@pytest.mark.parametrize("lost", [(0,), (0, 9), (9,), (10,)])
def test_lost_blocks_are_played_again(lost: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a merged block is lost and the part that continues it is there."""
    whole = told(tmp_path / "whole", 200)
    out = tmp_path / "run"
    told(out, 110)
    loose(out, 200, monkeypatch)
    assert [block.index for block in read_info(out).blocks][:3] == [0, 9, 10]
    for index in lost:
        (out / "turns" / f"{index:07}.parquet").unlink()
    assert_same(tmp_path / "whole", Path(told(out, 200).path))
    assert len(read_info(out).blocks) == len(whole.info.blocks)
    assert verify(out, 20, FakePlayer).findings == []


def test_a_kill_at_any_step_of_merging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ends before any of the file operations: no file is damaged, no game is lost, none is played again."""
    whole = told(tmp_path / "whole", 32)
    loose(tmp_path / "parts", 32, monkeypatch)

    class Killed(places.Folder):
        """A folder whose process ends at one of its operations."""

        left = 0

        def _step(self) -> None:
            Killed.left -= 1
            if Killed.left < 0:
                raise KeyboardInterrupt

        def stage(self, *args) -> None:
            self._step()
            super().stage(*args)

        def publish(self, *args) -> None:
            self._step()
            super().publish(*args)

        def remove(self, *args) -> None:
            self._step()
            super().remove(*args)

    def none(info: RunInfo) -> FakePlayer:
        raise AssertionError("games are played again")

    for fail_at in range(100):
        out = Path(shutil.copytree(tmp_path / "parts", tmp_path / str(fail_at)))
        Killed.left = fail_at
        with RunFolder(Killed(out), read_info(out)) as folder:
            folder.place.lock()
            with contextlib.suppress(KeyboardInterrupt):
                compact(folder)
        with RunFolder.open(out, read_info(out)) as folder:
            assert folder.info.played == 32
        run = told(out, 32, player=none)
        assert [block.hashes for block in run.info.blocks] == [block.hashes for block in whole.info.blocks]
        assert sorted(p.name for p in out.rglob("*.*")) == sorted(p.name for p in Path(whole.path).rglob("*.*"))
        if Killed.left >= 0:
            break
    assert fail_at > 20
    assert_same(Path(whole.path), out)


def test_in_a_store(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    address = f"memory://compact/{tmp_path.name}"
    told(address, 100)
    run = told(address, 250)
    assert len(run.info.blocks) == 3
    folder = told(tmp_path / "folder", 250)
    assert run.scan("events").collect().equals(folder.scan("events").collect())
    assert verify(address, 20, FakePlayer).findings == []


def test_stops_of_a_rule_leave_few_files() -> None:
    """Matchups that end let blocks grow, also the one that is being played: each holds as many games as another."""
    info = RunInfo(2, "palworld", 7, 128_000, [], [(0, i) for i in range(1, 46)], [], block_games=2224)
    for m in range(45):
        info.stops[m] = 1000 << min(7, m // 6)
    ranges = list(fixed_ranges(info))
    games = [info.games_between(g0, g1) for _, g0, g1 in ranges]
    assert min(games[:-1]) >= 100_000 and sum(games) == info.games_between(0, info.games)
    assert [g1 for _, _, g1 in ranges[:-1]] == [g0 for _, g0, _ in ranges[1:]]
    assert list(block_ranges(info)) == ranges
    # a stop changes no range that ends before it
    before = {m: at for m, at in info.stops.items() if at < 8000}
    after, info.stops = info.stops, before
    kept = [part for part in fixed_ranges(info) if part[2] <= 8000]
    info.stops = after
    assert ranges[: len(kept)] == kept and kept


def test_interrupted_while_playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sim.session import Session

    real = Session._take
    left = 40

    def take(self, chunk, played):
        nonlocal left
        left -= 1
        if not left:
            self.stop.set()
        real(self, chunk, played)

    monkeypatch.setattr(Session, "_take", take)
    with pytest.raises(Interrupted):
        told(tmp_path / "run", 200, decks=DECKS, chunk=2)
    whole, run = (told(tmp_path / name, 200, decks=DECKS) for name in ("whole", "run"))
    assert_same(Path(whole.path), Path(run.path))

"""Runs that end where a question is answered, and runs in a store with an address."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import analysis
import sim
from sim import blocks, places, session
from sim.errors import Interrupted, RunError
from sim.results import read_info
from sim.until import BAND, Until, boundaries, ends, limit, looks, most_games, needed, parse_until, said, spent, visible
from tests.sim.fake import FakePlayer
from tests.sim.test_runs import DECKS, assert_same, play, tables

pytestmark = pytest.mark.usefixtures("fake_game")


class Uneven(FakePlayer):
    """Side a wins all games of matchup 0 and three of four of matchup 1; matchup 2 is even, half of it drawn."""

    def play_chunk(self, lane, matchup, g0, n):
        played = super().play_chunk(lane, matchup, g0, n)
        g = np.arange(g0, g0 + n)
        played.rows["winner"] = [np.zeros(n), g % 4 == 0, np.array([0, 2, 2, 1])[g % 4]][matchup % 3]
        return played


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks after 100 games, blocks of 300 games."""
    import sim.until as until

    monkeypatch.setattr(until, "FIRST", 100)
    monkeypatch.setattr(until, "MOST", 1600)
    monkeypatch.setattr(places, "sync", lambda path: None)
    monkeypatch.setattr(blocks, "BLOCK_GAMES", 300)
    monkeypatch.setattr(blocks, "MIN_G", 4)


def decided(out: Path | None = None, **more) -> sim.Run:
    return play(out, games=None, decks=DECKS, **{"until": "decided", "player": Uneven} | more)


# numbers


def test_boundaries_of_lan_and_demets() -> None:
    """Published bounds of the O'Brien-Fleming type spending function, two-sided 5%, five equal looks (program ld98)."""
    found = boundaries((0.2, 0.4, 0.6, 0.8, 1.0), 0.05)
    assert found == pytest.approx((4.8769, 3.3569, 2.6803, 2.2898, 2.0310), abs=2e-4)
    assert boundaries((1.0,), 0.05)[0] == pytest.approx(1.959964, abs=1e-6)
    assert spent(0.05, 1.0) == pytest.approx(0.05)


def test_the_error_is_kept_over_all_looks() -> None:
    """Of even matchups that are looked at 1, 2, 4, ... times, 5% at most are ever found uneven."""
    random = np.random.default_rng(5)
    shares = tuple(2.0**-i for i in range(5, -1, -1))
    z = np.zeros((200_000, len(shares)))
    total, before = np.zeros(len(z)), 0.0
    for i, t in enumerate(shares):
        total += random.normal(0, math.sqrt(t - before), len(z))
        z[:, i], before = total / math.sqrt(t), t
    found = (np.abs(z) >= boundaries(shares, 0.05)).any(axis=1).mean()
    assert abs(found - 0.05) < 4 * math.sqrt(0.05 * 0.95 / len(z))


def test_rules() -> None:
    assert looks(8000) == [1000, 2000, 4000, 8000]
    with pytest.raises(RunError, match="1,000 or 2,000"):
        looks(1500)
    for text in ("±0.5%", "+-0.5%", "0.5%", "+/-0.50 %"):
        assert parse_until(text) == Until(0.005)
        assert parse_until(parse_until(text).text) == Until(0.005)
    for text in ("", "sometime", "5", "0%", "90%", "nan%", "-1%"):
        with pytest.raises(RunError, match="--until"):
            parse_until(text)
    assert needed(0.005) == 38_415  # statistics 3.16
    assert most_games(Until(0.005)) == 64_000
    assert visible(9604) == pytest.approx(2.8016 * 0.5 / 98, rel=1e-4)
    z = limit(Until(0.0), 4000, 1000, 1)
    assert ends(Until(0.0), z, 1000, 0, 0) and ends(Until(0.0), z, 100, 0, 900)
    assert not ends(Until(0.0), z, 520, 0, 480)
    assert ends(Until(0.0), limit(Until(0.0), 4000, 4000, 1), 1990, 0, 2010)  # known to be even
    assert not ends(Until(0.0), z, 0, 0, 0) and not ends(Until(0.005), z, 1, 0, 0)
    assert ends(Until(0.01), 1.96, 4802, 0, 4802) and not ends(Until(0.01), 1.96, 4000, 0, 4000)
    assert ends(Until(0.01), 1.96, 2000, 4000, 2000)  # draws say more
    assert (
        BAND == 0.05
        and "5,000 games a pair" in said(None, 5000, 3)
        and "looks at 1,000, 2,000" in said(Until(0.0), 2000, 3)
    )


# runs


@pytest.mark.usefixtures("small")
def test_games_go_to_what_is_not_known(tmp_path: Path) -> None:
    run = decided(tmp_path / "run")
    info = run.info
    assert info.stops[0] == 100
    assert 100 < info.stops[1] < 1600
    assert 2 not in info.stops or info.stops[2] > info.stops[1]
    games = tables(run)["games"]
    for m in range(3):
        assert sorted(games.filter(matchup=m)["g"]) == list(range(info.games_of(m)))
    assert games["game"].n_unique() == games.height
    # the first games are those of a run without the rule
    plain = tables(play(tmp_path / "plain", games=100, decks=DECKS, player=Uneven))["games"]
    assert games.filter(pl.col("g") < 100).equals(plain)
    sizes = [block.rows["games"] for block in info.blocks]
    assert min(sizes[:-1]) >= 100 and len(sizes) <= 2 + games.height // 150


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("more", [{"threads": 1, "chunk": 7}, {"threads": 3, "chunk": 1000}])
def test_threads_and_chunks_do_not_decide(more: dict, tmp_path: Path) -> None:
    one, other = decided(tmp_path / "one"), decided(tmp_path / "other", **more)
    assert one.info.stops == other.info.stops
    assert [(b.g0, b.g1, b.rows) for b in one.info.blocks] == [(b.g0, b.g1, b.rows) for b in other.info.blocks]
    assert_same(one, other)


@pytest.mark.usefixtures("small")
def test_interrupted_lost_and_gone_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = decided(tmp_path / "whole")
    out = tmp_path / "run"
    real, left = session.Session._take, 5

    def take(self, chunk, played):
        nonlocal left
        left -= 1
        if not left:
            self.stop.set()
        real(self, chunk, played)

    monkeypatch.setattr(session.Session, "_take", take)
    for _ in range(100):
        left = 5
        try:
            decided(out, chunk=20)
        except Interrupted:
            continue
        break
    else:
        raise AssertionError("does not end")
    assert_same(whole, out)
    assert read_info(out).stops == whole.info.stops
    for table, index in (("games", 0), ("cards", len(whole.info.blocks) - 1)):
        (out / table / f"{index:07}.parquet").unlink()
        left = -1
        decided(out)
        assert_same(whole, out)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.parquet")}
    decided(out)
    assert before == {path: path.stat().st_mtime_ns for path in out.rglob("*.parquet")}


@pytest.mark.usefixtures("small")
def test_a_width_and_mirrors(tmp_path: Path) -> None:
    run = play(tmp_path / "run", games=None, decks=DECKS, until="±3%", mirrors=True)
    for m in range(6):
        won = tables(run)["games"].filter(pl.col("matchup") == m, pl.col("winner").is_not_null())["winner"]
        score = won.replace_strict({"a": 1.0, "draw": 0.5, "b": 0.0})
        assert 1.96 * score.std() / math.sqrt(len(score)) < 0.0301
    assert decided(tmp_path / "mirrors", mirrors=True).info.stops[0] == 100  # a mirror has nothing to decide


@pytest.mark.usefixtures("small")
def test_another_rule_is_refused(tmp_path: Path) -> None:
    decided(tmp_path / "run")
    with pytest.raises(RunError, match="until: decided there, no rule asked for"):
        play(tmp_path / "run", decks=DECKS, player=Uneven)
    with pytest.raises(RunError, match="part of the rule"):
        play(tmp_path / "run", games=3200, decks=DECKS, until="decided", player=Uneven)
    with pytest.raises(RunError, match="1,000 x 2"):
        play(games=150, until="decided")


# addresses


def test_a_store_in_memory(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    address = f"memory://runs/{tmp_path.name}"
    run = play(address, games=100)
    assert run.info.played == 100
    assert run.games.collect().equals(tables(play(tmp_path / "local", games=100))["games"])
    play(address, games=300)
    folder = play(tmp_path / "local", games=300)
    assert run.games.collect().equals(tables(folder)["games"])
    assert analysis.matchups(address).equals(analysis.matchups(folder))
    with pytest.raises(RunError, match="other settings"):
        play(address, seed=8)
    with pytest.raises(analysis.RunError, match="not a run"):
        analysis.open_run("memory://runs/nothing")


def test_addresses_that_mean_nothing(tmp_path: Path) -> None:
    for address in ("nonsense://bucket/run", "s3://", "://x", "4://x"):
        with pytest.raises(RunError):
            play(address)
    assert play(f"file://{tmp_path}/a%20run", games=20).info.played == 20
    assert (tmp_path / "a run" / "run.json").exists()
    assert places.without_secrets("run --out s3://key:secret@bucket/a") == "run --out s3://***@bucket/a"

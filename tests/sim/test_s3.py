"""A run in a store that speaks S3, over HTTP: written, killed, gone on with, read back by every command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import analysis
from sim.cli import run_command
from sim.errors import RunError
from sim.results import read_info
from sim.runs import open_run
from sim.verify import verify
from tests.sim.fake import FakePlayer
from tests.sim.test_runs import DECKS, ROOT, counts, play, tables

server = pytest.importorskip("moto.server", reason="no S3 to talk to: pip install 'moto[s3]' flask-cors")
pytestmark = pytest.mark.usefixtures("fake_game")


@pytest.fixture(scope="module")
def store() -> Iterator[None]:
    """A server of this process, with the bucket `runs`; the way to it as users give it."""
    import boto3

    made = server.ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    made.start()
    host, port = made.get_host_and_port()
    ours = {
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, text in ours.items():
            patch.setenv(name, text)
        boto3.client("s3").create_bucket(Bucket="runs")
        yield
    made.stop()


def same_games(address: str, folder: Path) -> None:
    assert open_run(address).games.collect().equals(tables(folder)["games"])
    for table in ("cards", "turns", "checks"):
        there = open_run(address).scan(table).collect()
        keys = [name for name in there.columns if name not in ("games", "count")]
        assert there.group_by(keys).sum().sort(keys).equals(counts(folder, table))


@pytest.mark.usefixtures("store")
def test_written_extended_and_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address, folder = "s3://runs/some/where", tmp_path / "folder"
    play(address, games=100)
    play(address, games=300)
    play(folder, games=300)
    same_games(address, folder)
    assert analysis.matchups(address).equals(analysis.matchups(folder))
    assert verify(address, 50, FakePlayer).findings == []
    assert run_command(["table", address, "decks", "--json"]) == 0
    assert {row["deck"] for row in json.loads(capsys.readouterr().out)} == set(DECKS[:2])
    assert run_command(["report", address, "--quiet"]) == 0
    with pytest.raises(RunError, match="other settings"):
        play(address, seed=8)


@pytest.mark.usefixtures("store")
def test_killed_and_gone_on_with(tmp_path: Path) -> None:
    """SIGKILL while blocks are put, three times; the same command ends with the tables of a run in a folder."""
    address, games = "s3://runs/killed", 600
    words = [sys.executable, "-m", "tests.sim.fake", address, str(games), "2", "8", "0.01", *DECKS[:2]]
    played = 0
    for _ in range(3):
        process = subprocess.Popen(words, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
        try:
            end = time.monotonic() + 60
            while now(address) <= played and time.monotonic() < end:
                time.sleep(0.02)
        finally:
            process.kill()
            process.wait()
        played = now(address)
    assert 0 < played < games
    play(address, games=games)
    play(tmp_path / "folder", games=games)
    same_games(address, tmp_path / "folder")
    assert verify(address, 20, FakePlayer).findings == []


def now(address: str) -> int:
    try:
        return read_info(address).played
    except FileNotFoundError:
        return 0


@pytest.mark.usefixtures("store")
def test_a_bucket_that_is_not_there() -> None:
    with pytest.raises(RunError, match="no-such-bucket"):
        play("s3://no-such-bucket/run")
    with pytest.raises(RunError, match="not a run"):
        open_run("s3://runs/nothing")

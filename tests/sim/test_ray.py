"""Runs on a Ray cluster of two machines, which are processes here: the same rows, also where one machine is lost."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim import blocks, until
from sim.errors import RunError
from sim.session import Silent
from tests.sim.fake import FakePlayer
from tests.sim.test_runs import DECKS, assert_same, play
from tests.sim.test_until import Uneven

ROOT = Path(__file__).parents[2]
ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'cardmill[ray]'")
pytestmark = [pytest.mark.ray, pytest.mark.usefixtures("fake_game")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head without cores, and two machines of one core. It takes long to start, so that the tests share it."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("RAY_health_check_period_ms", "500")
        patch.setenv("RAY_health_check_failure_threshold", "2")
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        made.machines = [made.add_node(num_cpus=1) for _ in range(2)]
        made.wait_for_nodes()
        ray.init(address=made.address, log_to_driver=False, logging_level="error")
        yield made
        ray.shutdown()
        made.shutdown()


def test_a_rule_ends_matchups_alike(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--until: looks, stops, files and rows are those of a local run, and either engine goes on with the other's."""
    monkeypatch.setattr(until, "FIRST", 100)
    monkeypatch.setattr(blocks, "BLOCK_GAMES", 300)
    monkeypatch.setattr(blocks, "MIN_G", 4)
    asked = {"games": 800, "decks": DECKS, "until": "decided", "player": Uneven}
    local = play(tmp_path / "local", **asked)
    run = play(tmp_path / "ray", engine="ray", **asked)
    assert len(local.info.stops) > 0 and local.info.stops == run.info.stops
    assert [(b.g0, b.g1, b.rows) for b in run.info.blocks] == [(b.g0, b.g1, b.rows) for b in local.info.blocks]
    assert_same(local, run)
    (tmp_path / "ray" / "games" / "0000000.parquet").unlink()
    assert_same(local, play(tmp_path / "ray", **asked))


def test_faults_of_workers_are_raised(cluster: Any, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="planted fault at 90"):
        play(tmp_path / "run", chunk=4, engine="ray", player=functools.partial(FakePlayer, fail_at=90))
    play(tmp_path / "run", engine="local")
    assert_same(play(tmp_path / "whole"), tmp_path / "run")


def test_without_ray(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import builtins

    real = builtins.__import__

    def none(name: str, *rest: Any, **more: Any) -> Any:
        if name == "ray":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", none)
    with pytest.raises(RunError, match=r"pip install 'cardmill\[ray\]'"):
        play(tmp_path / "run", engine="ray")


def test_a_machine_is_lost(cluster: Any, tmp_path: Path) -> None:
    """One of two machines is killed in the middle: the run ends, with the rows of a local one."""
    local = play(tmp_path / "local", games=600, decks=DECKS)
    done = 0

    class Kills(Silent):
        """Progress that kills a machine after a third of the games."""

        def playing(self, done: int, total: int) -> contextlib.AbstractContextManager[Any]:
            return contextlib.nullcontext(functools.partial(self.update, total // 3))

        def update(self, third: int, now: int) -> None:
            nonlocal done
            if done < third <= now:
                cluster.remove_node(cluster.machines[0], allow_graceful=False)
            done = now

    run = play(
        tmp_path / "ray",
        games=600,
        decks=DECKS,
        engine="ray",
        chunk=20,
        player=functools.partial(FakePlayer, delay=0.05),
        progress=Kills(),
    )
    assert done == 600 * 3
    assert_same(local, run)
    assert sum(node["Alive"] and node["Resources"].get("CPU", 0) for node in ray.nodes()) == 1

"""`cardmill bench`: the keys that are promised, and the same games however they are cut."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from sim import bench
from sim.cli import run_command
from tests.sim.fake import FakePlayer

KEYS = {
    "game",
    "agent",
    "games_per_s",
    "decisions_per_s",
    "ns_per_decision",
    "decisions_per_game",
    "signature",
}


class Fake(FakePlayer):
    """A player that has to be compiled."""

    def __init__(self, info, cards) -> None:
        super().__init__(info)

    def cold(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def fake_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sim.engines.kernel", SimpleNamespace(KernelPlayer=Fake))


def test_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["bench", "--game", "palworld", "--games", "20", "--json"]) == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert set(result) == {"compile_s", "entries"}
    assert all(set(entry) == KEYS for entry in result["entries"])
    assert {entry["agent"] for entry in result["entries"]} >= {"random", "greedy", "passive"}
    assert "Compiling" in err
    entry = result["entries"][0]
    assert entry["ns_per_decision"] == pytest.approx(1e9 / entry["decisions_per_s"])
    assert entry["decisions_per_s"] == pytest.approx(entry["games_per_s"] * entry["decisions_per_game"])
    assert len(entry["signature"]) == 16


def test_signature_is_that_of_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for chunk in (bench.CHUNK, 7):
        monkeypatch.setattr(bench, "CHUNK", chunk)
        found.append(bench.measure("palworld", ["random"], 20)["entries"][0]["signature"])
    assert found[0] == found[1]


def test_it_says_when_it_compiles() -> None:
    said = []

    @contextlib.contextmanager
    def compiling() -> Iterator[None]:
        said.append("compiling")
        yield

    bench.measure("palworld", ["random"], 2, compiling)
    assert said == ["compiling"]


def test_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["bench", "--game", "palworld", "--agent", "random", "--games", "4"]) == 0
    assert "ns/decision" in capsys.readouterr().out

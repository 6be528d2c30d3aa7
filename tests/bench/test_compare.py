"""The comparison of benchmarks, on made-up numbers."""

from __future__ import annotations

import copy
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bench import compare, floor


def report(**ratios: float | None) -> dict[str, Any]:
    """A file as pytest-benchmark writes it, with the parts that are read."""
    found = []
    for name, ratio in ratios.items():
        info: dict[str, Any] = {"unit": "decision", "units": 100, "ns_per_unit": 500.0, "signature": "0123"}
        if ratio is not None:
            info |= {"ratio": ratio, "floor_ns": 250.0}
        found.append({"name": name, "fullname": f"bench/{name}", "extra_info": info, "stats": {"data": [1.0]}})
    machine = {"python_version": "3.11.7", "processor": "", "cpu": {"brand_raw": "a processor"}}
    return {"machine_info": machine, "commit_info": {"id": "abc"}, "benchmarks": found}


BEFORE = compare.reduced(report(test_play=2.0, test_copy=1.5, test_table=100.0))


def verdicts(now: dict[str, Any]) -> dict[str, str]:
    return {line.name: line.verdict for line in compare.compare(now, BEFORE)}


def test_the_same_numbers_are_the_same() -> None:
    assert set(verdicts(BEFORE).values()) == {"same"}


def test_a_planted_slowdown_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    """20% more time for the same work, everything else with the noise of a busy machine."""
    now = report(test_play=2.0 * 1.2, test_copy=1.5 * 1.05, test_table=100.0 * 0.96)
    assert verdicts(now) == {"test_play": "slower", "test_copy": "same", "test_table": "same"}
    assert compare.show(compare.compare(now, BEFORE)) == 1
    said = capsys.readouterr().out
    assert "Slower than the baseline" in said
    assert "+20%  slower" in said


def test_another_machine_is_not_a_slowdown() -> None:
    """Everything takes twice as long, the floor too: the ratios are what they were."""
    now = copy.deepcopy(BEFORE)
    for found in now["benchmarks"].values():
        found["ns_per_unit"] *= 2
        found["floor_ns"] *= 2
    assert set(verdicts(now).values()) == {"same"}


def test_quicker_new_and_gone() -> None:
    now = report(test_play=1.6, test_copy=1.5, test_new=3.0)
    assert verdicts(now) == {"test_play": "quicker", "test_copy": "same", "test_new": "new", "test_table": "gone"}


def test_other_results_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    now = copy.deepcopy(BEFORE)
    now["benchmarks"]["test_play"]["signature"] = "4567"
    lines = compare.compare(now, BEFORE)
    assert [line.name for line in lines if line.other] == ["test_play"]
    assert compare.show(lines) == 0
    assert "other results" in capsys.readouterr().out


def test_without_a_floor_nothing_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    lines = compare.compare(report(test_play=None), BEFORE)
    assert lines[0].verdict == "unknown"
    compare.show(lines)
    assert "Without the C floor" in capsys.readouterr().out


def test_the_limit_lies_between_noise_and_what_is_planted() -> None:
    assert 0.1 <= compare.LIMIT < 0.2


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, baseline = tmp_path / "now.json", tmp_path / "baseline.json"

    def run(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["compare", str(result), str(baseline), *words])
        return compare.main()

    result.write_text(json.dumps(report(test_play=2.0)))
    assert run("--accept") == 0
    assert run() == 0
    result.write_text(json.dumps(report(test_play=2.4)))
    assert run() == 1


@pytest.mark.compiler
def test_the_floor_plays_the_same_games_each_time() -> None:
    measured = floor.measure("random", games=200, repeats=1)
    if measured is None:
        pytest.skip("no C compiler")
    again = floor.measure("random", games=200, repeats=1)
    assert again is not None and again.signature == measured.signature
    assert 50 < measured.decisions < 200
    greedy = floor.measure("greedy", games=200, repeats=1)
    assert greedy is not None and greedy.signature != measured.signature


def test_a_second_measurement_counts_where_it_is_better() -> None:
    """Noise only ever adds: what is slow twice is slow."""
    now = compare.reduced(report(test_play=2.4, test_copy=1.9, test_table=100.0))
    again = compare.reduced(report(test_play=2.1, test_copy=1.95))
    best = compare.better(now, again)
    assert verdicts(best) == {"test_play": "same", "test_copy": "slower", "test_table": "same"}


def test_without_a_compiler_a_line_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    floor.library.cache_clear()
    monkeypatch.setattr(floor, "compiler", lambda: None)
    assert floor.measure() is None
    assert "no C compiler" in capsys.readouterr().err
    floor.library.cache_clear()


@pytest.mark.parametrize("suite", sorted(path.stem for path in Path(floor.__file__).parent.glob("test_*.py")))
def test_suites_fit_what_they_measure(suite: str) -> None:
    """Benchmarks are not run by the tests; that they can be loaded is the least."""
    module = importlib.import_module(f"bench.{suite}")
    assert any(name.startswith("test_") for name in vars(module))

"""Starting: the first compilation, and how soon a command answers after that.

Compared is the CPU time of the command, which a busy machine changes little; `wall_s` says how long a person waits.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import analysis
from bench.conftest import Did, Measure, children_clock
from bench.workloads import STARTERS

pytestmark = children_clock
ROOT = Path(__file__).parent.parent
COMPILE = """
from bench.workloads import STARTERS, Workload
work = Workload(STARTERS, "random", 20)
work.prepare()
print(work.play().signature)
"""


def environment(**more: str) -> dict[str, str]:
    """The environment of a user: this folder's packages, and modules that are compiled once."""
    found = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return found | {"PYTHONPATH": str(ROOT)} | more


def output(*arguments: str, **more: str) -> str:
    """What Python says with these arguments; more: changes to the environment."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment(**more), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_cold_compile(measure: Measure, tmp_path: Path) -> None:
    """All kernels of a game into an empty cache."""

    def compiled() -> Did:
        return Did(1, output("-c", COMPILE, CARDMILL_CACHE=str(tmp_path)).strip())

    measure(compiled, "compilation", rounds=1, warm=False, sign=str)


class Command:
    """A command that is started again and again, with everything cached after the first time."""

    def __init__(self, measure: Measure, benchmark: Any) -> None:
        self.measure, self.info = measure, benchmark.extra_info

    def __call__(self, *words: str, result: Callable[[], Any] | None = None) -> None:
        """words: after `cardmill`. result: finds what came out, where that is not what is printed."""
        waited = []

        def started() -> Did:
            start = time.perf_counter()
            said = output("-m", "sim.cli", *words)
            waited.append(time.perf_counter() - start)
            return Did(1, result() if result else said)  # what this process does is not counted

        self.measure(started, "start", rounds=5)
        self.info["wall_s"] = min(waited)


@pytest.fixture
def command(measure: Measure, benchmark: Any) -> Command:
    return Command(measure, benchmark)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bench") / "run"
    output("-m", "sim.cli", "run", *STARTERS, "--games", "2000", "--seed", "1", "--out", str(path), "--quiet")
    return path


def test_warm_help(command: Command) -> None:
    command("--help")


def test_warm_table(command: Command, run: Path) -> None:
    command("table", str(run), "matchups")


def test_warm_lucky(command: Command) -> None:
    command("lucky", "--strikes", "3,2,2", "--seed", "1")


def test_warm_report(command: Command, run: Path) -> None:
    page = run / "report.html"
    command(
        "report", str(run), "--quiet", result=lambda: re.findall('id="plots">(.*?)</script>', page.read_text("utf-8"))
    )


def test_warm_run(command: Command, tmp_path: Path) -> None:
    """Each round plays into a new folder."""

    def signatures() -> list[int]:
        found = analysis.open_run(tmp_path / "run").games.select("signature").collect()
        shutil.rmtree(tmp_path / "run")
        return found["signature"].to_list()

    out = str(tmp_path / "run")
    command("run", *STARTERS, "--games", "200", "--seed", "1", "--out", out, "--quiet", result=signatures)

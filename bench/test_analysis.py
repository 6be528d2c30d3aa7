"""The tables and the page, on a made-up run of the size of an evening's first look."""

from __future__ import annotations

from pathlib import Path

import pytest

import analysis
from analysis.tables import TABLES
from bench.conftest import Did, Measure, digest, process_clock
from tests.analysis.synthetic import write_run

pytestmark = process_clock
GAMES = 4000
"""Games of each of six matchups."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("bench") / "run", GAMES)


@pytest.mark.parametrize("name", list(TABLES))
def test_table(measure: Measure, folder: Path, name: str) -> None:
    def table() -> Did:
        run = analysis.open_run(folder)
        return Did(run.rows["games"], analysis.table(run, name))

    measure(table, "game", rounds=15, sign=lambda frame: digest(frame.write_csv()))


def test_page(measure: Measure, folder: Path) -> None:
    from analysis.report import page

    def made() -> Did:
        run = analysis.open_run(folder)
        return Did(run.rows["games"], page(run))

    measure(made, "game", rounds=5)

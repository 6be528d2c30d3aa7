"""Tables as files and on the terminal."""

from __future__ import annotations

import io
import json

import polars as pl
import pytest
from rich.console import Console

import analysis
from analysis import exports
from analysis.tables import TABLES
from tests.analysis.synthetic import write_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    decks = ("[b]Lamball[/b]", "=Foxparks, the “curly”", "パルデッキ")
    return analysis.open_run(write_run(tmp_path_factory.mktemp("runs") / "toy", games=60, decks=decks))


@pytest.mark.parametrize("name", TABLES)
def test_files_hold_the_table(run, tmp_path, name):
    frame = analysis.table(run, name)
    csv = exports.save(frame, tmp_path / "t.csv")
    assert csv.read_bytes().startswith(b"\xef\xbb\xbf")
    assert pl.read_csv(csv, schema=frame.schema).equals(frame)
    found = json.loads(exports.save(frame, tmp_path / "t.json").read_text(encoding="utf-8"))
    assert found == frame.to_dicts()
    assert pl.read_parquet(exports.save(frame, tmp_path / "t.parquet")).equals(frame)
    assert sorted(f.name for f in tmp_path.iterdir()) == ["t.csv", "t.json", "t.parquet"]


def test_other_endings_are_refused(run, tmp_path):
    with pytest.raises(ValueError, match=r"csv, \.json or .parquet"):
        exports.save(analysis.decks(run), tmp_path / "t.xlsx")


@pytest.mark.parametrize("name", TABLES)
def test_terminal(run, name):
    console = Console(file=io.StringIO(), width=250)
    console.print(exports.to_terminal(analysis.table(run, name), name, rows=5))
    text = console.file.getvalue()
    assert "nan" not in text and "None" not in text
    if name == "decks":
        assert "[b]Lamball[/b]" in text and "%" in text and "パルデッキ" in text

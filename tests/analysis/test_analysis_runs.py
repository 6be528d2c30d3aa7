"""Opening run folders: what is wrong is said in words, with the file (docs: run folder)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

import analysis
from analysis.runs import RunError
from analysis.tables import TABLES
from sim.commands.table import table as table_command
from tests.analysis.synthetic import DECKS, damage_file, drop_column, empty_run, write_run


@pytest.fixture
def folder(tmp_path):
    return write_run(tmp_path / "run", games=20, decks=DECKS[:2])


def fails(path, *words):
    with pytest.raises(RunError) as error:
        analysis.open_run(path)
    for word in words:
        assert word in str(error.value)


def test_opens_by_path_by_text_and_by_what_simulate_returns(folder):
    run = analysis.open_run(folder)
    assert run.info.games == 20 and run.meta["seed"] == 7
    assert run.rows["games"] == 20
    for given in (run, str(folder), SimpleNamespace(path=folder)):
        assert analysis.matchups(given).equals(analysis.matchups(folder))


def test_missing_folder_and_other_folders(tmp_path):
    fails(tmp_path / "nowhere", "nowhere", "no such folder")
    fails(tmp_path, "not a run folder", "run.json")
    (tmp_path / "run.json").write_text("{}")
    fails(tmp_path, "no version")
    (tmp_path / "run.json").write_bytes(b"\xff\x00 not json")
    fails(tmp_path, "run.json", "cannot be read")
    (tmp_path / "run.json").write_text('{"version": 2}')
    fails(tmp_path, "run.json", "missing required field")


def test_other_schema_version(folder):
    meta = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(meta | {"version": 99}))
    fails(folder, "version 99", "reads version 2")


def test_run_without_games(folder, tmp_path):
    fails(empty_run(tmp_path / "empty"), "no games yet")
    for file in (folder / "games").iterdir():
        file.unlink()
    fails(folder, "no games yet")


@pytest.mark.parametrize("table", ["games", "cards", "checks", "turns"])
def test_damaged_file_is_named(folder, table):
    damage_file(folder / table / "000001.parquet")
    fails(folder, f"{table}/000001.parquet", "damaged")


def test_file_damaged_in_the_middle_is_named_when_it_is_read(folder):
    file = folder / "games" / "000000.parquet"
    data = bytearray(file.read_bytes())
    data[4:300] = bytes(296)
    file.write_bytes(bytes(data))
    run = analysis.open_run(folder)
    with pytest.raises(RunError, match=re.escape("games/000000.parquet: damaged")):
        analysis.health(run)


def test_missing_column_and_wrong_type_are_named(folder):
    drop_column(folder / "games" / "000001.parquet", "turns")
    fails(folder, "games/000001.parquet", 'the column "turns" is missing')


def test_type_of_a_column(folder):
    import pyarrow.parquet as pq

    file = folder / "turns" / "000000.parquet"
    table = pq.read_table(file)
    place = table.schema.get_field_index("lead")
    pq.write_table(table.set_column(place, "lead", table["lead"].cast("string")), file)
    fails(folder, "turns/000000.parquet", '"lead" holds string, and should hold int16')


def test_unfinished_file_names_are_not_read(folder):
    (folder / "games" / ".000002.parquet.part").write_bytes(b"half")
    assert analysis.open_run(folder).rows["games"] == 20


def test_a_block_that_is_not_noted_yet_is_not_read(folder):
    """Killed between the files of a block: games are there, its other tables and its note are not."""
    (folder / "games" / "000002.parquet").write_bytes((folder / "games" / "000001.parquet").read_bytes())
    run = analysis.open_run(folder)
    assert run.rows["games"] == 20 and False not in analysis.health(run)["ok"].to_list()


def test_a_table_without_rows(folder):
    """Where no game has a damage check there may be no file; the tables are empty, not errors."""
    shutil.rmtree(folder / "checks")
    meta = json.loads((folder / "run.json").read_text())
    for block in meta["blocks"]:
        block["rows"]["checks"] = 0
    (folder / "run.json").write_text(json.dumps(meta))
    run = analysis.open_run(folder)
    assert analysis.lucky(run).height == 0 and analysis.luck(run).height == 0


def test_unknown_table_has_near_names(folder):
    with pytest.raises(KeyError, match="did you mean matchups"):
        analysis.table(folder, "matchup")
    with pytest.raises(KeyError, match="the tables are matchups, decks"):
        analysis.table(folder, "xyzzy")
    assert all(table.about for table in TABLES.values())


def test_importing_the_analysis_is_light():
    heavy = ("polars", "scipy", "numpy", "altair", "pyarrow")
    code = f"import sys, analysis, analysis.exact; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


@pytest.mark.parametrize("table", ["games", "cards", "checks", "turns"])
def test_a_table_without_its_files(folder, table):
    shutil.rmtree(folder / table)
    words = "no games yet" if table == "games" else "the files are missing"
    with pytest.raises(analysis.RunError, match=words):
        analysis.open_run(folder)


def test_tables_without_rows_say_why(folder, capsys):
    table_command(str(folder), "players")
    assert capsys.readouterr().out.endswith("no rows, the run has one player\n")
    table_command(str(folder), "curve")
    assert "does not count it" in capsys.readouterr().out

"""What `cardmill verify` finds: nothing in a whole run, and whatever is changed in one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim.errors import RunError
from sim.folder import hash_of
from sim.verify import Verified, verify
from tests.sim.fake import FakePlayer
from tests.sim.test_runs import DECKS, play

TABLES = ("games", "cards", "turns", "checks")

pytestmark = pytest.mark.usefixtures("fake_game")


def look(path: Path, **more) -> Verified:
    return verify(path, **{"sample": 50, "player": FakePlayer} | more)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from sim import blocks

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sim.games.load_game", lambda name: __import__("tests.sim.fake", fromlist=["GAME"]).GAME)
        patch.setattr(blocks, "BLOCK_GAMES", 300)
        patch.setattr(blocks, "MIN_G", 4)
        return Path(play(tmp_path_factory.mktemp("verify") / "run", decks=DECKS, versus="random").path)


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def rewrite(path: Path, table: str, change: Callable[[pl.DataFrame], pl.DataFrame], block: int = 1) -> None:
    """Change a file as somebody would who knows how: the note and the hash fit again."""
    file = path / table / f"{block:07}.parquet"
    before = pq.ParquetFile(file).read()
    after = change(pl.from_arrow(before)).to_arrow().cast(before.schema)
    pq.write_table(after.replace_schema_metadata(before.schema.metadata), file)
    info = json.loads((path / "run.json").read_text())
    info["blocks"][block]["hashes"][table] = hash_of(file.read_bytes())
    info["blocks"][block]["rows"][table] = after.num_rows
    (path / "run.json").write_text(json.dumps(info))


def test_a_whole_run(run: Path, tmp_path: Path) -> None:
    found = look(run)
    assert found == Verified([], [], 4 * 2, 600, 50)
    stopped = play(tmp_path / "until", games=None, decks=DECKS, until="±10%", mirrors=True).path
    assert look(stopped).findings == []
    pytest.importorskip("fsspec")
    address = "memory://verify/run"
    play(address, games=40)
    assert verify(address, 10, FakePlayer).findings == []


@pytest.mark.parametrize("table", TABLES)
def test_bytes(table: str, run: Path) -> None:
    file = run / table / "0000001.parquet"
    data = file.read_bytes()
    for damaged in (b"", data[:-100], data[: len(data) // 2] + b"?" + data[len(data) // 2 + 1 :], b"other"):
        file.write_bytes(damaged)
        findings = look(run).findings
        assert findings and f"{table}/0000001.parquet" in findings[0]
    file.unlink()
    assert "is missing" in look(run).findings[0]
    file.write_bytes(data)
    shutil.copy(file, file.with_name("0000007.parquet"))
    assert look(run).findings == [f"{table}/0000007.parquet: is not noted in run.json"]


@pytest.mark.parametrize(
    ("table", "change", "words"),
    [
        ("games", lambda f: f.with_columns(winner=pl.lit("a")), "turns: results"),
        ("games", lambda f: f.head(-1), "each once and in order"),
        ("games", lambda f: f.with_columns(deck_a="deck_b"), "decks of side a"),
        ("games", lambda f: f.with_columns(agent_b="agent_a"), "agents of side b"),
        ("games", lambda f: f.with_columns(first=pl.lit("a")), "seats are not balanced"),
        ("games", lambda f: f.with_columns(turns=pl.col("turns") + 1), "is played otherwise (turns)"),
        ("games", lambda f: f.with_columns(signature=pl.col("signature").reverse()), "(signature)"),
        ("games", lambda f: f.with_columns(lucky_a=0), "stopped checks of side a"),
        ("games", lambda f: f.drop("turns"), "other columns"),
        ("cards", lambda f: f.with_columns(games=pl.col("games") + 1), "cards: "),
        ("cards", lambda f: f.filter(pl.col("k") > 0), "cards: "),
        ("checks", lambda f: f.with_columns(count=pl.col("count") * 2), "checks: "),
        ("turns", lambda f: f.with_columns(result=pl.lit("win")), "turns: "),
    ],
)
def test_contents(table: str, change: Callable[[pl.DataFrame], pl.DataFrame], words: str, run: Path) -> None:
    if "drop" in change.__code__.co_names:
        file = run / table / "0000001.parquet"
        pq.write_table(pa.table(change(pl.read_parquet(file)).to_arrow()), file)
    else:
        rewrite(run, table, change)
    findings = look(run, sample=300).findings
    assert any(words in finding for finding in findings), findings


def test_what_is_no_run_and_another_engine(run: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a run folder"):
        verify(tmp_path / "nothing")
    info = json.loads((run / "run.json").read_text())
    info["hashes"]["engine"] = "another"
    (run / "run.json").write_text(json.dumps(info))
    found = look(run)
    assert not found.findings and found.replayed == 0
    assert "another version of the engine" in found.notes[0]


def test_a_run_without_games_says_so(run: Path) -> None:
    info = json.loads((run / "run.json").read_text())
    for path in run.glob("*/*.parquet"):
        path.unlink()
    info["blocks"] = []
    (run / "run.json").write_text(json.dumps(info))
    found = look(run)
    assert not found.findings and found.games == 0
    assert found.notes == ["the run holds no games"]

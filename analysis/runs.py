"""Opens a run folder for reading: what was asked, and its tables as lazy frames (docs: run folder).

Nothing is read but the ends of the files until a table is asked for; every aggregation streams.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from copy import copy
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec
import polars as pl

from sim.results import VERSION, RunInfo, connect, is_address, read_whole, sound, tables_of

T = TypeVar("T")
BROKEN = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What Polars raises where a file is damaged inside."""


class RunError(Exception):
    """A run folder that cannot be analysed; the message is for a person."""


class StoreFile(NamedTuple):
    """A file of a run in a store with an address, as in s3://bucket/run."""

    address: str
    files: Any
    path: str

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    def __str__(self) -> str:
        return f"{self.address}/{'/'.join(self.path.rsplit('/', 2)[1:])}"


File = Path | StoreFile


class HasPath(Protocol):
    """What `sim.simulate` returns: anything that says where its run folder is."""

    @property
    def path(self) -> str | Path: ...


class Run:
    """An open run folder.

    `info` is run.json as a record and `meta` the same as a dict; `games`, `cards` and `turns` are LazyFrames with the
    columns of `sim.results`, `own` is the table of counts that only this game has, None for none; `rows` counts the
    rows of each table.
    """

    def __init__(self, path: Path | str, info: RunInfo, meta: dict[str, Any], files: dict[str, list[File]]):
        self.path = path
        self.info = info
        self.meta = meta
        self.files = files
        schemas = tables_of(info)
        self.rows = {name: _check_files(schemas[name], found) for name, found in files.items()}
        frames = {name: _scan(schema, files[name]) for name, schema in schemas.items()}
        self.games, self.cards, self.turns = frames["games"], frames["cards"], frames["turns"]
        self.own = frames[info.own.name] if info.own else None
        self.shares: dict[str, float] | None = None
        self._kept: dict[str, Any] = {}

    def against(self, shares: Mapping[str, float] | None) -> Run:
        """The same run, with decks scored against a field in which they are as common as `shares` says; None: equally.

        Shares are renormalised; decks that are not named have none. Raises RunError for a name that is not in the run.
        """
        names = [deck.name for deck in self.info.decks]
        for name, share in (shares or {}).items():
            if name not in names:
                close = get_close_matches(name, names, 3, 0.5)
                hint = f"did you mean {' or '.join(close)}?" if close else f"its decks are {', '.join(names)}"
                raise RunError(f'{self.path}: no deck "{name}" in this run; {hint}')
            if not 0.0 <= share < math.inf:
                raise RunError(f"the share of {name} is {share:g}; a share is 0 or more")
        total = math.fsum((shares or {}).values())
        if shares is not None and total <= 0.0:
            raise RunError("the shares of the field sum to 0")
        other = copy(self)
        other.shares = None if shares is None else {name: share / total for name, share in shares.items()}
        other._kept = {}
        return other

    def where(self, games: pl.Expr) -> Run:
        """The same run with some of its games: those for which an expression over the columns of `games` is true."""
        other = copy(self)
        other.games = self.games.filter(games)
        other._kept = {}
        return other

    def has(self, table: str) -> bool:
        """Whether the game of this run counts a table of this name."""
        return table in self.rows

    @property
    def checks(self) -> pl.LazyFrame:
        """Damage checks. Raises RunError for a game without them."""
        if self.own is None or not self.has("checks"):
            raise RunError(f"{self.path}: the game {self.info.game} has no damage checks")
        return self.own

    def collect(self, frame: pl.LazyFrame) -> pl.DataFrame:
        """Collects in constant memory; a file that breaks while it is read is named."""
        try:
            return frame.collect(engine="streaming")
        except BROKEN as error:
            broken = self._broken_file()
            if broken is None:
                raise RunError(f"{self.path}: the tables cannot be read: {_first_line(error)}") from error
            raise RunError(_damaged(broken)) from error

    def once(self, name: str, make: Callable[[], T]) -> T:
        """The value of `make()`, kept under `name`: several tables rest on the same aggregation."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def _broken_file(self) -> File | None:
        for files in self.files.values():
            for file in files:
                try:
                    parquet([file]).select(pl.all().null_count()).collect(engine="streaming")
                except BROKEN:
                    return file
        return None


def open_run(run: str | Path | Run | HasPath) -> Run:
    """Opens a run by its folder or address, or the run that `sim.simulate` returned. Raises RunError."""
    if isinstance(run, Run):
        return run
    where = run if isinstance(run, str | Path) else run.path
    if is_address(where):
        return _open_store(str(where))
    path = Path(where)
    if not path.exists():
        raise RunError(f"{path}: there is no such folder")
    if not path.is_dir() or not (path / "run.json").is_file():
        raise RunError(f"{path}: not a run folder (a run folder has a file run.json)")
    try:
        data = (path / "run.json").read_bytes()
    except OSError as error:
        raise RunError(f"{path / 'run.json'}: cannot be read: {_first_line(error)}") from error
    info, meta = _read_meta(data, f"{path / 'run.json'}")
    noted = {block.index for block in info.blocks}
    files: dict[str, list[File]] = {
        name: [f for f in sorted((path / name).glob("*.parquet")) if _is_noted(f, noted)] for name in tables_of(info)
    }
    return _opened(path, info, meta, files)


def _open_store(address: str) -> Run:
    """Opens a run by an address: the files that its run.json notes."""
    shown = re.sub(r"://[^/@\s]+@", "://***@", address)  # a key and a password may stand in front of an @
    try:
        files, folder = connect(address)
        data = read_whole(files, f"{folder}/run.json")
    except FileNotFoundError as error:
        raise RunError(f"{shown}: not a run (there is no run.json)") from error
    except (OSError, ValueError) as error:
        raise RunError(f"{shown}: cannot be read: {_first_line(error)}") from error
    info, meta = _read_meta(data, f"{shown}/run.json")
    found: dict[str, list[File]] = {
        name: [StoreFile(shown, files, f"{folder}/{name}/{block.index:07}.parquet") for block in info.blocks]
        for name in tables_of(info)
    }
    return _opened(shown, info, meta, found)


def _opened(path: Path | str, info: RunInfo, meta: dict[str, Any], files: dict[str, list[File]]) -> Run:
    if not files["games"]:
        raise RunError(f"{path}: the run has no games yet; the same `cardmill run` command continues it")
    opened = Run(path, info, meta, files)
    if opened.rows["games"] == 0:
        raise RunError(f"{path}: the run has no games yet; the same `cardmill run` command continues it")
    for name, found in files.items():
        noted = sum(block.rows.get(name, 0) for block in info.blocks)
        if noted and not found:
            raise RunError(
                f"{path}/{name}: the files are missing, run.json notes {noted:,} rows; the same `cardmill run` command "
                "plays them again"
            )
    return opened


def _is_noted(file: Path, blocks: set[int]) -> bool:
    """A block counts when run.json notes it: after a kill, files of a half-written block may lie beside."""
    return not file.stem.isdecimal() or int(file.stem) in blocks


def _read_meta(data: bytes, file: str) -> tuple[RunInfo, dict[str, Any]]:
    try:
        meta = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunError(f"{file}: cannot be read: {_first_line(error)}") from error
    version = meta.get("version") if isinstance(meta, dict) else None
    if version != VERSION:
        found = "no version" if version is None else f"version {version}"
        raise RunError(f"{file}: the run has {found} of the tables, this cardmill reads version {VERSION}")
    try:
        return sound(msgspec.convert(meta, RunInfo)), meta
    except msgspec.ValidationError as error:
        raise RunError(f"{file}: {_first_line(error)}") from error


def _check_files(wanted: Any, files: list[File]) -> int:
    """Rows of a table by the ends of its files. Raises RunError for a damaged file or a column that is not there."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 0
    for file in files:
        try:
            with pq.ParquetFile(_source(file)) as parquet:
                schema, count = parquet.schema_arrow, parquet.metadata.num_rows
        except (pa.ArrowException, OSError) as error:
            raise RunError(_damaged(file)) from error
        for field in wanted:
            if field.name not in schema.names:
                raise RunError(f'{file}: the column "{field.name}" is missing')
            found = _plain(schema.field(field.name).type)
            if found != _plain(field.type):
                raise RunError(f'{file}: the column "{field.name}" holds {found}, and should hold {field.type}')
        rows += count
    return rows


def _plain(kind: Any) -> Any:
    """The type without the ways in which writers store text."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    text = pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    return pa.string() if text else kind


def _source(file: File) -> Any:
    """A file as pyarrow opens it."""
    return file if isinstance(file, Path) else file.files.open_input_file(file.path)


def parquet(files: list[File]) -> pl.LazyFrame:
    """Parquet files of one table, all in a folder or all in a store."""
    here = [file for file in files if isinstance(file, Path)]
    if here:
        return pl.scan_parquet(here, extra_columns="ignore")
    import pyarrow.dataset as ds

    there = [file for file in files if isinstance(file, StoreFile)]
    return pl.scan_pyarrow_dataset(ds.dataset([file.path for file in there], filesystem=there[0].files))


def _scan(wanted: Any, files: list[File]) -> pl.LazyFrame:
    schema = pl.Schema(wanted)
    if not files:
        return pl.LazyFrame(schema=schema)
    text = [column for column, kind in schema.items() if kind == pl.String]
    frame = parquet(files)
    return frame.select(list(schema)).with_columns(pl.col(text).cast(pl.String))


def _damaged(file: File) -> str:
    return f"{file}: damaged, not a whole Parquet file; restore it, or delete it and run the same command again"


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]

"""`cardmill table`: one table of the analysis."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.common import JsonOption, SharesOption, print_json, show, words_for_people
from sim.errors import InputError

if TYPE_CHECKING:
    import polars as pl


def table(
    run: Annotated[str | None, typer.Argument(help="The run folder.", metavar="RUN")] = None,
    name: Annotated[str | None, typer.Argument(help="Which table; --list names them.", metavar="NAME")] = None,
    list_: Annotated[bool, typer.Option("--list", help="Say which tables there are.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="CSV on stdout.")] = False,
    json: JsonOption = False,
    parquet: Annotated[str | None, typer.Option("--parquet", help="Write a Parquet file.", metavar="FILE")] = None,
    out: Annotated[
        str | None, typer.Option("--out", help="Write a .csv (for Excel), .json or .parquet file.", metavar="FILE")
    ] = None,
    shares: SharesOption = None,
    rows: Annotated[int, typer.Option("--rows", help="Rows shown on the terminal at most.", min=0)] = 60,
) -> None:
    """Show one table of a run, or export it."""
    from analysis import tables

    if list_ or name is None:
        if not list_ and not (run and name is None):
            raise InputError("which run and which table? As in: cardmill table RUN matchups (--list names the tables)")
        if not list_:
            raise InputError(f"which table? {', '.join(tables.TABLES)}")
        known = {known.name: known.about for known in tables.TABLES.values()}
        if run and (Path(run) / "balance.json").is_file():
            from analysis import balance

            known = {key: about for key, (about, _) in balance.TABLES.items()}
        if json:
            print_json(known)
        else:
            for key, about in known.items():
                print(f"{key:12}{about}")
        return
    if csv + json + (parquet is not None) + (out is not None) > 1:
        raise InputError("--csv, --json, --parquet and --out exclude each other")
    import analysis
    from analysis import exports

    if parquet is not None and not parquet.lower().endswith(".parquet"):
        raise InputError(f"--parquet {parquet}: the name of a Parquet file ends with .parquet")
    with words_for_people(analysis.RunError, KeyError, ValueError, OSError):
        if run and (Path(run) / "balance.json").is_file():
            (frame, about), none = _of_comparison(run, name), "the comparison has nothing of this"
        else:
            (frame, about), none = _of_run(run or "", name, shares), tables.TABLES[name].none
        if parquet or out:
            print(exports.save(frame, parquet or out or ""))
        elif csv:
            sys.stdout.write(exports.to_csv(frame))
        elif json:
            sys.stdout.write(exports.to_json(frame) + "\n")
        elif frame.height:
            show(exports.to_terminal(frame, title=about, rows=rows))
        else:
            print(f"{about}: no rows, {none}")


def _of_run(run: str, name: str, shares: str | None) -> tuple[pl.DataFrame, str]:
    """A table of a run and what it holds."""
    import analysis
    from analysis import tables

    if name not in tables.TABLES:
        tables.table(None, name)  # type: ignore[arg-type] # says what is near, before the run is opened
    opened = analysis.open_run(run)
    if shares is not None:
        from sim.shares import read_shares

        opened = opened.against(read_shares(shares, opened.info))
    return analysis.table(opened, name), tables.TABLES[name].about


def _of_comparison(folder: str, name: str) -> tuple[pl.DataFrame, str]:
    """A table of what `cardmill balance` has made, and what it holds."""
    from analysis import balance
    from sim.errors import nearest

    if name not in balance.TABLES:
        raise InputError(
            f"{folder} is a comparison, its tables are {', '.join(balance.TABLES)}{nearest(name, balance.TABLES)}; "
            "the tables of a run stand in the folders of its arms"
        )
    about, make = balance.TABLES[name]
    return make(folder), about

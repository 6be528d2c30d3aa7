"""`cardmill table`: one table of the analysis."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from sim.commands.common import JsonOption, SharesOption, print_json, show, words_for_people
from sim.errors import InputError


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
    rows: Annotated[int, typer.Option("--rows", help="Rows shown on the terminal at most.")] = 60,
) -> None:
    """Show one table of a run, or export it."""
    from analysis import tables

    if list_ or name is None:
        if not list_ and not (run and name is None):
            raise InputError("which run and which table? As in: cardmill table RUN matchups (--list names the tables)")
        if not list_:
            raise InputError(f"which table? {', '.join(tables.TABLES)}")
        known = {known.name: known.about for known in tables.TABLES.values()}
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
        if name not in tables.TABLES:
            tables.table(None, name)  # type: ignore[arg-type] # says what is near, before the run is opened
        opened = analysis.open_run(run or "")
        if shares is not None:
            from sim.shares import read_shares

            opened = opened.against(read_shares(shares, opened.info))
        frame = analysis.table(opened, name)
        if parquet or out:
            print(exports.save(frame, parquet or out or ""))
        elif csv:
            sys.stdout.write(exports.to_csv(frame))
        elif json:
            sys.stdout.write(exports.to_json(frame) + "\n")
        else:
            show(exports.to_terminal(frame, title=tables.TABLES[name].about, rows=rows))

"""`cardmill verify`: whether a run holds what it says."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.common import JsonOption, QuietOption, print_json
from sim.errors import InputError


def verify(
    run: Annotated[str, typer.Argument(help="The run folder, or its address.", metavar="RUN")],
    sample: Annotated[int, typer.Option("--sample", help="Games that are played again; 0: none.")] = 200,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Check the files of a run, add its counts up again, play some of its games again.

    Exit code 1 where something is wrong in it, 2 where it cannot be read.
    """
    from sim.verify import verify as verify_run

    if sample < 0:
        raise InputError(f"--sample {sample}: 0 or more")
    found: list[str] = []
    try:
        result = verify_run(run, sample, findings=found)
    except KeyboardInterrupt:
        for finding in found:
            print(finding)
        raise
    if json:
        print_json(result._asdict())
    else:
        for finding in result.findings:
            print(finding)
        for note in result.notes if not quiet else ():
            print(note)
        if not quiet:
            wrong = len(result.findings)
            print(
                f"{result.files} files, {result.games:,} games, {result.replayed:,} played again: "
                f"{wrong} finding{'s' * (wrong != 1)}"
            )
    if result.findings:
        raise typer.Exit(1)

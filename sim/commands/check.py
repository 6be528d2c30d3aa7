"""`cardmill check`: lints card and deck files."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.common import CardsOption, GameOption, JsonOption, QuietOption, print_json
from sim.errors import InputError


def check(
    paths: Annotated[list[str], typer.Argument(help="Card files, deck files, or folders of them.", metavar="PATH")],
    cards: CardsOption = None,
    game: GameOption = "palworld",
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Look for faults in card and deck files. Exit code 1 where there are any, 2 where a file cannot be read."""
    from sim.checking import check_paths

    result = check_paths(paths, game, cards or ())
    if json:
        print_json(
            {
                "files": result.files,
                "skipped": result.skipped,
                "findings": [finding.to_dict() for finding in result.findings],
            }
        )
    else:
        for finding in result.findings:
            print(finding)
        for path in result.skipped if not quiet else ():
            print(f"{path}: neither a card nor a deck file, left out")
        if not quiet:
            faults = len(result.findings)
            print(f"{result.files} file{'s' * (result.files != 1)} checked, {faults} finding{'s' * (faults != 1)}")
    if result.unreadable or not result.files:
        if not result.unreadable:
            raise InputError(f"no card or deck file in {' '.join(paths)}")
        raise typer.Exit(2)
    if any(finding.error for finding in result.findings):
        raise typer.Exit(1)

"""`cardmill scenario`: positions, lines of play, expectations."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.common import JsonOption


def scenario(
    files: Annotated[list[str], typer.Argument(help="Scenario files, or folders of them.", metavar="FILE")],
    json: JsonOption = False,
) -> None:
    """Set up positions, play the given lines, check the expectations."""
    from sim.scenario.runner import main

    raise typer.Exit(main(files, json=json))

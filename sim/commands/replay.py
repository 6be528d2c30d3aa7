"""`cardmill replay`: the log of one game."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.common import JsonOption, print_json


def replay(
    run: Annotated[str, typer.Argument(help="The run folder.", metavar="RUN")],
    game: Annotated[int, typer.Argument(help="The number of the game: column `game` of the table games.")],
    json: JsonOption = False,
) -> None:
    """Play one game of a run again from its seed, and tell what happens."""
    from sim.replay import replay as replay_game

    log = replay_game(run, game)
    if json:
        print_json(log.to_dict())
    else:
        print(log.text())

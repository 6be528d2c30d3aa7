"""`cardmill calibrate`: how near simulated results come to those between people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.common import (
    Bar,
    CardsOption,
    EngineOption,
    GameOption,
    JsonOption,
    QuietOption,
    SeedOption,
    ThreadsOption,
    print_json,
    show,
    words_for_people,
)
from sim.errors import InputError


def calibrate(
    observed: Annotated[
        str | None,
        typer.Argument(
            help="Observed results, JSON or CSV; those that come with the game without it.", metavar="OBSERVED"
        ),
    ] = None,
    agent: Annotated[
        list[str] | None, typer.Option("--agent", help="Who plays; again for another player. greedy without it.")
    ] = None,
    run: Annotated[
        list[str] | None, typer.Option("--run", help="Take this run folder, and play nothing; may be given again.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="Games of each pair of decks, even.")] = 2000,
    every_pair: Annotated[
        bool, typer.Option("--every-pair", help="All pairs of the decks, not only the observed ones.")
    ] = False,
    decks: Annotated[
        list[str] | None,
        typer.Option("--decks", "-d", help="Files of observed decks that are not built in; may be given again."),
    ] = None,
    cards: CardsOption = None,
    game: GameOption = "palworld",
    seed: SeedOption = None,
    out: Annotated[str | None, typer.Option("--out", help="A folder for the runs; the same command goes on.")] = None,
    threads: ThreadsOption = None,
    engine: EngineOption = "local",
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Compare simulated matchups with observed ones, by player; with several players, how far they agree.

    Differences are simulated minus observed. Beside each player: one half for every pair, and what sampling leaves.
    """
    from datetime import datetime

    from analysis import calibration as answers
    from analysis.exports import to_terminal
    from analysis.runs import RunError
    from sim.calibrate import calibrate as play
    from sim.observed import own_observed, read_observed

    facts = read_observed(observed or own_observed(game))
    if run and agent:
        raise InputError("--run takes runs as they were played; leave --agent out")
    paths: list[str | Path] = list(run or [])
    if not paths:
        folder = out or f"runs/calibration-{datetime.now():%Y-%m-%d-%H%M%S}"
        done = play(
            facts,
            agent or ["greedy"],
            games,
            seed,
            folder,
            decks=decks or (),
            every_pair=every_pair,
            game=game,
            cards=cards or (),
            threads=threads,
            engine=engine,
            progress=None if quiet else Bar(),
        )
        paths = [one.path for one in done]
    with words_for_people(RunError, OSError):
        runs = [answers.open_run(path) for path in paths]
        tables = {
            "agreement": answers.agreement(facts, runs),
            "decks": answers.decks(facts, runs),
            "pairs": answers.pairs(facts, runs),
            "seats": answers.seats(facts, runs),
        }
        if len(runs) > 1:
            tables |= {"robustness": answers.robustness(runs), "band": answers.band(runs)}
    if json:
        print_json({"runs": [str(path) for path in paths]} | {name: found.to_dicts() for name, found in tables.items()})
        return
    titles = {
        "agreement": "Agreement with what people play: mean absolute error, rank correlation, slope",
        "decks": "Decks: simulated minus observed, over their observed pairs",
        "pairs": "Pairs of decks",
        "seats": "Going first",
        "robustness": "The same matrix in other hands",
        "band": "Decks by mean score, lowest and highest by player",
    }
    for name, found in tables.items():
        if found.height:
            show(to_terminal(found, title=titles[name]))
    print(f"Runs: {', '.join(map(str, paths))}. Next: cardmill report {paths[0]}")

"""`cardmill run`: plays every pair of decks."""

from __future__ import annotations

import sys
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
)


def run(
    decks: Annotated[list[str], typer.Argument(help="Deck files, or names of built-in decks.", metavar="DECK")],
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", help="Games of each pair, even: seats are balanced. 10,000 without it."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            help="decided, or ±0.5%: games go to the pairs that are not known yet; --games is the most then.",
            metavar="RULE",
        ),
    ] = None,
    events: Annotated[bool, typer.Option("--events", help="Write every event of every game too; slow.")] = False,
    agent: Annotated[str, typer.Option("--agent", help="Who plays, as in greedy or greedy:attack=1.2.")] = "greedy",
    versus: Annotated[
        str | None,
        typer.Option("--versus", help="A second agent; each pair is played in both assignments (games: 4, 8, ...)."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", help="The run folder or s3://bucket/run; the same command goes on."),
    ] = None,
    mirrors: Annotated[bool, typer.Option("--mirrors", help="Each deck against itself too.")] = False,
    cards: CardsOption = None,
    game: GameOption = "palworld",
    seed: SeedOption = None,
    threads: ThreadsOption = None,
    engine: EngineOption = "local",
    json: JsonOption = False,
    quiet: QuietOption = False,
    chunk: Annotated[int | None, typer.Option("--chunk", hidden=True)] = None,
) -> None:
    """Play every pair of decks and write a run folder.

    A run that was stopped goes on with the same command; with more --games it is extended.
    """
    from datetime import datetime

    from sim.coverage import words
    from sim.runs import simulate, summary

    tell = None if quiet else Bar()
    folder = out or f"runs/{datetime.now():%Y-%m-%d-%H%M%S}"
    played = simulate(
        decks,
        games,
        agent,
        versus,
        seed,
        folder,
        until=until,
        events=events,
        game=game,
        cards=cards or (),
        mirrors=mirrors,
        threads=threads,
        engine=engine,
        chunk=chunk,
        progress=tell,
    )
    result = summary(played.info) | {"run": str(played.path)}
    if json:
        print_json(result)
    elif not quiet:
        pairs = result["matchups"]
        each = f"{result['games_per_matchup']:,} each"
        if result["until"]:
            least, most = min(result["games_each"]), max(result["games_each"])
            each = f"{least:,} to {most:,} each, {result['stopped_early']} known early"
        speed = f", {result['games_per_s']:,.0f} games/s" if result["games_per_s"] else ""
        print(
            f"{result['games']:,} games ({pairs} pair{'s' * (pairs != 1)}, {each}) with "
            f"{' versus '.join(result['agents'])}, seed {result['seed']}{speed}.\n"
            f"{words(result['coverage'])}.\n"
            f"Results: {played.path}. Next: cardmill report {played.path}",
            file=sys.stderr,
        )

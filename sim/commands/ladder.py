"""`cardmill ladder`: how strong players are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

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
)
from sim.errors import InputError, Interrupted

if TYPE_CHECKING:
    from analysis.ladder import Sequential
    from sim.results import LadderInfo


def ladder(
    agents: Annotated[
        list[str], typer.Argument(help="Players, as in greedy, search:playouts=50.", metavar="AGENT AGENT...")
    ],
    decks: Annotated[
        list[str] | None,
        typer.Option("--decks", "-d", help="A deck file or name; again, or with commas. Known decks without it."),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", help="Games of two players in each pair of decks, a multiple of 4.")
    ] = 200,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt", help="Stop when it is decided: 0,10 tests 0 against 10 Elo, 0,5,nelo in normalised Elo."
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", help="A folder that keeps what is played; the same command goes on.", metavar="FOLDER"),
    ] = None,
    cards: CardsOption = None,
    game: GameOption = "palworld",
    seed: SeedOption = None,
    threads: ThreadsOption = None,
    engine: EngineOption = "local",
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play players against each other over decks: each game twice on the same seed, with the players swapped.

    Every deck is played against every other and itself. Elo, normalised Elo and their intervals rest on pairs of games.
    A ladder that is stopped says what it has found so far; with --out the same command goes on.
    """
    from analysis import ladder as answers
    from sim.ladder import ladder as play
    from sim.results import LadderInfo

    test = None
    if sprt is not None:
        try:
            test = answers.parse_test(sprt)
        except ValueError as error:
            raise InputError(f"--sprt {error}") from None
    try:
        played = play(
            agents,
            split(decks),
            games,
            seed,
            game=game,
            cards=cards or (),
            threads=threads,
            engine=engine,
            enough=test.ended if test is not None else None,
            rule=sprt or "",
            out=out,
            progress=None if quiet else Bar(),
        )
    except Interrupted as stopped:
        if isinstance(stopped.so_far, LadderInfo):
            _say(stopped.so_far, test, json)
        raise
    _say(played, test, json)


def _say(played: LadderInfo, test: Sequential | None, json: bool) -> None:
    """Print what a ladder has found."""
    from analysis import ladder as answers

    if not any(sum(map(sum, cell.joint)) for duel in played.duels for cell in duel.cells):
        return
    rows, standing, by_deck = answers.duels(played, test), answers.ratings(played), answers.decks(played)
    if json:
        print_json(
            {
                "game": played.game,
                "seed": played.seed,
                "decks": played.decks,
                "common_random_numbers": True,
                "seconds": round(played.seconds, 3),
                "ratings": standing.to_dicts(),
                "duels": rows.to_dicts(),
                "by_deck": by_deck.to_dicts(),
                "cells": [
                    {"agent": duel.agent, "opponent": duel.opponent, "deck_a": c.deck_a, "deck_b": c.deck_b}
                    | {"joint": c.joint}
                    for duel in played.duels
                    for c in duel.cells
                ],
            }
        )
        return
    from analysis.exports import to_terminal

    if len(played.agents) > 2:
        show(to_terminal(standing, title="Elo of the players, mean 1500"))
    show(to_terminal(rows.drop(answers.CLASSES), title="Players on the same seeds, each game in both assignments"))
    counts = rows.select("agent", "opponent", *answers.CLASSES, "unfinished")
    show(to_terminal(counts, title="Pairs of games by their score 0, 1/4, 1/2, 3/4, 1"))
    if test is not None:
        for row in rows.iter_rows(named=True):
            print(answers.sequential_words(row, test))


def split(values: list[str] | None) -> list[str]:
    """Values of an option that may be given again, or with commas."""
    return [part.strip() for value in values or () for part in value.split(",") if part.strip()]

"""`cardmill balance`: what a change would do."""

from __future__ import annotations

from pathlib import Path
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
    words_for_people,
)
from sim.errors import InputError

if TYPE_CHECKING:
    from analysis.balance import Balance


def balance(
    decks: Annotated[list[str], typer.Argument(help="Deck files, or names of built-in decks.", metavar="DECK")],
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="A changed number, as in BP01-002.power=1400.", metavar="CARD.FIELD=N"),
    ] = None,
    swap: Annotated[
        list[str] | None,
        typer.Option(
            "--swap", help="A replaced card, as in BP01-002=TD01-002; 'x1' behind it: one copy.", metavar="OLD=NEW"
        ),
    ] = None,
    rule: Annotated[
        list[str] | None, typer.Option("--rule", help="A rule switch, as in life=12.", metavar="RULE=N")
    ] = None,
    sweep: Annotated[
        str | None,
        typer.Option(
            "--sweep", help="Many values, as in BP01-002.power=1000:1600:100 or life=8:14.", metavar="X=A:B:N"
        ),
    ] = None,
    lucky: Annotated[
        str | None, typer.Option("--lucky", help="The first deck with so many of its lucky icons.", metavar="A:B")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="Games of each pair and arm, even.")] = 10_000,
    until: Annotated[
        float | None,
        typer.Option("--until", help="Stop when a change of this size is decided, as in 0.01; --games is the most."),
    ] = None,
    agent: Annotated[str, typer.Option("--agent", help="Who plays, as in greedy or greedy:attack=1.2.")] = "greedy",
    mirrors: Annotated[bool, typer.Option("--mirrors", help="Each deck against itself too.")] = False,
    cards: CardsOption = None,
    game: GameOption = "palworld",
    seed: SeedOption = None,
    out: Annotated[str | None, typer.Option("--out", help="A folder for the runs; the same command goes on.")] = None,
    threads: ThreadsOption = None,
    engine: EngineOption = "local",
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play the same seeds with and without a change: what it does to each matchup, and the games that it turns.

    A sweep plays one run for each value. Results: the folder, with a page, and the tables change, flips and curve.
    """
    from datetime import datetime

    from analysis import balance as answers
    from analysis.runs import RunError
    from sim.balance import balance as play

    if until is not None and not 0.0 < until < 0.5:
        raise InputError(f"--until {until:g}: a change of the score between 0 and 0.5, as in 0.01 for a point")
    if until is not None and (sweep or lucky):
        raise InputError("--until decides about one change; it does not go with --sweep or --lucky")

    def planned(total: int) -> str:
        most, fewer = answers.detectable(total) or 0.0, answers.detectable(total, 0.1) or 0.0
        return (
            f"{total:,} games in each arm will show a change of {100 * fewer:.2f} points if a tenth of the games turn, "
            f"and of {100 * most:.2f} points whatever happens (power 80 %)"
        )

    folder = out or f"runs/balance-{datetime.now():%Y-%m-%d-%H%M%S}"
    done = play(
        decks,
        set_ or (),
        swap or (),
        rule or (),
        sweep,
        lucky,
        games,
        agent,
        seed,
        folder,
        game=game,
        cards=cards or (),
        mirrors=mirrors,
        threads=threads,
        engine=engine,
        until=until,
        enough=None if until is None else lambda path: answers.decided(path, until).decision != "go on",
        planned=planned,
        progress=None if quiet else Bar(),
    )
    with words_for_people(RunError, OSError):
        opened = answers.open_balance(done.path)
        page = _page(opened)
        rows, flipped, curve = answers.change(opened), answers.flips(opened), answers.curve(opened)
        look = answers.decided(opened, until) if until is not None else None
    if json:
        result = {
            "folder": str(done.path),
            "report": str(page),
            "seed": opened.runs[0].info.seed,
            "games": opened.runs[0].info.played,
            "change": rows.to_dicts(),
            "flips": flipped.to_dicts(),
            "curve": curve.to_dicts() if opened.info.sweep else [],
            "until": None if look is None else look._asdict(),
        }
        print_json(result)
    elif not quiet:
        _show(opened)
        if look is not None:
            print(answers.look_words(look, until or 0.0))
        names = "change, flips or curve" if opened.info.sweep else "change or flips"
        print(f"Page: {page}. Tables: cardmill table {done.path} {names}")


def _page(opened: Balance) -> Path:
    from analysis.report.balance import write_balance_report

    return write_balance_report(opened, opened.path / "report.html")


def _show(opened: Balance) -> None:
    import polars as pl

    from analysis import balance as answers
    from analysis.exports import to_terminal

    if opened.info.sweep:
        show(to_terminal(answers.curve(opened).drop("reason"), title=f"Sweep of {opened.info.sweep}"))
        return
    rows = answers.change(opened).drop("arm", "value", "correlation", "reason")
    said = ", ".join(opened.info.arms[1].says)
    show(to_terminal(rows, title=f"Change by {said}: edited minus base on the same seeds", rows=40))
    some = answers.flips(opened).filter(pl.col("base").is_in(["wins", "loses"]) & (pl.col("edited") != "draws"))
    for row in some.head(4).iter_rows(named=True):
        print(
            f"Game {row['game']}: {row['deck']} {row['base']} against {row['opponent']}, with the change it "
            f"{row['edited']}.\n  {row['replay_base']}\n  {row['replay_edited']}"
        )

"""`cardmill tune`: better weights for a player."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.common import Bar, GameOption, JsonOption, QuietOption, SeedOption, ThreadsOption, print_json, show
from sim.commands.ladder import split
from sim.errors import InputError, RunError


def tune(
    agent: Annotated[
        str, typer.Argument(help="The player and where it starts, as in greedy or greedy:attack=1.2.", metavar="AGENT")
    ] = "greedy",
    decks: Annotated[
        list[str] | None, typer.Option("--decks", "-d", help="Decks to learn with; again, or with commas.")
    ] = None,
    check: Annotated[
        list[str] | None, typer.Option("--check", help="Decks to test with, which no step has seen.", metavar="DECK")
    ] = None,
    steps: Annotated[int, typer.Option("--steps", help="Steps of the search.")] = 100,
    games: Annotated[int, typer.Option("--games", "-n", help="Games of a step, a multiple of 4.")] = 2000,
    check_games: Annotated[
        int, typer.Option("--check-games", help="Most games of a pair of decks in the test, a multiple of 4.")
    ] = 2000,
    sprt: Annotated[str, typer.Option("--sprt", help="The test at the end: Elo that is nothing, Elo that counts.")] = (
        "0,10"
    ),
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Move these weights only; again, or with commas.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", help="The file of weights; GAME-PLAYER.toml without it.", metavar="FILE")
    ] = None,
    game: GameOption = "palworld",
    seed: SeedOption = None,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Improve the weights of a player by self-play, test them on fresh seeds and other decks, and write them to a file.

    `--agent greedy:weights=FILE` plays with them. The file says what they come from and how the test ended. A command
    that was stopped goes on with the same command; until it ends, FILE.progress keeps what is done.
    """
    from analysis import ladder as answers
    from analysis.exports import to_terminal
    from sim.games import load_game
    from sim.tune import tune as climb
    from sim.tune import weights_file, write_weights

    try:
        test = answers.parse_test(sprt)
    except ValueError as error:
        raise InputError(f"--sprt {error}") from None
    if out is not None and Path(out).suffix != ".toml":
        raise RunError(f"--out {out}: weights are written as .toml")
    path = Path(out or f"{game}-{agent.partition(':')[0]}.toml")
    progress = path.with_name(f"{path.name}.progress")
    done = climb(
        agent,
        split(decks),
        split(check),
        steps,
        games,
        check_games,
        seed,
        only=split(only),
        game=game,
        threads=threads,
        enough=test.ended,
        rule=sprt,
        out=progress,
        progress=None if quiet else Bar(),
    )
    row = answers.duels(done.check, test).row(0, named=True)
    verdict = answers.tuned_words(row, test)
    write_weights(weights_file(done, game, verdict, load_game(game).AGENTS), path)
    shutil.rmtree(progress, ignore_errors=True)
    if json:
        print_json(
            {
                "file": str(path),
                "agent": done.tuned.label,
                "start": done.start.label,
                "weights": done.tuned.params,
                "seed": done.seed,
                "decks": done.decks,
                "games": done.games,
                "steps": [step._asdict() for step in done.steps],
                "check": row | {"seed": done.check.seed, "decks": done.check.decks},
            }
        )
        return
    if not quiet:
        rows = answers.duels(done.check, test).drop(answers.CLASSES)
        show(to_terminal(rows.with_columns(agent=rows["agent"].str.replace(":.*", " tuned")), title="Test"))
        for key in sorted(done.steps[-1].weights):
            print(f"{key}: {done.start.params[key]:g} -> {done.tuned.params[key]:g}")
    print(f"{verdict}\nWeights: {path}. Next: --agent {done.tuned.name}:weights={path}")

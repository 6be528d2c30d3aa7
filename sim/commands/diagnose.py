"""`cardmill diagnose`: how well the players of a run play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.common import Bar, JsonOption, QuietOption, print_json, show, words_for_people
from sim.errors import RunError


def diagnose(
    run: Annotated[str, typer.Argument(help="The run folder.", metavar="RUN")],
    sample: Annotated[int, typer.Option("--sample", help="Games of each matchup to look at.")] = 20,
    playouts: Annotated[int, typer.Option("--playouts", help="Playouts that judge what was left undone.")] = 200,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play a sample of a run's games again and count what its players do badly, by deck; kept in the run folder.

    The report of the run and its table `trust` show it from then on. A command that was stopped goes on where it was.
    """
    import analysis
    from analysis.exports import to_terminal
    from sim.diagnose import diagnose as look
    from sim.diagnose import write_diagnosis
    from sim.runs import open_run
    from sim.session import Silent

    if "://" in run:
        raise RunError("only runs in a folder of this machine can be looked at", run)
    info = open_run(run).info
    with (Silent() if quiet else Bar()).playing(0, sample * len(info.matchups)) as tell:
        kept = Path(run) / ".diagnosis.begun.json"
        found = look(info, sample, playouts, tell, kept)
    path = write_diagnosis(found, Path(run))
    kept.unlink(missing_ok=True)
    with words_for_people(analysis.RunError, OSError):
        rows = analysis.table(run, "trust")
    if json:
        print_json({"file": str(path), "trust": rows.to_dicts()})
    elif not quiet:
        show(to_terminal(rows, title="How each deck is played"))
        print(f"Kept in {path}. Next: cardmill report {run}")

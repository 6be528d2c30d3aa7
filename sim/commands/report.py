"""`cardmill report`: one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.common import JsonOption, QuietOption, SharesOption, print_json, show, words_for_people

if TYPE_CHECKING:
    import analysis.runs


def report(
    run: Annotated[str, typer.Argument(help="The run folder.", metavar="RUN")],
    shares: SharesOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write RUN/report.html, one page that needs no network, and say the main results."""
    import analysis
    from analysis.exports import to_terminal

    if (Path(run) / "balance.json").is_file():
        from analysis.report.balance import write_balance_report

        with words_for_people(analysis.RunError, OSError):
            page = str(write_balance_report(analysis.open_balance(run), Path(run) / "report.html"))
        if json:
            print_json({"report": page})
        elif not quiet:
            print(f"Report: {page}")
        return
    with words_for_people(analysis.RunError, OSError):
        opened = analysis.open_run(run)
        if shares is not None:
            from sim.shares import read_shares

            opened = opened.against(read_shares(shares, opened.info))
        page = _write(opened, run)
        results = analysis.decks(opened)
    if json:
        print_json({"report": page, "decks": results.to_dicts()})
    elif not quiet:
        show(to_terminal(results, title="Score of each deck against the others", rows=20))
        print(f"Report: {page}")


def _write(opened: analysis.runs.Run, run: str) -> str:
    """Writes the page beside the run, wherever that is; its place."""
    import tempfile

    import analysis
    from sim.places import place_of
    from sim.results import is_address

    if not is_address(run):
        return str(analysis.write_report(opened, Path(run) / "report.html"))
    with tempfile.TemporaryDirectory() as folder:
        page = analysis.write_report(opened, Path(folder) / "report.html").read_bytes()
    place = place_of(run)
    place.put("report.html", page)
    return f"{place.where}/report.html"

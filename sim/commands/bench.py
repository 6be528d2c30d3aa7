"""`cardmill bench`: how fast this machine plays."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from sim.commands.common import Bar, JsonOption, print_json, show, stderr
from sim.errors import InputError


def bench(
    agents: Annotated[list[str] | None, typer.Option("--agent", help="A player to measure; all without it.")] = None,
    games: Annotated[int, typer.Option("--games", help="Games an entry.")] = 20_000,
    game: Annotated[str | None, typer.Option("--game", help="One game; all without it.")] = None,
    json: JsonOption = False,
) -> None:
    """Games and decisions a second of one core, per game and agent; compile time apart."""
    from sim.bench import measure

    if games < 2:
        raise InputError(f"--games {games}: 2 or more")
    if not json:
        stderr().print("Measuring one core; let the machine do nothing else meanwhile")
    done: list[dict[str, Any]] = []
    try:
        result = measure(game, agents, games, Bar().compiling, done)
    except KeyboardInterrupt:
        if done and not json:
            _say(done)
        raise
    if json:
        print_json(result)
        return
    _say(result["entries"])
    print(f"compile or load: {result['compile_s']:.1f} s")


def _say(entries: list[dict[str, Any]]) -> None:
    """Print what was measured."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for column in ("game", "agent", "games/s", "decisions/s", "ns/decision", "decisions/game", "signature"):
        table.add_column(column, justify="left" if column in ("game", "agent", "signature") else "right")
    for entry in entries:
        table.add_row(
            entry["game"],
            entry["agent"],
            f"{entry['games_per_s']:,.0f}",
            f"{entry['decisions_per_s']:,.0f}",
            f"{entry['ns_per_decision']:,.0f}",
            f"{entry['decisions_per_game']:,.1f}",
            entry["signature"],
        )
    show(table)

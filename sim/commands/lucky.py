"""`cardmill lucky`: what a sequence of damage checks does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.common import JsonOption, SeedOption, print_json, show, words_for_people
from sim.errors import InputError

if TYPE_CHECKING:
    from analysis.exact import LuckyAnswer

MOST_GAMES = 10**9
"""Shuffled decks of the simulation; more would take hours, and add nothing to the exact answer."""


def lucky(
    deck: Annotated[int, typer.Option("--deck", help="Cards in the deck.")] = 50,
    lucky: Annotated[int, typer.Option("--lucky", help="Lucky cards among them.")] = 8,
    strikes: Annotated[str, typer.Option("--strikes", help="The strikes in order, as in 3,2,2.")] = "3,2,2",
    life: Annotated[int | None, typer.Option("--life", help="Life of the player, for the chance to win.")] = None,
    games: Annotated[int, typer.Option("--games", help="Shuffled decks in the simulation beside; 0: none.")] = 100_000,
    top: Annotated[
        str, typer.Option("--top", help="Known cards from the top, a letter each: L lucky, x not, ? unknown.")
    ] = "",
    bottom: Annotated[str, typer.Option("--bottom", help="The same up to the bottom card.")] = "",
    seed: SeedOption = None,
    json: JsonOption = False,
) -> None:
    """Exact probabilities of a sequence of damage checks, with a simulation of the same beside them."""
    import re
    import secrets

    from analysis import exact

    try:
        sequence = [int(part) for part in re.split(r"\s*,\s*|\s+", strikes.strip())]
    except ValueError:
        raise InputError(f"--strikes {strikes}: numbers with commas between them, as in 3,2,2") from None
    if not 0 <= games <= MOST_GAMES:
        raise InputError(f"--games {games}: 0 to {MOST_GAMES:,}")
    if seed is not None and not 0 <= seed < 2**64:
        raise InputError(f"--seed {seed}: a seed is a number from 0 to 2^64 - 1")
    seed = secrets.randbits(63) if seed is None else seed
    with words_for_people(ValueError):
        answer = exact.lucky(deck, lucky, sequence, life, top, bottom)
        sampled = exact.simulate(deck, lucky, sequence, games, seed, life, answer.known) if games else None
    if json:
        print_json(answer.to_dict() | ({"simulated": sampled.to_dict()} if sampled else {}))
        return
    from rich import box
    from rich.table import Table

    def percent(p: float) -> str:
        return f"{100 * p:.4f} %"

    head = f"{deck} cards, {lucky} lucky, strikes {', '.join(map(str, sequence))}"
    head += (f", from the top {top}" if top else "") + (f", at the bottom {bottom}" if bottom else "")
    stops = Table(box=box.SIMPLE_HEAD, title=f"Damage checks: {head}", title_justify="left")
    totals = Table(box=box.SIMPLE_HEAD, title="Damage in all", title_justify="left")
    for column in ("check", "strike", "stopped", "", *(["simulated"] if sampled else [])):
        stops.add_column(column, justify="right")
    for column in ("damage", "exactly", "at least", *(["simulated exactly"] if sampled else [])):
        totals.add_column(column, justify="right")
    for i, check in enumerate(answer.checks):
        row = [str(i + 1), str(check.strike), str(check.stop), percent(float(check.stop))]
        stops.add_row(*row, *([percent(sampled.stop(i).value or 0)] if sampled else []))
    for total, p in answer.damage.items():
        row = [str(total), percent(float(p)), percent(float(answer.at_least[total]))]
        totals.add_row(*row, *([percent(sampled.total(total).value or 0)] if sampled else []))
    show(stops)
    show(totals)
    if answer.kill is not None:
        beside = f" (simulated {percent(sampled.kill.value or 0)})" if sampled and sampled.kill else ""
        print(f"{life} life or more is lost with probability {percent(float(answer.kill))}{beside}")
        _show_kill(answer, show, percent)
    if answer.deck_out:
        print(f"The deck runs out, which loses too, with probability {percent(float(answer.deck_out))}")
    if sampled:
        print(f"Simulated: {games:,} shuffled decks, seed {seed}")


def _show_kill(answer: LuckyAnswer, show: Callable[[Any], None], percent: Callable[[float], str]) -> None:
    """After how many checks the player has lost: of this sequence, and of the strikes over and over."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title="How long the player lives", title_justify="left")
    for column in ("checks", "dead in this sequence", "lost, strikes repeated"):
        table.add_column(column, justify="right")
    lost = 0.0
    for n in range(1, max([*answer.checks_to_lose, len(answer.kill_curve)]) + 1):
        lost += float(answer.checks_to_lose.get(n, 0))
        dead = percent(float(answer.kill_curve[n - 1])) if n <= len(answer.kill_curve) else ""
        table.add_row(str(n), dead, percent(lost))
        if n >= len(answer.kill_curve) and lost > 1 - 5e-7:
            break
    show(table)
    if answer.mean_checks is not None:
        print(f"On average the player loses in check {float(answer.mean_checks):.2f}, an empty deck included")

"""`cardmill cards`: finds cards and says what they do."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.common import CardsOption, GameOption, JsonOption, print_json


def cards(
    words: Annotated[list[str] | None, typer.Argument(help="Parts of numbers, names or facts.")] = None,
    cards: CardsOption = None,
    game: GameOption = "palworld",
    json: JsonOption = False,
) -> None:
    """Find cards by number, name, colour, type or anything in their words, and say what they do."""
    from sim.cards import load_cards
    from sim.finding import find_cards, near_names, to_dict, to_text

    pool = load_cards(game, cards or ())
    found = find_cards(pool, words or [])
    if json:
        print_json([to_dict(card) for card in found])
        return
    for card in found:
        print(to_text(card) + "\n")
    near = near_names(pool, " ".join(words or [])) if not found else []
    print(f"{len(found)} card{'s' * (len(found) != 1)}" + (f"; did you mean {' or '.join(near)}?" if near else ""))

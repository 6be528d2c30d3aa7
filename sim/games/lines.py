"""How an event is told in the log of a game."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """text may name {card}, {who} (its owner, or the player the event is about), {a}, {b}, {target} (a as a card or
    player), {life} (of {who}, afterwards), {word}, {end} and {move}, which otherwise ends the text.

    zone: where the card is afterwards ("" where it stays). whole: all cards of the player move between two zones.
    """

    text: str
    zone: str = ""
    whole: tuple[str, str] | None = None

"""How the log of a game tells what happened: a sentence an event, and where it moves the card to."""

from __future__ import annotations

from kernels.aether.codes import KEYWORDS
from sim.games.lines import Line

NO_CARD = 255

LINES: dict[str, Line] = {
    "turn": Line("turn {a}: {who}"),
    "mulligan": Line("{who} returns the hand into the deck and draws again", whole=("hand", "deck")),
    "draw": Line("{who} draws {card}", "hand"),
    "burn": Line("the hand of {who} is full: {card} goes to the graveyard", "graveyard"),
    "charge": Line("{who} charges {card}", "aether"),
    "play 0": Line("{card} is played"),
    "play 1": Line("{card} is summoned into the front row", "front"),
    "play 2": Line("{card} is summoned into the back row", "back"),
    "used": Line("{card} has been used", "graveyard"),
    "attack": Line("{card} attacks {target}"),
    "move 1": Line("{card} moves", "front"),
    "move 2": Line("{card} moves", "back"),
    "damage": Line("{card} takes {a} damage"),
    "life": Line("{who}: life {a:+}, now {life}"),
    "barrier 0": Line("{card} loses its barrier"),
    "barrier 1": Line("{card} gains a barrier"),
    "heal": Line("{a} damage of {card} is healed"),
    "modify": Line("{card}: {a:+}/{b:+}"),
    "keyword": Line("{card} gains {word}"),
    "keyword lost": Line("{card} loses {word}"),
    "freeze": Line("{card} is frozen"),
    "destroy": Line("{card} is destroyed", "graveyard"),
    "return": Line("{card} goes to the hand of {who}", "hand"),
    "vanish": Line("{card} vanishes", "nowhere"),
    "discard": Line("{who} discards {card}", "graveyard"),
    "mill": Line("{card} goes into the graveyard", "graveyard"),
    "ramp 0": Line("{card} goes into the aether zone, unused", "aether"),
    "ramp 1": Line("{card} goes into the aether zone, used", "aether"),
    "summon 1": Line("{card} appears", "front"),
    "summon 2": Line("{card} appears", "back"),
    "resolve": Line("{card}: ability {a}"),
    "over win": Line("{who} wins: {end}"),
    "over": Line("nobody wins: {end}"),
}
NUMBERED = ("play", "move", "barrier", "ramp", "summon")

COSTS = frozenset(["charge", "used", "auto", "turn", "resolve"])
"""Events that are the cost of an action, or only say that there was one."""

ENDS = {
    "life": "the other player has no life left",
    "deck": "the other player had to draw from an empty deck (AE-7.3)",
    "both": "both players lose at once (AE-7.5)",
    "loop": "the turn has more decisions than the program follows",
    "cap": "the game is longer than the program follows (AE-3.10)",
}


def key_of(kind: str, obj: int, a: int, b: int) -> str:
    """The line of an event."""
    if kind in NUMBERED:
        return f"{kind} {a}"
    if kind == "keyword" and not b:
        return "keyword lost"
    if kind == "over" and obj != NO_CARD:
        return "over win"
    return kind


def word_of(kind: str, a: int) -> str:
    """The word that a number of an event stands for."""
    return KEYWORDS[a] if kind == "keyword" else ""

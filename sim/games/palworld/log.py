"""How the log of a game tells what happened: a sentence an event, and where it moves the card to."""

from __future__ import annotations

from sim.games.lines import Line

RESOURCES = ("Material", "Ingredient")

LINES: dict[str, Line] = {
    "draw": Line("{who} draws {card}", "hand"),
    "mill": Line("{card} goes into the graveyard", "graveyard"),
    "check": Line("damage check of {who}: {card}", "graveyard"),
    "check lucky": Line("damage check of {who}: {card}: {move}, lucky: no damage", "graveyard"),
    "life": Line("{who}: life {a:+}, now {life}"),
    "damage": Line("{card} takes {a} damage"),
    "play": Line("{card} is played"),
    "activate": Line("{card}: activated ability {a}"),
    "resolve": Line("{card}: automatic ability {a}"),
    "deploy": Line("{card} is deployed", "base"),
    "deploy rested": Line("{card} is deployed, rested", "base"),
    "attack": Line("{card} attacks {target}"),
    "block": Line("{card} blocks"),
    "fail": Line("the attack of {card} fails"),
    "rule lethal": Line("rule action, lethal damage (CR 11.4): {card}"),
    "rule surplus": Line("rule action, surplus Pal (CR 11.5): {card}"),
    "bury": Line("{card} goes to the graveyard", "graveyard"),
    "discard": Line("{who} discards {card}", "graveyard"),
    "exile": Line("{card} is exiled", "exile"),
    "return": Line("{card} goes to the hand of {who}", "hand"),
    "top": Line("{card} goes on top of the deck", "deck"),
    "bottom": Line("{card} goes to the bottom of the deck", "deck"),
    "rest": Line("{card} rests"),
    "stand": Line("{card} stands"),
    "assign": Line("{card} is assigned to {target}"),
    "assign nowhere": Line("{card} is assigned"),
    "shuffle": Line("{who} shuffles the deck"),
    "gain": Line("{who}: {word} {b:+}"),
    "souls": Line("{who}: souls {a:+}"),
    "night": Line("it becomes night until the end of the next turn of the opponent of {who}"),
    "modify": Line("{card}: Power {a:+}, Strike {b:+}"),
    "grant": Line("{card} gains an ability"),
    "reveal": Line("{who} reveals {card}"),
    "turn": Line("turn {a}: {who}"),
    "mulligan": Line("{who} returns the hand into the deck and draws again", whole=("hand", "deck")),
    "used": Line("{card} has been used", "graveyard"),
    "over win": Line("{who} wins: {end}"),
    "over": Line("nobody wins: {end}"),
}

COSTS = frozenset(["play", "activate", "resolve", "rest", "assign", "used", "auto", "shuffle", "turn", "rule"])
"""Events that are the cost of an action, or only say that there was one."""

ENDS = {
    "life": "the other player has no life left (CR 11.3.1)",
    "deck": "the other player has no cards left in the deck (CR 11.3.2)",
    "both": "both players lose at once (CR 1.2.2)",
    "loop": "the turn has more decisions than the program follows",
    "cap": "the game is longer than the program follows",
}

NO_CARD = 255


def key_of(kind: str, obj: int, a: int, b: int) -> str:
    """The line of an event."""
    if kind == "check" and a:
        return "check lucky"
    if kind == "deploy" and a:
        return "deploy rested"
    if kind == "rule":
        return "rule lethal" if a == 1 else "rule surplus"
    if kind == "assign" and a == NO_CARD:
        return "assign nowhere"
    if kind == "over" and obj != NO_CARD:
        return "over win"
    return kind


def word_of(kind: str, a: int) -> str:
    """The word that a number of an event stands for."""
    return RESOURCES[a] if kind == "gain" else ""

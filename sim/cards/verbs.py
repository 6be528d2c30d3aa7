"""The verb table: every verb of the card language, which fields of `Do` it uses, how a card file writes it and how it
reads in English.

A new verb is one row here, one kernel operation, one reference function and one test.
"""

from __future__ import annotations

from typing import NamedTuple


class Verb(NamedTuple):
    """fields: what it uses of `Do`. form: how a card file writes it (the grammar makes one rule of each form).
    words: how it reads in English."""

    fields: tuple[str, ...]
    form: str
    words: str


VERBS: dict[str, Verb] = {
    "draw": Verb(("amount",), "draw {amount}", "draw {amount} card(s)"),
    "draw_to": Verb(("amount",), "draw to {amount}", "draw until your hand has {amount} card(s)"),
    "discard": Verb(
        ("amount", "who", "target"),
        "discard {amount} {from_hand}",
        "{who} discard {amount} card(s) from hand",
    ),
    "discard_to": Verb(("amount", "who"), "discard to {amount}", "{who} discard until the hand has {amount} card(s)"),
    "gain": Verb(("amount", "word"), "gain {amount} {resource}", "get {amount} {word}"),
    "take": Verb(
        ("amount",),
        "take up to {amount} resources",
        "choose up to {amount} Material and Ingredient in total of your opponent, who loses them",
    ),
    "life": Verb(("amount",), "gain {amount} life", "gain {amount} life"),
    "damage": Verb(("amount", "target"), "damage {amount} to {target}", "deal {amount} damage to {target}"),
    "player_damage": Verb(("amount",), "damage {amount} to player", "deal {amount} damage to your opponent"),
    "modify": Verb(
        ("target", "power", "strike", "until"),
        "{target} get {change} {until}",
        "{target} get(s) {change} {until}",
    ),
    "grant": Verb(
        ("target", "ability", "until"),
        "{target} get ability {ability} {until}",
        "{target} get(s) the ability {ability} {until}",
    ),
    "declare": Verb((), "declare a name", "declare a card name"),
    "add_name": Verb(
        ("target", "until"),
        "{target} get the declared name {until}",
        "{target} get(s) the declared name in addition {until}",
    ),
    "rest": Verb(("target",), "rest {target}", "rest {target}"),
    "stand": Verb(("target",), "stand {target}", "stand {target}"),
    "no_stand": Verb(("target", "until"), "{target} cannot stand {until}", "{target} do(es) not stand {until}"),
    "no_block": Verb(("target", "until"), "{target} cannot block {until}", "{target} cannot block {until}"),
    "rush": Verb(
        ("until",),
        "rush {until}",
        "{until}, your Pals cannot be assigned and must attack as much as possible",
    ),
    "bury": Verb(("target",), "bury {target}", "put {target} into the graveyard"),
    "butcher": Verb(("target",), "butcher {target}", "butcher {target}"),
    "exile": Verb(("target",), "exile {target}", "exile {target}"),
    "hand": Verb(("target",), "put {target} into hand", "put {target} into the hand"),
    "top": Verb(("target",), "put {target} on top", "put {target} on top of the deck"),
    "bottom": Verb(("target",), "put {target} on bottom", "put {target} at the bottom of the deck in any order"),
    "deploy": Verb(("target", "word"), "deploy {target} {rested}", "deploy {target} {word}"),
    "play": Verb(
        ("target", "amount"),
        "play {target} for {amount} less",
        "play {target} with its cost reduced by {amount} (not below 1)",
    ),
    "look": Verb(("amount",), "look at {amount}", "look at the top {amount} card(s) of your deck"),
    "reveal": Verb(("amount",), "reveal {amount}", "reveal the top {amount} card(s) of your deck"),
    "show": Verb(("target",), "show {target}", "reveal {target}"),
    "shuffle": Verb((), "shuffle", "shuffle the rest into the deck"),
    "mill": Verb(("amount",), "mill {amount}", "put the top {amount} card(s) of your deck into the graveyard"),
    "souls": Verb(("amount", "word"), "gain {amount} souls {rested}", "increase your souls by {amount}, {word}"),
    "stand_souls": Verb(("amount", "word"), "stand {up_to} {amount} souls", "stand {word} {amount} of your souls"),
    "night": Verb((), "night", "it becomes night until the end of your opponent's next turn"),
    "fail_attack": Verb((), "fail attack", "the opponent's attack fails"),
    "discount": Verb(
        ("amount", "target", "until"),
        "next {next} costs {amount} less {until}",
        "your next {target} costs {amount} less (not below 1) {until}",
    ),
}
"""`stand_souls` with word "up to" lets the master choose how many; with word "" as many as possible.
`rest` and the like without a living target do nothing (CR 1.3.2)."""

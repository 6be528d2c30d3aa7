"""The verb table: every verb of the card language, which fields of `Do` it uses, and how it reads in English.

A new verb is one row here, one kernel operation, one reference function and one test.
"""

from __future__ import annotations

from typing import NamedTuple


class Verb(NamedTuple):
    fields: tuple[str, ...]
    words: str


VERBS: dict[str, Verb] = {
    "draw": Verb(("amount",), "draw {amount} card(s)"),
    "draw_to": Verb(("amount",), "draw until your hand has {amount} cards"),
    "discard": Verb(("amount", "who", "target"), "{who} discard {amount} card(s) from hand"),
    "discard_to": Verb(("amount", "who"), "{who} discard until the hand has {amount} cards"),
    "gain": Verb(("amount", "word"), "get {amount} {word}"),
    "take": Verb(("amount",), "choose up to {amount} Material and Ingredient in total of your opponent, who loses them"),
    "life": Verb(("amount",), "gain {amount} life"),
    "damage": Verb(("amount", "target"), "deal {amount} damage to {target}"),
    "player_damage": Verb(("amount",), "deal {amount} damage to your opponent"),
    "modify": Verb(("target", "power", "strike", "until"), "{target} get(s) {change} {until}"),
    "grant": Verb(("target", "ability", "until"), "{target} get(s) the ability {ability} {until}"),
    "declare": Verb((), "declare a card name"),
    "add_name": Verb(("target", "until"), "{target} get(s) the declared name in addition {until}"),
    "rest": Verb(("target",), "rest {target}"),
    "stand": Verb(("target",), "stand {target}"),
    "no_stand": Verb(("target", "until"), "{target} do(es) not stand {until}"),
    "no_block": Verb(("target", "until"), "{target} cannot block {until}"),
    "rush": Verb(("until",), "{until} your Pals cannot be assigned and must attack as much as possible"),
    "bury": Verb(("target",), "put {target} into the graveyard"),
    "butcher": Verb(("target",), "butcher {target}"),
    "exile": Verb(("target",), "exile {target}"),
    "hand": Verb(("target",), "put {target} into the hand"),
    "top": Verb(("target",), "put {target} on top of the deck"),
    "bottom": Verb(("target",), "put {target} at the bottom of the deck in any order"),
    "deploy": Verb(("target", "word"), "deploy {target} {word}"),
    "play": Verb(("target", "amount"), "play {target} with its cost reduced by {amount}, not below 1"),
    "look": Verb(("amount",), "look at the top {amount} card(s) of your deck"),
    "reveal": Verb(("amount",), "reveal the top {amount} card(s) of your deck"),
    "show": Verb(("target",), "reveal {target}"),
    "shuffle": Verb((), "shuffle the rest into the deck"),
    "mill": Verb(("amount",), "put the top {amount} card(s) of your deck into the graveyard"),
    "souls": Verb(("amount", "word"), "increase your souls by {amount} {word}"),
    "stand_souls": Verb(("amount", "word"), "stand {word} {amount} of your souls"),
    "night": Verb((), "it becomes night until the end of your opponent's next turn"),
    "fail_attack": Verb((), "the opponent's attack fails"),
    "discount": Verb(("amount", "target", "until"), "your next {target} costs {amount} less {until}, not below 1"),
}
"""`stand_souls` with word "up to" lets the master choose how many; with word "" as many as possible.
`rest` and the like without a living target do nothing (CR 1.3.2)."""

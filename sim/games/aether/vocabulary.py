"""The words of Aether cards: facts that a card may state, keywords, and the verbs of its abilities."""

from __future__ import annotations

from typing import Any

from sim.cards.verbs import Verb

TYPES = ("unit", "spell", "token", "player")
ELEMENTS = ("flame", "tide", "grove", "umbra", "neutral")
KEYWORDS = ("haste", "flying", "ranged", "pierce", "barrier", "drain", "venom", "regen", "twin")
ROWS = ("front", "back")
PLACE = "field"
"""The zone that a description means where it names none."""

FIELDS: dict[str, tuple[Any, ...]] = {
    "name": (str,),
    "element": (str,),
    "type": (str,),
    "cost": (int,),
    "attack": (int,),
    "hp": (int,),
    "keywords": (list, str),
    "row": (str,),
    "abilities": (list, str),
    "note": (str,),
}
"""Key of a card's table: its type; for lists also the type of what they hold."""

REQUIRED = ("name", "element", "type")
FACTS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("type", ("unit", "spell", "token"), "C010"),
    ("element", ELEMENTS, "C013"),
    ("keywords", KEYWORDS, "C015"),
    ("row", ROWS, "C016"),
)
"""Facts that take words of a list: key, list, code of the fault."""
SINGLE = ("element", "row")
"""Facts of which a card has one at most."""
HOLDERS: dict[str, str] = {}
"""Facts that only one type of card has."""

LISTS: dict[str, tuple[tuple[str, ...], str]] = {
    "element": (ELEMENTS, "an element"),
    "keyword_name": (KEYWORDS, "a keyword"),
}
"""Rules of the grammar that stand for one of several words, and what messages call a long one."""

VERBS: dict[str, Verb] = {
    "draw": Verb(("amount",), "draw {amount}", "draw {amount} card(s)"),
    "discard": Verb(("amount", "who"), "discard {amount}", "{who} discard {amount} card(s)"),
    "mill": Verb(("amount",), "mill {amount}", "put the top {amount} card(s) of your deck into the graveyard"),
    "ramp": Verb(
        ("amount", "word"),
        "ramp {amount} {used?}",
        "put the top {amount} card(s) of your deck into your aether zone{word}",
    ),
    "life": Verb(("amount",), "gain {amount} life", "gain {amount} life"),
    "lose": Verb(("amount",), "lose {amount} life", "lose {amount} life"),
    "player_damage": Verb(("amount",), "damage {amount} to enemy player", "deal {amount} damage to the enemy player"),
    "damage": Verb(("amount", "target"), "damage {amount} to {target}", "deal {amount} damage to {target}"),
    "heal": Verb(("amount", "target"), "heal {amount} to {target}", "heal {amount} damage of {target}"),
    "restore": Verb(("target",), "fully heal {target}", "heal all damage of {target}"),
    "modify": Verb(
        ("target", "attack", "hp", "until"), "{target} get {change} {until?}", "{target} get(s) {change} {until}"
    ),
    "keyword": Verb(("target", "word", "until"), "{target} get {keyword} {until?}", "{target} get(s) {word} {until}"),
    "lose_keyword": Verb(("target", "word"), "{target} lose {keyword}", "{target} lose(s) {word}"),
    "freeze": Verb(("target",), "freeze {target}", "freeze {target}"),
    "destroy": Verb(("target",), "destroy {target}", "destroy {target}"),
    "hand": Verb(("target",), "put {target} into hand", "return {target} to the hand"),
    "return": Verb(("amount", "target"), "return {amount} {cards}", "return {amount} {target} to your hand"),
    "move": Verb(("target",), "move {target}", "move {target} to the other row"),
    "summon": Verb(("amount", "word"), "summon {amount} {token}", "summon {amount} {word} token(s)"),
}
"""`modify`, `keyword`, `lose_keyword` last for good where no `until` is written. `lose` and `restore` are no damage and
no healing of players. `ramp` puts cards unused where `used` is not written (AE-2.10)."""

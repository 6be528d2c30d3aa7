"""The words of Palworld cards: facts that a card may state, and its keywords in terms of the card language."""

from __future__ import annotations

from typing import Any

from sim.cards.verbs import Verb

TYPES = ("pal", "structure", "gear", "event")
SUBTYPES = ("normal", "lucky")
COLORS = ("red", "blue", "green", "purple", "colorless")
ELEMENTS = ("Neutral", "Fire", "Water", "Grass", "Electric", "Ground", "Ice", "Dark", "Dragon")
WORK = (
    "Kindling",
    "Harvesting",
    "Farming",
    "Electricity",
    "Crafting",
    "Collecting",
    "Cooling",
    "Transporting",
)
RESOURCES = ("material", "ingredient")
PLACE = "base"
"""The zone that a description means where it names none."""

FIELDS: dict[str, tuple[Any, ...]] = {
    "name": (str,),
    "name_ja": (str,),
    "color": (str,),
    "type": (str,),
    "subtype": (str,),
    "cost": (int,),
    "power": (int,),
    "strike": (int,),
    "elements": (list, str),
    "work": (list, str),
    "lucky": (bool,),
    "deck_limit": (int,),
    "abilities": (list, str),
    "note": (str,),
}
"""Key of a card's table: its type; for lists also the type of what they hold."""

REQUIRED = ("name", "color", "type", "cost")
FACTS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("type", TYPES, "C010"),
    ("subtype", SUBTYPES, "C011"),
    ("color", COLORS, "C012"),
    ("elements", ELEMENTS, "C013"),
    ("work", WORK, "C014"),
)
"""Facts that take words of a list: key, list, code of the fault."""
SINGLE = ("color", "subtype", "state", "main")
"""Facts of which a card has one at most."""
HOLDERS = {"subtype": "pal", "element": "pal"}
"""Facts that only one type of card has."""

KEYWORDS: dict[str, str] = {
    "Brave": "auto attacks: this gets power +N until end of turn",  # CR 12.6
    "Serious": "auto assigned: choose 1 pal; they get power +N until end of turn",  # CR 12.7
    "Interrupt": "act quick in hand [1 soul, discard this] or [discard this, discard 1]: fail attack",  # CR 12.8
    "Vigilance": "auto turn end: stand this",  # CR 12.9
    "Taunt": "cont: taunt",  # CR 12.10
    "Stealth": "cont: stealth",  # CR 12.11
    "Retaliate": "auto buried in battle: bury that",  # CR 12.12
    "Nocturnal": "cont while night: this gets power +300",  # CR 12.13
    "Breakthrough": "auto foe buried attacking: damage strike of this to player",  # CR 12.14
    "Assault": "cont: assault",  # CR 12.15
    "Legendary": "cont: legendary",  # printed on the cards that have it
}
"""What each keyword stands for; N is the number written after it."""

LISTS: dict[str, tuple[tuple[str, ...], str]] = {
    "subtype": (SUBTYPES, ""),
    "color": (COLORS, "a color"),
    "element": (ELEMENTS, "an element"),
    "work": (WORK, "a kind of work"),
    "resource": (RESOURCES, ""),
    "keyword_name": (tuple(KEYWORDS), "a keyword"),
}
"""Rules of the grammar that stand for one of several words, and what messages call a long one."""

VERBS: dict[str, Verb] = {
    "draw": Verb(("amount",), "draw {amount}", "draw {amount} card(s)"),
    "draw_to": Verb(("amount",), "draw to {amount}", "draw until your hand has {amount} card(s)"),
    "discard": Verb(
        ("amount", "who", "target"),
        "discard {amount} {from_hand?}",
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
    "deploy": Verb(("target", "word"), "deploy {target} {rested?}", "deploy {target} {word}"),
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
    "souls": Verb(("amount", "word"), "gain {amount} souls {rested?}", "increase your souls by {amount}, {word}"),
    "stand_souls": Verb(("amount", "word"), "stand {up_to?} {amount} souls", "stand {word} {amount} of your souls"),
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

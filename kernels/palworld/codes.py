"""Numbers that the state, the compiled tables and the Python side of Palworld share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

U, I = np.uint64, np.int64

if TYPE_CHECKING:

    def __getattr__(name: str) -> np.uint64: ...


def _codes(prefix: str, names: str) -> dict[str, np.uint64]:
    table = {name: np.uint64(i) for i, name in enumerate(names.split())}
    globals().update({prefix + name.upper(): value for name, value in table.items()})
    return table


NONE = np.uint64(255)  # no card
PLAYER = np.uint64(128)  # PLAYER + seat: a player as target
ONE, ZERO = np.uint64(1), np.uint64(0)
SIX, SLOT = np.uint64(6), np.uint64(63)  # obj = seat << 6 | slot

TYPES = _codes("TYPE_", "pal structure gear event soul")
COLORS = ("red", "blue", "green", "purple", "colorless")

# Where the machine stands. In a turn the steps follow one another; every check timing (CR 10.5.3) is AT_CHECK with
# `after` naming the step behind it.
AT = _codes(
    "AT_",
    "coin mulligan_first mulligan_second stand draw draw_card soul soul_add main_begin main end end_clean "
    "attack block_begin block blocked quick_begin quick damage_begin damage battle_end battle_clean "
    "check resolve cost pick over",
)
PHASES = ("setup", "stand", "draw", "soul", "main", "end", "attack", "block", "quick", "damage", "battle_end")
PHASE = _codes("PHASE_", " ".join(PHASES))

# Kinds of options, in the order of sim.labels.
KINDS = (
    "first second mulligan keep play activate attack attack_player draw end block no_block pass choose assign discard "
    "done yes no x mode pay resolve name"
)
KIND = _codes("K_", KINDS)

# What an open pick is for.
USE = _codes("USE_", "effect cost_assign cost_discard cost_butcher cost_exile discard surplus place")

# Amount terms, references and condition kinds of the compiled card language.
TERM = _codes("TERM_", "none x count names power strike cost souls chosen hand material ingredient")
REF = {"this": -1, "them": -2, "that": -3, "assigned": -4, "paid": -5}
REF_THIS, REF_THEM, REF_THAT, REF_ASSIGNED, REF_PAID = -1, -2, -3, -4, -5
COND = _codes("COND_", "compare is night did first_card")
OPS = {"<=": 0, ">=": 1, "==": 2}
ZONE = _codes("Z_", "base hand graveyard exile looked deck")
SIDE = _codes("SIDE_", "any my enemy")

OP = _codes(
    "OP_",
    "end draw draw_to discard discard_to gain take life damage player_damage modify grant declare add_name rest stand "
    "no_stand no_block rush bury butcher exile hand top bottom deploy play look reveal show shuffle mill souls "
    "stand_souls night fail_attack discount choose unless jump repeat again modes may delay",
)
# What continuous abilities look at: orientation, assignment or Power of cards; the number of souls.
WATCH_CARDS, WATCH_SOULS = np.uint64(1), np.uint64(2)
# Resources that an activated ability may need: rows of `act_within`, whose columns end with "any number".
NEEDS = ("souls", "material", "ingredient", "assign", "discard")
MANY = np.uint64(7)
# What an instruction does to the cards it is aimed at, as players see it (sim.games.palworld.worth).
AIM = _codes("AIM_", "none damage bury bounce rest weaken buff stand grant take deploy top fail")
COST = _codes("COST_", "souls consume assign rest discard discard_this butcher mill exile")
STATIC = _codes(
    "STATIC_", "modify grant taunt stealth assault legendary unattackable night deck_any twice damage_plus cost"
)
TRIGGER = _codes(
    "ON_",
    "deployed attacks attacked assigned buried leaves butchered turn_end battle_end foe_buried foe_buried_attacking "
    "buried_in_battle",
)
UNTIL = _codes("UNTIL_", "none turn battle enemy_turn enemy_stand this_in_base")

# Keyword bits of a card in the base, printed or granted.
KEYWORDS = ("Taunt", "Stealth", "Assault", "Legendary", "Nocturnal", "Interrupt", "Vigilance", "Breakthrough")
KEYWORDS += ("Retaliate", "Brave", "Serious")
KW_TAUNT, KW_STEALTH, KW_ASSAULT, KW_LEGENDARY, KW_NOCTURNAL = (np.uint64(1 << i) for i in range(5))

ENDS = ("life", "deck", "both", "loop", "cap")
END_LIFE, END_DECK, END_BOTH, END_LOOP, END_CAP = range(5)

# Events: folded into the signature, and logged where the log is on.
# obj is the card; a and b as named (b only where given).
EVENTS = (
    "draw",  # obj
    "mill",  # obj: deck to graveyard by an effect or cost
    "check",  # obj: flipped by a damage check; a: 1 if it has a lucky icon
    "life",  # obj: PLAYER + seat; a: change
    "damage",  # obj; a: amount
    "play",  # obj
    "activate",  # obj; a: n
    "resolve",  # obj; a: n
    "deploy",  # obj; a: 1 if rested
    "attack",  # obj; a: target
    "block",  # obj
    "fail",  # obj: the attacker
    "bury",  # obj: base to graveyard
    "discard",  # obj: hand to graveyard
    "exile",  # obj
    "return",  # obj: to the hand from the base, graveyard, exile or looked cards
    "top",  # obj
    "bottom",  # obj
    "rest",  # obj
    "stand",  # obj
    "assign",  # obj; a: the structure (255: none)
    "shuffle",  # obj: PLAYER + seat
    "gain",  # obj: PLAYER + seat; a: resource (0 Material, 1 Ingredient); b: amount
    "souls",  # obj: PLAYER + seat; a: how many more
    "night",  # obj: PLAYER + seat
    "modify",  # obj; a: Power; b: Strike
    "grant",  # obj; a: ability
    "reveal",  # obj
    "turn",  # obj: PLAYER + seat; a: turn number
    "mulligan",  # obj: PLAYER + seat
    "used",  # obj: an event card, to the graveyard after its text
    "over",  # obj: PLAYER + seat of the winner, 255 otherwise; a: end
    "rule",  # only logged, before the card is buried: obj; a: 1 lethal damage (CR 11.4), 2 surplus Pal (CR 11.5)
    "auto",  # only logged: a decision with a single option; obj; a: kind; b: target | n << 8 | seat << 30
)
EVENT = _codes("E_", " ".join("ret" if e == "return" else e for e in EVENTS))

"""State of one Aether game as one structured record, and the records that go with it.

`STATE_FIELDS` lists every field once (name, type, shape, meaning); allocation, copying, hashing and documentation
come from it. Cards are `obj = seat << 6 | slot`, tokens take the slots behind the cards of a seat; a set of cards of
one seat is a uint64 mask over its slots. Seat 0 is side a of a matchup.
"""

from __future__ import annotations

import numpy as np

from kernels.aether.weights import WEIGHTS
from kernels.agents import BUDGET
from kernels.guess import guess_fields
from kernels.jit import CHECKED
from kernels.record import Fields, Record, record

OBJECTS = 128
WAITING = 48
DUE = 32
GROUPS = 48
LOG = 512
TURNS = 304

u8, i8, u16, i16, i32, u64 = np.uint8, np.int8, np.uint16, np.int16, np.int32, np.uint64

STATE_FIELDS: Fields = [
    # zones: masks of slots by seat; a card of a seat in none of them is in the deck, or a spell being resolved
    ("hand", u64, 2, "cards in the hand"),
    ("field", u64, 2, "units on the field"),
    ("front", u64, 2, "those in the front row"),
    ("graveyard", u64, 2, "cards in the graveyard"),
    ("aether", u64, 2, "cards in the aether zone"),
    ("deck", u8, (2, 64), "slots of the deck, the top card last"),
    ("deck_count", u8, 2, "cards in the deck"),
    ("shown", u64, 2, "cards of the hand that the opponent knows"),
    ("row", u8, (2, 6), "slot of the unit in each slot of the field, front 0-2, back 3-5; 255 for none"),
    ("card", i16, OBJECTS, "card of each obj; of a token slot that of the last token there, -1 for none"),
    ("next_token", u8, 2, "slot of the next token"),
    ("stay", u16, OBJECTS, "how often the unit has come to the field or left it"),
    # players
    ("life", i32, 2, "life, may be below 0"),
    ("elements", u8, (2, 5), "cards of each element in the aether zone"),
    ("allowed", u64, 2, "cards of the deck whose element is in the aether zone, and neutral ones (AE-2.6)"),
    ("total", u8, 2, "cards in the aether zone"),
    ("used", u8, 2, "used ones among them"),
    ("charged", u8, 2, "has charged this turn"),
    ("decked", u8, 2, "had to draw from an empty deck (AE-7.3)"),
    # units on the field
    ("damage", i16, OBJECTS, "damage"),
    ("attack_plus", i16, OBJECTS, "attack from effects, for good"),
    ("hp_plus", i16, OBJECTS, "HP from effects, for good"),
    ("attack_turn", i16, OBJECTS, "attack from effects that last this turn"),
    ("hp_turn", i16, OBJECTS, "HP from effects that last this turn"),
    ("kept_words", u16, OBJECTS, "keyword bits, printed or granted for good; barrier is a flag of its own"),
    ("turn_words", u16, OBJECTS, "keyword bits granted for this turn"),
    ("changed", u64, 2, "units that effects changed for this turn"),
    ("attacks", u8, OBJECTS, "attacks made this turn"),
    ("attacked", u64, 2, "units that attacked this turn"),
    ("twice", u64, 2, "units that attacked twice or more"),
    ("barrier", u64, 2, "units with a barrier"),
    ("frozen", u64, 2, "frozen units"),
    ("idle", u64, 2, "units that thawed this turn (AE-6.18)"),
    ("moved", u64, 2, "units that moved this turn"),
    ("summoned", u64, 2, "units that came this turn"),
    ("marked", u64, 2, "units that leave in the next check (AE-6.6, 8.9)"),
    ("attack", i16, OBJECTS, "attack now, 0 or more (derived)"),
    ("max_hp", i16, OBJECTS, "HP without damage now (derived)"),
    ("words", u16, OBJECTS, "keyword bits now, barrier too (derived); of a unit that has left, when it left"),
    ("armed", u64, 2, "units with 1 attack or more (derived, as the following masks; units off the field may remain)"),
    ("ranged", u64, 2, "units with ranged"),
    ("haste", u64, 2, "units with haste"),
    ("twin", u64, 2, "units with twin"),
    ("regen", u64, 2, "units with regen"),
    ("timed", u64, 2, "units with an effect of the turn's start or end"),
    ("lasting", u64, 2, "units with a continuous effect"),
    ("dying", u64, 2, "units with no HP left"),
    ("dirty", u8, (), "derived numbers of units with a continuous effect must be computed anew"),
    # waiting on-destroy abilities, first in, first out (AE-8.11)
    ("wait_obj", u8, WAITING, "unit"),
    ("wait_ability", i16, WAITING, "ability"),
    ("wait_words", u16, WAITING, "keyword bits with which it left"),
    ("wait_head", u8, (), "the next one"),
    ("waits", u8, (), "end of the queue"),
    # turn-start or turn-end effects of this phase in order (AE-3.4)
    ("due_obj", u8, DUE, "unit"),
    ("due_stay", u16, DUE, "its stay"),
    ("due_ability", i16, DUE, "ability"),
    ("due_head", u8, (), "the next one"),
    ("dues", u8, (), "end of the list"),
    ("due_after", u8, (), "where the machine goes on behind the list"),
    # the machine
    ("at", u8, (), "where the machine stands"),
    ("after", u8, (), "where it goes on after the check"),
    ("phase", u8, (), "phase, for people"),
    ("turn", u16, (), "turn of the game, from 1"),
    ("turn_seat", u8, (), "active player"),
    ("first_seat", u8, (), "player who went first"),
    ("winner", i8, (), "0 or 1, 2 for a draw, -1 for none"),
    ("end", u8, (), "index into ENDS, 255 while the game goes on"),
    # what is being resolved
    ("pc", i32, (), "next instruction"),
    ("ability", i16, (), "ability being resolved, -1 for none"),
    ("chain", u8, (), "what comes behind it"),
    ("source", u8, (), "this, 255 for none"),
    ("source_stay", u16, (), "stay of this"),
    ("source_words", u16, (), "keyword bits of this if it is no longer on the field"),
    ("seat", u8, (), "its controller"),
    ("answer", i16, (), "answer to a question of the running instruction, -1 for none"),
    ("them", u64, 2, "chosen units"),
    ("them_players", u8, (), "chosen players, as bits"),
    # the open choice
    ("decision", u8, (), "kind of decision: the AT_ code that takes its answer"),
    ("decider", u8, (), "player who decides"),
    ("groups", u8, (), "option groups"),
    ("group_kind", u8, GROUPS, "kind of option"),
    ("group_obj", u8, GROUPS, "acting card, 255 for none"),
    ("group_n", i32, GROUPS, "n of the option"),
    ("group_mask", u64, GROUPS, "one option a bit"),
    ("group_seat", u8, GROUPS, "whose slots the bits are"),
    ("options", u16, (), "number of options"),
    ("pick_use", u8, (), "what the open pick is for"),
    ("pick_seat", u8, (), "who picks"),
    ("pick_low", i16, (), "at least as many"),
    ("pick_high", i16, (), "at most as many"),
    ("pick_mask", u64, 2, "candidates left"),
    ("pick_players", u8, (), "players that may be picked, as bits"),
    ("picked", u8, 64, "picked so far, in order: cards, PLAYER + seat"),
    ("picks", u8, (), "how many"),
    # randomness
    ("shuffle_rng", u64, 2, "stream of each seat's shuffles"),
    ("choice_rng", u64, 2, "stream of each seat's player"),
    ("coin_rng", u64, (), "stream of the coin flip"),
    # what is counted
    ("signature", u64, (), "hash of decisions and events"),
    ("decisions", i32, (), "decisions with two or more options"),
    ("turn_decisions", i32, (), "the same in this turn"),
    ("optioned", i32, 2, "options of the decisions of each seat, added up"),
    ("could_play", u64, (), "cards of the hand that the turn player could play in this turn"),
    ("acted", u8, (), "the turn player has done something in this turn"),
    ("dead_turns", u16, 2, "own turns ended with nothing done"),
    ("stuck_turns", u16, 2, "own turns ended with cards in hand of which none could be played"),
    ("steps", i32, (), "steps of the machine"),
    ("status", u8, (), "0, or why the game was ended by force"),
    ("offered", u64, 2, "cards of the first hand"),
    ("kept", u64, 2, "cards of the opening hand"),
    ("returned", u64, 2, "cards of a redrawn hand"),
    ("drawn", u64, 2, "cards that came into the hand later"),
    ("played", u64, 2, "cards played"),
    ("charges", u64, 2, "cards charged"),
    ("played_count", u16, 2, "cards played"),
    ("spells", u16, 2, "spells played"),
    ("fronts", u16, 2, "units played into the front row"),
    ("backs", u16, 2, "units played into the back row"),
    ("tokens", u16, 2, "tokens that appeared"),
    ("attack_count", u16, 2, "attacks declared"),
    ("faces", u16, 2, "attacks on the player among them"),
    ("moves", u16, 2, "moves of the main phase"),
    ("kills", u16, 2, "enemy units destroyed"),
    ("burned", u16, 2, "cards lost to a full hand"),
    ("mulligans", u8, 2, "opening hand redrawn"),
    ("lead", i16, TURNS, "life of seat 0 minus life of seat 1 at the start of each turn"),
    ("seen_at", u8, OBJECTS, "turn in which the card first came into the hand, 255 for never"),
    ("curve_count", u16, (), "entries in curve"),
    ("curve", u64, 256, "packed ends of turns of this game (sim.games.aether.columns)"),
    ("check_on", u8, (), "the state is validated at every decision; set in checked builds"),
    ("log_on", u8, (), "events are logged"),
    ("log_count", u16, (), "logged events"),
    ("log", u64, LOG, "kind | obj << 8 | (a + 2**15) << 16 | (b + 2**31) << 32"),
]
STATE = record(STATE_FIELDS)

CARDS, ABILITIES, FILTERS, AMOUNTS, CONDITIONS, CODE, STATICS = 72, 128, 96, 96, 64, 768, 48

TABLE_FIELDS: Fields = [
    # switches (sim/games/aether/rules.toml)
    ("life", i32, (), "life at the start, and the most that healing gives"),
    ("first_hand", u8, (), "cards of the opening hand of the player who goes first"),
    ("second_hand", u8, (), "and of the other"),
    ("hand_limit", u8, (), "cards that a hand holds"),
    ("move_when_summoned", u8, (), "1: a unit may move in the turn in which it came (AE-4.4)"),
    # the two decks
    ("card", i16, OBJECTS, "card of each obj, -1 for none"),
    ("deck_size", u8, 2, "cards of each side; tokens take the slots behind"),
    ("cards", u64, 2, "slots of cards that are no tokens"),
    ("same", u64, OBJECTS, "slots with the same card"),
    ("in_order", u8, 2, "1: copies of a card have slots next to one another, as in every deck; the next two need it"),
    ("first_copies", u64, 2, "the first slot of each card"),
    ("last_copies", u64, 2, "the last slot of each card"),
    ("unit_mask", u64, 2, "slots of units"),
    ("element_mask", u64, (2, 5), "slots by element"),
    ("cost_at_most", u64, (2, 16), "slots whose printed cost is at most the index"),
    ("cost_statics", u64, 2, "cards whose cost changes"),
    ("aimed", u64, 2, "spells with targets; the others can always be used (AE-8.1)"),
    ("has_statics", u8, (), "1: a card has a continuous effect; 2: one that counts cards, which anything may change"),
    ("place", u8, OBJECTS, "place of its card among the different cards of the deck"),
    # cards
    ("key", u64, CARDS, "hash of the card number"),
    ("type", u8, CARDS, "type"),
    ("element", u8, CARDS, "element"),
    ("cost", i16, CARDS, "printed cost, 0 for a token"),
    ("base_attack", i16, CARDS, "printed attack"),
    ("base_hp", i16, CARDS, "printed HP"),
    ("printed", u16, CARDS, "printed keyword bits"),
    ("back_first", u8, CARDS, "1: a token that appears in the back row first"),
    ("first", i16, CARDS, "first ability"),
    ("count", u8, CARDS, "how many"),
    ("on", u16, CARDS, "events on which it has an ability, as bits"),
    ("static_first", i16, CARDS, "first continuous effect"),
    ("static_count", u8, CARDS, "how many"),
    ("value", i16, CARDS, "rough worth of playing the card without its targets, for players"),
    # abilities
    ("pc", i32, ABILITIES, "where the effect starts"),
    ("event", u8, ABILITIES, "on what it is resolved"),
    ("n", u8, ABILITIES, "n-th ability of its card"),
    # pieces
    ("static_kind", u8, STATICS, "kind"),
    ("static_word", u16, STATICS, "keyword bit"),
    ("static_attack", i16, STATICS, "amount of attack, or of the reduction of a cost; -1 for none"),
    ("static_hp", i16, STATICS, "amount of HP, -1 for none"),
    ("static_when", i16, STATICS, "condition, -1 for none"),
    ("fit", u8, (FILTERS, CARDS), "1: the printed facts of the card pass the filter"),
    ("filter_zone", u8, FILTERS, "zone"),
    ("filter_side", u8, FILTERS, "side"),
    ("filter_plain", u8, FILTERS, "1: every unit on the field passes, its side and `other` aside"),
    ("filter_other", u8, FILTERS, "1: not this card"),
    ("filter_players", u8, FILTERS, "1: players too"),
    ("filter_rows", u8, FILTERS, "rows that pass: 1 front, 2 back"),
    ("filter_damaged", i8, FILTERS, "1 damaged, 0 not, -1 any"),
    ("filter_frozen", i8, FILTERS, "1 frozen, 0 not, -1 any"),
    ("filter_with", u16, FILTERS, "keyword bits it must have on the field"),
    ("filter_without", u16, FILTERS, "keyword bits it must not have"),
    ("filter_attack", i16, (FILTERS, 2), "lowest and highest attack on the field"),
    ("filter_hp", i16, (FILTERS, 2), "lowest and highest HP on the field"),
    ("amount_const", i32, AMOUNTS, "constant"),
    ("amount_times", i32, AMOUNTS, "factor of the number of cards"),
    ("amount_filter", i16, AMOUNTS, "that pass this filter, -1 for none"),
    ("cond_kind", u8, CONDITIONS, "kind"),
    ("cond_not", u8, CONDITIONS, "1: negated"),
    ("cond_op", u8, CONDITIONS, "comparison, or element"),
    ("cond_left", i16, CONDITIONS, "amount, or number of aether"),
    ("cond_right", i16, CONDITIONS, "amount"),
    ("cond_next", i16, CONDITIONS, "next condition that must hold too, -1 for none"),
    ("code", i32, (CODE, 6), "instructions: operation, five words (sim.games.aether.tables)"),
    *guess_fields(CARDS),
]
TABLES = record(TABLE_FIELDS)
BY_SLOT = ("cards", "unit_mask", "element_mask", "cost_at_most", "cost_statics", "aimed")
"""Masks of slots by seat in which a bit says something of the card alone (kernels.guess)."""

PLAYER_FIELDS: Fields = [
    ("agent", u8, 2, "player of each seat: index into AGENTS"),
    ("weights", i32, (2, 16), "weights of each seat's player"),
    BUDGET,
]
PLAYERS = record(PLAYER_FIELDS)
WEIGHT_SCALE = 100
"""Weights are stored in percent: the parameter 1.0 of a player is 100."""
assert len(WEIGHTS) <= 16

ROW_FIELDS: Fields = [
    ("g", np.int64, (), "game in the matchup"),
    ("first", u8, (), "0: side a went first"),
    ("swapped", u8, (), "1: side a was played by the second player record"),
    ("winner", i8, (), "0 a, 1 b, 2 draw, -1 unfinished"),
    ("end", u8, (), "index into ENDS"),
    ("turns", i16, (), "turns"),
    ("decisions", i32, (), "decisions with two or more options"),
    ("steps", i32, (), "steps of the machine"),
    ("signature", u64, (), "hash of decisions and events"),
    ("life", i32, 2, "by side, as the following (sim.games.aether.columns)"),
    ("cards_left", i16, 2, ""),
    ("attacks", i16, 2, ""),
    ("played", i16, 2, ""),
    ("mulligan", u8, 2, ""),
    ("options", i32, 2, ""),
    ("dead_turns", i16, 2, ""),
    ("stuck_turns", i16, 2, ""),
    ("charges", i16, 2, ""),
    ("aether", i16, 2, ""),
    ("spells", i16, 2, ""),
    ("fronts", i16, 2, ""),
    ("backs", i16, 2, ""),
    ("tokens", i16, 2, ""),
    ("faces", i16, 2, ""),
    ("moves", i16, 2, ""),
    ("kills", i16, 2, ""),
    ("burned", i16, 2, ""),
]
ROW = record(ROW_FIELDS)


def new_lane() -> Record:
    """One zeroed game state."""
    lane = np.zeros(1, STATE)[0]
    lane.check_on = CHECKED
    return lane


def new_tables() -> Record:
    """Zeroed card tables for one matchup."""
    return np.zeros(1, TABLES)[0]

"""State of one Palworld game as one structured record, and the records that go with it.

`STATE_FIELDS` lists every field once (name, type, shape, meaning); allocation, copying, hashing and documentation
come from it. Cards are `obj = seat << 6 | slot`; a set of cards of one seat is a uint64 mask over its slots.
Seat 0 is side a of a matchup.
"""

from __future__ import annotations

import numpy as np

from kernels.agents import BUDGET
from kernels.guess import guess_fields
from kernels.jit import CHECKED
from kernels.record import Record, record

OBJECTS = 128
WAITING = 64
GRANTS = 48
GROUPS = 40
DELAYS = 16
LOCKS = 48
SAID = 12
LOG = 512
TURNS = 256

u8, i8, u16, i16, i32, u32, u64 = np.uint8, np.int8, np.uint16, np.int16, np.int32, np.uint32, np.uint64

STATE_FIELDS: list[tuple[str, type, int | tuple[int, ...], str]] = [
    # zones: masks of slots by seat; a card of a seat in none of them is in the deck or being resolved
    ("hand", u64, 2, "cards in the hand"),
    ("bases", u64, 2, "cards in the base"),
    ("graveyard", u64, 2, "cards in the graveyard"),
    ("exile", u64, 2, "cards in the exile zone"),
    ("deck", u8, (2, 64), "slots of the deck, the top card last"),
    ("deck_count", u8, 2, "cards in the deck"),
    ("known", u64, 2, "cards of the deck whose place was seen or chosen since its last shuffle"),
    ("shown", u64, 2, "cards of the hand and deck of which the opponent knows where they are"),
    # players
    ("life", i32, 2, "life, may be below 0"),
    ("material", i32, 2, "Material"),
    ("ingredient", i32, 2, "Ingredient"),
    ("souls", i16, 2, "souls in the soul area, standing or rested"),
    ("souls_rested", i16, 2, "rested souls among them"),
    ("soul_drawn", u8, (), "the turn player has used the 3-soul draw this turn"),
    ("played_count", u16, 2, "cards played this game"),
    ("rush", u8, 2, "until the end of the turn Pals cannot be assigned and must attack"),
    ("discount", i16, 2, "reduction of the next card that fits discount_filter"),
    ("discount_filter", i16, 2, "filter of the discount, -1 for none"),
    # cards in the base; power, strike and keywords keep the last information of a card that has left (CR 10.12)
    ("resting", u64, 2, "rested cards of the base"),
    ("assigned", u64, 2, "Pals assigned this turn"),
    ("was_rested", u64, 2, "cards that were rested when they last left the base (CR 10.12)"),
    ("was_assigned", u64, 2, "cards that were assigned then"),
    ("no_stand", u64, 2, "cards that do not stand in their master's next stand phase"),
    ("no_block", u64, 2, "Pals that cannot block this turn"),
    ("renamed", u64, 2, "cards that have a declared name in addition this turn"),
    ("declared", i16, (), "name declared by the running effect"),
    ("said", i16, SAID, "names declared this turn that cards were given"),
    ("said_of", u64, (SAID, 2), "the cards that have each of them"),
    ("says", u8, (), "number of such names"),
    ("lock_card", u8, LOCKS, "card that is kept from standing"),
    ("lock_by", u8, LOCKS, "by this card, as long as it is in the base"),
    ("locks", u8, (), "number of such pairs"),
    ("stay", u16, OBJECTS, "number of zone changes: a card that changed zone is a new card (CR 4.1.4)"),
    ("entered", u16, OBJECTS, "number of the deployment that brought it into the base"),
    ("damage", i32, OBJECTS, "damage taken this turn"),
    ("hurt", u64, 2, "cards with damage"),
    ("changed", u64, 2, "cards whose Power or Strike was changed, or that did something counted, this turn"),
    ("power_plus", i32, OBJECTS, "Power from effects that last this turn"),
    ("strike_plus", i32, OBJECTS, "Strike from effects that last this turn"),
    ("power", i32, OBJECTS, "Power or durability now (derived)"),
    ("strike", i32, OBJECTS, "Strike now (derived)"),
    ("keywords", u16, OBJECTS, "keyword bits now (derived)"),
    ("twice", u64, 2, "cards whose automatic abilities are triggered twice (derived)"),
    ("is_night", u8, (), "it is night (derived)"),
    ("uses", u8, (OBJECTS, 4), "plays of each limited ability this turn"),
    ("modes_used", u8, OBJECTS, "modes chosen this turn, as bits"),
    ("exiled_by", u8, OBJECTS, "card whose effect exiled this one, 255 for none"),
    ("exiled_by_stay", u16, OBJECTS, "its stay"),
    ("deployments", u16, (), "deployments so far"),
    ("dirty", u8, (), "derived numbers must be computed anew"),
    ("stirred", u8, (), "something happened since the last check timing"),
    ("has_statics", u8, (), "a continuous ability is in a base"),
    # granted abilities
    ("grant_obj", u8, GRANTS, "card that has the ability"),
    ("grant_ability", i16, GRANTS, "ability"),
    ("grant_turn", u16, GRANTS, "turn at whose end it expires"),
    ("grant_uses", u8, GRANTS, "plays this turn, of abilities with a limit"),
    ("grants", u8, (), "number of granted abilities"),
    # waiting automatic abilities, oldest first (CR 10.8.2)
    ("wait_ability", i16, WAITING, "ability"),
    ("wait_obj", u8, WAITING, "its card"),
    ("wait_stay", u16, WAITING, "stay of that card when it was triggered"),
    ("wait_n", u8, WAITING, "n-th automatic ability of the card"),
    ("wait_that", u8, WAITING, "the card of the event"),
    ("wait_that_stay", u16, WAITING, "its stay"),
    ("wait_back", u8, WAITING, "1: triggered by a card leaving the base, so that it knows its card as it was then"),
    ("wait_power", i32, WAITING, "Power of its card then"),
    ("wait_strike", i32, WAITING, "Strike of its card then"),
    ("waits", u8, (), "number of waiting abilities"),
    ("look_back", u8, (), "cards are leaving the base (CR 10.8.4.1.2)"),
    # delayed triggers of this turn
    ("delay_pc", i32, DELAYS, "where its effect starts"),
    ("delay_obj", u8, DELAYS, "this"),
    ("delay_stay", u16, DELAYS, "its stay"),
    ("delay_them", u64, (DELAYS, 2), "them"),
    ("delays", u8, (), "number of delayed triggers"),
    ("due", u8, (), "those that have come due this turn, the first ones"),
    # the machine
    ("at", u8, (), "where the machine stands"),
    ("after", u8, (), "where it goes on after the check timing"),
    ("phase", u8, (), "phase or step, for people"),
    ("turn", u16, (), "turn of the game, from 1"),
    ("turn_seat", u8, (), "turn player"),
    ("first_seat", u8, (), "player who went first"),
    ("coin_seat", u8, (), "winner of the coin flip"),
    ("night_turn", u16, (), "turn at whose end the night ends, 0 for none"),
    ("winner", i8, (), "0 or 1, 2 for a draw, -1 for none"),
    ("end", u8, (), "index into ENDS, 255 while the game goes on"),
    # battle
    ("battle", u8, (), "a battle is going on"),
    ("attacker", u8, (), "the attacking Pal"),
    ("attacker_stay", u16, (), "its stay when it attacked"),
    ("target", u8, (), "attack target: a card, or PLAYER + seat"),
    ("target_stay", u16, (), "its stay"),
    ("duel", u8, (), "attacker and target Pal are combat Pals of one another (CR 9.4.3)"),
    ("failed", u8, (), "the attack was made to fail"),
    # what is being resolved
    ("pc", i32, (), "next instruction"),
    ("ability", i16, (), "ability being played or resolved, -1 for none"),
    ("source", u8, (), "this"),
    ("source_stay", u16, (), "stay of this when it was played or triggered"),
    ("back", u8, (), "1: it was triggered by a card leaving the base"),
    ("back_power", i32, (), "Power of this then"),
    ("back_strike", i32, (), "Strike of this then"),
    ("master", u8, (), "master of the ability"),
    ("event_card", u8, (), "event card in the resolution zone, 255 for none"),
    ("x", i32, (), "chosen X, -1 while it is open"),
    ("answer", i32, (), "answer to a question of the running instruction, -1 for none"),
    ("did", i32, (), "cards affected by the last choice, may or verb"),
    ("chosen", i32, (), "size of the last choice"),
    ("that", u8, (), "the card of the event"),
    ("that_stay", u16, (), "its stay"),
    ("them", u64, 2, "last chosen cards"),
    ("looked", u64, (), "cards of the master's deck looked at or revealed and still there"),
    ("cost_assigned", u64, (), "Pals assigned as cost"),
    ("cost_paid", u64, (), "other cards that paid the cost"),
    ("cost_alternative", u8, (), "alternative being paid"),
    ("cost_index", u8, (), "next part of it"),
    ("loop_pc", i32, (), "start of the loop"),
    ("loop_left", i32, (), "rounds left"),
    ("taken", i32, (), "Material to take, -1 while that is open"),
    # the open choice
    ("decision", u8, (), "kind of decision: the AT_ code that takes its answer"),
    ("decider", u8, (), "player who decides"),
    ("groups", u8, (), "option groups"),
    ("group_kind", u8, GROUPS, "kind of option"),
    ("group_obj", u8, GROUPS, "acting card, 255 for none"),
    ("group_n", i32, GROUPS, "n of the option, or offset of x"),
    ("group_mask", u64, GROUPS, "one option a bit"),
    ("group_seat", u8, GROUPS, "whose slots the bits are"),
    ("options", u16, (), "number of options"),
    ("pick_use", u8, (), "what the open pick is for"),
    ("pick_kind", u8, (), "kind of its options"),
    ("pick_seat", u8, (), "who picks"),
    ("pick_low", i32, (), "at least as many"),
    ("pick_high", i32, (), "at most as many"),
    ("pick_mask", u64, 2, "candidates left"),
    ("picked", u64, 2, "picked so far"),
    ("pick_order", u8, 64, "picked cards in order"),
    ("picks", u8, (), "how many"),
    ("pick_names", u8, (), "picked cards must differ in name"),
    ("surplus", u64, 2, "Pals that leave as surplus, chosen so far"),
    ("surplus_done", u8, (), "seats whose surplus is chosen, as bits"),
    ("lethal", u64, 2, "lethally damaged cards of the open rule action"),
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
    ("offered", u64, 2, "cards of the first five"),
    ("kept", u64, 2, "cards of the opening hand"),
    ("returned", u64, 2, "cards of a redrawn hand"),
    ("drawn", u64, 2, "cards that came into the hand later"),
    ("played", u64, 2, "cards played"),
    ("milled", u64, 2, "cards put from the deck into the graveyard"),
    ("checks", u16, 2, "damage checks"),
    ("lucky_stops", u16, 2, "damage checks stopped"),
    ("luck_sum", np.float64, 2, "sum of stop - probability over checks with nothing known"),
    ("luck_var", np.float64, 2, "sum of p(1-p) over them"),
    ("attacks", u16, 2, "attacks declared"),
    ("blocks", u16, 2, "blocks declared"),
    ("interrupts", u16, 2, "attacks of the opponent made to fail"),
    ("mulligans", u8, 2, "opening hand redrawn"),
    ("lead", i16, TURNS, "life of seat 0 minus life of seat 1 at the start of each turn"),
    ("seen_at", u8, OBJECTS, "turn in which the card first came into the hand, 255 for never"),
    ("check_count", u16, (), "entries in check_log"),
    ("check_log", u64, 256, "packed damage checks of this game"),
    ("check_on", u8, (), "the state is validated at every decision; set in checked builds"),
    ("log_on", u8, (), "events are logged"),
    ("log_count", u16, (), "logged events"),
    ("log", u64, LOG, "kind | obj << 8 | (a + 2**15) << 16 | (b + 2**31) << 32"),
]

STATE = record(STATE_FIELDS)

CARDS, ABILITIES, FILTERS, AMOUNTS, CONDITIONS, CODE, STATICS, COSTS, NAMES = 192, 256, 192, 192, 64, 1536, 64, 256, 256

TABLE_FIELDS: list[tuple[str, type, int | tuple[int, ...], str]] = [
    # the two decks
    ("card", i16, OBJECTS, "card of each obj, -1 for none"),
    ("deck_size", u8, 2, "cards of each deck"),
    ("key", u64, 256, "hash of the card number of each obj; players and NONE stand for themselves"),
    ("same", u64, OBJECTS, "slots with the same card"),
    ("place", u8, OBJECTS, "place of its card among the different cards of the deck"),
    ("in_order", u8, 2, "1: copies of a card have slots next to one another, as in every deck; the next two need it"),
    ("first_copies", u64, 2, "the first slot of each card"),
    ("last_copies", u64, 2, "the last slot of each card"),
    ("type_mask", u64, (2, 5), "slots by card type"),
    ("lucky", u64, 2, "slots with a lucky icon"),
    ("cost_at_most", u64, (2, 16), "slots whose printed cost is at most the index"),
    ("quick_event", u64, 2, "event cards that can be played in the quick step"),
    ("acts", u64, (2, 2), "cards with an activated ability that works in the base, in the hand"),
    ("quick_acts", u64, (2, 2), "cards with a quick activated ability in the base, in the hand"),
    ("watchers", u64, (2, 16), "cards with an automatic ability for an event, by event"),
    ("listeners", u64, (2, 16), "those of them for which an event of other cards counts, too"),
    ("cost_statics", u64, 2, "cards with a continuous cost change"),
    ("act_within", u64, (2, 2, 5, 8), "cards with an ability (base, hand) that needs at most so many of a NEED"),
    ("act_sure", u64, 2, "cards with one activated ability, whose whole cost is what `act_within` compares"),
    ("has_static", u64, 2, "cards whose continuous abilities change derived numbers"),
    ("static_watch", u8, (), "what derived numbers depend on beside the cards in the bases: WATCH_ bits"),
    ("granted_on", u32, (), "events of the automatic abilities that effects can give, as bits"),
    ("legends", u64, 2, "Legendary cards"),
    ("guarded", u64, 2, "cards that some Pals cannot attack"),
    ("raisers", u64, 2, "cards that raise damage"),
    ("resters", u64, 2, "cards all of whose activated abilities rest them as cost"),
    ("distinct", u8, 2, "different cards of each deck"),
    # cards
    ("type", u8, CARDS, "type"),
    ("cost", i16, CARDS, "printed cost"),
    ("base_power", i32, CARDS, "printed Power or durability"),
    ("base_strike", i16, CARDS, "printed Strike"),
    ("printed", u16, CARDS, "printed keyword bits"),
    ("name", i16, CARDS, "index of the full name"),
    ("main", i16, CARDS, "index of the main name, -1 for none"),
    ("legendary", u8, CARDS, "1 for Legendary"),
    ("value", i16, CARDS, "rough worth of playing the card, for players"),
    ("board", i16, CARDS, "rough worth of the card in the base"),
    ("event_ability", i16, CARDS, "ability of an event card, -1 for none"),
    ("act_first", i16, CARDS, "first activated ability"),
    ("act_count", u8, CARDS, "how many"),
    ("auto_first", i16, CARDS, "first automatic ability"),
    ("auto_count", u8, CARDS, "how many"),
    ("static_first", i16, CARDS, "first continuous effect"),
    ("static_count", u8, CARDS, "how many"),
    # abilities
    ("pc", i32, ABILITIES, "where the effect starts"),
    ("kind", u8, ABILITIES, "0 activated, 1 automatic, 2 continuous, 3 event"),
    ("limit", u8, ABILITIES, "plays a turn, 0 for no limit"),
    ("use_slot", u8, ABILITIES, "counter in `uses`"),
    ("quick", u8, ABILITIES, "1 for quick"),
    ("zone", u8, ABILITIES, "zone where it works"),
    ("n", u8, ABILITIES, "n-th ability of its kind"),
    ("on", u8, ABILITIES, "event of an automatic ability, 255 for none"),
    ("subject", i16, ABILITIES, "filter of the subject, -1 for this card"),
    ("object", i16, ABILITIES, "filter of the object, -1 for any"),
    ("ability_keyword", u16, ABILITIES, "keyword bit that it stands for"),
    ("alternatives", u8, ABILITIES, "alternative costs"),
    ("alt_first", i16, (ABILITIES, 3), "first cost part"),
    ("alt_count", u8, (ABILITIES, 3), "cost parts"),
    ("needs_x", u8, (ABILITIES, 3), "1 where a part uses X"),
    ("plain_cost", u8, (ABILITIES, 3), "1: the following numbers are the whole cost"),
    ("need_souls", u8, (ABILITIES, 3), "souls to rest"),
    ("need_material", u8, (ABILITIES, 3), "Material to consume"),
    ("need_ingredient", u8, (ABILITIES, 3), "Ingredient to consume"),
    ("need_assign", u8, (ABILITIES, 3), "Pals to assign"),
    ("need_discard", u8, (ABILITIES, 3), "other cards of the hand to discard"),
    ("need_rest", u8, (ABILITIES, 3), "1: this card rests"),
    ("need_mill", u8, (ABILITIES, 3), "cards of the deck to mill"),
    ("ability_static", i16, ABILITIES, "first continuous effect of a granted ability, -1 for none"),
    ("ability_statics", u8, ABILITIES, "how many"),
    ("intent", i16, ABILITIES, "rough worth of the effect, for players"),
    # pieces
    ("cost_verb", u8, COSTS, "verb"),
    ("cost_amount", i16, COSTS, "amount"),
    ("cost_filter", i16, COSTS, "filter, -1 for none"),
    ("cost_word", u8, COSTS, "0 Material, 1 Ingredient"),
    ("static_kind", u8, STATICS, "kind"),
    ("static_target", i16, STATICS, "filter, or a reference below 0"),
    ("static_power", i16, STATICS, "amount, -1 for none"),
    ("static_strike", i16, STATICS, "amount, -1 for none"),
    ("static_when", i16, STATICS, "condition, -1 for none"),
    ("static_source", i16, STATICS, "filter of the damage source, -1 for none"),
    ("static_ability", i16, STATICS, "granted ability, -1 for none"),
    ("static_floor", u8, STATICS, "a cost is not reduced below this"),
    ("static_outside", u8, STATICS, "works while its card is: 0 in the base, 1 not in the base, 2 in the hand"),
    ("fit", u64, (FILTERS, 2), "slots whose printed facts pass the filter, by seat"),
    ("fit_card", u8, (FILTERS, CARDS), "the same by card"),
    ("filter_zone", u8, FILTERS, "zone"),
    ("filter_side", u8, FILTERS, "side"),
    ("filter_other", u8, FILTERS, "1: not this card"),
    ("filter_dynamic", u8, FILTERS, "more than printed facts: 1 orientation or assignment, 2 what each card is asked"),
    ("filter_state", u8, FILTERS, "0 any, 1 standing, 2 rested"),
    ("filter_costed", u8, FILTERS, "1: a test on cost, so that changed costs matter"),
    ("filter_cost_low", i16, FILTERS, "lowest cost that passes the constant tests"),
    ("filter_cost_high", i16, FILTERS, "highest"),
    ("filter_cost_op", i8, FILTERS, "comparison with a cost that is not constant, -1 for none"),
    ("filter_cost", i16, FILTERS, "amount"),
    ("filter_power_op", i8, FILTERS, "comparison with Power, -1 for none"),
    ("filter_power", i16, FILTERS, "amount"),
    ("filter_with", u16, FILTERS, "keyword bits it must have"),
    ("filter_without", u16, FILTERS, "keyword bits it must not have"),
    ("filter_assigned", u8, FILTERS, "1: assigned this turn"),
    ("filter_exiled", u8, FILTERS, "1: exiled by this card"),
    ("filter_named", u8, FILTERS, "1: a test on names, so that a declared name matters"),
    ("name_fit", u8, (FILTERS, NAMES), "1: the declared name passes the test on names"),
    ("fit_unnamed", u64, (FILTERS, 2), "fit without the test on names"),
    ("fit_uncosted", u64, (FILTERS, 2), "fit without the tests on cost"),
    ("amount_const", i32, AMOUNTS, "constant"),
    ("amount_times", i32, AMOUNTS, "factor of the term"),
    ("amount_term", u8, AMOUNTS, "term"),
    ("amount_filter", i16, AMOUNTS, "filter of the term"),
    ("amount_of", i8, AMOUNTS, "reference of the term"),
    ("cond_kind", u8, CONDITIONS, "kind"),
    ("cond_not", u8, CONDITIONS, "1: negated"),
    ("cond_op", u8, CONDITIONS, "comparison"),
    ("cond_left", i16, CONDITIONS, "amount"),
    ("cond_right", i16, CONDITIONS, "amount"),
    ("cond_of", i8, CONDITIONS, "reference"),
    ("cond_filter", i16, CONDITIONS, "filter"),
    ("cond_next", i16, CONDITIONS, "next condition that must hold too, -1 for none"),
    ("code", i32, (CODE, 8), "instructions: operation, four words; what it aims at, how hard, points (for players)"),
    ("names", i16, (), "card names that can be declared"),
    # rule switches
    ("life", i16, (), "life at the start"),
    ("hand", u8, (), "cards of an opening hand"),
    ("second_souls", u8, (), "souls that the second player begins with"),
    ("souls_a_turn", u8, (), "souls that come in a soul phase"),
    ("soul_limit", u8, (), "souls that a player can have"),
    ("draw_price", u8, (), "souls to rest for a card"),
    ("pal_limit", u8, (), "Pals that a base holds"),
    *guess_fields(CARDS),
]
TABLES = record(TABLE_FIELDS)
BY_SLOT = ("type_mask", "lucky", "cost_at_most", "quick_event", "acts", "quick_acts", "watchers", "listeners")
BY_SLOT += ("cost_statics", "act_within", "act_sure", "has_static", "legends", "guarded", "raisers", "resters")
BY_SLOT += ("fit", "fit_unnamed", "fit_uncosted")
"""Masks of slots by seat in which a bit says something of the card alone (kernels.guess)."""

PLAYER_FIELDS: list[tuple[str, type, int | tuple[int, ...], str]] = [
    ("agent", u8, 2, "player of each seat: index into AGENTS"),
    ("weights", i32, (2, 64), "weights of each seat's player"),
    BUDGET,
]
PLAYERS = record(PLAYER_FIELDS)
WEIGHT_SCALE = 100
"""Weights are stored in percent: the parameter 1.0 of a player is 100."""

MEASURES = 16
"""offered kept returned drawn hand played milled unseen, then seen by the end of turn SEEN_TURNS[i]."""
SEEN_TURNS = (2, 4, 6, 8, 10, 12, 16, 20)

ROW_FIELDS: list[tuple[str, type, int | tuple[int, ...], str]] = [
    ("g", np.int64, (), "game in the matchup"),
    ("first", u8, (), "0: side a went first"),
    ("swapped", u8, (), "1: side a was played by the second player record"),
    ("winner", i8, (), "0 a, 1 b, 2 draw, -1 unfinished"),
    ("end", u8, (), "index into ENDS"),
    ("turns", i16, (), "turns"),
    ("decisions", i32, (), "decisions with two or more options"),
    ("steps", i32, (), "steps of the machine"),
    ("signature", u64, (), "hash of decisions and events"),
    ("life", i32, 2, "by side, as the following"),
    ("cards_left", i16, 2, ""),
    ("checks", i16, 2, ""),
    ("lucky", i16, 2, ""),
    ("lucky_held", i16, 2, ""),
    ("luck_sum", np.float64, 2, ""),
    ("luck_var", np.float64, 2, ""),
    ("milled", i16, 2, ""),
    ("attacks", i16, 2, ""),
    ("blocks", i16, 2, ""),
    ("interrupts", i16, 2, ""),
    ("played", i16, 2, ""),
    ("mulligan", u8, 2, ""),
    ("options", i32, 2, ""),
    ("dead_turns", i16, 2, ""),
    ("stuck_turns", i16, 2, ""),
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


def new_players() -> Record:
    """Zeroed player records: both seats random."""
    return np.zeros(1, PLAYERS)[0]

"""Compile parsed cards and two decks into the integer tables that the kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from kernels.aether import codes, state
from kernels.record import Record
from sim.cards.ast import (
    Ability,
    All,
    Amount,
    Card,
    Choose,
    Compare,
    Condition,
    Do,
    Effect,
    Filter,
    If,
    May,
    Modes,
    Not,
    Resonance,
    Static,
    Target,
    Test,
    nodes_of,
)
from sim.errors import InputError
from sim.games.aether import RULES
from sim.games.copies import mark_copies
from sim.games.lists import fill_lists
from sim.provenance import key_of

SWITCHES = ("life", "first_hand", "second_hand", "hand_limit", "move_when_summoned")
"""Rule switches that the kernels read; the others are about decks."""
BITS = {name: 1 << i for i, name in enumerate(codes.KEYWORDS)}
LOW, HIGH = -30000, 30000
MOST_CARDS = 58
"""Cards of a seat at most: of its 64 places six are for tokens."""
FIELD_TESTS = ("attack", "hp", "keyword", "row", "state")
"""Tests whose answer changes while a card is on the field."""


class TableError(InputError):
    """A card or deck does not fit into the compiled tables."""


def fits_facts(what: Filter, card: Card) -> bool:
    """The printed facts of a card pass the filter; on the field, tests that depend on the game count as passed."""
    kinds = {card.type} | ({"unit"} if card.type == "token" else set())
    if what.types and not kinds & set(what.types):
        return False
    for test in what.where:
        if what.zone == "field" and test.key in FIELD_TESTS:
            continue
        if test.key in ("row", "state"):
            passed = test.op == "not"
        elif test.key == "element":
            passed = (card.element == test.value) == (test.op == "is")
        elif test.key == "keyword":
            passed = (test.value in card.keywords) == (test.op == "is")
        else:
            value = {"cost": card.cost, "attack": card.attack or 0, "hp": card.hp or 0}[test.key]
            passed = {"<=": value <= number(test), ">=": value >= number(test), "==": value == number(test)}[test.op]
        if not passed:
            return False
    return True


def number(test: Test) -> int:
    """What a test compares with."""
    if not isinstance(test.value, Amount) or test.value.term:
        raise TableError(f"a description compares {test.key} with a count, which is not supported")
    return test.value.const


class Builder:
    """Collects the pieces of all cards of a matchup; equal pieces are stored once."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.T: Any = state.new_tables()
        self.cards = list(cards)
        self.index = {card.number: c for c, card in enumerate(cards)}
        self.aimed: set[int] = set()  # spells with targets
        self.counts = dict.fromkeys(("amount", "filter", "condition", "ability", "static", "code"), 0)
        self.filters: dict[Filter, int] = {}
        self.amounts: dict[Amount, int] = {}

    def take(self, piece: str, n: int = 1) -> int:
        """Reserve n rows of a piece table; the first one."""
        limits = {
            "amount": state.AMOUNTS,
            "filter": state.FILTERS,
            "condition": state.CONDITIONS,
            "ability": state.ABILITIES,
            "static": state.STATICS,
            "code": state.CODE,
        }
        first = self.counts[piece]
        if first + n > limits[piece]:
            raise TableError(f"the cards of this matchup need more than {limits[piece]} {piece} rows")
        self.counts[piece] = first + n
        return first

    # Pieces

    def amount(self, amount: Amount | None) -> int:
        """Row of an amount, -1 for none."""
        if amount is None:
            return -1
        if amount not in self.amounts:
            if amount.term not in ("", "count"):
                raise TableError(f"the number {amount.term!r} is not known in Aether")
            i = self.amounts[amount] = self.take("amount")
            self.T.amount_const[i] = amount.const
            self.T.amount_times[i] = amount.times
            self.T.amount_filter[i] = self.filter(amount.what) if amount.term and amount.what else -1
        return self.amounts[amount]

    def filter(self, what: Filter) -> int:
        """Row of a filter."""
        if what not in self.filters:
            i = self.filters[what] = self.take("filter")
            self.fill_filter(i, what)
        return self.filters[what]

    def fill_filter(self, i: int, what: Filter) -> None:
        T = self.T
        T.filter_zone[i] = codes.ZONE[what.zone]
        T.filter_side[i] = codes.SIDE[what.side]
        T.filter_other[i] = what.other
        T.filter_plain[i] = what.zone == "field" and not what.where and (not what.types or "unit" in what.types)
        T.filter_players[i] = "player" in what.types
        T.filter_rows[i] = 3
        T.filter_damaged[i] = T.filter_frozen[i] = -1
        T.filter_attack[i] = T.filter_hp[i] = LOW, HIGH
        for test in what.where if what.zone == "field" else ():
            if test.key in ("attack", "hp"):
                span, n = (T.filter_attack if test.key == "attack" else T.filter_hp)[i], number(test)
                if test.op != "<=":
                    span[0] = max(span[0], n)
                if test.op != ">=":
                    span[1] = min(span[1], n)
            elif test.key == "keyword":
                words = T.filter_with if test.op == "is" else T.filter_without
                words[i] |= BITS[str(test.value)]
            elif test.key == "row":
                T.filter_rows[i] &= 1 if (test.value == "front") == (test.op == "is") else 2
            elif test.key == "state":
                states = T.filter_damaged if test.value == "damaged" else T.filter_frozen
                states[i] = test.op == "is"
        for c, card in enumerate(self.cards):
            T.fit[i, c] = fits_facts(what, card)

    def condition(self, when: Condition | None, negated: bool = False) -> int:
        """First row of a chain of conditions, -1 for none."""
        if when is None:
            return -1
        if isinstance(when, All):
            if negated:
                raise TableError("`not` of several conditions is not supported")
            rows = [self.condition(part) for part in when.of]
            for row, following in pairwise(rows):
                while self.T.cond_next[row] >= 0:
                    row = int(self.T.cond_next[row])
                self.T.cond_next[row] = following
            return rows[0]
        if isinstance(when, Not):
            return self.condition(when.of, not negated)
        T, i = self.T, self.take("condition")
        T.cond_next[i] = -1
        T.cond_not[i] = negated
        if isinstance(when, Resonance):
            T.cond_kind[i] = codes.COND["resonance"]
            T.cond_op[i], T.cond_left[i] = codes.ELEMENTS.index(when.element), when.count
        elif isinstance(when, Compare):
            T.cond_kind[i] = codes.COND["compare"]
            T.cond_op[i] = codes.COMPARE[when.op]
            T.cond_left[i], T.cond_right[i] = self.amount(when.left), self.amount(when.right)
        else:
            raise TableError(f"the condition {type(when).__name__} is not known in Aether")
        return i

    # Effects

    def put(self, op: str, *words: int) -> int:
        """Write an instruction; its row."""
        row = self.take("code")
        self.T.code[row, 0] = codes.OP[op]
        self.T.code[row, 1 : 1 + len(words)] = words
        return row

    def block(self, effects: Sequence[Effect], nested: bool = False) -> None:
        """Instructions one after another. A choice that cannot be made goes on behind them (AE-8.3)."""
        choices = []
        for effect in effects:
            if isinstance(effect, Choose):
                what, low, high = self.filter(effect.what), self.amount(effect.low), self.amount(effect.high)
                choices.append(self.put("choose", what, low, high))
            elif isinstance(effect, If):
                self.branch(effect, nested)
            elif isinstance(effect, May):
                may = self.put("may")
                self.block(effect.body, nested)
                self.T.code[may, 1] = self.counts["code"]
            elif isinstance(effect, Modes):
                self.modes(effect, nested)
            elif isinstance(effect, Do):
                self.verb(effect)
            else:
                raise TableError(f"{type(effect).__name__} is not known in Aether")
        for row in choices:
            self.T.code[row, 4] = self.counts["code"]

    def branch(self, effect: If, nested: bool) -> None:
        unless = self.put("unless", self.condition(effect.when))
        self.block(effect.then, nested)
        if effect.otherwise:
            jump = self.put("jump")
            self.T.code[unless, 2] = self.counts["code"]
            self.block(effect.otherwise, nested)
            self.T.code[jump, 1] = self.counts["code"]
        else:
            self.T.code[unless, 2] = self.counts["code"]

    def modes(self, effect: Modes, nested: bool) -> None:
        if nested:
            raise TableError("a choice of one inside a choice of one is not supported")
        row = self.put("modes", len(effect.bodies))
        starts = [self.put("jump") for _ in effect.bodies]
        ends = []
        for start, body in zip(starts, effect.bodies, strict=True):
            self.T.code[start, 1] = self.counts["code"]
            self.block(body, nested=True)
            ends.append(self.put("jump"))
        self.T.code[row, 2] = self.counts["code"]
        for end in ends:
            self.T.code[end, 1] = self.counts["code"]

    def verb(self, effect: Do) -> None:
        """The words of an instruction: amount or keyword, target (a filter, or a reference), then as the verb needs."""
        verb, n, turn = effect.verb, self.amount(effect.amount), int(bool(effect.until))
        if verb in ("draw", "mill", "life", "lose", "player_damage"):
            self.put(verb, n)
        elif verb == "ramp":
            self.put(verb, n, int(effect.word == "used"))
        elif verb == "discard":
            self.put(verb, n, int(effect.who == "enemy"))
        elif verb == "return":
            self.put(verb, n, self.target(effect.target))
        elif verb == "summon":
            self.put(verb, n, 0, self.token(effect.word))
        elif verb == "modify":
            self.put(verb, self.amount(effect.attack), self.target(effect.target), self.amount(effect.hp), turn)
        elif verb in ("keyword", "lose_keyword"):
            self.put(verb, codes.KEYWORDS.index(effect.word), self.target(effect.target), 0, turn)
        elif verb in ("damage", "heal", "restore", "freeze", "destroy", "hand", "move"):
            self.put(verb, n, self.target(effect.target))
        else:
            raise TableError(f"the verb {verb} is not known in Aether")

    def target(self, target: Target | None) -> int:
        if isinstance(target, Filter):
            return self.filter(target)
        return codes.REF_THIS if target == "this" else codes.REF_THEM

    def token(self, number: str) -> int:
        if number not in self.index:
            raise TableError(f"there is no token {number}")
        return self.index[number]

    # Cards

    def fill_card(self, c: int, card: Card) -> None:
        T = self.T
        T.key[c] = key_of(card.number)
        T.type[c] = codes.TYPES[card.type]
        T.element[c] = codes.ELEMENTS.index(card.element)
        T.cost[c], T.base_attack[c], T.base_hp[c] = card.cost, card.attack or 0, card.hp or 0
        T.printed[c] = sum(BITS[word] for word in card.keywords)
        T.back_first[c] = card.row == "back"
        T.first[c], T.count[c] = self.counts["ability"], 0
        T.static_first[c], T.static_count[c] = self.counts["static"], 0
        for n, ability in enumerate(card.abilities, 1):
            if ability.kind == "cont":
                T.on[c] |= 1 << int(codes.TRIGGER["static"])
                for static in ability.statics:
                    self.static(static, ability)
                    T.static_count[c] += 1
                continue
            event = "spell" if ability.kind == "spell" else ability.trigger.event if ability.trigger else ""
            i = self.take("ability")
            T.on[c] |= 1 << int(codes.TRIGGER[event])
            T.event[i], T.n[i], T.pc[i] = codes.TRIGGER[event], n, self.counts["code"]
            self.block(ability.effects)
            if event == "spell" and codes.OP["choose"] in T.code[T.pc[i] : self.counts["code"], 0]:
                self.aimed.add(c)
            self.put("end")
            T.count[c] += 1

    def static(self, static: Static, ability: Ability) -> None:
        T, i = self.T, self.take("static")
        T.static_kind[i] = codes.STATIC[static.kind]
        T.static_word[i] = BITS[static.word] if static.kind == "keyword" else 0
        T.static_attack[i] = self.amount(static.amount if static.kind == "cost" else static.attack)
        T.static_hp[i] = self.amount(static.hp)
        T.static_when[i] = self.condition(ability.when)

    def fill_seat(self, seat: int, side: Sequence[int]) -> None:
        """Sets of slots of one seat; side: the card of each slot."""
        T = self.T
        T.deck_size[seat] = len(side)
        mark_copies(T, seat, side)
        kinds = sorted({card for card in side if self.cards[card].type != "token"})
        for slot, c in enumerate(side):
            card, bit, obj = self.cards[c], 1 << slot, seat * 64 + slot
            T.card[obj] = c
            T.same[obj] = sum(1 << other for other, same in enumerate(side) if same == c)
            if card.type == "token":
                continue
            T.cards[seat] = int(T.cards[seat]) | bit
            T.place[obj] = kinds.index(c)
            T.element_mask[seat, int(T.element[c])] = int(T.element_mask[seat, int(T.element[c])]) | bit
            if card.type == "unit":
                T.unit_mask[seat] = int(T.unit_mask[seat]) | bit
            for cost in range(max(card.cost, 0), 16):
                T.cost_at_most[seat, cost] = int(T.cost_at_most[seat, cost]) | bit
            if any(static.kind == "cost" for ability in card.abilities for static in ability.statics):
                T.cost_statics[seat] = int(T.cost_statics[seat]) | bit
            if c in self.aimed:
                T.aimed[seat] = int(T.aimed[seat]) | bit


def cards_of(sides: Sequence[Sequence[Card]]) -> list[Card]:
    """The cards of some decks and the tokens that they make, in the order of the tables."""
    found: dict[str, Card] = {}
    waiting = [card for side in sides for card in side]
    while waiting:
        card = waiting.pop()
        if card.number not in found:
            found[card.number] = card
            waiting += card.makes
    return [found[number] for number in sorted(found)]


def compile_tables(
    sides: Sequence[Sequence[Card]],
    names: Sequence[str] = (),
    rules: Mapping[str, Any] | None = None,
    lists: Sequence[Sequence[Card]] = (),
) -> Record:
    """Tables for two lists of cards; slot i of a seat is the i-th card of its list (decks: sorted by number).

    names: not used here, no card name is declared. rules: switches that are not as in `sim.games.aether.RULES`.
    lists: decks that an opponent may have, for players who are not told its list; games are the same with them.
    """
    for side in sides:
        if len(side) > MOST_CARDS:
            raise TableError(f"a player has {len(side)} cards; at most {MOST_CARDS} are supported, tokens need room")
    cards = cards_of([*sides, *lists])
    if len(cards) > state.CARDS:
        raise TableError(f"a matchup has {len(cards)} different cards; at most {state.CARDS} are supported")
    builder = Builder(cards)
    T = builder.T
    for name in SWITCHES:
        setattr(T, name, (RULES | dict(rules or {}))[name])
    T.card[:] = -1
    for c, card in enumerate(cards):
        builder.fill_card(c, card)
    always = [ability for card in cards for ability in card.abilities if ability.statics]
    counting = any(isinstance(node, Amount) and node.term for node in nodes_of(tuple(always)))
    T.has_statics = 2 if counting else 1 if always else 0
    if lists:
        decks = [[builder.index[card.number] for card in deck] for deck in lists]
        fill_lists(T, state, decks, len(cards), builder.fill_seat)
    for seat, side in enumerate(sides):
        builder.fill_seat(seat, [builder.index[card.number] for card in side])
    return builder.T

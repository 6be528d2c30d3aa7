"""Compile parsed cards and two decks into the integer tables that the kernels read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from kernels.palworld import codes, state
from kernels.record import Record
from sim.cards.ast import (
    Ability,
    All,
    Amount,
    Card,
    Choose,
    Compare,
    Condition,
    Cost,
    Delay,
    Do,
    Effect,
    Filter,
    Flag,
    If,
    Is,
    May,
    Modes,
    Not,
    Repeat,
    Static,
    Target,
    Test,
)
from sim.cards.flow import nodes_of
from sim.errors import InputError
from sim.games.lists import fill_lists
from sim.games.palworld import RULES, worth
from sim.games.palworld.facts import NAME_TESTS, fits_facts, has_name, keywords_of, printed_keywords
from sim.games.palworld.seats import fill_seat

KINDS = {"act": 0, "auto": 1, "cont": 2, "event": 3}
PLAIN_TERMS = ("", "x", "power", "strike", "cost", "souls", "chosen")
KEYWORD_BITS = {name: 1 << i for i, name in enumerate(codes.KEYWORDS)}


class TableError(InputError):
    """A card or deck does not fit into the compiled tables."""


def cost_range(what: Filter) -> tuple[int, int]:
    """The costs that pass the filter's tests with a constant, as lowest and highest."""
    low, high = -1, 1000
    for test in what.where:
        if test.key == "cost" and isinstance(test.value, Amount) and not test.value.term:
            if test.op != "<=":
                low = max(low, test.value.const)
            if test.op != ">=":
                high = min(high, test.value.const)
    return low, high


class Builder:
    """Collects the pieces of all cards of a matchup; equal pieces are stored once."""

    def __init__(self, cards: Sequence[Card], names: Sequence[str]) -> None:
        self.T: Any = state.new_tables()
        self.cards = list(cards)
        self.names = list(names)
        self.counts = dict.fromkeys(("amount", "filter", "cond", "ability", "static", "cost", "code"), 0)
        self.filters: dict[Filter, int] = {}
        self.amounts: dict[Amount, int] = {}
        self.grants: dict[Ability, int] = {}
        self.discounted: set[int] = set()

    def take(self, piece: str, n: int = 1) -> int:
        """Reserve n rows of a piece table; the first one."""
        limits = {
            "amount": state.AMOUNTS,
            "filter": state.FILTERS,
            "cond": state.CONDITIONS,
            "ability": state.ABILITIES,
            "static": state.STATICS,
            "cost": state.COSTS,
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
            i = self.take("amount")
            self.amounts[amount] = i
            self.T.amount_const[i] = amount.const
            self.T.amount_times[i] = amount.times
            self.T.amount_term[i] = codes.TERM[amount.term or "none"]
            self.T.amount_filter[i] = self.filter(amount.what)
            self.T.amount_of[i] = codes.REF.get(amount.of, 0)
        return self.amounts[amount]

    def filter(self, what: Filter | None) -> int:
        """Row of a filter, -1 for none."""
        if what is None:
            return -1
        if what not in self.filters:
            i = self.take("filter")
            self.filters[what] = i
            self.fill_filter(i, what)
        return self.filters[what]

    def fill_filter(self, i: int, what: Filter) -> None:
        T = self.T
        T.filter_zone[i] = codes.ZONE[what.zone]
        T.filter_side[i] = codes.SIDE[what.side]
        T.filter_other[i] = what.other
        T.filter_cost_op[i] = T.filter_power_op[i] = -1
        T.filter_costed[i] = any(test.key == "cost" for test in what.where)
        T.filter_cost_low[i], T.filter_cost_high[i] = cost_range(what)
        dynamic = 0
        for test in what.where:
            if test.key in ("cost", "power") and isinstance(test.value, Amount):
                if test.value.term not in PLAIN_TERMS:
                    raise TableError(f"a filter compares {test.key} with a count, which is not supported")
                if test.key == "power":
                    T.filter_power_op[i], T.filter_power[i] = codes.OPS[test.op], self.amount(test.value)
                    dynamic = 2
                elif test.value.term:
                    T.filter_cost_op[i], T.filter_cost[i] = codes.OPS[test.op], self.amount(test.value)
                    dynamic = 2
            elif test.key == "state":
                T.filter_state[i] = 1 if test.value == "standing" else 2
                dynamic = max(dynamic, 1)
            elif test.key == "assigned":
                T.filter_assigned[i] = 1
                dynamic = max(dynamic, 1)
            elif test.key == "exiled_by_this":
                T.filter_exiled[i] = 1
                dynamic = 2
            elif test.key == "keyword" and what.zone == "base":
                if test.op == "is":
                    T.filter_with[i] |= KEYWORD_BITS[str(test.value)]
                else:
                    T.filter_without[i] |= KEYWORD_BITS[str(test.value)]
                dynamic = 2
        T.filter_dynamic[i] = dynamic
        name_tests = [test for test in what.where if test.key in NAME_TESTS]
        T.filter_named[i] = bool(name_tests)
        for k, name in enumerate(self.names):
            T.name_fit[i, k] = all(has_name(test, name) for test in name_tests)
        for k, card in enumerate(self.cards):
            T.fit_card[i, k] = fits_facts(what, card)

    def condition(self, when: Condition | None, negated: bool = False) -> int:
        """First row of a chain of conditions, -1 for none."""
        if when is None:
            return -1
        if isinstance(when, All):
            if negated:
                raise TableError("`not` of several conditions is not supported")
            rows = [self.condition(part) for part in when.of]
            for row, following in pairwise(rows):
                self.T.cond_next[row] = following
            return rows[0]
        if isinstance(when, Not):
            return self.condition(when.of, not negated)
        i = self.take("cond")
        T = self.T
        T.cond_next[i] = -1
        T.cond_not[i] = negated
        if isinstance(when, Compare):
            T.cond_kind[i] = codes.COND_COMPARE
            T.cond_op[i] = codes.OPS[when.op]
            T.cond_left[i], T.cond_right[i] = self.amount(when.left), self.amount(when.right)
        elif isinstance(when, Is):
            T.cond_kind[i] = codes.COND_IS
            T.cond_of[i] = codes.REF[when.of]
            what = when.what if isinstance(when.what, Filter) else Filter(where=(when.what,))
            T.cond_filter[i] = self.filter(what)
        elif isinstance(when, Flag):
            T.cond_kind[i] = codes.COND[when.name]
        else:
            raise TableError(f"Palworld has no {type(when).__name__}")
        return i

    def target(self, target: Target | None) -> int:
        """A reference below 0, or a filter row."""
        if isinstance(target, str):
            return codes.REF[target]
        return self.filter(target)

    # Abilities

    def abilities(self, abilities: Sequence[Ability], kind: str) -> tuple[int, int]:
        """Rows of the abilities of one kind, one after another: first and count."""
        chosen = [ability for ability in abilities if ability.kind == kind]
        first = self.take("ability", len(chosen))
        for n, ability in enumerate(chosen):
            self.fill_ability(first + n, ability, n + 1)
        return first, len(chosen)

    def fill_ability(self, i: int, ability: Ability, n: int) -> None:
        T = self.T
        T.kind[i] = KINDS[ability.kind]
        T.limit[i] = ability.limit
        T.use_slot[i] = (n - 1) % 4
        T.quick[i] = ability.quick
        T.zone[i] = codes.ZONE["hand"] if ability.zone == "hand" else codes.ZONE["base"]
        T.n[i] = n
        T.on[i] = codes.NONE
        T.subject[i] = T.object[i] = T.ability_static[i] = -1
        T.ability_keyword[i] = sum(KEYWORD_BITS[word] for word in keywords_of(ability))
        T.intent[i] = worth.ability_worth(ability)
        if ability.trigger:
            T.on[i] = codes.TRIGGER[ability.trigger.event]
            subject = ability.trigger.subject
            T.subject[i] = -1 if isinstance(subject, str) else self.filter(subject)
            T.object[i] = self.filter(ability.trigger.object)
        if len(ability.costs) > 3:
            raise TableError("an ability has more than three alternative costs")
        T.alternatives[i] = max(len(ability.costs), 1)
        for k, parts in enumerate(ability.costs):
            first = self.take("cost", len(parts))
            T.alt_first[i, k], T.alt_count[i, k] = first, len(parts)
            for j, part in enumerate(parts):
                T.cost_verb[first + j] = codes.COST[part.verb]
                T.cost_amount[first + j] = self.amount(part.amount)
                T.cost_filter[first + j] = self.filter(part.what)
                T.cost_word[first + j] = part.word == "ingredient"
                if part.amount.term == "x":
                    T.needs_x[i, k] = 1
            self.plain_cost(i, k, parts)
        if ability.kind == "cont":
            T.ability_static[i], T.ability_statics[i] = self.statics([ability])
        else:
            T.pc[i] = self.code(ability.effects)

    def plain_cost(self, i: int, k: int, parts: Sequence[Cost]) -> None:
        """The common costs as numbers, so that they are compared and not interpreted."""
        T = self.T
        columns = {"souls": T.need_souls, "assign": T.need_assign, "discard": T.need_discard, "mill": T.need_mill}
        for part in parts:
            column = columns.get(part.verb)
            if part.verb == "consume":
                column = T.need_ingredient if part.word == "ingredient" else T.need_material
            elif part.verb == "rest":
                column = T.need_rest
            elif part.verb == "discard_this":
                continue
            # An X counts as 0 here: whether the ability can be played does not depend on it.
            if column is None or part.what is not None or part.amount.term not in ("", "x"):
                return
            column[i, k] += part.amount.const
        T.plain_cost[i, k] = 1

    def statics(self, abilities: Sequence[Ability]) -> tuple[int, int]:
        """Rows of all continuous effects of some abilities: first and count."""
        pairs = [(ability, static) for ability in abilities for static in ability.statics]
        first = self.take("static", len(pairs))
        for k, (ability, static) in enumerate(pairs, first):
            self.fill_static(k, ability, static)
        return first, len(pairs)

    def fill_static(self, k: int, ability: Ability, static: Static) -> None:
        T = self.T
        T.static_kind[k] = codes.STATIC[static.kind]
        T.static_target[k] = self.target(static.target)
        T.static_power[k] = self.amount(static.amount if static.amount is not None else static.power)
        T.static_strike[k] = self.amount(static.strike)
        T.static_when[k] = self.condition(ability.when)
        T.static_source[k] = self.filter(static.source)
        T.static_floor[k] = static.floor
        T.static_outside[k] = {"base": 0, "hand": 2}.get(ability.zone, 1)
        T.static_ability[k] = -1
        if static.ability is not None:
            T.static_ability[k] = self.granted(static.ability)

    def granted(self, ability: Ability) -> int:
        """Row of an ability that an effect gives to cards; the same text is the same ability."""
        if ability not in self.grants:
            self.grants[ability] = self.take("ability")
            self.fill_ability(self.grants[ability], ability, 1)
        return self.grants[ability]

    # Effects

    def code(self, effects: Sequence[Effect]) -> int:
        """Compile a sequence of effects; where it starts."""
        rows: list[list[int]] = []
        self.emit(rows, effects)
        rows.append([int(codes.OP_END)])
        start = self.take("code", len(rows))
        for i, row in enumerate(rows):
            # Jumps are written relative to the start of the sequence, as ("to", n).
            for j, word in enumerate(row):
                self.T.code[start + i, j] = word[1] + start if isinstance(word, tuple) else word
        return start

    def emit(self, rows: list[Any], effects: Sequence[Effect]) -> None:
        for n, effect in enumerate(effects):
            at = len(rows)
            self.emit_one(rows, effect)
            if effect is not None and at < len(rows):
                rows[at].extend([0] * (5 - len(rows[at])))
                rows[at].extend(worth.note(effects, n))

    def emit_one(self, rows: list[Any], effect: Effect | None) -> None:
        """The instructions of one effect."""
        if isinstance(effect, Do):
            rows.append(self.verb(effect))
        elif isinstance(effect, Choose):
            flags = (effect.who == "enemy") | effect.different_names << 1 | effect.keep << 2
            op = int(codes.OP_CHOOSE)
            rows.append([op, self.filter(effect.what), self.amount(effect.low), self.amount(effect.high), flags])
        elif isinstance(effect, If):
            self.branch(rows, codes.OP_UNLESS, [self.condition(effect.when)], effect.then, effect.otherwise)
        elif isinstance(effect, May):
            self.branch(rows, codes.OP_MAY, [], effect.body, ())
        elif isinstance(effect, Delay):
            self.branch(rows, codes.OP_DELAY, [], (*effect.body, None), ())
        elif isinstance(effect, Repeat):
            self.branch(rows, codes.OP_REPEAT, [self.amount(effect.times)], effect.body, (), again=True)
        elif isinstance(effect, Modes):
            self.modes(rows, effect)
        elif effect is None:
            rows.append([int(codes.OP_END)])

    def branch(
        self,
        rows: list[Any],
        op: np.uint64,
        words: list[int],
        body: Sequence[Any],
        other: Sequence[Any],
        again: bool = False,
    ) -> None:
        """An instruction that jumps past its body where it does not apply."""
        head: list[Any] = [int(op), *words]
        rows.append(head)
        self.emit(rows, body)
        if again:
            rows.append([int(codes.OP_AGAIN)])
        if other:
            jump: list[Any] = [int(codes.OP_JUMP)]
            rows.append(jump)
            head.append(("to", len(rows)))
            self.emit(rows, other)
            jump.append(("to", len(rows)))
        else:
            head.append(("to", len(rows)))

    def modes(self, rows: list[Any], effect: Modes) -> None:
        """Modes: one row with the start of each body, the bodies, each with a jump to the end."""
        head: list[Any] = [int(codes.OP_MODES), len(effect.bodies), int(effect.fresh)]
        rows.append(head)
        starts: list[list[Any]] = [[int(codes.OP_JUMP)] for _ in effect.bodies]
        rows.extend(starts)
        jumps = []
        for start, body in zip(starts, effect.bodies, strict=True):
            start.append(("to", len(rows)))
            self.emit(rows, body)
            jump: list[Any] = [int(codes.OP_JUMP)]
            rows.append(jump)
            jumps.append(jump)
        for jump in (head, *jumps):
            jump.append(("to", len(rows)))

    def verb(self, do: Do) -> list[int]:
        """One verb: [op, target or amount, second number, who or third number, until]."""
        op = int(codes.OP[do.verb])
        until = int(codes.UNTIL[do.until or "none"])
        if do.verb == "damage":
            return [op, self.target(do.target), self.amount(do.amount), -1, until]
        if do.verb == "modify":
            return [op, self.target(do.target), self.amount(do.power), self.amount(do.strike), until]
        if do.verb == "grant":
            assert do.ability is not None
            return [op, self.target(do.target), self.granted(do.ability), -1, until]
        if do.verb == "play":
            return [op, self.target(do.target), self.amount(do.amount), -1, until]
        if do.verb in CARD_VERBS:
            return [op, self.target(do.target), int(do.word == "rested"), -1, until]
        word = {"ingredient": 1, "rested": 1, "up to": 1}.get(do.word, 0)
        if do.verb in ("discard", "discard_to", "discount"):
            word = self.filter(do.target) if isinstance(do.target, Filter) else -1
        if do.verb == "discount":
            self.discounted.add(word)
            if len(self.discounted) > 1:
                raise TableError("these cards make next cards of two kinds cheaper, which is not supported")
        return [op, self.amount(do.amount), word, int(do.who == "enemy"), until]

    # Cards and decks

    def fill_card(self, c: int, card: Card) -> None:
        T = self.T
        T.type[c] = codes.TYPES[card.type]
        T.cost[c], T.base_power[c], T.base_strike[c] = card.cost, card.power or 0, card.strike or 0
        T.printed[c] = sum(KEYWORD_BITS[word] for word in printed_keywords(card))
        T.name[c] = self.names.index(card.name)
        T.value[c], T.board[c] = worth.played(card), worth.in_base(card)
        T.legendary[c] = "Legendary" in printed_keywords(card)
        T.act_first[c], T.act_count[c] = self.abilities(card.abilities, "act")
        T.auto_first[c], T.auto_count[c] = self.abilities(card.abilities, "auto")
        events, count = self.abilities(card.abilities, "event")
        if card.type == "event" and count == 0:
            raise TableError(f"{card.number} {card.name}: an event without a text")
        T.event_ability[c] = events if count else -1
        T.static_first[c], T.static_count[c] = self.statics([a for a in card.abilities if a.kind == "cont"])


def watched(abilities: Iterable[Ability]) -> int:
    """What the continuous effects of abilities look at, beside the cards in the bases: WATCH_ bits."""
    bits = 0
    for node in nodes_of(tuple(ability for ability in abilities if ability.statics)):
        if isinstance(node, Test) and node.key in ("state", "assigned", "power", "exiled_by_this"):
            bits |= int(codes.WATCH_CARDS)
        elif isinstance(node, Amount) and node.term not in ("", "count", "names", "cost"):
            bits |= int(codes.WATCH_SOULS if node.term == "souls" else codes.WATCH_CARDS)
    return bits


CARD_VERBS = {"add_name", "rest", "stand", "no_stand", "no_block", "bury", "butcher", "exile", "hand", "top", "bottom"}
CARD_VERBS |= {"deploy", "show"}


def compile_tables(
    sides: Sequence[Sequence[Card]],
    names: Sequence[str] = (),
    rules: Mapping[str, Any] | None = None,
    lists: Sequence[Sequence[Card]] = (),
) -> Record:
    """Tables for two lists of cards; slot i of a seat is the i-th card of its list (decks: sorted by number).

    names: card names that may be declared, sorted; default: those of the cards. rules: switches that are not as in
    `sim.games.palworld.RULES`. lists: decks that an opponent may have, for players who are not told its list; games
    are the same with them.
    """
    for side in sides:
        if len(side) > 64:
            raise TableError(f"a player has {len(side)} cards; at most 64 are supported")
    cards = distinct([*sides, *lists])
    own_names = sorted(set(names) | {card.name for side in sides for card in side})
    if len(cards) > state.CARDS:
        raise TableError(f"a matchup has {len(cards)} different cards; at most {state.CARDS} are supported")
    all_names = [*own_names, *sorted({card.name for card in cards} - set(own_names))]
    if len(all_names) > state.NAMES:
        raise TableError(f"more than {state.NAMES} card names")
    builder = Builder(cards, all_names)
    builder.T.names = len(own_names)
    for name, value in (RULES | dict(rules or {})).items():
        setattr(builder.T, name, value)
    builder.T.key[:] = np.arange(len(builder.T.key))
    for c, card in enumerate(cards):
        builder.fill_card(c, card)
    builder.T.granted_on = sum({1 << int(codes.TRIGGER[a.trigger.event]) for a in builder.grants if a.trigger})
    builder.T.static_watch = watched(a for card in cards for a in card.abilities) | watched(builder.grants)
    index = {card.number: c for c, card in enumerate(cards)}
    if lists:
        decks = [[index[card.number] for card in deck] for deck in lists]
        fill_lists(builder.T, state, decks, len(cards), partial(fill_seat, builder))
    for seat, side in enumerate(sides):
        fill_seat(builder, seat, [index[card.number] for card in side])
    return builder.T


def distinct(decks: Iterable[Sequence[Card]]) -> list[Card]:
    """The different cards of some decks, by number."""
    found = {card.number: card for deck in reversed(list(decks)) for card in reversed(deck)}
    return [found[number] for number in sorted(found)]

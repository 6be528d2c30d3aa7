"""Abilities that cannot mean what they say: words used before they stand for something, conditions never met."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

from sim.cards import ast
from sim.cards.ast import nodes_of
from sim.cards.verbs import vocabulary

CHANGES = ("power", "strike", "attack", "hp")
NUMBERS = ("cost", "power", "attack", "hp")


class Fault(NamedTuple):
    """code: see `sim.cards.lint`. word: where it shows in the ability's text, at its `nth` place (from 0)."""

    code: str
    word: str
    message: str
    hint: str = ""
    nth: int = 0


def faults_of(ability: ast.Ability, card: ast.Card) -> list[Fault]:
    """All faults of one ability of a card, each once."""
    flow = _Flow(ability, card)
    flow.ability()
    return list(dict.fromkeys(flow.faults))


class _Flow:
    """Follows the effects in the order in which they happen and knows which words stand for something."""

    def __init__(self, ability: ast.Ability, card: ast.Card) -> None:
        self.whole, self.card = ability, card
        self.faults: list[Fault] = []
        self.chosen = self.looked = self.done = False
        self.thems = 0  # how often "them" was met, to point at the right one
        costs = [cost for costs in ability.costs for cost in costs]
        self.has_x = any(cost.amount.term == "x" for cost in costs)
        self.assigns = any(cost.verb == "assign" for cost in costs)
        self.moves = any(cost.verb in ("exile", "discard", "butcher") for cost in costs)
        self.uses_x = False

    def fault(self, code: str, word: str, message: str, hint: str = "", nth: int = 0) -> None:
        self.faults.append(Fault(code, word, message, hint, nth))

    def ability(self) -> None:
        ability = self.whole
        for costs in ability.costs:
            for cost in costs:
                self._cost(cost)
                self._inside(cost.what)
        if ability.trigger is not None:
            self._inside(ability.trigger)
        if ability.when is not None:
            self._condition(ability.when)
        for static in ability.statics:
            self._inside(static)
        self._effects(ability.effects)
        if self.has_x and not self.uses_x:
            self.fault("C041", "X", "the cost defines X, but the ability does not use it", "use X or pay a number")
        if self._unused_choice(ability.effects):
            self.fault("C054", "choose", "nothing uses what is chosen last", "say what happens to `them`")

    def _cost(self, cost: ast.Cost) -> None:
        if cost.verb == "discard_this" and self.whole.zone != "hand":
            self.fault("C052", "discard", "a card in the base cannot be discarded", "write `act in hand` or `butcher`")
        if cost.verb in ("rest", "assign") and self.whole.zone == "hand":
            self.fault("C052", cost.verb, f"an ability in hand cannot pay with `{cost.verb}`")
        if cost.amount.term not in ("", "x"):
            self.fault("C052", "", "a cost is a number or X")

    # effects

    def _effects(self, effects: tuple[ast.Effect, ...]) -> None:
        for effect in effects:
            self._effect(effect)

    def _effect(self, effect: ast.Effect) -> None:
        match effect:
            case ast.Do():
                self._do(effect)
                self.done = True
            case ast.Choose():
                if effect.keep and not self.chosen:
                    self.fault("C053", "also", "nothing was chosen before `also choose`", "write `choose`")
                self._inside(effect.what)
                self._amount(effect.low)
                self._amount(effect.high)
                self.chosen = self.done = True
            case ast.If():
                self._condition(effect.when)
                self._branches((effect.then, effect.otherwise))
            case ast.Repeat():
                self._amount(effect.times)
                self._effects(effect.body)
            case ast.Modes():
                self._branches(effect.bodies)
            case ast.May() | ast.Delay():
                self._effects(effect.body)
                self.done = True

    def _branches(self, bodies: tuple[tuple[ast.Effect, ...], ...]) -> None:
        """Each branch starts alike; afterwards everything counts that one of them could have brought."""
        start = (self.chosen, self.looked, self.done)
        ends = []
        for body in bodies:
            self.chosen, self.looked, self.done = start
            self._effects(body)
            ends.append((self.chosen, self.looked, self.done))
        self.chosen, self.looked, self.done = (any(flags) for flags in zip(*ends, strict=True))

    def _do(self, do: ast.Do) -> None:
        verb = vocabulary(self.card.game).VERBS[do.verb]
        fields = {f for f in do.__struct_fields__ if f not in ("verb", "who")}
        used = {f for f in fields if getattr(do, f) not in (None, "")}
        optional = {"word", *CHANGES} | ({"target"} if do.verb == "discard" else set())
        optional |= {"until"} if "{until?}" in verb.form else set()
        name = verb.form.split()[0]
        for field in sorted(used - set(verb.fields)):
            self.fault("C051", name, f"`{name}` does not use {field}")
        for field in sorted(set(verb.fields) & fields - used - optional):
            self.fault("C051", name, f"`{name}` needs {field}", f"write `{verb.form}`")
        if do.verb == "modify" and all(getattr(do, field) is None for field in CHANGES):
            self.fault("C051", "get", "nothing changes", "write power or strike")
        if do.verb == "shuffle" and not self.looked:
            self.fault("C046", "shuffle", "nothing was looked at before `shuffle`", "write `look at 5` first")
        for field in ("amount", "target", *CHANGES):
            self._inside(getattr(do, field))
        if do.ability is not None and not do.ability.keyword:
            self.faults += faults_of(do.ability, self.card)
        if do.verb in ("look", "reveal"):
            self.looked = True

    def _unused_choice(self, effects: tuple[ast.Effect, ...]) -> bool:
        """Whether a choice at the end of the effects has no consequence."""
        open_choice = False
        for effect in effects:
            if isinstance(effect, ast.Choose):
                open_choice = True
            elif open_choice:
                open_choice = not any(_uses_choice(node) for node in nodes_of(effect))
        return open_choice

    # words

    def _inside(self, node: object) -> None:
        """Everything that a filter, number, trigger or continuous effect refers to."""
        if isinstance(node, str):
            self._reference(node)
        elif isinstance(node, ast.Amount):
            self._amount(node)
        elif isinstance(node, ast.Filter):
            self._filter(node)
        elif isinstance(node, ast.Static):
            for field in ("target", *CHANGES, "amount", "source"):
                self._inside(getattr(node, field))
            if node.ability is not None and not node.ability.keyword:
                self.faults += faults_of(node.ability, self.card)
        elif isinstance(node, ast.Trigger):
            self._inside(node.subject)
            self._inside(node.object)

    def _reference(self, name: str) -> None:
        if name == "them":
            if not self.chosen:
                hint = "write `choose ...` before"
                self.fault("C042", "them", "nothing was chosen that `them` could mean", hint, self.thems)
            self.thems += 1
        elif name == "that" and self.whole.trigger is None:
            self.fault("C043", "that", "`that` is the card of a trigger, and this ability has none", "write `this`")
        elif name == "assigned" and not self.assigns:
            self.fault("C044", "assigned", "no Pal is assigned in the cost", "write `[assign 1 pal]`")
        elif name == "paid" and not self.moves:
            self.fault("C045", "paid", "the cost moves no cards", "write a cost with exile, discard or butcher")

    def _amount(self, amount: ast.Amount) -> None:
        if amount.term == "x":
            self.uses_x = True
            if not self.has_x:
                self.fault("C040", "X", "X has no value here", "write X in the cost: `[consume X material]`")
        if amount.term == "chosen" and not self.chosen:
            self.fault("C048", "chosen", "nothing was chosen before", "write `choose ...` before")
        if amount.of:
            self._reference(amount.of)
        self._inside(amount.what)

    def _filter(self, what: ast.Filter) -> None:
        if what.zone == "looked" and not self.looked:
            self.fault("C046", "looked", "nothing was looked at before", "write `look at 5` or `reveal 1` before")
        for test in what.where:
            self._inside(test.value if isinstance(test.value, ast.Amount) else None)
            if test.key == "exiled_by_this" and not _exiles(self.card):
                self.fault("C049", "exiled", "no ability of this card exiles a card")
        if found := _impossible(what, vocabulary(self.card.game)):
            word, reason = found
            self.fault("C050", word, f"there is no card {reason}", "correct the description")

    # conditions

    def _condition(self, when: ast.Condition) -> None:
        match when:
            case ast.All():
                for part in when.of:
                    self._condition(part)
                    if ast.Not(part) in when.of:
                        self.fault("C050", "if", "the condition contradicts itself")
            case ast.Not():
                self._condition(when.of)
            case ast.Is():
                self._reference(when.of)
                self._filter(when.what)
            case ast.Flag(name="did"):
                if not self.done:
                    self.fault("C047", "did", "nothing was done before `did`", "write `did` after the effect")
            case ast.Compare():
                self._amount(when.left)
                self._amount(when.right)
                if (truth := _always(when)) is not None:
                    self.fault("C050", when.op, f"the comparison is {'always' if truth else 'never'} true")


def _uses_choice(node: ast.Node) -> bool:
    if isinstance(node, ast.Amount) and node.term == "chosen":
        return True
    if isinstance(node, ast.Flag) and node.name == "did":
        return True
    return "them" in (getattr(node, "target", ""), getattr(node, "of", ""))


def _exiles(card: ast.Card) -> bool:
    return any(isinstance(node, ast.Do) and node.verb == "exile" for node in nodes_of(card.abilities))


def _impossible(what: ast.Filter, words: ModuleType) -> tuple[str, str] | None:
    """A word of it and what the tests ask for where no card can meet them."""
    low = {key: 0 if key == "cost" else -(10**6) for key in NUMBERS}
    high = dict.fromkeys(NUMBERS, 10**6)
    seen: dict[str, set[str]] = {}
    for test in what.where:
        if isinstance(test.value, ast.Amount):
            if test.value.term:
                continue
            value = test.value.const
            low[test.key] = max(low[test.key], value) if test.op in (">=", "==") else low[test.key]
            high[test.key] = min(high[test.key], value) if test.op in ("<=", "==") else high[test.key]
        elif test.op == "is":
            seen.setdefault(test.key, set()).add(test.value)
    for key in NUMBERS:
        if low[key] > high[key]:
            return key, f"with {key} at least {low[key]} and at most {high[key]}"
    for key in words.SINGLE:
        if len(seen.get(key, ())) > 1:
            return sorted(seen[key])[0], "that is " + " and ".join(sorted(seen[key]))
    for key, holder in words.HOLDERS.items():
        if what.types and holder not in what.types and key in seen:
            word = next(iter(seen[key]))
            return word, f"that is a {word} {what.types[0]}"
    for test in what.where:
        if test.op == "not" and ast.Test(test.key, "is", test.value) in what.where:
            return "not", f"that is {test.value} and not {test.value}"
    return None


def _always(when: ast.Compare) -> bool | None:
    """The truth of a comparison that is the same in every game; None where it depends."""
    bounds = {"count": (0, 10**6), "names": (0, 10**6), "souls": (0, 10), "chosen": (0, 10**6), "x": (0, 10**6)}

    def reach(amount: ast.Amount) -> tuple[int, int]:
        if not amount.term:
            return amount.const, amount.const
        ends = [amount.const + amount.times * end for end in bounds.get(amount.term, (-(10**6), 10**6))]
        return min(ends), max(ends)

    (a, b), (c, d) = reach(when.left), reach(when.right)
    if when.op == "==":
        return False if b < c or a > d else True if a == b == c == d else None
    if when.op == "<=":
        return True if b <= c else False if a > d else None
    return True if a >= d else False if b < c else None

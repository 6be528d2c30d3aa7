"""Palworld cards in English: their facts, and their abilities as made from the parsed form."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sim.cards import ast
from sim.cards.words import Printer, agree, article, is_one, upper
from sim.games.palworld.vocabulary import VERBS

_NOUNS = {"pal": "Pal", "": "card"}
_UNTIL = {
    "turn": "until end of turn",
    "battle": "until end of battle",
    "enemy_turn": "until the end of your opponent's next turn",
    "enemy_stand": "during your opponent's next stand phase",
    "this_in_base": "while this card is in the base",
}
_EVENTS = {
    "deployed": "{who} is deployed",
    "attacks": "{who} attacks{object}",
    "attacked": "{who} is attacked",
    "assigned": "{who} is assigned{object}",
    "buried": "{who} is put into the graveyard from the base",
    "buried_in_battle": "{who} is put into the graveyard in battle",
    "butchered": "{who} is butchered",
    "leaves": "{who} leaves the base",
    "foe_buried": "the opposing combat Pal of {who} is put into the graveyard",
    "foe_buried_attacking": "{who} is attacking and its opposing combat Pal is put into the graveyard",
}
_MOMENTS = {"turn_end": "At the end of your turn", "battle_end": "At the end of a battle that this card attacked in"}
_STATICS = {
    "taunt": "your opponent's Pals must attack a card with Taunt if they can",
    "stealth": "this card cannot be blocked",
    "assault": "this card can attack standing Pals",
    "legendary": "only 1 Legendary Pal of a card name can be in your base",
    "night": "it is night",
    "deck_any": "a deck may hold any number of cards with the name of this card",
}
_PAID = {"exile": "exiled", "discard": "discarded", "butcher": "butchered"}


def line(card: ast.Card) -> Iterable[str]:
    """The facts of a card, as they stand under its name."""
    yield card.color
    yield f"{card.subtype} {card.type}" if card.subtype and card.subtype != "lucky" else card.type
    yield f"cost {card.cost}"
    if card.power is not None:
        yield f"{'durability' if card.type == 'structure' else 'power'} {card.power}"
    if card.strike is not None:
        yield f"strike {card.strike}"
    yield from card.elements
    yield from card.work
    if card.lucky:
        yield "lucky icon"
    if card.deck_limit != 4:
        yield f"up to {card.deck_limit} in a deck"


class Words(Printer):
    """Prints one ability of a Palworld card."""

    # abilities

    def ability(self) -> str:
        text = self._plain()
        name = f"{self.whole.keyword} {self.whole.number or ''}".strip()
        return f"{name} ({text})" if name else text

    def _plain(self) -> str:
        ability = self.whole
        marks = ["quick"] * ability.quick + ["from hand"] * (ability.zone == "hand" and ability.kind == "act")
        if ability.limit:
            marks.append("once per turn" if ability.limit == 1 else f"{ability.limit} times per turn")
        head = ability.kind.upper() + (f" ({', '.join(marks)})" if marks else "")
        if ability.costs:
            head += " " + " or ".join(f"[{upper(self._costs(costs))}]" for costs in ability.costs)
        if ability.kind == "cont":
            return f"{head}: {upper(self._continuous())}"
        if ability.trigger is not None:
            return f"{head}: {self._trigger(ability.trigger)}, {self._sentences(ability.effects)}"
        return f"{head}: {upper(self._sentences(ability.effects))}"

    def _continuous(self) -> str:
        zone = {"hand": "In your hand, ", "outside": "Outside of the base, "}.get(self.whole.zone, "")
        when = f"while {self._condition(self.whole.when)}, " if self.whole.when is not None else ""
        return zone + when + ". ".join(upper(self._static(s)) if i else self._static(s) for i, s in self._statics())

    def _statics(self) -> list[tuple[int, ast.Static]]:
        return list(enumerate(self.whole.statics))

    # costs

    def _costs(self, costs: tuple[ast.Cost, ...]) -> str:
        parts: list[str] = []
        for cost in costs:
            number, tail = self._number(cost.amount)
            many = "" if is_one(cost.amount) else "s"
            if cost.verb == "souls":
                text = f"rest {number} soul{many}"
            elif cost.verb == "consume":
                text = f"consume {number} {upper(cost.word)}"
            elif cost.verb == "assign":
                text = f"assign {number} Pal{many}"
            elif cost.verb == "rest":
                text = "rest this card"
            elif cost.verb == "discard_this":
                text = "discard this card"
            elif cost.verb == "mill":
                text = f"put the top {number} card{many} of your deck into the graveyard"
            elif cost.verb == "discard":
                other = "other " if "discard this card" in parts else ""
                noun = f"card{many}" if cost.what is None else self._noun(cost.what, bool(many), place=False)
                text = f"discard {number} {other}{noun} from hand"
            else:
                assert cost.what is not None
                text = f"{cost.verb} {number} {self._cards(cost.what, cost.amount, short=True)}"
            parts.append(text + tail)
        return ", ".join(parts)

    # triggers

    def _trigger(self, trigger: ast.Trigger) -> str:
        if trigger.event in _MOMENTS:
            return _MOMENTS[trigger.event]
        who = "this card" if isinstance(trigger.subject, str) else self._one_of(trigger.subject)
        what = ""
        if trigger.object is not None:
            what = (" to " if trigger.event == "assigned" else " ") + article(self._noun(trigger.object, False))
        return "When " + _EVENTS[trigger.event].format(who=who, object=what)

    def _that(self) -> str:
        trigger = self.whole.trigger
        if trigger is None:
            return "that card"
        if "battle" in trigger.event or trigger.event.startswith("foe"):
            return "the opposing Pal"
        subject = trigger.subject
        return "this card" if isinstance(subject, str) else "that " + self._noun(ast.Filter(subject.types), False)

    # effects

    def _do(self, do: ast.Do) -> str:
        if do.verb in ("stand_souls", "discard", "discard_to"):
            return self._special(do)
        number, tail = self._number(do.amount) if do.amount is not None else ("", "")
        single_look = self.one_looked and isinstance(do.target, ast.Filter) and do.target.zone == "looked"
        words = VERBS[do.verb].words
        subject = words.startswith("{target}")
        text = words.format(
            amount=number,
            target=self._next(do.target) if do.verb == "discount" else self._target(do.target, subject),
            until=_UNTIL.get(do.until, ""),
            word="standing" if do.verb == "souls" and not do.word else upper(do.word) if do.verb == "gain" else do.word,
            change=self._change(do.power, do.strike, self._is_structure(do.target)),
            ability=self._granted(do.ability),
            who="",
        )
        text = agree(text, is_one(do.amount), self._is_single(do.target)).replace("top 1 card", "top card")
        if do.verb == "hand":
            what = self.chosen if do.target == "them" else do.target
            mine = isinstance(what, ast.Filter) and what.zone in ("looked", "hand", "graveyard")
            owner = "your" if mine else "its owner's" if self._is_single(do.target) else "their owner's"
            text = text.replace("the hand", f"{owner} hand")
        if do.verb == "deploy" and isinstance(do.target, ast.Filter) and do.target.zone == "exile":
            text += " into their owner's base"
        if do.verb in ("look", "reveal"):
            self.one_looked = is_one(do.amount)
        if single_look and isinstance(do.target, ast.Filter):
            text = self._single_look(text, do.target)
        return re.sub(r" +", " ", text).strip() + tail

    def _single_look(self, text: str, what: ast.Filter) -> str:
        """A verb about the one card that was looked at: only if it fits, or otherwise."""
        if what.types or what.where:
            self.some_left = True
            return f"{text} if it is {article(self._noun(what, False, place=False))}"
        left, self.some_left = self.some_left, False
        return f"otherwise, {text}" if left else text

    def _special(self, do: ast.Do) -> str:
        assert do.amount is not None
        if do.verb == "stand_souls":
            if do.amount.term == "souls":
                return "stand all of your souls"
            number, tail = self._number(do.amount)
            return f"stand {do.word} {number} of your souls{tail}".replace("  ", " ")
        who, verb, whose = ("your opponent ", "discards", "their") if do.who == "enemy" else ("", "discard", "your")
        number, tail = self._number(do.amount)
        what = "card" if is_one(do.amount) else "cards"
        if do.verb == "discard_to":
            return f"{who}{verb} until {whose} hand has {number} {what}{tail}"
        if isinstance(do.target, ast.Filter):
            what = self._noun(do.target, not is_one(do.amount), place=False)
        return f"{who}{verb} {number} {what} from {whose} hand{tail}"

    def _next(self, target: ast.Target | None) -> str:
        assert isinstance(target, ast.Filter)
        return f"{self._noun(target, False, place=False)} played from your hand"

    def _granted(self, ability: ast.Ability | None) -> str:
        return f"⟨{Words(ability, self.card).ability()}⟩" if ability is not None else ""

    def _is_structure(self, target: ast.Target | None) -> bool:
        if isinstance(target, ast.Filter):
            return target.types == ("structure",)
        return target == "them" and self.chosen.types == ("structure",)

    # continuous effects

    def _static(self, static: ast.Static) -> str:
        if static.kind in _STATICS:
            return _STATICS[static.kind]
        target = self._target(static.target)
        get = "gets" if self._is_single(static.target) else "get"
        if static.kind == "modify":
            change = self._change(static.power, static.strike, self._is_structure(static.target))
            return f"{target} {get} {change}"
        if static.kind == "grant":
            return f"{target} {get} the ability {self._granted(static.ability)}"
        if static.kind == "unattackable":
            assert isinstance(static.target, ast.Filter)
            return f"this card cannot be attacked by {self._owned(static.target, True)}"
        if static.kind == "twice":
            return f"the automatic abilities of {target} trigger twice"
        if static.kind == "damage_plus":
            assert static.amount is not None and static.source is not None and isinstance(static.target, ast.Filter)
            source, victims = self._owned(static.source, True), self._owned(static.target, True)
            return f"damage other than battle damage that {source} deal to {victims} is {static.amount.const} higher"
        assert static.kind == "cost" and static.amount is not None
        number, tail = self._number(static.amount)
        floor = f" (not below {static.floor})" if static.floor else ""
        return f"{target} {'costs' if self._is_single(static.target) else 'cost'} {number} less{floor}{tail}"

    # cards

    def _target(self, target: ast.Target | None, subject: bool = False) -> str:
        if target is None:
            return ""
        if isinstance(target, ast.Filter):
            return self._all(target)
        names = {"this": "this card", "that": self._that(), "assigned": "the assigned Pal", "paid": self._paid()}
        return names.get(target) or ("it" if self.one_chosen else "they" if subject else "them")

    def _paid(self) -> str:
        verbs = [_PAID[cost.verb] for costs in self.whole.costs for cost in costs if cost.verb in _PAID]
        return f"the cards {' and '.join(verbs) or 'paid'} as the cost"

    def _all(self, what: ast.Filter) -> str:
        if what.zone == "looked":
            if self.one_looked:
                return "that card"
            return f"all {self._noun(what, True)}" if what.types or what.where else "the rest of those cards"
        return f"all {'of ' if what.zone == 'base' and what.side != 'any' else ''}{self._owned(what, True)}"

    def _cards(self, what: ast.Filter, amount: ast.Amount, short: bool = False) -> str:
        """What follows a number: `Pal`, `of your Pals`, `Pals in your graveyard`."""
        if what.zone == "base" and what.side != "any" and not (short and what.side == "my"):
            return f"of {self._owned(what, True)}"
        other = "other " if what.other else ""
        return other + self._noun(what, not is_one(amount))

    def _one_of(self, what: ast.Filter) -> str:
        if what.zone == "base" and what.side != "any":
            return f"one of {self._owned(what, True)}"
        return article(self._owned(what, False))

    def _owned(self, what: ast.Filter, many: bool) -> str:
        owner = {"my": "your ", "enemy": "your opponent's "}.get(what.side, "") if what.zone == "base" else ""
        return owner + ("other " if what.other else "") + self._noun(what, many)

    def _noun(self, what: ast.Filter, many: bool, place: bool = True) -> str:
        """The cards without their owner: adjectives, types, place, what else they must be."""
        before: list[str] = []
        after: list[str] = []
        for test in what.where:
            adjective = self._adjective(test)
            (before if adjective else after).append(adjective or self._after(test))
        types = " or ".join(_NOUNS.get(t, t) + ("s" if many else "") for t in what.types or ("",))
        where = ""
        if place and what.zone != "base":
            owner = "your opponent's" if what.side == "enemy" else "your"
            zones = {"exile": "in exile", "looked": "among those cards"}
            where = " " + zones.get(what.zone, f"in {owner} {what.zone}")
        return " ".join([*before, types]) + where + "".join(f" {text}" for text in after)

    def _adjective(self, test: ast.Test) -> str:
        if test.key in ("color", "element", "work", "subtype", "state") or (test.key == "keyword" and test.op == "is"):
            return f"non-{test.value}" if test.op == "not" else str(test.value)
        return ""

    def _after(self, test: ast.Test) -> str:
        if isinstance(test.value, ast.Amount):
            name = upper(test.key) if test.key == "power" else test.key
            return f"with {name} {self._compared(test.op, test.value)}"
        return {
            "main": f'with the main name "{test.value}"',
            "name": f'with the card name "{test.value}"',
            "name_has": f'with "{test.value}" in the card name',
            "keyword": f"without {test.value}",
            "assigned": "assigned this turn",
            "exiled_by_this": "exiled by this card",
        }[test.key]

    # conditions

    def _more_conditions(self, when: ast.Condition) -> str:
        match when:
            case ast.Not(of=ast.Flag(name="did")):
                return "you did not"
            case ast.Not(of=ast.Flag(name="night")):
                return "it is not night"
            case ast.Not():
                return f"it is not so that {self._condition(when.of)}"
            case ast.Flag():
                first = "you have played no other card this game"
                return {"night": "it is night", "did": "you did", "first_card": first}[when.name]
            case ast.Is():
                return self._is(when)
        raise TypeError(when)

    def _is(self, when: ast.Is) -> str:
        who = self._target(when.of, subject=True)
        be = "is" if self._is_single(when.of) else "are"
        if when.what.where == (ast.Test("assigned"),) and not when.what.types:
            return f"{who} {'was' if be == 'is' else 'were'} assigned this turn"
        if not when.what.types and all(self._adjective(test) for test in when.what.where):
            return f"{who} {be} {'all ' if be == 'are' else ''}{' '.join(map(self._adjective, when.what.where))}"
        noun = self._noun(when.what, be == "are")
        return f"{who} {be} {article(noun) if be == 'is' else noun}"

    def _compare(self, when: ast.Compare) -> str:
        left, op, right = when.left, when.op, when.right
        plain = left.const == 0 and left.times == 1
        if plain and left.term == "chosen" and op == "==" and right == ast.Amount(0):
            return "you chose none"
        if plain and left.term == "souls":
            return f"you have {self._compared(op, right)} souls"
        if plain and left.what is not None and left.term == "count":
            what = left.what
            have = what.zone == "base" and what.side == "my"
            noun = ("other " if what.other and have else "") + self._noun(what, right != ast.Amount(1))
            if op == ">=" and is_one(right):
                return f"you have {article(noun)}" if have else f"there is {article(self._owned(what, False))}"
            if op == "==" and right == ast.Amount(0):
                return f"you have no {noun}" if have else f"there are no {self._owned(what, True)}"
            return ("you have" if have else "there are") + f" {self._compared(op, right)} {noun}"
        if plain and left.what is not None and left.term == "names":
            names = f"{self._compared(op, right)} different card names"
            return f"there are {names} among {self._owned(left.what, True)}"
        return f"{self._amount(left)} is {self._compared(op, right)}"

    # numbers

    def _term(self, amount: ast.Amount) -> str:
        if amount.term == "x":
            return "X"
        if amount.term == "souls":
            return "the number of your souls"
        if amount.term == "chosen":
            return "the number of chosen cards"
        if amount.what is not None:
            names = "different card names among " if amount.term == "names" else ""
            return f"the number of {names}{self._owned(amount.what, True)}"
        name = amount.term if amount.term == "cost" else upper(amount.term)
        return f"the {name} of {self._target(amount.of)}"

    def _change(self, power: ast.Amount | None, strike: ast.Amount | None, structure: bool) -> str:
        parts = []
        for name, amount in (("Durability" if structure else "Power", power), ("Strike", strike)):
            if amount is None:
                continue
            if amount.what is not None and amount.term == "count":
                of = "of " if amount.what.zone == "base" and amount.what.side != "any" else ""
                each = f"each {of}{self._owned(amount.what, bool(of))}"
                parts.append(f"{name}{amount.times:+d} for {each}")
            elif amount.term:
                parts.append(f"{name}{'-' if amount.times < 0 else '+'}{self._term(amount)}")
            else:
                parts.append(f"{name}{amount.const:+d}")
        return " and ".join(parts)

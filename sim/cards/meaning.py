"""What each rule of the shared grammar means: from the tree of an ability to the nodes of `sim.cards.ast`. A game adds
its own rules (sim/games/<game>/meaning.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lark import Token, Transformer
from lark.visitors import v_args
from msgspec.structs import replace

from sim.cards import ast
from sim.cards.errors import LanguageError
from sim.cards.verbs import Verb

TERMS = ("x", "souls", "chosen")
REFERENCES = ("this", "them", "that", "assigned", "paid")
PROPERTIES = ("color", "element", "work", "subtype")
STATES = {"standing": "state", "rested": "state", "damaged": "state", "frozen": "state", "front": "row", "back": "row"}


def value_of(token: Any) -> int:
    return int(token)


def _and(conditions: list[ast.Condition]) -> ast.Condition:
    return conditions[0] if len(conditions) == 1 else ast.All(tuple(conditions))


class Meaning(Transformer):
    """What each rule means. Methods bear the names of the rules and aliases in grammar.lark."""

    def __init__(
        self, verbs: Mapping[str, Verb], place: str, of_keyword: Callable[[str, int | None], ast.Ability]
    ) -> None:
        """verbs: the table of the game. place: the zone of a description that names none. of_keyword: the ability that
        a keyword, with or without a number, stands for."""
        super().__init__()
        self.verbs, self.place, self.of_keyword = verbs, place, of_keyword

    # abilities

    def start(self, c: list[Any]) -> ast.Ability:
        return c[0]

    # effects

    def effects(self, c: list[Any]) -> tuple[ast.Effect, ...]:
        return tuple(c)

    def block(self, c: list[Any]) -> tuple[ast.Effect, ...]:
        return c[0]

    def verb(self, c: list[Any]) -> ast.Do:
        return c[0]

    def if_(self, c: list[Any]) -> ast.If:
        return ast.If(c[0], c[1], c[2] or ())

    def may(self, c: list[Any]) -> ast.May:
        return ast.May(c[0])

    def modes(self, c: list[Any]) -> ast.Modes:
        return ast.Modes(tuple(c))

    def exactly(self, c: list[Any]) -> tuple[str, ast.Amount | None]:
        return "exactly", c[0]

    def up_to(self, c: list[Any]) -> tuple[str, ast.Amount | None]:
        return "up to", c[0]

    # fields of verbs

    def f_amount(self, c: list[Any]) -> dict[str, Any]:
        return {"amount": c[0]}

    def f_target(self, c: list[Any]) -> dict[str, Any]:
        return {"target": c[0]}

    def f_change(self, c: list[Any]) -> dict[str, Any]:
        return c[0]

    def f_until(self, c: list[Any]) -> dict[str, Any]:
        return {"until": c[0]}

    # cards

    def reference(self, c: list[Any]) -> str:
        return c[0]

    def target(self, c: list[Any]) -> ast.Target:
        return c[0]

    @v_args(meta=True)
    def filter(self, meta: Any, c: list[Any]) -> ast.Filter:
        side, other, (tests, types), place, *more = c
        owner, zone = place or (side, self.place)
        if side and owner and side != owner:
            raise LanguageError("these cards cannot be on both sides", meta.start_pos, "leave out the first side word")
        return ast.Filter(types, owner or side or "any", zone, bool(other), (*tests, *more))

    def kind(self, c: list[Any]) -> tuple[tuple[ast.Test, ...], tuple[str, ...]]:
        return tuple(c[:-1]), c[-1]

    def nouns(self, c: list[Any]) -> tuple[str, ...]:
        return () if "card" in c else tuple(c)

    def noun(self, c: list[Any]) -> str:
        word = str(c[0])
        return word[:-1] if word.endswith("s") else word

    def other(self, _: list[Any]) -> bool:
        return True

    def my(self, _: list[Any]) -> str:
        return "my"

    def enemy(self, _: list[Any]) -> str:
        return "enemy"

    def hand(self, c: list[Any]) -> tuple[str, str]:
        return c[0], "hand"

    def graveyard(self, c: list[Any]) -> tuple[str, str]:
        return c[0], "graveyard"

    def adjective(self, c: list[Any]) -> ast.Test:
        return c[0]

    def not_property(self, c: list[Any]) -> ast.Test:
        return replace(c[0], op="not")

    def keyword_name(self, c: list[Any]) -> Token:
        return c[0]

    def has_keyword(self, c: list[Any]) -> ast.Test:
        return ast.Test("keyword", value=str(c[0]))

    def test_cost(self, c: list[Any]) -> ast.Test:
        return ast.Test("cost", c[0], c[1])

    # conditions and numbers

    def condition(self, c: list[Any]) -> ast.Condition:
        return _and(c)

    def negated(self, c: list[Any]) -> ast.Condition:
        return ast.Not(c[0])

    def if_any(self, c: list[Any]) -> ast.Condition:
        return ast.Compare(ast.Amount(times=1, term="count", what=c[0]), ">=", ast.Amount(1))

    def if_none(self, c: list[Any]) -> ast.Condition:
        return ast.Compare(ast.Amount(times=1, term="count", what=c[0]), "==", ast.Amount(0))

    def compare(self, c: list[Any]) -> ast.Condition:
        return ast.Compare(*c)

    def op(self, c: list[Any]) -> str:
        return str(c[0])

    def sign(self, c: list[Any]) -> int:
        return -1 if c[0] == "-" else 1

    def fixed(self, c: list[Any]) -> ast.Amount:
        return ast.Amount(value_of(c[0]))

    def one_term(self, c: list[Any]) -> ast.Amount:
        return c[0]

    def many(self, c: list[Any]) -> ast.Amount:
        return replace(c[1], times=value_of(c[0]))

    def term_and(self, c: list[Any]) -> ast.Amount:
        return replace(c[0], const=c[1] * value_of(c[2]))

    def many_and(self, c: list[Any]) -> ast.Amount:
        return replace(c[1], times=value_of(c[0]), const=c[2] * value_of(c[3]))

    def count(self, c: list[Any]) -> ast.Amount:
        return ast.Amount(times=1, term="count", what=c[0])

    def __default__(self, data: Any, children: list[Any], meta: Any) -> Any:
        """The rules that follow one pattern: verbs, triggers, flags, plain terms and plain continuous effects."""
        rule = str(data)
        head, _, tail = rule.partition("_")
        if head in ("do", "enemy") and tail in self.verbs:
            return _do(tail, children, "enemy" if head == "enemy" else "my")
        if head == "s":
            return ast.Static(tail)
        if head == "if":
            return ast.Flag(tail)
        if head == "until":
            return tail
        if tail == "of":
            return ast.Amount(times=1, term=head, of=children[0])
        if rule in TERMS:
            return ast.Amount(times=1, term=rule)
        if rule in REFERENCES:
            return rule
        if rule in PROPERTIES:
            return ast.Test(rule, value=str(children[0]))
        if rule in STATES:
            return ast.Test(STATES[rule], value=rule)
        return ast.Trigger(rule)


def name_of(token: Token) -> str:
    return str(token)[1:-1]


def from_hand(what: ast.Filter | None, side: str) -> ast.Filter | None:
    """Cards in a hand; None for any card of it."""
    return None if what is None or what == ast.Filter() else replace(what, side=side, zone="hand")


def choice(
    how_many: tuple[str, Any], what: ast.Filter, who: str = "my", differently: bool = False, also: bool = False
) -> ast.Choose:
    how, amount = how_many
    high = ast.Amount(times=1, term="count", what=what) if how == "any" else amount
    low = high if how == "exactly" else ast.Amount(0)
    return ast.Choose(what, low, high, who=who, different_names=differently, keep=also)


def _do(verb: str, children: list[Any], who: str) -> ast.Do:
    fields: dict[str, Any] = {}
    for child in children:
        fields |= child or {}
    target = fields.get("target")
    if who == "enemy" and isinstance(target, ast.Filter) and target.zone == "hand":
        fields["target"] = replace(target, side="enemy")
    return ast.Do(verb, who=who, **fields)

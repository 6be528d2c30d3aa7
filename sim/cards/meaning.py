"""What each rule of the grammar means: from the tree of an ability to the nodes of `sim.cards.ast`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token, Transformer
from lark.visitors import v_args
from msgspec.structs import replace

from sim.cards import ast
from sim.cards.errors import LanguageError
from sim.cards.verbs import VERBS


def _value(token: Any) -> int:
    return int(token)


def _and(conditions: list[ast.Condition]) -> ast.Condition:
    return conditions[0] if len(conditions) == 1 else ast.All(tuple(conditions))


class Meaning(Transformer):
    """What each rule means. Methods bear the names of the rules and aliases in grammar.lark."""

    def __init__(self, of_keyword: Callable[[str, int | None], ast.Ability]) -> None:
        super().__init__()
        self.of_keyword = of_keyword

    # abilities

    def start(self, c: list[Any]) -> ast.Ability:
        return c[0]

    def act(self, c: list[Any]) -> ast.Ability:
        limit, quick, area, costs, effects = c
        return ast.Ability(
            "act", effects=effects, costs=costs, limit=limit or 0, quick=bool(quick), zone=area or "base"
        )

    def auto(self, c: list[Any]) -> ast.Ability:
        limit, trigger, effects = c
        return ast.Ability("auto", effects=effects, limit=limit or 0, trigger=trigger)

    def cont(self, c: list[Any]) -> ast.Ability:
        area, when, *statics = c
        return ast.Ability("cont", zone=area or "base", when=when, statics=tuple(statics))

    def event(self, c: list[Any]) -> ast.Ability:
        quick, effects = c
        return ast.Ability("event", effects=effects, quick=bool(quick))

    def keyword(self, c: list[Any]) -> ast.Ability:
        name, number = c
        try:
            return self.of_keyword(str(name), None if number is None else _value(number))
        except ValueError as error:
            message, hint = error.args
            raise LanguageError(message, name.start_pos, hint) from None

    def limit(self, c: list[Any]) -> int:
        return _value(c[0]) if c else 1

    def quick(self, _: list[Any]) -> bool:
        return True

    def in_hand(self, _: list[Any]) -> str:
        return "hand"

    def outside_base(self, _: list[Any]) -> str:
        return "outside"

    def granted(self, c: list[Any]) -> ast.Ability:
        return c[0]

    # costs

    def costs(self, c: list[Any]) -> tuple[tuple[ast.Cost, ...], ...]:
        return tuple(c)

    def cost_list(self, c: list[Any]) -> tuple[ast.Cost, ...]:
        return tuple(c)

    def cost_souls(self, c: list[Any]) -> ast.Cost:
        return ast.Cost("souls", c[0])

    def cost_consume(self, c: list[Any]) -> ast.Cost:
        return ast.Cost("consume", c[0], word=c[1])

    def cost_assign(self, c: list[Any]) -> ast.Cost:
        return ast.Cost("assign", c[0])

    def cost_rest(self, _: list[Any]) -> ast.Cost:
        return ast.Cost("rest")

    def cost_discard_this(self, _: list[Any]) -> ast.Cost:
        return ast.Cost("discard_this")

    def cost_discard(self, c: list[Any]) -> ast.Cost:
        return ast.Cost("discard", c[0], _from_hand(c[1], "my"))

    def cost_butcher(self, c: list[Any]) -> ast.Cost:
        return ast.Cost("butcher", c[0], replace(c[1], side="my"))

    def cost_exile(self, c: list[Any]) -> ast.Cost:
        return ast.Cost("exile", c[0], c[1])

    def cost_mill(self, c: list[Any]) -> ast.Cost:
        return ast.Cost("mill", c[0])

    # triggers

    def trigger(self, c: list[Any]) -> ast.Trigger:
        subject, happening = c
        return replace(happening, subject=subject) if subject is not None else happening

    def attacks(self, c: list[Any]) -> ast.Trigger:
        return ast.Trigger("attacks", object=ast.Filter(types=c[0]) if c[0] else None)

    def assigned_to(self, c: list[Any]) -> ast.Trigger:
        return ast.Trigger("assigned", object=c[0])

    # effects

    def effects(self, c: list[Any]) -> tuple[ast.Effect, ...]:
        return tuple(c)

    def block(self, c: list[Any]) -> tuple[ast.Effect, ...]:
        return c[0]

    def verb(self, c: list[Any]) -> ast.Do:
        return c[0]

    def stand_all_souls(self, _: list[Any]) -> ast.Do:
        return ast.Do("stand_souls", amount=ast.Amount(times=1, term="souls"))

    def if_(self, c: list[Any]) -> ast.If:
        return ast.If(c[0], c[1], c[2] or ())

    def repeat(self, c: list[Any]) -> ast.Repeat:
        return ast.Repeat(c[0], c[1])

    def may(self, c: list[Any]) -> ast.May:
        return ast.May(c[0])

    def delay(self, c: list[Any]) -> ast.Delay:
        return ast.Delay("turn_end", c[0])

    def modes(self, c: list[Any]) -> ast.Modes:
        fresh, *bodies = c
        return ast.Modes(tuple(bodies), fresh=bool(fresh))

    def choose(self, c: list[Any]) -> ast.Choose:
        also, how_many, differently, what = c
        return _choose(how_many, what, "my", bool(differently), bool(also))

    def enemy_chooses(self, c: list[Any]) -> ast.Choose:
        how_many, differently, what = c
        return _choose(how_many, what, "enemy", bool(differently), False)

    def exactly(self, c: list[Any]) -> tuple[str, ast.Amount | None]:
        return "exactly", c[0]

    def up_to(self, c: list[Any]) -> tuple[str, ast.Amount | None]:
        return "up to", c[0]

    def any_number(self, _: list[Any]) -> tuple[str, ast.Amount | None]:
        return "any", None

    def also(self, _: list[Any]) -> bool:
        return True

    differently = fresh = also

    # fields of verbs

    def f_amount(self, c: list[Any]) -> dict[str, Any]:
        return {"amount": c[0]}

    def f_target(self, c: list[Any]) -> dict[str, Any]:
        return {"target": c[0]}

    def f_change(self, c: list[Any]) -> dict[str, Any]:
        return {"power": c[0][0], "strike": c[0][1]}

    def f_until(self, c: list[Any]) -> dict[str, Any]:
        return {"until": c[0]}

    def f_ability(self, c: list[Any]) -> dict[str, Any]:
        return {"ability": c[0]}

    def f_resource(self, c: list[Any]) -> dict[str, Any]:
        return {"word": c[0]}

    def f_from_hand(self, c: list[Any]) -> dict[str, Any]:
        return {"target": _from_hand(c[0], "my")}

    def f_next(self, c: list[Any]) -> dict[str, Any]:
        return {"target": _from_hand(c[0], "my")}

    def f_rested(self, _: list[Any]) -> dict[str, Any]:
        return {"word": "rested"}

    def f_up_to(self, _: list[Any]) -> dict[str, Any]:
        return {"word": "up to"}

    def change(self, c: list[Any]) -> tuple[ast.Amount | None, ast.Amount | None]:
        return c[0], c[1]

    def change_strike(self, c: list[Any]) -> tuple[ast.Amount | None, ast.Amount | None]:
        return None, c[0]

    def plus(self, c: list[Any]) -> ast.Amount:
        sign, number, per = c
        value = sign * _value(number)
        return ast.Amount(value) if per is None else ast.Amount(times=value, term="count", what=per)

    def plus_term(self, c: list[Any]) -> ast.Amount:
        return replace(c[1], times=c[0])

    # continuous effects

    def s_modify(self, c: list[Any]) -> ast.Static:
        return ast.Static("modify", target=c[0], power=c[1][0], strike=c[1][1])

    def s_grant(self, c: list[Any]) -> ast.Static:
        return ast.Static("grant", target=c[0], ability=c[1])

    def s_cost(self, c: list[Any]) -> ast.Static:
        target, amount, floor = c
        return ast.Static("cost", target=target, amount=amount, floor=1 if floor is None else _value(floor))

    def s_unattackable(self, c: list[Any]) -> ast.Static:
        return ast.Static("unattackable", target=c[0])

    def s_twice(self, c: list[Any]) -> ast.Static:
        return ast.Static("twice", target=c[0])

    def s_damage_plus(self, c: list[Any]) -> ast.Static:
        source, amount, target = c
        return ast.Static("damage_plus", amount=ast.Amount(_value(amount)), source=source, target=target)

    # cards

    def reference(self, c: list[Any]) -> str:
        return c[0]

    def target(self, c: list[Any]) -> ast.Target:
        return c[0]

    @v_args(meta=True)
    def filter(self, meta: Any, c: list[Any]) -> ast.Filter:
        side, other, (tests, types), place, *more = c
        owner, zone = place or (side, "base")
        if side and owner and side != owner:
            raise LanguageError("these cards cannot be on both sides", meta.start_pos, "leave out the first side word")
        return ast.Filter(types, owner or side or "any", zone, bool(other), (*tests, *more))

    def picked(self, c: list[Any]) -> ast.Filter:
        (tests, types), *more = c
        return ast.Filter(types, where=(*tests, *more))

    def properties(self, c: list[Any]) -> ast.Filter:
        return ast.Filter(where=tuple(c))

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

    def exile(self, _: list[Any]) -> tuple[str, str]:
        return "any", "exile"

    def looked(self, _: list[Any]) -> tuple[str, str]:
        return "any", "looked"

    def adjective(self, c: list[Any]) -> ast.Test:
        return c[0]

    def not_property(self, c: list[Any]) -> ast.Test:
        return replace(c[0], op="not")

    def was_assigned(self, _: list[Any]) -> ast.Test:
        return ast.Test("assigned")

    def subtype(self, c: list[Any]) -> ast.Test:
        return ast.Test("subtype", value=str(c[0]))

    def color(self, c: list[Any]) -> ast.Test:
        return ast.Test("color", value=str(c[0]))

    def element(self, c: list[Any]) -> ast.Test:
        return ast.Test("element", value=str(c[0]))

    def work(self, c: list[Any]) -> ast.Test:
        return ast.Test("work", value=str(c[0]))

    def resource(self, c: list[Any]) -> str:
        return str(c[0])

    def keyword_name(self, c: list[Any]) -> Token:
        return c[0]

    def has_keyword(self, c: list[Any]) -> ast.Test:
        return ast.Test("keyword", value=str(c[0]))

    def standing(self, _: list[Any]) -> ast.Test:
        return ast.Test("state", value="standing")

    def rested(self, _: list[Any]) -> ast.Test:
        return ast.Test("state", value="rested")

    def test_cost(self, c: list[Any]) -> ast.Test:
        return ast.Test("cost", c[0], c[1])

    def test_power(self, c: list[Any]) -> ast.Test:
        return ast.Test("power", c[0], c[1])

    def test_main(self, c: list[Any]) -> ast.Test:
        return ast.Test("main", value=_name(c[0]))

    def test_name(self, c: list[Any]) -> ast.Test:
        return ast.Test("name", value=_name(c[0]))

    def test_name_has(self, c: list[Any]) -> ast.Test:
        return ast.Test("name_has", value=_name(c[0]))

    def test_without(self, c: list[Any]) -> ast.Test:
        return ast.Test("keyword", "not", str(c[0]))

    def test_exiled(self, _: list[Any]) -> ast.Test:
        return ast.Test("exiled_by_this")

    # conditions and numbers

    def condition(self, c: list[Any]) -> ast.Condition:
        return _and(c)

    def negated(self, c: list[Any]) -> ast.Condition:
        return ast.Not(c[0])

    def if_any(self, c: list[Any]) -> ast.Condition:
        return ast.Compare(ast.Amount(times=1, term="count", what=c[0]), ">=", ast.Amount(1))

    def if_none(self, c: list[Any]) -> ast.Condition:
        return ast.Compare(ast.Amount(times=1, term="count", what=c[0]), "==", ast.Amount(0))

    def if_is(self, c: list[Any]) -> ast.Condition:
        return ast.Is(c[0], c[1])

    def compare(self, c: list[Any]) -> ast.Condition:
        return ast.Compare(*c)

    def op(self, c: list[Any]) -> str:
        return str(c[0])

    def sign(self, c: list[Any]) -> int:
        return -1 if c[0] == "-" else 1

    def fixed(self, c: list[Any]) -> ast.Amount:
        return ast.Amount(_value(c[0]))

    def one_term(self, c: list[Any]) -> ast.Amount:
        return c[0]

    def many(self, c: list[Any]) -> ast.Amount:
        return replace(c[1], times=_value(c[0]))

    def term_and(self, c: list[Any]) -> ast.Amount:
        return replace(c[0], const=c[1] * _value(c[2]))

    def many_and(self, c: list[Any]) -> ast.Amount:
        return replace(c[1], times=_value(c[0]), const=c[2] * _value(c[3]))

    def count(self, c: list[Any]) -> ast.Amount:
        return ast.Amount(times=1, term="count", what=c[0])

    def names(self, c: list[Any]) -> ast.Amount:
        return ast.Amount(times=1, term="names", what=c[0])

    def __default__(self, data: Any, children: list[Any], meta: Any) -> Any:
        """The rules that follow one pattern: verbs, triggers, flags, plain terms and plain continuous effects."""
        rule = str(data)
        head, _, tail = rule.partition("_")
        if head in ("do", "enemy") and tail in VERBS:
            return _do(tail, children, "enemy" if head == "enemy" else "my")
        if head == "s":
            return ast.Static(tail)
        if head == "if":
            return ast.Flag(tail)
        if head == "until":
            return tail
        if tail == "of":
            return ast.Amount(times=1, term=head, of=children[0])
        if rule in ("x", "souls", "chosen"):
            return ast.Amount(times=1, term=rule)
        if rule in ("this", "them", "that", "assigned", "paid"):
            return rule
        return ast.Trigger(rule)


def _name(token: Token) -> str:
    return str(token)[1:-1]


def _from_hand(what: ast.Filter | None, side: str) -> ast.Filter | None:
    """Cards in a hand; None for any card of it."""
    return None if what is None or what == ast.Filter() else replace(what, side=side, zone="hand")


def _choose(how_many: tuple[str, Any], what: ast.Filter, who: str, differently: bool, also: bool) -> ast.Choose:
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

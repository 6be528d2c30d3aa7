"""What the rules of Palworld's part of the grammar mean."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sim.cards import ast, meaning
from sim.cards.errors import LanguageError
from sim.cards.meaning import choice, from_hand, name_of, value_of


class Meaning(meaning.Meaning):
    """What each rule means. Methods bear the names of the rules and aliases in grammar.lark."""

    # abilities

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
            return self.of_keyword(str(name), None if number is None else value_of(number))
        except ValueError as error:
            message, hint = error.args
            raise LanguageError(message, name.start_pos, hint) from None

    def limit(self, c: list[Any]) -> int:
        return value_of(c[0]) if c else 1

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
        return ast.Cost("discard", c[0], from_hand(c[1], "my"))

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

    def stand_all_souls(self, _: list[Any]) -> ast.Do:
        return ast.Do("stand_souls", amount=ast.Amount(times=1, term="souls"))

    def repeat(self, c: list[Any]) -> ast.Repeat:
        return ast.Repeat(c[0], c[1])

    def delay(self, c: list[Any]) -> ast.Delay:
        return ast.Delay("turn_end", c[0])

    def choose(self, c: list[Any]) -> ast.Choose:
        also, how_many, differently, what = c
        return choice(how_many, what, "my", bool(differently), bool(also))

    def enemy_chooses(self, c: list[Any]) -> ast.Choose:
        how_many, differently, what = c
        return choice(how_many, what, "enemy", bool(differently), False)

    def modes(self, c: list[Any]) -> ast.Modes:
        fresh = c[0] is True
        return ast.Modes(tuple(c[1:] if fresh else c), fresh=fresh)

    def any_number(self, _: list[Any]) -> tuple[str, ast.Amount | None]:
        return "any", None

    def also(self, _: list[Any]) -> bool:
        return True

    differently = fresh = also

    # fields of verbs

    def f_ability(self, c: list[Any]) -> dict[str, Any]:
        return {"ability": c[0]}

    def f_resource(self, c: list[Any]) -> dict[str, Any]:
        return {"word": c[0]}

    def f_from_hand(self, c: list[Any]) -> dict[str, Any]:
        return {"target": from_hand(c[0], "my")}

    def f_next(self, c: list[Any]) -> dict[str, Any]:
        return {"target": replace(c[0], side="my", zone="hand")}

    def f_rested(self, _: list[Any]) -> dict[str, Any]:
        return {"word": "rested"}

    def f_up_to(self, _: list[Any]) -> dict[str, Any]:
        return {"word": "up to"}

    def change(self, c: list[Any]) -> dict[str, ast.Amount | None]:
        return {"power": c[0], "strike": c[1]}

    def change_strike(self, c: list[Any]) -> dict[str, ast.Amount | None]:
        return {"strike": c[0]}

    def plus(self, c: list[Any]) -> ast.Amount:
        sign, number, per = c
        value = sign * value_of(number)
        return ast.Amount(value) if per is None else ast.Amount(times=value, term="count", what=per)

    def plus_term(self, c: list[Any]) -> ast.Amount:
        return replace(c[1], times=c[0])

    # continuous effects

    def s_modify(self, c: list[Any]) -> ast.Static:
        return ast.Static("modify", target=c[0], **c[1])

    def s_grant(self, c: list[Any]) -> ast.Static:
        return ast.Static("grant", target=c[0], ability=c[1])

    def s_cost(self, c: list[Any]) -> ast.Static:
        target, amount, floor = c
        return ast.Static("cost", target=target, amount=amount, floor=1 if floor is None else value_of(floor))

    def s_unattackable(self, c: list[Any]) -> ast.Static:
        return ast.Static("unattackable", target=c[0])

    def s_twice(self, c: list[Any]) -> ast.Static:
        return ast.Static("twice", target=c[0])

    def s_damage_plus(self, c: list[Any]) -> ast.Static:
        source, amount, target = c
        return ast.Static("damage_plus", amount=ast.Amount(value_of(amount)), source=source, target=target)

    # cards

    def picked(self, c: list[Any]) -> ast.Filter:
        (tests, types), *more = c
        return ast.Filter(types, where=(*tests, *more))

    def properties(self, c: list[Any]) -> ast.Filter:
        return ast.Filter(where=tuple(c))

    def exile(self, _: list[Any]) -> tuple[str, str]:
        return "any", "exile"

    def looked(self, _: list[Any]) -> tuple[str, str]:
        return "any", "looked"

    def was_assigned(self, _: list[Any]) -> ast.Test:
        return ast.Test("assigned")

    def resource(self, c: list[Any]) -> str:
        return str(c[0])

    def test_power(self, c: list[Any]) -> ast.Test:
        return ast.Test("power", c[0], c[1])

    def test_main(self, c: list[Any]) -> ast.Test:
        return ast.Test("main", value=name_of(c[0]))

    def test_name(self, c: list[Any]) -> ast.Test:
        return ast.Test("name", value=name_of(c[0]))

    def test_name_has(self, c: list[Any]) -> ast.Test:
        return ast.Test("name_has", value=name_of(c[0]))

    def test_without(self, c: list[Any]) -> ast.Test:
        return ast.Test("keyword", "not", str(c[0]))

    def test_exiled(self, _: list[Any]) -> ast.Test:
        return ast.Test("exiled_by_this")

    # conditions and numbers

    def if_is(self, c: list[Any]) -> ast.Condition:
        return ast.Is(c[0], c[1])

    def names(self, c: list[Any]) -> ast.Amount:
        return ast.Amount(times=1, term="names", what=c[0])

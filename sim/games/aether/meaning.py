"""What the rules of Aether's part of the grammar mean."""

from __future__ import annotations

from typing import Any

from sim.cards import ast, meaning
from sim.cards.meaning import choice, name_of, value_of


class Meaning(meaning.Meaning):
    """What each rule means. Methods bear the names of the rules and aliases in grammar.lark."""

    # abilities

    def auto(self, c: list[Any]) -> ast.Ability:
        trigger, effects = c
        return ast.Ability("auto", effects=effects, trigger=trigger, zone=self.place)

    def cont(self, c: list[Any]) -> ast.Ability:
        area, when, *statics = c
        return ast.Ability("cont", zone=area or self.place, when=when, statics=tuple(statics))

    def spell(self, c: list[Any]) -> ast.Ability:
        return ast.Ability("spell", effects=c[0], zone="hand")

    def in_hand(self, _: list[Any]) -> str:
        return "hand"

    # effects

    def choose(self, c: list[Any]) -> ast.Choose:
        how_many, what = c
        return choice(how_many, what)

    # fields of verbs

    def f_cards(self, c: list[Any]) -> dict[str, Any]:
        return {"target": c[0]}

    def f_keyword(self, c: list[Any]) -> dict[str, Any]:
        return {"word": str(c[0])}

    def f_token(self, c: list[Any]) -> dict[str, Any]:
        return {"word": name_of(c[0])}

    def f_used(self, _: list[Any]) -> dict[str, Any]:
        return {"word": "used"}

    def change(self, c: list[Any]) -> dict[str, ast.Amount]:
        sign, attack, other, hp = c
        return {"attack": ast.Amount(sign * value_of(attack)), "hp": ast.Amount(other * value_of(hp))}

    # continuous effects

    def s_modify(self, c: list[Any]) -> ast.Static:
        return ast.Static("modify", target="this", **c[0])

    def s_keyword(self, c: list[Any]) -> ast.Static:
        return ast.Static("keyword", target="this", word=str(c[0]))

    def s_cost(self, c: list[Any]) -> ast.Static:
        return ast.Static("cost", target="this", amount=c[0], floor=0)

    # cards

    def aether(self, c: list[Any]) -> tuple[str, str]:
        return c[0], "aether"

    def test_attack(self, c: list[Any]) -> ast.Test:
        return ast.Test("attack", c[0], c[1])

    def test_hp(self, c: list[Any]) -> ast.Test:
        return ast.Test("hp", c[0], c[1])

    # conditions

    def resonance(self, c: list[Any]) -> ast.Condition:
        element, count = c
        return ast.Resonance(element.value, value_of(count))

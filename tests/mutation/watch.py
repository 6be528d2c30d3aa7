"""Which changes would make a difference in a run: the rules with every change beside them.

A run in which the changed expression always has the value of the unchanged one cannot find the change, and need not be
tried. `watch` compiles the rules anew, each chosen expression together with its changed form; `taken` then runs
something and tells for which changes the two values were different at least once.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from importlib import import_module
from typing import Any

from tests.mutation.mutants import Change, Mutant, changes, codes, file_of, parsed

PURE = {
    "U",
    "I",
    "min",
    "max",
    "len",
    "range",
    "popcount",
    "lowest",
    "bit",
    "seat_of",
    "in_base",
    "deck_set",
    "compare",
}
PURE |= {"cost_of", "cost_now", "lowered", "reduced_by", "matching_static", "zone_mask", "matching", "matching_now"}
PURE |= {"sift", "named_fit", "passes", "this_stay", "simple", "value", "different_names", "same_name", "first_of"}
PURE |= {"referred", "holds", "group_of", "is_a", "souls_standing", "candidates", "can_pay_plain", "can_pay", "payable"}
PURE |= {"highest_x", "representatives", "without_copies", "first_copies", "alike", "same_grants", "same_locks"}
PURE |= {"stayed", "mask_if", "referenced", "copies_of", "locked", "rivals", "in_sight", "is_pal", "targets", "number"}
PURE |= {"until_turn", "lethal_damage", "latest_pals", "repeats", "twins", "has_exiled", "can_do", "discounted"}
PURE |= {"legal_deploy", "can_activate", "within_means", "attackable", "taunting", "static_targets", "fits_object"}
PURE |= {"has_left", "is_card_verb", "is_card_option", "nth_option", "mix", "below"}
"""Functions that change nothing, so that they can be called once more."""

different: set[int] = set()
"""The changes that made a difference since the set was emptied."""


def with_change(number: int, value: Any, differs: Callable[[], Any] | None) -> Any:
    """The value of an expression; its change is noted where it has another one, or where only a run can tell."""
    if number not in different:
        try:
            if differs is None or differs():
                different.add(number)
        except Exception:
            different.add(number)
    return value


@contextmanager
def watch(mutants: Sequence[Mutant]) -> Iterator[None]:
    """The rules tell what each of these changes would do."""
    numbers: dict[str, dict[int, int]] = defaultdict(dict)
    for number, mutant in enumerate(mutants):
        numbers[mutant.module][mutant.index] = number
    before = []
    for name, wanted in numbers.items():
        tree, module = parsed(name), import_module(f"kernels.palworld.{name}")
        chosen = [
            (number, change) for index, change in enumerate(changes(tree)) if (number := wanted.get(index)) is not None
        ]
        tests = [test(change) for _, change in chosen]
        for (number, change), differs in zip(chosen, tests, strict=True):
            add(number, change, differs)
        new = codes(tree, file_of(name))
        vars(module)["with_change"] = with_change
        for function in {change.function.name for _, change in chosen}:
            target = getattr(module, function)
            before.append((target, target.__code__))
            target.__code__ = new[function]
    try:
        yield
    finally:
        for target, code in before:
            target.__code__ = code


def test(change: Change) -> ast.expr:
    """The question whether a change makes a difference, as a function, or None."""
    if isinstance(change.statement, ast.AugAssign) and change.field == "op":
        statement = deepcopy(change.statement)
        left = ast.parse(ast.unparse(statement.target), mode="eval").body
        old: ast.expr = ast.BinOp(left, statement.op, statement.value)
        new: ast.expr = ast.BinOp(left, change.new, statement.value)  # type: ignore[arg-type]
    elif isinstance(change.old, ast.expr) and isinstance(change.new, ast.expr):
        old, new = deepcopy(change.old), deepcopy(change.new)
    calls = {ast.unparse(node.func) for part in (old, new) for node in ast.walk(part) if isinstance(node, ast.Call)}
    if calls - PURE or change.words == "call left out":
        return ast.Constant(None)
    arguments = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(arguments, ast.Compare(deepcopy(old), [ast.NotEq()], [new]))


def add(number: int, change: Change, differs: ast.expr) -> None:
    """Let a change be looked at where its expression stands."""

    def looked_at(value: Any) -> ast.expr:
        return ast.Call(ast.Name("with_change", ast.Load()), [ast.Constant(number), value, differs], [])

    if isinstance(change.statement, ast.AugAssign) and change.field == "op":
        change.statement.value = looked_at(change.statement.value)
    else:
        change.put(looked_at(change.old))


def taken(run: Callable[[], Any]) -> tuple[Any, set[int]]:
    """What a run returns, and the numbers of the changes that made a difference in it."""
    different.clear()
    result = run()
    return result, set(different)

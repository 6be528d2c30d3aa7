"""Mutants of the rules: one operator, constant or call of a kernel function changed, as a new code object.

Nothing is written: uncompiled, a kernel is a Python function, and a mutant is another code for it.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

RULES = ["battle", "card_verbs", "cards", "checks", "choices", "copies", "costs", "decks", "derived", "effects"]
RULES += ["machine", "player_verbs", "plays", "setup", "triggers", "turns", "zones"]
"""The files of kernels/palworld that are rules; the others are players, counts, tables and checks of the state."""
COUNTED = {"steps", "decisions", "attacks", "blocks", "interrupts", "checks", "lucky_stops", "luck_sum", "luck_var"}
COUNTED |= {"lead", "offered", "kept", "returned", "drawn", "played", "milled", "mulligans", "seen_at", "check_log"}
COUNTED |= {"check_count", "signature", "known", "log_on", "optioned", "could_play", "acted"}
"""Fields that statistics and logs are made of; what writes them is no rule."""
LOGGED = {"fold", "event", "event_with", "write_log", "log_auto", "log_rules", "see", "stop", "count_turn"}
"""Calls that a rule makes only to tell what it does."""

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
NAMES = {"ONE": "ZERO", "ZERO": "ONE", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutant:
    """A change: where, what the line was and what is different, and the code with it."""

    module: str
    index: int
    function: str
    line: int
    source: str
    change: str
    code: CodeType

    @property
    def target(self) -> FunctionType:
        return getattr(import_module(f"kernels.palworld.{self.module}"), self.function)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What the change is called where it is explained; line numbers move, words do not."""
        return self.module, self.function, self.source, self.change

    def __str__(self) -> str:
        return said(self.module, self.line, self.function, self.source, self.change)


def said(module: str, line: int, function: str, source: str, change: str) -> str:
    """A change in words."""
    return f"{module}.py:{line} {function}: {source}  [{change}]"


def mutants(count: int, seed: int) -> list[Mutant]:
    """Some of the mutants of the rules, drawn without order of preference; the same for the same seed and rules."""
    sites = [(module, index) for module in RULES for index in range(len(list(changes(parsed(module)))))]
    chosen = random.Random(seed).sample(sites, min(count, len(sites)))
    return [built(module, index) for module, index in chosen]


def named(words: Sequence[str]) -> list[Mutant]:
    """All mutants whose words contain one of these."""
    found = []
    for module in RULES:
        lines = file_of(module).read_text(encoding="utf-8").splitlines()
        for index, change in enumerate(changes(parsed(module))):
            line = change.statement.lineno
            text = said(module, line, change.function.name, lines[line - 1].strip(), change.words)
            if any(part in text for part in words):
                found.append(built(module, index))
    return found


def file_of(module: str) -> Path:
    return Path(import_module(f"kernels.palworld.{module}").__file__ or "")


def parsed(module: str) -> ast.Module:
    return ast.parse(file_of(module).read_text(encoding="utf-8"))


def built(module: str, index: int) -> Mutant:
    """The mutant with a number."""
    path, tree = file_of(module), parsed(module)
    lines = path.read_text(encoding="utf-8").splitlines()
    change = list(changes(tree))[index]
    change.put(change.new)
    line = change.statement.lineno
    code = codes(tree, path)[change.function.name]
    return Mutant(module, index, change.function.name, line, lines[line - 1].strip(), change.words, code)


def codes(tree: ast.Module, path: Path) -> dict[str, CodeType]:
    """The functions of a module, compiled."""
    ast.fix_missing_locations(tree)
    whole = compile(tree, str(path), "exec", dont_inherit=True, flags=0)
    return {part.co_name: part for part in whole.co_consts if isinstance(part, CodeType)}


@dataclass(frozen=True)
class Change:
    """A possible change: what stands in a place of a statement, and what would."""

    function: ast.FunctionDef
    statement: ast.stmt
    words: str
    parent: Any
    field: str
    place: int | None
    new: ast.AST

    @property
    def old(self) -> Any:
        """What stands there now."""
        found = getattr(self.parent, self.field)
        return found if self.place is None else found[self.place]

    def put(self, new: ast.AST) -> None:
        """Let something else stand there."""
        if self.place is None:
            setattr(self.parent, self.field, new)
        else:
            getattr(self.parent, self.field)[self.place] = new


def changes(tree: ast.Module) -> Iterator[Change]:
    """Every possible change."""
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            body = function.body[1:] if ast.get_docstring(function) else function.body
            for statement in statements(body):
                if not told_only(statement):
                    for words, *where in changes_of(statement):
                        yield Change(function, statement, words, *where)


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, the outer before the inner."""
    for statement in body:
        yield statement
        for field in ("body", "orelse"):
            yield from statements(getattr(statement, field, []))


def told_only(statement: ast.stmt) -> bool:
    """The statement only counts or logs."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return isinstance(statement.value.func, ast.Name) and statement.value.func.id in LOGGED
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    names = {node.attr for node in ast.walk(target) if isinstance(node, ast.Attribute)} if target else set()
    if isinstance(statement, ast.If) and all(map(told_only, [*statement.body, *statement.orelse])):
        return True
    if isinstance(statement, ast.If | ast.While):
        names = {node.attr for node in ast.walk(statement.test) if isinstance(node, ast.Attribute)} - {"x"}
        return names == {"log_on"}
    return bool(names & COUNTED) or (isinstance(target, ast.Name) and target.id == "word")


def changes_of(statement: ast.stmt) -> Iterator[tuple[Any, ...]]:
    """Changes of one statement, without the statements inside: words, and where stands what instead."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield "call left out", statement, "value", None, ast.copy_location(ast.Constant(None), statement)
    if isinstance(statement, ast.AugAssign) and type(statement.op) in SWAPS:
        yield swapped(statement.op), statement, "op", None, SWAPS[type(statement.op)]()
    for parent, field, place, node in expressions(statement):
        around = f" in {ast.unparse(parent)}" if isinstance(parent, ast.expr) else ""
        for words, new in replacements(node):
            yield words + ("" if " in " in words else around), parent, field, place, new


def expressions(statement: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """The expressions of a statement with the place where each stands."""
    for field, value in ast.iter_fields(statement):
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.expr):
                yield statement, field, place, child
                yield from expressions(child)


def replacements(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What may stand for an expression, with words for it."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
        new = ast.Compare(node.left, [SWAPS[type(node.ops[0])]()], node.comparators)
        yield f"{swapped(node.ops[0])} in {ast.unparse(node)}", new
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        yield f"{swapped(node.op)} in {ast.unparse(node)}", ast.BinOp(node.left, SWAPS[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield f"{swapped(node.op)} in {ast.unparse(node)}", ast.BoolOp(SWAPS[type(node.op)](), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield f"{ast.unparse(node.operand)} for {ast.unparse(node)}", node.operand
    elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        new = ast.Constant(not node.value if isinstance(node.value, bool) else 0 if node.value == 1 else node.value + 1)
        yield f"{new.value} for {node.value}", new
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in NAMES:
        yield f"{NAMES[node.id]} for {node.id}", ast.Name(NAMES[node.id], ast.Load())


SIGNS: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Add: "+", ast.Sub: "-",
    ast.BitAnd: "&", ast.BitOr: "|", ast.And: "and", ast.Or: "or",
}  # fmt: skip


def swapped(op: ast.AST) -> str:
    return f"{SIGNS[SWAPS[type(op)]]} for {SIGNS[type(op)]}"

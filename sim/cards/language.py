"""From the text of an ability to its parsed form: the grammar of a game, the lexer, the parser and its errors."""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput
from lark.exceptions import VisitError
from lark.lexer import Lexer
from msgspec.structs import replace

from sim.cards import ast
from sim.cards.errors import LanguageError
from sim.cards.verbs import vocabulary

GRAMMAR = Path(__file__).with_name("grammar.lark")

_TOKEN = re.compile(r'\s+|(?P<QUOTED>"[^"\n]*")|(?P<INT>\d+)|(?P<WORD>[^\W\d]+)|(?P<SIGN><=|>=|==|.)')
LARGEST = 9999  # keeps every number of a card inside 16 bits
DEEPEST = 12  # braces and parentheses inside one another; the cards of the project use 4


# ------------------------------------------------------------------------------------------------------ grammar


def _one_of(rule: str, words: tuple[str, ...], plural: bool = False) -> str:
    """A rule that accepts one of the words (for nouns also with -s) and keeps it."""
    accepted = [f'"{form}"' for word in words for form in ((word, word + "s") if plural else (word,))]
    return f"!{rule}: {' | '.join(accepted)}\n"


def _verb_rules(game: str) -> str:
    """One rule for each form of the verb table; a verb that the opponent may do gets a second one."""
    lines = []
    for name, verb in vocabulary(game).VERBS.items():
        parts = []
        for word in verb.form.split():
            if word.startswith("{"):
                field = f"f_{word.strip('{?}')}"
                parts.append(f"[{field}]" if "?" in word else field)
            else:
                parts.append({"get": "_get", "souls": "_souls"}.get(word, f'"{word}"'))
        lines.append(f"{' '.join(parts)} -> do_{name}")
        if "who" in verb.fields:
            parts[0] = f'"{verb.form.split()[0]}s"'
            lines.append(f'"enemy" {" ".join(parts)} -> enemy_{name}')
    return "verb: " + "\n    | ".join(lines) + "\n"


@cache
def grammar(game: str = "palworld") -> str:
    """The whole grammar of a game in Lark's notation."""
    words = vocabulary(game)
    own = Path(words.__file__ or "").with_name("grammar.lark")
    return "\n".join(
        (
            GRAMMAR.read_text(encoding="utf-8"),
            _verb_rules(game),
            _one_of("noun", (*words.TYPES, "card"), plural=True),
            *(_one_of(rule, known) for rule, (known, _) in words.LISTS.items()),
            own.read_text(encoding="utf-8"),
        )
    )


class Words(Lexer):
    """Cuts an ability into words. A word is never split, so `pals` is not `pal` and a rest."""

    def __init__(self, conf: Any) -> None:
        self.names = {t.pattern.value: t.name for t in conf.terminals if t.pattern is not None}

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        depth = 0
        for found in _TOKEN.finditer(text):
            group, value = found.lastgroup, found.group()
            if group is None:
                continue
            depth += (value in "{(") - (value in "})")
            if depth > DEEPEST:
                raise LanguageError("the ability is nested too deeply", found.start(), f"at most {DEEPEST} levels")
            if group == "INT" and int(value) > LARGEST:
                raise LanguageError(f"the number {value} is too large", found.start(), f"at most {LARGEST}")
            kind = group if group in ("INT", "QUOTED") else self.names.get(value, "UNKNOWN")
            yield Token(kind, value, start_pos=found.start(), end_pos=found.end())


@cache
def _parser(game: str) -> Lark:
    return Lark(grammar(game), parser="lalr", lexer=Words, maybe_placeholders=True, propagate_positions=True)


# ------------------------------------------------------------------------------------------------------- errors

_KINDS = {"INT": "a number", "QUOTED": 'a name in "quotes"', "$END": "the end of the ability"}


def _shown(words: list[str], game: str) -> str:
    """The words in a readable order; the many words of one list of the game as one entry."""
    lists = vocabulary(game)
    shown = sorted(word if word in _KINDS.values() else f"`{word}`" for word in words)
    types = (*lists.TYPES, "card")
    named = [entry for entry in lists.LISTS.values() if entry[1]]
    for known, name in (*named, (types, " or ".join(f"`{word}`" for word in types))):
        if all(f"`{word}`" in shown for word in known):
            shown = [entry for entry in shown if entry.strip("`").removesuffix("s") not in known]
            shown = [entry for entry in shown if entry.strip("`") not in known] + [name]
    return ", ".join(shown[:14]) + (" ..." if len(shown) > 14 else "")


def _unexpected(text: str, error: UnexpectedInput, parser: Lark, game: str) -> LanguageError:
    """What was found and what would be right, the most similar words first."""
    token: Token = error.token  # type: ignore[attr-defined]
    values = {t.name: t.pattern.value for t in parser.terminals if t.pattern is not None}
    names = set(getattr(error, "accepts", None) or error.expected)  # type: ignore[attr-defined]
    expected = [word for name in names if (word := _KINDS.get(name) or values.get(name, ""))]
    if token.type == "$END":
        found, offset = "the ability ends too early", len(text.rstrip())
    elif token.value == '"':
        return LanguageError("a name without its second quote", token.start_pos or 0, 'close it with another `"`')
    else:
        found, offset = f"did not expect {str(token.value)!r} here", token.start_pos or 0
    by_case = {word.casefold(): word for word in expected}
    near = difflib.get_close_matches(str(token.value).casefold(), list(by_case), n=3, cutoff=0.6)
    if near:
        return LanguageError(found, offset, "did you mean " + " or ".join(f"`{by_case[word]}`" for word in near) + "?")
    hint = "expected " + _shown(expected, game)
    if token.type == "UNKNOWN" and (similar := difflib.get_close_matches(token.value, values.values(), 1, 0.75)):
        hint = f"did you mean `{similar[0]}`? But that cannot stand here; {hint}"
    return LanguageError(found, offset, hint)


# ------------------------------------------------------------------------------------------------------ parsing


@cache
def _meaning(game: str) -> Transformer:
    words = vocabulary(game)
    own = importlib.import_module(f"sim.games.{game}.meaning")
    return own.Meaning(words.VERBS, words.PLACE, lambda name, number: _keyword(name, number, game))


def parse_ability(text: str, game: str = "palworld") -> ast.Ability:
    """The parsed form of one ability. Raises LanguageError with the offset of the fault in `text`."""
    parser = _parser(game)
    try:
        tree = parser.parse(text)
        return _meaning(game).transform(tree)
    except UnexpectedInput as error:
        raise _unexpected(text, error, parser, game) from None
    except VisitError as error:
        if isinstance(error.orig_exc, LanguageError):
            raise error.orig_exc from None
        raise


@cache
def expand_keyword(name: str, number: int, game: str) -> ast.Ability:
    """The ability that a keyword stands for, marked with the keyword."""
    text = re.sub(r"\bN\b", str(number), vocabulary(game).KEYWORDS[name])
    plain = parse_ability(text, game)
    return replace(plain, keyword=name, number=number)


def _keyword(name: str, number: int | None, game: str) -> ast.Ability:
    """A keyword as it is written, with or without a number. Raises ValueError with what would be right."""
    if takes_number(name, game) != (number is not None):
        fault = f"{name} needs a number" if number is None else f"{name} takes no number"
        raise ValueError(f"the keyword {fault}", f"write `keyword {name}{' 300' if number is None else ''}`")
    return expand_keyword(name, number or 0, game)


def takes_number(name: str, game: str = "palworld") -> bool:
    """Whether a keyword is written with a number, as in `keyword Brave 300`."""
    return re.search(r"\bN\b", vocabulary(game).KEYWORDS[name]) is not None

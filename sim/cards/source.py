"""Where things stand in a TOML file: line and column of tables, keys, and of every character of a string.

`tomllib` gives values without positions, and a fault inside an ability must point into the file.
"""

from __future__ import annotations

import re

Position = tuple[int, int]

_QUOTES = re.compile(r"'''|\"\"\"|'|\"")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[^\n\S]*\n\s*|.)")
_PART = r"""(?:"[^"\n]*"|'[^'\n]*'|[\w.-]+)"""
_KEY = re.compile(rf"[ \t]*({_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*=")
_HEADER = re.compile(r"[ \t]*\[\[?[ \t]*([^\]\n]*?)[ \t]*\]\]?")


class Source:
    """The text of one valid TOML file. Lines and columns count from 1."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tables: dict[str, int] = {}
        self.keys: dict[tuple[str, str], int] = {}
        self.strings: dict[tuple[str, str], list[list[int]]] = {}
        self._scan()

    def position(self, offset: int) -> Position:
        before = self.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    def of_table(self, table: str) -> Position:
        return self.position(self.tables.get(table, 0))

    def of_key(self, table: str, key: str) -> Position:
        return self.position(self.keys.get((table, key), self.tables.get(table, 0)))

    def of_string(self, table: str, key: str, index: int, offset: int = 0) -> Position:
        """The character `offset` of the string number `index` in the value of a key."""
        strings = self.strings.get((table, key), [])
        if index >= len(strings):
            return self.of_key(table, key)
        places = strings[index]
        return self.position(places[min(offset, len(places) - 1)])

    def string(self, table: str, key: str, index: int) -> str:
        """The text of a string in which each character stands where `of_string` says."""
        strings = self.strings.get((table, key), [])
        return "".join(self.text[place] for place in strings[index][:-1]) if index < len(strings) else ""

    def _scan(self) -> None:
        at, table = 0, ""
        while at < len(self.text):
            if header := _HEADER.match(self.text, at):
                table = _unquoted(header[1])
                self.tables[table] = header.start() + len(header[0]) - len(header[0].lstrip())
                at = self._line_end(header.end())
            elif key := _KEY.match(self.text, at):
                name = _unquoted(key[1])
                self.keys[table, name] = key.start(1)
                self.strings[table, name] = []
                at = self._value(key.end(), self.strings[table, name])
            else:
                at = self._line_end(at)

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end + 1

    def _value(self, at: int, strings: list[list[int]]) -> int:
        """Walk over one value, which ends at the line end outside of brackets."""
        depth = 0
        while at < len(self.text):
            char = self.text[at]
            if char == "\n" and depth == 0:
                return at + 1
            if char == "#":
                end = self.text.find("\n", at)
                at = len(self.text) if end < 0 else end
                continue
            if quotes := _QUOTES.match(self.text, at):
                at = self._string(quotes.end(), quotes[0], strings)
                continue
            depth += (char in "[{") - (char in "]}")
            at += 1
        return at

    def _string(self, at: int, quote: str, strings: list[list[int]]) -> int:
        """Note where each character of a string stands; the last entry is its end."""
        places: list[int] = []
        strings.append(places)
        if len(quote) == 3 and self.text.startswith("\n", at):
            at += 1
        while at < len(self.text) and not self.text.startswith(quote, at):
            escape = _ESCAPE.match(self.text, at) if quote[0] == '"' and self.text[at] == "\\" else None
            if escape is None or escape[1].strip() != "":
                places.append(at)
            at = escape.end() if escape else at + 1
        places.append(at)
        return at + len(quote)


def _unquoted(key: str) -> str:
    return key[1:-1] if key[:1] in "\"'" and key[-1:] == key[:1] else key

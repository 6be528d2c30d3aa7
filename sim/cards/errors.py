"""Errors in card files, for the people who write them."""

from __future__ import annotations

from sim.errors import InputError


class CardError(InputError):
    """A card that cannot be read: `file:line:column: message`. `hint` says what would be right, `code` is the kind of
    fault in the list of `sim.cards.lint`."""

    def __init__(
        self, message: str, file: str = "", line: int = 0, column: int = 0, hint: str = "", code: str = "C001"
    ) -> None:
        super().__init__(message, file, line)
        self.column, self.hint, self.code = column, hint, code

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        text = f"{self.message}; {self.hint}" if self.hint else self.message
        return f"{place}: {text}" if place else text


class LanguageError(Exception):
    """An ability that does not follow the grammar. offset: characters before the fault in the ability's text."""

    def __init__(self, message: str, offset: int, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.offset, self.hint = message, offset, hint

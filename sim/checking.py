"""What `cardmill check` does: every card and deck file among some paths, every finding in it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from sim import files
from sim.cards import load_cards
from sim.cards.errors import CardError
from sim.decks import BUILT_IN, Names, check_deck, parse_deck, read_text
from sim.errors import DeckError, InputError


class Finding(msgspec.Struct, frozen=True):
    """One thing to look at. error: it must be put right; otherwise it is advice."""

    file: str
    line: int
    message: str
    code: str = ""
    error: bool = True
    text: str = ""

    def __str__(self) -> str:
        return self.text or f"{self.file}:{self.line}: {self.message}"

    def to_dict(self) -> dict[str, str | int | bool]:
        return {name: getattr(self, name) for name in ("file", "line", "code", "message", "error")}


class Checked(msgspec.Struct):
    """files: how many were read; skipped: files of folders that hold neither cards nor a deck."""

    files: int = 0
    findings: list[Finding] = []
    skipped: list[str] = []
    unreadable: bool = False


def check_paths(paths: Sequence[str], game: str, cards: Iterable[str] = ()) -> Checked:
    """Check files and folders. Card files are read first: decks may use their cards. Files of the program itself are
    those of their own game."""
    result = Checked()
    files = [file for path in paths for file in _files(Path(path), result)]
    kinds = {file: kind_of(file) for file in files}
    own = [file for file in files if kinds[file] == "cards"]
    sound = [Path(card) for card in cards]
    for file in own:
        result.files += 1
        if not _check_cards(file, own_game(file) or game, result) and not own_game(file):
            sound.append(file)
    names = {one: Names(load_cards(one, sound if one == game else ())) for one in {game, *map(own_game, files)} if one}
    for file in files:
        if kinds[file] == "deck":
            result.files += 1
            _check_deck(file, names[own_game(file) or game], result)
        elif kinds[file] == "other":
            result.skipped.append(str(file))
    result.findings.sort(key=lambda finding: (finding.file, finding.line))
    return result


def own_game(file: Path) -> str:
    """The game whose folder in the program holds the file; "" for files of users."""
    path = file.resolve()
    return path.relative_to(BUILT_IN).parts[0] if path.is_relative_to(BUILT_IN) else ""


def _files(path: Path, result: Checked) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.suffix in (".toml", ".txt") and file.is_file())
    if not path.exists():
        result.unreadable = True
        result.findings.append(Finding(str(path), 0, "there is no such file", text=f"{path}: there is no such file"))
        return []
    return [path]


def kind_of(path: Path) -> str:
    """What a file holds: "cards", "deck", or "other". A file that is no TOML is what its first lines look like."""
    if path.suffix.lower() != ".toml":
        return "deck"
    try:
        text = files.read_text(path)
    except (OSError, UnicodeDecodeError):
        return "deck"  # reading it says what is wrong
    try:
        keys = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return "deck" if "\n[cards]" in f"\n{text}" or "\ncards" in f"\n{text}" else "cards"
    if "position" in keys or "play" in keys:
        return "other"
    if "cards" in keys:
        return "deck"
    if keys and all(isinstance(value, dict) for value in keys.values()):
        return "cards"
    return "deck" if not keys or {"name", "title"} & set(keys) else "other"


def _check_cards(file: Path, game: str, result: Checked) -> bool:
    """Whether something must be put right."""
    from sim.cards.lint import check_cards

    try:
        found = check_cards(file, game)
    except CardError as error:
        result.unreadable = True
        result.findings.append(Finding(str(file), 0, error.message, error.code, True, str(error)))
        return True
    for one in found:
        message = f"{one.message}; {one.hint}" if one.hint else one.message
        result.findings.append(Finding(str(file), one.line, message, one.code, one.level == "error", str(one)))
    return any(one.level == "error" for one in found)


def _check_deck(file: Path, names: Names, result: Checked) -> None:
    try:
        parsed = parse_deck(read_text(file), str(file), names)
        check_deck(parsed, names, str(file))
    except DeckError as error:
        result.findings.append(Finding(str(file), error.line, error.message, "D001", True, str(error)))
        if "binary" in error.message or "cannot be read" in error.message or "UTF-8" in error.message:
            result.unreadable = True
    except InputError as error:
        result.findings.append(Finding(str(file), error.line, error.message, "D001", True, str(error)))

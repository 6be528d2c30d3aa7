"""How common decks are in a field: given on the command line, in a file, or as observed between people."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from sim.errors import InputError
from sim.files import read_text, why
from sim.results import RunInfo

WAYS = "uniform, observed, a file with lines as in `my-deck = 0.3`, or as in mine=3,other=1"


def read_shares(text: str, info: RunInfo) -> dict[str, float] | None:
    """Deck name to its share, not yet renormalised; None where all decks are equally common.

    text: "uniform" | "observed" (what people play, where the game knows it) | the name of a TOML file | "a=3,b=1".
    Raises InputError in words for people.
    """
    if text == "uniform":
        return None
    names = [deck.name for deck in info.decks]
    if text == "observed":
        return _observed(info.game, names)
    if "=" in text:
        return dict(_pair(part) for part in text.split(",") if part.strip())
    return _file(Path(text))


def _observed(game: str, names: list[str]) -> dict[str, float]:
    file = Path(__file__).parent / "games" / game / "observed.json"
    if not file.exists():
        raise InputError(f"--shares observed: nothing is known of what people play in {game}")
    known = json.loads(file.read_text(encoding="utf-8"))["shares"]
    found = {name: float(known[name]) for name in names if name in known}
    if not found:
        raise InputError(f"--shares observed: it knows {', '.join(known)}, and the run has none of these")
    return found


def _pair(part: str) -> tuple[str, float]:
    name, _, value = part.rpartition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise InputError(f"--shares: {part.strip()!r} is not of the form deck=0.3 ({WAYS})") from None


def _file(path: Path) -> dict[str, float]:
    try:
        data = tomllib.loads(read_text(path))
    except FileNotFoundError:
        raise InputError(f"--shares {path}: there is no such file ({WAYS})") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"--shares {path}: cannot be read: {why(error)}") from None
    data = data.get("shares", data)
    wrong = [name for name, share in data.items() if isinstance(share, bool) or not isinstance(share, int | float)]
    if wrong or not data:
        what = f"{wrong[0]!r} has no number" if wrong else "is empty"
        raise InputError(f"--shares {path}: {what}; one line a deck, as in `my-deck = 0.3`")
    return {name: float(share) for name, share in data.items()}

"""Results between people: facts of how decks do in their hands, to compare simulated ones with."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import msgspec

from sim.errors import InputError
from sim.files import read_text, why
from sim.results import Observed


def own_observed(game: str) -> Path:
    """The observed results that come with a game. Raises InputError where it has none."""
    file = Path(__file__).parent / "games" / game / "observed.json"
    if not file.is_file():
        raise InputError(f"nothing is known of games between people in {game}; name a file of results")
    return file


def read_observed(path: str | Path) -> Observed:
    """Results from JSON (`matchups`: lists of deck a, deck b, share won by a, games) or CSV (columns deck_a, deck_b,
    share, games). Raises InputError in words for people."""
    path = Path(path)
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise InputError("there is no such file", str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {why(error)}", str(path)) from None
    try:
        found = _from_csv(text, str(path)) if path.suffix == ".csv" else msgspec.json.decode(text, type=Observed)
    except msgspec.MsgspecError as error:
        shape = 'an object with "matchups": [["deck", "other", 0.55, 1200], ...]'
        raise InputError(f"does not hold observed results: {error} (expected {shape})", str(path)) from None
    seen: set[frozenset[str]] = set()
    for a, b, share, games in found.matchups:
        if not 0.0 <= share <= 1.0 or games < 1:
            raise InputError(
                f"{a} against {b}: a share from 0 to 1 and 1 game or more, not {share} of {games}", str(path)
            )
        if a == b or frozenset((a, b)) in seen:
            raise InputError(f"{a} against {b}: " + ("a mirror tells nothing" if a == b else "twice"), str(path))
        seen.add(frozenset((a, b)))
    if not found.matchups:
        raise InputError("has no matchups", str(path))
    return found


def _from_csv(text: str, path: str) -> Observed:
    rows = csv.DictReader(text.splitlines())
    wanted = ("deck_a", "deck_b", "share", "games")
    if missing := [name for name in wanted if name not in (rows.fieldnames or ())]:
        raise InputError(f"has no column {missing[0]!r}; it needs {', '.join(wanted)}", path)
    found: list[tuple[str, str, float, int]] = []
    for line, row in enumerate(rows, 2):
        values: dict[str, Any] = {key: (row[key] or "").strip() for key in wanted}
        try:
            found.append((values["deck_a"], values["deck_b"], float(values["share"]), int(values["games"])))
        except ValueError:
            raise InputError(
                f"share {values['share']!r} or games {values['games']!r} is no number", path, line
            ) from None
    return Observed(matchups=found)

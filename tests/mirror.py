"""Scenario files with the players changed round: what holds for A must hold for B."""

from __future__ import annotations

import re
from pathlib import Path

UNFAIR = re.compile(r"#\d|^seed\s*=|^setup\s*=", re.M)
"""Copies are numbered A's first, shuffles and the setup differ by seat."""


def mirror(path: Path, folder: Path) -> Path | None:
    """Write a scenario file with A and B changed round; None where the two players are not alike in it."""
    text = mirrored(path.read_text(encoding="utf-8"))
    if text is None:
        return None
    found = re.sub(r'"([^"\n]+\.toml)"', lambda name: f'"{(path.parent / name[1]).resolve().as_posix()}"', text)
    made = folder / path.name
    made.write_text(found, encoding="utf-8")
    return made


def mirrored(text: str) -> str | None:
    """The text of `mirror`, but for paths."""
    if UNFAIR.search(text):
        return None
    turned = re.sub(r"\b[AB]\b", lambda found: "B" if found[0] == "A" else "A", text)
    if re.search(r"^turn_player\s*=", turned, re.M):
        return turned
    if re.search(r"^\[position\]", turned, re.M):
        return re.sub(r"^\[position\].*$", r'\g<0>\nturn_player = "B"', turned, count=1, flags=re.M)
    return re.sub(
        r"^\[position\.|^\[\[play\]\]", r'[position]\nturn_player = "B"\n\n\g<0>', turned, count=1, flags=re.M
    )

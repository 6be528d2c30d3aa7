"""How much of the card pool, the answers and the verbs is modelled and tested: the tables of docs/coverage.md.

python -m tests.coverage            prints them
python -m tests.coverage --write    writes the document
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sim.cards import load_cards
from sim.cards.ast import Card, Do
from sim.coverage import GRADES, grade
from sim.games.palworld.vocabulary import VERBS
from sim.scenario import read_scenario
from tests.exercised import Seen, of_scenarios, to_exercise
from tests.test_scenarios import ASKED, FILES, NOT_PLAYED

PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"
HEAD = """# What is covered

Palworld, made by `python -m tests.coverage --write`; a test compares this page with the cards and scenarios.

An ability is exercised where a scenario carries it out, or where it applies to a card; scenarios are played by both
engines.
"""


def page() -> str:
    """The document."""
    cards, seen = load_cards(game="palworld"), of_scenarios()
    return "\n".join([HEAD, *by_set(cards, seen), "", *answers(), "", *verbs(cards, seen), ""])


def by_set(cards: dict[str, Card], seen: Seen) -> list[str]:
    """Cards by how they are modelled, and their abilities, by set."""
    rows = [
        "## Cards",
        "",
        f"| set | cards | {' | '.join(GRADES)} | abilities | exercised |",
        "|---" + "|---:" * 6 + "|",
    ]
    sets = sorted({number.partition("-")[0] for number in cards})
    for name in [*sets, "all"]:
        own = [card for number, card in cards.items() if name == "all" or number.startswith(name + "-")]
        grades = Counter(grade(card) for card in own)
        abilities = [(card.number, i) for card in own for i, one in enumerate(card.abilities) if to_exercise(one)]
        numbers = [
            len(own),
            *(grades[name] for name in GRADES),
            len(abilities),
            sum(map(bool, map(seen.get, abilities))),
        ]
        rows.append(f"| {name} | {' | '.join(map(str, numbers))} |")
    return rows


def answers() -> list[str]:
    """Official answers that are played, and why the others are not."""
    played = {int(n) for path in FILES for n in re.findall(r"Q&A (\d+)", read_scenario(path).rule)}
    rows = [
        "## Official answers",
        "",
        f"{len(played & ASKED)} of {len(ASKED)} are played by scenarios. The others:",
        "",
    ]
    return rows + [f"- Q&A {number}: {why}" for number, why in sorted(NOT_PLAYED.items())]


def verbs(cards: dict[str, Card], seen: Seen) -> list[str]:
    """Verbs of the card language: cards that use each, abilities with it that scenarios carry out."""
    used: Counter[str] = Counter()
    tested: Counter[str] = Counter()
    for number, card in cards.items():
        for i, ability in enumerate(card.abilities):
            found = {node.verb for node in nodes(ability) if isinstance(node, Do)}
            used.update(found)
            tested.update(found if seen.get((number, i)) else ())
    rows = ["## Verbs", "", "| verb | abilities with it | exercised |", "|---|---:|---:|"]
    return rows + [f"| `{verb}` | {used[verb]} | {tested[verb]} |" for verb in sorted(VERBS)]


def nodes(value: Any) -> Iterator[Any]:
    """A syntax node and everything in it."""
    yield value
    if isinstance(value, tuple):
        for one in value:
            yield from nodes(one)
    for name in getattr(value, "__struct_fields__", ()):
        yield from nodes(getattr(value, name))


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())

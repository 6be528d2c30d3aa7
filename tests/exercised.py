"""Which abilities of which cards the scenarios exercise: the reference plays them all and says what it did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from sim.cards.ast import Ability, Card, Static
from sim.scenario import run_scenario
from tests.reference.palworld import derived, effects, moves
from tests.reference.palworld.engine import Reference
from tests.reference.palworld.objects import Frame, Game, Held, Piece

FOLDER = Path(__file__).parent / "scenarios" / "palworld"
ASKED = {"taunt", "stealth", "assault", "night", "cost"}
"""Continuous effects that count as soon as the engine asks for them while they are in force; of the others, some card
must be one that they are for, and Legendary counts where it keeps a Pal out."""
RULES = {"deck_any"}
"""Continuous effects that are about decks; the deck rules have tests of their own."""

Seen = dict[tuple[str, int], int]
"""How often each ability was carried out or applied, by card number and index of the ability."""


@contextmanager
def watched() -> Iterator[Seen]:
    """While this lasts, the reference counts what it carries out and applies."""
    seen: Seen = {}
    resolve, active, targets = effects.resolve, derived.active, derived.static_targets
    increases, may_enter = moves.increases, moves.may_enter

    def count(piece: Piece, index: int) -> None:
        seen[piece.card.number, index] = seen.get((piece.card.number, index), 0) + 1

    def counting_resolve(game: Game, text: Any, frame: Frame) -> Any:
        if frame.key and frame.key[0] == "printed" and text is frame.this.card.abilities[frame.key[1]].effects:
            count(frame.this, frame.key[1])
        return resolve(game, text, frame)

    def counting_active(game: Game, held: Held) -> bool:
        holds = active(game, held)
        if holds and held.key[0] == "printed" and any(static.kind in ASKED for static in held.ability.statics):
            count(held.piece, held.key[1])
        return holds

    def counting_targets(game: Game, static: Static, source: Piece) -> list[Piece]:
        found = targets(game, static, source)
        if found:
            for index, ability in enumerate(source.card.abilities):
                if any(one is static for one in ability.statics):
                    count(source, index)
        return found

    def counting_enters(game: Game, piece: Piece) -> bool:
        enters = may_enter(game, piece)
        for index, ability in enumerate(piece.card.abilities):
            if not enters and any(static.kind == "legendary" for static in ability.statics):
                count(piece, index)
        return enters

    def counting_increases(game: Game, held: Held, static: Static, piece: Piece, frame: Frame) -> bool:
        holds = increases(game, held, static, piece, frame)
        if holds and held.key[0] == "printed":
            count(held.piece, held.key[1])
        return holds

    with (
        mock.patch.object(effects, "resolve", counting_resolve),
        mock.patch.object(derived, "active", counting_active),
        mock.patch.object(derived, "static_targets", counting_targets),
        mock.patch.object(moves, "increases", counting_increases),
        mock.patch.object(moves, "may_enter", counting_enters),
    ):
        yield seen


def of_scenarios() -> Seen:
    """What all scenarios exercise."""
    with watched() as seen:
        for path in sorted(FOLDER.glob("*.toml")):
            run_scenario(path, Reference)
    return seen


def to_exercise(ability: Ability) -> bool:
    """The ability does something that an engine does."""
    return not ability.statics or any(static.kind not in RULES for static in ability.statics)


def missing(cards: dict[str, Card], seen: Seen) -> list[str]:
    """Abilities that nothing exercises, as "BP01-001 2 (auto)", counted from 1."""
    return [
        f"{number} {index + 1} ({ability.kind})"
        for number, card in sorted(cards.items())
        for index, ability in enumerate(card.abilities)
        if to_exercise(ability) and not seen.get((number, index))
    ]

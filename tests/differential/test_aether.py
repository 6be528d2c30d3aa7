"""A fixed sample of Aether games in which kernel and reference must agree at every decision.

At length: `python -m tests.differential.runner --game aether --games 10000`.
"""

from __future__ import annotations

import random

import pytest

pytest.importorskip("sim.games.aether.game", exc_type=ModuleNotFoundError)

from tests.differential import aether
from tests.differential.pair import Divergence
from tests.differential.runner import Line, report

SAMPLE = [
    *(("legal", "moody", seed) for seed in range(16)),
    *(("legal", "greedy", seed) for seed in range(96, 104)),
    *(("stress", "uniform", seed) for seed in range(204, 212)),
    *(("few", "mixed", seed) for seed in range(304, 312)),
    *(("tests", "moody", seed) for seed in range(400, 416)),
    *(("mixed", "moody", seed) for seed in range(508, 516)),
    *(("rich", "uniform", seed) for seed in range(600, 616)),
]
"""Eighty games: decks, players, seed."""


@pytest.mark.parametrize(("kind", "players", "seed"), SAMPLE)
def test_kernel_and_reference_agree(kind: str, players: str, seed: int) -> None:
    line = Line(seed, kind, players, "aether")
    try:
        line.play()
    except Divergence as error:
        pytest.fail(report(line, error), pytrace=False)
    assert line.pair.over


def test_legal_decks_are_legal() -> None:
    """s3: 40 cards, 3 of a card, no tokens."""
    for seed in range(50):
        deck = aether.legal(random.Random(seed))
        assert len(deck) == 40
        assert max(deck.count(card) for card in deck) <= 3
        assert all(card.type != "token" for card in deck)


def test_a_difference_is_found_and_told() -> None:
    """A kernel that counts one life too many does not pass."""
    line = Line(3, "stress", "uniform", "aether")
    line.pair.kernel.lane.life[0] += 1
    with pytest.raises(Divergence) as caught:
        line.play()
    text = report(line, caught.value)
    assert "A.life" in text
    assert "--game aether --seed 3 --decks stress --players uniform" in text

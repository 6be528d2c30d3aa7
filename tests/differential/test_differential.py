"""A fixed sample of games in which kernel and reference must agree at every decision, and tests of the tools.

At length: `python -m tests.differential.runner --games 10000`.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from kernels.rng import SHUFFLE
from sim.games.palworld.game import Game
from sim.position import Option
from tests.differential import decks
from tests.differential.pair import Divergence, Shuffles, lines, stream
from tests.differential.palworld import Pair
from tests.differential.runner import Line, report
from tests.differential.shrink import fewer, snapshot

SAMPLE = [
    *(("legal", "moody", seed) for seed in range(16)),
    *(("legal", "greedy", seed) for seed in range(96, 104)),
    *(("legal", "uniform", seed) for seed in range(204, 208)),
    *(("stress", "moody", seed) for seed in range(304, 316)),
    *(("few", "mixed", seed) for seed in range(404, 412)),
    *(("mixed", "moody", seed) for seed in range(508, 512)),
    *(("tests", "moody", seed) for seed in range(708, 712)),
    *(("td", "uniform", seed) for seed in range(604, 608)),
]
"""Sixty games: decks, players, seed."""


@pytest.mark.parametrize(("kind", "players", "seed"), SAMPLE)
def test_kernel_and_reference_agree(kind: str, players: str, seed: int) -> None:
    line = Line(seed, kind, players)
    try:
        line.play()
    except Divergence as error:
        pytest.fail(report(line, error), pytrace=False)
    assert line.pair.over


def test_legal_decks_are_legal() -> None:
    """CR 6.1.1."""
    for seed in range(50):
        deck = decks.legal(random.Random(seed))
        limits = {card.name: card.deck_limit for card in deck}
        assert len(deck) == 50
        assert all(count <= limits[name] for name, count in Counter(card.name for card in deck).items())
        assert sum(card.lucky for card in deck) <= 8
        assert len({card.color for card in deck} - {"colorless"}) <= 2


def test_the_plain_shuffle_is_the_kernels() -> None:
    """The stream and the permutation, computed in Python, give the order in which the kernel shuffles a deck."""
    deck = decks.legal(random.Random(1))
    pair = Pair.of_run(Game([sorted(deck, key=lambda card: card.number)] * 2), 0, 12345)
    shuffles = Shuffles([stream(12345, 0, seat, int(SHUFFLE)) for seat in (0, 1)])
    for seat in (0, 1):
        order = shuffles(seat, [seat * 64 + slot for slot in range(49, -1, -1)])
        assert pair.kernel.state()["players"][seat]["deck"] == order[5:]


def test_a_difference_is_found_and_told() -> None:
    """A kernel that counts one life too many does not pass."""
    line = Line(3, "td", "uniform")
    line.pair.kernel.lane.life[0] += 1
    with pytest.raises(Divergence) as caught:
        line.play()
    text = report(line, caught.value)
    assert "A.life" in text
    assert "--seed 3 --decks td --players uniform" in text


def test_a_difference_names_what_is_between() -> None:
    assert lines("deck", [1, 2, 3, 9], [1, 4, 9]) == ["deck [from 1]:", "  kernel    [2, 3]", "  reference [4]"]


def test_fewer_finds_the_items_that_matter() -> None:
    assert fewer(list(range(40)), lambda part: {7, 23} <= set(part)) == [7, 23]


def test_a_start_is_the_game_that_it_was_taken_from() -> None:
    """The game goes on from a written position as it went on."""
    line = Line(11, "td", "moody")
    while (start := snapshot(line.pair)) is None or start.turn < 5:
        line.pair.choose(line.pick())
    again = Pair.of_position(start.position())
    new = start.objs()
    assert sorted(map(kind_of, again.kernel.options())) == sorted(map(kind_of, line.pair.kernel.options()))
    assert {new[obj] for obj in line.pair.kernel.state()["objects"]} == set(again.kernel.state()["objects"])


def kind_of(option: Option) -> tuple[str, int]:
    """What remains of an option where interchangeable cards may stand for one another."""
    return option.kind, option.n

"""Random numbers: splitmix64 as published, streams that never meet, shuffles and coins that are fair."""

from __future__ import annotations

from itertools import islice, permutations, product

import numpy as np
import pytest

from analysis.stats import chi_square_p
from kernels import rng
from kernels.jit import PLAIN
from sim.cards import load_cards
from sim.provenance import stream_key
from tests.kernels import twin
from tests.kernels.table import STARTERS, Table, starters

SEEDS = (0, 1, 2**63, 2**64 - 1)
PUBLISHED = {
    0: (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B),
    1234567: (
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ),
}
"""Seed to the first numbers of splitmix64, as its authors' C program prints them."""
MANY = 100_000
SMALL = 1e-4
"""Fixed seeds: a test that passes goes on passing, and a fair generator fails one test in 10,000."""


def fair(counts: list[int]) -> bool:
    """All outcomes are equally likely, by a chi-square test."""
    expected = sum(counts) / len(counts)
    p = chi_square_p(sum((n - expected) ** 2 / expected for n in counts), len(counts) - 1)
    return p is not None and p > SMALL


def python(function):
    """A kernel function as plain Python."""
    return function if PLAIN else function.py_func


@pytest.mark.parametrize("seed", PUBLISHED)
def test_splitmix64_as_published(seed: int) -> None:
    wanted = PUBLISHED[seed]
    assert tuple(islice(twin.numbers(seed), len(wanted))) == wanted
    with np.errstate(over="ignore"):
        states = [np.uint64(seed) + np.uint64(i + 1) * rng.GAMMA for i in range(len(wanted))]
        assert tuple(int(python(rng.mix)(state)) for state in states) == wanted


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(starters())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_kernel_and_its_twin_agree(seed: int, table: Table) -> None:
    S, table.key = table.lane, np.uint64(stream_key(seed, *STARTERS))
    key = int(table.key)
    for g in (0, 1, 2, 3, 2**32, 2**40 + 1):
        table.start(g, 2)
        assert int(S.coin_rng) == twin.stream(key, g, 0, twin.COIN)
        assert int(S.coin_seat) == twin.coin(key, g)
        for seat in range(2):
            assert int(S.choice_rng[seat]) == twin.stream(key, g, seat, twin.CHOICE)
            assert [int(slot) for slot in S.deck[seat, :50]] == twin.shuffled(key, g, seat, 50)
        table.start(g)
        for seat in range(2):
            hand = twin.shuffled(key, g, seat, 50)[45:]
            assert int(S.hand[seat]) == sum(1 << slot for slot in hand)


def test_a_thousand_games_have_a_thousand_shuffles(table: Table) -> None:
    seen, n = set(), 30 if PLAIN else 1000
    for g in range(n):
        table.start(g)
        seen |= {bytes(table.lane.deck[seat, :50]) for seat in range(2)}
    assert len(seen) == 2 * n


def test_streams_of_neighbours_do_not_meet() -> None:
    """Streams are stretches of one cycle; the starts of neighbouring seeds, games, seats and purposes lie far apart."""
    keys = [stream_key((seed + near) % 2**64, *STARTERS) for seed in (0, 2**63) for near in range(-3, 4)]
    keys.append(stream_key(0, *reversed(STARTERS)))
    places = product(keys, [*range(500), *range(2**32, 2**32 + 20)], range(2), (twin.SHUFFLE, twin.CHOICE, twin.COIN))
    inverse = pow(twin.GAMMA, -1, 2**64)
    starts = sorted(twin.stream(*place) * inverse % 2**64 for place in places)
    assert len(starts) == 15 * 520 * 6
    nearest = min(after - before for before, after in zip(starts, [*starts[1:], starts[0] + 2**64], strict=True))
    assert nearest > 1_000_000, "a game uses some hundred numbers of each stream"


@pytest.mark.parametrize("vary", ["seeds", "games"])
def test_first_card_and_coin_are_fair(vary: str) -> None:
    first, coins, both = [0] * 50, [0] * 2, [0] * 4
    for i in range(MANY):
        key, g = (stream_key(i, *STARTERS), 0) if vary == "seeds" else (1, i)
        # The top card is settled by the first number of the shuffle.
        top = [twin.below(next(twin.numbers(twin.stream(key, g, p, twin.SHUFFLE))), 50) for p in range(2)]
        first[top[0]] += 1
        coins[twin.coin(key, g)] += 1
        both[(top[0] >= 25) * 2 + (top[1] >= 25)] += 1
    assert fair(first)
    assert fair(coins)
    assert fair(both), "the decks of both seats are independent"


def test_every_order_of_three_cards_is_as_likely() -> None:
    orders = dict.fromkeys(permutations(range(3)), 0)
    for g in range(MANY):
        orders[tuple(twin.shuffled(7, g, 0, 3))] += 1
    assert fair(list(orders.values()))


def test_every_order_of_three_cards_is_as_likely_in_the_kernel() -> None:
    card = load_cards("palworld")["TD01-002"]
    table, orders = Table([[card] * 3, [card] * 3]), dict.fromkeys(permutations(range(3)), 0)
    n = 60 if PLAIN else 6000
    for g in range(n):
        table.start(g)
        for seat in range(2):
            orders[tuple(int(slot) for slot in table.lane.deck[seat, :3])] += 1
    assert sum(orders.values()) == 2 * n
    assert fair(list(orders.values()))


@pytest.mark.parametrize("n", [1, 2, 3, 50, 64])
def test_numbers_below_n(n: int) -> None:
    """The whole range is used, and nothing outside of it."""
    assert twin.below(0, n) == 0
    assert twin.below(2**64 - 1, n) == n - 1
    for word in (0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1):
        assert int(python(rng.below)(np.uint64(word), np.uint64(n))) == twin.below(word, n)

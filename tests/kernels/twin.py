"""The random numbers of the kernels once more, in plain integers of Python (splitmix64)."""

from __future__ import annotations

from collections.abc import Iterator

ONES = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
SHUFFLE, CHOICE, COIN = 1, 2, 3


def mix(z: int) -> int:
    """The finaliser of splitmix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & ONES
    z = (z ^ z >> 27) * 0x94D049BB133111EB & ONES
    return z ^ z >> 31


def numbers(state: int) -> Iterator[int]:
    """The numbers of a stream that starts at `state`."""
    while True:
        state = state + GAMMA & ONES
        yield mix(state)


def stream(key: int, g: int, seat: int, purpose: int) -> int:
    """Where the stream of a game, seat and purpose starts."""
    return mix(mix(key + GAMMA & ONES) ^ (g * 0xD1342543DE82EF95 + (seat * 16 + purpose) * GAMMA & ONES))


def below(number: int, n: int) -> int:
    """A number in [0, n) from 64 random bits."""
    return (number >> 32) * n >> 32


def shuffled(key: int, g: int, seat: int, n: int) -> list[int]:
    """The first shuffle of a deck of n cards, bottom to top (Fisher and Yates)."""
    cards, random = list(range(n)), numbers(stream(key, g, seat, SHUFFLE))
    for i in range(n - 1, 0, -1):
        j = below(next(random), i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def coin(key: int, g: int) -> int:
    """The seat that wins the coin flip."""
    return below(next(numbers(stream(key, g, 0, COIN))), 2)

"""Random numbers: splitmix64 streams that are pure functions of (matchup key, game, seat, purpose).

Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014). A stream is one uint64 in the state record,
so that a copied game goes on with its own numbers.
"""

from __future__ import annotations

import numpy as np

from kernels.jit import hot

U = np.uint64
GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX1 = np.uint64(0xBF58476D1CE4E5B9)
MIX2 = np.uint64(0x94D049BB133111EB)
STEP = np.uint64(0xD1342543DE82EF95)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)

SHUFFLE, CHOICE, COIN, SEARCH = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
"""Purposes of streams: the shuffles of a seat, the choices of a seat's player, the coin flip, sampled worlds."""


@hot
def mix(z):
    """Finaliser of splitmix64: a bijection of 64-bit numbers."""
    z = (z ^ (z >> S30)) * MIX1
    z = (z ^ (z >> S27)) * MIX2
    return z ^ (z >> S31)


@hot
def stream(key, g, seat, purpose):
    """Start of a stream. key: uint64 of run seed and matchup; g: game in the matchup."""
    return mix(mix(key + GAMMA) ^ (U(g) * STEP + (U(seat) * U(16) + U(purpose)) * GAMMA))


@hot
def below(word, n):
    """Number in [0, n) from a mixed 64-bit word by multiply-shift; n < 2**32, the bias is below n / 2**32."""
    return ((word >> S32) * U(n)) >> S32

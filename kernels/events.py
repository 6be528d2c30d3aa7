"""The signature of a game and its log: what happened, over card numbers only."""

from __future__ import annotations

import numpy as np

from kernels.jit import hot, kernel, word
from kernels.numbers import ONE, SIX, I, U
from kernels.rng import GAMMA, S32

FOLD = np.uint64(0xFF51AFD7ED558CCD)
S29, S7, S8, S16 = np.uint64(29), np.uint64(7), np.uint64(8), np.uint64(16)
S40 = np.uint64(40)
A_BIAS, A_MASK, B_BIAS, B_MASK = np.uint64(1 << 15), np.uint64(0xFFFF), np.uint64(1 << 31), np.uint64(0xFFFFFFFF)


@hot
def fold(S, word):
    """Add a word to the signature of the game."""
    z = (S.signature ^ word) * FOLD
    S.signature = z ^ (z >> S29)


@kernel
def record(S, key, kind, obj, a, b):
    """Something happened to a card or player with this key: into the signature, and into the log where that is on."""
    owner = (obj >> SIX) & ONE
    fold(S, key ^ (kind << S40) ^ (owner << S32) ^ word(a) * GAMMA ^ word(b) * FOLD)
    if S.log_on:
        write_log(S, kind, obj, a, b)


@kernel
def record_with(S, key, kind, obj, other_key, other):
    """Something happened between a card and another card or a player: by their keys in the signature, by obj in the
    log."""
    owner = (obj >> SIX) & ONE
    fold(S, key ^ (kind << S40) ^ (owner << S32) ^ other_key * GAMMA)
    if S.log_on:
        write_log(S, kind, obj, I(other), 0)


@kernel
def write_log(S, kind, obj, a, b):
    """Append to the event log; what does not fit is counted, so that a reader can say so."""
    n = U(S.log_count)
    if n < U(len(S.log)):
        S.log[n] = kind | obj << S8 | ((word(a) + A_BIAS) & A_MASK) << S16 | ((word(b) + B_BIAS) & B_MASK) << S32
    S.log_count = n + ONE


@kernel
def stop(S, end):
    """End the game by force: a capacity or the loop guard (never silent: the row says so)."""
    S.status = 1
    S.end = end
    S.winner = -1

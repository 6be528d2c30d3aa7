"""Decks that an opponent may have, for the tables of every game (kernels.guess)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from kernels.guess import LISTS, PLACES
from sim.errors import InputError

SLOTS = 64


def mask_places(records: ModuleType) -> np.ndarray:
    """Where the masks of each seat that tell of cards are in the tables, in words of 8 bytes: int32[2, n]."""
    places: tuple[list[int], list[int]] = ([], [])
    for name in records.BY_SLOT:
        kind, offset = records.TABLES.fields[name][:2]
        numbers = offset // 8 + np.arange(int(np.prod(kind.shape))).reshape(kind.shape)
        if kind.shape[0] != 2:  # the seat comes last
            numbers = np.moveaxis(numbers, -1, 0)
        for seat in (0, 1):
            places[seat].extend(numbers[seat].ravel().tolist())
    return np.array(places, np.int32)


def fill_lists(
    T: Any, records: ModuleType, lists: Sequence[Sequence[int]], cards: int, fill_seat: Callable[[int, list[int]], None]
) -> None:
    """Enter the decks that an opponent may have, and what there is to know of a slot with each card.

    lists: decks as card indices. cards: how many there are. fill_seat: enters the masks of a seat with these cards,
    which leaves nothing here. Before the seats of the matchup are filled.
    """
    if len(lists) > LISTS:
        raise InputError(f"{len(lists)} decks that an opponent may have; at most {LISTS} are supported")
    places = mask_places(records)
    T.list_count = len(lists)
    T.lists[:] = -1
    for k, deck in enumerate(lists):
        T.lists[k, : len(deck)] = sorted(deck)
    T.place_count = places.shape[1]
    T.places[:, : places.shape[1]] = places
    clean = T.copy()
    facts = np.zeros((cards, PLACES), bool)
    for first in range(0, cards, SLOTS):
        chunk = list(range(first, min(first + SLOTS, cards)))
        fill_seat(0, chunk)
        words = np.frombuffer(T.tobytes(), np.uint64)[places[0]]
        for slot, card in enumerate(chunk):
            facts[card, : len(words)] = words >> np.uint64(slot) & np.uint64(1)
        for name in T.dtype.names:
            T[name] = clean[name]
    bits = np.packbits(facts, axis=1, bitorder="little")
    T.facts[:cards] = bits.view("<u8")

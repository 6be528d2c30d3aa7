"""Damaged files of every kind end in a documented error, or well; and whatever once did not still does."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import FOUND, PIECES, TARGETS, attempt, edited, seeds

INPUTS = int(os.environ.get("CARDMILL_FUZZ", "40"))
"""Inputs for each target; CARDMILL_FUZZ=10000 looks longer."""
SLOW = {"run-json": 8, "run-table": 8}
"""Targets that read a whole run try so many times fewer."""


@pytest.mark.parametrize("target", TARGETS)
def test_edited_files(target: str) -> None:
    start = seeds(target)

    @settings(max_examples=INPUTS // SLOW.get(target, 1), deadline=None, suppress_health_check=list(HealthCheck))
    @given(which=st.integers(0, len(start) - 1), seed=st.integers(0, 2**32))
    def one(which: int, seed: int) -> None:
        game, data = start[which]
        attempt(target, game, edited(data, random.Random(seed)))

    one()


@pytest.mark.parametrize("target", [target for target in TARGETS if not target.startswith("run")])
def test_files_of_anything(target: str) -> None:
    text = st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=8), st.text(max_size=8).map(str.encode)))

    @settings(max_examples=INPUTS, deadline=None, suppress_health_check=list(HealthCheck))
    @given(game=st.sampled_from(["palworld", "aether"]), pieces=text)
    def one(game: str, pieces: list[bytes]) -> None:
        attempt(target, game, b"".join(pieces))

    one()


@pytest.mark.parametrize("file", sorted(FOUND.glob("*")), ids=lambda file: file.name)
def test_what_was_found(file: Path) -> None:
    target, game, *_ = file.name.split(".")
    attempt(target, game, file.read_bytes())

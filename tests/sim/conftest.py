from __future__ import annotations

import pytest

from tests.sim import fake


@pytest.fixture
def fake_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The players of the fake instead of those of a real game."""
    monkeypatch.setattr("sim.games.load_game", lambda name: fake.GAME)

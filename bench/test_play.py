"""Playing: chunks of games with all counts and signatures, as in a run."""

from __future__ import annotations

import pytest

from bench.conftest import Did, Measure, thread_clock
from bench.workloads import GAMES, WORKLOADS, Workload

pytestmark = [thread_clock, pytest.mark.usefixtures("one_core")]


@pytest.mark.parametrize(
    ("decks", "agent", "games"),
    [
        ("starters", "random", 200),
        ("starters", "greedy", 200),
        ("starters", "passive", 200),
        ("ten", "random", 900),
        ("ten", "greedy", 900),
        ("aether", "random", 200),
        ("aether", "greedy", 200),
    ],
)
def test_play(measure: Measure, decks: str, agent: str, games: int) -> None:
    work = Workload(WORKLOADS[decks], agent, games, GAMES.get(decks, "palworld"))
    work.prepare()

    def play() -> Did:
        played = work.play()
        return Did(played.decisions, played.signature)

    measure(play, "decision", rounds=30, sign=str)

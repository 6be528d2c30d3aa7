"""The players of every game: their names, and the budgets of those who search.

Light players (random, passive, greedy) answer inside `advance`. Heavy ones (planner, search) try options on copies of
the game, around `advance`. Budgets are counts, never time, so that a choice depends on nothing but the game.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

AGENTS = ("random", "passive", "greedy", "planner", "search")
"""The code of a player is its place."""
GREEDY, PLANNER, SEARCH = 2, 3, 4

PARAMETERS: dict[str, tuple[tuple[str, int, str], ...]] = {
    "planner": (
        ("nodes", 80, "lines that are played out at a decision"),
        ("worlds", 10, "samples of the hidden cards that lines are played out in"),
        ("turns", 1, "turns that a line takes: 1 to the end of this one, 2 to the end of the next"),
        ("known", 1, "1: the opponent's deck list is known; 0: it is guessed from the cards that were seen"),
        ("prior", 15, "how much better, in thousandths of a game, an option must be than the greedy one"),
    ),
    "search": (
        ("playouts", 200, "games played on at a decision"),
        ("turns", 4, "turns after which a playout is judged by what is on the table, 0 for playouts to the end"),
        ("prior", 10, "how much better, in thousandths of a game, an option must be than the greedy one"),
        ("known", 1, "1: the opponent's deck list is known; 0: it is guessed from the cards that were seen"),
    ),
}
"""Of each heavy player: name, default, meaning; the order is that of `P.budget`."""

KNOWN = 3
"""Place of `known` in a budget."""
assert all(PARAMETERS[name][KNOWN][0] == "known" for name in PARAMETERS)

BUDGET = ("budget", np.int32, (2, 8), "what each seat's heavy player may spend (kernels.agents)")
"""Field of every game's record of players."""


def agent_table(weights: Mapping[str, float]) -> dict[str, tuple[int, dict[str, float]]]:
    """Players of a game by name: code, and parameters with their defaults. weights: of its greedy player, which the
    heavy ones are made of."""
    weighted = AGENTS[GREEDY:]
    return {
        name: (
            code,
            {key: float(default) for key, default, _ in PARAMETERS.get(name, ())}
            | (dict(weights) if name in weighted else {}),
        )
        for code, name in enumerate(AGENTS)
    }

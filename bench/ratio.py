"""`python -m bench.ratio`: time per decision of the engine and of the C floor, side by side on one core.

Both are played in turns of some hundredths of a second, so that whatever slows the machine slows both. Engine: every
count and signature is collected, and only decisions with two or more options are counted. Floor: it counts forced picks
too (4% with the random, 11% with the greedy player), which makes the ratio look worse by as much. The floor plays a
game like Palworld; beside Aether it is only a yardstick of the machine.
"""

from __future__ import annotations

import argparse
import json
import os
from statistics import median
from typing import Any

from bench import floor
from bench.workloads import GAMES, WORKLOADS, Workload

PLAYERS = ("random", "greedy")
REPEATS = 3
"""A pair is the best of so many turns of each."""
FLOOR_GAMES = 1000


def pin(core: int | None = None) -> int | None:
    """Keep this process on one core, the last that it may use without `core`; None where the system cannot."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {core})
    return core


def compare(name: str, agent: str, pairs: int, games: int) -> dict[str, Any]:
    """One line of the result. games: of the engine in a turn."""
    work = Workload(WORKLOADS[name], agent, games, GAMES.get(name, "palworld"))
    work.prepare()
    first = work.play()  # clocks are up, memory is touched
    kernel, yard, ratios = [], [], []
    signature_of_floor = None
    for _ in range(pairs):
        ours, theirs = float("inf"), float("inf")
        for _ in range(REPEATS):
            played = work.play()
            assert played.signature == first.signature, "the same games were played differently"
            ours = min(ours, played.ns)
            beside = floor.measure(agent, FLOOR_GAMES, 1)
            if beside is not None:
                theirs, signature_of_floor = min(theirs, beside.ns), beside.signature
        kernel.append(ours)
        if signature_of_floor is not None:
            yard.append(theirs)
            ratios.append(ours / theirs)
    decisions = first.decisions / first.games
    return {
        "decks": name,
        "agent": agent,
        "ns_per_decision": median(kernel),
        "decisions_per_game": decisions,
        "games_per_s": 1e9 / median(kernel) / decisions,
        "floor_ns": median(yard) if yard else None,
        "ratio": [min(ratios), median(ratios), max(ratios)] if ratios else None,
        "games": first.games,
        "signature": first.signature,
        "floor_signature": signature_of_floor,
    }


def text(row: dict[str, Any]) -> str:
    """A line for people."""
    line = (
        f"{row['decks']:9}{row['agent']:8}{row['ns_per_decision']:7.0f} ns a decision,"
        f"{row['decisions_per_game']:7.1f} decisions a game,{row['games_per_s']:8,.0f} games/s"
    )
    if row["ratio"]:
        low, middle, high = row["ratio"]
        line += f"; floor{row['floor_ns']:5.0f} ns; ratio {middle:.2f} ({low:.2f} to {high:.2f})"
    return f"{line}; signature {row['signature']}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.ratio", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=15, help="measurements of each, side by side (default 15)")
    parser.add_argument("--games", type=int, default=400, help="games of the engine in a turn (default 400)")
    parser.add_argument("--core", type=int, help="which core; the last one without it")
    parser.add_argument("--agent", choices=PLAYERS, action="append", help="one player; all without it")
    parser.add_argument("--decks", choices=WORKLOADS, action="append", help="one set of decks; all without it")
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    asked = parser.parse_args()
    core = pin(asked.core)
    rows = []
    for name in asked.decks or WORKLOADS:
        for agent in asked.agent or PLAYERS:
            rows.append(compare(name, agent, asked.pairs, asked.games))
            if not asked.json:
                print(text(rows[-1]), flush=True)
    if asked.json:
        print(json.dumps({"core": core, "pairs": asked.pairs, "rows": rows}, indent=1))
    elif rows[0]["ratio"]:
        print(f"core {core}; medians, and the range, of {asked.pairs} pairs, each the best of {REPEATS} turns")


if __name__ == "__main__":
    main()

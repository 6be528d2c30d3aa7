"""How the suites measure: every round of a benchmark has the C floor beside it.

A benchmark's result is `ratio`: (time for one unit) / (time of one decision of the C floor, the better of just before
and just after), the lower quartile over its rounds. Machines differ by a factor and a busy one changes from second to
second; the ratio stays, and what others do to the caches only ever adds. Beside it stands the signature of what was
computed: a time for other results is no time for these.
"""

from __future__ import annotations

import hashlib
import os
import resource
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import median, quantiles
from typing import Any, NamedTuple

import pytest

from bench import floor
from bench.ratio import pin

FLOOR_GAMES = 200
"""Games of the floor before a round: about five milliseconds."""


class Did(NamedTuple):
    """What a round has done; `result` is what its signature is made of."""

    units: int
    result: Any


Body = Callable[[], Did]
Measure = Callable[..., Did]


def digest(*parts: Any) -> str:
    """Signature of results that have none of their own."""
    found = hashlib.blake2b(digest_size=8)
    for part in parts:
        found.update(part if isinstance(part, bytes) else repr(part).encode())
    return found.hexdigest()


def cpu_of_children() -> float:
    """CPU seconds of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.fixture
def one_core() -> Iterator[None]:
    """Stay on one core, so that the thread's clock and the caches are those of that core."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    pin()
    yield
    os.sched_setaffinity(0, before)


@pytest.fixture
def measure(benchmark: Any) -> Measure:
    """`measure(body, unit, rounds)`: benchmark a body that says how many units it did, and what came out, which must be
    the same in every round. One more round goes before where `warm`. sign: from results to signature, not timed."""

    def run(body: Body, unit: str, rounds: int = 20, warm: bool = True, sign: Callable[[Any], str] = digest) -> Did:
        beside: list[float] = []
        done: list[Did] = []

        def look_at_floor() -> None:
            if found := floor.measure(games=FLOOR_GAMES, repeats=1):
                beside.append(found.ns)

        def once() -> None:
            done.append(body())

        benchmark.pedantic(once, setup=look_at_floor, rounds=rounds, iterations=1, warmup_rounds=int(warm))
        look_at_floor()
        units = done[0].units
        signatures = {(did.units, sign(did.result)) for did in done}
        assert len(signatures) == 1, f"a round did other work than the one before: {signatures}"
        info = benchmark.extra_info
        info |= {"unit": unit, "units": units, "signature": sign(done[0].result)}
        if benchmark.stats is not None:
            times = benchmark.stats.stats.data
            info["ns_per_unit"] = 1e9 * median(times) / units
            if beside:
                floors = [min(pair) for pair in pairwise(beside[-len(times) - 1 :])]
                ratios = [1e9 * seconds / units / ns for seconds, ns in zip(times, floors, strict=True)]
                info["ratio"] = quantiles(ratios, n=4, method="inclusive")[0] if len(ratios) > 1 else ratios[0]
                info["floor_ns"] = median(floors)
        return done[0]

    return run


def pytest_benchmark_update_machine_info(config: pytest.Config, machine_info: dict[str, Any]) -> None:
    """The file says what the machine is, not whose."""
    machine_info.pop("node", None)


thread_clock = pytest.mark.benchmark(timer=time.thread_time)
process_clock = pytest.mark.benchmark(timer=time.process_time)
children_clock = pytest.mark.benchmark(timer=cpu_of_children)

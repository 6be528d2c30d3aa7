"""`python -m bench.compare RESULT [BASELINE]`: what became slower, by ratio to the C floor.

RESULT is a file that `make bench` wrote. Times of two machines, or of one machine at two hours, say little; multiples
of the floor's time, taken beside every round, do. A change beyond `LIMIT` is named; below it lies the noise of a
machine that does other things too.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

BASELINE = Path(__file__).parent / "baseline.json"
LIMIT = 0.15
"""A ratio this much larger is slower, one smaller by the same factor is quicker."""
KEPT = ("unit", "units", "ns_per_unit", "floor_ns", "ratio", "wall_s", "signature")


class Line(NamedTuple):
    """One benchmark, now and before."""

    name: str
    verdict: str
    """same, slower, quicker, new, gone, or unknown where there is no floor to compare by."""
    change: float | None
    """Ratio now / ratio before."""
    now: Mapping[str, Any] | None
    before: Mapping[str, Any] | None

    @property
    def other(self) -> bool:
        """Whether other results came out: then the time is that of other work."""
        return bool(self.now and self.before and self.now["signature"] != self.before["signature"])


def reduced(report: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a file of pytest-benchmark; a reduced one stays as it is."""
    if not isinstance(report["benchmarks"], list):
        return dict(report)
    machine = report["machine_info"]
    return {
        "commit": report["commit_info"].get("id"),
        "python": machine["python_version"],
        "processor": machine["cpu"].get("brand_raw", machine["processor"]),
        "benchmarks": {
            found["name"]: {key: _short(found["extra_info"][key]) for key in KEPT if key in found["extra_info"]}
            for found in sorted(report["benchmarks"], key=lambda found: found["fullname"])
        },
    }


def _short(value: Any) -> Any:
    return float(f"{value:.5g}") if isinstance(value, float) else value


def compare(now: Mapping[str, Any], before: Mapping[str, Any], limit: float = LIMIT) -> list[Line]:
    """The benchmarks of both reports, in the order of the new one; then those that it lacks."""
    ours, theirs = reduced(now)["benchmarks"], reduced(before)["benchmarks"]
    lines = []
    for name, found in ours.items():
        old = theirs.get(name)
        change, verdict = None, "new"
        if old is not None:
            verdict = "unknown"
            if "ratio" in found and "ratio" in old:
                change = found["ratio"] / old["ratio"]
                verdict = "slower" if change > 1 + limit else "quicker" if change < 1 / (1 + limit) else "same"
        lines.append(Line(name, verdict, change, found, old))
    return lines + [Line(name, "gone", None, None, old) for name, old in theirs.items() if name not in ours]


def better(now: Mapping[str, Any], again: Mapping[str, Any]) -> dict[str, Any]:
    """A reduced report with what was measured again, where that is better: noise only ever adds."""
    benchmarks = dict(now["benchmarks"])
    for name, found in again["benchmarks"].items():
        if found.get("ratio", 0.0) < benchmarks[name].get("ratio", 0.0):
            benchmarks[name] = found
    return {**now, "benchmarks": benchmarks}


def duration(ns: float) -> str:
    """A time as a person reads it."""
    for factor, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= factor:
            return f"{ns / factor:.3g} {unit}"
    return f"{ns:.3g} ns"


def text(line: Line) -> str:
    """A line for people."""
    found = line.now or line.before or {}
    time = f"{duration(found['ns_per_unit'])} a {found['unit']}"
    ratio = f"{found['ratio']:.4g} x floor" if "ratio" in found else ""
    change = f"{100 * (line.change - 1):+.0f}%" if line.change is not None else ""
    wall = f", {found['wall_s']:.2f} s to wait" if "wall_s" in found else ""
    other = ", other results" if line.other else ""
    return f"{line.name:34}{time:>26}{ratio:>20}{change:>7}  {line.verdict}{other}{wall}"


def show(lines: list[Line]) -> int:
    """Print all lines, those that matter once more; how many are slower."""
    for line in lines:
        print(text(line))
    slower = [line for line in lines if line.verdict == "slower"]
    if slower:
        print(f"\nSlower than the baseline by more than {100 * LIMIT:.0f}%:")
        for line in slower:
            print(text(line))
    if any(line.other for line in lines):
        print("\nOther results than the baseline: times are of other work until the baseline is renewed (--accept).")
    if any(line.verdict == "unknown" for line in lines):
        print("\nWithout the C floor nothing is compared.")
    return len(slower)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description="What became slower.")
    parser.add_argument("result", type=Path, help="a file that `make bench` wrote")
    parser.add_argument("baseline", type=Path, nargs="?", default=BASELINE, help="default: the committed one")
    parser.add_argument("--accept", action="store_true", help="make RESULT the baseline")
    asked = parser.parse_args()
    now = reduced(json.loads(asked.result.read_text(encoding="utf-8")))
    if asked.accept:
        asked.baseline.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        print(f"{asked.baseline} holds {len(now['benchmarks'])} benchmarks")
        return 0
    before = json.loads(asked.baseline.read_text(encoding="utf-8"))
    return 1 if show(compare(now, before)) else 0


if __name__ == "__main__":
    sys.exit(main())

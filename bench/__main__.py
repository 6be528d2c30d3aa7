"""`python -m bench`: run the suites, write bench/results/TIME-COMMIT.json, compare it with the baseline.

What is slower than the baseline is measured once more, and is slower if it is so twice. Everything else on the command
line goes to pytest, as in `python -m bench -k play`. Exit code 1: something failed, or became slower.
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import compare

HERE = Path(__file__).parent
RESULTS = HERE / "results"


def commit() -> str:
    """The commit that is measured, in short; with a mark where files differ from it."""
    words = ["git", "describe", "--always", "--dirty=-changed", "--exclude=*"]
    return subprocess.run(words, cwd=HERE, capture_output=True, text=True).stdout.strip() or "unknown"


def run(file: Path, *arguments: str) -> int:
    """Run suites into a file of pytest-benchmark; the exit code of pytest."""
    known = ["--benchmark-only", "--benchmark-columns=min,median,rounds", f"--benchmark-json={file}"]
    return subprocess.run([sys.executable, "-m", "pytest", *known, *arguments]).returncode


def report(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))


def places(found: dict[str, Any], names: list[str]) -> list[str]:
    """Where pytest finds these benchmarks."""
    files = {one["name"]: Path(one["fullname"].partition("::")[0]).name for one in found["benchmarks"]}
    return [f"{HERE / files[name]}::{name}" for name in names]


def main() -> int:
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{commit()}.json"
    failed = run(file, str(HERE), *sys.argv[1:])
    if not file.exists() or not file.stat().st_size:
        return failed or 1
    print(f"\nWritten: {file}\n")
    if not compare.BASELINE.exists():
        print(f"There is no baseline yet; to make this one: python -m bench.compare {file} --accept")
        return failed
    found, before = report(file), report(compare.BASELINE)
    now = compare.reduced(found)
    slower = [line.name for line in compare.compare(now, before) if line.verdict == "slower"]
    if slower:
        print(f"Slower than the baseline, measured again: {', '.join(slower)}")
        again = file.with_name(f"{file.stem}-again.json")
        failed = run(again, "--quiet", *places(found, slower)) or failed
        now = compare.better(now, compare.reduced(report(again)))
    lines = compare.compare(now, before)
    if len(sys.argv) > 1:  # a choice of suites was asked for: the others are not missing
        lines = [line for line in lines if line.verdict != "gone"]
    return failed or (1 if compare.show(lines) else 0)


if __name__ == "__main__":
    sys.exit(main())

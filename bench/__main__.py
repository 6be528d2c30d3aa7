"""`python -m bench`: run the suites, write bench/results/TIME-COMMIT.json, compare it with the baseline.

Everything else on the command line goes to pytest, as in `python -m bench -k play`. Exit code 1: something failed, or
became slower.
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench import compare

HERE = Path(__file__).parent
RESULTS = HERE / "results"


def commit() -> str:
    """The commit that is measured, in short; with a mark where files differ from it."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty=-changed", "--exclude=*"], cwd=HERE, capture_output=True, text=True
    )
    return done.stdout.strip() or "unknown"


def main() -> int:
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{commit()}.json"
    arguments = [str(HERE), "--benchmark-only", "--benchmark-columns=min,median,rounds", f"--benchmark-json={file}"]
    failed = subprocess.run([sys.executable, "-m", "pytest", *arguments, *sys.argv[1:]]).returncode
    if not file.exists() or not file.stat().st_size:
        return failed or 1
    print(f"\nWritten: {file}\n")
    now = compare.reduced(json.loads(file.read_text(encoding="utf-8")))
    if not compare.BASELINE.exists():
        print(f"There is no baseline yet; to make this one: python -m bench.compare {file} --accept")
        return failed
    lines = compare.compare(now, json.loads(compare.BASELINE.read_text(encoding="utf-8")))
    if len(sys.argv) > 1:  # a choice of suites was asked for: the others are not missing
        lines = [line for line in lines if line.verdict != "gone"]
    return failed or (1 if compare.show(lines) else 0)


if __name__ == "__main__":
    sys.exit(main())

"""Benchmarks: suites for pytest-benchmark, the ratio to the C floor, comparison with the committed baseline."""

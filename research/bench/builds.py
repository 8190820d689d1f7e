# SPDX-License-Identifier: MIT
"""Compare two builds of lbw by running the jobs of the benchmark in turns."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from .jobs import Bench
from .results import Comparison
from .trials import Trial, run_trial
from .workers import Worker

AFTER, BEFORE = "this build", "the other build"


def build_worker(build: Path) -> Worker:
    """Return the worker of a build folder."""
    return Worker("lbw", [str(build.resolve() / "research/bench/lbw_bench_worker")])


def build_trials(bench: Bench, other: Worker, only: str) -> Iterator[Trial]:
    """Yield the jobs of lbw in every comparison, run by both builds."""
    for trial in bench.trials():
        ours = trial.contestants[0]
        if ours.worker is not bench.crew.ours or not fnmatch.fnmatch(trial.key, only):
            continue
        pair = [replace(ours, name=AFTER), replace(ours, name=BEFORE, worker=other)]
        yield replace(trial, contestants=pair, targets=[])


def compare_builds(bench: Bench, other: Worker, only: str) -> list[Comparison]:
    """Run every job with both builds, one after the other."""
    try:
        return [run_trial(trial) for trial in build_trials(bench, other, only)]
    finally:
        other.stop()


def builds_table(comparisons: list[Comparison]) -> str:
    """Return the medians of both builds and their ratio as a table."""
    lines = [f"| job | {BEFORE} | {AFTER} | ratio |", "| --- | --- | --- | --- |"]
    for comparison in comparisons:
        after, before = comparison.side(AFTER), comparison.side(BEFORE)
        if after.error or before.error:
            lines.append(f"| {comparison.title} | {before.error} | {after.error} | |")
            continue
        ratio = before.median / after.median
        lines.append(
            f"| {comparison.title} | {before.median:.4g} s | {after.median:.4g} s | {ratio:.2f} |"
        )
    return "\n".join(lines)

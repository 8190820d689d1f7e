# SPDX-License-Identifier: MIT
"""Run Mapping Estimation on more points, once per size, with a time limit."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from typing import Any

import numpy as np

from .measure import FULL, MEASURES, Study, agreement
from .methods import N_THREADS, run_method
from .silhouettes import N_POINTS, Split, split_of

WEIGHTS = (0.5, 0.25, 0.25)
KEYS = ["method", "n_train", "k"]
RESULTS = [*MEASURES, "train_seconds", "transport_seconds", "outcome"]
METHODS = ("L-BW, paper", "ME-Linear")
ATOMS = (10, 20, 40, 100)
SIZES = [*((n, k) for n in (1000, 2000) for k in ATOMS), (N_POINTS, 20)]  # points per shape, atoms


def measure_large(study: Study, limit_seconds: float = 1500.0) -> None:
    """Run Mapping Estimation and lbw on one and two thousand points and on all points."""
    if study.name != "full":  # a short version is not useful
        return
    rows = study.rows("large", KEYS, [*RESULTS, "threads"])
    study.truths()
    for n_train, k in SIZES:
        if rows.done(method=METHODS[-1], n_train=n_train, k=k):
            continue
        print(f"{' and '.join(METHODS)}: {n_train} points, k = {k}", file=sys.stderr, flush=True)
        found = bounded(n_train, k, limit_seconds)
        rows.add(
            {"method": method, "n_train": n_train, "k": k, **result, "threads": N_THREADS}
            for method, result in zip(METHODS, found, strict=True)
        )


def bounded(n_train: int, k: int, limit_seconds: float) -> list[dict[str, Any]]:
    """Run all methods in turn in a process with a time limit, and return the outcome."""
    command = [sys.executable, "-W", "ignore", "-m", "shapes.large", str(n_train), str(k)]
    before = core_seconds()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            output, errors = process.communicate(timeout=limit_seconds)
            outcome = f"failed: {(errors.strip() or 'killed, perhaps for memory').splitlines()[-1]}"
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            outcome = f"stopped at the limit of {limit_seconds:.0f} s"
    found = [dict(json.loads(line)) for line in output.splitlines()]
    outcome += f", {core_seconds() - before:.0f} s of them on a core"
    missing = {**dict.fromkeys(RESULTS, float("nan")), "outcome": outcome}
    return found + [missing] * (len(METHODS) - len(found))


def core_seconds() -> float:
    """Return the processor time of child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def attempt(n_train: int, k: int) -> None:
    """Run the methods in turn and print each result immediately."""
    split = all_points() if n_train == N_POINTS else split_of(0).thinned(n_train)
    truth = FULL.truths()[WEIGHTS]
    for method in METHODS:
        moved = run_method(method, split, k, WEIGHTS, 0)
        found = {**agreement(moved.points, truth), **moved.seconds, "outcome": "done"}
        print(json.dumps(found), flush=True)


def all_points() -> Split:
    """Return all points of each shape, for both training and transport."""
    split = split_of(0)
    clouds = [np.concatenate(pair) for pair in zip(split.train, split.held_out, strict=True)]
    return Split(clouds, clouds)


if __name__ == "__main__":
    attempt(int(sys.argv[1]), int(sys.argv[2]))

# SPDX-License-Identifier: MIT
"""Mapping Estimation on more points, as far as it goes: each size once, within a time limit."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

from .measure import MEASURES, Study, agreement
from .methods import N_THREADS, PAPER, RIVALS, local
from .silhouettes import N_POINTS, Split, split_of

WEIGHTS = (0.5, 0.25, 0.25)
COLUMNS = [*MEASURES, "train_seconds", "transport_seconds", "outcome", "threads"]
KEYS = ["method", "n_train", "k"]


def all_points() -> Split:
    """Return the full clouds, each to learn from and to carry."""
    split = split_of(0)
    clouds = [np.concatenate(pair) for pair in zip(split.train, split.held_out, strict=True)]
    return Split(clouds, clouds)


def attempt(method: str, n_train: int, k: int) -> dict[str, Any]:
    """Run a method once; called in a process of its own."""
    from .measure import FULL

    split = all_points() if n_train == N_POINTS else split_of(0).thinned(n_train)
    run = RIVALS[method] if method in RIVALS else local(**PAPER)
    if method not in RIVALS:
        run(split, k, WEIGHTS, 0)  # warm
    carried = run(split, k, WEIGHTS, 0)
    return {
        **agreement(carried.points, FULL.truths()[WEIGHTS]),
        "train_seconds": carried.train_seconds,
        "transport_seconds": carried.transport_seconds,
        "outcome": "done",
    }


def measure_large(study: Study, limit_seconds: float = 1500.0) -> None:
    """Run Mapping Estimation and ours on a thousand points and on all, once each."""
    rows = study.rows("large", KEYS, COLUMNS)
    study.truths()
    work = [(n, k) for n in (1000,) for k in (10, 20, 40, 100)] + [(N_POINTS, 20)]
    for n_train, k in work:
        for method in ("L-BW, paper", "ME-Linear"):
            key = {"method": method, "n_train": n_train, "k": k}
            if rows.done(**key):
                continue
            print(f"{method} on {n_train} points, k = {k}", file=sys.stderr, flush=True)
            rows.add({**key, **bounded(key, limit_seconds), "threads": N_THREADS})


def bounded(key: dict[str, Any], limit_seconds: float) -> dict[str, Any]:
    """Run an attempt in a process that is ended at the limit, and say what happened."""
    command = [sys.executable, "-m", "shapes.large", json.dumps(key)]
    started, used = time.perf_counter(), core_seconds()
    try:
        done = subprocess.run(command, timeout=limit_seconds, capture_output=True, text=True)
        if done.returncode == 0:
            return dict(json.loads(done.stdout))
        outcome = f"failed after {time.perf_counter() - started:.0f} s: {last_line(done.stderr)}"
    except subprocess.TimeoutExpired:
        used = core_seconds() - used
        outcome = f"stopped at the limit of {limit_seconds:.0f} s, {used:.0f} s of them on a core"
    return {**dict.fromkeys(COLUMNS, float("nan")), "outcome": outcome}


def core_seconds() -> float:
    """Return the seconds that ended children spent on a core."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def last_line(text: str) -> str:
    """Return the last line of a text, or that there is none."""
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no message; killed, perhaps for memory"


if __name__ == "__main__":
    print(json.dumps(attempt(**json.loads(sys.argv[1]))))

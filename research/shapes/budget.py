# SPDX-License-Identifier: MIT
"""Quality in a given time: lbw and the scikit-learn pipeline, in turns in one process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from common.clock import interleaved
from common.pipeline import Pipeline
from common.progress import progress

from .measure import MEASURES, Study, agreement
from .methods import BEST, BEST_K, MULTIMARGINAL, N_THREADS, PAPER, PLAN, fit_local, transport_local
from .silhouettes import Points, Split, split_of

# (name, k, parameters): the steps from the paper's setting to the best one
SETTINGS: list[tuple[str, int, dict[str, Any]]] = [
    ("L-BW, paper", 20, PAPER),
    ("L-BW, plan, hard", 20, {**PLAN, "map": "hard"}),
    ("L-BW, plan, soft", 20, {**PLAN, "map": "soft"}),
    ("L-BW, plan", 20, PLAN),
    ("L-BW, plan, cost bures", 20, {**PLAN, "cost": "bures"}),
    ("L-BW, multimarginal", 20, MULTIMARGINAL),
    ("L-BW, plan", 200, PLAN),
    ("L-BW, plan, tol 1e-2", 200, {**PLAN, "tol": 1e-2}),
    ("L-BW, plan, tol 1e-2, floor 2e-4", 100, BEST),
    ("L-BW, best", BEST_K, BEST),
    ("L-BW, plan, tol 1e-2, floor 1e-4", 300, {**BEST, "covariance_floor": 1e-4}),
]
PEER = "scikit-learn, SciPy, NumPy"


def contestants(study: Study, split: Split, seed: int) -> dict[str, Callable[[], list[Points]]]:
    """Return a function per setting that fits and transports to all weights of the grid."""

    def peer() -> list[Points]:
        return Pipeline(20, seed).fit(split.train).transport(split.held_out, study.grid)

    def ours(k: int, setting: dict[str, Any]) -> Callable[[], list[Points]]:
        def work() -> list[Points]:
            transport = fit_local(split.train, k, seed, **setting)
            return [transport_local(transport, split.held_out, weights) for weights in study.grid]

        return work

    found = {f"{PEER}|20": peer}
    found.update({f"{name}|{k}": ours(k, setting) for name, k, setting in SETTINGS})
    return found


def measure_budget(study: Study) -> None:
    """Time the fit and all transports of every setting on five splits, in turns."""
    columns = ["iou", "pixel_agreement", "seconds", "n_weights", "threads"]
    rows = study.rows("budget", ["method", "k", "split"], columns)
    truths = study.truths()
    for seed in progress(study.splits[:5], "quality in a given time"):
        if rows.done(method=SETTINGS[-1][0], k=SETTINGS[-1][1], split=seed):
            continue
        split = split_of(seed)
        added = []
        turns = interleaved(contestants(study, split, seed), 1, clock=time.process_time)
        for _, name, seconds, moved in turns:
            method, k = name.split("|")
            found = [agreement(p, truths[w]) for p, w in zip(moved, study.grid, strict=True)]
            mean = {name: float(np.mean([row[name] for row in found])) for name in MEASURES[:2]}
            timing = {"seconds": seconds, "n_weights": len(study.grid), "threads": N_THREADS}
            added.append({"method": method, "k": int(k), "split": seed, **mean, **timing})
        rows.add(added)

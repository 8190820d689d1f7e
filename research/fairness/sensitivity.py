# SPDX-License-Identifier: MIT
"""Measure the effect of the protected column among the features (sensitivity.csv)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from common.rows import Rows

from .methods import METHODS, scored
from .places import Scale
from .protocol import reduced, split_of
from .tasks import LOADERS, Task
from .workers import fill, steps_of

COMPARED = ("raw", "k = 1", "L-BW as in the paper, k = 5", "plan random, k = 5")
N_SPLITS = 3


def measure_sensitivity(scale: Scale) -> None:
    """Measure the missing rows."""
    columns = ("method", "classifier", "auc", "gamma")
    table = Rows(scale.results / "sensitivity.csv", ("task", "split", "protected"), columns)
    steps = steps_of(scale, ("dropped", "kept"), n_splits=N_SPLITS)
    fill(table, _sensitivity, steps, "sensitivity", scale.n_workers)


def _sensitivity(name: str, seed: int, protected: str) -> list[dict[str, Any]]:
    task = LOADERS[name]()
    if protected == "kept":
        task = with_protected_column(task)
    split = reduced(split_of(task, seed))
    key = {"task": name, "split": seed, "protected": protected}
    return [
        {**key, "method": method, **figures}
        for method in COMPARED
        for figures in scored(METHODS[method].repair(split, seed), seed)
    ]


def with_protected_column(task: Task) -> Task:
    """Return the same task with its group as an additional column."""
    return replace(task, features=task.features.assign(protected=task.group))

# SPDX-License-Identifier: MIT
"""The other choice: the protected column stays among the features; sensitivity.csv."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from common.rows import Rows

from .classifiers import CLASSIFIERS
from .measures import measured
from .methods import METHODS, plainly
from .places import Scale
from .protocol import reduced, split_of
from .tasks import LOADERS, Task
from .workers import fill

COMPARED = ("raw", "k = 1", "L-BW as in the paper, k = 5", "plan random, k = 5")
N_SPLITS = 3


def measure_sensitivity(scale: Scale) -> None:
    """Measure what is missing."""
    columns = ("method", "classifier", "auc", "gamma")
    table = Rows(scale.results / "sensitivity.csv", ("task", "split", "protected"), columns)
    splits = range(min(N_SPLITS, scale.n_splits))
    steps = (
        (task, split, protected)
        for split, task, protected in product(splits, scale.tasks, ("dropped", "kept"))
    )
    fill(table, _sensitivity, steps, "sensitivity", scale.n_workers)


def _sensitivity(name: str, seed: int, protected: str) -> list[dict[str, Any]]:
    task = LOADERS[name]()
    if protected == "kept":
        task = with_protected_column(task)
    split = reduced(split_of(task, seed))
    rows = []
    for method in COMPARED:
        repaired = METHODS[method].repair(split, seed)
        for classifier in ("logistic regression", "gradient boosting"):
            score = plainly(CLASSIFIERS[classifier], repaired, seed)
            figures = measured(score, split.test, n_bootstraps=0)
            rows.append(
                {
                    "task": name,
                    "split": seed,
                    "protected": protected,
                    "method": method,
                    "classifier": classifier,
                    "auc": figures["auc"],
                    "gamma": figures["gamma"],
                }
            )
    return rows


def with_protected_column(task: Task) -> Task:
    """Give the same task with its group as one more column of codes."""
    return replace(task, features=task.features.assign(protected=task.group))

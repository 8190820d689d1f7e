# SPDX-License-Identifier: MIT
"""Describe the tasks and gamma (tasks.csv, components.csv and roc.csv)."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import roc_curve

from common.rows import Rows

from .classifiers import CLASSIFIERS
from .methods import METHODS, plainly
from .places import Scale
from .protocol import reduced
from .tasks import LOADERS, Task
from .workers import cached_split, fill

POINTS = 150  # rows of every group
EXAMPLE = "wine, colour"


def portray(scale: Scale) -> None:
    """Write the missing tables."""
    tasks = Rows(
        scale.results / "tasks.csv",
        ("task",),
        ("n_rows", "n_columns", "predicts", "n_positive", "protects", "n_groups"),
    )
    for task in scale.tasks:
        if not tasks.done(task=task):
            tasks.add(_about(LOADERS[task]()))
    table = Rows(
        scale.results / "components.csv",
        ("task",),
        ("group", "method", "first", "second"),
    )
    fill(table, _components, ((task,) for task in scale.tasks), "components", scale.n_workers)
    curves = Rows(scale.results / "roc.csv", ("task", "curve"), ("false_rate", "true_rate"))
    if not curves.done(task=EXAMPLE, curve="label"):
        curves.add(_curves())


def _about(task: Task) -> dict[str, Any]:
    _, counts = np.unique(task.group, return_counts=True)
    return {
        "task": task.name,
        "n_rows": len(task.label),
        "n_columns": task.features.shape[1],
        "predicts": task.predicts,
        "n_positive": int(task.label.sum()),
        "protects": task.protects,
        "n_groups": ", ".join(map(str, counts)),
    }


def _components(task: str) -> list[dict[str, Any]]:
    split = reduced(cached_split(task, 0))
    rng = np.random.default_rng(0)
    drawn = {
        group: rng.permutation(np.flatnonzero(split.test.group == group))[:POINTS]
        for group in np.unique(split.test.group)
    }
    rows = []
    for method in ("raw", "k = 1 + refinement"):
        features = METHODS[method].repair(split, 0).test.features
        rows += [
            {
                "task": task,
                "group": group,
                "method": method,
                "first": float(features[row, 0]),
                "second": float(features[row, 1]),
            }
            for group, index in drawn.items()
            for row in index
        ]
    return rows


def _curves() -> list[dict[str, Any]]:
    """Return the ROC curves of one score for the label and for the group."""
    split = reduced(cached_split(EXAMPLE, 0))
    score = plainly(CLASSIFIERS["logistic regression"], split, 0)
    truths = {"label": split.test.label, "group": split.test.group == "white"}
    rows = []
    for curve, truth in truths.items():
        false_rate, true_rate, _ = roc_curve(truth, score)
        rows += [
            {"task": EXAMPLE, "curve": curve, "false_rate": float(x), "true_rate": float(y)}
            for x, y in zip(false_rate, true_rate, strict=True)
        ]
    return rows

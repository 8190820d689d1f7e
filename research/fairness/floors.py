# SPDX-License-Identifier: MIT
"""Measure the effect of regularization on parity and on displacements (floors.csv).

The features are ten principal components, or all encoded columns, where a category that is absent
from one group is a direction without spread. At most 6000 rows are used for training and 6000 are
held out.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from common.rows import Rows

from .measures import displacement
from .methods import PARAMS, by_group_repair, scored
from .places import Scale
from .protocol import Split, reduced
from .workers import cached_split, fill, steps_of

FLOORS = (0.003, 0.01, 0.03, 0.1, 0.3)
REGULARIZATIONS: dict[tuple[str, float], dict[str, Any]] = {
    ("none", 0.0): {},
    **{("covariance_floor", floor): {"covariance_floor": floor} for floor in FLOORS},
    **{
        ("relative_covariance_floor", floor): {"relative_covariance_floor": floor}
        for floor in FLOORS
    },
    ("shrinkage, auto", 0.0): {"shrinkage": "auto"},
    ("dither", 1.0): {"dither": 1.0},
    ("relative_covariance_floor 0.1, dither", 1.0): {
        "relative_covariance_floor": 0.1,
        "dither": 1.0,
    },
}
METHODS = ("k = 1", "plan random, k = 5")
MAX_ROWS = 6000
N_SPLITS = 2


def measure_floors(scale: Scale) -> None:
    """Measure the missing rows."""
    table = Rows(
        scale.results / "floors.csv",
        ("task", "split", "features"),
        ("method", "regularization", "amount", "classifier", "auc", "gamma", "displacement"),
    )
    features = ("ten components", "all columns")
    steps = steps_of(scale, features, n_splits=N_SPLITS)
    fill(table, _floors, steps, "floors", scale.n_workers)


def _floors(task: str, seed: int, features: str) -> list[dict[str, Any]]:
    split = cached_split(task, seed)
    split = Split(*(part.at_most(MAX_ROWS, seed) for part in (split.train, split.test)))
    if features == "ten components":
        split = reduced(split)
    repairs = [("raw", ("none", 0.0)), *product(METHODS, REGULARIZATIONS)]
    rows = []
    for method, (kind, amount) in repairs:
        repaired = split
        if method != "raw":
            params = PARAMS[method] | REGULARIZATIONS[kind, amount]
            repaired = by_group_repair(**params)(split, seed)
        key = {"task": task, "split": seed, "features": features, "method": method}
        moved = displacement(split.test.features, repaired.test.features)
        rows += [
            {**key, "regularization": kind, "amount": amount, **figures, "displacement": moved}
            for figures in scored(repaired, seed)
        ]
    return rows

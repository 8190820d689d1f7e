# SPDX-License-Identifier: MIT
"""What guards against thin covariances do to parity and to how far rows are moved: floors.csv.

On ten principal components, and on all encoded columns, where a code that one group never has is a
direction without spread. At most 6000 rows are trained on, and as many held out.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from common.rows import Rows

from .classifiers import CLASSIFIERS
from .measures import displacement, measured
from .methods import PARAMS, by_group_repair, plainly
from .places import Scale
from .protocol import Split, reduced
from .workers import cached_split, fill

FLOORS = (0.003, 0.01, 0.03, 0.1, 0.3)
GUARDS: dict[tuple[str, float], dict[str, Any]] = {
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
    """Measure what is missing."""
    table = Rows(
        scale.results / "floors.csv",
        ("task", "split", "features"),
        ("method", "guard", "amount", "classifier", "auc", "gamma", "displacement"),
    )
    splits = range(min(N_SPLITS, scale.n_splits))
    steps = (
        (task, split, features)
        for split, task, features in product(splits, scale.tasks, ("ten components", "all columns"))
    )
    fill(table, _floors, steps, "floors", scale.n_workers)


def _floors(task: str, seed: int, features: str) -> list[dict[str, Any]]:
    split = cached_split(task, seed)
    split = Split(*(part.at_most(MAX_ROWS, seed) for part in (split.train, split.test)))
    if features == "ten components":
        split = reduced(split)
    rows = _measured(task, seed, features, split, split, "raw", ("none", 0.0))
    for method, guard in product(METHODS, GUARDS):
        repaired = by_group_repair(**PARAMS[method] | GUARDS[guard])(split, seed)
        rows += _measured(task, seed, features, split, repaired, method, guard)
    return rows


def _measured(
    task: str,
    seed: int,
    features: str,
    split: Split,
    repaired: Split,
    method: str,
    guard: tuple[str, float],
) -> list[dict[str, Any]]:
    rows = []
    for name in ("logistic regression", "gradient boosting"):
        score = plainly(CLASSIFIERS[name], repaired, seed)
        figures = measured(score, split.test, n_bootstraps=0)
        rows.append(
            {
                "task": task,
                "split": seed,
                "features": features,
                "method": method,
                "guard": guard[0],
                "amount": guard[1],
                "classifier": name,
                "auc": figures["auc"],
                "gamma": figures["gamma"],
                "displacement": displacement(split.test.features, repaired.test.features),
            }
        )
    return rows

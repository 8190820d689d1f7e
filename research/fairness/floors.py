# SPDX-License-Identifier: MIT
"""What guards against thin covariances do to parity and to how far rows are moved: floors.csv.

On ten principal components, and on all encoded columns, where a code that one group never has is a
direction without spread. At most 6000 rows are trained on, and as many held out.
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
    features = ("ten components", "all columns")
    steps = steps_of(scale, features, n_splits=N_SPLITS)
    fill(table, _floors, steps, "floors", scale.n_workers)


def _floors(task: str, seed: int, features: str) -> list[dict[str, Any]]:
    split = cached_split(task, seed)
    split = Split(*(part.at_most(MAX_ROWS, seed) for part in (split.train, split.test)))
    if features == "ten components":
        split = reduced(split)
    repairs = [("raw", ("none", 0.0)), *product(METHODS, GUARDS)]
    rows = []
    for method, (guard, amount) in repairs:
        repaired = split
        if method != "raw":
            params = PARAMS[method] | GUARDS[guard, amount]
            repaired = by_group_repair(**params)(split, seed)
        key = {"task": task, "split": seed, "features": features, "method": method}
        moved = displacement(split.test.features, repaired.test.features)
        rows += [
            {**key, "guard": guard, "amount": amount, **figures, "displacement": moved}
            for figures in scored(repaired, seed)
        ]
    return rows

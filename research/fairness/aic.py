# SPDX-License-Identifier: MIT
"""Measure AIC and BIC of mixtures per group and data set (aic.csv)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from common.rows import Rows
from lbw import GaussianMixture

from .places import Scale
from .protocol import reduced
from .workers import cached_split, fill

COMPONENTS = (1, 2, 3, 5, 8, 12, 16, 20, 30, 40, 60)


def measure_aic(scale: Scale) -> None:
    """Fit mixtures to the training part of the first split, on ten principal components."""
    table = Rows(
        scale.results / "aic.csv", ("task",), ("group", "n_rows", "n_components", "aic", "bic")
    )
    fill(table, _aic, ((task,) for task in scale.tasks), "AIC", scale.n_workers)


def _aic(task: str) -> list[dict[str, Any]]:
    train = reduced(cached_split(task, 0)).train
    rows = []
    for group, k in product(np.unique(train.group), COMPONENTS):
        own = train.features[train.group == group]
        if k * 20 > len(own):  # fewer rows do not determine a covariance of ten features
            continue
        mixture = GaussianMixture(k, n_init=2, max_iter=300).fit(own)
        rows.append(
            {
                "task": task,
                "group": group,
                "n_rows": len(own),
                "n_components": k,
                "aic": float(mixture.aic(own)),
                "bic": float(mixture.bic(own)),
            }
        )
    return rows

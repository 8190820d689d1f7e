# SPDX-License-Identifier: MIT
"""Covariance types and starts that the tests of GaussianMixture share."""

from __future__ import annotations

import numpy as np

TYPES = ["full", "tied", "diag", "spherical"]


def start_of(X: np.ndarray, k: int, covariance_type: str) -> dict[str, np.ndarray]:
    d = X.shape[1]
    precisions = {
        "full": np.repeat(np.eye(d)[None], k, axis=0),
        "tied": np.eye(d),
        "diag": np.ones((k, d)),
        "spherical": np.ones(k),
    }
    return {
        "weights_init": np.full(k, 1 / k),
        "means_init": X[:k],
        "precisions_init": precisions[covariance_type],
    }

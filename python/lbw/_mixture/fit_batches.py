# SPDX-License-Identifier: MIT
"""The fit of a GaussianMixture to rows that come in batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._batches.batches import Batches
from .._batches.packing import PackedGroups, fit_packed

__all__ = ["fit_mixture_batches", "keep_feature_names"]


def fit_mixture_batches(estimator: Any, batches: Batches) -> None:
    """Pack the rows into a scratch file and fit them."""

    def keep_columns(packed: PackedGroups) -> None:
        keep_feature_names(estimator, packed.features)

    fit_packed(estimator, batches, keep_columns, grouped=False)


def keep_feature_names(estimator: Any, features: list[Any]) -> None:
    """Set the names of the features, if they are strings."""
    vars(estimator).pop("feature_names_in_", None)
    if all(isinstance(name, str) for name in features):
        estimator.feature_names_in_ = np.array(features, dtype=object)

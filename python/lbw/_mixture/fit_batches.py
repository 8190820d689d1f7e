# SPDX-License-Identifier: MIT
"""The fit of a GaussianMixture to rows that come in batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._batches.batches import Batches
from .._batches.packing import PackedGroups, in_rounds
from .._input.validation import unfitted_on_error
from .._options.names import n_threads_of

__all__ = ["fit_mixture_batches", "keep_feature_names"]


def fit_mixture_batches(estimator: Any, batches: Batches) -> None:
    """Pack the rows into a scratch file and fit them."""
    title = type(estimator).__name__
    n_threads = n_threads_of(estimator.n_jobs)
    with (
        unfitted_on_error(estimator),
        PackedGroups(
            batches, title, grouped=False, n_threads=n_threads, verbose=estimator.verbose
        ) as packed,
    ):
        keep_feature_names(estimator, packed.features)
        in_rounds({None: packed.sources[0]}, estimator._fit_sources)


def keep_feature_names(estimator: Any, features: list[Any]) -> None:
    """Set the names of the features, if they are strings."""
    vars(estimator).pop("feature_names_in_", None)
    if all(isinstance(name, str) for name in features):
        estimator.feature_names_in_ = np.array(features, dtype=object)

# SPDX-License-Identifier: MIT
"""What the estimators share: input in scikit-learn's manner, errors in its words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import assert_all_finite, check_array
from sklearn.utils.validation import _check_sample_weight, validate_data

from ._arrays import FloatArray, SampleArray, as_core_samples
from ._core import InvalidArgument
from ._tables import is_table, to_array

__all__ = ["sklearn_errors", "unfitted_on_error", "validated", "validated_weights"]

# NaN and infinity are found by the core on its way through the samples, not by a pass of their own.
_CHECKS: dict[str, Any] = {"dtype": [np.float64, np.float32], "ensure_all_finite": False}


def validated(
    estimator: BaseEstimator, X: Any, *, reset: bool, ensure_min_samples: int = 1
) -> SampleArray:
    """Check samples, and their width and names against the fit, as scikit-learn does.

    A C-ordered array of floats is given back as it is. Finiteness is left to the core.
    """
    checks = {**_CHECKS, "ensure_min_samples": ensure_min_samples}
    if is_table(X):
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        array = check_array(to_array(X), input_name="X", estimator=estimator, **checks)
    else:
        array = validate_data(estimator, X, reset=reset, **checks)
    return as_core_samples(array)


def validated_weights(sample_weight: Any, X: SampleArray) -> FloatArray | None:
    """Check sample weights; None stays None."""
    if sample_weight is None:
        return None
    weights = _check_sample_weight(
        to_array(sample_weight), X, dtype=np.float64, ensure_non_negative=True
    )
    return np.ascontiguousarray(weights)


@contextmanager
def sklearn_errors(estimator: BaseEstimator, X: SampleArray) -> Iterator[None]:
    """Say it in scikit-learn's words where the core found a NaN or an infinity in the samples."""
    try:
        yield
    except InvalidArgument:
        assert_all_finite(X, estimator_name=type(estimator).__name__, input_name="X")
        raise


@contextmanager
def unfitted_on_error(estimator: BaseEstimator) -> Iterator[None]:
    """Leave no half of a fit behind when it fails or is interrupted."""
    try:
        yield
    except BaseException:
        for name in [name for name in vars(estimator) if name.endswith("_")]:
            delattr(estimator, name)
        raise

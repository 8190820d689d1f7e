# SPDX-License-Identifier: MIT
"""Validation that the estimators share: input and errors as in scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import assert_all_finite, check_array
from sklearn.utils._param_validation import validate_parameter_constraints
from sklearn.utils.validation import (
    _check_n_features,
    _check_sample_weight,
    _get_feature_names,
    check_is_fitted,
    validate_data,
)

from .._core import InvalidArgument
from .arrays import (
    FloatArray,
    SampleArray,
    as_core_samples,
    refuse_masked,
    refuse_other_values,
    safe_to_read,
)
from .column_position import name_at
from .mapped_files import copy_of_mapped, mapped_memory
from .tables import is_table, refuse_other_columns, text_names, to_array
from .whole_numbers import refuse_rounded

__all__ = [
    "check_fitted",
    "sklearn_errors",
    "unfitted_on_error",
    "validate_columns",
    "validate_parameters",
    "validated",
    "validated_rest",
    "validated_weights",
]

# NaN and infinity are found by the core on its way through the samples, not by a pass of their own.
_CHECKS: dict[str, Any] = {"dtype": [np.float64, np.float32], "ensure_all_finite": False}


def validated(
    estimator: BaseEstimator, X: Any, *, reset: bool, ensure_min_samples: int = 1
) -> SampleArray:
    """Check samples, and their width and names against the fit, as scikit-learn does.

    A C-ordered array of floats is given back as it is. Finiteness is left to the core.
    """
    if _is_plain(X) and X.shape[0] >= ensure_min_samples and _takes_width(estimator, X, reset):
        return as_core_samples(X)
    if is_table(X):
        validate_columns(estimator, X, reset=reset)
        return validated_rest(estimator, X, ensure_min_samples=ensure_min_samples)
    X = safe_to_read(X)
    if isinstance(X, (np.ndarray, list, tuple)):
        refuse_masked(X, "X")
        given = _array_of(X)
        refuse_other_values(given, "X")
        refuse_rounded(given, "X")
    array = validate_data(
        estimator, X, reset=reset, ensure_min_samples=ensure_min_samples, **_CHECKS
    )
    return as_core_samples(array)


def validated_rest(estimator: BaseEstimator, X: Any, *, ensure_min_samples: int = 1) -> SampleArray:
    """Check samples whose columns have been checked, as scikit-learn does."""
    if is_table(X):
        refuse_other_columns(X)
    elif isinstance(X, np.ndarray):
        refuse_other_values(X, "X")
    values = safe_to_read(to_array(X))
    refuse_rounded(X if is_table(X) else values, "X")
    array = check_array(
        values,
        input_name="X",
        estimator=estimator,
        ensure_min_samples=ensure_min_samples,
        **_CHECKS,
    )
    return as_core_samples(array)


def _array_of(X: Any) -> Any:
    """Return an array; an empty one of rows of different lengths, which scikit-learn refuses."""
    try:
        return np.asarray(X)
    except ValueError:
        return np.empty(0)


def _is_plain(X: Any) -> bool:
    """Return whether scikit-learn would use X as it is."""
    return type(X) is np.ndarray and X.ndim == 2 and X.shape[1] > 0 and X.dtype in _CHECKS["dtype"]


def _takes_width(estimator: BaseEstimator, X: SampleArray, reset: bool) -> bool:
    """Set the number of features in a fit; later, say whether it is the same and has no names."""
    known = vars(estimator)
    if reset:
        estimator.n_features_in_ = X.shape[1]
        known.pop("feature_names_in_", None)
    return "feature_names_in_" not in known and known.get("n_features_in_") == X.shape[1]


def validate_columns(estimator: BaseEstimator, X: Any, *, reset: bool) -> None:
    """Check number and names of the columns of a table or matrix, as scikit-learn does."""
    names = text_names(X) if is_table(X) else None
    if names is None or _get_feature_names(X) is not None:
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        return
    # a table that this version of scikit-learn does not see as one
    _check_n_features(estimator, X, reset=reset)
    if reset:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    elif names != list(getattr(estimator, "feature_names_in_", names)):
        raise ValueError(
            "The feature names should match those that were passed during fit: expected "
            f"{list(estimator.feature_names_in_)}, got {names}"
        )


def check_fitted(estimator: BaseEstimator) -> None:
    """Raise scikit-learn's error if an estimator is not fitted.

    scikit-learn collects all tags of the estimator first, and is asked only if there is an error.
    """
    if not estimator.__sklearn_is_fitted__():
        check_is_fitted(estimator)


def validate_parameters(estimator: BaseEstimator, *names: str) -> None:
    """Check parameters that are read after `fit`, where set_params may have changed them."""
    constraints = {name: estimator._parameter_constraints[name] for name in names}
    values = {name: getattr(estimator, name) for name in names}
    validate_parameter_constraints(constraints, values, caller_name=type(estimator).__name__)


def validated_weights(sample_weight: Any, X: Any) -> FloatArray | None:
    """Check sample weights; None stays None."""
    if sample_weight is None:
        return None
    refuse_masked(sample_weight, "sample_weight")
    weights = _check_sample_weight(
        copy_of_mapped(to_array(sample_weight)), X, dtype=np.float64, ensure_non_negative=True
    )
    return np.ascontiguousarray(weights)


@contextmanager
def sklearn_errors(estimator: BaseEstimator, X: SampleArray) -> Iterator[None]:
    """Raise scikit-learn's error if the core found a NaN or an infinity in the samples."""
    with mapped_memory(X):
        try:
            yield
        except InvalidArgument:
            try:
                assert_all_finite(X, estimator_name=type(estimator).__name__, input_name="X")
            except ValueError as error:
                raise ValueError(_with_place(str(error), estimator, X)) from None
            raise


def _with_place(text: str, estimator: BaseEstimator, X: SampleArray) -> str:
    """Add to the first line of scikit-learn's error where the value is."""
    row, column = (int(place) for place in np.argwhere(~np.isfinite(X))[0])
    known = vars(estimator)
    dropped = [*known.get("_sensitive_positions", ()), *known.get("_key_positions", ())]
    positions = np.delete(np.arange(X.shape[1] + len(dropped)), dropped)
    name = name_at(estimator, int(positions[column]))
    named = repr(name) if isinstance(name, str) else name
    place = f"It is {X[row, column]} in column {named} at row {row} (counted from 0)."
    first, line_end, others = text.partition("\n")
    return f"{first} {place}{line_end}{others}"


@contextmanager
def unfitted_on_error(estimator: BaseEstimator) -> Iterator[None]:
    """Remove all fitted attributes if a fit fails or is interrupted."""
    try:
        yield
    except BaseException:
        for name in [name for name in vars(estimator) if name.endswith("_")]:
            delattr(estimator, name)
        raise

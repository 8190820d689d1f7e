# SPDX-License-Identifier: MIT
"""The input of a repair: features, and the group and the key of every row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.utils.validation import _num_samples

from .arrays import refuse_masked
from .column_position import keep_column_parameters, refuse_other_parameters
from .key_column import split_key_column
from .keys import KeyArray, keys_given
from .labels import LabelArray
from .sensitive import groups_are_columns, groups_given, split_columns

__all__ = ["split_input"]


def split_input(
    estimator: Any,
    X: Any,
    sensitive: Any,
    key: Any,
    *,
    reset: bool,
    checked: Callable[[Any, bool], Any],
) -> tuple[Any, LabelArray, KeyArray | None]:
    """Split X into features, and return the group and the key of every row.

    `checked(features, whole)` checks the features, where `whole` says that they are all of X, so
    that no column has been taken out. The positions of the columns that are taken out are kept if
    `reset` says that this is a fit.
    """
    refuse_masked(X, "X")
    if reset:
        keep_column_parameters(estimator)
    else:
        refuse_other_parameters(estimator)
    if key is not None and estimator.key_column is not None:
        raise ValueError(
            f"key and key_column={estimator.key_column!r} are both given. Give the keys only once."
        )
    columns = groups_are_columns(estimator, sensitive)
    if reset and not columns:
        estimator._sensitive_positions = []
    if reset and estimator.key_column is None:
        estimator._key_positions = []
    groups, keys, whole = None, None, False
    if estimator.key_column is not None:
        rest, groups, keys = split_key_column(estimator, X, sensitive=columns, reset=reset)
    elif columns:
        rest, groups = split_columns(estimator, X, reset=reset)
    else:
        rest, whole = X, True
    features = checked(rest, whole)
    n_samples = _num_samples(features)
    if groups is None:
        groups = groups_given(estimator, sensitive, n_samples, reset=reset)
    if key is not None:
        keys = keys_given(key, n_samples)
    return features, groups, keys

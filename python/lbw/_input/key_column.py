# SPDX-License-Identifier: MIT
"""The column of X that holds the keys of rows, which is used and dropped."""

from __future__ import annotations

from typing import Any

from .column_position import check_whole_names, position_of
from .keys import KeyArray, keys_given
from .labels import LabelArray
from .sensitive import matrix_of, split_columns
from .tables import columns_of, is_table, without_columns
from .validation import validate_columns

__all__ = ["split_key_column"]


def split_key_column(
    estimator: Any, X: Any, *, sensitive: bool, reset: bool
) -> tuple[Any, LabelArray | None, KeyArray]:
    """Split X into features, groups if sensitive columns hold them, and keys of rows.

    The column that `key_column` of the estimator names is dropped. The names and the number of
    columns are checked, or kept where `reset` says that this is a fit; `_key_positions` then holds
    where the key column is.
    """
    if not is_table(X):
        X = matrix_of(estimator, X)
    groups = None
    taken: list[int] = []
    if sensitive:
        _, groups = split_columns(estimator, X, reset=reset)
        taken = list(estimator._sensitive_positions)
    else:
        validate_columns(estimator, X, reset=reset)
    check_whole_names(estimator, X, reset=reset)
    if reset:
        n_columns = int(estimator.n_features_in_)
        position = position_of(estimator.key_column, X, n_columns, "key_column")
    else:
        (position,) = estimator._key_positions
    estimator._key_positions = [position]
    if position in taken:
        raise ValueError(f"key_column={estimator.key_column!r} is one of the sensitive_columns")
    if len(taken) + 1 == estimator.n_features_in_:
        raise ValueError("X has no columns left without key_column and sensitive_columns")
    (column,) = columns_of(X, [position])
    named = f"key_column {estimator.key_column!r}"
    return without_columns(X, [*taken, position]), groups, keys_given(column, len(column), named)

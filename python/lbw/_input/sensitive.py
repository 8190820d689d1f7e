# SPDX-License-Identifier: MIT
"""The groups of a repair: an argument beside X, or columns of it."""

from __future__ import annotations

from contextlib import suppress
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_array

from .arrays import refuse_masked
from .column_position import check_whole_names, name_at, position_of
from .group_columns import GivenColumns, GroupColumns, joined_labels
from .labels import LabelArray, label_array
from .tables import column_names, columns_of, is_table, to_array, without_columns
from .validation import validate_columns

__all__ = [
    "groups_are_columns",
    "groups_given",
    "groups_place",
    "matrix_of",
    "plain_columns",
    "split_columns",
]


def groups_are_columns(estimator: Any, sensitive: Any) -> bool:
    """Return whether the groups are columns of X; raise if they are given twice or not at all."""
    columns = estimator.sensitive_columns
    if columns is None and sensitive is None:
        raise ValueError(
            f"{type(estimator).__name__} needs the groups. Pass sensitive_features=..., the group "
            "of every row (in a pipeline through metadata routing), or name the columns of X that "
            "hold them with sensitive_columns=..."
        )
    if columns is not None and sensitive is not None:
        raise ValueError(
            f"sensitive_features and sensitive_columns={columns!r} are both given. Give the groups "
            "only once."
        )
    return columns is not None


def groups_place(estimator: Any) -> str:
    """Return where the groups come from, for messages: the argument, or columns of X."""
    positions = estimator._sensitive_positions if estimator.sensitive_columns is not None else []
    if not positions:
        return "sensitive_features"
    names = [repr(name_at(estimator, i)) for i in positions]
    return f"sensitive column{'s' if len(names) > 1 else ''} {', '.join(names)}"


def groups_given(estimator: Any, sensitive: Any, n_samples: int, *, reset: bool) -> LabelArray:
    """Return one label per row, of one column or of several.

    Where this is no fit, one label may stand for all rows. Columns of a table are found by the
    names of the fit, and those of an array by position.
    """
    refuse_masked(sensitive, "sensitive_features")
    known = None if reset else _known_columns(estimator)
    if not reset and np.ndim(to_array(sensitive)) == 0:
        sensitive = np.full(n_samples, label_array(sensitive))
    named = is_table(sensitive)
    if named:
        names = column_names(sensitive)
        if len(set(names)) < len(names):  # as of 1 and "1"
            raise ValueError(f"sensitive_features has two columns of one name in {names}")
        order = list(range(len(names))) if known is None else known.order_of(names)
        names = [names[i] for i in order]
        places = [f"sensitive_features: column {name!r}" for name in names]
        given = GivenColumns(columns_of(sensitive, order), names, places)
    else:
        given = _given_array(label_array(sensitive), n_samples)
    return _labels_of(estimator, given, n_samples, reset=reset, named=named)


def _given_array(array: Any, n_samples: int) -> GivenColumns:
    if array.ndim == 2 and len(array) != n_samples == array.shape[1]:
        raise ValueError(
            f"sensitive_features has the shape {array.shape}, expected ({n_samples}, n_columns). "
            "Give a row for every row of X, for instance a DataFrame of the columns."
        )
    if array.ndim != 2 or array.shape[1] == 1:
        return GivenColumns([array], ["sensitive_features"], ["sensitive_features"])
    names = [f"column {i}" for i in range(array.shape[1])]
    places = [f"sensitive_features: {name}" for name in names]
    return GivenColumns(list(array.T), names, places)


def _known_columns(estimator: Any) -> GroupColumns | None:
    """Return the columns of the fit; None for a model of `lbw fit`, whose groups have none."""
    return getattr(estimator, "_group_columns", None)


def _labels_of(
    estimator: Any, given: GivenColumns, n_samples: int, *, reset: bool, named: bool
) -> LabelArray:
    """Return a label per row, by the values of the fit unless this is a fit."""
    if reset:
        columns, labels = GroupColumns.fitted(given, n_samples, named=named)
        estimator._group_columns = columns
        return labels
    known = _known_columns(estimator)
    if known is None:
        return joined_labels(given.labels(n_samples), given.names)
    return known.labels_of(given, n_samples)


def split_columns(estimator: Any, X: Any, *, reset: bool) -> tuple[Any, LabelArray]:
    """Split X into the other columns and the label of every row.

    The names and the number of columns are checked, or kept where `reset` says that this is a
    fit; `_sensitive_positions` then holds where the sensitive columns are.
    """
    if not is_table(X):
        X = matrix_of(estimator, X)
    validate_columns(estimator, X, reset=reset)
    check_whole_names(estimator, X, reset=reset)
    if reset:
        estimator._sensitive_positions = _positions_in(estimator, X)
        if len(estimator._sensitive_positions) == estimator.n_features_in_:
            raise ValueError(
                f"X has {estimator.n_features_in_} feature(s), all sensitive_columns: nothing is "
                "left to repair"
            )
    positions = estimator._sensitive_positions
    found = [name_at(estimator, i) for i in positions]
    names = [name if isinstance(name, str) else f"column {name}" for name in found]
    columns = columns_of(X, positions)
    places = [f"sensitive_columns: column {name!r}" for name in found]
    given = GivenColumns(columns, names, places)
    labels = _labels_of(estimator, given, len(columns[0]), reset=reset, named=False)
    return without_columns(X, positions), labels


def matrix_of(estimator: Any, X: Any) -> Any:
    """Return an array or a list of rows as a matrix, in which numbers beside texts are numbers."""
    if isinstance(X, (list, tuple)):
        with suppress(ValueError):  # rows of different lengths, which scikit-learn refuses
            X = label_array(X)
    return check_array(X, dtype=None, ensure_all_finite=False, input_name="X", estimator=estimator)


def _positions_in(estimator: Any, X: Any) -> list[int]:
    asked = estimator.sensitive_columns
    if isinstance(asked, (str, Integral)):
        asked = [asked]
    n_columns = int(estimator.n_features_in_)
    positions = [position_of(column, X, n_columns, "sensitive_columns") for column in asked]
    if len(set(positions)) < len(positions):
        raise ValueError(f"sensitive_columns names a column twice: {list(asked)}")
    if not positions:
        raise ValueError("sensitive_columns is empty. Use None, or name at least one column.")
    return positions


def plain_columns(columns: Any) -> Any:
    """Return columns as text and whole numbers, which JSON can hold."""
    if columns is None or isinstance(columns, str):
        return columns
    if isinstance(columns, Integral):
        return int(columns)
    return [column if isinstance(column, str) else int(column) for column in columns]

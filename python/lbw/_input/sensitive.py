# SPDX-License-Identifier: MIT
"""The groups of a repair: an argument beside X, or columns of it."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_array

from .column_position import check_whole_names, name_at, position_of
from .labels import LabelArray, labels_of_rows
from .tables import column_names, columns_of, is_table, to_array, without_columns
from .unknown_groups import refuse_many_groups
from .validation import validate_columns

__all__ = ["groups_are_columns", "groups_given", "groups_place", "split_columns"]


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


def groups_given(sensitive: Any, n_samples: int, *, reset: bool) -> LabelArray:
    """Return one label per row, of one column or of several.

    Where this is no fit, one label may stand for all rows; a fit refuses columns that hold too many
    distinct values to be groups.
    """
    if not reset and np.ndim(to_array(sensitive)) == 0:
        sensitive = np.full(n_samples, sensitive)
    if is_table(sensitive):
        names = column_names(sensitive)
        columns = columns_of(sensitive, list(range(len(names))))
        places = [f"sensitive_features: column {name!r}" for name in names]
        return _joined(columns, names, places, n_samples, refuse_many=reset)
    array = np.asarray(to_array(sensitive))
    if array.ndim == 2 and array.shape[1] > 1:
        names = [f"column {i}" for i in range(array.shape[1])]
        columns = [array[:, i] for i in range(array.shape[1])]
        places = [f"sensitive_features: {name}" for name in names]
        return _joined(columns, names, places, n_samples, refuse_many=reset)
    place = "sensitive_features"
    return _joined([array], [place], [place], n_samples, refuse_many=reset)


def split_columns(estimator: Any, X: Any, *, reset: bool) -> tuple[Any, LabelArray]:
    """Split X into the other columns and the label of every row.

    The names and the number of columns are checked, or kept where `reset` says that this is a
    fit; `_sensitive_positions` then holds where the sensitive columns are.
    """
    if not is_table(X):
        X = check_array(X, dtype=None, ensure_all_finite=False, input_name="X", estimator=estimator)
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
    labels = _joined(columns, names, places, len(columns[0]), refuse_many=reset)
    return without_columns(X, positions), labels


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


def _joined(
    columns: list[Any], names: list[str], places: list[str], n_samples: int, *, refuse_many: bool
) -> LabelArray:
    """Return the labels of one column, or 'name=value, name=value' of several."""
    checked = [
        labels_of_rows(column, n_samples, name) for column, name in zip(columns, names, strict=True)
    ]
    if refuse_many:
        for labels, place in zip(checked, places, strict=True):
            refuse_many_groups(np.unique(labels), n_samples, place)
    if len(checked) == 1:
        return checked[0]
    parts = [
        [f"{name}={value}" for value in column.tolist()]
        for column, name in zip(checked, names, strict=True)
    ]
    joined = np.array([", ".join(row) for row in zip(*parts, strict=True)])
    if refuse_many:
        together = f"the combination of columns {', '.join(map(repr, names))}"
        refuse_many_groups(np.unique(joined), n_samples, together)
    return joined

# SPDX-License-Identifier: MIT
"""Tables of pandas, polars or pyarrow, read through narwhals; arrays pass by unchanged."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["column_names", "columns_of", "is_table", "to_array", "without_columns"]


def _as_narwhals(table: Any) -> Any:
    """Give the narwhals frame of a table, or None for anything else."""
    if isinstance(table, (np.ndarray, list, tuple)):
        return None
    import narwhals.stable.v1 as nw

    frame = nw.from_native(table, eager_only=True, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame) else None


def is_table(values: Any) -> bool:
    """Say whether values are a table with named columns."""
    return _as_narwhals(values) is not None


def column_names(table: Any) -> list[str]:
    """Give the names of a table's columns."""
    return [str(name) for name in _as_narwhals(table).columns]


def to_array(values: Any) -> Any:
    """Turn a table or a column into an array; give anything else back as it is."""
    if isinstance(values, (np.ndarray, list, tuple, str)) or np.isscalar(values):
        return values
    import narwhals.stable.v1 as nw

    frame = nw.from_native(values, eager_only=True, allow_series=True, pass_through=True)
    return frame.to_numpy() if isinstance(frame, (nw.DataFrame, nw.Series)) else values


def columns_of(values: Any, positions: list[int]) -> list[np.ndarray[Any, Any]]:
    """Give some columns of a table or a matrix, each as an array of its own type."""
    frame = _as_narwhals(values)
    if frame is not None:
        return [np.asarray(frame[frame.columns[i]].to_numpy()) for i in positions]
    matrix = np.asarray(values)
    return [matrix[:, i] for i in positions]


def without_columns(values: Any, positions: list[int]) -> Any:
    """Give a table or a matrix less some columns."""
    frame = _as_narwhals(values)
    if frame is not None:
        return frame.drop([frame.columns[i] for i in positions]).to_native()
    return np.delete(np.asarray(values), positions, axis=1)

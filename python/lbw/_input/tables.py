# SPDX-License-Identifier: MIT
"""Tables of pandas, polars or pyarrow, read through narwhals; arrays pass by unchanged."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "column_names",
    "columns_of",
    "is_table",
    "raw_names",
    "refuse_text_columns",
    "rows_of",
    "text_names",
    "to_array",
    "without_columns",
]


def _as_narwhals(table: Any) -> Any:
    """Return the narwhals frame of a table, or None for anything else."""
    if isinstance(table, (np.ndarray, list, tuple)):
        return None
    import narwhals.stable.v1 as nw

    # older narwhals raise ValueError
    duplicate: type[Exception] = getattr(nw.exceptions, "DuplicateError", ValueError)
    try:
        frame = nw.from_native(table, eager_only=True, pass_through=True)
        if isinstance(frame, nw.DataFrame):
            frame.columns  # noqa: B018  where narwhals finds two columns of one name
            return frame
    except duplicate as error:
        raise ValueError(f"the table has two columns of one name. Rename one. {error}") from None
    return None


def is_table(values: Any) -> bool:
    """Return whether values are a table with named columns."""
    return _as_narwhals(values) is not None


def column_names(table: Any) -> list[str]:
    """Return the names of a table's columns."""
    return [str(name) for name in _as_narwhals(table).columns]


def raw_names(table: Any) -> list[Any]:
    """Return the names of a table's columns as they are: strings, or integers in pandas."""
    return list(_as_narwhals(table).columns)


def text_names(table: Any) -> list[str] | None:
    """Return the names of a table's columns if all are strings, as scikit-learn requires."""
    names = list(_as_narwhals(table).columns)
    return names if all(isinstance(name, str) for name in names) else None


def refuse_text_columns(table: Any) -> None:
    """Raise if columns hold text or categories: only numbers can be transported."""
    import narwhals.stable.v1 as nw

    frame = _as_narwhals(table)
    texts = (nw.String, nw.Categorical, nw.Enum)
    found = [str(name) for name, kind in frame.schema.items() if isinstance(kind, texts)]
    if found:
        raise ValueError(
            f"could not convert string to float: X has text in {', '.join(map(repr, found))}. "
            "Encode it as numbers, drop it, or give groups as sensitive_columns of GroupRepair."
        )


def to_array(values: Any) -> Any:
    """Turn a table or a column into an array; give anything else back as it is."""
    if isinstance(values, (np.ndarray, list, tuple, str)) or np.isscalar(values):
        return values
    import narwhals.stable.v1 as nw

    frame = nw.from_native(values, eager_only=True, allow_series=True, pass_through=True)
    return frame.to_numpy() if isinstance(frame, (nw.DataFrame, nw.Series)) else values


def columns_of(values: Any, positions: list[int]) -> list[np.ndarray[Any, Any]]:
    """Return some columns of a table or a matrix, each as an array of its own type."""
    frame = _as_narwhals(values)
    if frame is not None:
        return [np.asarray(frame[:, i].to_numpy()) for i in positions]
    matrix = np.asarray(values)
    return [matrix[:, i] for i in positions]


def rows_of(table: Any, rows: Any) -> Any:
    """Return some rows of a table, by their numbers."""
    return _as_narwhals(table)[rows].to_native()


def without_columns(values: Any, positions: list[int]) -> Any:
    """Return a table or a matrix without some columns."""
    frame = _as_narwhals(values)
    if frame is not None:
        kept = [i for i in range(len(frame.columns)) if i not in positions]
        return frame[:, kept].to_native()
    return np.delete(np.asarray(values), positions, axis=1)

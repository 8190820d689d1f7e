# SPDX-License-Identifier: MIT
"""Tables of pandas, polars or pyarrow, read through narwhals; arrays pass by unchanged."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from numbers import Number
from types import NoneType
from typing import Any

import numpy as np

from .mapped_files import copy_of_mapped

__all__ = [
    "TIMES",
    "column_names",
    "columns_of",
    "first_gap",
    "frame_of",
    "is_table",
    "joined_rows",
    "named_columns",
    "raw_names",
    "refuse_other_columns",
    "refuse_other_names",
    "rows_of",
    "text_names",
    "to_array",
    "without_columns",
]

TIMES = (np.datetime64, np.timedelta64, datetime.date, datetime.time, datetime.timedelta)


def frame_of(table: Any) -> Any:
    """Return the narwhals frame of a table, or None for anything else."""
    if isinstance(table, (np.ndarray, list, tuple)):
        return None
    if type(table).__name__ == "LazyFrame":
        raise TypeError(
            "the table is a LazyFrame, expected a table in memory. Give the result of its "
            "collect()."
        )
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
    return frame_of(values) is not None


def joined_rows(first: Any, second: Any) -> Any:
    """Return one table of the rows of two, in the order of the columns of the first."""
    import narwhals.stable.v1 as nw

    head, tail = frame_of(first), frame_of(second)
    if head.implementation != tail.implementation:
        raise ValueError(
            f"the tables are of {head.implementation} and {tail.implementation}. Convert one of "
            "them, so that both are of the same library."
        )
    return nw.concat([head, tail.select(head.columns)]).to_native()


def column_names(table: Any) -> list[str]:
    """Return the names of a table's columns."""
    return [str(name) for name in frame_of(table).columns]


def raw_names(table: Any) -> list[Any]:
    """Return the names of a table's columns as they are: strings, or integers in pandas."""
    return list(frame_of(table).columns)


def text_names(table: Any) -> list[str] | None:
    """Return the names of a table's columns if all are strings, as scikit-learn requires."""
    names = list(frame_of(table).columns)
    return names if all(isinstance(name, str) for name in names) else None


def named_columns(values: Any) -> list[str] | None:
    """Return the names of the columns if values are a table that names them by strings."""
    return text_names(values) if is_table(values) else None


def refuse_other_names(first: Any, second: Any, names: tuple[str, str], function: str) -> None:
    """Raise if two tables name their columns differently, or in another order."""
    expected, found = named_columns(first), named_columns(second)
    if expected is None or found is None or expected == found:
        return
    one, other = names
    if sorted(expected) == sorted(found):
        reason, remedy = (
            "They are in another order",
            f"Reorder them, as in {other}[list({one}.columns)], or pass",
        )
    else:
        reason, remedy = "Their names differ", "Pass tables with the same columns, or"
    raise ValueError(
        f"{function}: {other} has the columns {found}, expected those of {one}, {expected}. "
        f"{reason}. {remedy} arrays to match columns by position."
    )


def refuse_other_columns(table: Any) -> None:
    """Raise if columns are not numbers: text, categories, dates, or booleans with gaps."""
    import narwhals.stable.v1 as nw

    frame = frame_of(table)
    kinds = frame.schema
    objects = [name for name, kind in kinds.items() if isinstance(kind, nw.Object)]
    mixed = [
        name
        for name in objects
        if any(isinstance(v, str) for v in frame.get_column(name).to_list())
    ]
    texts = _names_where(kinds, (nw.String,)) or ", ".join(repr(str(name)) for name in mixed)
    if texts:
        raise ValueError(
            f"could not convert string to float: X has text in {texts}. Encode it as numbers, drop "
            "it, or give groups as sensitive_columns of GroupRepair."
        )
    categories = _names_where(kinds, (nw.Categorical, nw.Enum))
    if categories:
        raise ValueError(
            f"X has categories in {categories}, expected numbers. Convert the columns, for "
            "instance with astype(float) if the categories are numbers, encode them, or give "
            "groups as sensitive_columns of GroupRepair."
        )
    times = _names_where(kinds, (nw.Datetime, nw.Date, nw.Duration, nw.Time))
    times = times or ", ".join(
        repr(str(n)) for n in objects if _first_time(frame.get_column(n)) is not None
    )
    if times:
        raise ValueError(
            f"X has dates or times in {times}, expected numbers. Convert them, for instance to "
            "days since a date, or drop the columns."
        )
    for name, kind in kinds.items():
        column = frame.get_column(name)  # frame[name] is a row if the name is a number
        is_number = kind.is_numeric()
        row = None
        if isinstance(kind, nw.Object):
            row = first_gap(column.to_list())
        elif (is_number or isinstance(kind, nw.Boolean)) and column.null_count():
            row = int(column.is_null().to_numpy().argmax())
        if row is not None:
            raise ValueError(
                f"Input X contains NaN: column {str(name)!r} has no value at row {row} (counted "
                f"from 0), expected {'booleans' if isinstance(kind, nw.Boolean) else 'numbers'}. "
                "Fill the gaps or drop the rows."
            )
        strange = None if is_number or isinstance(kind, nw.Boolean) else _strange_value(column)
        if strange is not None:
            raise ValueError(
                f"X has values of type {type(strange).__name__} in {str(name)!r}, expected "
                "numbers. Convert them, or drop the column."
            )


def _names_where(kinds: Any, wanted: tuple[Any, ...]) -> str:
    return ", ".join(repr(str(name)) for name, kind in kinds.items() if isinstance(kind, wanted))


def _strange_value(column: Any) -> Any:
    """Return the first value that is neither a number nor missing; None if there is none."""
    numbers = (Number, np.bool_, NoneType)
    values = (value for value in column.to_list() if not isinstance(value, numbers))
    return next((v for v in values if type(v).__name__ not in ("NAType", "NaTType")), None)


def first_gap(values: Iterable[Any]) -> int | None:
    """Return where pandas.NA is, which is no float; None if it is nowhere."""
    return next((i for i, value in enumerate(values) if type(value).__name__ == "NAType"), None)


def _first_time(column: Any) -> Any:
    return next((value for value in column.to_list() if isinstance(value, TIMES)), None)


def to_array(values: Any) -> Any:
    """Turn a table or a column into an array; give anything else back as it is."""
    if isinstance(values, (np.ndarray, list, tuple, str)) or np.isscalar(values):
        return values
    import narwhals.stable.v1 as nw

    frame = nw.from_native(values, eager_only=True, allow_series=True, pass_through=True)
    return frame.to_numpy() if isinstance(frame, (nw.DataFrame, nw.Series)) else values


def columns_of(values: Any, positions: list[int]) -> list[np.ndarray[Any, Any]]:
    """Return some columns of a table or a matrix, each as an array of its own type."""
    frame = frame_of(values)
    if frame is not None:
        return [copy_of_mapped(np.asarray(frame[:, i].to_numpy())) for i in positions]
    matrix = np.asarray(values)
    return [copy_of_mapped(matrix[:, i]) for i in positions]


def rows_of(table: Any, rows: Any) -> Any:
    """Return some rows of a table, by their numbers."""
    return frame_of(table)[rows].to_native()


def without_columns(values: Any, positions: list[int]) -> Any:
    """Return a table or a matrix without some columns."""
    frame = frame_of(values)
    if frame is not None:
        kept = [i for i in range(len(frame.columns)) if i not in positions]
        return frame[:, kept].to_native()
    return np.delete(np.asarray(values), positions, axis=1)

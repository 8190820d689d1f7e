# SPDX-License-Identifier: MIT
"""Columns of a batch as numbers and labels; errors name the column and a row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import LARGEST, FloatArray
from .._input.labels import LabelArray, labels_of_rows
from .._input.whole_numbers import refuse_rounded_column

__all__ = ["Codes", "is_arrow", "label_codes", "labels_in", "names_in", "numbers_in", "weights_in"]

Column = str | int
Codes = tuple[list[Any], NDArray[np.int64]]  # distinct labels, and the place of every row's


def is_arrow(batch: Any) -> bool:
    """Return whether a batch is a RecordBatch or a Table of pyarrow."""
    return type(batch).__module__.partition(".")[0] == "pyarrow"


def names_in(batch: Any) -> list[Column]:
    """Return the names of the columns of a batch; positions in an array."""
    if is_arrow(batch):
        return list(batch.schema.names)
    return list(range(np.shape(batch)[1]))


def numbers_in(batch: Any, column: Column, first_row: int) -> FloatArray:
    """Return a column as float64; refuse other types, gaps, NaN, infinity and huge numbers."""
    values = _values_in(batch, column, first_row)
    refuse_rounded_column(values, f"column {column!r}")
    return _finite(values, column, first_row)


def _values_in(batch: Any, column: Column, first_row: int) -> NDArray[Any]:
    where = f"column {column!r}"
    if is_arrow(batch):
        array = _arrow_column(batch, column)
        _refuse_other_types(array, where)
        _refuse_nulls(array, where, first_row)
        return np.asarray(array.to_numpy(zero_copy_only=False))
    values: NDArray[Any] = np.asarray(batch)[:, int(column)]
    if values.dtype.kind not in "biuf":
        raise ValueError(f"{where} has the type {values.dtype}, expected numbers")
    return values


def _finite(values: NDArray[Any], column: Column, first_row: int) -> FloatArray:
    numbers: FloatArray = values.astype(np.float64, copy=False)
    small = np.abs(numbers) <= LARGEST  # False for NaN
    if not small.all():
        row = int(np.argmin(small))
        raise ValueError(
            f"column {column!r} holds {numbers[row]} at row {first_row + row} (counted from 0), "
            f"expected finite numbers of at most {LARGEST:g}. Fill or drop such rows."
        )
    return numbers


def weights_in(batch: Any, column: Column, first_row: int) -> FloatArray:
    """Return a column of weights."""
    weights = _finite(_values_in(batch, column, first_row), column, first_row)
    if (weights < 0.0).any():
        row = int(np.argmax(weights < 0.0))
        raise ValueError(
            f"column {column!r} holds the weight {weights[row]} at row {first_row + row} (counted "
            "from 0), expected weights of 0 or more"
        )
    return weights


def label_codes(batch: Any, column: Column, first_row: int) -> Codes:
    """Return the distinct labels of a column, and for every row the place of its label."""
    where = f"column {column!r}"
    if is_arrow(batch):
        array = _arrow_column(batch, column)
        _refuse_nulls(array, where, first_row)
        if not hasattr(array, "indices"):
            array = array.dictionary_encode()
        labels, places = array.dictionary.to_pylist(), np.asarray(array.indices)
    else:
        own = labels_of_rows(np.asarray(batch)[:, int(column)], len(batch), where)
        distinct, places = np.unique(own, return_inverse=True)
        labels = distinct.tolist()
    for place, label in enumerate(labels):
        if (label is None or label != label) and (places == place).any():
            row = int(np.argmax(places == place))
            raise ValueError(
                f"{where} has no label at row {first_row + row} (counted from 0). Fill the gaps "
                "or drop the rows."
            )
    return labels, places.astype(np.int64, copy=False)


def labels_in(batch: Any, column: Column, first_row: int) -> LabelArray:
    """Return the label of every row."""
    labels, places = label_codes(batch, column, first_row)
    return labels_of_rows(np.array(labels, dtype=object), len(labels), f"column {column!r}")[places]


def _arrow_column(batch: Any, column: Column) -> Any:
    """Return a column as one array of pyarrow."""
    array = batch.column(column)
    return array.combine_chunks() if hasattr(array, "combine_chunks") else array


def _refuse_other_types(array: Any, where: str) -> None:
    import pyarrow.types as types

    kind = array.type
    if not (types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)):
        raise ValueError(
            f"{where} has the type {kind}, expected numbers. Convert it, or leave it out of "
            "features."
        )


def _refuse_nulls(array: Any, where: str, first_row: int) -> None:
    if array.null_count:
        row = int(np.argmax(array.is_null().to_numpy(zero_copy_only=False)))
        raise ValueError(
            f"{where} is null at row {first_row + row} (counted from 0). Fill the gaps or drop "
            "the rows."
        )

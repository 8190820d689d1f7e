# SPDX-License-Identifier: MIT
"""Rows of Arrow batches as arrays, with those that cannot be used marked. Runs on executors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .._input.arrays import LARGEST, FloatArray
from .._input.keys import KeyArray, keys_given

__all__ = ["InvalidRow", "RowReader", "Rows"]

_TOO_LARGE = f"has a number beyond {LARGEST:g}"
_DENSE = 1  # the type of dense vectors in Spark's struct of vectors


@dataclass(frozen=True)
class InvalidRow:
    """A row that cannot be used: its column, what is wrong with it, and the row itself."""

    column: str
    reason: str
    partition: int
    position: int
    values: dict[str, Any]

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return (
            f"column {self.column!r} {self.reason} at row {self.position} of partition "
            f"{self.partition} (both counted from 0): {shown}. handleInvalid='skip' leaves such "
            "rows out, 'keep' keeps them with null in the output columns."
        )


@dataclass(frozen=True)
class Rows:
    """Rows of a batch.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        The features; those of invalid rows are meaningless.
    labels : ndarray of shape (n_rows,) or None
        The labels of the groups; those of invalid rows are meaningless.
    weights : ndarray of shape (n_rows,) or None
        The sample weights.
    keys : ndarray of shape (n_rows,) or None
        The keys.
    valid : ndarray of bool of shape (n_rows,)
        Which rows can be used.
    invalid : InvalidRow or None
        The first row that cannot be used.
    """

    X: FloatArray
    labels: NDArray[Any] | None
    weights: FloatArray | None
    keys: KeyArray | None
    valid: NDArray[np.bool_]
    invalid: InvalidRow | None


@dataclass(frozen=True)
class RowReader:
    """Reads features, groups, weights and keys from Arrow batches.

    Attributes
    ----------
    kind : {"vector", "array", "columns"}
        Whether the features are a vector, an array, or several columns.
    features : list of str
        The column or the columns of features.
    group, weight, key : str or None
        The other columns.
    n_features : int or None
        The number of features that rows must have. If None, that of the first row.
    is_limited : bool
        Whether rows with very large numbers cannot be used.
    """

    kind: str
    features: list[str]
    group: str | None = None
    weight: str | None = None
    key: str | None = None
    n_features: int | None = None
    is_limited: bool = True

    @property
    def columns(self) -> list[str]:
        """The columns that are read, each once."""
        others = [name for name in (self.group, self.weight, self.key) if name is not None]
        return list(dict.fromkeys([*self.features, *others]))

    def read(self, batch: pa.RecordBatch, partition: int, first: int) -> Rows:
        """Read a batch; `first` is the position of its first row in the partition."""
        found = _Problems(self, batch, partition, first)
        X = self._features(batch, found)
        labels = None if self.group is None else _labels(batch, self.group, found)
        weights = None if self.weight is None else _weights(batch, self.weight, found)
        keys = None if self.key is None else _keys(batch, self.key, found)
        return Rows(X, labels, weights, keys, found.valid, found.first_row())

    def _features(self, batch: pa.RecordBatch, found: _Problems) -> FloatArray:
        if self.kind == "columns":
            X = np.empty((batch.num_rows, len(self.features)))
            for place, name in enumerate(self.features):
                X[:, place] = _doubles(batch.column(name))
                found.mark(np.isfinite(X[:, place]), name, "has a null, NaN or infinity")
                if self.is_limited:
                    found.mark(~(np.abs(X[:, place]) > LARGEST), name, _TOO_LARGE)
            return X
        (name,) = self.features
        column = batch.column(name)
        found.mark(_is_given(column), name, "has a null")
        width = self.n_features or _first_width(column, self.kind)
        read = _from_vectors if self.kind == "vector" else _from_lists
        X, fits = read(column, width)
        found.mark(fits, name, f"has another number of features than {width}")
        found.mark(
            np.logical_and.reduce(np.isfinite(X), axis=1), name, "has a null, NaN or infinity"
        )
        if self.is_limited:
            found.mark(~np.logical_or.reduce(np.abs(X) > LARGEST, axis=1), name, _TOO_LARGE)
        return X


class _Problems:
    """The rows of a batch that cannot be used, and the reason for the first of them."""

    def __init__(self, reader: RowReader, batch: pa.RecordBatch, partition: int, first: int):
        self.reader, self.batch, self.partition, self.first = reader, batch, partition, first
        self.valid = np.ones(batch.num_rows, dtype=bool)
        self._reasons: dict[int, tuple[str, str]] = {}

    def mark(self, good: NDArray[np.bool_], column: str, reason: str) -> None:
        """Mark the rows that are not good; earlier marks of a row keep their reason."""
        if good.all():
            return
        bad = np.flatnonzero(~good & self.valid)
        if len(bad):
            self._reasons[int(bad[0])] = (column, reason)
        self.valid &= good

    def first_row(self) -> InvalidRow | None:
        """Return the first row that cannot be used."""
        if not self._reasons:
            return None
        row = min(self._reasons)
        column, reason = self._reasons[row]
        shown = [name for name in self.reader.columns if name in self.batch.schema.names]
        values = {name: _shown(self.batch.column(name)[row]) for name in shown}
        return InvalidRow(column, reason, self.partition, self.first + row, values)


def _shown(scalar: pa.Scalar) -> Any:
    """Return a value for a message: the numbers of a vector, the first ten of a long list."""
    value = scalar.as_py()
    if isinstance(value, dict) and "values" in value:
        value = value["values"]
    return [*value[:10], "..."] if isinstance(value, list) and len(value) > 10 else value


def _is_given(column: pa.Array) -> NDArray[np.bool_]:
    if column.null_count == 0:
        return np.ones(len(column), dtype=bool)
    given: NDArray[np.bool_] = pc.is_valid(column).to_numpy(zero_copy_only=False)
    return given


def _doubles(column: pa.Array) -> FloatArray:
    """Return numbers as float64, null as NaN."""
    if column.type != pa.float64():
        column = column.cast(pa.float64(), safe=False)
    if column.null_count:
        column = pc.fill_null(column, float("nan"))
    values: FloatArray = column.to_numpy(zero_copy_only=False)
    return values


def _first_width(column: pa.Array, kind: str) -> int:
    """Return the number of features of the first row that has any."""
    for scalar in column:
        if scalar.is_valid:
            value = scalar.as_py()
            if kind == "array":
                return len(value)
            return len(value["values"]) if value["type"] == _DENSE else int(value["size"])
    return 1


def _from_lists(column: pa.Array, width: int) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return the rows of a list column, and which of them have the right length."""
    if column.null_count == 0:
        offsets = column.offsets.to_numpy()
        lengths = np.diff(offsets)
        if (lengths == width).all():
            values = _doubles(column.flatten())
            return values.reshape(len(column), width), np.ones(len(column), dtype=bool)
    X = np.zeros((len(column), width))
    fits = np.zeros(len(column), dtype=bool)
    for row, scalar in enumerate(column):
        values = scalar.as_py()
        if values is not None and len(values) == width:
            X[row] = [np.nan if value is None else value for value in values]
            fits[row] = True
    return X, fits


def _from_vectors(column: pa.Array, width: int) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return the rows of a column of Spark's vectors, and which have the right length."""
    if column.null_count == 0:
        kinds = column.field("type").to_numpy(zero_copy_only=False)
        if (kinds == _DENSE).all():
            return _from_lists(column.field("values"), width)
    X = np.zeros((len(column), width))
    fits = np.zeros(len(column), dtype=bool)
    for row, scalar in enumerate(column):
        vector = scalar.as_py()
        if vector is None:
            continue
        if vector["type"] == _DENSE:
            fits[row] = len(vector["values"]) == width
            X[row] = vector["values"] if fits[row] else 0.0
        else:
            fits[row] = vector["size"] == width
            if fits[row]:
                X[row, vector["indices"]] = vector["values"]
    return X, fits


def _labels(batch: pa.RecordBatch, name: str, found: _Problems) -> NDArray[Any]:
    """Return labels as strings, int64, float64 or bool."""
    column = batch.column(name)
    found.mark(_is_given(column), name, "has a null")
    if pa.types.is_floating(column.type):
        values = _doubles(column)
        found.mark(np.isfinite(values), name, "has NaN or infinity")
        return values
    if pa.types.is_integer(column.type):
        return column.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]
    if pa.types.is_boolean(column.type):
        return column.fill_null(False).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]
    coded = column.fill_null("").dictionary_encode()
    distinct = np.array(coded.dictionary.to_pylist(), dtype=np.str_)
    codes = coded.indices.to_numpy(zero_copy_only=False)
    return distinct[codes] if len(distinct) else np.empty(0, dtype=np.str_)


def _weights(batch: pa.RecordBatch, name: str, found: _Problems) -> FloatArray:
    weights = _doubles(batch.column(name))
    found.mark(np.isfinite(weights), name, "has a null, NaN or infinity")
    with np.errstate(invalid="ignore"):
        found.mark(weights >= 0.0, name, "has a negative weight")
    return weights


def _keys(batch: pa.RecordBatch, name: str, found: _Problems) -> KeyArray:
    column = batch.column(name)
    found.mark(_is_given(column), name, "has a null")
    if pa.types.is_integer(column.type):
        values: Any = column.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
    else:
        values = column.fill_null("").to_pylist()
    return keys_given(values, batch.num_rows, name)

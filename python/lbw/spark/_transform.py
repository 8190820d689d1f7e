# SPDX-License-Identifier: MIT
"""Transformation of the batches of a partition by a fitted estimator. Runs on executors."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._rows import InvalidRow, RowReader, Rows
from ._vectors import list_array, vector_array

__all__ = ["Mapper", "OutputColumn", "Shipped", "batches_of", "partition_number"]

Batches = Iterable[pa.RecordBatch]
_MOST_KEPT = 8  # estimators that a worker keeps
_kept: OrderedDict[bytes, Any] = OrderedDict()


@dataclass(frozen=True)
class Shipped:
    """A Python object that is sent to executors as bytes and unpacked once per worker."""

    data: bytes
    digest: bytes

    @classmethod
    def of(cls, value: Any) -> Shipped:
        """Return the object as bytes."""
        data = pickle.dumps(value)
        return cls(data, blake2b(data, digest_size=16).digest())

    def value(self) -> Any:
        """Return the object."""
        if self.digest not in _kept:
            _kept[self.digest] = pickle.loads(self.data)
            while len(_kept) > _MOST_KEPT:
                _kept.popitem(last=False)
        _kept.move_to_end(self.digest)
        return _kept[self.digest]


class Partition(Protocol):
    """Computes the outputs of the rows of one partition, in order."""

    def outputs(self, rows: Rows) -> list[NDArray[Any]]:
        """Return the outputs of rows that are all valid."""

    def unknown(self, rows: Rows) -> NDArray[np.bool_] | None:
        """Return which rows have a group that the fit has not seen; None if that is allowed."""


class Mapper(Protocol):
    """Computes outputs of rows; it is unpacked once per worker and used for many partitions."""

    def partition(self) -> Partition:
        """Return the computation of a new partition."""


@dataclass(frozen=True)
class OutputColumn:
    """A column that is added: its kind, and the output and the feature that it shows."""

    kind: str  # "vector", "array", "double" or "int"
    output: int = 0
    feature: int | None = None

    def array(self, outputs: list[NDArray[Any]], valid: NDArray[np.bool_]) -> pa.Array:
        """Return the column of a batch, null where rows are not valid."""
        values = outputs[self.output]
        if self.kind == "vector":
            return vector_array(values, valid)
        if self.kind == "array":
            return list_array(values, valid)
        if self.feature is not None:
            values = values[:, self.feature]
        kind = pa.int32() if self.kind == "int" else pa.float64()
        whole = np.zeros(len(valid), dtype=values.dtype)
        whole[valid] = values
        return pa.array(whole, type=kind, mask=None if valid.all() else ~valid)


@dataclass(frozen=True)
class Transformation:
    """The function of `mapInArrow`."""

    mapper: Shipped
    reader: RowReader
    columns: list[OutputColumn]
    names: list[str]
    handle_invalid: str

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        """Yield the batches of a partition with the output columns."""
        partition: Partition = self.mapper.value().partition()
        number, position = partition_number(), 0
        for batch in batches:
            yield self._transformed(partition, batch, number, position)
            position += batch.num_rows

    def _transformed(
        self, partition: Partition, batch: pa.RecordBatch, number: int, position: int
    ) -> pa.RecordBatch:
        rows = self.reader.read(batch, number, position)
        invalid = rows.invalid
        valid = rows.valid
        unknown = partition.unknown(rows)
        if unknown is not None and (unknown & valid).any():
            invalid = invalid or _unknown_row(rows, unknown & valid, self.reader, number, position)
            valid = valid & ~unknown
        if invalid is not None and self.handle_invalid == "error":
            raise ValueError(str(invalid))
        outputs = partition.outputs(_chosen(rows, valid))
        if self.handle_invalid == "skip" and not valid.all():
            batch, valid = batch.filter(pa.array(valid)), np.ones(int(valid.sum()), dtype=bool)
        added = [column.array(outputs, valid) for column in self.columns]
        return pa.RecordBatch.from_arrays(
            [*batch.columns, *added], names=[*batch.schema.names, *self.names]
        )


def batches_of(
    mapper: Mapper,
    reader: RowReader,
    columns: list[tuple[str, OutputColumn]],
    handle_invalid: str,
) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    """Return the function of `mapInArrow` that adds columns to rows."""
    names = [name for name, _ in columns]
    own = [column for _, column in columns]
    return Transformation(Shipped.of(mapper), reader, own, names, handle_invalid)


def partition_number() -> int:
    """Return the number of the partition of the task that runs."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


def _chosen(rows: Rows, valid: NDArray[np.bool_]) -> Rows:
    """Return the valid rows."""
    if valid.all():
        return rows
    return Rows(
        rows.X[valid],
        None if rows.labels is None else rows.labels[valid],
        None if rows.weights is None else rows.weights[valid],
        None if rows.keys is None else rows.keys[valid],
        valid[valid],
        None,
    )


def _unknown_row(
    rows: Rows, unknown: NDArray[np.bool_], reader: RowReader, number: int, position: int
) -> InvalidRow:
    row = int(np.flatnonzero(unknown)[0])
    assert rows.labels is not None
    label = rows.labels[row].item()
    reason = f"has the group {label!r}, which was not seen in the fit,"
    values = {"features": rows.X[row].tolist(), str(reader.group): label}
    return InvalidRow(str(reader.group), reason, number, position + row, values)

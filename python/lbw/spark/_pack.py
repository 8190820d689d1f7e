# SPDX-License-Identifier: MIT
"""Rows of a partition, packed by group into files that are mapped into memory.

Runs on executors.
"""

from __future__ import annotations

import pickle
import shutil
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from .._input.arrays import FloatArray
from .._input.labels import LabelArray, LabelledRows, rows_from
from ._rows import InvalidRow, RowReader, Rows
from ._scratch import commit, is_complete, new_folder
from ._transform import partition_number

__all__ = ["PACKED", "Pack", "Packed", "PackedGroup", "packed_row"]

_MOST_GROUPS = 10_000  # of a partition, each a file

PACKED = "partition long, about binary"  # the schema of a packed partition


@dataclass(frozen=True)
class PackedGroup:
    """The rows of one group in a partition."""

    label: Any
    n_rows: int
    n_positive: int
    weight: float
    squared_weight: float
    checksum: int  # of rows and weights


@dataclass(frozen=True)
class Packed:
    """A packed partition: where it is, and what it holds.

    Attributes
    ----------
    partition : int
        The number of the partition.
    folder : str
        The folder of its files, `<place>.rows` and `<place>.weights` for every group.
    groups : list of PackedGroup
        The groups, in the order of their first rows.
    n_features : int
        The number of features, 0 if there are no rows.
    has_weights : bool
        Whether rows have weights.
    n_skipped : int
        The number of rows that cannot be used.
    invalid : InvalidRow or None
        The first of these rows.
    """

    partition: int
    folder: str
    groups: list[PackedGroup]
    n_features: int
    has_weights: bool
    n_skipped: int
    invalid: InvalidRow | None

    @property
    def labels(self) -> list[Any]:
        """The labels of the groups."""
        return [group.label for group in self.groups]

    def rows(self, label: Any) -> tuple[FloatArray, FloatArray | None]:
        """Return the rows and weights of a group, mapped into memory.

        Raises FileNotFoundError if this executor does not have them.
        """
        place = self.labels.index(label)
        n_rows = self.groups[place].n_rows
        shape = (n_rows, self.n_features)
        X = np.memmap(Path(self.folder) / f"{place}.rows", np.float64, "r", shape=shape)
        if not self.has_weights:
            return np.asarray(X), None
        weights = np.memmap(
            Path(self.folder) / f"{place}.weights", np.float64, "r", shape=(n_rows,)
        )
        return np.asarray(X), np.asarray(weights)

    def exists(self) -> bool:
        """Return whether this executor has the files, all of them complete."""
        return is_complete(Path(self.folder), self._sizes())

    def _sizes(self) -> dict[str, int]:
        """Return the size of every file."""
        sizes = {}
        for place, group in enumerate(self.groups):
            sizes[f"{place}.rows"] = 8 * self.n_features * group.n_rows
            if self.has_weights:
                sizes[f"{place}.weights"] = 8 * group.n_rows
        return sizes

    @property
    def checksum(self) -> int:
        """A number that depends on all rows."""
        return zlib.crc32(repr(self.groups).encode())

    def check_same(self, again: int) -> None:
        """Raise an error if the checksum of the partition was another one later."""
        if self.checksum != again:
            raise ValueError(
                f"partition {self.partition} had other rows when it was read again. Persist or "
                "checkpoint the DataFrame before fit, or make its order deterministic."
            )


@dataclass(frozen=True)
class Pack:
    """The function of `mapInArrow` that packs a partition and yields one row about it."""

    fit: str
    reader: RowReader
    handle_invalid: str

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Pack the rows of a partition."""
        yield packed_row(self.pack(batches))

    def pack(self, batches: Iterable[pa.RecordBatch]) -> Packed:
        """Write the rows of a partition to a folder with an atomic rename at the end."""
        partition = partition_number()
        folder = new_folder(self.fit, partition)
        try:
            files = _Files(folder, has_weights=self.reader.weight is not None)
            self._write(batches, files, partition)
            groups = [files.group(label) for label in files.labels]
            final = commit(folder, partition)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return Packed(
            partition,
            str(final),
            groups,
            files.n_features,
            files.has_weights,
            files.n_skipped,
            files.invalid,
        )

    def _write(self, batches: Iterable[pa.RecordBatch], files: _Files, partition: int) -> None:
        position = 0
        for batch in batches:
            reader = replace(self.reader, n_features=files.n_features or self.reader.n_features)
            rows = reader.read(batch, partition, position)
            position += batch.num_rows
            if rows.invalid is not None:
                files.n_skipped += int((~rows.valid).sum())
                files.invalid = files.invalid or rows.invalid
                if self.handle_invalid == "error":
                    for _ in batches:  # a worker that leaves rows unread cannot be used again
                        pass
                    return
            files.add(rows)


class _Files:
    """The files of a partition while they are written."""

    def __init__(self, folder: Path, *, has_weights: bool) -> None:
        self.folder, self.has_weights = folder, has_weights
        self.n_skipped, self.n_features = 0, 0
        self.invalid: InvalidRow | None = None
        self._places: dict[Any, int] = {}  # of groups, in the order of their first rows
        self._checksums: dict[Any, int] = {}

    def add(self, rows: Rows) -> None:
        """Append the valid rows of a batch to the files of their groups."""
        X, weights = rows.X[rows.valid], rows.weights
        if len(X) == 0:
            return
        self.n_features = X.shape[1]
        own = None if weights is None else weights[rows.valid]
        if rows.labels is None:
            return self._append(None, X, own)
        labels: LabelArray = rows.labels[rows.valid]
        labelled = LabelledRows(labels)
        for label in _in_order(labels):
            which = labelled.of(label)
            self._append(label, rows_from(X, which), None if own is None else rows_from(own, which))

    def _append(self, label: Any, X: FloatArray, weights: FloatArray | None) -> None:
        place = self._places.setdefault(label, len(self._places))
        if place >= _MOST_GROUPS:
            raise ValueError(
                f"groupCol has more than {_MOST_GROUPS} distinct values in a partition, too many "
                "to be groups. Give a column of categories or bin the values first."
            )
        self._write(f"{place}.rows", label, X)
        if weights is not None:
            self._write(f"{place}.weights", label, weights)

    def _write(self, name: str, label: Any, values: FloatArray) -> None:
        data = np.ascontiguousarray(values).data
        self._checksums[label] = zlib.crc32(data, self._checksums.get(label, 0))
        # opened for each batch: executors limit the number of open files
        with open(self.folder / name, "ab") as file:
            file.write(data)

    @property
    def labels(self) -> list[Any]:
        """The labels of the groups."""
        return list(self._places)

    def group(self, label: Any) -> PackedGroup:
        """Return the counts and weights of a group that is complete."""
        place = self._places[label]
        row = 8 * self.n_features
        n_rows = (self.folder / f"{place}.rows").stat().st_size // row
        if not self.has_weights:
            ones = float(n_rows)
            return PackedGroup(label, n_rows, n_rows, ones, ones, self._checksums[label])
        weights = np.fromfile(self.folder / f"{place}.weights")
        n_positive = int((weights > 0.0).sum())
        squares = float((weights * weights).sum())
        weight, checksum = float(weights.sum()), self._checksums[label]
        return PackedGroup(label, n_rows, n_positive, weight, squares, checksum)


def _in_order(labels: LabelArray) -> list[Any]:
    """Return the distinct labels in the order of their first rows."""
    distinct, first = np.unique(labels, return_index=True)
    order: list[Any] = distinct[np.argsort(first)].tolist()
    return order


def packed_row(about: Any, partition: int | None = None) -> pa.RecordBatch:
    """Return a row of the schema `PACKED`."""
    number = partition_number() if partition is None else partition
    return pa.RecordBatch.from_arrays(
        [pa.array([number], pa.int64()), pa.array([pickle.dumps(about)], pa.binary())],
        names=["partition", "about"],
    )

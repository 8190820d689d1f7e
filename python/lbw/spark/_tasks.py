# SPDX-License-Identifier: MIT
"""Tasks of a fit over packed partitions. Runs on executors."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .. import _core
from .._input.arrays import FloatArray
from ._pack import Pack, Packed, packed_row
from ._scratch import drop_copies, is_own, sweep

__all__ = ["DropCopies", "Rebuilt", "RowsTask", "Run", "RunInArrow", "SumsTask", "Sweep", "Task"]

Places = NDArray[np.int64]


class Task(Protocol):
    """A computation on the rows of a packed partition."""

    def run(self, packed: Packed) -> Any:
        """Return the result of a partition."""


@dataclass(frozen=True)
class SumsTask:
    """The moment sums of every group under its mixture.

    Attributes
    ----------
    requests : dict
        The mixture, precision, part and seed of every group that needs sums.
    first_rows : dict
        The index of the first row of every group in each partition, by partition and group. It is
        empty if no request needs it.
    n_threads : int
        The number of threads of a task; 0 is spark.task.cpus.
    """

    requests: dict[Any, Any]
    first_rows: dict[int, dict[Any, int]]
    n_threads: int

    def run(self, packed: Packed) -> dict[Any, bytes]:
        """Return the sums of the groups that the partition has."""
        first = self.first_rows.get(packed.partition, {})
        return {
            label: self._sums(packed, label, first.get(label))
            for label in packed.labels
            if label in self.requests
        }

    def _sums(self, packed: Packed, label: Any, first_row: int | None) -> bytes:
        request = self.requests[label]
        X, weights = packed.rows(label)
        sums: bytes = _core.moment_sums(
            request.mixture,
            X,
            weights,
            precision=request.precision,
            n_threads=self.n_threads or _task_cpus(),
            part=request.part,
            seed=request.seed,
            first_row=first_row,
        )
        return sums


@dataclass(frozen=True)
class RowsTask:
    """Some rows of the groups, by their positions in the partition."""

    wanted: dict[int, dict[Any, Places]]

    def run(self, packed: Packed) -> dict[Any, tuple[FloatArray, FloatArray | None]]:
        """Return the rows and weights that are wanted of the partition."""
        found = {}
        for label, places in self.wanted.get(packed.partition, {}).items():
            X, weights = packed.rows(label)
            found[label] = (X[places], None if weights is None else weights[places])
        return found


@dataclass(frozen=True)
class Run:
    """Runs a task over the rows of an RDD that describe packed partitions.

    The result has the checksum of the rows, because Spark packs a partition again if its executor
    is lost. It is None if the executor does not have the files of the partition.
    """

    task: Task

    def __call__(self, index: int, descriptions: Iterable[Any]) -> Iterator[bytes]:
        """Yield the partition and its result."""
        for description in descriptions:
            packed: Packed = pickle.loads(description.about)
            yield pickle.dumps((packed.partition, _result_of(self.task, packed)))


@dataclass(frozen=True)
class RunInArrow:
    """Runs a task over the rows of a DataFrame that describe packed partitions."""

    task: Task

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the partition and its result."""
        for batch in batches:
            for about in batch.column("about"):
                packed: Packed = pickle.loads(about.as_py())
                yield packed_row(_result_of(self.task, packed), packed.partition)


def _result_of(task: Task, packed: Packed) -> tuple[int, Any] | None:
    """Return the checksum of the rows and the result; None if files are missing."""
    if not packed.exists():
        return None
    try:
        return packed.checksum, task.run(packed)
    except FileNotFoundError:
        return None


@dataclass(frozen=True)
class Rebuilt:
    """Packs partitions that an executor did not have, and runs a task over them.

    The files are kept only where the first ones were, so that the scratch files of all executors
    together do not grow beyond the size of the data.
    """

    pack: Pack
    task: Task
    expected: dict[int, Packed]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the partition and its result."""
        from ._transform import partition_number

        before = self.expected.get(partition_number())
        if before is None:
            for _ in batches:
                pass
            return
        is_kept = is_own(before.folder)
        fit = self.pack.fit if is_kept else f"{self.pack.fit}-again"
        try:
            packed = Pack(fit, self.pack.reader, self.pack.handle_invalid).pack(batches)
            before.check_same(packed.checksum)
            yield packed_row(self.task.run(packed), packed.partition)
        finally:
            if not is_kept:
                sweep(fit)


@dataclass(frozen=True)
class Sweep:
    """Removes the scratch files of a fit on the executor of the task."""

    fit: str
    others: list[str]
    seconds: float

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the folders of the executor."""
        import time

        for _ in batches:
            pass
        folders = [*sweep(self.fit, self.others), *sweep(f"{self.fit}-again")]
        time.sleep(self.seconds)  # so that every executor gets a task
        yield packed_row(folders)


@dataclass(frozen=True)
class DropCopies:
    """Removes packed partitions that another executor has too, as with speculative tasks."""

    fit: str
    kept: frozenset[str]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the folders of the executor."""
        for _ in batches:
            pass
        yield packed_row(drop_copies(self.fit, self.kept))


def _task_cpus() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return 1 if context is None else max(1, context.cpus())

# SPDX-License-Identifier: MIT
"""The rows of a DataFrame as sources of a fit: summaries, some rows, and moment sums."""

from __future__ import annotations

import logging
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyspark.sql import DataFrame

from .. import _core
from .._input.arrays import FloatArray
from ._pack import Pack, Packed, PackedGroup
from ._rows import RowReader
from ._runners import Runner, runner_for
from ._tasks import RowsTask, SumsTask, Task

__all__ = ["PackedData", "SparkSource", "packed_data"]

_log = logging.getLogger("lbw.spark")
_SECONDS_TO_DIE = 2.2  # Spark ends the Python process of a cancelled task after 2 s


@contextmanager
def packed_data(
    dataset: DataFrame, reader: RowReader, params: Any, title: str
) -> Iterator[PackedData]:
    """Pack the rows of a DataFrame on the executors; remove the scratch files at the end.

    An error or Ctrl-C cancels the jobs that run, and then removes the files as well.
    """
    rows = dataset.select(*("`" + name.replace("`", "``") + "`" for name in reader.columns))
    pack = Pack(uuid.uuid4().hex[:16], reader, params._value("handleInvalid"))
    runner = runner_for(rows, pack)
    try:
        yield PackedData(runner, params, title)
    except BaseException:
        with suppress(Exception):  # the error that ended the fit matters more
            runner.cancel()
            runner.close()
            time.sleep(_SECONDS_TO_DIE)  # a worker may have written files after they were removed
            runner.close()
        raise
    runner.close()


class PackedData:
    """Packed rows on the executors.

    Attributes
    ----------
    groups : dict
        The groups of every partition that has rows of a label, by label and partition, in the
        order of the partitions.
    n_features : int
        The number of features.
    n_skipped : int
        The number of rows that cannot be used.
    """

    def __init__(self, runner: Runner, params: Any, title: str) -> None:
        self._runner, self._title = runner, title
        self._n_threads = int(params._value("nJobs") or 0)
        self._verbose = int(params._value("verbose"))
        self._n_passes = 0
        begin = time.perf_counter()
        with runner.tagged():
            packed = sorted(runner.pack(), key=lambda own: own.partition)
        if params._value("handleInvalid") == "error":
            for own in packed:
                if own.invalid is not None:
                    raise ValueError(f"{title}: {own.invalid}")
        self._packed: dict[int, Packed] = {own.partition: own for own in packed}
        self.n_skipped = sum(own.n_skipped for own in packed)
        self.n_features = _common_width(packed, title)
        self.groups: dict[Any, dict[int, PackedGroup]] = {}
        for own in packed:
            for group in own.groups:
                self.groups.setdefault(group.label, {})[own.partition] = group
        self._first_rows = self._index()
        self._say("packed", self.n_rows, time.perf_counter() - begin)

    @property
    def n_rows(self) -> int:
        """The number of rows of all groups."""
        return sum(group.n_rows for own in self.groups.values() for group in own.values())

    def _index(self) -> dict[int, dict[Any, int]]:
        """Return the index of the first row of every group in each partition."""
        first: dict[int, dict[Any, int]] = {}
        for label, parts in self.groups.items():
            index = 0
            for partition, group in parts.items():
                first.setdefault(partition, {})[label] = index
                index += group.n_rows
        return first

    def source(self, label: Any) -> SparkSource:
        """Return the source of a group's rows."""
        return SparkSource(self, label)

    def answer(self, requests: dict[Any, Any]) -> dict[Any, bytes]:
        """Return the moment sums of several groups, by one job."""
        begin = time.perf_counter()
        partitions = sorted({own for label in requests for own in self.groups[label]})
        task = SumsTask(dict(requests), self._first_rows, self._n_threads)
        results = self._run(task, partitions)
        sums = {
            label: _core.merge_moment_sums([results[own][label] for own in self.groups[label]])
            for label in requests
        }
        self._n_passes += 1
        n_rows = sum(g.n_rows for label in requests for g in self.groups[label].values())
        self._say(f"pass {self._n_passes}", n_rows, time.perf_counter() - begin)
        return sums

    def rows(
        self, wanted: dict[Any, NDArray[np.int64]]
    ) -> dict[Any, tuple[FloatArray, FloatArray | None]]:
        """Return some rows of several groups by their ascending indices, by one job."""
        places: dict[int, dict[Any, NDArray[np.int64]]] = {}
        for label, indices in wanted.items():
            for partition, group in self.groups[label].items():
                first = self._first_rows[partition][label]
                low, high = np.searchsorted(indices, [first, first + group.n_rows])
                if high > low:
                    places.setdefault(partition, {})[label] = indices[low:high] - first
        results = self._run(RowsTask(places), sorted(places))
        return {label: self._joined(label, results) for label in wanted}

    def _joined(self, label: Any, results: dict[int, Any]) -> tuple[FloatArray, FloatArray | None]:
        parts = [results[own][label] for own in sorted(results) if label in results[own]]
        if not parts:
            return np.empty((0, self.n_features)), None
        weights = None if parts[0][1] is None else np.concatenate([own for _, own in parts])
        return np.concatenate([X for X, _ in parts]), weights

    def _run(self, task: Task, partitions: list[int]) -> dict[int, Any]:
        """Run a task; pack the partitions again that an executor did not have."""
        if not partitions:
            return {}
        with self._runner.tagged():
            found = self._runner.run(task, partitions)
        missing = [own for own in partitions if found.get(own) is None]
        results = {}
        for own in set(partitions) - set(missing):
            checksum, results[own] = found[own]
            self._packed[own].check_same(checksum)
        if missing:
            _log.info("%s: %d partitions are packed again", self._title, len(missing))
            with self._runner.tagged():
                results |= self._runner.rebuild(task, {own: self._packed[own] for own in missing})
        return results

    def _say(self, what: str, n_rows: int, seconds: float) -> None:
        text = (
            f"{self._title}: {what}: {n_rows} rows in {len(self._packed)} partitions, "
            f"{seconds:.2f} s, {n_rows / max(seconds, 1e-9):.3g} rows/s"
        )
        _log.info(text)
        if self._verbose:
            print(text, file=sys.stderr, flush=True)


class SparkSource:
    """The rows of one group, as the core asks for them."""

    def __init__(self, data: PackedData, label: Any) -> None:
        self.data, self.label = data, label

    def summary(self) -> dict[str, Any]:
        """Return the numbers of rows and their weights."""
        parts = self.data.groups[self.label]
        own = list(parts.values())
        return {
            "n_samples": sum(group.n_rows for group in own),
            "n_features": self.data.n_features,
            "n_positive": sum(group.n_positive for group in own),
            "has_weights": any(self.data._packed[p].has_weights for p in parts),
            "weight": sum(group.weight for group in own),
            "squared_weight": sum(group.squared_weight for group in own),
        }

    def rows(self, indices: NDArray[np.int64]) -> tuple[FloatArray, FloatArray | None]:
        """Return some rows and their weights."""
        return self.data.rows({self.label: np.asarray(indices)})[self.label]

    def moment_sums(self, mixture: bytes, precision: str, part: str, seed: int) -> bytes:
        """Return the moment sums of all rows under a mixture."""
        from .._batches.rounds import Request

        request = Request(mixture=mixture, precision=precision, part=part, seed=seed)
        return self.data.answer({self.label: request})[self.label]


def _common_width(packed: list[Packed], title: str) -> int:
    """Return the number of features of all partitions."""
    widths = {own.n_features: own.partition for own in packed if own.n_features}
    if not widths:
        raise ValueError(f"{title}: the DataFrame has no rows that can be used")
    if len(widths) > 1:
        listed = ", ".join(f"{width} in partition {own}" for width, own in widths.items())
        raise ValueError(f"{title}: rows differ in their number of features: {listed}")
    return next(iter(widths))

# SPDX-License-Identifier: MIT
"""Jobs of a fit on the driver: by RDDs in a classic session, by DataFrames on Spark Connect.

Both keep one small row per partition in Spark's cache, which says where the packed rows are. Spark
runs later tasks where that row is cached, so next to the files. If an executor is lost, Spark
computes the row again from its lineage, which packs the partition on another executor.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from pyspark import StorageLevel
from pyspark.sql import DataFrame

from ._arrow import map_in_arrow
from ._pack import PACKED, Pack, Packed
from ._tasks import DropCopies, Rebuilt, Run, RunInArrow, Sweep, Task

__all__ = ["Runner", "runner_for"]

_SWEEPS = 6  # attempts to visit all executors
Results = dict[int, Any]  # by partition; None where the executor did not have the files


class Runner(Protocol):
    """Runs jobs over packed partitions."""

    def pack(self) -> list[Packed]:
        """Pack all partitions."""

    def run(self, task: Task, partitions: list[int]) -> Results:
        """Run a task over some partitions."""

    def rebuild(self, task: Task, missing: dict[int, Packed]) -> Results:
        """Pack partitions again and run a task over them."""

    def cancel(self) -> None:
        """Cancel all jobs of the fit."""

    def close(self) -> None:
        """Remove the scratch files from all executors, and the rows from Spark's cache."""

    def tagged(self) -> contextlib.AbstractContextManager[None]:
        """Mark jobs so that `cancel` finds them."""


def runner_for(rows: DataFrame, pack: Pack) -> Runner:
    """Return the runner for the session of a DataFrame."""
    is_classic = type(rows).__module__.startswith("pyspark.sql.classic")
    return ClassicRunner(rows, pack) if is_classic else ConnectRunner(rows, pack)


class ClassicRunner:
    """Runs jobs by RDDs, which start faster than queries and can run over some partitions only."""

    def __init__(self, rows: DataFrame, pack: Pack) -> None:
        self.rows, self._pack = rows, pack
        self.context: Any = rows.sparkSession.sparkContext
        self.tag = f"lbw-{pack.fit}"
        self._packed: Any = None
        self._folders: set[str] = set()

    @contextlib.contextmanager
    def tagged(self) -> Iterator[None]:
        """Mark jobs so that `cancel` finds them."""
        self.context.addJobTag(self.tag)
        self.context.setInterruptOnCancel(True)
        try:
            yield
        finally:
            self.context.removeJobTag(self.tag)

    def pack(self) -> list[Packed]:
        """Pack all partitions."""
        packed = map_in_arrow(self.rows, self._pack, PACKED).rdd
        self._packed = packed.persist(StorageLevel.MEMORY_AND_DISK)
        found = [pickle.loads(row.about) for row in self._packed.collect()]
        self._folders = _folders_of(found)
        if _is_true(self.context.getConf().get("spark.speculation", "false")):
            drop = DropCopies(self._pack.fit, _kept(found))
            n_tasks = 2 * max(1, self.context.defaultParallelism)
            self.rows.sparkSession.range(0, n_tasks, 1, n_tasks).mapInArrow(drop, PACKED).collect()
        return found

    def run(self, task: Task, partitions: list[int]) -> Results:
        """Run a task over some partitions."""
        run = Run(task)
        n_partitions = self._packed.getNumPartitions()
        if len(partitions) < n_partitions:
            tasks = self._packed.mapPartitionsWithIndex(run)
            return dict(map(pickle.loads, self.context.runJob(tasks, _same, partitions)))
        # A task costs about 50 ms. If there is one executor, which has all files, a task takes
        # several partitions. Two tasks per core balance partitions of different sizes.
        n_tasks = 2 * self.context.defaultParallelism
        is_joined = n_tasks < n_partitions and self._n_executors() == 1
        packed = self._packed.coalesce(n_tasks) if is_joined else self._packed
        return dict(map(pickle.loads, packed.mapPartitionsWithIndex(run).collect()))

    def rebuild(self, task: Task, missing: dict[int, Packed]) -> Results:
        """Pack partitions again and run a task over them."""
        again = map_in_arrow(self.rows, Rebuilt(self._pack, task, missing), PACKED).rdd
        found = self.context.runJob(again, _same, sorted(missing))
        return {row.partition: pickle.loads(row.about) for row in found}

    def cancel(self) -> None:
        """Cancel all jobs of the fit."""
        self.context.cancelJobsWithTag(self.tag)

    def close(self) -> None:
        """Remove the scratch files from all executors, and the rows from Spark's cache."""
        if self._packed is not None:
            self._packed.unpersist()
        session = self.rows.sparkSession
        visited: set[str] = set()
        for attempt in range(_SWEEPS):
            n_tasks = max(1, self.context.defaultParallelism) * (1 if attempt == 0 else 2)
            seconds = 0.0 if self._n_executors() == 1 else 0.05 * (attempt + 1)
            sweep = Sweep(self._pack.fit, sorted(self._folders), seconds)
            tasks = session.range(0, n_tasks, 1, n_tasks).mapInArrow(sweep, PACKED).rdd
            for row in tasks.collect():
                visited.add(",".join(pickle.loads(row.about)))
            if len(visited) >= self._n_executors():
                return

    def _n_executors(self) -> int:
        infos = self.context._jsc.sc().statusTracker().getExecutorInfos()
        # the driver is listed too, and is the only executor of a local session
        return max(1, len(infos) - 1)


class ConnectRunner:
    """Runs jobs by DataFrames, as Spark Connect has no RDDs."""

    def __init__(self, rows: DataFrame, pack: Pack) -> None:
        self.rows, self._pack = rows, pack
        self.session: Any = rows.sparkSession
        self.tag = f"lbw-{pack.fit}"
        self._view = f"lbw_{pack.fit}"
        self._folders: set[str] = set()

    @contextlib.contextmanager
    def tagged(self) -> Iterator[None]:
        """Mark jobs so that `cancel` finds them."""
        self.session.addTag(self.tag)
        try:
            yield
        finally:
            self.session.removeTag(self.tag)

    def pack(self) -> list[Packed]:
        """Pack all partitions."""
        # The server finds cached rows by their plan, and only a view keeps the plan between calls.
        map_in_arrow(self.rows, self._pack, PACKED).createOrReplaceTempView(self._view)
        self.session.table(self._view).persist(StorageLevel.MEMORY_AND_DISK)
        packed = [pickle.loads(row.about) for row in self.session.table(self._view).collect()]
        self._folders = _folders_of(packed)
        if _is_true(self.session.conf.get("spark.speculation", "false")):
            drop = DropCopies(self._pack.fit, _kept(packed))
            self.session.range(0, 8, 1, 8).mapInArrow(drop, PACKED).collect()
        return sorted(packed, key=lambda own: own.partition)

    def run(self, task: Task, partitions: list[int]) -> Results:
        """Run a task over all partitions."""
        return self._collected(self.session.table(self._view).mapInArrow(RunInArrow(task), PACKED))

    def rebuild(self, task: Task, missing: dict[int, Packed]) -> Results:
        """Pack partitions again and run a task over them."""
        again = Rebuilt(self._pack, task, missing)
        return self._collected(map_in_arrow(self.rows, again, PACKED))

    def _collected(self, results: DataFrame) -> Results:
        return {row.partition: pickle.loads(row.about) for row in results.collect()}

    def cancel(self) -> None:
        """Cancel all jobs of the fit."""
        self.session.interruptTag(self.tag)

    def close(self) -> None:
        """Remove the scratch files from all executors, and the rows from Spark's cache."""
        if self.session.catalog.tableExists(self._view):
            self.session.table(self._view).unpersist()
            self.session.catalog.dropTempView(self._view)
        visited: set[str] = set()
        for attempt in range(_SWEEPS):
            n_tasks = 4 * (attempt + 1)
            sweep = Sweep(self._pack.fit, sorted(self._folders), 0.05 * attempt)
            found = self.session.range(0, n_tasks, 1, n_tasks).mapInArrow(sweep, PACKED).collect()
            visited.update(folder for row in found for folder in pickle.loads(row.about))
            if self._folders <= visited:
                return


def _folders_of(packed: list[Packed]) -> set[str]:
    """Return the local folders of the executors that have packed partitions."""
    return {str(Path(own.folder).parents[1]) for own in packed}


def _is_true(setting: str | None) -> bool:
    return str(setting).lower() == "true"


def _kept(packed: list[Packed]) -> frozenset[str]:
    """Return the folders of all packed partitions."""
    return frozenset(own.folder for own in packed)


def _same(rows: Any) -> Any:
    return rows

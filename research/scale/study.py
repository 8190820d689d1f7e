# SPDX-License-Identifier: MIT
"""The sizes of the study, its samples, and the Spark session that its steps share."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from common.machine import load
from common.places import SCRATCH, results_folder

N_FEATURES = 10
N_COMPONENTS = 20
N_PARTITIONS = 8
COLUMNS = [f"x{j}" for j in range(N_FEATURES)]

Samples = NDArray[np.float64]


@dataclass(frozen=True)
class Study:
    """The sizes of the study and the folder of its results."""

    results: Path
    n_rows: int
    n_repetitions: int
    growth: tuple[int, ...]
    rows_per_executor: int
    n_file_rows: int
    n_test: int = 100_000


FULL = Study(
    results=results_folder("scale"),
    n_rows=2_000_000,
    n_repetitions=3,
    growth=(10_000_000, 30_000_000, 100_000_000),
    rows_per_executor=5_000_000,
    n_file_rows=100_000_000,
)
QUICK = Study(
    results=SCRATCH / "scale",
    n_rows=100_000,
    n_repetitions=1,
    growth=(100_000, 200_000, 400_000),
    rows_per_executor=200_000,
    n_file_rows=500_000,
    n_test=10_000,
)


def draw(n_samples: int, seed: list[int]) -> Samples:
    """Return samples of a mixture of overlapping components of equal weight."""
    shape = (N_COMPONENTS, N_FEATURES)
    rng = np.random.default_rng(0)
    centers, spreads = 2.0 * rng.normal(size=shape), rng.uniform(0.5, 1.5, size=shape)
    rng = np.random.default_rng(seed)
    which = rng.integers(N_COMPONENTS, size=n_samples)
    return centers[which] + spreads[which] * rng.normal(size=(n_samples, N_FEATURES))


def record_batch(samples: Samples) -> pa.RecordBatch:
    """Return samples as columns."""
    columns = [np.ascontiguousarray(column) for column in samples.T]
    return pa.RecordBatch.from_arrays([pa.array(column) for column in columns], names=COLUMNS)


def _drawn(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        first = batch.column("id")[0].as_py() if len(batch) else 0
        yield record_batch(draw(len(batch), [1, first]))


def generated(session: Any, n_rows: int, n_partitions: int = N_PARTITIONS) -> Any:
    """Return a DataFrame whose rows are drawn on the executors."""
    schema = ", ".join(f"{name} double" for name in COLUMNS)
    return session.range(0, n_rows, 1, n_partitions).mapInArrow(_drawn, schema)


def spark_session(master: str = "local[2]") -> Any:
    """Return a session with the settings of all steps."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "6g",
        "spark.local.dir": str(scratch()),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master(master).appName("lbw scale")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def scratch() -> Path:
    """Return the folder of scratch files."""
    folder = SCRATCH / "scale" / "scratch"
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.tempdir = str(folder)
    return folder


def conditions() -> dict[str, Any]:
    """Return the columns of every row that describe the conditions of a measurement."""
    return {"load": load()}

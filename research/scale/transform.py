# SPDX-License-Identifier: MIT
"""Transport on Spark, written to Parquet, against scikit-learn and NumPy in `mapInArrow`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset
from sklearn.mixture import GaussianMixture

from common.clock import timed
from common.rows import Rows

from .study import (
    COLUMNS,
    N_COMPONENTS,
    Study,
    conditions,
    draw,
    generated,
    record_batch,
    scratch,
    spark_session,
)

KEYS = ["fit", "repetition"]
MEASURED = ["rows", "seconds", "mean", "load"]


def numpy_maps(model: Any) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the map of a fitted `lbw.LocalTransport` from a to b with scikit-learn and NumPy."""
    from lbw import bures_wasserstein_mapping

    source, target = model.mixtures_
    labeller = GaussianMixture(N_COMPONENTS)
    labeller.weights_, labeller.means_ = source.weights_, source.means_
    labeller.covariances_ = source.covariances_
    labeller.precisions_cholesky_ = source.precisions_cholesky_
    pairs = model.coupling_[np.argsort(model.coupling_[:, 0])]
    maps = [
        bures_wasserstein_mapping(
            source.means_[i], target.means_[j], source.covariances_[i], target.covariances_[j]
        )
        for i, j in pairs
    ]

    def carried(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            samples = np.stack([column.to_numpy() for column in batch.columns], axis=1)
            labels = labeller.predict(samples)
            out = np.empty_like(samples)
            for number, (matrix, shift) in enumerate(maps):
                rows = labels == number
                out[rows] = samples[rows] @ matrix + shift
            yield record_batch(out)

    return carried


def transform(study: Study) -> None:
    """Transport the same rows with both, in turns."""
    import lbw
    from lbw.spark import LocalTransportModel

    table = Rows(study.results / "transform.csv", KEYS, MEASURED)
    samples = np.concatenate([draw(50_000, [3]), draw(50_000, [4]) * 1.5 + 2.0])
    groups = np.repeat(["a", "b"], 50_000)
    options = {"coupling": "matching", "map": "hard", "random_state": 0}
    model = lbw.LocalTransport(N_COMPONENTS, **options).fit(samples, groups)
    path = scratch() / "model.safetensors"
    model.save(path)
    session = spark_session()
    from pyspark.sql import functions

    rows = generated(session, study.n_rows).withColumn("group", functions.lit("a")).persist()
    rows.count()
    outputs = [f"y{name}" for name in COLUMNS]
    ours = LocalTransportModel.importModel(str(path)).setInputCols(COLUMNS).setOutputCols(outputs)
    ours = ours.setGroupCol("group").setTo("b")
    schema = ", ".join(f"{name} double" for name in COLUMNS)
    contestants = {
        "lbw": lambda: ours.transform(rows).select(*outputs),
        "scikit-learn and NumPy": lambda: rows.select(*COLUMNS).mapInArrow(
            numpy_maps(model), schema
        ),
        "no computation": lambda: rows.select(*COLUMNS).mapInArrow(_unchanged, schema),
    }
    for repetition in range(-1, study.n_repetitions):  # the first round is a warm-up
        for name, query in contestants.items():
            if table.done(fit=name, repetition=max(repetition, 0)):
                continue
            out = scratch() / "out.parquet"
            seconds, _ = timed(lambda: query().write.mode("overwrite").parquet(str(out)))  # noqa: B023
            row = {"fit": name, "repetition": repetition, "rows": study.n_rows}
            if repetition >= 0:
                table.add({**row, "seconds": seconds, "mean": _mean(out), **conditions()})
            shutil.rmtree(out, ignore_errors=True)
    rows.unpersist()


def _unchanged(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield batches as they are, to measure what Spark itself takes."""
    yield from batches


def _mean(folder: Path) -> float:
    """Return the mean of all values of the files, by which results are compared."""
    means = [
        np.mean([column.to_numpy().mean() for column in batch.columns])
        for batch in pyarrow.dataset.dataset(folder).to_batches()
        if len(batch) > 0
    ]
    return float(np.mean(means))

# SPDX-License-Identifier: MIT
"""Data that many tests of lbw.spark use."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def scratch_files(spark) -> list[str]:
    """Return what fits have left behind on the local disks of the executors."""
    return [str(path) for path in Path(spark.lbw_local).rglob("lbw-*")]


def samples(n_rows: int = 1200, seed: int = 1, labels: tuple = ("a", "b")):
    """Return rows of two clusters per group, their groups and weights."""
    rng = np.random.default_rng(seed)
    places = rng.integers(len(labels), size=n_rows)
    X = rng.normal(size=(n_rows, 3)) @ np.array([[1.0, 0.3, 0.0], [0.0, 1.0, 0.2], [0.0, 0.0, 0.7]])
    X += 2.5 * places[:, np.newaxis] + 6.0 * rng.integers(2, size=(n_rows, 1))
    return X, np.array(labels)[places], rng.integers(1, 4, size=n_rows).astype(float)


def frame(spark, X, groups, weights=None, *, n_partitions: int = 3):
    """Return a DataFrame of rows, in contiguous partitions that are the same in every call."""
    columns = {"group": groups, **dict(zip("xyz", X.T, strict=False))}
    if weights is not None:
        columns["w"] = weights
    kinds = {"U": "string", "i": "long", "f": "double"}
    schema = ", ".join(f"{name} {kinds[own.dtype.kind]}" for name, own in columns.items())

    def looked_up(batches):
        import pyarrow as pa

        for batch in batches:
            ids = batch.column("id").to_numpy()
            own = {name: pa.array(values[ids]) for name, values in columns.items()}
            yield pa.RecordBatch.from_pydict({"id": batch.column("id"), **own})

    ids = spark.range(0, len(X), 1, n_partitions)
    return ids.mapInArrow(looked_up, f"id long, {schema}")


def many_rows(spark, n_rows: int = 140_000, n_partitions: int = 4):
    """Return two groups that are too large for the driver, which fetches up to 65536 of each."""
    rows = spark.range(0, n_rows, 1, n_partitions)
    return rows.selectExpr(
        "id",
        "if(id % 2 = 0, 'a', 'b') as group",
        "randn(1) + 4 * (id % 3) as x",
        "0.5 * randn(2) + id % 2 as y",
    )


def assembled(df, name: str = "features"):
    """Return a DataFrame with the columns x, y, z as a vector too."""
    from pyspark.ml.feature import VectorAssembler

    return VectorAssembler(inputCols=["x", "y", "z"], outputCol=name).transform(df)

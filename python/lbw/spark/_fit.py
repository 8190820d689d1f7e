# SPDX-License-Identifier: MIT
"""The fit of a Python estimator to the rows of a DataFrame."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from pyspark.sql import DataFrame

from .._batches.rounds import Rounds
from .._input.unknown_groups import refuse_many_groups
from ._data import PackedData, packed_data
from ._params import error_in_spark_words, python_values
from ._schema import reader_for

__all__ = ["fit_groups", "fit_rows"]


def fit_groups(params: Any, kind: type, declared: type, dataset: DataFrame) -> Any:
    """Fit a LocalTransport or a GroupRepair to the groups of a DataFrame.

    Parameters
    ----------
    params : SparkParams
        The estimator of Spark.
    kind : type
        The estimator of the Python package.
    declared : type
        The parameters of `kind`.
    dataset : DataFrame
        The rows.

    Returns
    -------
    estimator : object
        The fitted estimator of the Python package.
    """
    with _packed(params, kind, declared, dataset) as (estimator, data):
        labels = np.array(sorted(data.groups))
        refuse_many_groups(labels, data.n_rows, "groupCol")
        sources = {label: data.source(label) for label in labels.tolist()}
        estimator._fit_sources(labels, Rounds(sources, data.answer))
    return estimator


def fit_rows(params: Any, kind: type, declared: type, dataset: DataFrame) -> tuple[Any, float]:
    """Fit a GaussianMixture to all rows of a DataFrame; return it and the weight of the rows."""
    with _packed(params, kind, declared, dataset) as (estimator, data):
        source = data.source(None)
        estimator._fit_sources(Rounds({None: source}, data.answer))
        weight = float(source.summary()["weight"])
    return estimator, weight


@contextmanager
def _packed(
    params: Any, kind: type, declared: type, dataset: DataFrame
) -> Iterator[tuple[Any, PackedData]]:
    """Give a new estimator of the Python package and the packed rows of a DataFrame."""
    values = python_values(params, declared)
    verbose = values["verbose"]
    estimator = kind(**values | {"verbose": 2 if verbose > 1 else 0})  # a bar per pass is enough
    if not hasattr(dataset, "sparkSession"):
        raise TypeError(
            f"fit needs a DataFrame of Spark, got {type(dataset).__module__}."
            f"{type(dataset).__name__}. Use spark.createDataFrame(...), or the estimators of lbw."
        )
    reader = reader_for(params, dataset.schema, for_fit=True, n_features=None)
    if reader.kind == "columns":
        estimator.feature_names_in_ = np.array(reader.features, dtype=object)
    with packed_data(dataset, reader, params, type(params).__name__) as data:
        try:
            yield estimator, data
        except ValueError as error:
            raise error_in_spark_words(error) from error
    estimator.verbose = verbose

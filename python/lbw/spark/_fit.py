# SPDX-License-Identifier: MIT
"""The fit of a Python estimator to the rows of a DataFrame."""

from __future__ import annotations

from typing import Any

import numpy as np
from pyspark.sql import DataFrame

from .._batches.rounds import Rounds
from .._input.unknown_groups import refuse_many_groups
from ._data import packed_data
from ._schema import reader_for

__all__ = ["fit_groups", "fit_rows"]


def fit_groups(params: Any, estimator: Any, dataset: DataFrame) -> Any:
    """Fit a LocalTransport or a GroupRepair to the groups of a DataFrame; return it."""
    reader = reader_for(params, dataset.schema, for_fit=True, n_features=None)
    if reader.kind == "columns":
        estimator.feature_names_in_ = np.array(reader.features, dtype=object)
    with packed_data(dataset, reader, params, type(params).__name__) as data:
        labels = np.array(sorted(data.groups))
        refuse_many_groups(labels, data.n_rows, "groupCol")
        sources = {label: data.source(label) for label in labels.tolist()}
        estimator._fit_sources(labels, Rounds(sources, data.answer))
    return estimator


def fit_rows(params: Any, estimator: Any, dataset: DataFrame) -> float:
    """Fit a GaussianMixture to all rows of a DataFrame; return the weight of the rows."""
    reader = reader_for(params, dataset.schema, for_fit=True, n_features=None)
    if reader.kind == "columns":
        estimator.feature_names_in_ = np.array(reader.features, dtype=object)
    with packed_data(dataset, reader, params, type(params).__name__) as data:
        source = data.source(None)
        estimator._fit_sources(Rounds({None: source}, data.answer))
        return float(source.summary()["weight"])

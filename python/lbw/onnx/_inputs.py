# SPDX-License-Identifier: MIT
"""The inputs of a repair: features, and the group of every row beside them or among them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from .._input.column_position import name_at
from .._input.group_columns import joined_labels
from ._graph import Graph
from ._groups import group_numbers, numbers_of_columns

__all__ = ["columns_numbers", "dropped_names", "features_of", "has_group_columns", "matrix_numbers"]


def has_group_columns(estimator: Any) -> bool:
    """Return whether X holds the groups as numbers, so that a matrix can hold all columns."""
    columns = estimator._group_columns
    return (
        estimator.sensitive_columns is not None
        and columns is not None
        and all(values.dtype.kind in "iufb" for values in columns.values)
    )


def dropped_names(estimator: Any) -> tuple[list[Any], list[Any]]:
    """Return the names of the sensitive columns and of the key column, or their positions."""
    sensitive = [name_at(estimator, place) for place in estimator._sensitive_positions]
    return sensitive, [name_at(estimator, place) for place in estimator._key_positions]


def n_dropped(estimator: Any) -> int:
    """Return the number of columns of X that are no features."""
    return len(estimator._sensitive_positions) + len(estimator._key_positions)


def features_of(graph: Graph, x: str, estimator: Any) -> str:
    """Add the columns of X that are features; X has all columns of the fit."""
    taken = [*estimator._sensitive_positions, *estimator._key_positions]
    if not taken:
        return x
    kept = np.setdiff1d(np.arange(estimator.n_features_in_), taken)
    return graph.op("Gather", x, graph.constant(kept.astype(np.int64)), axis=1)


def matrix_numbers(graph: Graph, x: str, estimator: Any) -> str:
    """Add the number of every row's group by the sensitive columns of a matrix of numbers."""
    columns = [
        graph.op("Gather", x, graph.constant(np.int64(place)), axis=1)
        for place in estimator._sensitive_positions
    ]
    return columns_numbers(graph, [(column, graph.dtype) for column in columns], estimator)


def columns_numbers(graph: Graph, columns: list[tuple[str, Any]], estimator: Any) -> str:
    """Add the number of every row's group by the tensors and types of its sensitive columns."""
    known = estimator._group_columns
    if len(columns) == 1:
        return group_numbers(graph, columns[0][0], estimator.groups_, columns[0][1])
    codes = [
        group_numbers(graph, column, values, dtype)
        for (column, dtype), values in zip(columns, known.values, strict=True)
    ]
    places = {}
    labels = estimator.groups_.tolist()
    for combination in product(*(range(len(values)) for values in known.values)):
        pairs = zip(known.values, combination, strict=True)
        own = [values[code : code + 1] for values, code in pairs]
        label = joined_labels(own, known.names)[0].item()
        if label in labels:
            places[combination] = labels.index(label)
    return numbers_of_columns(graph, codes, [len(values) for values in known.values], places)

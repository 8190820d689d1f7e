# SPDX-License-Identifier: MIT
"""Batches whose features are replaced by transported ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from .._input.arrays import FloatArray
from .batches import Batches
from .columns import Column, is_arrow

__all__ = ["transformed_batches"]

Move = Callable[[FloatArray, Any, Any, str], FloatArray]


def transformed_batches(estimator: Any, batches: Batches, move: Move) -> Iterator[Any]:
    """Yield every batch with its features moved by `move(X, labels, keys, where)`."""
    names = _names_of(estimator)
    if batches.features is None and names is not None:
        batches = replace(batches, features=names)
    group = ", ".join(map(repr, batches.group_columns))
    for first, batch in batches.raw():
        features = batches.features_in(batch, first)
        _check_features(features, names, estimator, first)
        X = batches.matrix(batch, first)
        labels = batches.labels(batch, first)
        where = f"column {group} of the batch that begins at row {first}"
        moved = move(X, labels, batches.keys(batch), where)
        yield _with_columns(batch, features, moved)


def _names_of(estimator: Any) -> list[str] | None:
    """Return the names of the transported features, if the fit had names."""
    transport = getattr(estimator, "transport_", estimator)
    names = getattr(transport, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]


def _check_features(
    features: list[Column], names: list[str] | None, estimator: Any, first_row: int
) -> None:
    transport = getattr(estimator, "transport_", estimator)
    if len(features) != transport.n_features_in_:
        raise ValueError(
            f"the batch at row {first_row} has {len(features)} features, {features}, the fit had "
            f"{transport.n_features_in_}"
        )
    named = all(isinstance(name, str) for name in features)
    if names is not None and named and features != names:
        raise ValueError(
            f"the batch at row {first_row} has the features {features}, the fit had {names}. Give "
            "the same features in the same order."
        )


def _type_for(batch: Any, columns: list[Column]) -> np.dtype[Any]:
    """Return the type of an array that holds float64 and keeps the other columns exactly."""
    if batch.dtype.kind not in "biuf":
        return np.dtype(object)
    kind = np.result_type(batch.dtype, np.float64)
    others = np.delete(batch, [int(column) for column in columns], axis=1)
    is_exact = batch.dtype.kind in "bf" or bool((np.abs(others.astype(float)) <= 2.0**53).all())
    return kind if is_exact else np.dtype(object)


def _with_columns(batch: Any, columns: list[Column], values: FloatArray) -> Any:
    """Return a batch with some columns replaced; the others are not copied."""
    if not is_arrow(batch):
        result = np.array(batch, dtype=_type_for(np.asarray(batch), columns))
        result[:, [int(column) for column in columns]] = values
        return result
    import pyarrow as pa

    arrays, fields = list(batch.columns), list(batch.schema)
    for place, column in enumerate(columns):
        at = batch.schema.get_field_index(column)
        arrays[at] = pa.array(np.ascontiguousarray(values[:, place]))
        fields[at] = pa.field(column, pa.float64())
    schema = pa.schema(fields, metadata=batch.schema.metadata)
    return type(batch).from_arrays(arrays, schema=schema)

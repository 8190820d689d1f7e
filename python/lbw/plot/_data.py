# SPDX-License-Identifier: MIT
"""From estimators and tables to the two columns that a picture shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._input.arrays import refuse_masked
from .._input.labels import label_array, labels_of_rows
from .._input.tables import column_names, is_table, to_array

Features = tuple[int | str, int | str]


def feature_names_of(display: str, X: Any, estimator: Any, n_features: int) -> list[str]:
    """Names of the columns, from the table, else from the fit, else their numbers.

    A table must have the columns of the fit in their order, as in the methods of the estimator.
    """
    fitted = getattr(estimator, "feature_names_in_", None)
    if not is_table(X):
        return [f"x{index}" for index in range(n_features)] if fitted is None else list(fitted)
    names = column_names(X)
    if fitted is not None and len(names) == n_features and names != list(fitted):
        raise ValueError(
            f"{display}: X has the columns {names}, expected those of the fit in their order, "
            f"{list(fitted)}"
        )
    return names


def feature_indices(display: str, features: Sequence[int | str], names: list[str]) -> list[int]:
    """Columns of the two features asked for by number or name."""
    if len(features) != 2:
        raise ValueError(f"{display}: features is {features!r}, expected two")
    return [_feature_index(display, feature, names) for feature in features]


def _feature_index(display: str, feature: int | str, names: list[str]) -> int:
    if isinstance(feature, str):
        if feature not in names:
            raise ValueError(f"{display}: there is no feature {feature!r} among {names}")
        return names.index(feature)
    if not -len(names) <= feature < len(names):
        raise ValueError(f"{display}: there is no feature {feature}, there are {len(names)}")
    return feature % len(names)


def samples(display: str, X: Any, n_features: int) -> NDArray[Any]:
    """Return X as an array, refusing what does not have the features of the fit."""
    refuse_masked(X, f"{display}: X")
    array = np.asarray(to_array(X))
    if array.ndim != 2 or array.shape[1] != n_features:
        raise ValueError(
            f"{display}: X has shape {array.shape}, expected (n_samples, {n_features})"
        )
    return array


def points_of_groups(
    display: str, points: NDArray[Any], groups: ArrayLike, names: Sequence[Any]
) -> list[NDArray[np.float64]]:
    """Split points by the label of their row, or the one label of all, in the order of names."""
    refuse_masked(groups, f"{display}: groups")
    given = label_array(groups)
    if given.ndim == 0:
        given = np.full(len(points), given)
    labels = labels_of_rows(given, len(points), f"{display}: groups")
    strangers = sorted(set(labels.tolist()) - set(np.asarray(names).tolist()))
    if strangers:
        raise ValueError(
            f"{display}: groups holds {strangers}, fitted were {np.asarray(names).tolist()}"
        )
    return [np.asarray(points[labels == name], dtype=np.float64) for name in names]

# SPDX-License-Identifier: MIT
"""Features whose variance is smaller than the covariance floor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .._input.arrays import FloatArray, SampleArray

__all__ = [
    "feature_variances",
    "floor_text",
    "mixture_variances_below_floor",
    "variances_below_floor",
    "warned_by_core",
]

_MUCH_OF_VARIANCE = 0.01  # as in the core
_ROUNDING = 1e-28  # of the squared values: the variance of a constant
_MOST_NAMED = 5


def variances_below_floor(
    mixture: _core.Mixture, floor: float, X: SampleArray, weights: FloatArray | None = None
) -> dict[int, float]:
    """Return the variances that a floor dominates, by feature, in ascending order.

    Constant features have no variance, and floors above the default are deliberate. The samples
    are read only of features whose variance in the mixture is little more than the floor.
    """
    if floor > _core.MixtureOptions().covariance_floor:
        return {}
    much = (2.0 / _MUCH_OF_VARIANCE) * floor
    if _variances_of_components(mixture).min() > much:
        return {}  # those of the mixture are no smaller
    near = np.flatnonzero(_variances_of(mixture) <= much)
    values = X[:, near] if weights is None else X[np.ix_(weights > 0.0, near)]
    variances = feature_variances(values, None if weights is None else weights[weights > 0.0])
    rounding = _ROUNDING * np.square(np.abs(values).max(axis=0, initial=0.0), dtype=np.float64)
    found = (variances > rounding) & (_MUCH_OF_VARIANCE * variances < floor)
    order = np.flatnonzero(found)[np.argsort(variances[found], kind="stable")]
    return {int(near[place]): float(variances[place]) for place in order}


def mixture_variances_below_floor(mixture: _core.Mixture, floor: float) -> dict[int, float]:
    """Return the same without the samples, for variances that the floor does not round away."""
    if floor > _core.MixtureOptions().covariance_floor:
        return {}
    variances = _variances_of(mixture) - floor
    rounding = _ROUNDING * np.square(mixture.means).max(axis=0)
    found = (variances > np.maximum(rounding, 1e-12 * floor)) & (
        _MUCH_OF_VARIANCE * variances < floor
    )
    return {int(place): float(variances[place]) for place in np.flatnonzero(found)}


def warned_by_core(variance: float, floor: float) -> bool:
    """Return whether the core finds a variance in the mixture, where the floor rounds it."""
    return variance > 1e-12 * floor


def floor_text(
    name: str, floor: float, variances: dict[int, float], names: Sequence[Any] | None, n_all: int
) -> str:
    """Return how large a floor is beside the variances of features."""
    listed = [
        f"{repr(str(names[place])) if names is not None else f'{place + 1} of {n_all}'} ({own:.3g})"
        for place, own in list(variances.items())[:_MOST_NAMED]
    ]
    others = len(variances) - len(listed)
    return (
        f"{name} ({floor:g}) is {floor / min(variances.values()):.3g} times the variance of "
        f"feature{'s' if len(variances) > 1 else ''} {', '.join(listed)}"
        f"{f' and {others} more' if others else ''}"
    )


def feature_variances(X: SampleArray, weights: FloatArray | None) -> FloatArray:
    """Return the weighted variance of every feature."""
    if weights is None:
        return np.asarray(X.var(axis=0, dtype=np.float64))
    shares = weights / weights.max()
    mean = np.average(X, axis=0, weights=shares)
    return np.asarray(np.average(np.square(X - mean), axis=0, weights=shares))


def _variances_of(mixture: _core.Mixture) -> FloatArray:
    """Return the variance of every feature of a mixture."""
    weights, means = np.asarray(mixture.weights), np.asarray(mixture.means)
    spread = _variances_of_components(mixture) + np.square(means - weights @ means)
    return np.asarray(weights @ spread)


def _variances_of_components(mixture: _core.Mixture) -> FloatArray:
    """Return the variances of every component, as far as components and features differ."""
    own = np.asarray(mixture.covariances)
    if mixture.covariance_type in ("full", "tied"):
        return own.diagonal(axis1=-2, axis2=-1)
    return own[:, np.newaxis] if mixture.covariance_type == "spherical" else own

# SPDX-License-Identifier: MIT
"""Warnings of a fit that sends new samples too far: small components, constant features."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import FloatArray, SampleArray
from .._input.fit_rows import FitRows
from .._input.labels import Rows, rows_from
from .._input.user_level import user_level
from .._mixture.covariance_floor import (
    feature_variances,
    floor_text,
    variances_below_floor,
    warned_by_core,
)
from .._options.names import covariance_layout

__all__ = ["warn_of_quality"]

_FEW_SAMPLES = 10.0  # behind a component, as in the report
_MUCH_MASS = 0.1  # of a group, in components with few samples
_MUCH_FLOOR = 0.01  # of a feature's variance, which limits how far samples are sent
_FIRST_ROWS = 256  # show that most features vary
_MUCH_STRETCHED = 100.0  # ratio of the deviations of a feature in two groups


def warn_of_quality(estimator: Any, rows: FitRows) -> None:
    """Warn the caller of `fit` if the transport sends new samples too far."""
    for text in _of_tiny_features(estimator, rows):
        warnings.warn(text, UserWarning, stacklevel=user_level())
    if estimator.shrinkage != 0.0 or estimator.relative_covariance_floor >= _MUCH_FLOOR:
        return  # chosen as regularization
    for text in (
        *_of_small_components(estimator, rows.X.shape[1]),
        *_of_constant_features(estimator, rows),
    ):
        warnings.warn(text, UserWarning, stacklevel=user_level())


def _of_tiny_features(estimator: Any, rows: FitRows) -> Iterator[str]:
    """Warn of variances that the floor dominates so much that the mixtures do not show them."""
    floor = float(estimator.covariance_floor)
    kept, below = estimator.kept_groups_.tolist(), {}
    for group, mixture in zip(estimator.groups_.tolist(), estimator._model.mixtures, strict=True):
        if group in kept:
            continue  # its weights may all be 0
        own = rows.labelled.of(group)
        samples = rows_from(rows.X, own)
        below[group] = variances_below_floor(mixture, floor, samples, rows.weights_of(own))
    known = {f for own in below.values() for f, v in own.items() if warned_by_core(v, floor)}
    unknown = {
        group: {f: v for f, v in own.items() if f not in known} for group, own in below.items()
    }
    found = {group: variances for group, variances in unknown.items() if variances}
    if not found:
        return
    worst = min(found, key=lambda group: min(found[group].values()))
    names = getattr(estimator, "feature_names_in_", None)
    others = len(found) - 1
    yield (
        f"{floor_text('covariance_floor', floor, found[worst], names, rows.X.shape[1])} in group "
        f"{worst!r}{f' (and in {others} more)' if others else ''}, so the covariances reflect the "
        "floor instead of the samples. Rescale the features, for example to unit variance, or set "
        "covariance_floor to 0 and relative_covariance_floor, which does not depend on units, to a "
        "number such as 0.001."
    )


def _of_small_components(estimator: Any, n_features: int) -> Iterator[str]:
    """Warn if many samples belong to components that few samples were fitted to."""
    layout = covariance_layout(estimator.covariance_type)
    if layout.is_shared or layout.entries == "variance":
        return  # a variance is estimated from many values
    is_full = layout.entries == "matrix"
    enough = max(_FEW_SAMPLES, n_features + 1.0) if is_full else _FEW_SAMPLES
    n_small = n_all = 0
    is_poor = False
    for mixture, report in zip(estimator._model.mixtures, estimator._model.reports, strict=True):
        small = np.asarray(mixture.weights) * report.count < enough
        n_all += len(small)
        if report.count > 1 and small.any():
            n_small += int(small.sum())
            is_poor |= float(np.asarray(mixture.weights)[small].sum()) > _MUCH_MASS
    if is_poor:
        several = n_all > len(estimator._model.mixtures)
        remedies = ["Reduce n_components"] * several + ["set shrinkage='auto'"] * is_full
        remedies += ["set relative_covariance_floor to a number such as 0.1"]
        remedy = ", or ".join(remedies)
        yield (
            f"{n_small} of {n_all} components have fewer than {enough:.0f} samples, so their "
            "covariances are mostly noise, and new samples may be sent far away. "
            f"{remedy[0].upper()}{remedy[1:]}."
        )


def _of_constant_features(estimator: Any, rows: FitRows) -> Iterator[str]:
    """Warn of features that are constant in one group and vary in another."""
    X = rows.X
    names = [g for g in estimator.groups_.tolist() if g not in estimator.kept_groups_.tolist()]
    places = [rows.labelled.of(group) for group in names]
    found = [_constant_features(X, own) for own in places]
    if not any(own.any() for own in found):
        return
    constant = np.stack(found)
    if constant[:, ~constant.all(axis=0)].sum() == 0:
        return
    variances = np.stack(
        [feature_variances(rows_from(X, own), rows.weights_of(own)) for own in places]
    )
    noise: FloatArray = np.asarray(estimator.dither_) ** 2 / 12.0
    floor = estimator.covariance_floor + estimator.relative_covariance_floor * variances.mean(0)
    stretch = np.sqrt(variances.max(axis=0) / (floor + noise).clip(1e-300))
    far = constant & (stretch > _MUCH_STRETCHED)
    if not far.any():
        return
    place, feature = (int(numbers[0]) for numbers in np.nonzero(far))
    known = getattr(estimator, "feature_names_in_", None)
    name = repr(str(known[feature])) if known is not None else f"{feature + 1} of {X.shape[1]}"
    others = int(far.sum()) - 1
    yield (
        f"Feature {name} is constant in group {names[place]!r} and varies in another"
        f"{f' ({others} more such features of groups)' if others else ''}. A new sample of "
        f"{names[place]!r} with another value is sent about {stretch[feature]:.0f} times as far. "
        "Drop the feature, or set relative_covariance_floor to a number such as 0.1."
    )


def _constant_features(X: SampleArray, rows: Rows) -> NDArray[np.bool_]:
    """Return which features have the same value in all of these rows."""
    # few features stay constant in the first rows, so that a fit does not read all samples again
    first = rows_from(X, rows)[:_FIRST_ROWS] if isinstance(rows, slice) else X[rows[:_FIRST_ROWS]]
    constant = np.asarray((first == first[0]).all(axis=0))
    for feature in constant.nonzero()[0]:
        values = rows_from(X[:, feature], rows)
        constant[feature] = (values == values[0]).all()
    return constant

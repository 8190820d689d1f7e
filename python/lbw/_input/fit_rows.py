# SPDX-License-Identifier: MIT
"""The rows of a fit with their weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite

from .arrays import FloatArray, SampleArray
from .keys import KeyArray
from .labels import LabelArray, LabelledRows
from .validation import validated_weights

__all__ = ["FitRows", "effective_size", "rows_of_fit", "samples_counted"]


@dataclass(frozen=True, eq=False)
class FitRows:
    """Features, groups, weights and keys of the rows of a fit."""

    X: SampleArray
    labels: LabelArray
    weights: FloatArray | None = None
    keys: KeyArray | None = None

    @cached_property
    def labelled(self) -> LabelledRows:
        """The rows by their labels, which are read once."""
        return LabelledRows(self.labels)

    def at(self, rows: Any) -> FitRows:
        """Return some of the rows."""
        keys = None if self.keys is None else self.keys[rows]
        return FitRows(self.X[rows], self.labels[rows], self.weights_of(rows), keys)

    def weights_of(self, rows: Any) -> FloatArray | None:
        """Return the weights of some of the rows; None without weights."""
        return None if self.weights is None else self.weights[rows]


def rows_of_fit(
    X: SampleArray, labels: LabelArray, sample_weight: Any, keys: KeyArray | None
) -> FitRows:
    """Check the weights and leave out rows of weight 0, except those of groups without any weight.

    A fit reports groups without any weight by their labels.
    """
    weights = validated_weights(sample_weight, X)
    rows = FitRows(X, labels, weights, keys)
    if weights is None or weights.all():
        return rows
    counted: NDArray[np.bool_] = weights > 0.0
    counted |= ~np.isin(labels, np.unique(labels[counted]))
    assert_all_finite(X[~counted], input_name="X")
    return rows.at(counted)


def effective_size(weights: FloatArray) -> float:
    """Return Kish's effective sample size."""
    scaled = weights / weights.max()
    return float(scaled.sum() ** 2 / np.square(scaled).sum())


def samples_counted(weights: FloatArray) -> float:
    """Return how many samples weights stand for: a weight of 2 counts as two copies.

    Weights whose sum is less than their effective sample size are relative.
    """
    if not weights.any():
        return 0.0
    largest = float(weights.max())
    return max(float((weights / largest).sum()) * largest, effective_size(weights))

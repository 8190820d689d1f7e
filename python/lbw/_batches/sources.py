# SPDX-License-Identifier: MIT
"""Sources of rows for a fit: arrays, and blocks of a packed file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._input.arrays import FloatArray, SampleArray
from .._input.fit_rows import FitRows, rows_of_fit
from .._input.labels import LabelArray

__all__ = ["ArraySource", "RowSource", "some_rows", "summary_of"]


class RowSource(Protocol):
    """Rows in a fixed order that a fit reads in three ways.

    It may also have the methods `begin` and `end`, see `Rounds`.
    """

    def summary(self) -> dict[str, Any]:
        """Return n_samples, n_features, n_positive, has_weights, weight and squared_weight."""
        ...

    def rows(self, indices: NDArray[np.int64]) -> tuple[FloatArray, FloatArray | None]:
        """Return the rows at ascending indices, and their weights."""
        ...

    def moment_sums(self, mixture: bytes, precision: str, part: str, seed: int) -> bytes:
        """Return the sums of all rows of a part under a mixture; see `_core.moment_sums`."""
        ...


def summary_of(
    n_samples: int, n_features: int, weights: tuple[int, float, float] | None = None
) -> dict[str, Any]:
    """Return the summary of rows.

    `weights` are the number of those above 0, their sum and the sum of their squares.
    """
    n_positive, weight, squared = weights or (n_samples, float(n_samples), float(n_samples))
    return {
        "n_samples": n_samples,
        "n_features": n_features,
        "n_positive": n_positive,
        "has_weights": weights is not None,
        "weight": weight,
        "squared_weight": squared,
    }


def some_rows(sources: Sequence[RowSource], labels: LabelArray, most: int, least: int) -> FitRows:
    """Return about `most` rows of all groups with their labels and weights.

    The rows of a group are evenly spaced, in proportion to its size, and `least` or more.
    """
    sizes = [source.summary()["n_samples"] for source in sources]
    parts, weights = [], []
    for source, n_rows in zip(sources, sizes, strict=True):
        wanted = min(n_rows, max(least, round(most * n_rows / sum(sizes))))
        indices = np.arange(wanted, dtype=np.int64) * n_rows // wanted
        rows, own = source.rows(indices)
        parts.append(rows)
        weights.append(np.ones(len(rows)) if own is None else own)
    weighted = any(source.summary()["has_weights"] for source in sources)
    return rows_of_fit(
        np.concatenate(parts),
        np.repeat(labels, [len(part) for part in parts]),
        np.concatenate(weights) if weighted else None,
        None,
    )


class ArraySource:
    """Rows of an array in memory."""

    def __init__(
        self, X: SampleArray, sample_weight: FloatArray | None = None, n_threads: int = 0
    ) -> None:
        self._X = X
        self._weights = sample_weight
        self._n_threads = n_threads

    def summary(self) -> dict[str, Any]:
        """Return the counts and sums of weights."""
        weights = self._weights
        n_samples, n_features = self._X.shape
        if weights is None:
            return summary_of(n_samples, n_features)
        sums = int((weights > 0.0).sum()), float(weights.sum()), float(np.square(weights).sum())
        return summary_of(n_samples, n_features, sums)

    def rows(self, indices: NDArray[np.int64]) -> tuple[FloatArray, FloatArray | None]:
        """Return some rows and their weights."""
        rows = np.ascontiguousarray(self._X[indices], dtype=np.float64)
        return rows, None if self._weights is None else self._weights[indices]

    def moment_sums(self, mixture: bytes, precision: str, part: str, seed: int) -> bytes:
        """Return the sums of all rows of a part."""
        return _core.moment_sums(
            mixture,
            self._X,
            self._weights,
            precision=precision,
            n_threads=self._n_threads,
            part=part,
            seed=seed,
            first_row=0,
        )

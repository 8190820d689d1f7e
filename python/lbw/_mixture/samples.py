# SPDX-License-Identifier: MIT
"""The samples of a mixture fit: an array, or the rows of a source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from .. import _core
from .._batches.rounds import Rounds
from .._input.arrays import FloatArray, SampleArray
from .selection import copies_warning, copies_warning_of_sources, refuse_weights

__all__ = ["ArraySamples", "Samples", "SourceSamples"]

Callback = Callable[..., None] | None


class Samples(Protocol):
    """Samples that mixtures are fitted to."""

    n_samples: int
    n_features: int
    dtype: Any

    def fit(self, options: _core.MixtureOptions, on_iteration: Callback = None) -> _core.MixtureFit:
        """Fit a mixture."""
        ...

    def select(
        self, numbers: list[int], criterion: str, options: _core.MixtureOptions, on_point: Callback
    ) -> _core.SelectionResult:
        """Fit mixtures of several numbers of components and select one."""
        ...

    def copies_warning(self, criterion: str) -> str | None:
        """Return a warning if held-out samples are copies of samples of the fit."""
        ...


class ArraySamples:
    """Samples in memory."""

    def __init__(self, X: SampleArray, weights: FloatArray | None) -> None:
        self._X = X
        self._weights = weights
        self.n_features = X.shape[1]
        self.n_samples = len(X) if weights is None else int(np.count_nonzero(weights))
        self.dtype: Any = X.dtype

    def fit(self, options: _core.MixtureOptions, on_iteration: Callback = None) -> _core.MixtureFit:
        """Fit a mixture."""
        return _core.fit_mixture(self._X, options, self._weights, on_iteration)

    def select(
        self, numbers: list[int], criterion: str, options: _core.MixtureOptions, on_point: Callback
    ) -> _core.SelectionResult:
        """Fit mixtures of several numbers of components and select one."""
        return _core.select_components(
            self._X, numbers, criterion, options, on_point, self._weights
        )

    def copies_warning(self, criterion: str) -> str | None:
        """Return a warning if held-out samples are copies of samples of the fit."""
        return copies_warning(criterion, [self._X])


class SourceSamples:
    """The rows of a source, whose passes `rounds` answers."""

    def __init__(self, rounds: Rounds[Any]) -> None:
        self._rounds = rounds
        (self._source,) = rounds.sources.values()
        summary = self._source.summary()
        self.n_samples: int = summary["n_samples"]
        self.n_features: int = summary["n_features"]
        self._weighted: bool = summary["has_weights"]
        self.dtype: Any = np.dtype(np.float64)

    def fit(self, options: _core.MixtureOptions, on_iteration: Callback = None) -> _core.MixtureFit:
        """Fit a mixture."""
        return self._rounds.run(
            lambda: _core.fit_mixture_source(self._source, options, on_iteration)
        )

    def select(
        self, numbers: list[int], criterion: str, options: _core.MixtureOptions, on_point: Callback
    ) -> _core.SelectionResult:
        """Fit mixtures of several numbers of components and select one."""
        refuse_weights(criterion, self._weighted)
        return self._rounds.run(
            lambda: _core.select_components_source(
                self._source, numbers, criterion, options, on_point
            )
        )

    def copies_warning(self, criterion: str) -> str | None:
        """Return a warning if held-out samples are copies of samples of the fit."""
        return copies_warning_of_sources(criterion, [self._source])

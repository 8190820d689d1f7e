# SPDX-License-Identifier: MIT
"""Initial parameters that a user gives, and precisions, in scikit-learn's shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from .._input.arrays import FloatArray, SampleArray, refuse_masked
from .._options.names import covariance_layout
from .samples import Samples

__all__ = ["GivenStart", "covariances_of", "precisions_cholesky", "precisions_of"]


def precisions_cholesky(covariances: FloatArray, covariance_type: str) -> FloatArray:
    """Return the upper triangular factors R with precision R R^T, or inverse deviations."""
    if covariance_layout(covariance_type).entries != "matrix":
        return 1.0 / np.sqrt(covariances)
    lower = np.linalg.cholesky(covariances)
    return np.ascontiguousarray(np.swapaxes(np.linalg.inv(lower), -1, -2))


def precisions_of(factors: FloatArray, covariance_type: str) -> FloatArray:
    """Return the precisions of their Cholesky factors."""
    if covariance_layout(covariance_type).entries != "matrix":
        return factors**2
    return factors @ np.swapaxes(factors, -1, -2)


def covariances_of(factors: SampleArray, covariance_type: str) -> FloatArray:
    """Return the covariances of Cholesky factors of precisions: the inverse of R R^T."""
    factors = np.asarray(factors, dtype=np.float64)
    if covariance_layout(covariance_type).entries != "matrix":
        return 1.0 / factors**2
    roots = np.linalg.inv(factors)
    return np.swapaxes(roots, -1, -2) @ roots


@dataclass(frozen=True)
class GivenStart:
    """Those of the initial parameters that were given; the others come from the start."""

    weights: FloatArray | None
    means: FloatArray | None
    covariances: FloatArray | None

    @classmethod
    def of(cls, estimator: Any, *, n_features: int) -> GivenStart:
        """Check the initial parameters of an estimator."""
        if isinstance(estimator.n_components, str):
            given = (estimator.weights_init, estimator.means_init, estimator.precisions_init)
            return cls(*(None if value is None else np.empty(0) for value in given))
        k, d = int(estimator.n_components), n_features
        kind = estimator.covariance_type
        shape = covariance_layout(kind).array_shape(k, d)
        weights = _shaped(estimator.weights_init, (k,), "weights")
        means = _shaped(estimator.means_init, (k, d), "means")
        precisions = _shaped(estimator.precisions_init, shape, f"{kind} precision")
        if weights is not None:
            _check_weights(weights)
        covariances = None if precisions is None else _inverse(precisions, kind)
        return cls(weights, means, covariances)

    @property
    def any(self) -> bool:
        """Whether anything was given."""
        return not (self.weights is None and self.means is None and self.covariances is None)

    @property
    def all(self) -> bool:
        """Whether everything was given."""
        return not (self.weights is None or self.means is None or self.covariances is None)

    def best_fit(
        self,
        samples: Samples,
        options: _core.MixtureOptions,
        on_iteration: Callable[..., None] | None,
    ) -> tuple[_core.MixtureFit, int]:
        """Fit from the given parameters, the missing ones taken from `n_init` starts.

        The second result is the number of components that were copies of others in the starts.
        """
        n_starts = 1 if self.all else options.n_init
        max_iterations, seed = options.max_iterations, options.seed
        fits, n_copies = [], 0
        for start in range(n_starts):
            options.seed, options.n_init, options.initial = seed + start, 1, None
            options.max_iterations = 0
            from_data = None
            if not self.all:
                start_fit = samples.fit(options)
                from_data, n_copies = start_fit.mixture, start_fit.copied_components
            options.max_iterations = max_iterations
            options.initial = self.filled(from_data, options.covariance_type)
            fits.append(samples.fit(options, on_iteration))
        return max(fits, key=lambda fit: fit.mean_log_likelihood), n_copies

    def filled(self, start: _core.Mixture | None, covariance_type: str) -> _core.Mixture:
        """Return the start with the given parameters in place of its own."""

        def pick(given: FloatArray | None, name: str) -> Any:
            return getattr(start, name) if given is None else given

        return _core.Mixture(
            covariance_type,
            pick(self.weights, "weights"),
            pick(self.means, "means"),
            pick(self.covariances, "covariances"),
        )


def _shaped(values: Any, shape: tuple[int, ...], name: str) -> FloatArray | None:
    if values is None:
        return None
    refuse_masked(values, f"The parameter '{name}'")
    array = np.array(values, dtype=np.float64, order="C")
    if array.shape != shape:
        raise ValueError(
            f"The parameter '{name}' should have the shape of {shape}, but got {array.shape}"
        )
    if not np.isfinite(array).all():
        raise ValueError(f"The parameter '{name}' holds NaN or infinity")
    return array


def _check_weights(weights: FloatArray) -> None:
    if weights.min() < 0.0 or weights.max() > 1.0:
        raise ValueError(
            "The parameter 'weights' should be in the range [0, 1], but got max value "
            f"{weights.max():.5f}, min value {weights.min():.5f}"
        )
    if abs(1.0 - weights.sum()) > 1e-6:
        raise ValueError(
            "The parameter 'weights' should be normalized, but got sum(weights) = "
            f"{weights.sum():.5f}"
        )
    weights /= weights.sum()


def _inverse(precisions: FloatArray, covariance_type: str) -> FloatArray:
    if covariance_layout(covariance_type).entries != "matrix":
        if precisions.min() <= 0.0:
            raise ValueError(f"'{covariance_type} precision' should be positive")
        return 1.0 / precisions
    symmetric = np.allclose(precisions, np.swapaxes(precisions, -1, -2))
    if not symmetric or np.linalg.eigvalsh(precisions).min() <= 0.0:
        raise ValueError(f"'{covariance_type} precision' should be symmetric, positive-definite")
    covariances = np.linalg.inv(precisions)
    return np.ascontiguousarray((covariances + np.swapaxes(covariances, -1, -2)) / 2)

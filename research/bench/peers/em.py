# SPDX-License-Identifier: MIT
"""One EM iteration: scikit-learn's two steps, and features times weights in plain NumPy."""

from __future__ import annotations

import resource
from typing import Any

import numpy as np
from sklearn.mixture import GaussianMixture

from common.clock import Stopwatch

from . import inputs
from .inputs import Array, Integers, Mixture, answered

BLOCK = 8192  # number of rows whose features fit in the cache


def estimator(start: Mixture) -> GaussianMixture:
    """Return a scikit-learn mixture with the parameters of `start`, as if it had been fitted."""
    model = GaussianMixture(n_components=len(start.weights))
    identity = np.eye(start.means.shape[1])
    model.weights_ = start.weights.copy()
    model.means_ = start.means.copy()
    model.covariances_ = start.covariances.copy()
    model.precisions_cholesky_ = np.stack(
        [np.linalg.solve(factor, identity).T for factor in np.linalg.cholesky(start.covariances)]
    )
    return model


def sklearn_iteration(request: dict[str, Any]) -> dict[str, Any]:
    """Time the E-step and M-step that ``GaussianMixture.fit`` repeats."""
    samples = inputs.array(request["samples"])
    model = estimator(inputs.mixture(request["mixture"]))
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    with Stopwatch() as watch:
        log_likelihood, log_responsibilities = model._e_step(samples)
        model._m_step(samples, log_responsibilities)
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
    return answered(watch, log_likelihood=log_likelihood, page_faults=faults)


def feature_weights(start: Mixture, rows: Integers, columns: Integers) -> Array:
    """Return W with log(w_i N(x; i)) = features(x) @ W[:, i]; features are x_a x_b, x_a and 1."""
    precisions = np.linalg.inv(start.covariances)
    linear = np.einsum("kab,kb->ka", precisions, start.means)
    doubled = np.where(rows == columns, 1.0, 2.0)
    n_features = start.means.shape[1]
    constant = np.log(start.weights) - 0.5 * (
        n_features * np.log(2.0 * np.pi)
        + np.linalg.slogdet(start.covariances)[1]
        + np.einsum("ka,ka->k", linear, start.means)
    )
    quadratic = -0.5 * doubled * precisions[:, rows, columns]
    return np.vstack([quadratic.T, linear.T, constant])


def numpy_iteration(request: dict[str, Any]) -> dict[str, Any]:
    """Compute both steps as two matrix products per block, without an array of n x k."""
    samples = inputs.array(request["samples"])
    start = inputs.mixture(request["mixture"])
    with Stopwatch() as watch:
        rows, columns = np.tril_indices(samples.shape[1])
        weights = feature_weights(start, rows, columns)
        sums = np.zeros_like(weights)
        total = 0.0
        for first in range(0, len(samples), BLOCK):
            block = samples[first : first + BLOCK]
            features = np.hstack(
                [block[:, rows] * block[:, columns], block, np.ones((len(block), 1))]
            )
            logs = features @ weights
            largest = logs.max(axis=1, keepdims=True)
            np.subtract(logs, largest, out=logs)
            np.exp(logs, out=logs)
            norm = logs.sum(axis=1, keepdims=True)
            total += float(largest.sum() + np.log(norm).sum())
            logs /= norm
            sums += features.T @ logs
        next_mixture(sums, rows, columns, samples.shape)
    return answered(watch, log_likelihood=total / len(samples))


def next_mixture(
    sums: Array, rows: Integers, columns: Integers, shape: tuple[int, ...], floor: float = 1e-6
) -> Mixture:
    """Return the mixture given the sums of features times responsibilities."""
    n_samples, n_features = shape
    mass = sums[-1]
    means = (sums[-1 - n_features : -1] / mass).T
    covariances = np.empty((len(mass), n_features, n_features))
    second = (sums[: -1 - n_features] / mass).T - means[:, rows] * means[:, columns]
    covariances[:, rows, columns] = second
    covariances[:, columns, rows] = second
    covariances[:, np.arange(n_features), np.arange(n_features)] += floor
    return Mixture(weights=mass / n_samples, means=means, covariances=covariances)

# SPDX-License-Identifier: MIT
"""Mixtures of every covariance type: our Python package and scikit-learn, by one interface."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import sklearn.mixture

from common.clock import Stopwatch

from . import inputs
from .inputs import answered


def lbw_fit(request: dict[str, Any]) -> dict[str, Any]:
    """Fit by lbw."""
    return timed_fit(lbw_mixture(request["type"], request["k"], request["threads"]), request)


def sklearn_fit(request: dict[str, Any]) -> dict[str, Any]:
    """Fit by scikit-learn."""
    return timed_fit(sklearn_mixture(request["type"], request["k"]), request)


def lbw_sample(request: dict[str, Any]) -> dict[str, Any]:
    """Draw samples by lbw."""
    return timed_sample(lbw_mixture, request)


def sklearn_sample(request: dict[str, Any]) -> dict[str, Any]:
    """Draw samples by scikit-learn."""
    return timed_sample(sklearn_mixture, request)


def lbw_mixture(kind: str, k: int, threads: int = 1) -> Any:
    """Return our mixture, not fitted."""
    from lbw import GaussianMixture

    return GaussianMixture(k, covariance_type=kind, n_jobs=threads, random_state=0)


def sklearn_mixture(kind: str, k: int) -> sklearn.mixture.GaussianMixture:
    """Return scikit-learn's mixture, not fitted."""
    return sklearn.mixture.GaussianMixture(k, covariance_type=kind, random_state=0)


def timed_fit(mixture: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Fit for a number of steps from a start, whose variances are 1."""
    samples = inputs.array(request["samples"])
    start = inputs.mixture(request["start"])
    ones = np.ones(start.means.shape if request["type"] == "diag" else len(start.means))
    mixture.set_params(
        tol=0.0,
        max_iter=request["steps"],
        weights_init=start.weights,
        means_init=start.means,
        precisions_init=ones,
    )
    with Stopwatch() as watch:
        mixture.fit(samples)
    return answered(watch, log_likelihood=mixture.score(samples))


@functools.cache
def fitted(make: Any, path: str, kind: str, k: int) -> Any:
    """Return a mixture after one step, which is enough to draw from."""
    return make(kind, k).set_params(max_iter=1).fit(inputs.array(path))


def timed_sample(make: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Draw samples of a fit that is made once."""
    mixture = fitted(make, request["samples"], request["type"], request["k"])
    with Stopwatch() as watch:
        drawn = mixture.sample(request["n"])[0]
    return answered(watch, mean_square=np.square(drawn).mean())

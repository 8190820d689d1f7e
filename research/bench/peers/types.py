# SPDX-License-Identifier: MIT
"""Mixtures of all covariance types, by the Python package of lbw and by scikit-learn."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import sklearn.mixture

from common.clock import Stopwatch

from . import inputs
from .inputs import answered

Make = Callable[..., Any]


def lbw_mixture(kind: str, k: int, threads: int = 1) -> Any:
    """Return an unfitted mixture of lbw."""
    from lbw import GaussianMixture

    return GaussianMixture(k, covariance_type=kind, n_jobs=threads, random_state=0)


def sklearn_mixture(kind: str, k: int, threads: int = 1) -> sklearn.mixture.GaussianMixture:
    """Return an unfitted mixture of scikit-learn, whose threads the worker limits."""
    return sklearn.mixture.GaussianMixture(k, covariance_type=kind, random_state=0)


def timed_fit(make: Make, request: dict[str, Any]) -> dict[str, Any]:
    """Time a fit of a fixed number of steps, started with unit variances."""
    mixture = make(request["type"], request["k"], request["threads"])
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


def timed_single(make: Make, request: dict[str, Any]) -> dict[str, Any]:
    """Time the fit of one component."""
    samples = inputs.array(request["samples"])
    mixture = make("full", 1, request["threads"])
    with Stopwatch() as watch:
        mixture.fit(samples)
    return answered(watch, log_likelihood=mixture.score(samples))


def timed_read(request: dict[str, Any]) -> dict[str, Any]:
    """Time one read of the samples."""
    samples = inputs.array(request["samples"])
    with Stopwatch() as watch:
        total = samples.sum()
    return answered(watch, total=total)


@functools.cache
def fitted(make: Make, path: str, kind: str, k: int) -> Any:
    """Return a mixture after one EM step, which is sufficient for sampling."""
    return make(kind, k).set_params(max_iter=1).fit(inputs.array(path))


def timed_sample(make: Make, request: dict[str, Any]) -> dict[str, Any]:
    """Time sampling from a mixture that is fitted once."""
    mixture = fitted(make, request["samples"], request["type"], request["k"])
    with Stopwatch() as watch:
        drawn = mixture.sample(request["n"])[0]
    return answered(watch, mean_square=np.square(drawn).mean())

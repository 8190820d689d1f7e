# SPDX-License-Identifier: MIT
"""Mixtures of fewer distinct samples than components."""

from __future__ import annotations

import numpy as np

from . import _core
from ._arrays import FloatArray, SampleArray
from ._initial import GivenStart

__all__ = ["fit_with_copies", "n_distinct_rows"]


def n_distinct_rows(X: SampleArray, weights: FloatArray | None) -> int:
    """Count the distinct rows of positive weight."""
    return len(np.unique(X if weights is None else X[weights > 0.0], axis=0))


def fit_with_copies(
    X: SampleArray,
    weights: FloatArray | None,
    options: _core.MixtureOptions,
    given: GivenStart,
    n_distinct: int,
) -> _core.MixtureFit:
    """Fit a component to every distinct sample; further ones are copies that share its weight.

    Where initial parameters are given, EM goes on from those, with the missing ones of this fit.
    """
    n_components = options.n_components
    options.n_components, options.initial = n_distinct, None
    fit = _core.fit_mixture(X, options, weights)
    options.n_components = n_components
    options.initial = _with_copies(fit.mixture, n_components)
    if given.any:
        options.initial = given.filled(options.initial, options.covariance_type)
    else:
        options.tolerance = np.inf  # the copies have the density of the fit: one step to see it
    return _core.fit_mixture(X, options, weights)


def _with_copies(mixture: _core.Mixture, n_components: int) -> _core.Mixture:
    originals = np.arange(n_components) % len(mixture.weights)
    weights = (mixture.weights / np.bincount(originals))[originals]
    covariances = mixture.covariances
    return _core.Mixture(
        mixture.covariance_type,
        weights / weights.sum(),
        np.ascontiguousarray(mixture.means[originals]),
        covariances if mixture.covariance_type == "tied" else covariances[originals],
    )

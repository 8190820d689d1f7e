# SPDX-License-Identifier: MIT
"""The fit of a GaussianMixture to samples that have been checked."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from .. import _core
from .._input.user_level import user_level
from .._options.core import core_options
from .initial import GivenStart
from .progress import FitReporter
from .samples import Samples
from .selection import (
    most_components,
    numbers_to_try,
    refuse_more_components,
    selection_table,
)

__all__ = ["fit_samples"]


def fit_samples(estimator: Any, samples: Samples, previous: _core.Mixture | None) -> _core.Mixture:
    """Fit the number of components, or select it; set the fitted attributes."""
    if isinstance(estimator.n_components, str):
        return _select(estimator, samples)
    return _fit_one(estimator, samples, previous)


def _fit_one(estimator: Any, samples: Samples, previous: _core.Mixture | None) -> _core.Mixture:
    n_components = int(estimator.n_components)
    if samples.n_samples < n_components:
        raise ValueError(
            f"Expected n_samples >= n_components but got n_components = {n_components}, "
            f"n_samples = {samples.n_samples}"
        )
    options = core_options(estimator).mixture
    options.n_components = n_components
    options.initial = previous
    given = GivenStart.of(estimator, n_features=samples.n_features)
    title = type(estimator).__name__
    with FitReporter(title, estimator.verbose, estimator.verbose_interval) as reporter:
        if previous is None and given.any:
            fit, n_copies = given.best_fit(samples, options, reporter.callback)
        else:
            fit = samples.fit(options, reporter.callback)
            n_copies = fit.copied_components
    if n_copies > 0:
        n_distinct = n_components - n_copies
        warnings.warn(
            f"X has {n_distinct} distinct samples, fewer than n_components="
            f"{n_components}. Only {n_distinct} components are distinct, the others are "
            "copies of them that share their weights. Reduce n_components.",
            ConvergenceWarning,
            stacklevel=user_level(),
        )
    _warn_of_estimates(fit)
    estimator._take(fit, samples.dtype, estimator.lower_bound_ if previous is not None else None)
    return fit.mixture


def _warn_of_estimates(fit: _core.MixtureFit) -> None:
    if fit.unestimated_components == 0:
        return
    warnings.warn(
        f"The samples of {fit.unestimated_components} of {len(fit.mixture.weights)} components do "
        "not span the features, and their covariances are those of an earlier step of EM. Reduce "
        "n_components or increase reg_covar.",
        ConvergenceWarning,
        stacklevel=user_level(),
    )


def _select(estimator: Any, samples: Samples) -> _core.Mixture:
    criterion = str(estimator.n_components)
    if GivenStart.of(estimator, n_features=samples.n_features).any:
        raise ValueError(
            f"n_components={estimator.n_components!r} cannot be combined with weights_init, "
            "means_init or precisions_init. Give a number of components."
        )
    n_samples = samples.n_samples
    numbers = numbers_to_try(estimator.n_components_range, most_components(criterion, n_samples))
    refuse_more_components(criterion, numbers, n_samples, "X")
    copies = samples.copies_warning(criterion)
    if copies is not None:
        warnings.warn(copies, UserWarning, stacklevel=user_level())
    with FitReporter(type(estimator).__name__, estimator.verbose, 1) as reporter:
        options = core_options(estimator).mixture
        result = samples.select(numbers, criterion, options, reporter.on_point)
    _warn_of_estimates(result.fit)
    estimator._take(result.fit, samples.dtype)
    estimator.selection_ = selection_table(result.curve)
    return result.fit.mixture

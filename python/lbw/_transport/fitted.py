# SPDX-License-Identifier: MIT
"""The fitted attributes of a LocalTransport, from the core's model."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._input.arrays import as_places
from .._input.labels import LabelArray
from .._mixture.gaussian_mixture import GaussianMixture
from .params import dither_widths

__all__ = ["mixture_of", "set_fitted"]


def set_fitted(estimator: Any, groups: LabelArray) -> None:
    """Set the fitted attributes; `groups` are the labels of the groups of the model."""
    estimator.__dict__.pop("selection_", None)
    model = estimator._model
    estimator.groups_ = groups
    estimator.mixtures_ = [mixture_of(estimator, mixture) for mixture in model.mixtures]
    estimator.n_components_ = np.array([mixture.n_components for mixture in estimator.mixtures_])
    for mixture, report in zip(estimator.mixtures_, model.reports, strict=True):
        mixture.converged_ = report.converged
        mixture.n_iter_ = report.iterations
        mixture.mean_log_likelihood_ = report.mean_log_likelihood
    estimator.coupling_ = as_places(model.tuples)
    estimator.coupling_masses_ = model.masses
    n_features = estimator.mixtures_[0].n_features_in_
    estimator.dither_ = dither_widths(model)
    estimator.reference_ = groups[model.reference]
    kept = [model.group_names.index(name) for name in model.kept_groups]
    estimator.kept_groups_ = groups[kept]
    estimator.converged_ = model.converged
    estimator.n_iter_ = max(report.iterations for report in model.reports)
    estimator.n_features_in_ = n_features
    if model.feature_names:
        estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
    names: list[Any] = model.feature_names or list(range(n_features))
    estimator.dithered_features_ = [
        name for name, width in zip(names, estimator.dither_.tolist(), strict=True) if width
    ]


def mixture_of(estimator: Any, mixture: _core.Mixture) -> GaussianMixture:
    """Return one of the core's mixtures as an estimator with the same parameters."""
    names = ("tol", "max_iter", "n_init", "random_state", "n_jobs")
    shared = {name: getattr(estimator, name) for name in names}
    return GaussianMixture._of_core(mixture, reg_covar=estimator.covariance_floor, **shared)

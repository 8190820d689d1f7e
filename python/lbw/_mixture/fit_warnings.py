# SPDX-License-Identifier: MIT
"""Warnings of fitted mixtures that may not describe their samples."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from .._input.user_level import user_level
from .covariance_floor import floor_text

__all__ = ["warn_of_convergence", "warn_of_floor"]


def warn_of_convergence(mixture: Any) -> None:
    """Warn, in scikit-learn's words, if the fit of a GaussianMixture did not converge."""
    if mixture.converged_ or mixture.max_iter <= 0:
        return
    warnings.warn(
        "Best performing initialization did not converge. Try different init parameters, "
        "or increase max_iter, tol, or check for degenerate data.",
        ConvergenceWarning,
        stacklevel=user_level(),
    )


def warn_of_floor(mixture: Any, variances: dict[int, float]) -> None:
    """Warn if `reg_covar` of a GaussianMixture dominates the variances of features."""
    if not variances:
        return
    names = getattr(mixture, "feature_names_in_", None)
    floor = float(mixture.reg_covar)
    text = floor_text("reg_covar", floor, variances, names, mixture.n_features_in_)
    warnings.warn(
        f"{text}, so the covariances reflect reg_covar instead of the samples. Rescale the "
        "features, for example to unit variance, or set reg_covar to a number such as "
        f"{1e-3 * min(variances.values()):.1g}.",
        UserWarning,
        stacklevel=user_level(),
    )

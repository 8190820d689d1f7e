# SPDX-License-Identifier: MIT
"""One step of EM in two parts: the sums of blocks of samples, and the next mixture."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from .. import _core
from .._core import MomentSums
from .._input.user_level import user_level
from .._input.validation import sklearn_errors, validated, validated_weights
from .._options.core import core_options
from .._options.presented import public
from .errors import singular_errors
from .gaussian_mixture import GaussianMixture

__all__ = ["MomentSums", "moment_sums", "next_mixture"]


def moment_sums(mixture: GaussianMixture, X: Any, sample_weight: Any = None) -> MomentSums:
    """Return the sums of an E-step over a block of samples.

    The sums of several blocks can be added with `+`, stored with `to_bytes` and pickled. Their
    total is enough for `next_mixture`, so that blocks can be on other machines.

    Parameters
    ----------
    mixture : GaussianMixture
        A fitted mixture.
    X : array-like of shape (n_samples, n_features)
        The samples of the block.
    sample_weight : array-like of shape (n_samples,), default=None
        The weights of the samples.

    Returns
    -------
    sums : MomentSums
        The sums, with `n_samples`, `weight`, `log_likelihood`, `component_weight`, and `first` and
        `second` moments about `centers`, the means of the mixture.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw import GaussianMixture, moment_sums, next_mixture
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> mixture = GaussianMixture(2, tol=0.1).fit(X)
    >>> sums = moment_sums(mixture, X[:300]) + moment_sums(mixture, X[300:])
    >>> next_mixture(mixture, sums).score(X) >= mixture.score(X)
    True
    """
    check_is_fitted(mixture)
    X = validated(mixture, X, reset=False)
    weights = validated_weights(sample_weight, X)
    with sklearn_errors(mixture, X):
        return _core.moment_sums_of(mixture._core_mixture(), X, weights, mixture._n_threads())


def next_mixture(mixture: GaussianMixture, sums: MomentSums) -> GaussianMixture:
    """Return the mixture of the M-step.

    A component that is empty or whose covariance is singular is moved to the sample of lowest
    density, with a warning. If the samples of no component span the features, for example because
    there are fewer samples than features and `reg_covar=0`, `NumericalError` is raised.

    Parameters
    ----------
    mixture : GaussianMixture
        The mixture that the sums were computed with.
    sums : MomentSums
        The sums of all samples.

    Returns
    -------
    next : GaussianMixture
        A mixture with the same parameters, fitted by one more step of EM.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw import GaussianMixture, moment_sums, next_mixture
    >>> X = np.arange(10.0).reshape(-1, 1)
    >>> mixture = GaussianMixture().fit(X)
    >>> next_mixture(mixture, moment_sums(mixture, X)).means_
    array([[4.5]])
    """
    check_is_fitted(mixture)
    options = core_options(mixture).mixture
    with singular_errors():
        following, n_moved = _core.next_mixture(mixture._core_mixture(), sums, options)
    if n_moved > 0:
        warnings.warn(
            "A component is empty or its covariance is singular. It was moved to the sample of "
            "lowest density, with the average covariance of the other components. Use fewer "
            "components, or increase reg_covar.",
            UserWarning,
            stacklevel=user_level(),
        )
    result: GaussianMixture = clone(mixture)
    result._take_mixture(following)
    result.n_features_in_ = following.means.shape[1]
    if hasattr(mixture, "feature_names_in_"):
        result.feature_names_in_ = mixture.feature_names_in_
    return result


public(globals(), "lbw")

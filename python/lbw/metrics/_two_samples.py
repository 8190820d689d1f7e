# SPDX-License-Identifier: MIT
"""Distances of two samples, with their null distributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._input.arrays import as_samples
from .._input.tables import refuse_other_names
from .._options.checked import whole_number
from .._options.names import n_threads_of, seed_of

__all__ = ["TwoSampleResult", "group_auc", "sliced_wasserstein"]


@dataclass(frozen=True)
class TwoSampleResult:
    """A measure of two samples; values that were not requested are None.

    Attributes
    ----------
    value : float
        The measure.
    null_mean : float or None
        The mean of the measure under random permutations of the points.
    null_quantile : float or None
        The 95 % quantile of the measure under these permutations.
    p_value : float or None
        Fraction of permutations with at least this value, the one seen included.
    """

    value: float
    null_mean: float | None = None
    null_quantile: float | None = None
    p_value: float | None = None

    def __float__(self) -> float:
        """Return the measure, so that a result serves as a number."""
        return self.value


def sliced_wasserstein(
    X: ArrayLike,
    Y: ArrayLike,
    *,
    n_directions: int = 64,
    directions: ArrayLike | None = None,
    n_permutations: int = 199,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> TwoSampleResult:
    """Sliced Wasserstein distance of order 2 of two samples.

    The root of the mean, over random directions, of the squared Wasserstein distance of the
    samples along a direction. It has the units of the features, and a feature in large units
    dominates it. Divide features of different units by their standard deviations first.

    Parameters
    ----------
    X : array-like of shape (n_first, n_features)
        The first sample.
    Y : array-like of shape (n_second, n_features)
        The second sample.
    n_directions : int, default=64
        The number of random directions.
    directions : array-like of shape (n_directions, n_features), default=None
        Unit vectors to use instead of random directions.
    n_permutations : int, default=199
        The number of random permutations used to estimate the null distribution; 0 for none.
    random_state : int, RandomState instance or None, default=None
        Seed of directions and permutations. If None, a fixed default seed is used.
    n_jobs : int or None, default=None
        The number of threads. -1 uses all cores, and so does None unless OMP_NUM_THREADS is
        set. It never changes a result.

    Returns
    -------
    TwoSampleResult
        The distance as `value` or by ``float(result)``, and its null.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw.metrics import sliced_wasserstein
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 3))
    >>> sliced_wasserstein(X, rng.normal(size=(500, 3))).p_value > 0.05
    True
    >>> sliced_wasserstein(X, rng.normal(1, 1, size=(500, 3))).p_value
    0.005
    """
    refuse_other_names(X, Y, ("X", "Y"), "sliced_wasserstein")
    given = None if directions is None else np.ascontiguousarray(directions, dtype=np.float64)
    result = _core.sliced_distance(
        as_samples(X, "X"),
        as_samples(Y, "Y"),
        whole_number(n_directions, "n_directions", least=1),
        given,
        whole_number(n_permutations, "n_permutations"),
        seed_of(random_state),
        n_threads_of(n_jobs),
    )
    return _result_of(result.distance, result.null)


def group_auc(
    X: ArrayLike,
    Y: ArrayLike,
    *,
    n_neighbors: int | None = None,
    n_permutations: int = 199,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> TwoSampleResult:
    """AUC of a nearest-neighbour classifier that separates two samples.

    All points are split into two random halves. The score of a point is the fraction of Y among its
    nearest neighbours in the other half, in features divided by their standard deviation;
    neighbours that are as far as the last one all count. 0.5 is chance, 1 a perfect separation.

    Parameters
    ----------
    X : array-like of shape (n_first, n_features)
        The first sample.
    Y : array-like of shape (n_second, n_features)
        The second sample.
    n_neighbors : int or None, default=None
        The number of neighbours. If None, the root of half the number of points.
    n_permutations : int, default=199
        The number of random permutations used to estimate the null distribution; 0 for none.
    random_state : int, RandomState instance or None, default=None
        Seed of halves and permutations. If None, a fixed default seed is used.
    n_jobs : int or None, default=None
        The number of threads. -1 uses all cores, and so does None unless OMP_NUM_THREADS is
        set. It never changes a result.

    Returns
    -------
    TwoSampleResult
        The AUC as `value` or by ``float(result)``, and its null.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw.metrics import group_auc
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 3))
    >>> group_auc(X, rng.normal(size=(500, 3))).p_value > 0.05
    True
    >>> float(group_auc(X, rng.normal(5, 1, size=(500, 3)))) > 0.99
    True
    """
    refuse_other_names(X, Y, ("X", "Y"), "group_auc")
    result = _core.separation(
        as_samples(X, "X"),
        as_samples(Y, "Y"),
        0 if n_neighbors is None else whole_number(n_neighbors, "n_neighbors", least=1),
        whole_number(n_permutations, "n_permutations"),
        seed_of(random_state),
        n_threads_of(n_jobs),
    )
    return _result_of(result.auc, result.null)


def _result_of(value: float, null: _core.PermutationNull) -> TwoSampleResult:
    if null.n_permutations == 0:
        return TwoSampleResult(value)
    return TwoSampleResult(value, null.mean, null.quantile, null.p_value)

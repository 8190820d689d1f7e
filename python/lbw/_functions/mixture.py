# SPDX-License-Identifier: MIT
"""Densities, distances and maps of Gaussian mixtures, by POT's names and in its argument order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._input.arrays import FloatArray, as_core_samples, as_doubles
from .._options.checked import whole_number
from .._options.names import core_name, n_threads_of
from .._options.presented import public
from .._transport.maps import apply_map
from .weights import checked_plan, checked_weights

__all__ = [
    "dist_bures_squared",
    "gaussian_pdf",
    "gmm_ot_apply_map",
    "gmm_ot_loss",
    "gmm_ot_plan",
    "gmm_pdf",
    "mixture_distance",
]


def gaussian_pdf(x: ArrayLike, m: ArrayLike, C: ArrayLike) -> FloatArray:
    """Density of a Gaussian.

    Parameters
    ----------
    x : array-like of shape (..., d)
        Where.
    m : array-like of shape (d,)
        Mean.
    C : array-like of shape (d, d)
        Covariance, positive definite.

    Returns
    -------
    pdf : ndarray of shape (...,)
        The density.

    Examples
    --------
    >>> import lbw
    >>> lbw.gaussian_pdf([[0.0], [1.0]], [0.0], [[1.0]]).round(4)
    array([0.3989, 0.242 ])
    """
    mean = as_doubles(m, "m", ndim=1)
    covariance = as_doubles(C, "C", ndim=2)
    return gmm_pdf(x, mean[None], covariance[None], np.ones(1))


def gmm_pdf(x: ArrayLike, m: ArrayLike, C: ArrayLike, w: ArrayLike) -> FloatArray:
    """Density of a Gaussian mixture.

    Parameters
    ----------
    x : array-like of shape (..., d)
        Where.
    m : array-like of shape (k, d)
        Means.
    C : array-like of shape (k, d, d)
        Covariances, positive definite.
    w : array-like of shape (k,)
        Weights; the density is scaled by their sum.

    Returns
    -------
    pdf : ndarray of shape (...,)
        The density.

    Examples
    --------
    >>> import lbw
    >>> lbw.gmm_pdf([[0.0]], [[0.0], [9.0]], [[[1.0]], [[1.0]]], [0.5, 0.5]).round(4)
    array([0.1995])
    """
    weights = checked_weights(w, "w", len(np.asarray(m)))
    total = weights.sum()
    mixture = _mixture_of(m, C, weights / total, "m", "C")
    points = np.asarray(x, dtype=np.float64)
    flat = as_core_samples(points.reshape(-1, points.shape[-1]))
    density: FloatArray = total * np.exp(_core.log_density(mixture, flat))
    return density.reshape(points.shape[:-1])


def dist_bures_squared(
    m_s: ArrayLike, m_t: ArrayLike, C_s: ArrayLike, C_t: ArrayLike
) -> FloatArray:
    """Squared Bures-Wasserstein distance of every source Gaussian to every target.

    Parameters
    ----------
    m_s, m_t : array-like of shape (k_s, d) and (k_t, d)
        Means.
    C_s, C_t : array-like of shape (k_s, d, d) and (k_t, d, d)
        Covariances, positive semidefinite.

    Returns
    -------
    dist : ndarray of shape (k_s, k_t)
        The squared distances.

    Examples
    --------
    >>> import lbw
    >>> lbw.dist_bures_squared([[0.0]], [[0.0], [3.0]], [[[1.0]]], [[[4.0]], [[1.0]]])
    array([[1., 9.]])
    """
    return _core.squared_distances(
        as_doubles(m_s, "m_s", ndim=2),
        as_doubles(C_s, "C_s", ndim=3),
        as_doubles(m_t, "m_t", ndim=2),
        as_doubles(C_t, "C_t", ndim=3),
    )


def gmm_ot_loss(
    m_s: ArrayLike,
    m_t: ArrayLike,
    C_s: ArrayLike,
    C_t: ArrayLike,
    w_s: ArrayLike,
    w_t: ArrayLike,
    log: bool = False,
) -> Any:
    """Squared mixture-Wasserstein distance between two Gaussian mixtures.

    Parameters
    ----------
    m_s, m_t : array-like of shape (k_s, d) and (k_t, d)
        Means.
    C_s, C_t : array-like of shape (k_s, d, d) and (k_t, d, d)
        Covariances, positive semidefinite.
    w_s, w_t : array-like of shape (k_s,) and (k_t,)
        Weights, non-negative, of equal sums.
    log : bool, default=False
        Whether to return a dictionary too, with `cost` and `plan`.

    Returns
    -------
    loss : float
        The cost of the optimal plan between components.

    Examples
    --------
    >>> import lbw
    >>> lbw.gmm_ot_loss([[0.0]], [[3.0]], [[[1.0]]], [[[1.0]]], [1.0], [1.0])
    9.0
    """
    plan, cost = _plan_of(m_s, m_t, C_s, C_t, w_s, w_t)
    return (cost, {"cost": cost, "plan": plan}) if log else cost


def gmm_ot_plan(
    m_s: ArrayLike,
    m_t: ArrayLike,
    C_s: ArrayLike,
    C_t: ArrayLike,
    w_s: ArrayLike,
    w_t: ArrayLike,
    log: bool = False,
) -> Any:
    """Optimal transport plan between the components of two Gaussian mixtures.

    Parameters
    ----------
    m_s, m_t : array-like of shape (k_s, d) and (k_t, d)
        Means.
    C_s, C_t : array-like of shape (k_s, d, d) and (k_t, d, d)
        Covariances, positive semidefinite.
    w_s, w_t : array-like of shape (k_s,) and (k_t,)
        Weights, non-negative, of equal sums.
    log : bool, default=False
        Whether to return a dictionary too, with `cost`.

    Returns
    -------
    plan : ndarray of shape (k_s, k_t)
        The mass from each component to each; at most k_s + k_t - 1 entries are not 0.

    Examples
    --------
    >>> import lbw
    >>> one = [[[1.0]], [[1.0]]]
    >>> lbw.gmm_ot_plan([[0.0], [9.0]], [[1.0], [8.0]], one, one, [0.5, 0.5], [0.25, 0.75])
    array([[0.25, 0.25],
           [0.  , 0.5 ]])
    """
    plan, cost = _plan_of(m_s, m_t, C_s, C_t, w_s, w_t)
    return (plan, {"cost": cost}) if log else plan


def gmm_ot_apply_map(
    x: ArrayLike,
    m_s: ArrayLike,
    m_t: ArrayLike,
    C_s: ArrayLike,
    C_t: ArrayLike,
    w_s: ArrayLike,
    w_t: ArrayLike,
    plan: ArrayLike | None = None,
    method: str = "bary",
    seed: int | None = None,
) -> Any:
    """Transport points from one Gaussian mixture to another.

    Parameters
    ----------
    x : array-like of shape (n_samples, d)
        Points.
    m_s, m_t : array-like of shape (k_s, d) and (k_t, d)
        Means.
    C_s, C_t : array-like of shape (k_s, d, d) and (k_t, d, d)
        Covariances, positive semidefinite; those of the source are positive definite.
    w_s, w_t : array-like of shape (k_s,) and (k_t,)
        Weights, non-negative, of equal sums.
    plan : array-like of shape (k_s, k_t), default=None
        A plan between the components. If None, the optimal plan is used.
    method : {"bary", "rand"}, default="bary"
        Whether to average the maps of all pairs, weighted by their probabilities, or to draw a pair
        for every point.
    seed : int, default=None
        The seed of the draws, which are a function of the seed, the point and, for equal points,
        their order. If None, the seed is 0.

    Returns
    -------
    out : ndarray of shape (n_samples, d)
        The transported points.

    Examples
    --------
    >>> import lbw
    >>> lbw.gmm_ot_apply_map([[1.0]], [[0.0]], [[5.0]], [[[1.0]]], [[[4.0]]], [1.0], [1.0])
    array([[7.]])
    """
    kinds = {"bary": "soft", "rand": "random"}
    if method not in kinds:
        raise ValueError(f"method {method!r} is not known, expected 'bary' or 'rand'")
    source_weights = checked_weights(w_s, "w_s", len(np.asarray(m_s)))
    n_targets = len(np.asarray(m_t))
    checked_weights(w_t, "w_t", n_targets)
    if plan is None:
        plan = _plan_of(m_s, m_t, C_s, C_t, w_s, w_t)[0]
    masses = checked_plan(plan, source_weights, n_targets) / source_weights.sum()
    used = source_weights > 0.0
    shares = source_weights[used] / source_weights.sum()
    source = _mixture_of(np.asarray(m_s)[used], np.asarray(C_s)[used], shares, "m_s", "C_s")
    k_t = masses.shape[1]
    target = _mixture_of(m_t, C_t, np.full(k_t, 1.0 / k_t), "m_t", "C_t")
    rows, columns = np.nonzero(masses[used] > 0.0)
    entries = masses[used][rows, columns]
    along = _core.map_of_plan(
        source,
        target,
        rows.tolist(),
        columns.tolist(),
        entries.tolist(),
        kinds[method],
        0 if seed is None else whole_number(seed, "seed", most=2**64 - 1),
    )
    return apply_map(along, as_doubles(x, "x", ndim=2))


def mixture_distance(first: Any, second: Any, *, n_jobs: int | None = None) -> float:
    """Mixture-Wasserstein distance between two fitted mixtures.

    The root of `gmm_ot_loss`: a metric on mixtures, never below the Wasserstein distance of order
    2 and equal to it for single Gaussians.

    Parameters
    ----------
    first, second : GaussianMixture
        Fitted mixtures of lbw or scikit-learn. Each has a single covariance type.
    n_jobs : int or None, default=None
        The number of threads. -1 uses all cores, and so does None unless OMP_NUM_THREADS is set.

    Returns
    -------
    distance : float
        The distance.

    Examples
    --------
    >>> import numpy as np
    >>> import lbw
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> left, right = lbw.GaussianMixture(2).fit(X), lbw.GaussianMixture(2).fit(X + [3, 4])
    >>> round(lbw.mixture_distance(left, right), 6)
    5.0
    """
    _check_fitted(first, "first")
    _check_fitted(second, "second")
    mixtures = [
        _core.Mixture(
            core_name(mixture.covariance_type),
            as_doubles(mixture.weights_, "weights_", ndim=1),
            as_doubles(mixture.means_, "means_", ndim=2),
            np.ascontiguousarray(mixture.covariances_, dtype=np.float64),
        )
        for mixture in (first, second)
    ]
    return _core.mixture_distance(mixtures[0], mixtures[1], n_threads_of(n_jobs))


def _check_fitted(mixture: Any, name: str) -> None:
    """Raise unless a mixture is a fitted estimator."""
    if not hasattr(mixture, "covariance_type"):
        raise TypeError(
            f"mixture_distance: {name} is {mixture!r}, expected a fitted GaussianMixture of lbw or "
            "of scikit-learn. For weights, means and covariances use gmm_ot_loss."
        )
    if not hasattr(mixture, "weights_"):
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(
            f"mixture_distance: {name}, {mixture!r}, is not fitted yet. Call fit with samples first"
        )


def _plan_of(
    m_s: ArrayLike,
    m_t: ArrayLike,
    C_s: ArrayLike,
    C_t: ArrayLike,
    w_s: ArrayLike,
    w_t: ArrayLike,
) -> tuple[FloatArray, float]:
    costs = dist_bures_squared(m_s, m_t, C_s, C_t)
    sources, targets = as_doubles(m_s, "m_s", ndim=2), as_doubles(m_t, "m_t", ndim=2)
    center, other = sources.mean(axis=0), targets.mean(axis=0)
    apart = np.square(center - other).sum()
    reach = max(np.square(m - m.mean(axis=0)).sum(axis=1).max() for m in (sources, targets))
    comparable = costs
    if reach < apart < np.inf:  # rounding would hide the differences between the costs
        comparable = dist_bures_squared(sources - center, targets - other, C_s, C_t)
    plan, _ = _core.transport_plan(
        comparable, as_doubles(w_s, "w_s", ndim=1), as_doubles(w_t, "w_t", ndim=1)
    )
    return plan, float((plan * costs).sum())


def _mixture_of(
    means: ArrayLike,
    covariances: ArrayLike,
    weights: FloatArray,
    mean_name: str,
    covariance_name: str,
) -> _core.Mixture:
    return _core.Mixture(
        "full",
        np.ascontiguousarray(weights),
        as_doubles(means, mean_name, ndim=2),
        as_doubles(covariances, covariance_name, ndim=3),
    )


public(globals(), "lbw")

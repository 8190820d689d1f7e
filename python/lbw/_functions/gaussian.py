# SPDX-License-Identifier: MIT
"""Distances, maps and barycenters of Gaussians, by POT's names and in its argument order."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._input.arrays import FloatArray, as_doubles
from .._input.tables import refuse_other_names
from .._input.user_level import user_level
from .._options.presented import public
from .weights import checked_weights

__all__ = [
    "bures_wasserstein_barycenter",
    "bures_wasserstein_distance",
    "bures_wasserstein_mapping",
    "empirical_bures_wasserstein_barycenter",
    "empirical_bures_wasserstein_distance",
    "empirical_bures_wasserstein_mapping",
]


def bures_wasserstein_distance(
    ms: ArrayLike,
    mt: ArrayLike,
    Cs: ArrayLike,
    Ct: ArrayLike,
    paired: bool = False,
    log: bool = False,
) -> Any:
    """Bures-Wasserstein distance between Gaussians.

    Parameters
    ----------
    ms, mt : array-like of shape (d,), or (n, d) and (m, d)
        Means of sources and targets.
    Cs, Ct : array-like of shape (d, d), or (n, d, d) and (m, d, d)
        Their covariances, positive semidefinite.
    paired : bool, default=False
        Whether to return the n distances of sources[i] to targets[i] instead of all n x m.
    log : bool, default=False
        Whether to return a dictionary too, which is empty. POT stores matrix roots in it.

    Returns
    -------
    W : float, or ndarray of shape (n, m) or (n,)
        The distances.

    Examples
    --------
    >>> import numpy as np
    >>> import lbw
    >>> lbw.bures_wasserstein_distance([0, 0], [3, 4], np.eye(2), np.eye(2))
    5.0
    """
    single = np.ndim(ms) == 1 and np.ndim(mt) == 1
    sources, source_covariances = _stacked(ms, Cs, "ms", "Cs")
    targets, target_covariances = _stacked(mt, Ct, "mt", "Ct")
    if sources.shape[1] != targets.shape[1]:
        raise ValueError(
            f"ms has {sources.shape[1]} features and mt has {targets.shape[1]}, expected the same "
            "number: means and covariances of distributions in one space"
        )
    if paired and len(sources) == len(targets):
        distances = np.array(
            [
                _core.distances(
                    sources[i : i + 1],
                    source_covariances[i : i + 1],
                    targets[i : i + 1],
                    target_covariances[i : i + 1],
                )[0, 0]
                for i in range(len(sources))
            ]
        )
    else:
        distances = _core.distances(sources, source_covariances, targets, target_covariances)
    distance = float(distances.flat[0]) if single else distances
    return (distance, {}) if log else distance


def bures_wasserstein_mapping(
    ms: ArrayLike, mt: ArrayLike, Cs: ArrayLike, Ct: ArrayLike, log: bool = False
) -> Any:
    """Optimal map of one Gaussian onto another, x -> x A + b.

    Parameters
    ----------
    ms, mt : array-like of shape (d,) or (1, d)
        Means of source and target.
    Cs, Ct : array-like of shape (d, d)
        Their covariances, positive semidefinite.
    log : bool, default=False
        Whether to return a dictionary too, which is empty. POT stores matrix roots in it.

    Returns
    -------
    A : ndarray of shape (d, d)
        The matrix, symmetric.
    b : ndarray of the shape of mt
        The offset.

    Examples
    --------
    >>> import numpy as np
    >>> import lbw
    >>> A, b = lbw.bures_wasserstein_mapping([0, 0], [1, 1], np.eye(2), 4 * np.eye(2))
    >>> np.array([[1.0, 0.0]]) @ A + b
    array([[3., 1.]])
    """
    source, source_covariance = _stacked(np.ravel(ms), Cs, "ms", "Cs")
    target, target_covariance = _stacked(np.ravel(mt), Ct, "mt", "Ct")
    A = _core.map_matrices(source, source_covariance, target, target_covariance)
    b = np.asarray(mt, dtype=np.float64) - np.asarray(ms, dtype=np.float64) @ A
    return (A, b, {}) if log else (A, b)


def bures_wasserstein_barycenter(
    m: ArrayLike,
    C: ArrayLike,
    weights: ArrayLike | None = None,
    method: str = "fixed_point",
    num_iter: int = 1000,
    eps: float = 1e-7,
    log: bool = False,
) -> Any:
    """Bures-Wasserstein barycenter of Gaussians.

    Parameters
    ----------
    m : array-like of shape (n, d)
        Means.
    C : array-like of shape (n, d, d)
        Covariances, positive semidefinite.
    weights : array-like of shape (n,), default=None
        Weights, non-negative and not all 0, divided by their sum. If None, they are equal.
    method : {"fixed_point"}, default="fixed_point"
        The fixed-point iteration, which needs no step size. There are no gradient methods.
    num_iter : int, default=1000
        The maximum number of steps.
    eps : float, default=1e-7
        Stop once the relative residual of the fixed-point equation is at most this.
    log : bool, default=False
        Whether to return a dictionary too, with `iterations`, `residual` and `converged`. If
        False, a barycenter that has not converged raises a warning.

    Returns
    -------
    mb : ndarray of shape (d,)
        Mean of the barycenter.
    Cb : ndarray of shape (d, d)
        Its covariance.

    Examples
    --------
    >>> import numpy as np
    >>> import lbw
    >>> mean, covariance = lbw.bures_wasserstein_barycenter([[0.0], [2.0]], [[[1.0]], [[9.0]]])
    >>> mean, covariance
    (array([1.]), array([[4.]]))
    """
    if method != "fixed_point":
        raise ValueError(f"method {method!r} is not known, expected 'fixed_point'")
    means = as_doubles(m, "m", ndim=2)
    covariances = as_doubles(C, "C", ndim=3)
    shares = _weights_of(weights, len(means))
    options = _core.BarycenterOptions()
    options.max_iterations = int(num_iter)
    options.tolerance = float(eps)
    result = _core.barycenter_of_gaussians(means, covariances, shares, options)
    if not result.converged and not log:
        warnings.warn(
            f"the barycenter has not converged after {result.iterations} iterations: the residual "
            f"is {result.residual:.2g}, expected {float(eps):.2g}. Increase num_iter, or add a "
            "small multiple of the identity to covariances that are nearly singular.",
            UserWarning,
            stacklevel=user_level(),
        )
    if not log:
        return result.mean, result.covariance
    report = {
        "iterations": result.iterations,
        "residual": result.residual,
        "converged": result.converged,
    }
    return result.mean, result.covariance, report


def empirical_bures_wasserstein_distance(
    xs: ArrayLike,
    xt: ArrayLike,
    reg: float = 1e-6,
    ws: ArrayLike | None = None,
    wt: ArrayLike | None = None,
    bias: bool = True,
    log: bool = False,
) -> Any:
    """Bures-Wasserstein distance between the Gaussians of two samples.

    Parameters
    ----------
    xs, xt : array-like of shape (ns, d) and (nt, d)
        The samples.
    reg : float, default=1e-6
        Added to the diagonals of the covariances.
    ws, wt : array-like of shape (ns, 1) or (ns,), default=None
        Weights of the samples. If None, they are equal.
    bias : bool, default=True
        Whether to estimate the means. If False, they are taken as 0.
    log : bool, default=False
        Whether to return the covariances too, as `Cs` and `Ct`.

    Returns
    -------
    W : float
        The distance.

    Examples
    --------
    >>> import numpy as np
    >>> import lbw
    >>> x = np.random.default_rng(0).normal(size=(100, 2))
    >>> round(lbw.empirical_bures_wasserstein_distance(x, x + [3, 4]), 6)
    5.0
    """
    refuse_other_names(xs, xt, ("xs", "xt"), "empirical_bures_wasserstein_distance")
    ms, Cs = _gaussian_of(xs, reg, ws, bias, "xs")
    mt, Ct = _gaussian_of(xt, reg, wt, bias, "xt")
    distance = bures_wasserstein_distance(ms, mt, Cs, Ct)
    return (distance, {"Cs": Cs, "Ct": Ct}) if log else distance


def empirical_bures_wasserstein_mapping(
    xs: ArrayLike,
    xt: ArrayLike,
    reg: float = 1e-6,
    ws: ArrayLike | None = None,
    wt: ArrayLike | None = None,
    bias: bool = True,
    log: bool = False,
) -> Any:
    """Optimal map between the Gaussians of two samples, x -> x A + b.

    Parameters
    ----------
    xs, xt : array-like of shape (ns, d) and (nt, d)
        The samples.
    reg : float, default=1e-6
        Added to the diagonals of the covariances.
    ws, wt : array-like of shape (ns, 1) or (ns,), default=None
        Weights of the samples. If None, they are equal.
    bias : bool, default=True
        Whether to estimate the means. If False, they are taken as 0.
    log : bool, default=False
        Whether to return the covariances too, as `Cs` and `Ct`.

    Returns
    -------
    A : ndarray of shape (d, d)
        The matrix, symmetric.
    b : ndarray of shape (1, d)
        The offset.

    Examples
    --------
    >>> import numpy as np
    >>> import lbw
    >>> x = np.random.default_rng(0).normal(size=(100, 2))
    >>> A, b = lbw.empirical_bures_wasserstein_mapping(x, 2 * x)
    >>> bool(np.allclose(x @ A + b, 2 * x, atol=1e-5))
    True
    """
    refuse_other_names(xs, xt, ("xs", "xt"), "empirical_bures_wasserstein_mapping")
    ms, Cs = _gaussian_of(xs, reg, ws, bias, "xs")
    mt, Ct = _gaussian_of(xt, reg, wt, bias, "xt")
    A, b = bures_wasserstein_mapping(ms[None, :], mt[None, :], Cs, Ct)
    return (A, b, {"Cs": Cs, "Ct": Ct}) if log else (A, b)


def empirical_bures_wasserstein_barycenter(
    X: Sequence[ArrayLike],
    reg: float = 1e-6,
    weights: ArrayLike | None = None,
    num_iter: int = 1000,
    eps: float = 1e-7,
    w: Sequence[ArrayLike] | None = None,
    bias: bool = True,
    log: bool = False,
) -> Any:
    """Bures-Wasserstein barycenter of the Gaussians of several samples.

    Parameters
    ----------
    X : list of array-like of shape (n_i, d)
        The samples.
    reg : float, default=1e-6
        Added to the diagonals of the covariances.
    weights : array-like of shape (n,), default=None
        Weights of the Gaussians. If None, they are equal.
    num_iter : int, default=1000
        The maximum number of steps.
    eps : float, default=1e-7
        Stop once the relative residual of the fixed-point equation is at most this.
    w : list of array-like of shape (n_i, 1) or (n_i,), default=None
        Weights of the samples. If None, they are equal.
    bias : bool, default=True
        Whether to estimate the means. If False, they are taken as 0.
    log : bool, default=False
        As in `bures_wasserstein_barycenter`.

    Returns
    -------
    mb : ndarray of shape (d,)
        Mean of the barycenter.
    Cb : ndarray of shape (d, d)
        Its covariance.

    Examples
    --------
    >>> import numpy as np
    >>> import lbw
    >>> x = np.random.default_rng(0).normal(size=(100, 2))
    >>> mean, _ = lbw.empirical_bures_wasserstein_barycenter([x, x + 2])
    >>> bool(np.allclose(mean, x.mean(axis=0) + 1))
    True
    """
    samples = list(X)
    sample_weights = [None] * len(samples) if w is None else w
    for i, x in enumerate(samples):
        names = ("X[0]", f"X[{i}]")
        refuse_other_names(samples[0], x, names, "empirical_bures_wasserstein_barycenter")
    moments = [
        _gaussian_of(x, reg, own, bias, f"X[{i}]")
        for i, (x, own) in enumerate(zip(samples, sample_weights, strict=True))
    ]
    return bures_wasserstein_barycenter(
        np.array([mean for mean, _ in moments]),
        np.array([covariance for _, covariance in moments]),
        weights,
        num_iter=num_iter,
        eps=eps,
        log=log,
    )


def _stacked(
    means: ArrayLike, covariances: ArrayLike, mean_name: str, covariance_name: str
) -> tuple[FloatArray, FloatArray]:
    if np.ndim(means) == 1:
        mean = as_doubles(means, mean_name, ndim=1)
        covariance = as_doubles(covariances, covariance_name, ndim=2)
        return mean[None, :], covariance[None, :, :]
    return as_doubles(means, mean_name, ndim=2), as_doubles(covariances, covariance_name, ndim=3)


def _weights_of(weights: ArrayLike | None, n: int) -> FloatArray:
    if weights is None:
        return np.full(n, 1.0 / n)
    return as_doubles(weights, "weights", ndim=1)


def _gaussian_of(
    x: ArrayLike, reg: float, weights: ArrayLike | None, bias: bool, name: str
) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the covariance of a sample."""
    samples = as_doubles(x, name, ndim=2)
    n, d = samples.shape
    if not (np.isfinite(reg) and reg >= 0.0):
        raise ValueError(f"reg is {reg!r}, expected a finite number >= 0")
    shares = (
        np.full(n, 1.0 / n)
        if weights is None
        else checked_weights(weights, f"the weights of {name}", n)
    )
    shares = shares / shares.max()  # so that the sum does not overflow
    shares = shares / shares.sum()
    mean = shares @ samples if bias else np.zeros(d)
    centered = samples - mean
    return mean, (centered * shares[:, None]).T @ centered + reg * np.eye(d)


public(globals(), "lbw")

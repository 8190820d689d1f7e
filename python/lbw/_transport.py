# SPDX-License-Identifier: MIT
"""One sample onto another, in one line."""

from __future__ import annotations

import warnings
from typing import Any

from numpy.typing import ArrayLike

from . import _core
from ._arrays import as_samples
from ._carry import carry
from ._keys import keys_given
from ._options import core_name, n_threads_of, seed_of

__all__ = ["transport"]

_DEFAULTS = _core.TransportOptions()


def transport(
    Xs: ArrayLike,
    Xt: ArrayLike,
    n_components: int = 10,
    *,
    covariance_type: str = "full",
    covariance_floor: float = _DEFAULTS.mixture.covariance_floor,
    relative_covariance_floor: float = _DEFAULTS.mixture.relative_covariance_floor,
    coupling: str = _DEFAULTS.coupling,
    cost: str = _DEFAULTS.cost,
    map: str = "soft",
    amount: float = 1.0,
    key: Any = None,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> Any:
    """Transport one sample onto another.

    `LocalTransport` keeps the fit and transports new samples too.

    Parameters
    ----------
    Xs : array-like of shape (n_source, n_features)
        The samples to transport.
    Xt : array-like of shape (n_target, n_features)
        The samples to transport them to.
    n_components : int, default=10
        Components of both mixtures.
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        What components share or leave out of their covariances.
    covariance_floor : float, default=1e-6
        Added to the diagonal of every covariance, in squared units of the data.
    relative_covariance_floor : float, default=0.0
        Regularization relative to each feature's variance over both samples: this fraction of it is
        added too. Unlike `covariance_floor`, it does not depend on the units.
    coupling, cost
        As in `LocalTransport`.
    map : {"hard", "soft", "random"}, default="soft"
        As in `LocalTransport`: "soft" keeps neighbours together and gives smooth pictures, "random"
        comes closest to the distribution of `Xt`.
    amount : float, default=1.0
        Interpolation parameter: 0 leaves the samples where they are, 1 transports them fully.
    key : array-like of shape (n_source,), default=None
        An identifier of every row of `Xs`, a whole number or a text: random draws depend on it
        besides the values. If None, equal rows are numbered.
    random_state : int, RandomState instance or None, default=None
        Seed. If None, a fixed default seed is used, so results are reproducible.
    n_jobs : int or None, default=None
        Threads; None and -1 use all cores.

    Returns
    -------
    transported : ndarray of shape (n_source, n_features)
        The transported samples.

    Examples
    --------
    >>> import numpy as np
    >>> import lbw
    >>> rng = np.random.default_rng(0)
    >>> Xs, Xt = rng.normal(0, 1, (500, 2)), rng.normal(5, 2, (500, 2))
    >>> lbw.transport(Xs, Xt, n_components=2).mean(axis=0).round(1)
    array([5.1, 4.9])
    """
    source, target = as_samples(Xs, "Xs"), as_samples(Xt, "Xt")
    options = _core.TransportOptions()
    mixture = _core.MixtureOptions()
    mixture.n_components = int(n_components)
    mixture.covariance_type = core_name(covariance_type)
    mixture.covariance_floor = covariance_floor
    mixture.relative_covariance_floor = relative_covariance_floor
    mixture.seed = seed_of(random_state)
    mixture.n_threads = n_threads_of(n_jobs)
    options.mixture = mixture
    options.coupling, options.cost, options.map = coupling, cost, map
    model = _core.fit_transport(["Xs", "Xt"], [source, target], options)
    for text in _core.fit_warnings(model):
        warnings.warn(text, UserWarning, stacklevel=2)
    along = _core.map_between(model, "Xs", "Xt", amount)
    keys = None if key is None else keys_given(key, len(source))
    return carry(along, source, mixture.n_threads, keys)

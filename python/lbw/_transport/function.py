# SPDX-License-Identifier: MIT
"""One sample onto another, in one line."""

from __future__ import annotations

import warnings
from typing import Any

from numpy.typing import ArrayLike

from .. import _core
from .._input.arrays import as_samples
from .._input.keys import keys_given
from .._input.tables import refuse_other_names
from .._input.user_level import user_level
from .._options.checked import check_arguments
from .._options.names import core_name, n_threads_of, seed_of
from .._options.option import COUNT, FRACTION, options_of
from .._options.presented import documented, public
from .._options.transport import LocalTransportParameters as Defaults
from .maps import apply_map

__all__ = ["transport"]

# The values that each argument allows, those of LocalTransport unless they differ here.
_ALLOWED = {name: own.allowed for name, own in options_of(Defaults).items()} | {
    "n_components": (COUNT,),
    "amount": (FRACTION,),
}


@documented(Defaults)
def transport(
    Xs: ArrayLike,
    Xt: ArrayLike,
    n_components: int = Defaults.n_components,
    *,
    covariance_type: str = Defaults.covariance_type,
    covariance_floor: float = Defaults.covariance_floor,
    relative_covariance_floor: float = Defaults.relative_covariance_floor,
    coupling: str = Defaults.coupling,
    cost: str = Defaults.cost,
    map: str = Defaults.map,
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
        The number of components of both mixtures. `LocalTransport` can select it by a criterion.
    {covariance_type}
    {covariance_floor}
    {relative_covariance_floor}
    {coupling}
    {cost}
    {map}
    amount : float, default=1.0
        Interpolation parameter: 0 leaves the samples where they are, 1 transports them fully.
    key : array-like of shape (n_source,), default=None
        An identifier of every row of `Xs`, a whole number or a text: random draws depend on it
        besides the values. If None, equal rows are numbered.
    {random_state}
    {n_jobs}

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
    values = locals()
    if isinstance(n_components, str):
        raise ValueError(
            f"transport: n_components is {n_components!r}, expected a whole number >= 1. To select "
            "it by a criterion such as 'bic', use LocalTransport."
        )
    check_arguments("transport", {n: _ALLOWED[n] for n in values if n in _ALLOWED}, values)
    refuse_other_names(Xs, Xt, ("Xs", "Xt"), "transport")
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
        warnings.warn(text, UserWarning, stacklevel=user_level())
    along = _core.map_between(model, "Xs", "Xt", amount, mixture.n_threads)
    keys = None if key is None else keys_given(key, len(source))
    return apply_map(along, source, mixture.n_threads, keys)


public(globals(), "lbw")

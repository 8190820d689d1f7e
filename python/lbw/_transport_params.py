# SPDX-License-Identifier: MIT
"""Between the parameters of LocalTransport and what the core and its files hold."""

from __future__ import annotations

import json
from numbers import Integral, Real
from typing import Any

import numpy as np

from . import _core
from ._arrays import FloatArray
from ._labels import rows_with
from ._options import em_options, sklearn_name

__all__ = [
    "amounts_over",
    "core_options",
    "dither_widths",
    "params_of",
    "place_in",
    "set_numbers",
    "weights_over",
]


def core_options(estimator: Any, groups: Any) -> _core.TransportOptions:
    """Give the core's options for the parameters of an estimator and its groups."""
    mixture = em_options(estimator)
    mixture.covariance_floor = estimator.covariance_floor
    mixture.relative_covariance_floor = estimator.relative_covariance_floor
    mixture.shrinkage = str(estimator.shrinkage)
    options = _core.TransportOptions()
    options.mixture = mixture
    set_numbers(options, n_components_of(estimator.n_components, groups))
    options.coupling = estimator.coupling
    options.cost = estimator.cost
    options.map = estimator.map
    options.dither = str(estimator.dither)
    options.scale_features = bool(estimator.scale_features)
    options.refine = int(estimator.refine)
    options.group_shrinkage = str(estimator.group_shrinkage)
    options.small_groups = estimator.small_groups
    if estimator.refine_weights is not None:
        options.refine_weights = weights_over(groups, estimator.refine_weights).tolist()
    return options


def set_numbers(options: _core.TransportOptions, numbers: list[int]) -> None:
    """Set the number of components of every group."""
    options.n_components_per_group = numbers
    if numbers:
        options.mixture.n_components = numbers[0]


def n_components_of(n_components: Any, groups: Any) -> list[int]:
    """Give the number of components of every group."""
    labels = groups.tolist()
    if isinstance(n_components, str):
        return []  # chosen later, by that criterion
    if isinstance(n_components, Integral):
        return [int(n_components)] * len(labels)
    if isinstance(n_components, dict):
        missing = [label for label in labels if label not in n_components]
        if missing or len(n_components) != len(labels):
            raise ValueError(
                f"n_components names {list(n_components)}, expected the groups {labels}"
            )
        return [int(n_components[label]) for label in labels]
    numbers = [int(number) for number in n_components]
    if len(numbers) != len(labels):
        raise ValueError(f"n_components has {len(numbers)} numbers for {len(labels)} groups")
    return numbers


def place_in(groups: Any, label: Any, name: str) -> int:
    """Give the position of a label among those of the fit."""
    found = np.flatnonzero(rows_with(groups, label))
    if len(found) == 0:
        raise ValueError(
            f"{name}: group {label!r} was not seen in fit, expected one of {groups.tolist()}"
        )
    return int(found[0])


def amounts_over(groups: Any, amount: Any) -> list[float]:
    """Give the amount of every group; a dict may leave out groups of amount 1."""
    labels = groups.tolist()
    if isinstance(amount, dict):
        strange = [label for label in amount if label not in labels]
        if strange:
            raise ValueError(f"amount names the groups {strange}, expected some of {labels}")
    else:
        amount = dict.fromkeys(labels, amount)
    amounts = [amount.get(label, 1.0) for label in labels]
    for label, value in zip(labels, amounts, strict=True):
        if not isinstance(value, Real) or not 0.0 <= float(value) <= 1.0:
            raise ValueError(
                f"amount of group {label!r} is {value!r}, expected a number from 0 to 1"
            )
    return [float(value) for value in amounts]


def params_of(model: _core.TransportModel) -> dict[str, Any]:
    """Give the parameters that a model was fitted with, as far as its file keeps them."""
    options = model.mixture_options
    numbers = [len(mixture.weights) for mixture in model.mixtures]
    params = {
        "n_components": numbers[0] if len(set(numbers)) == 1 else numbers,
        "coupling": model.coupling,
        "cost": model.cost,
        "map": model.map,
        "scale_features": model.scale_features,
        "refine": model.refine,
        "relative_covariance_floor": options.relative_covariance_floor,
        "shrinkage": options.shrinkage if options.shrinkage == "auto" else float(options.shrinkage),
        "covariance_type": sklearn_name(options.covariance_type),
        "covariance_floor": options.covariance_floor,
        "n_init": options.n_init,
        "tol": options.tolerance,
        "max_iter": options.max_iterations,
        "start_samples": options.start_samples,
        "precision": options.precision,
        "random_state": options.seed,
    }
    kept: dict[str, Any] = json.loads(model.notes.get("parameters", "{}"))
    return params | kept


def dither_widths(model: _core.TransportModel) -> FloatArray:
    """Give the width of the noise of every feature, the widest where they differ by value."""
    if len(model.dither):
        return model.dither
    n_features: int = model.mixtures[0].means.shape[1]
    cells = model.dither_cells or [np.empty((0, 2))] * n_features
    return np.array([np.ptp(bounds, axis=1).max(initial=0.0) for bounds in cells])


def weights_over(groups: Any, weights: Any) -> FloatArray:
    """Give the weights of a barycenter, one per group, divided by their sum; None is equal ones."""
    labels = groups.tolist()
    n_groups = len(labels)
    if weights is None:
        return np.full(n_groups, 1.0 / n_groups)
    if isinstance(weights, dict):
        strange = [label for label in weights if label not in labels]
        if strange:
            raise ValueError(f"weights name the groups {strange}, expected some of {labels}")
        weights = [weights.get(label, 0.0) for label in labels]
    try:
        array = np.ascontiguousarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"{weights!r} is neither a group, one of {labels}, nor a weight for each of them"
        ) from None
    if array.shape != (n_groups,):
        raise ValueError(
            f"weights have the shape {array.shape}, expected ({n_groups},): one per group, in "
            f"the order of groups_, {labels}"
        )
    if not ((array >= 0.0) & np.isfinite(array)).all() or not array.any():
        raise ValueError(
            f"weights are {array.tolist()}, expected finite numbers >= 0, at least one above 0"
        )
    return _core.normalized_weights(array)

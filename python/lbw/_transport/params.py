# SPDX-License-Identifier: MIT
"""Between the parameters of LocalTransport and what the core and its files hold."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from .. import _core
from .._input.arrays import FloatArray, refuse_masked
from .._input.labels import LabelArray, names_of, rows_with
from .._input.texts import core_feature_names
from .._options.checked import whole_number
from .._options.core import core_options

__all__ = [
    "amounts_over",
    "dither_widths",
    "options_for",
    "place_in",
    "set_numbers",
    "weights_over",
]


def options_for(estimator: Any, groups: LabelArray) -> _core.TransportOptions:
    """Return the core's options for the parameters of a LocalTransport and its groups."""
    options = core_options(estimator)
    set_numbers(options, n_components_of(estimator.n_components, groups))
    if estimator.refine_weights is not None:
        options.refine_weights = weights_over(groups, estimator.refine_weights).tolist()
    if estimator.reference is not None:
        options.reference = names_of(groups)[place_in(groups, estimator.reference, "reference")]
    options.feature_names = core_feature_names(estimator)
    return options


def set_numbers(options: _core.TransportOptions, numbers: list[int]) -> None:
    """Set the number of components of every group."""
    options.n_components_per_group = numbers
    if numbers:
        options.mixture.n_components = numbers[0]


def n_components_of(n_components: Any, groups: Any) -> list[int]:
    """Return the number of components of every group."""
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
        numbers = [n_components[label] for label in labels]
    else:
        numbers = list(n_components)
    if len(numbers) != len(labels):
        raise ValueError(
            f"n_components has {len(numbers)} numbers for {len(labels)} groups, expected one per "
            f"group in the order {labels}"
        )
    return [
        whole_number(number, f"n_components of group {label!r}", least=1)
        for label, number in zip(labels, numbers, strict=True)
    ]


def place_in(groups: Any, label: Any, name: str) -> int:
    """Return the position of a label among those of the fit."""
    labels = groups.tolist()
    if type(label) is str and label in labels:
        return int(labels.index(label))
    found = np.flatnonzero(rows_with(groups, label))
    if len(found) == 0:
        raise ValueError(f"{name}: group {label!r} was not seen in fit, expected one of {labels}")
    return int(found[0])


def amounts_over(groups: Any, amount: Any) -> list[float]:
    """Return the amount of every group; a dict may leave out groups of amount 1."""
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


def dither_widths(model: _core.TransportModel) -> FloatArray:
    """Return the width of the noise of every feature, the widest where they differ by value."""
    if len(model.dither):
        return model.dither
    n_features: int = model.mixtures[0].means.shape[1]
    cells = model.dither_cells
    if not cells:
        return np.zeros(n_features)
    return np.array([np.ptp(bounds, axis=1).max(initial=0.0) for bounds in cells])


def refined_weights(weights: FloatArray, model: _core.TransportModel) -> FloatArray:
    """Return weights of a barycenter; raise if a model was refined for others."""
    if not model.refine or np.allclose(weights, model.refine_weights, rtol=0.0, atol=1e-9):
        return weights
    raise ValueError(
        f"the weights of the barycenter are {weights.tolist()}, but fit refined the maps for "
        f"{list(model.refine_weights)}. Fit again with these weights, or with refine=0."
    )


def weights_over(
    groups: LabelArray, weights: Any, model: _core.TransportModel | None = None
) -> FloatArray:
    """Return the weights of a barycenter, one per group, divided by their sum.

    None stands for the weights that the model was refined for, and for equal ones otherwise.
    """
    labels = groups.tolist()
    n_groups = len(labels)
    if weights is None:
        if model is not None and model.refine:
            return np.array(model.refine_weights)
        return np.full(n_groups, 1.0 / n_groups)
    if isinstance(weights, dict):
        strange = [label for label in weights if label not in labels]
        if strange:
            raise ValueError(f"weights name the groups {strange}, expected some of {labels}")
        weights = [weights.get(label, 0.0) for label in labels]
    refuse_masked(weights, "weights")
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

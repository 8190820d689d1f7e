# SPDX-License-Identifier: MIT
"""The choice of a number of components: the numbers to try, the curves, the one for all groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._input.arrays import FloatArray

__all__ = [
    "common_number",
    "numbers_to_try",
    "refuse_weights",
    "selection_of_groups",
    "selection_table",
]

# name in a table -> name in the core
_FIELDS = {
    "n_components": "n_components",
    "mean_log_likelihood": "mean_log_likelihood",
    "aic": "aic",
    "bic": "bic",
    "heldout_log_likelihood": "heldout_log_likelihood",
    "n_iter": "iterations",
    "converged": "converged",
}


def numbers_to_try(n_components_range: Iterable[int] | None) -> list[int]:
    """Return the numbers of components to choose from: 1 to 10 unless others are given."""
    given = list(range(1, 11) if n_components_range is None else n_components_range)
    if not given or not all(isinstance(k, Integral) and k >= 1 for k in given):
        raise ValueError(f"n_components_range holds {given}, expected whole numbers >= 1")
    return [int(k) for k in given]


def refuse_weights(criterion: str, weights: Any) -> None:
    """Refuse sample weights: criteria count samples."""
    if weights is not None:
        raise ValueError(
            f"n_components={criterion!r} does not support sample_weight. Give a number of "
            "components to fit weighted samples."
        )


def selection_table(curve: Sequence[_core.SelectionPoint]) -> dict[str, NDArray[Any]]:
    """Return a curve by columns, without held-out likelihoods where nothing was held out."""
    held_out = curve[0].heldout_log_likelihood is not None
    return {
        name: np.array([getattr(point, field) for point in curve])
        for name, field in _FIELDS.items()
        if held_out or name != "heldout_log_likelihood"
    }


def selection_of_groups(groups: Any, results: list[_core.SelectionResult]) -> dict[str, Any]:
    """Return the curves of all groups in one table, with the group of every row."""
    tables = [selection_table(result.curve) for result in results]
    table = {"group": np.repeat(groups, [len(result.curve) for result in results])}
    return table | {name: np.concatenate([t[name] for t in tables]) for name in tables[0]}


def common_number(
    results: list[_core.SelectionResult], criterion: str, n_samples: Sequence[int]
) -> int:
    """Return the number at which the criterion of all groups together is least.

    AIC and BIC are summed over the groups, held-out likelihoods over their samples; the smaller
    number of equals.
    """
    tables = [selection_table(result.curve) for result in results]
    total: FloatArray = np.zeros(len(tables[0]["aic"]))
    for table, n in zip(tables, n_samples, strict=True):
        total += (
            -n * table["heldout_log_likelihood"] if criterion == "heldout" else table[criterion]
        )
    tried = tables[0]["n_components"]
    return int(tried[total == total.min()].min())

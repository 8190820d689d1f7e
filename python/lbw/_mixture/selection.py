# SPDX-License-Identifier: MIT
"""The choice of a number of components: the numbers to try, the curves, the one for all groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._batches.sources import RowSource
from .._input.arrays import FloatArray, SampleArray
from .._input.row_draws import bits_of_rows
from .._options.option import LARGEST_COUNT

__all__ = [
    "common_number",
    "copies_warning",
    "most_components",
    "numbers_to_try",
    "refuse_more_components",
    "refuse_weights",
    "selection_of_groups",
    "selection_table",
]

_MANY_COPIES = 0.1  # of the samples
_MOST_FETCHED = 1 << 16  # rows of a source
_FEW_VALUES = 0.03  # of the samples: columns with fewer values have equal rows by nature

_FIELDS = (
    "n_components",
    "mean_log_likelihood",
    "aic",
    "bic",
    "heldout_log_likelihood",
    "iterations",
    "converged",
)


def numbers_to_try(
    n_components_range: Iterable[int] | None, most: int = LARGEST_COUNT
) -> list[int]:
    """Return the numbers of components to choose from.

    Unless others are given, they are 1 to 10, and no more than `most`.
    """
    usual = range(1, min(10, max(1, most)) + 1)
    given = list(usual if n_components_range is None else n_components_range)
    if not given or not all(isinstance(k, Integral) and 1 <= k <= LARGEST_COUNT for k in given):
        raise ValueError(
            f"n_components_range holds {given}, expected whole numbers >= 1 and <= {LARGEST_COUNT}"
        )
    return [int(k) for k in given]


def most_components(criterion: str, n_samples: int) -> int:
    """Return the largest number of components that a criterion can compare."""
    return n_samples - n_samples // 5 if criterion == "heldout" else n_samples


def refuse_more_components(criterion: str, numbers: list[int], n_samples: int, where: str) -> None:
    """Refuse to compare more components than there are samples."""
    most = most_components(criterion, n_samples)
    if max(numbers) > most:
        held_out = f", {n_samples - most} of them held out" if most < n_samples else ""
        raise ValueError(
            f"n_components={criterion!r} compares up to {max(numbers)} components, but {where} has "
            f"{n_samples} samples{held_out}. Set n_components_range to numbers up to {most}, as "
            f"range(1, {most + 1}), or give more samples."
        )


def refuse_weights(criterion: str, weighted: bool) -> None:
    """Refuse weights of rows that are not in memory."""
    if weighted:
        raise ValueError(
            f"n_components={criterion!r} does not support weights of batches, only of arrays and "
            "tables. Give a number of components to fit weighted batches."
        )


def copies_warning(criterion: str, parts: Sequence[SampleArray]) -> str | None:
    """Return a warning if held-out samples are copies of samples of the fit."""
    if criterion != "heldout":
        return None
    n_samples = sum(len(part) for part in parts)
    n_copies = 0
    for part in parts:
        n_distinct = len(np.unique(bits_of_rows(part, 0)))
        if n_distinct == len(part):
            continue
        n_values = max(len(np.unique(column)) for column in part.T)
        n_copies += len(part) - n_distinct if n_values > _FEW_VALUES * len(part) else 0
    if n_copies <= _MANY_COPIES * n_samples:
        return None
    return (
        f"{n_copies} of {n_samples} samples are copies of others, so held-out samples are among "
        "those of the fit, and n_components='heldout' selects too many components. Give distinct "
        "samples and their numbers of copies as sample_weight, or a number of components."
    )


def copies_warning_of_sources(criterion: str, sources: Sequence[RowSource]) -> str | None:
    """Return the warning of `copies_warning` for sources that are small enough to be fetched."""
    if criterion != "heldout":
        return None
    sizes = [own.summary()["n_samples"] for own in sources]
    parts = [
        own.rows(np.arange(size))[0]
        for own, size in zip(sources, sizes, strict=True)
        if size <= _MOST_FETCHED
    ]
    return copies_warning(criterion, parts) if parts else None


def selection_table(curve: Sequence[_core.SelectionPoint]) -> dict[str, NDArray[Any]]:
    """Return a curve by columns, without held-out likelihoods where nothing was held out."""
    held_out = curve[0].heldout_log_likelihood is not None
    return {
        name: np.array([getattr(point, name) for point in curve])
        for name in _FIELDS
        if held_out or name != "heldout_log_likelihood"
    }


def selection_of_groups(groups: Any, results: list[_core.SelectionResult]) -> dict[str, Any]:
    """Return the curves of all groups in one table, with the group of every row."""
    tables = [selection_table(result.curve) for result in results]
    table = {"group": np.repeat(groups, [len(result.curve) for result in results])}
    return table | {name: np.concatenate([t[name] for t in tables]) for name in tables[0]}


def common_number(
    results: list[_core.SelectionResult], criterion: str, n_samples: Sequence[float]
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

# SPDX-License-Identifier: MIT
"""Warning of columns that hardly differ between groups before a repair, and do after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import FloatArray
from .._input.fit_rows import FitRows, effective_size
from .._input.labels import rows_with
from .check_rows import group_sizes, largest_groups, rows_to_check

__all__ = ["new_differences_text"]

_MOST_NAMED = 5
_LEAST_RISE = 0.05  # of the Kolmogorov-Smirnov distance, which also has to double
_LIMIT = 1.5 * 1.63  # 1.63 sqrt(1/m + 1/n) is the 99 % quantile of m and n equal samples


class _Groups(NamedTuple):
    """The group of every row, its weight, and the effective sizes of the groups."""

    labels: list[Any]
    codes: NDArray[np.intp]
    weights: FloatArray
    sizes: FloatArray


def new_differences_text(repair: Any, rows: FitRows) -> str:
    """Name columns whose group difference comes from the repair; "" if there are none."""
    sizes = group_sizes(repair.transport_.groups_.tolist(), rows)
    labels = largest_groups({label: size for label, size in sizes.items() if size > 0})
    some = rows.at(rows_to_check(rows.labels, labels, repair.check_samples // 2))
    repaired = repair.transport_._by_group(
        some.X, some.labels, repair.weights, repair.amount, "error", some.keys
    )
    found = []
    groups = _groups_of(some, labels)
    for name, before, after in zip(repair._repaired_names(), some.X.T, repaired.T, strict=True):
        found += [f"{name!r} ({text})" for text in _rises(before, after, groups)]
    return _text(found, repair.group_shrinkage) if found else ""


def _groups_of(rows: FitRows, labels: list[Any]) -> _Groups:
    codes = np.zeros(len(rows.labels), dtype=np.intp)
    weights = np.ones(len(codes)) if rows.weights is None else rows.weights / rows.weights.max()
    sizes = np.zeros(len(labels))
    for code, label in enumerate(labels):
        own = rows_with(rows.labels, label)
        codes[own] = code
        sizes[code] = effective_size(weights[own])
    return _Groups(labels, codes, weights, sizes)


def _rises(before: FloatArray, after: FloatArray, groups: _Groups) -> Iterator[str]:
    """Describe the pair of groups that differ most after the repair, if they did not before."""
    if before.min() == before.max():
        return
    unit = _rounding(before)
    shares = _shares(after, unit, groups)
    first, second = _pair(shares, groups.sizes)
    now = float(np.abs(shares[first] - shares[second]).max())
    if now <= _LIMIT * np.sqrt(1.0 / groups.sizes[first] + 1.0 / groups.sizes[second]):
        return
    shares = _shares(before, unit, groups)
    earlier = float(np.abs(shares[first] - shares[second]).max())
    if now > earlier + max(earlier, _LEAST_RISE):
        names = " and ".join(repr(groups.labels[code]) for code in sorted((first, second)))
        yield f"groups {names}: {earlier:.2f} before, {now:.2f} after"


def _rounding(column: FloatArray) -> float:
    """Return the unit to which values are rounded, so that rounding errors do not count."""
    largest = float(np.abs(column).max())
    return 1e-6 * float(column.std(dtype=np.float64)) + 8.0 * float(np.spacing(largest))


def _shares(column: FloatArray, unit: float, groups: _Groups) -> FloatArray:
    """Return the distribution function of every group at all distinct values of the column."""
    values = np.rint(column / unit)
    order = np.argsort(values, kind="stable")
    last = np.append(np.flatnonzero(np.diff(values[order])), len(order) - 1)
    codes, weights = groups.codes[order], groups.weights[order]
    passed = np.stack(
        [np.cumsum(np.where(codes == g, weights, 0.0))[last] for g in range(len(groups.sizes))]
    )
    shares: FloatArray = passed / passed[:, -1:]
    return shares


def _pair(shares: FloatArray, sizes: FloatArray) -> tuple[int, int]:
    """Return the two groups whose distance exceeds sampling noise most."""
    noise = _LIMIT / np.sqrt(sizes)[:, np.newaxis]
    above, below = shares - noise, shares + noise
    place = int(np.argmax(above.max(axis=0) - below.min(axis=0)))
    return int(np.argmax(above[:, place])), int(np.argmin(below[:, place]))


def _text(found: list[str], group_shrinkage: Any) -> str:
    more = len(found) - _MOST_NAMED
    named = ", ".join(found[:_MOST_NAMED]) + (f" and {more} more columns" if more > 0 else "")
    shrink = "" if group_shrinkage == 1 else "set group_shrinkage=1, "
    return (
        "The repair makes groups differ in columns in which they hardly differed. Their "
        f"Kolmogorov-Smirnov distances are, by column: {named}. This happens if rows are few and "
        "values lie in separate clusters, such as a code like -999 for missing values, or have "
        "heavy tails. Leave such a column out, replace a code by a typical value and an indicator "
        f"column, take logarithms, set n_components=5, {shrink}or give more rows. "
        "check_samples=0 disables this warning."
    )

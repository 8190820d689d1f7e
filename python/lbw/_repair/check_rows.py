# SPDX-License-Identifier: MIT
"""Groups and rows of the check of a repair: which are fitted and which are held out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import SampleArray
from .._input.fit_rows import FitRows
from .._input.labels import LabelArray, rows_with

__all__ = [
    "LARGE",
    "LEAST_ROWS",
    "RowArray",
    "Split",
    "distinct_rows",
    "folds_of",
    "group_sizes",
    "largest_groups",
    "rows_to_check",
    "splits_of",
]

LEAST_ROWS = 200  # of a group: half are fitted, a tenth tests each tree
LARGE = 2000  # held-out rows from which on one half of them is enough for a tree

_MOST_GROUPS = 20
_SPARSE = 20  # steps of the finest grid to a value, where columns are continuous
_HEAP = 50  # equal rows that are a common value, such as 0, instead of copies

RowArray = NDArray[np.int64]
Split = tuple[RowArray, RowArray]  # rows to fit, rows held out


def group_sizes(labels: list[Any], rows: FitRows) -> dict[Any, int]:
    """Return the number of rows of every group; groups without any weight count as empty."""
    sizes = {}
    for label in labels:
        own = rows.labelled.of(label)
        weights = rows.weights_of(own)
        n_rows = own.stop - own.start if isinstance(own, slice) else len(own)
        sizes[label] = n_rows if weights is None or weights.any() else 0
    return sizes


def largest_groups(sizes: dict[Any, int], last: Sequence[Any] = ()) -> list[Any]:
    """Return the groups with the most rows, in the order of `sizes`, so that a check stays fast.

    Groups in `last` are only taken if there are too few others.
    """
    largest = sorted(sizes, key=lambda label: (label in last, -sizes[label]))[:_MOST_GROUPS]
    return [label for label in sizes if label in largest]


def rows_to_check(labels: LabelArray, groups: list[Any], max_samples: int) -> RowArray:
    """Return the rows of the groups, or random ones if they are more than a check uses."""
    rng = np.random.default_rng(1)
    fraction = min(1.0, 2.0 * max_samples / len(labels))
    parts = []
    for group in groups:
        rows = np.flatnonzero(rows_with(labels, group))
        size = max(2 * LEAST_ROWS, round(fraction * len(rows)))
        parts.append(rows if size >= len(rows) else rng.permutation(rows)[:size])
    return np.sort(np.concatenate(parts))


def distinct_rows(X: SampleArray, labels: LabelArray) -> RowArray:
    """Give every row a number, the same to rows of a group that are copies of each other.

    Copies have equal values in all continuous columns of the group. Columns of whole numbers or
    categories repeat by chance, so that rows without a continuous column have no copies.
    """
    numbers = np.zeros(len(X), dtype=np.int64)
    first = 0
    for label in np.unique(labels).tolist():
        rows = np.flatnonzero(rows_with(labels, label))
        own = _numbers_in_group(X[rows])
        numbers[rows] = first + own
        first += int(own.max()) + 1
    return numbers


def _numbers_in_group(X: SampleArray) -> RowArray:
    continuous = [j for j in range(X.shape[1]) if _is_continuous(X[:, j])]
    plain = np.arange(len(X))
    if not continuous or len(np.unique(X[:, continuous[0]])) == len(X):
        return plain
    bits = np.ascontiguousarray(X[:, continuous] + 0.0)  # one zero, not two
    whole = bits.view(np.dtype((np.void, bits.itemsize * bits.shape[1]))).ravel()
    _, first, numbers, counts = np.unique(
        whole, return_index=True, return_inverse=True, return_counts=True
    )
    return np.where(counts[numbers] > _HEAP, plain, first[numbers])


def _is_continuous(column: Any) -> bool:
    """Return whether values use few places of the finest grid that holds them."""
    values = np.unique(column)
    if len(values) < 2:
        return False
    return bool(values[-1] - values[0] > _SPARSE * len(values) * np.diff(values).min())


def splits_of(
    labels: LabelArray, numbers: RowArray, groups: list[Any], max_samples: int
) -> list[Split]:
    """Return rows to fit and rows held out, in the groups' proportions, copies on one side.

    Half of the rows or half of `max_samples` are held out, and up to three times as many fitted.
    Small tables are split a second time, the other way round.
    """
    rng = np.random.default_rng(0)
    places = [_shuffled(rng, np.flatnonzero(rows_with(labels, g)), numbers) for g in groups]
    fraction = min(0.5, 0.5 * max_samples / len(labels))
    sizes = [max(LEAST_ROWS // 2, round(fraction * len(own))) for own in places]
    splits = [_split(places, sizes, numbers)]
    if sum(sizes) < LARGE:
        splits.append(_split([own[::-1] for own in places], sizes, numbers))
    return splits


def _shuffled(rng: np.random.Generator, rows: RowArray, numbers: RowArray) -> RowArray:
    """Shuffle the distinct rows; copies follow one another."""
    distinct, places = np.unique(numbers[rows], return_inverse=True)
    return rows[np.argsort(rng.permutation(len(distinct))[places], kind="stable")]


def _split(places: list[RowArray], sizes: list[int], numbers: RowArray) -> Split:
    held_out = np.concatenate([own[:size] for own, size in zip(places, sizes, strict=True)])
    others = np.concatenate([own[size : 4 * size] for own, size in zip(places, sizes, strict=True)])
    fitted = others[~np.isin(numbers[others], numbers[held_out])]
    return np.sort(fitted), np.sort(held_out)


def folds_of(labels: LabelArray, numbers: RowArray, n_folds: int) -> RowArray:
    """Return the fold of every row, in the groups' proportions, copies in one fold."""
    rng = np.random.default_rng(0)
    folds = np.zeros(len(labels), dtype=np.int64)
    for label in np.unique(labels).tolist():
        rows = np.flatnonzero(rows_with(labels, label))
        distinct, places = np.unique(numbers[rows], return_inverse=True)
        folds[rows] = rng.permutation(len(distinct))[places] % n_folds
    return folds

# SPDX-License-Identifier: MIT
"""Folds of the cross-fitting: stratified by group and class, with copies of a row in one fold."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from .._input.arrays import PlaceArray
from .._input.labels import LabelArray
from .._input.row_draws import bits_of_rows
from .._input.user_level import user_level

__all__ = ["Fold", "folds_of", "one_split"]

Fold = tuple[PlaceArray, PlaceArray]  # rows to fit, rows held out

_MOST_DIFFERING = 0.5  # copies in class or group, in parts of random rows
_FEW_DISTINCT = 0.1  # of all rows, fewer are typical of columns with few values
_FEWEST_DISTINCT = 0.02  # of all rows, fewer are no copies


def folds_of(
    cv: Any,
    X: Any,
    y: LabelArray,
    groups: LabelArray,
    *,
    seed: int,
    split_params: dict[str, Any],
    small_groups: str = "error",
) -> list[Fold]:
    """Return folds stratified by group and class if `cv` is a number, else those of `cv`."""
    if isinstance(cv, Integral):
        return _drawn_folds(int(cv), X, y, groups, seed, small_groups == "keep")
    splitter = check_cv(cv, y, classifier=True)
    return [(np.asarray(fit), np.asarray(out)) for fit, out in splitter.split(X, y, **split_params)]


def one_split(folds: list[Fold], n_samples: int) -> Fold:
    """Join the first half of the folds, rounded down: these rows are held out of a single fit."""
    held_out = np.zeros(n_samples, dtype=bool)
    left_out = np.zeros(n_samples, dtype=bool)
    for fit, out in folds[: max(1, len(folds) // 2)]:
        held_out[out] = True
        left_out |= np.bincount(fit, minlength=n_samples) == 0
    return np.flatnonzero(~left_out), np.flatnonzero(held_out)


def _drawn_folds(
    n_folds: int, X: Any, y: LabelArray, groups: LabelArray, seed: int, keep_small: bool
) -> list[Fold]:
    """Assign the rows to folds in turn, group by group and within a group class by class.

    Copies of a row are in one fold. Rows that are repeated equally often are assigned in turn.
    """
    for name, labels in (("class", y), ("group", groups)):
        if name == "group" and keep_small:
            continue
        values, counts = np.unique(labels, return_counts=True)
        if counts.min() < n_folds:
            rarest = values[np.argmin(counts)].item()
            raise ValueError(
                f"cv={n_folds} needs {n_folds} or more rows of every {name}, but {name} {rarest!r} "
                f"has {counts.min()}. Lower cv{_WAYS_OUT[name]}, or use a fitted classifier with "
                "cv='prefit'."
            )
    classes, members = (np.unique(labels, return_inverse=True)[1].ravel() for labels in (y, groups))
    shuffled = np.random.RandomState(seed).permutation(len(y))
    cases = _cases(X, classes, members)
    fold = _dealt(cases, classes, members, shuffled, n_folds)
    if cases.max() + 1 < len(y) and not _serve(fold, classes, members, n_folds):
        warnings.warn(
            "X holds copies of rows, but too few distinct rows of every group and class for "
            f"cv={n_folds} folds. Copies of a row are therefore in different folds, classifiers "
            "score rows that they have seen, and new scores may be far from parity. Give more "
            "distinct rows, or lower cv.",
            UserWarning,
            stacklevel=user_level(),
        )
        fold = _dealt(np.arange(len(y)), classes, members, shuffled, n_folds)
    return [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(n_folds)]


def _dealt(
    cases: PlaceArray,
    classes: PlaceArray,
    members: PlaceArray,
    shuffled: PlaceArray,
    n_folds: int,
) -> PlaceArray:
    """Return the fold of every row, with all rows of a case in one fold."""
    _, first, places, sizes = np.unique(
        cases, return_index=True, return_inverse=True, return_counts=True
    )
    fold = np.empty(len(first), dtype=np.intp)
    order = np.lexsort((shuffled[first], sizes, classes[first], members[first]))
    fold[order] = np.arange(len(first)) % n_folds
    dealt: PlaceArray = fold[places.ravel()]
    return dealt


def _serve(fold: PlaceArray, classes: PlaceArray, members: PlaceArray, n_folds: int) -> bool:
    """Return whether every fold has every group that is large enough, and leaves both classes."""
    for labels, held_out in ((members, True), (classes, False)):
        counts = np.zeros((n_folds, labels.max() + 1), dtype=np.intp)
        np.add.at(counts, (fold, labels), 1)
        if not held_out:
            counts = counts.sum(axis=0) - counts
        if (counts[:, np.bincount(labels) >= n_folds] == 0).any():
            return False
    return True


def _cases(X: Any, classes: PlaceArray, members: PlaceArray) -> PlaceArray:
    """Return the case of every row: copies of a row are one case.

    A classifier that has seen a copy of a row knows more about it than about a new row. Copies come
    from oversampling, or from several records of one person. In a table of columns with few values,
    however, equal rows are different cases, and new rows have been seen just as often. Class and
    group tell which it is, because copies agree in them. Equal rows count as copies if they differ
    in class or group less than half as often as random rows do. If less than a tenth of the rows
    are distinct, which is typical of columns with few values, the limit falls in proportion.
    """
    if getattr(X, "shape", (0, 1))[1:] == (0,):
        return np.arange(len(classes))  # no columns, which the classifier refuses
    places: PlaceArray = np.unique(bits_of_rows(X, 0), return_inverse=True)[1].ravel()
    counts = np.bincount(places)
    sizes = counts[places]  # equal rows of every row, itself included
    repeated = sizes > 1
    distinct = len(counts) / len(places)
    if not repeated.any() or distinct < _FEWEST_DISTINCT:
        return np.arange(len(places))
    labels = np.unique(classes + (classes.max() + 1) * members, return_inverse=True)[1].ravel()
    _, which, alike = np.unique(
        places * (labels.max() + 1) + labels, return_inverse=True, return_counts=True
    )
    differing = (sizes - alike[which.ravel()])[repeated] / (sizes[repeated] - 1)
    by_chance = 1.0 - float(((np.bincount(labels) / len(labels)) ** 2).sum())
    limit = _MOST_DIFFERING * min(1.0, distinct / _FEW_DISTINCT)
    return places if float(differing.mean()) < limit * by_chance else np.arange(len(places))


_WAYS_OUT = {"class": "", "group": ", join the group with another, set small_groups='keep'"}

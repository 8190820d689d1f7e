# SPDX-License-Identifier: MIT
"""Classifiers fitted to all folds but one, and their scores of the rows of that one."""

from __future__ import annotations

from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params

from ._arrays import FloatArray, PlaceArray
from ._binary_classifier import positive_scores
from ._labels import LabelArray
from ._tables import is_table, rows_of

__all__ = ["CrossFit", "check_held_out_once", "cross_fits", "folds_of"]

Fold = tuple[PlaceArray, PlaceArray]  # rows to fit, rows held out


class CrossFit(NamedTuple):
    """A fitted classifier, rows that it has not seen, and their scores."""

    classifier: Any
    rows: PlaceArray
    scores: FloatArray


def folds_of(
    cv: Any, X: Any, y: LabelArray, groups: LabelArray, *, seed: int, split_params: dict[str, Any]
) -> list[Fold]:
    """Give the folds: drawn by a number, in which every group and class has its share, or yours."""
    if isinstance(cv, Integral):
        return _drawn_folds(int(cv), y, groups, seed)
    splitter = check_cv(cv, y, classifier=True)
    return [(np.asarray(fit), np.asarray(out)) for fit, out in splitter.split(X, y, **split_params)]


def check_held_out_once(folds: list[Fold], n_samples: int) -> None:
    """Refuse folds that hold out a row twice or never."""
    times = np.bincount(np.concatenate([out for _, out in folds]), minlength=n_samples)
    if (times != 1).any():
        row = int(np.argmax(times != 1))
        raise ValueError(
            f"cv holds out row {row} (counted from 0) {times[row]} times, expected every row once; "
            "give a number of folds, or a splitter into parts such as StratifiedKFold"
        )


def cross_fits(
    classifier: Any,
    X: Any,
    y: LabelArray,
    folds: list[Fold],
    *,
    fit_params: dict[str, Any],
    predict_params: dict[str, Any],
    n_jobs: int | None,
) -> list[CrossFit]:
    """Fit a clone of the classifier without each fold, and let it score that fold."""
    return list(
        Parallel(n_jobs=n_jobs)(
            delayed(_cross_fit)(clone(classifier), X, y, fold, fit_params, predict_params)
            for fold in folds
        )
    )


def _cross_fit(
    classifier: Any,
    X: Any,
    y: LabelArray,
    fold: Fold,
    fit_params: dict[str, Any],
    predict_params: dict[str, Any],
) -> CrossFit:
    fit, out = fold
    own = _check_method_params(X, fit_params, indices=fit)
    classifier.fit(_rows_of(X, fit), y[fit], **own)
    params = _check_method_params(X, predict_params, indices=out)
    return CrossFit(classifier, out, positive_scores(classifier, _rows_of(X, out), params))


def _rows_of(X: Any, rows: PlaceArray) -> Any:
    return rows_of(X, rows) if is_table(X) else _safe_indexing(X, rows)


def _drawn_folds(n_folds: int, y: LabelArray, groups: LabelArray, seed: int) -> list[Fold]:
    """Deal the rows out like cards, group by group and in each class by class."""
    for name, labels in (("class", y), ("group", groups)):
        values, counts = np.unique(labels, return_counts=True)
        if counts.min() < n_folds:
            rarest = values[np.argmin(counts)].item()
            raise ValueError(
                f"cv={n_folds} needs {n_folds} rows or more of every {name}, {name} {rarest!r} has "
                f"{counts.min()}: lower cv{_WAYS_OUT[name]}, or give a classifier that is fitted "
                "already with cv='prefit'"
            )
    codes = [np.unique(labels, return_inverse=True)[1].ravel() for labels in (y, groups)]
    shuffled = np.random.RandomState(seed).permutation(len(y))
    fold = np.empty(len(y), dtype=np.intp)
    fold[np.lexsort((shuffled, *codes))] = np.arange(len(y)) % n_folds
    return [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(n_folds)]


_WAYS_OUT = {"class": "", "group": ", join the group with another"}

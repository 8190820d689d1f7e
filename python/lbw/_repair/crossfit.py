# SPDX-License-Identifier: MIT
"""Cross-fitting: classifiers fitted without a fold, and their scores of its rows."""

from __future__ import annotations

from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params

from .._input.arrays import FloatArray, PlaceArray
from .._input.labels import LabelArray
from .._input.tables import is_table, rows_of
from .binary_classifier import positive_scores

__all__ = ["CrossFit", "cross_fits", "folds_of", "one_split", "scores_of_rows"]

Fold = tuple[PlaceArray, PlaceArray]  # rows to fit, rows held out


class CrossFit(NamedTuple):
    """A fitted classifier, rows that it has not seen, and their scores."""

    classifier: Any
    rows: PlaceArray
    scores: FloatArray


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
        return _drawn_folds(int(cv), y, groups, seed, small_groups == "keep")
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
    return CrossFit(classifier, out, scores_of_rows(classifier, X, out, predict_params))


def scores_of_rows(
    classifier: Any, X: Any, rows: PlaceArray, predict_params: dict[str, Any]
) -> FloatArray:
    """Let a classifier score some rows of X."""
    params = _check_method_params(X, predict_params, indices=rows)
    return positive_scores(classifier, _rows_of(X, rows), params)


def _rows_of(X: Any, rows: PlaceArray) -> Any:
    return rows_of(X, rows) if is_table(X) else _safe_indexing(X, rows)


def _drawn_folds(
    n_folds: int, y: LabelArray, groups: LabelArray, seed: int, keep_small: bool
) -> list[Fold]:
    """Assign the rows to folds in turn, group by group and within a group class by class."""
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
    codes = [np.unique(labels, return_inverse=True)[1].ravel() for labels in (y, groups)]
    shuffled = np.random.RandomState(seed).permutation(len(y))
    fold = np.empty(len(y), dtype=np.intp)
    fold[np.lexsort((shuffled, *codes))] = np.arange(len(y)) % n_folds
    return [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(n_folds)]


_WAYS_OUT = {"class": "", "group": ", join the group with another, set small_groups='keep'"}

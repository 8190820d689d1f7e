# SPDX-License-Identifier: MIT
"""Cross-fitting: classifiers fitted without a fold, and their scores of its rows."""

from __future__ import annotations

from typing import Any, NamedTuple

from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params

from .._input.arrays import FloatArray, PlaceArray
from .._input.labels import LabelArray
from .._input.tables import is_table, rows_of
from .class_scores import class_scores
from .folds import Fold

__all__ = ["CrossFit", "cross_fits", "scores_of_rows"]


class CrossFit(NamedTuple):
    """A fitted classifier, rows that it has not seen, and their scores; see `class_scores`."""

    classifier: Any
    rows: PlaceArray
    scores: FloatArray


def cross_fits(
    classifier: Any,
    X: Any,
    y: LabelArray,
    folds: list[Fold],
    *,
    fit_params: dict[str, Any],
    predict_params: dict[str, Any],
    n_classes: int,
    n_jobs: int | None,
) -> list[CrossFit]:
    """Fit a clone of the classifier without each fold, and let it score that fold."""
    return list(
        Parallel(n_jobs=n_jobs)(
            delayed(_cross_fit)(
                clone(classifier), X, y, fold, fit_params, predict_params, n_classes
            )
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
    n_classes: int,
) -> CrossFit:
    fit, out = fold
    own = _check_method_params(X, fit_params, indices=fit)
    classifier.fit(_rows_of(X, fit), y[fit], **own)
    return CrossFit(classifier, out, scores_of_rows(classifier, X, out, predict_params, n_classes))


def scores_of_rows(
    classifier: Any, X: Any, rows: PlaceArray, predict_params: dict[str, Any], n_classes: int
) -> FloatArray:
    """Let a classifier score some rows of X."""
    params = _check_method_params(X, predict_params, indices=rows)
    return class_scores(classifier, _rows_of(X, rows), params, n_classes)


def _rows_of(X: Any, rows: PlaceArray) -> Any:
    return rows_of(X, rows) if is_table(X) else _safe_indexing(X, rows)

# SPDX-License-Identifier: MIT
"""Requirements of a repair of scores: classes, and a classifier that gives their probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from .._input.arrays import FloatArray, refuse_masked
from .._input.labels import LabelArray
from .._input.tables import to_array

__all__ = ["check_classifier", "class_scores", "class_targets"]


def check_classifier(classifier: Any, *, prefit: bool) -> None:
    """Refuse a classifier that is not fitted where it should be, or gives no probability."""
    name = type(classifier).__name__
    if prefit:
        try:
            check_is_fitted(classifier)
        except NotFittedError:
            raise NotFittedError(
                f"cv='prefit', but the {name} is not fitted. Fit it, or set cv to a number"
            ) from None
    if not hasattr(classifier, "predict_proba"):
        raise ValueError(
            f"{name} has no predict_proba, which ScoreRepair needs. Wrap it: "
            f"ScoreRepair(CalibratedClassifierCV({name}(...)))"
        )


def class_targets(y: Any, X: Any, name: str) -> LabelArray:
    """Check that y holds two or more classes, one per row of X."""
    if y is None:
        raise ValueError(f"{name} requires y to be passed, but the target y is None")
    refuse_masked(y, "y")
    labels = column_or_1d(to_array(y), warn=True)
    assert_all_finite(labels, input_name="y")
    check_consistent_length(X, labels)
    check_classification_targets(labels)
    classes = np.unique(labels)
    if len(classes) < 2:
        raise ValueError(f"y has a single class, {classes[0].item()!r}, expected two or more")
    return labels  # type: ignore[no-any-return]


def class_scores(
    classifier: Any, X: Any, predict_params: dict[str, Any], n_classes: int
) -> FloatArray:
    """Return the probability of the second of two classes, or those of all of more classes.

    They have the precision of the classifier.
    """
    probabilities = np.asarray(classifier.predict_proba(X, **predict_params))
    if probabilities.ndim != 2 or probabilities.shape[1] != n_classes:
        raise ValueError(
            f"predict_proba of {type(classifier).__name__} has the shape {probabilities.shape}, "
            f"expected {n_classes} columns, one per class. It was fitted with rows of other "
            "classes. Give a cv that leaves rows of every class to fit"
        )
    precision = probabilities.dtype if probabilities.dtype.kind == "f" else np.float64
    chosen = probabilities[:, 1] if n_classes == 2 else probabilities
    scores: FloatArray = np.array(chosen, dtype=precision)
    if not np.isfinite(scores).all():
        raise ValueError(f"predict_proba of {type(classifier).__name__} gave NaN or infinity")
    return scores

# SPDX-License-Identifier: MIT
"""How well repaired rows reveal their group: to a boosted tree, and to neighbours in a column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import FloatArray, SampleArray
from .._input.labels import LabelArray, rows_with
from .check_rows import LARGE, RowArray, folds_of

__all__ = ["group_auc", "repeating_columns"]

_MOST_DIRECTIONS = 4
_LEAST_LOG_RATIO = 0.7  # of variances: one is twice the other
_NEIGHBOURS = 5  # distinct rows around a value
_REPEATS = 0.9  # distinct values to a row of a group, fewer repeat


def group_auc(
    copies: list[SampleArray], labels: LabelArray, numbers: RowArray, columns: list[int]
) -> tuple[float, float]:
    """Return the largest AUC of a group against the others, of models that have not seen the rows.

    Every row has several copies, one for each draw of the dither. A boosted tree reads all columns
    and directions in which groups spread very differently. In `columns`, neighbours are
    compared too: values that are rounded more coarsely in one group lie on a grid that a tree does
    not resolve. The second number is the standard error of the AUC at chance, of the group that it
    is found for.
    """
    groups = np.unique(labels)
    n_folds = 3 if len(labels) >= LARGE else 5
    folds = folds_of(labels, numbers, n_folds)
    aucs = np.zeros((1 + len(columns), len(groups)))
    for fold in range(n_folds):
        train, test = (
            (np.vstack([own[rows] for own in copies]), np.tile(labels[rows], len(copies)))
            for rows in (folds != fold, folds == fold)
        )
        aucs[0] += _tree_aucs(train, test, groups)
        for place, column in enumerate(columns):
            window = _NEIGHBOURS * len(copies)
            aucs[1 + place] += _neighbour_aucs(train, test, groups, column, window)
    _, best = np.unravel_index(int(np.argmax(aucs)), aucs.shape)
    sizes = [len(np.unique(numbers[rows_with(labels, group)])) for group in groups.tolist()]
    own, others = sizes[best], sum(sizes) - sizes[best]
    noise = float(np.sqrt((own + others + 1) / (12.0 * own * others)))
    return float(aucs.max()) / n_folds, noise


def repeating_columns(X: SampleArray, labels: LabelArray) -> list[int]:
    """Return the columns in which values of some group repeat, as rounded ones do."""
    found: set[int] = set()
    for label in np.unique(labels).tolist():
        own = X[rows_with(labels, label)]
        limit = _REPEATS * len(own)
        found.update(j for j in range(X.shape[1]) if 2 < len(np.unique(own[:, j])) < limit)
    return sorted(found)


LabelledSamples = tuple[SampleArray, LabelArray]


def _tree_aucs(train: LabelledSamples, test: LabelledSamples, groups: LabelArray) -> FloatArray:
    """Return the AUC of every group against the others, of a boosted tree."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    tree = HistGradientBoostingClassifier(
        max_iter=25, learning_rate=0.2, max_leaf_nodes=15, early_stopping=False, random_state=0
    )
    directions = _directions(*train)
    with threadpool_limits(1, "openmp"):  # more wait for each other on so few rows
        tree.fit(np.hstack([train[0], train[0] @ directions]), train[1])
    scores = tree.predict_proba(np.hstack([test[0], test[0] @ directions]))
    return np.array([_auc(scores[:, i], test[1], g) for i, g in enumerate(groups.tolist())])


def _directions(X: SampleArray, labels: LabelArray) -> FloatArray:
    """Return directions in which the variance of a group is far from that of all rows.

    A relation between columns that holds in one group only is one column in such a direction, and
    many steps of a tree in the columns themselves.
    """
    from scipy.linalg import eigh

    n_features = X.shape[1]
    if n_features == 1:
        return np.zeros((1, 0))
    spread = X.std(axis=0, dtype=np.float64)
    spread[spread == 0.0] = 1.0
    scaled = (X - X.mean(axis=0)) / spread
    total = np.cov(scaled.T) + 1e-6 * np.eye(n_features)
    found: list[tuple[float, FloatArray]] = []
    for label in np.unique(labels).tolist():
        own = scaled[rows_with(labels, label)]
        ratios, vectors = eigh(np.cov(own.T) + 1e-6 * np.eye(n_features), total)
        logs = np.abs(np.log(ratios.clip(1e-12)))
        limit = _LEAST_LOG_RATIO + 2.0 * np.sqrt(n_features / len(own))  # and sampling noise
        found += [(float(logs[i]), vectors[:, i]) for i in (0, -1) if logs[i] > limit]
    if not found:
        return np.zeros((n_features, 0))
    found.sort(key=lambda pair: -pair[0])
    chosen = np.column_stack([vector for _, vector in found[:_MOST_DIRECTIONS]])
    directions: FloatArray = chosen / spread[:, np.newaxis]
    return directions


def _neighbour_aucs(
    train: LabelledSamples,
    test: LabelledSamples,
    groups: LabelArray,
    column: int,
    window: int,
) -> FloatArray:
    """Return the AUC of every group, by its fraction among the nearest values of a column."""
    order = np.argsort(train[0][:, column], kind="stable")
    values = train[0][order, column]
    first = np.searchsorted(values, test[0][:, column]) - window // 2
    first = np.clip(first, 0, len(values) - window)
    aucs = []
    for group in groups.tolist():
        counts = np.concatenate([[0], np.cumsum(rows_with(train[1][order], group))])
        aucs.append(_auc(counts[first + window] - counts[first], test[1], group))
    return np.array(aucs)


def _auc(scores: NDArray[np.generic], labels: LabelArray, group: object) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(rows_with(labels, group), scores))

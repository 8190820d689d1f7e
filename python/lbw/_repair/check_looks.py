# SPDX-License-Identifier: MIT
"""How well repaired rows reveal their group: to a boosted tree, and to neighbours in a column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._input.arrays import FloatArray, SampleArray
from .._input.fit_rows import effective_size
from .._input.labels import LabelArray, rows_with
from .._options.names import n_threads_of
from .check_rows import LARGE, RowArray, folds_of

__all__ = ["group_auc", "repeating_columns"]

_MOST_DIRECTIONS = 4
_LEAST_LOG_RATIO = 0.7  # of variances: one is twice the other
_NEIGHBOURS = 5  # distinct rows around a value
_REPEATS = 0.9  # distinct values to a row of a group, fewer repeat


def group_auc(
    copies: list[SampleArray],
    labels: LabelArray,
    numbers: RowArray,
    columns: list[int],
    weights: FloatArray | None = None,
    most_folds: int = 5,
    n_jobs: int | None = None,
) -> tuple[float, float]:
    """Return the largest AUC of a group against the others, of models that have not seen the rows.

    Every row has several copies, one for each draw of the dither. A boosted tree reads all columns
    and directions in which groups spread very differently. In `columns`, neighbours are
    compared too: values that are rounded more coarsely in one group lie on a grid that a tree does
    not resolve. The second number is the standard error of the AUC at chance, of the group that it
    is found for. If `most_folds` is smaller than the number of folds, only so many of them are
    tested, and the standard error is that of all.
    """
    groups = np.unique(labels)
    n_folds = 3 if len(labels) >= LARGE else 5
    folds = folds_of(labels, numbers, n_folds)
    scaled = None if weights is None else weights / weights.max()
    aucs = np.zeros((1 + len(columns), len(groups)))
    n_tested = min(n_folds, most_folds)
    for fold in range(n_tested):
        train, test = (
            WeightedRows(
                np.vstack([own[rows] for own in copies]),
                np.tile(labels[rows], len(copies)),
                None if scaled is None else np.tile(scaled[rows], len(copies)),
            )
            for rows in (folds != fold, folds == fold)
        )
        aucs[0] += _tree_aucs(train, test, groups, n_jobs)
        for place, column in enumerate(columns):
            window = _NEIGHBOURS * len(copies)
            aucs[1 + place] += _neighbour_aucs(train, test, groups, column, window)
    _, best = np.unravel_index(int(np.argmax(aucs)), aucs.shape)
    sizes = [_n_distinct(numbers, rows_with(labels, group), weights) for group in groups.tolist()]
    own, others = sizes[best], sum(sizes) - sizes[best]
    noise = float(np.sqrt((own + others + 1) / (12.0 * own * others)))
    return float(aucs.max()) / n_tested, noise


def repeating_columns(X: SampleArray, labels: LabelArray) -> list[int]:
    """Return the columns in which values of some group repeat, as rounded ones do."""
    found: set[int] = set()
    for label in np.unique(labels).tolist():
        own = X[rows_with(labels, label)]
        limit = _REPEATS * len(own)
        found.update(j for j in range(X.shape[1]) if 2 < len(np.unique(own[:, j])) < limit)
    return sorted(found)


class WeightedRows(NamedTuple):
    """Rows, their groups and their weights."""

    X: SampleArray
    labels: LabelArray
    weights: FloatArray | None


def _n_distinct(numbers: RowArray, rows: NDArray[np.bool_], weights: FloatArray | None) -> float:
    """Return the number of distinct rows of a group; with weights, their effective number."""
    if weights is None:
        return float(len(np.unique(numbers[rows])))
    _, places = np.unique(numbers[rows], return_inverse=True)
    return effective_size(np.bincount(places, weights[rows]).astype(np.float64))


def _tree_aucs(
    train: WeightedRows, test: WeightedRows, groups: LabelArray, n_jobs: int | None
) -> FloatArray:
    """Return the AUC of every group against the others, of a boosted tree."""
    directions = _directions(*train)
    scores = _core.group_probabilities(
        np.hstack([train.X, train.X @ directions]),
        np.searchsorted(groups, train.labels).astype(np.int32),
        np.hstack([test.X, test.X @ directions]),
        train.weights,
        n_threads_of(n_jobs),
    )
    return np.array([_auc(scores[:, i], test, g) for i, g in enumerate(groups.tolist())])


def _directions(X: SampleArray, labels: LabelArray, weights: FloatArray | None) -> FloatArray:
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
    total = np.cov(scaled.T, aweights=weights) + 1e-6 * np.eye(n_features)
    found: list[tuple[float, FloatArray]] = []
    for label in np.unique(labels).tolist():
        rows = rows_with(labels, label)
        own, own_weights = scaled[rows], None if weights is None else weights[rows]
        covariance = np.cov(own.T, aweights=own_weights) + 1e-6 * np.eye(n_features)
        ratios, vectors = eigh(covariance, total)
        logs = np.abs(np.log(ratios.clip(1e-12)))
        size = len(own) if own_weights is None else effective_size(own_weights)
        limit = _LEAST_LOG_RATIO + 2.0 * np.sqrt(n_features / size)  # and sampling noise
        found += [(float(logs[i]), vectors[:, i]) for i in (0, -1) if logs[i] > limit]
    if not found:
        return np.zeros((n_features, 0))
    found.sort(key=lambda pair: -pair[0])
    chosen = np.column_stack([vector for _, vector in found[:_MOST_DIRECTIONS]])
    directions: FloatArray = chosen / spread[:, np.newaxis]
    return directions


def _neighbour_aucs(
    train: WeightedRows,
    test: WeightedRows,
    groups: LabelArray,
    column: int,
    window: int,
) -> FloatArray:
    """Return the AUC of every group, by its fraction among the nearest values of a column."""
    order = np.argsort(train.X[:, column], kind="stable")
    values = train.X[order, column]
    weights = np.ones(len(order)) if train.weights is None else train.weights[order]
    first = np.searchsorted(values, test.X[:, column]) - window // 2
    first = np.clip(first, 0, len(values) - window)
    aucs = []
    in_window = _window_sums(weights, first, window)
    for group in groups.tolist():
        own = _window_sums(weights * rows_with(train.labels[order], group), first, window)
        aucs.append(_auc(own / in_window, test, group))
    return np.array(aucs)


def _window_sums(values: FloatArray, first: NDArray[np.intp], window: int) -> FloatArray:
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return np.asarray(sums[first + window] - sums[first])


def _auc(scores: NDArray[np.generic], test: WeightedRows, group: object) -> float:
    """Return the probability that a row of the group has a higher score than another row.

    Ties count as one half. It is `roc_auc_score` of scikit-learn without its checks, which take
    longer than the sum. NaN if all rows or none are of the group.
    """
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    weights = np.ones(len(order)) if test.weights is None else test.weights[order]
    own = weights * rows_with(test.labels, group)[order]
    last = np.append(np.flatnonzero(ascending[1:] != ascending[:-1]), len(order) - 1)  # of ties
    own_up_to = np.cumsum(own)[last]
    others_up_to = np.cumsum(weights - own)[last]
    pairs = own_up_to[-1] * others_up_to[-1]
    if pairs == 0.0:
        return float("nan")
    own_here = np.diff(own_up_to, prepend=0.0)
    others_here = np.diff(others_up_to, prepend=0.0)
    return float(own_here @ (others_up_to - 0.5 * others_here) / pairs)

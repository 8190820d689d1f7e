# SPDX-License-Identifier: MIT
"""Advice if a repair leaves groups that can be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._input.arrays import SampleArray
from .._input.labels import LabelArray, rows_with
from .._transport.local_transport import LocalTransport
from .check_rows import distinct_rows

__all__ = ["advice", "known_cause"]

_DISTINCT = 0.9  # of the rows of a group: if fewer, rows repeat
_COARSE = 3  # times as many distinct values, among as many rows
_SINGULAR = 1e-6  # eigenvalue of correlations
_ROUNDING = 1e-12  # a column that varies by less of its values is constant

_FEW = 4  # samples to a value, where a column takes few
_HEAVY = (
    8.0  # how far the last 200th lies from the median, by the last tenth; 2 if normal, 3 if exp
)


def advice(
    transport: LocalTransport, X: SampleArray, labels: LabelArray, names: Sequence[Any]
) -> str:
    """Name the most probable cause and what to do about it, or ScoreRepair."""
    score = "or repair the scores of one classifier with ScoreRepair."
    cause = known_cause(transport, X, names) or _cause_in_groups(X, labels, names)
    if cause:
        return f"{cause}, {score}"
    if transport.refine == 0:
        return f"Set refine=50, {score}"
    dithered = [name for name, cell in zip(names, transport.dither_, strict=True) if cell]
    if dithered:
        return (
            f"Columns {dithered} take few values: join rare values, or replace "
            f"the columns of a code by one, {score}"
        )
    if max(transport.n_components_) == 1:
        return f"Set n_components=5, for groups in clumps, {score}"
    return f"Raise refine, for instance to {3 * transport.refine}, {score}"


def known_cause(transport: LocalTransport, X: SampleArray, names: Sequence[Any]) -> str:
    """Name columns that no such repair brings into line, and what to do; "" if there are none."""
    few = [name for name, column in zip(names, X.T, strict=True) if _takes_few_values(column)]
    if transport.dither == 0 and few:
        return f'Columns {few} take few values: set dither="auto"'
    heavy = [name for name, column in zip(names, X.T, strict=True) if _has_heavy_tails(column)]
    if heavy:
        return (
            f"Columns {heavy} have heavy tails: transform them first, for instance by a logarithm "
            "or QuantileTransformer"
        )
    return ""


def _cause_in_groups(X: SampleArray, labels: LabelArray, names: Sequence[Any]) -> str:
    """Name what is true of the rows of one group only, and what to do; "" if there is nothing."""
    groups = np.unique(labels).tolist()
    parts = [X[rows_with(labels, group)] for group in groups]
    numbers = [distinct_rows(own, np.zeros(len(own), dtype=np.int64)) for own in parts]
    copied = [
        f"{group!r} ({1.0 - len(np.unique(own)) / len(own):.0%})"
        for group, own in zip(groups, numbers, strict=True)
        if len(np.unique(own)) < _DISTINCT * len(own)
    ]
    if copied:
        return f"Rows of groups {', '.join(copied)} are copies of others: give every row once"
    size = min(map(len, parts))
    counts = np.array([[len(np.unique(column)) for column in own[:size].T] for own in parts])
    is_unlike = counts.max(axis=0) > _COARSE * counts.min(axis=0)
    unlike = [name for name, found in zip(names, is_unlike, strict=True) if found]
    if unlike:
        return (
            f"Columns {unlike} have far fewer distinct values in some groups than in others: round "
            "them alike in all groups"
        )
    related = [group for group, own in zip(groups, parts, strict=True) if _has_relation(own)]
    if 0 < len(related) < len(groups):
        return (
            f"In groups {related}, some columns are linear functions of others: drop one of these "
            "columns"
        )
    return ""


def _has_relation(X: SampleArray) -> bool:
    varying = X[:, np.ptp(X, axis=0) > _ROUNDING * np.abs(X).max(axis=0)]
    if varying.shape[1] < 2:
        return False
    deviations = (varying - varying.mean(axis=0)) / varying.std(axis=0)
    correlations = deviations.T @ deviations / len(deviations)
    return bool(np.linalg.eigvalsh(correlations)[0] < _SINGULAR)


def _takes_few_values(column: Any) -> bool:
    return 1 < len(np.unique(column)) * _FEW <= len(column)


def _has_heavy_tails(column: Any) -> bool:
    low, first, median, last, high = np.quantile(column, [0.005, 0.1, 0.5, 0.9, 0.995])
    return bool(
        high - median > _HEAVY * (last - median) > 0.0
        or median - low > _HEAVY * (median - first) > 0.0
    )

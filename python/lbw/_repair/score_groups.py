# SPDX-License-Identifier: MIT
"""Distributions of the scores of every group, learned from held-out rows of all classifiers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import FloatArray
from .._input.labels import LabelArray, rows_with
from .crossfit import CrossFit
from .score_shrinkage import (
    HeldOutScores,
    effective_size,
    gammas_left,
    noise_fractions,
    noise_of_gamma,
)
from .score_tables import learn_tables

__all__ = [
    "LearnedGroups",
    "group_warnings",
    "learn_groups",
    "refuse_few_groups",
    "small_groups_of",
]

_FEW_ROWS = 50  # of a group, of fewer is warned, and of as much noise for other reasons


class LearnedGroups(NamedTuple):
    """Quantiles of every classifier and group, and of the barycenter of every classifier."""

    quantiles: FloatArray
    common_quantiles: FloatArray
    kept: LabelArray  # labels of groups that are too small to repair
    sizes: dict[Any, float]  # held-out rows of every group that is repaired
    gammas: list[float]  # how far their new scores are expected to be from parity

    def warnings(self) -> Iterator[str]:
        """Name the groups that are left as they are, and those that are learned from few rows."""
        return group_warnings(self.kept, self.sizes, self.gammas, len(self.quantiles))


def group_warnings(
    kept: LabelArray, sizes: dict[Any, float], gammas: list[float], n_tables: int
) -> Iterator[str]:
    """Name the groups that are left as they are, and those that are learned from few rows.

    `n_tables` is the number of classifiers that learn from their own held-out rows only.
    """
    if len(kept):
        yield (
            f"Groups too small to repair: {', '.join(map(str, kept))}. Their "
            "scores are left where they are; the other groups are repaired without them."
        )
    few = [
        f"{label!r} ({size:.0f} rows, gamma {gamma:.2f})"
        for (label, size), gamma in zip(sizes.items(), gammas, strict=True)
        if size < _FEW_ROWS or gamma > noise_of_gamma(_FEW_ROWS)
    ]
    if few:
        remedy = "Give more rows, or join groups."
        if n_tables > 1:
            remedy = (
                f"Each of the {n_tables} classifiers learns from its own held-out rows only: give "
                "more rows, join groups, or lower cv."
            )
        yield (
            f"Few held-out rows of groups {', '.join(few)}: new scores are expected to be that far "
            "from parity, because of sampling noise and because differences that it explains are "
            f"not repaired. {remedy}"
        )


def learn_groups(
    fits: list[CrossFit],
    groups: LabelArray,
    labels: LabelArray,
    weights: FloatArray,
    sample_weight: FloatArray | None,
    *,
    n_levels: int,
    small_groups: str,
) -> LearnedGroups:
    """Learn the quantiles of every group and their barycenter, for every classifier."""
    kept = small_groups_of(fits, groups, labels, sample_weight, small_groups)
    fitted = np.flatnonzero(~kept)
    weights = weights[fitted]
    refuse_few_groups(labels[fitted], weights)
    folds = []
    for _, rows, scores in fits:
        masks = [rows_with(groups[rows], label) for label in labels[fitted].tolist()]
        own_weight = None if sample_weight is None else sample_weight[rows]
        folds.append(HeldOutScores.of(scores, masks, own_weight))
    held_out = np.concatenate([own.rows for own in fits])
    repeats = len(held_out) / len(np.unique(held_out))
    noise = noise_fractions(folds, repeats)
    tables = [learn_tables(fold, weights, n_levels, noise) for fold in folds]
    common = np.stack([own.common for own in tables])
    # a kept group has the quantiles of the barycenter, so its map is the identity
    quantiles = np.repeat(common[:, None], len(labels), axis=1)
    quantiles[:, fitted] = np.stack([own.quantiles for own in tables])
    sizes = {
        label: effective_size(folds, place) / repeats
        for place, label in enumerate(labels[fitted].tolist())
    }
    gammas = gammas_left(folds, noise, list(sizes.values()))
    return LearnedGroups(quantiles, common, labels[kept], sizes, gammas)


def refuse_few_groups(fitted: LabelArray, weights: FloatArray) -> None:
    """Raise unless two groups are large enough and one of them has a weight."""
    if len(fitted) < 2 or not weights.any():
        raise ValueError(
            f"small_groups='keep' leaves the groups {fitted.tolist()}. A repair needs two "
            "or more groups with a weight above 0. Lower cv."
        )


def small_groups_of(
    fits: list[CrossFit],
    groups: LabelArray,
    labels: LabelArray,
    sample_weight: FloatArray | None,
    small_groups: str,
    *,
    least: int = 1,
) -> NDArray[np.bool_]:
    """Return which groups have fewer held-out rows of some classifier; refuse them if requested."""
    small = np.zeros(len(labels), dtype=bool)
    for place, label in enumerate(labels.tolist()):
        own = rows_with(groups, label)
        if sample_weight is not None and not sample_weight[own].any():
            raise ValueError(f"sample_weight is 0 for every row of group {label!r}")
        if sample_weight is not None:
            own &= sample_weight > 0.0
        small[place] = not all(own[rows].sum() >= least for _, rows, _ in fits)
        if small[place] and small_groups == "error":
            lack = "without rows" if least == 1 else f"with fewer than {least} rows"
            raise ValueError(
                f"cv has a fold {lack} of group {label!r}, which has {own.sum()} rows. Lower the "
                "number of folds, give a splitter that is stratified by group, or set "
                "small_groups='keep'."
            )
    return small

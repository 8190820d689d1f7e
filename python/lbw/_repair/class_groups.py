# SPDX-License-Identifier: MIT
"""Distributions of the scores of more than two classes, learned for every group and classifier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import FloatArray, PlaceArray
from .._input.keys import KeyArray, copies_before
from .._input.labels import LabelArray, rows_with
from .._input.row_draws import bits_of_rows, keys_of_rows
from .crossfit import CrossFit
from .score_groups import group_warnings, refuse_few_groups, small_groups_of
from .score_shrinkage import HeldOutScores, effective_size, noise_of_gamma
from .simplex_maps import SimplexMaps

__all__ = ["LearnedClasses", "learn_classes", "row_keys"]


class LearnedClasses(NamedTuple):
    """Maps of every classifier, which are the same."""

    maps: list[SimplexMaps]
    kept: LabelArray  # labels of groups that are too small to repair
    sizes: dict[Any, float]  # held-out rows of every group that is repaired

    def warnings(self) -> Iterator[str]:
        """Name the groups that are left as they are, and those that are learned from few rows."""
        gammas = [noise_of_gamma(size) for size in self.sizes.values()]
        return group_warnings(self.kept, self.sizes, gammas, n_tables=1)


def learn_classes(
    fits: list[CrossFit],
    keys: KeyArray,
    groups: LabelArray,
    labels: LabelArray,
    weights: FloatArray,
    sample_weight: FloatArray | None,
    *,
    small_groups: str,
    seed: int,
) -> LearnedClasses:
    """Learn the maps of all classifiers together; `keys` tell rows of equal scores apart.

    A row is scored by one classifier, whatever its group, so the scores of a group are distributed
    as those of all its held-out rows are. A map for each classifier would be learned from a
    fraction of the rows, and shrunk by their noise. A row that several classifiers have not seen
    counts once, with the scores of one of them.
    """
    kept = small_groups_of(fits, groups, labels, sample_weight, small_groups, least=2)
    fitted = labels[~kept]
    refuse_few_groups(fitted, weights[~kept])
    rows = np.concatenate([own.rows for own in fits])
    scores = np.concatenate([own.scores for own in fits])
    used = _first_of_each(rows, seed) & np.isin(groups[rows], fitted)
    if sample_weight is not None:
        used &= sample_weight[rows] > 0.0
    rows, scores = rows[used], scores[used]
    masks = [rows_with(groups[rows], label) for label in fitted.tolist()]
    held_out = HeldOutScores(scores, masks, None if sample_weight is None else sample_weight[rows])
    maps = SimplexMaps.fitted(
        scores,
        groups[rows],
        weights=weights[~kept],
        sample_weight=None if sample_weight is None else held_out.all_weights(),
        keys=keys[rows],
        seed=seed,
    )
    sizes = {
        label: effective_size([held_out], place) for place, label in enumerate(fitted.tolist())
    }
    return LearnedClasses([maps] * len(fits), labels[kept], sizes)


def _first_of_each(rows: PlaceArray, seed: int) -> NDArray[np.bool_]:
    """Return a mask that has one place of every row, the first one in a random order."""
    order = np.random.RandomState(seed).permutation(len(rows))
    chosen = np.zeros(len(rows), dtype=bool)
    chosen[order[np.unique(rows[order], return_index=True)[1]]] = True
    return chosen


def row_keys(features: Any, groups: LabelArray, keys: KeyArray | None, seed: int) -> KeyArray:
    """Return keys that are functions of the values of rows and of their own keys alone."""
    bits = bits_of_rows(features, seed)
    return keys_of_rows(bits, copies_before(bits, groups) if keys is None else keys, seed)

# SPDX-License-Identifier: MIT
"""The scores of every group of one classifier as quantiles, and their common middle."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import FloatArray
from ._options import n_threads_of

__all__ = ["ScoreTables", "learn_tables"]

Masks = list[NDArray[np.bool_]]  # of every group, which rows are its own


class ScoreTables(NamedTuple):
    """Scores at equally spaced levels from 0 to 1: of every group, and of the middle of all."""

    quantiles: FloatArray
    common: FloatArray

    def carried(
        self, scores: FloatArray, masks: Masks, amount: float, draws: FloatArray | None
    ) -> FloatArray:
        """Carry scores to the common middle or part of the way; draws, if any, part equal ones."""
        carried = scores.copy()
        for quantiles, own in zip(self.quantiles, masks, strict=True):
            if own.any():
                carried[own] = self._along(
                    quantiles, scores[own], amount, None if draws is None else draws[own]
                )
        clipped: FloatArray = np.clip(carried, 0.0, 1.0)
        return clipped

    def has_ties(self) -> bool:
        """Tell whether a group has one score so often that it takes several levels."""
        return bool((np.diff(self.quantiles) == 0).any())

    def _along(
        self, quantiles: FloatArray, scores: FloatArray, amount: float, draws: FloatArray | None
    ) -> FloatArray:
        along = _core.QuantileMap(quantiles, self.common, amount)
        carried: FloatArray = _core.apply_quantile_map(along, scores, n_threads_of(None))
        if draws is None:
            return carried
        first = np.searchsorted(quantiles, scores, side="left")
        last = np.searchsorted(quantiles, scores, side="right") - 1
        tied = last > first  # a value that takes several levels
        level = first[tied] + draws[tied] * (last[tied] - first[tied])
        place = np.interp(level, np.arange(len(self.common)), self.common)
        carried[tied] = (1.0 - amount) * scores[tied] + amount * place
        return carried


def learn_tables(
    scores: FloatArray,
    masks: Masks,
    group_weights: FloatArray,
    sample_weight: FloatArray | None,
    n_levels: int,
) -> ScoreTables:
    """Learn the tables from scores of rows that the classifier had not seen."""
    maps = _core.fit_quantile_maps(
        [scores[own] for own in masks],
        [] if sample_weight is None else [sample_weight[own] for own in masks],
        group_weights.tolist(),
        n_levels=n_levels,
        n_threads=n_threads_of(None),
    )
    return ScoreTables(np.stack([own.source for own in maps]), maps[0].target)

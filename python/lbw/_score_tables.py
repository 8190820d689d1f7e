# SPDX-License-Identifier: MIT
"""Quantiles of the scores of every group of one classifier, and their barycenter."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import FloatArray
from ._options import n_threads_of

__all__ = ["ScoreTables", "learn_tables"]

Masks = list[NDArray[np.bool_]]  # of every group, which rows are its own


class ScoreTables(NamedTuple):
    """Scores at equally spaced levels from 0 to 1: of every group, and of their barycenter."""

    quantiles: FloatArray
    common: FloatArray

    def carried(
        self, scores: FloatArray, masks: Masks, amount: float, draws: FloatArray | None
    ) -> FloatArray:
        """Transport scores towards the barycenter by `amount`; draws tell equal scores apart."""
        tolerance = _tolerance(scores)
        carried = scores.astype(np.float64)
        for quantiles, own in zip(self.quantiles, masks, strict=True):
            if own.any():
                own_draws = None if draws is None else draws[own]
                carried[own] = self._along(quantiles, carried[own], tolerance, amount, own_draws)
        clipped: FloatArray = np.clip(carried, 0.0, 1.0)
        return clipped

    def with_pool(self, weights: FloatArray) -> ScoreTables:
        """Add the quantiles of all groups together, each with its weight, as one more group."""
        used = np.flatnonzero(weights)
        n_levels = self.quantiles.shape[1]
        values = self.quantiles[used].ravel()
        order = np.argsort(values, kind="stable")
        share = np.repeat(weights[used], n_levels)[order]
        centres = np.cumsum(share) - share / 2
        level = (centres - centres[0]) / (centres[-1] - centres[0])
        pool = np.interp(np.linspace(0.0, 1.0, n_levels), level, values[order])
        return ScoreTables(np.vstack([self.quantiles, pool]), self.common)

    def has_ties(self) -> bool:
        """Tell whether a group has one score so often that it takes several levels."""
        return bool((np.diff(self.quantiles) == 0).any())

    def _along(
        self,
        quantiles: FloatArray,
        scores: FloatArray,
        tolerance: float,
        amount: float,
        draws: FloatArray | None,
    ) -> FloatArray:
        places = _snapped(scores, quantiles, tolerance)
        along = _core.QuantileMap(quantiles, self.common, amount)
        carried: FloatArray = _core.apply_quantile_map(along, places, n_threads_of(None))
        if draws is not None:
            first = np.searchsorted(quantiles, places, side="left")
            last = np.searchsorted(quantiles, places, side="right") - 1
            tied = last > first  # a value that takes several levels
            level = first[tied] + draws[tied] * (last[tied] - first[tied])
            spread = np.interp(level, np.arange(len(self.common)), self.common)
            carried[tied] = (1.0 - amount) * places[tied] + amount * spread
        carried += (1.0 - amount) * (scores - places)  # an amount of 0 gives the very scores
        return carried


def learn_tables(
    scores: FloatArray,
    masks: Masks,
    group_weights: FloatArray,
    sample_weight: FloatArray | None,
    n_levels: int,
) -> ScoreTables:
    """Learn the tables from scores of rows that the classifier had not seen."""
    scores = _joined(scores.astype(np.float64), _tolerance(scores))
    maps = _core.fit_quantile_maps(
        [scores[own] for own in masks],
        [] if sample_weight is None else [sample_weight[own] for own in masks],
        group_weights.tolist(),
        n_levels=n_levels,
        n_threads=n_threads_of(None),
    )
    return ScoreTables(np.stack([own.source for own in maps]), maps[0].target)


def _tolerance(scores: FloatArray) -> float:
    """Give the relative difference up to which scores count as equal.

    A score that is a sum of many terms, such as the votes of a forest, differs in the last bits
    with the order of summation. The error grows with the number of terms and not with the spacing
    of the scores, so thousands of roundings are allowed for in float64 and some tens in float32.
    """
    return 4e-6 if scores.dtype == np.float32 else 1e-12


def _joined(scores: FloatArray, tolerance: float) -> FloatArray:
    """Give scores that differ by no more than rounding one common value.

    Scores are grouped where the gap to the next one is wide. Scores that lie densely, so that such
    a group is wider than rounding makes it, are cut into groups of the width of the tolerance.
    """
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.append(True, np.diff(ordered) > tolerance * np.abs(ordered[1:]))
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(ordered)) - 1
    wide = ordered[last] - ordered[first] > 2.0 * tolerance * np.abs(ordered[last])
    for begin, end in zip(first[wide].tolist(), last[wide].tolist(), strict=True):
        starts[_cuts(ordered[begin : end + 1].tolist(), tolerance, begin)] = True
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(ordered)) - 1
    middles = ordered[first] + 0.5 * (ordered[last] - ordered[first])
    joined = np.empty_like(scores)
    joined[order] = middles[np.cumsum(starts) - 1]
    return joined


def _cuts(ordered: list[float], tolerance: float, offset: int) -> list[int]:
    """Give where groups of the width of the tolerance begin, from the lowest score upwards."""
    cuts, place = [], 0
    while place < len(ordered):
        cuts.append(offset + place)
        end = ordered[place] + tolerance * abs(ordered[place])
        place = bisect_right(ordered, end, place + 1)
    return cuts


def _snapped(scores: FloatArray, quantiles: FloatArray, tolerance: float) -> FloatArray:
    """Give scores that differ from a known one by no more than rounding its value."""
    after = np.searchsorted(quantiles, scores)
    low = quantiles[np.maximum(after - 1, 0)]
    high = quantiles[np.minimum(after, len(quantiles) - 1)]
    nearest = np.where(scores - low < high - scores, low, high)
    near = np.abs(scores - nearest) <= tolerance * np.abs(nearest)
    return np.where(near, nearest, scores)

# SPDX-License-Identifier: MIT
"""Quantiles of the scores of every group of one classifier, and their barycenter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._input.arrays import FloatArray
from .._input.score_ties import ScoreTolerance, snapped
from .._options.names import n_threads_of
from .score_shrinkage import HeldOutScores

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
        tolerance = ScoreTolerance.of(scores.dtype, self.quantiles)
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
        pool = _without_rounding(pool, values)
        return ScoreTables(np.vstack([self.quantiles, pool]), self.common)

    def has_ties(self) -> bool:
        """Return whether a group has one score so often that it takes several levels."""
        return bool((np.diff(self.quantiles) == 0).any())

    def _along(
        self,
        quantiles: FloatArray,
        scores: FloatArray,
        tolerance: ScoreTolerance,
        amount: float,
        draws: FloatArray | None,
    ) -> FloatArray:
        places = snapped(scores, quantiles, tolerance)
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
    held_out: HeldOutScores, group_weights: FloatArray, n_levels: int, noise: FloatArray
) -> ScoreTables:
    """Learn the tables from scores of rows that the classifier had not seen.

    The distribution of every group is mixed with that of all scores, by the fraction of their
    difference that is noise.
    """
    seen = 0.5 / (n_levels - 1)  # of all rows, else no level tells
    groups = [
        _mixed(held_out, group, float(fraction) if fraction > seen else 0.0)
        for group, fraction in enumerate(noise)
    ]
    maps = _core.fit_quantile_maps(
        [scores for scores, _ in groups],
        [weights for _, weights in groups],
        group_weights.tolist(),
        n_levels=n_levels,
        n_threads=n_threads_of(None),
    )
    quantiles = [
        _without_rounding(own.source, scores) for own, (scores, _) in zip(maps, groups, strict=True)
    ]
    return ScoreTables(np.stack(quantiles), maps[0].target)


def _without_rounding(quantiles: FloatArray, scores: FloatArray) -> FloatArray:
    """Give quantiles that differ from a score by no more than rounding its value.

    A level at the end of equal scores is interpolated to a value beside them. It would be a second
    value of the table, to which a score in single precision may be nearer.
    """
    return snapped(quantiles, np.unique(scores), ScoreTolerance.of(np.float64, scores))


def _mixed(held_out: HeldOutScores, group: int, noise: float) -> tuple[FloatArray, FloatArray]:
    """Return scores and weights of a mixture of a group and all groups, of the fraction `noise`."""
    own = held_out.masks[group]
    if noise == 0.0:
        return held_out.scores[own], held_out.weights_of(group)
    weights = held_out.all_weights()
    weights *= noise / weights.sum()
    own_weights = held_out.weights_of(group)
    weights[own] += (1.0 - noise) / own_weights.sum() * own_weights
    used = weights > 0.0
    return held_out.scores[used], weights[used]

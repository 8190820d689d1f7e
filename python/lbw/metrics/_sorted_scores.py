# SPDX-License-Identifier: MIT
"""Scores of groups in ascending order, with or without weights."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import FloatArray
from .._input.fit_rows import effective_size

__all__ = ["Kind", "SortedScores", "are_copies", "distance_of", "weighted_distance_of"]

Kind = Literal["ks", "kuiper"]

_MOST_COPIES = 10_000_000  # of all scores


class SortedScores(NamedTuple):
    """Groups in the order of the scores, which are not needed any more."""

    codes: NDArray[np.intp]  # group of each sample, 0 to n_groups - 1
    sizes: list[int]  # samples of each group
    ends: NDArray[np.intp]  # last of each run of equal scores: distributions compare only there

    def runs(self) -> NDArray[np.intp]:
        """Return the place of every sample's score among the distinct ones."""
        lengths = np.diff(self.ends, prepend=-1)
        return np.repeat(np.arange(len(lengths)), lengths)

    def repeated(self, counts: FloatArray) -> SortedScores:
        """Return every sample as often as its count says."""
        return self._at(np.repeat(np.arange(len(counts)), counts.astype(np.int64)))

    def at_quantiles(self, weights: FloatArray) -> SortedScores:
        """Return samples at quantiles of every group, as many as its effective sample size."""
        rows = []
        for group in range(len(self.sizes)):
            own = np.flatnonzero(self.codes == group)
            size = max(1, round(effective_size(weights[own])))
            passed = np.cumsum(weights[own] / weights[own].max())
            levels = (np.arange(size) + 0.5) / size * passed[-1]
            rows.append(own[np.minimum(np.searchsorted(passed, levels), len(own) - 1)])
        return self._at(np.sort(np.concatenate(rows)))

    def _at(self, rows: NDArray[np.intp]) -> SortedScores:
        """Return the samples at ascending rows, which may repeat."""
        codes, runs = self.codes[rows], self.runs()[rows]
        ends = np.append(np.flatnonzero(runs[1:] != runs[:-1]), len(runs) - 1)
        sizes = np.bincount(codes, minlength=len(self.sizes)).tolist()
        return SortedScores(codes, sizes, ends)


def distance_of(scores: SortedScores, codes: NDArray[np.intp], kind: Kind) -> float:
    """Return the largest distance over pairs of groups."""
    largest = 0.0
    for a, b in combinations(range(len(scores.sizes)), 2):
        size_a, size_b = scores.sizes[a], scores.sizes[b]
        # n_a n_b (F_a - F_b) in whole numbers; it ends at 0, so max >= 0 >= min
        steps = np.zeros(len(scores.sizes), dtype=np.int64)
        steps[a], steps[b] = size_b, -size_a
        walk = np.cumsum(steps[codes])[scores.ends]
        above, below = int(walk.max()), -int(walk.min())
        distance = max(above, below) if kind == "ks" else above + below
        largest = max(largest, distance / (size_a * size_b))
    return largest


def weighted_distance_of(scores: SortedScores, weights: FloatArray, kind: Kind) -> float:
    """Return the largest distance over pairs of groups of weighted scores."""
    shares = np.empty((len(scores.sizes), len(scores.ends)))
    for group in range(len(scores.sizes)):
        own = np.where(scores.codes == group, weights, 0.0)
        passed = np.cumsum(own / own.max())
        shares[group] = passed[scores.ends] / passed[-1]
    largest = 0.0
    for a, b in combinations(range(len(scores.sizes)), 2):
        walk = shares[a] - shares[b]
        above, below = float(walk.max()), -float(walk.min())
        largest = max(largest, max(above, below) if kind == "ks" else above + below)
    return min(largest, 1.0)


def are_copies(weights: FloatArray) -> bool:
    """Return whether weights are numbers of copies: whole numbers with a sum that fits memory."""
    whole = bool(np.all(weights == np.floor(weights)))
    return whole and float(weights.max()) * len(weights) <= _MOST_COPIES

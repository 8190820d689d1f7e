# SPDX-License-Identifier: MIT
"""How much of a group's difference from all scores is sampling noise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import FloatArray
from .._input.score_ties import ScoreTolerance, joined

__all__ = [
    "HeldOutScores",
    "effective_size",
    "gammas_left",
    "noise_fractions",
    "noise_of_gamma",
]

_DEVIATION = 0.9  # of the distance at parity, in units of its mean: sqrt(36 / 45)
_LARGE = 50  # rows of a group from which on parity matters more than noise
_NOISE_OF_GAMMA = 0.8687  # times 1 / sqrt(rows): the mean of Kolmogorov's distance of a sample
_SMALL = 5.0  # rows of a group that are too few for a distribution of their own


class HeldOutScores(NamedTuple):
    """Scores of one classifier for rows that it has not seen, the rows of every group, weights."""

    scores: FloatArray
    masks: list[NDArray[np.bool_]]
    sample_weight: FloatArray | None

    @classmethod
    def of(
        cls, scores: FloatArray, masks: list[NDArray[np.bool_]], sample_weight: FloatArray | None
    ) -> HeldOutScores:
        """Take scores, those that differ by rounding as one."""
        tolerance = ScoreTolerance.of(scores.dtype, scores)
        return cls(joined(scores.astype(np.float64), tolerance), masks, sample_weight)

    def weights_of(self, group: int) -> FloatArray:
        """Return the weights of the rows of a group, which sum to Kish's effective size."""
        own = self.masks[group]
        if self.sample_weight is None:
            return np.ones(int(own.sum()))
        weights = self.sample_weight[own] / self.sample_weight[own].max()
        scaled: FloatArray = weights * (weights.sum() / (weights**2).sum())
        return scaled

    def all_weights(self) -> FloatArray:
        """Return the weights of all rows, those of a group as `weights_of` returns them."""
        weights = np.zeros(len(self.scores))
        for group, own in enumerate(self.masks):
            weights[own] = self.weights_of(group)
        return weights


def effective_size(folds: list[HeldOutScores], group: int) -> float:
    """Return the number of rows of a group over all classifiers."""
    return float(sum(fold.weights_of(group).sum() for fold in folds))


def noise_fractions(folds: list[HeldOutScores], repeats: float = 1.0) -> FloatArray:
    """Return the fraction of every group's difference from all scores that is left alone.

    The distance of Cramer and von Mises of n of N rows from all rows, the integral of (F_g - F)^2
    over F, is 1 / n - 1 / N times that of F (1 - F) on average where groups have one distribution.
    With r the ratio of both, on average over the classifiers, n the distinct rows of the group that
    they have not seen, and K the number of classifiers that it takes to score each of these rows
    once, the fraction is

        min(1, (c (1 + 3 * 0.9 / sqrt(K)) / r)^4), c = min(1, 50 / n)

    Up to three standard deviations above its expectation the difference is noise altogether. It
    falls fast beyond, and for large groups, whose noise moves scores by little. As few as 5 rows a
    classifier say little about a distribution, wherever it lies: with m of them the fraction is at
    least 25 / (25 + m^2).

    If rows are held out of several classifiers, as by ShuffleSplit, `repeats` says of how many.
    """
    n_groups = len(folds[0].masks)
    ratios = np.mean([_noise_ratios(fold) for fold in folds], axis=0)
    sizes = np.array([effective_size(folds, group) for group in range(n_groups)])
    limit = 1.0 + 3.0 * _DEVIATION / np.sqrt(len(folds) / repeats)
    limits = limit * np.minimum(1.0, _LARGE * repeats / sizes)
    least = _SMALL**2 / (_SMALL**2 + (sizes / len(folds)) ** 2)
    fractions: FloatArray = np.maximum(least, np.minimum(1.0, (limits / ratios.clip(limits)) ** 4))
    return fractions


def _noise_ratios(fold: HeldOutScores) -> FloatArray:
    """Return the distance of every group from all rows, in units of its mean at parity."""
    values, places = np.unique(fold.scores, return_inverse=True)
    masses = np.zeros((len(fold.masks), len(values)))
    for group, own in enumerate(fold.masks):
        np.add.at(masses[group], places[own], fold.weights_of(group))
    sizes = masses.sum(axis=1, keepdims=True)
    pool_masses = masses.sum(axis=0) / sizes.sum()
    pool = np.cumsum(pool_masses)
    distances = (np.cumsum(masses, axis=1) / sizes - pool)[:, :-1] ** 2 @ pool_masses[:-1]
    noise = float((pool * (1.0 - pool))[:-1] @ pool_masses[:-1])
    if not noise > 0.0:  # all scores are equal
        return np.zeros(len(sizes))
    expected = 1.0 / sizes[:, 0] - 1.0 / sizes.sum()
    ratios: FloatArray = distances / (noise * expected)
    return ratios


def noise_of_gamma(size: float) -> float:
    """Return the mean distance of as many rows from their own distribution."""
    return float(_NOISE_OF_GAMMA / np.sqrt(size))


def gammas_left(
    folds: list[HeldOutScores], fractions: FloatArray, sizes: list[float]
) -> list[float]:
    """Return how far new scores of every group are expected to be from parity, as a KS distance.

    The noise N of the distributions is averaged over the classifiers, so it is that of all rows of
    the group. The fraction f of the group's difference d that is left alone is the same for every
    classifier and is not averaged:

        max(N, sqrt(((1 - f) N)^2 + (f d)^2))

    The measured d contains the noise, d^2 + N^2. A difference below the noise may be left, so the
    result is never below N.
    """
    noises = np.array([noise_of_gamma(size) for size in sizes])
    differences = np.sqrt(np.maximum(0.0, _distances(folds) ** 2 - noises**2))
    left = np.hypot((1.0 - fractions) * noises, fractions * differences)
    gammas: list[float] = np.maximum(noises, left).tolist()
    return gammas


def _distances(folds: list[HeldOutScores]) -> FloatArray:
    """Return Kolmogorov's distance of every group from all scores, over all classifiers.

    The scores of a classifier count by their levels among all of its scores.
    """
    levels, weights = [], [fold.all_weights() for fold in folds]
    for fold, own_weights in zip(folds, weights, strict=True):
        _, places = np.unique(fold.scores, return_inverse=True)
        masses = np.cumsum(np.bincount(places.ravel(), own_weights))
        levels.append((masses / masses[-1])[places.ravel()])
    _, places = np.unique(np.concatenate(levels), return_inverse=True)
    all_weights = np.concatenate(weights)
    pool = np.cumsum(np.bincount(places.ravel(), all_weights))
    distances = []
    for group in range(len(folds[0].masks)):
        own = np.concatenate([fold.masks[group] for fold in folds])
        masses = np.cumsum(np.bincount(places.ravel()[own], all_weights[own], len(pool)))
        distances.append(np.abs(masses / masses[-1] - pool / pool[-1]).max())
    return np.array(distances)

# SPDX-License-Identifier: MIT
"""Confidence interval of the parity distance between groups of scores.

The distance is the largest difference of two distribution functions over all thresholds, so its
estimate is biased upwards and a percentile bootstrap around it is biased twice. Both ends are
therefore found by inverting tests.

Upper end. The distance is attained at some threshold, and the estimate is at least the difference
seen there. The largest upper limit over all thresholds, each of a difference of two proportions,
hence covers the distance at least as often as one of these limits covers its difference.

Lower end. The estimate exceeds the distance by no more than the largest error of the two empirical
distribution functions over thresholds where it can be attained. The bootstrap gives the
distribution of that error. If the estimate does not exceed what a random assignment of the groups
gives, which is an exact test of equal distributions, the lower end is 0.

Small groups. The limits of a proportion are Wilson's, and those of Clopper and Pearson for groups
of fewer than 50 rows, where Wilson's cover too rarely on either side. The upper end adds the arms
of two such limits below 8 rows, where the root of their sum of squares is too short. The bootstrap
of fewer than 20 rows underestimates the error. The error of a random assignment, which is largest
at parity, is then its lower bound.
"""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv
from sklearn.utils import check_random_state

__all__ = ["distance_interval"]

Floats = NDArray[np.float64]

_FEW_FOR_SQUARES = 8  # rows of a group
_FEW_FOR_BOOTSTRAP = 20
_FEW_FOR_WILSON = 50


class _Pair(NamedTuple):
    """Two groups: their places, the difference of their distributions and its noise."""

    a: int
    b: int
    difference: Floats  # of the distribution functions at every distinct score, 0 at the last
    scale: float  # sqrt(1 / n_a + 1 / n_b)
    above: NDArray[np.bool_]  # distinct scores where the largest difference may be attained
    below: NDArray[np.bool_]  # likewise the smallest


def distance_interval(
    runs: list[NDArray[np.intp]],
    n_runs: int,
    *,
    kuiper: bool,
    confidence: float,
    n_bootstraps: int,
    seed: int,
) -> tuple[float, float]:
    """Return the ends of the interval for the largest distance over all pairs of groups.

    `runs` holds, for every group, the place of each of its scores among the distinct ones.
    """
    tail = (1.0 - confidence) / 2.0
    sizes = [len(own) for own in runs]
    shares = np.stack([_distribution(own, n_runs) for own in runs])
    pairs = [_pair(shares, sizes, a, b, kuiper, tail) for a, b in combinations(range(len(runs)), 2)]
    random = check_random_state(seed)
    null = _null_distances(runs, n_runs, pairs, kuiper, n_bootstraps, random)
    errors = _largest_errors(runs, shares, pairs, kuiper, n_bootstraps, random)
    null_bound, error_bound = np.quantile([null, errors], 1.0 - tail, axis=1, method="higher")
    low = high = 0.0
    for pair in pairs:
        distance = _distance(pair.difference, kuiper)
        least, most, inflation = _pointwise_limits(pair, shares, sizes, kuiper, tail)
        high = max(high, most)
        if distance > null_bound * pair.scale:
            error = error_bound * inflation
            if min(sizes[pair.a], sizes[pair.b]) < _FEW_FOR_BOOTSTRAP:
                error = max(error, null_bound)
            low = max(low, min(least, distance - error * pair.scale))
    return float(low), float(min(high, 1.0))


def _distribution(runs: NDArray[np.intp], n_runs: int) -> Floats:
    counts = np.cumsum(np.bincount(runs, minlength=n_runs))
    share: Floats = counts / len(runs)
    return share


def _distance(difference: Floats, kuiper: bool) -> float:
    above, below = float(difference.max()), -float(difference.min())
    return above + below if kuiper else max(above, below)


def _pair(shares: Floats, sizes: list[int], a: int, b: int, kuiper: bool, tail: float) -> _Pair:
    difference = shares[a] - shares[b]
    scale = math.sqrt(1.0 / sizes[a] + 1.0 / sizes[b])
    # Smirnov's bound on the error at any threshold: 2 exp(-2 x^2) = tail
    reach = scale * math.sqrt(0.5 * math.log(2.0 / tail))
    top, bottom = difference.max(), difference.min()
    if not kuiper:
        top, bottom = max(top, -bottom), -max(top, -bottom)
    above, below = difference >= top - reach, difference <= bottom + reach
    return _Pair(a, b, difference, scale, above, below)


def _null_distances(
    runs: list[NDArray[np.intp]],
    n_runs: int,
    pairs: list[_Pair],
    kuiper: bool,
    count: int,
    random: np.random.RandomState,
) -> Floats:
    """Assign the groups at random: the largest distance over pairs, in units of its noise."""
    pooled = np.concatenate(runs)
    ends = np.cumsum([len(own) for own in runs])[:-1]
    largest = np.zeros(count)
    for replicate in range(count):
        dealt = np.split(random.permutation(pooled), ends)
        shares = [_distribution(own, n_runs) for own in dealt]
        largest[replicate] = max(
            _distance(shares[pair.a] - shares[pair.b], kuiper) / pair.scale for pair in pairs
        )
    return largest


def _largest_errors(
    runs: list[NDArray[np.intp]],
    shares: Floats,
    pairs: list[_Pair],
    kuiper: bool,
    count: int,
    random: np.random.RandomState,
) -> Floats:
    """Resample within groups: the largest error where distances are attained, in the same units."""
    largest = np.zeros(count)
    for replicate in range(count):
        resampled = [own[random.randint(len(own), size=len(own))] for own in runs]
        errors = np.stack([_distribution(own, shares.shape[1]) for own in resampled]) - shares
        for pair in pairs:
            error = errors[pair.a] - errors[pair.b]
            up = error[pair.above].max(initial=-np.inf)
            down = -error[pair.below].min(initial=np.inf)
            found = (up + down if kuiper else max(up, down)) / pair.scale
            largest[replicate] = max(largest[replicate], found)
    return largest


def _pointwise_limits(
    pair: _Pair, shares: Floats, sizes: list[int], kuiper: bool, tail: float
) -> tuple[float, float, float]:
    """Return limits of the distance where the threshold is known, and what small groups add.

    The last number is how much longer the lower arm is than that of the normal approximation with
    the variance at the estimate, which is too small where the estimate is too large.
    """
    z = NormalDist().inv_cdf(1.0 - tail)
    if kuiper:
        return _widest_limits(_distance(pair.difference, True), z * pair.scale / 2.0)
    one, two = (shares[pair.a], sizes[pair.a]), (shares[pair.b], sizes[pair.b])
    least_one, most_one = _limits(*one, z, tail)
    least_two, most_two = _limits(*two, z, tail)
    # Newcombe (1998), method 10: the arms of the two proportions add up in squares
    up = most_one - one[0], two[0] - least_two
    down = one[0] - least_one, most_two - two[0]
    arm_up, arm_down = np.hypot(*up), np.hypot(*down)
    wide_up, wide_down = arm_up, arm_down
    if min(one[1], two[1]) < _FEW_FOR_SQUARES:
        wide_up, wide_down = np.add(*up), np.add(*down)
    high = max((pair.difference + wide_up).max(), (wide_down - pair.difference).max())
    place = int(np.argmax(np.abs(pair.difference)))
    distance = abs(float(pair.difference[place]))
    arm = float((arm_down if pair.difference[place] > 0 else arm_up)[place])
    variance = sum(float(share[place] * (1.0 - share[place])) / size for share, size in (one, two))
    inflation = max(1.0, arm / (z * math.sqrt(variance))) if variance > 0.0 else 1.0
    return distance - arm, float(high), inflation


def _widest_limits(distance: float, arm: float) -> tuple[float, float, float]:
    """Return limits by the largest variance that a difference of two proportions may have.

    The distance is the largest difference of two probabilities of one interval of scores. With
    d = p - q, the variance is at most (1 - d^2) (1 / n_a + 1 / n_b) / 4, and the limits solve
    (distance - d)^2 = arm^2 (1 - d^2), where arm = z sqrt(1 / n_a + 1 / n_b) / 2.
    """
    square = arm * arm
    root = arm * math.sqrt(max(0.0, 1.0 + square - distance * distance))
    low, high = (distance - root) / (1.0 + square), (distance + root) / (1.0 + square)
    normal = arm * math.sqrt(max(0.0, 1.0 - distance * distance))
    return low, high, max(1.0, (distance - low) / normal) if normal > 0.0 else 1.0


def _limits(share: Floats, size: int, z: float, tail: float) -> tuple[Floats, Floats]:
    """Return limits of proportions, exact ones in small groups."""
    if size >= _FEW_FOR_WILSON:
        return _wilson(share, size, z)
    passed = np.rint(share * size)
    least = np.zeros(len(share))
    most = np.ones(len(share))
    some, rest = passed > 0, passed < size
    least[some] = betaincinv(passed[some], size - passed[some] + 1.0, tail)
    most[rest] = betaincinv(passed[rest] + 1.0, size - passed[rest], 1.0 - tail)
    return least, most


def _wilson(share: Floats, size: int, z: float) -> tuple[Floats, Floats]:
    """Return Wilson's limits of proportions."""
    square = z * z / size
    middle = (share + square / 2.0) / (1.0 + square)
    arm = np.sqrt(square * (share * (1.0 - share) + square / 4.0)) / (1.0 + square)
    return middle - arm, middle + arm

# SPDX-License-Identifier: MIT
"""How often the interval of gamma contains the distance of the populations.

Run `python gamma_coverage.py 1000` for the whole table with 1000 data sets a row; the tests run a
few rows of it with fewer.
"""

from __future__ import annotations

import sys
from itertools import product
from statistics import NormalDist

import numpy as np

from lbw.metrics import demographic_parity_gamma

NORMAL = NormalDist()


def shifted(random, gamma, size_a, size_b):
    """Normal scores, one group shifted: the distributions are farthest apart at one threshold."""
    shift = 2.0 * NORMAL.inv_cdf((1.0 + gamma) / 2.0)
    return random.normal(size=size_a), random.normal(shift, size=size_b)


def plateau(random, gamma, size_a, size_b):
    """Scores whose distributions are as far apart at every threshold between 0 and 1."""
    low = np.where(random.random(size_a) < gamma, -1.0, random.random(size_a))
    high = np.where(random.random(size_b) < gamma, 2.0, random.random(size_b))
    return low, high


def decisions(random, gamma, size_a, size_b):
    """Scores 0 and 1, the second with probability 0.1 in one group."""
    return (random.random(size) < rate for size, rate in ((size_a, 0.1), (size_b, 0.1 + gamma)))


def grades(random, gamma, size_a, size_b):
    """Five different scores, and a sixth and highest one that only one group has."""
    moved = random.random(size_b) < gamma
    return random.integers(5, size=size_a), np.where(moved, 5, random.integers(5, size=size_b))


def narrowed(random, gamma, size_a, size_b):
    """Uniform scores of different spread: half of the kuiper distance lies on either side."""
    return random.uniform(-1.0, 1.0, size_a), (1.0 - gamma) * random.uniform(-1.0, 1.0, size_b)


SHAPES = (shifted, plateau, decisions, grades)
GAMMAS = (0.0, 0.05, 0.2, 0.7)
SIZES = ((50, 50), (100, 50), (50, 1000), (500, 500), (5000, 5000))


def coverage(shape, kind, gamma, sizes, repeats, *, seed=20):
    """Give the fractions of intervals that contain gamma, lie above it and lie below it."""
    random = np.random.default_rng([seed, int(100 * gamma), *sizes])
    groups = np.repeat(["a", "b"], sizes)
    above = below = 0
    for repeat in range(repeats):
        scores = np.concatenate([np.asarray(x, float) for x in shape(random, gamma, *sizes)])
        result = demographic_parity_gamma(
            scores, groups, kind=kind, n_permutations=0, random_state=repeat
        )
        above += gamma < result.low
        below += gamma > result.high
    return 1.0 - (above + below) / repeats, above / repeats, below / repeats


def main(repeats):
    """Print the table."""
    print("scores     kind    gamma  sizes         covered  above  below")
    cases = [*product(SHAPES, ("ks", "kuiper")), (narrowed, "kuiper")]
    for sizes, (shape, kind), gamma in product(SIZES, cases, GAMMAS):
        found = coverage(shape, kind, gamma, sizes, repeats)
        name = f"{shape.__name__:10} {kind:7} {gamma:<6} {sizes!s:13}"
        print(name, *(f"{share:.3f} " for share in found), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write vectors.json: small problems with results that are exact in double precision.

All results are computed from the definitions with 50 digits by mpmath and rounded once. The inputs
are doubles with a few decimals from a seeded generator, so that all readers use the same values.
The tests of C++ and Python read the same file.

    python make_vectors.py    # needs mpmath; writes vectors.json beside this script
"""

import json
from itertools import permutations
from pathlib import Path
from random import Random

from mpmath import mp, mpf

DIGITS = 50
PATH = Path(__file__).with_name("vectors.json")


def doubles(value):
    """Round matrices, lists and numbers of mpmath to doubles, and keep other values."""
    if isinstance(value, mp.matrix):
        return [[float(value[i, j]) for j in range(value.cols)] for i in range(value.rows)]
    if isinstance(value, list):
        return [doubles(entry) for entry in value]
    return float(value) if isinstance(value, mpf) else value


def column(values):
    return mp.matrix(values)


def flat(matrix):
    return [matrix[i] for i in range(matrix.rows)]


# ---- definitions ----


def spectral(matrix, function):
    """Apply a function to the eigenvalues of a symmetric matrix."""
    values, vectors = mp.eigsy(matrix)
    return vectors * mp.diag([function(max(value, mpf(0))) for value in values]) * vectors.T


def root(matrix):
    return spectral(matrix, mp.sqrt)


def inverse_root(matrix):
    return spectral(matrix, lambda value: 1 / mp.sqrt(value))


def trace(matrix):
    return mp.fsum(matrix[i, i] for i in range(matrix.rows))


def squared_distance(source, target):
    """Eq. 2."""
    (m1, s1), (m2, s2) = source, target
    half = root(s1)
    gap = mp.fsum((m1[i] - m2[i]) ** 2 for i in range(m1.rows))
    return gap + trace(s1) + trace(s2) - 2 * trace(root(half * s2 * half))


def map_matrix(s1, s2):
    """Eq. 3."""
    half, inverse = root(s1), inverse_root(s1)
    return inverse * root(half * s2 * half) * inverse


def carry(point, source, target):
    """Eq. 4."""
    return target[0] + map_matrix(source[1], target[1]) * (point - source[0])


def barycenter(gaussians, weights):
    """Solve Eq. 6 by its fixed point until it holds to 40 digits."""
    mean, covariance = weighted_sum([m for m, _ in gaussians], weights), gaussians[0][1]
    for _ in range(1000):
        half, inverse = root(covariance), inverse_root(covariance)
        inner = weighted_sum([root(half * s * half) for _, s in gaussians], weights)
        if mp.mnorm(covariance - inner, "f") < mpf(10) ** -40 * mp.mnorm(covariance, "f"):
            return mean, covariance
        covariance = inverse * inner * inner * inverse
    raise RuntimeError("the fixed point was not reached")


def weighted_sum(terms, weights):
    total = weights[0] * terms[0]
    for weight, term in zip(weights[1:], terms[1:], strict=True):
        total += weight * term
    return total


def matching_cost(cost):
    """Return the minimal cost over all assignments of rows to columns."""
    rows, columns = len(cost), len(cost[0])
    if rows > columns:
        return matching_cost([list(row) for row in zip(*cost, strict=True)])
    return min(
        mp.fsum(mpf(cost[i][chosen[i]]) for i in range(rows))
        for chosen in permutations(range(columns), rows)
    )


def matching(cost):
    """Return the column of every row, which must be the unique optimum."""
    best = matching_cost(cost)
    found = [
        list(chosen)
        for chosen in permutations(range(len(cost)))
        if mp.fsum(cost[i][chosen[i]] for i in range(len(cost))) == best
    ]
    assert len(found) == 1
    return found[0]


def log_joint(mixture, point):
    """Return log(weight * density) of every component (Eq. 7)."""
    result = []
    for weight, (mean, covariance) in zip(*mixture, strict=True):
        offset = point - mean
        squared = (offset.T * mp.inverse(covariance) * offset)[0]
        volume = mp.log(mp.det(2 * mp.pi * covariance))
        result.append(mp.log(weight) - (volume + squared) / 2)
    return result


def log_density(mixture, point):
    return mp.log(mp.fsum(mp.exp(term) for term in log_joint(mixture, point)))


def responsibilities(mixture, point):
    total = log_density(mixture, point)
    return [mp.exp(term - total) for term in log_joint(mixture, point)]


def label(mixture, point):
    """Return the label (Eq. 8) of a point, which must not be near a boundary."""
    shares = responsibilities(mixture, point)
    assert sorted(shares)[-1] - sorted(shares)[-2] > 0.01
    return shares.index(max(shares))


# ---- inputs: exact doubles ----


class Inputs:
    def __init__(self, seed):
        self.random = Random(seed)

    def number(self, low, high):
        return mpf(round(self.random.uniform(low, high), 3))

    def vector(self, d, reach=3):
        return column([self.number(-reach, reach) for _ in range(d)])

    def covariance(self, d, scales=None):
        factor = mp.matrix(d, d)
        for i in range(d):
            for j in range(d):
                factor[i, j] = self.number(-1, 1) * (scales[i] if scales else 1)
        product = factor * factor.T
        for i in range(d):
            product[i, i] += mpf("0.125") * (scales[i] ** 2 if scales else 1)
        return mp.matrix(doubles(product))

    def gaussian(self, d, scales=None):
        return self.vector(d), self.covariance(d, scales)

    def mixture(self, weights, d, covariance_type="full", reach=2):
        means = [self.vector(d, reach) for _ in weights]
        shared = self.covariance(d)
        covariances = []
        for _ in weights:
            own = shared if covariance_type == "tied" else self.covariance(d)
            if covariance_type in ("diagonal", "spherical"):
                values = [
                    own[0, 0] if covariance_type == "spherical" else own[i, i] for i in range(d)
                ]
                own = mp.diag(values)
            covariances.append(own)
        return [mpf(weight) for weight in weights], list(zip(means, covariances, strict=True))


def written_gaussian(gaussian):
    return {"mean": doubles(flat(gaussian[0])), "covariance": doubles(gaussian[1])}


def written_mixture(mixture):
    weights, components = mixture
    return {
        "weights": doubles(weights),
        "means": [doubles(flat(mean)) for mean, _ in components],
        "covariances": [doubles(covariance) for _, covariance in components],
    }


# ---- cases ----


def condition(covariance):
    values = flat(mp.eigsy(covariance, eigvals_only=True))
    return max(values) / min(values)


def pair_case(name, source, target):
    return {
        "name": name,
        "source": written_gaussian(source),
        "target": written_gaussian(target),
        "condition": doubles(max(condition(source[1]), condition(target[1]))),
        "squared_distance": doubles(squared_distance(source, target)),
        "map_matrix": doubles(map_matrix(source[1], target[1])),
    }


def pairs():
    make = Inputs(1)
    cases = [pair_case(f"{d} features", make.gaussian(d), make.gaussian(d)) for d in (1, 2, 3, 5)]
    scales = [mpf(1), mpf(32), mpf(1) / 64]
    cases.append(
        pair_case("features of different scale", make.gaussian(3, scales), make.gaussian(3))
    )
    source = make.gaussian(2)
    nearly = (source[0], mp.matrix(doubles(source[1] * (1 + mpf(2) ** -20))))
    return [*cases, pair_case("nearly equal", source, nearly)]


def barycenter_case(name, gaussians, weights):
    mean, covariance = barycenter(gaussians, [mpf(weight) for weight in weights])
    return {
        "name": name,
        "gaussians": [written_gaussian(gaussian) for gaussian in gaussians],
        "weights": weights,
        "barycenter": written_gaussian((mean, covariance)),
    }


def barycenters():
    make = Inputs(2)
    return [
        barycenter_case("two in 2", [make.gaussian(2) for _ in range(2)], [0.25, 0.75]),
        barycenter_case("two in 4", [make.gaussian(4) for _ in range(2)], [0.5, 0.5]),
        barycenter_case("three in 1", [make.gaussian(1) for _ in range(3)], [0.5, 0.25, 0.25]),
        barycenter_case("three in 2", [make.gaussian(2) for _ in range(3)], [0.25, 0.25, 0.5]),
        barycenter_case("three in 3", [make.gaussian(3) for _ in range(3)], [0.125, 0.25, 0.625]),
    ]


def matchings():
    make = Inputs(3)
    cases = []
    for rows, columns in ((1, 1), (4, 4), (3, 6), (5, 3), (7, 7)):
        cost = [[make.number(-5, 20) for _ in range(columns)] for _ in range(rows)]
        name = f"{rows} to {columns}"
        cases.append({"name": name, "costs": doubles(cost), "cost": doubles(matching_cost(cost))})
    ties = [[float((i * j) % 3) for j in range(5)] for i in range(5)]
    return [*cases, {"name": "ties", "costs": ties, "cost": doubles(matching_cost(ties))}]


def mixtures():
    make = Inputs(4)
    cases = []
    for covariance_type in ("full", "tied", "diagonal", "spherical"):
        mixture = make.mixture([0.5, 0.3125, 0.1875], 2, covariance_type)
        points = [make.vector(2) for _ in range(4)] + [column([mpf(60), mpf(-80)])]
        cases.append(
            {
                "covariance_type": covariance_type,
                **written_mixture(mixture),
                "points": [doubles(flat(point)) for point in points],
                "log_density": doubles([log_density(mixture, point) for point in points]),
                "responsibilities": doubles([responsibilities(mixture, p) for p in points]),
            }
        )
    return cases


def local_map():
    """Return two groups of three components with their coupling, maps and barycenter."""
    make = Inputs(5)
    a = make.mixture([0.5, 0.25, 0.25], 2, reach=4)
    b = make.mixture([0.25, 0.375, 0.375], 2, reach=4)
    cost = [[mp.norm(m - n) ** 2 for n, _ in b[1]] for m, _ in a[1]]
    partner = matching(cost)
    points = [mean + make.vector(2, reach=0.5) for mean, _ in a[1] for _ in range(2)]
    points = [column(doubles(flat(point))) for point in points]
    labels = [label(a, point) for point in points]
    weights = [0.25, 0.75]
    tuples = [[i, partner[i]] for i in range(3)]
    averages = [barycenter([a[1][i], b[1][j]], [mpf(w) for w in weights]) for i, j in tuples]
    shares = [weights[0] * a[0][i] + weights[1] * b[0][j] for i, j in tuples]
    to_b = [carry(x, a[1][i], b[1][partner[i]]) for x, i in zip(points, labels, strict=True)]
    to_middle = [carry(x, a[1][i], averages[i]) for x, i in zip(points, labels, strict=True)]
    half_way = [(x + y) / 2 for x, y in zip(points, to_b, strict=True)]
    every = [covariance for mixture in (a, b) for _, covariance in mixture[1]]
    return {
        "a": written_mixture(a),
        "b": written_mixture(b),
        "condition": doubles(max(condition(covariance) for covariance in every)),
        "tuples": tuples,
        "points": [doubles(flat(point)) for point in points],
        "labels": labels,
        "pieces": [
            {
                "component": i,
                "source_mean": doubles(flat(a[1][i][0])),
                "matrix": doubles(map_matrix(a[1][i][1], b[1][j][1])),
                "target_mean": doubles(flat(b[1][j][0])),
            }
            for i, j in tuples
        ],
        "carried_to_b": [doubles(flat(point)) for point in to_b],
        "carried_half_way_to_b": [doubles(flat(point)) for point in half_way],
        "weights": weights,
        "barycenter": written_mixture((shares, averages)),
        "carried_to_barycenter": [doubles(flat(point)) for point in to_middle],
    }


def vectors():
    mp.dps = DIGITS
    return {
        "pairs": pairs(),
        "barycenters": barycenters(),
        "matchings": matchings(),
        "mixtures": mixtures(),
        "local_map": local_map(),
    }


def text_of(value, depth=0):
    """Write JSON with one case, or one field of a case, per line."""
    if depth < 3 and isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {text_of(entry, depth + 1)}" for key, entry in value.items()]
        return "{\n" + ",\n".join(lines) + "\n}"
    if depth < 2 and isinstance(value, list):
        return "[\n" + ",\n".join(text_of(entry, depth + 1) for entry in value) + "\n]"
    return json.dumps(value)


if __name__ == "__main__":
    PATH.write_text(text_of(vectors()) + "\n", encoding="utf-8")

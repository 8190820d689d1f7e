# SPDX-License-Identifier: MIT
"""Eleven generated data sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

Rng = np.random.Generator
Draw = Callable[[int, Rng], np.ndarray]


def blobs(n: int, rng: Rng) -> np.ndarray:
    """Draw five round clusters of different weights."""
    centers = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0], [6.0, 6.0], [12.0, 3.0]])
    return centers[rng.choice(5, n, p=[0.4, 0.25, 0.15, 0.1, 0.1])] + rng.normal(size=(n, 2))


def elongated(n: int, rng: Rng) -> np.ndarray:
    """Draw three parallel clusters, ten times as long as wide."""
    x = rng.normal(size=(n, 2)) * [5.0, 0.5]
    x[:, 1] += 3.0 * rng.integers(0, 3, n)
    return x @ np.array([[0.8, 0.6], [-0.6, 0.8]])


def overlapping(n: int, rng: Rng) -> np.ndarray:
    """Draw four clusters whose means are two deviations apart."""
    centers = 2.0 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    return centers[rng.integers(0, 4, n)] + rng.normal(size=(n, 3))


def heavy_tails(n: int, rng: Rng) -> np.ndarray:
    """Draw two clusters of Student's distribution with three degrees of freedom."""
    x = rng.standard_t(3, size=(n, 2))
    x[:, 0] += 8.0 * rng.integers(0, 2, n)
    return x


def one_hot(n: int, rng: Rng) -> np.ndarray:
    """Draw two one-hot features of four values, the second one dependent on the first."""
    first = rng.choice(4, n, p=[0.4, 0.3, 0.2, 0.1])
    second = np.where(rng.uniform(size=n) < 0.5, first, rng.integers(0, 4, n))
    return np.hstack([np.eye(4)[first], np.eye(4)[second]])


def binary(n: int, rng: Rng) -> np.ndarray:
    """Draw four independent binary features."""
    return (rng.uniform(size=(n, 4)) < [0.5, 0.3, 0.7, 0.2]).astype(float)


def mixed_units(n: int, rng: Rng) -> np.ndarray:
    """Draw an income, an age, a rate and a binary feature that depend on a hidden class."""
    hidden = rng.integers(0, 3, n)
    income = 20_000.0 * np.exp(0.5 * hidden + 0.3 * rng.normal(size=n))
    age = 30.0 + 12.0 * hidden + 6.0 * rng.normal(size=n)
    rate = 0.05 + 0.02 * hidden + 0.01 * rng.normal(size=n)
    return np.c_[income, age, rate, rng.uniform(size=n) < 0.2 + 0.3 * hidden]


def many_features(n: int, rng: Rng) -> np.ndarray:
    """Draw three clusters in twelve features with common factors."""
    fixed = np.random.default_rng(1)
    centers, factors = 2.0 * fixed.normal(size=(3, 12)), fixed.normal(size=(3, 12))
    noise = rng.normal(size=(n, 3)) @ factors + rng.normal(size=(n, 12))
    return centers[rng.integers(0, 3, n)] + noise


def moons(n: int, rng: Rng) -> np.ndarray:
    """Draw two moons inside a ring."""
    angle, kind = rng.uniform(0.0, np.pi, n), rng.integers(0, 3, n)
    upper = np.c_[np.cos(angle), np.sin(angle)]
    lower = np.c_[1.0 - np.cos(angle), 0.5 - np.sin(angle)]
    ring = [0.5, 0.25] + 3.0 * np.c_[np.cos(2 * angle), np.sin(2 * angle)]
    return np.choose(kind[:, None], [upper, lower, ring]) + 0.1 * rng.normal(size=(n, 2))


def whole_numbers(n: int, rng: Rng) -> np.ndarray:
    """Draw counts of three classes, many of them equal."""
    rates = np.array([[1.0, 8.0], [5.0, 3.0], [15.0, 12.0]])
    return rng.poisson(rates[rng.integers(0, 3, n)]).astype(float)


class DataSet(NamedTuple):
    """A data set: how its samples are drawn, their number, and the number of components."""

    draw: Draw
    n_samples: int
    n_components: int


DATA_SETS = {
    "blobs": DataSet(blobs, 500, 5),
    "elongated": DataSet(elongated, 500, 3),
    "overlapping": DataSet(overlapping, 500, 4),
    "heavy tails": DataSet(heavy_tails, 500, 4),
    "one-hot": DataSet(one_hot, 500, 6),
    "binary": DataSet(binary, 500, 6),
    "mixed units": DataSet(mixed_units, 500, 3),
    "many features": DataSet(many_features, 500, 3),
    "few samples": DataSet(blobs, 60, 5),
    "moons": DataSet(moons, 500, 10),
    "whole numbers": DataSet(whole_numbers, 500, 5),
}

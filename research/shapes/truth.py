# SPDX-License-Identifier: MIT
"""The ground truth: barycenters of the silhouettes, as binary pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

import lbw
from common.files import replacing

from .silhouettes import SHAPES, Picture, Points, silhouette

Image = NDArray[np.float64]

REGULARISATION = 1e-3  # 4e-4 underflows
ITERATIONS = 500
FLOOR = 1e-300  # floor of the kernel and of divisors; 1e-30 affects the result


def kernel(size: int, regularisation: float) -> Image:
    """Return exp(-distance^2 / regularisation) along one side of the unit square."""
    place = np.linspace(0.0, 1.0, size)
    return np.exp(-((place[:, None] - place) ** 2) / regularisation)


def convolutional_barycenter(
    pictures: Sequence[Image],
    weights: Sequence[float],
    *,
    regularisation: float = REGULARISATION,
    iterations: int = ITERATIONS,
) -> Image:
    """Compute the entropic barycenter of pictures by convolutions (Solomon et al. 2015).

    Each picture is normalised to mass 1. The Gaussian kernel is separable, so a convolution is one
    product from each side.
    """
    kept = [(picture, weight) for picture, weight in zip(pictures, weights, strict=True) if weight]
    masses = np.stack([picture / picture.sum() for picture, _ in kept])
    share = np.array([weight for _, weight in kept])[:, None, None]
    smooth = kernel(masses.shape[1], regularisation)
    u = np.ones_like(masses)
    for _ in range(iterations):
        v = masses / np.maximum(smooth @ u @ smooth, FLOOR)
        pushed = np.maximum(smooth @ v @ smooth, FLOOR)
        barycenter = np.exp(np.sum(share * np.log(np.maximum(u * pushed, FLOOR)), axis=0))
        u = barycenter / pushed
    return barycenter


def otsu(picture: Image, n_bins: int = 256) -> float:
    """Return Otsu's threshold, which best separates the values of a picture into two classes."""
    counts, edges = np.histogram(picture, n_bins)
    centers = 0.5 * (edges[1:] + edges[:-1])
    below = np.cumsum(counts)[:-1]
    above = counts.sum() - below
    mass = np.cumsum(counts * centers)
    difference = mass[:-1] / np.maximum(below, 1) - (mass[-1] - mass[:-1]) / np.maximum(above, 1)
    return float(edges[1:-1][np.argmax(below * above * difference**2)])


def truth_of(weights: Sequence[float]) -> Picture:
    """Return the support of the barycenter of the three silhouettes."""
    barycenter = convolutional_barycenter([silhouette(name) * 1.0 for name in SHAPES], weights)
    return barycenter > otsu(barycenter)


def truths(grid: Sequence[tuple[float, ...]], folder: Path) -> dict[tuple[float, ...], Picture]:
    """Return the ground truth at all weights of a grid, cached in a folder."""
    found = {}
    for weights in grid:
        path = folder / f"truth-{'-'.join(f'{weight:g}' for weight in weights)}.npy"
        if not path.is_file():
            with replacing(path) as part:
                np.save(part, truth_of(weights))
        found[weights] = np.load(path)
    return found


def assigned_barycenter(
    clouds: Sequence[Points], weights: Sequence[float], *, max_iterations: int = 100
) -> Points:
    """Compute the barycenter of point clouds of equal size without regularization.

    Its points are averages of assigned points. Exact assignments are repeated until they converge,
    starting from the cloud with the largest weight.
    """
    points = clouds[int(np.argmax(weights))]
    previous = None
    for _ in range(max_iterations):
        assigned = [
            lbw.linear_sum_assignment(cdist(points, cloud, "sqeuclidean"))[1] for cloud in clouds
        ]
        if previous is not None and all(map(np.array_equal, assigned, previous)):
            break
        previous = assigned
        points = sum(
            weight * cloud[order]
            for weight, cloud, order in zip(weights, clouds, assigned, strict=True)
        )
    return points

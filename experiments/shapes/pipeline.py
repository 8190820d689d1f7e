# SPDX-License-Identifier: MIT
"""The paper's method as scikit-learn, SciPy and NumPy give it, written to be fast."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from sklearn.mixture import GaussianMixture

from .silhouettes import Points

Matrices = NDArray[np.float64]  # a stack


def spd_sqrt(matrices: Matrices) -> Matrices:
    """Return the symmetric square roots of a stack of matrices."""
    values, vectors = np.linalg.eigh(matrices)
    roots = np.sqrt(np.maximum(values, 0.0))
    return (vectors * roots[..., None, :]) @ vectors.swapaxes(-1, -2)


def covariance_maps(sources: Matrices, targets: Matrices) -> Matrices:
    """Return T with T S T = R for each pair (Eq. 3): L^-T (L^T R L)^1/2 L^-1 with S = L L^T."""
    factors = np.linalg.cholesky(sources)
    inverses = np.linalg.inv(factors)
    inner = spd_sqrt(factors.swapaxes(-1, -2) @ targets @ factors)
    return inverses.swapaxes(-1, -2) @ inner @ inverses


def barycenter_covariances(
    covariances: Sequence[Matrices], weights: Sequence[float], tolerance: float = 1e-8
) -> Matrices:
    """Return the covariances of Algorithm 1, all tuples at once."""
    used = [(c, w) for c, w in zip(covariances, weights, strict=True) if w > 0]
    current = sum(w * c for c, w in used)
    for _ in range(100):
        step = sum(w * covariance_maps(current, c) for c, w in used)
        following = step @ current @ step
        change = np.linalg.norm(following - current, axis=(1, 2))
        current = following
        if np.all(change <= tolerance * np.linalg.norm(current, axis=(1, 2))):
            break
    return current


class Pipeline:
    """Fit a mixture per group, match components by means, carry by hard assignment."""

    def __init__(self, n_components: int, seed: int, *, matching: str = "means") -> None:
        self.n_components = n_components
        self.seed = seed
        self.matching = matching  # or "random", as a control

    def fit(self, groups: Sequence[Points]) -> Pipeline:
        """Fit the mixtures and match every group to the first (Algorithm 2)."""
        self.mixtures = [
            GaussianMixture(self.n_components, random_state=self.seed).fit(group)
            for group in groups
        ]
        orders = self._orders()
        self.means = [m.means_[order] for m, order in zip(self.mixtures, orders, strict=True)]
        self.covariances = [
            m.covariances_[order] for m, order in zip(self.mixtures, orders, strict=True)
        ]
        self.places = [np.argsort(order) for order in orders]  # tuple of each component
        return self

    def _orders(self) -> list[NDArray[np.intp]]:
        """Return, for every group, the component that belongs to each of the first group."""
        first = self.mixtures[0].means_
        if self.matching == "random":
            random = np.random.default_rng(self.seed)
            return [np.arange(len(first)), *(random.permutation(len(first)) for _ in range(2))]
        return [
            linear_sum_assignment(cdist(first, mixture.means_, "sqeuclidean"))[1]
            for mixture in self.mixtures
        ]

    def carry(self, groups: Sequence[Points], grid: Sequence[Sequence[float]]) -> list[Points]:
        """Carry points of all groups to the barycenter at every weight of a grid (Eq. 9)."""
        # labels do not depend on the weights: one pass serves them all
        labels = [
            place[mixture.predict(points)]
            for place, mixture, points in zip(self.places, self.mixtures, groups, strict=True)
        ]
        carried = []
        for weights in grid:
            mean = sum(w * m for w, m in zip(weights, self.means, strict=True))
            covariance = barycenter_covariances(self.covariances, weights)
            parts = []
            for points, label, means, covariances in zip(
                groups, labels, self.means, self.covariances, strict=True
            ):
                maps = covariance_maps(covariances, covariance)
                offset = mean - np.einsum("kab,kb->ka", maps, means)
                parts.append(np.einsum("nab,nb->na", maps[label], points) + offset[label])
            carried.append(np.concatenate(parts))
        return carried

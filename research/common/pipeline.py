# SPDX-License-Identifier: MIT
"""A fast implementation of the paper's method in scikit-learn, SciPy and NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from sklearn.mixture import GaussianMixture

Points = NDArray[np.float64]
Matrices = NDArray[np.float64]  # a stack
Labels = NDArray[np.integer]


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
    """Return the covariances of Algorithm 1 for all tuples at once.

    The barycenter of two covariances lies on their geodesic, which has a closed form.
    """
    used = [(c, w) for c, w in zip(covariances, weights, strict=True) if w > 0]
    if len(used) == 2:
        (first, own), (second, other) = used
        step = own * np.eye(first.shape[-1]) + other * covariance_maps(first, second)
        return step @ first @ step
    current = sum(w * c for c, w in used)
    for _ in range(100):
        step = sum(w * covariance_maps(current, c) for c, w in used)
        following = step @ current @ step
        change = np.linalg.norm(following - current, axis=(1, 2))
        current = following
        if np.all(change <= tolerance * np.linalg.norm(current, axis=(1, 2))):
            break
    return current


def rows_by_label(labels: Labels, n_labels: int) -> list[NDArray[np.intp]]:
    """Return the rows of each label."""
    order = np.argsort(labels.astype(np.int16), kind="stable")  # a radix sort on small integers
    return np.split(order, np.cumsum(np.bincount(labels, minlength=n_labels))[:-1])


def transport_parts(
    points: Points,
    parts: Sequence[NDArray[np.intp]],
    means: Points,
    maps: Matrices,
    target_means: Points,
) -> Points:
    """Apply the affine map of each component to the rows of its part."""
    transported = np.empty_like(points)
    offsets = target_means - np.einsum("kab,kb->ka", maps, means)
    for rows, matrix, offset in zip(parts, maps, offsets, strict=True):
        transported[rows] = points[rows] @ matrix + offset
    return transported


class Pipeline:
    """A mixture per group, components matched by means, and transport by hard assignment."""

    def __init__(self, n_components: int, seed: int, *, matching: str = "means") -> None:
        self.n_components = n_components
        self.seed = seed
        self.matching = matching  # "random" is a control

    def fit(self, groups: Sequence[Points]) -> Pipeline:
        """Fit the mixtures and match every group to the first (Algorithm 2)."""
        self.mixtures = [GaussianMixture(self.n_components, random_state=self.seed) for _ in groups]
        # scikit-learn computes the labels in fit_predict
        self.labels = [m.fit_predict(group) for m, group in zip(self.mixtures, groups, strict=True)]
        self.orders = self._orders()
        self.means = [m.means_[order] for m, order in zip(self.mixtures, self.orders, strict=True)]
        self.covariances = [
            m.covariances_[order] for m, order in zip(self.mixtures, self.orders, strict=True)
        ]
        return self

    def _orders(self) -> list[NDArray[np.intp]]:
        """Return, for every group, the component matched to each component of the first group."""
        first = self.mixtures[0].means_
        if self.matching == "random":
            random = np.random.default_rng(self.seed)
            return [np.arange(len(first)), *(random.permutation(len(first)) for _ in range(2))]
        return [
            linear_sum_assignment(cdist(first, mixture.means_, "sqeuclidean"))[1]
            for mixture in self.mixtures
        ]

    def transport(
        self,
        groups: Sequence[Points],
        grid: Sequence[Sequence[float]],
        labels: Sequence[Labels] | None = None,
    ) -> list[Points]:
        """Transport the points of all groups to the barycenter at every weight of a grid (Eq. 9).

        The labels are predicted if they are not given. They do not depend on the weights.
        """
        if labels is None:
            labels = [m.predict(points) for m, points in zip(self.mixtures, groups, strict=True)]
        rows = [rows_by_label(label, self.n_components) for label in labels]
        parts = [[r[i] for i in order] for r, order in zip(rows, self.orders, strict=True)]
        return [self._transported(groups, parts, weights) for weights in grid]

    def _transported(
        self,
        groups: Sequence[Points],
        parts: Sequence[Sequence[NDArray[np.intp]]],
        weights: Sequence[float],
    ) -> Points:
        target = sum(w * m for w, m in zip(weights, self.means, strict=True))
        covariance = barycenter_covariances(self.covariances, weights)
        return np.concatenate(
            [
                transport_parts(points, part, means, covariance_maps(own, covariance), target)
                for points, part, means, own in zip(
                    groups, parts, self.means, self.covariances, strict=True
                )
            ]
        )

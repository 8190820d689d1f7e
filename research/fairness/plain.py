# SPDX-License-Identifier: MIT
"""The same repairs in scikit-learn, SciPy, POT and NumPy, to time and check lbw.

The code works on whole arrays, without loops over rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import ot
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from sklearn.mixture import GaussianMixture

from common.pipeline import covariance_maps

N_LEVELS = 257  # number of quantiles of a group along an axis


class PlainRepair:
    """Repair two groups to the barycenter with equal weights, like `lbw.GroupRepair`."""

    def __init__(
        self,
        n_components: int = 1,
        *,
        coupling: str = "matching",
        map: str = "hard",
        refine: int = 0,
        random_state: int = 0,
    ) -> None:
        if coupling == "plan" and map == "hard":
            raise ValueError("PlainRepair: coupling='plan' requires map='soft' or 'random'")
        self.n_components = n_components
        self.coupling = coupling
        self.map = map
        self.refine = refine
        self.random_state = random_state

    def fit(self, X: np.ndarray, sensitive_features: np.ndarray) -> PlainRepair:
        """Fit both mixtures, couple them and learn the sliced steps."""
        self.groups_ = np.unique(sensitive_features)
        assert len(self.groups_) == 2
        rng = np.random.default_rng(self.random_state)
        samples = [X[sensitive_features == group] for group in self.groups_]
        self.mixtures_ = [
            GaussianMixture(self.n_components, random_state=self.random_state).fit(rows)
            for rows in samples
        ]
        self._couple()
        self.steps_: list[tuple[np.ndarray, list[Any]]] = []
        carried = [self._carried(rows, side, rng) for side, rows in enumerate(samples)]
        for _ in range(self.refine):
            step = _sliced_step(carried, rng)
            carried = [_taken(step, rows, side) for side, rows in enumerate(carried)]
            self.steps_.append(step)
        return self

    def transform(self, X: np.ndarray, sensitive_features: np.ndarray) -> np.ndarray:
        """Transport every row from its group to the barycenter."""
        rng = np.random.default_rng(self.random_state)
        repaired = np.empty_like(X)
        for side, group in enumerate(self.groups_):
            rows = self._carried(X[sensitive_features == group], side, rng)
            for step in self.steps_:
                rows = _taken(step, rows, side)
            repaired[sensitive_features == group] = rows
        return repaired

    def _couple(self) -> None:
        first, second = self.mixtures_
        cost = cdist(first.means_, second.means_, "sqeuclidean")
        if self.coupling == "matching":
            pairs = linear_sum_assignment(cost)
            self.plan_ = np.zeros_like(cost)
            self.plan_[pairs] = 1.0
        else:
            self.plan_ = ot.emd(first.weights_, second.weights_, cost)
        self.maps_ = [self._maps_of(side) for side in (0, 1)]

    def _maps_of(self, side: int) -> list[list[tuple[float, np.ndarray, np.ndarray]]]:
        """Return for each component the weight, matrix and offset of each of its maps."""
        own, other = self.mixtures_[side], self.mixtures_[1 - side]
        plan = self.plan_ if side == 0 else self.plan_.T
        maps: list[list[tuple[float, np.ndarray, np.ndarray]]] = []
        for i, masses in enumerate(plan):
            maps.append([])
            for j in np.flatnonzero(masses):
                matrix = 0.5 * np.eye(own.means_.shape[1])
                matrix += 0.5 * covariance_maps(own.covariances_[i], other.covariances_[j])
                offset = 0.5 * (own.means_[i] + other.means_[j]) - own.means_[i] @ matrix
                maps[i].append((masses[j] / masses.sum(), matrix, offset))
        return maps

    def _carried(self, rows: np.ndarray, side: int, rng: np.random.Generator) -> np.ndarray:
        shares = self._shares(rows, side)
        if self.map == "random":
            return self._drawn(rows, side, shares, rng)
        carried = np.zeros_like(rows)
        for i, maps in enumerate(self.maps_[side]):
            here = np.flatnonzero(shares[:, i])
            for share, matrix, offset in maps:
                carried[here] += share * shares[here, i, None] * (rows[here] @ matrix + offset)
        return carried

    def _shares(self, rows: np.ndarray, side: int) -> np.ndarray:
        mixture = self.mixtures_[side]
        if self.map == "hard":
            return np.eye(self.n_components)[mixture.predict(rows)]
        return np.asarray(mixture.predict_proba(rows))

    def _drawn(
        self, rows: np.ndarray, side: int, shares: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        component = (shares.cumsum(axis=1) > rng.uniform(size=(len(rows), 1))).argmax(axis=1)
        carried = np.empty_like(rows)
        for i, maps in enumerate(self.maps_[side]):
            here = np.flatnonzero(component == i)
            drawn = rng.choice(len(maps), size=len(here), p=[share for share, _, _ in maps])
            for number, (_, matrix, offset) in enumerate(maps):
                taken = here[drawn == number]
                carried[taken] = rows[taken] @ matrix + offset
        return carried


def _sliced_step(
    groups: list[np.ndarray], rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Learn a rotation and the quantiles of both groups along its axes."""
    n_features = groups[0].shape[1]
    rotation, triangle = np.linalg.qr(rng.normal(size=(n_features, n_features)))
    rotation *= np.sign(np.diag(triangle))
    levels = np.linspace(0.0, 1.0, N_LEVELS)
    return rotation, [np.quantile(rows @ rotation, levels, axis=0) for rows in groups]


def _taken(step: tuple[np.ndarray, list[np.ndarray]], rows: np.ndarray, side: int) -> np.ndarray:
    rotation, quantiles = step
    middle = 0.5 * (quantiles[0] + quantiles[1])
    turned = rows @ rotation
    for axis in range(turned.shape[1]):
        turned[:, axis] = np.interp(turned[:, axis], quantiles[side][:, axis], middle[:, axis])
    return np.asarray(turned @ rotation.T)

# SPDX-License-Identifier: MIT
"""Maps of probability vectors of more than two classes, from every group to the barycenter.

The probabilities of K classes are points of a simplex of K - 1 dimensions. Their coordinates in an
orthonormal basis are transported as features are: by the affine map of the groups' Gaussians to
their barycenter, then by sliced steps, each of which rotates the points and equalizes the quantiles
of all groups along every axis. A point that leaves the simplex is projected onto it, by the same
projection for all groups.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._input.arrays import FloatArray
from .._input.fit_rows import rows_of_fit
from .._input.keys import KeyArray
from .._input.labels import LabelArray
from .._transport.fit_groups import fit_groups
from .._transport.local_transport import LocalTransport

__all__ = ["SimplexMaps", "projected"]

_STEPS = 50  # as many as GroupRepair makes
_FLOOR = 0.1  # of the variance over all groups, as that of GroupRepair


class SimplexMaps:
    """Transport of the probability vectors of one classifier.

    Attributes
    ----------
    transport : LocalTransport
        The transport of their coordinates, fitted to rows that the classifier has not seen.
    """

    def __init__(self, transport: LocalTransport) -> None:
        self.transport = transport

    @classmethod
    def fitted(
        cls,
        scores: FloatArray,
        groups: LabelArray,
        *,
        weights: FloatArray,
        sample_weight: FloatArray | None,
        keys: KeyArray,
        seed: int,
    ) -> SimplexMaps:
        """Learn the maps from vectors, which keys tell apart where they are equal."""
        transport = _new_transport(weights.tolist(), seed)
        places = _coordinates(scores.astype(np.float64))
        model, labels, _ = fit_groups(transport, rows_of_fit(places, groups, sample_weight, keys))
        transport._take(model, labels)
        return cls(transport)

    @classmethod
    def of_model(cls, model: _core.TransportModel, labels: LabelArray) -> SimplexMaps:
        """Return the maps of a model that was fitted before."""
        transport = _new_transport(model.refine_weights, model.mixture_options.seed)
        transport._take(model, labels)
        return cls(transport)

    def carried(
        self,
        scores: FloatArray,
        groups: LabelArray,
        rows: Any,
        amount: float,
        keys: KeyArray,
        handle_unknown: str,
    ) -> FloatArray:
        """Transport the vectors of some rows towards the barycenter; others are left unchanged."""
        carried = scores.astype(np.float64)
        if amount == 0.0 or not rows.any():
            return carried
        own = carried[rows]
        before = _coordinates(own)
        after = self.transport._by_group(
            before, groups[rows], None, 1.0, handle_unknown, keys[rows]
        )
        repaired = projected(own + _products(after - before, _basis(scores.shape[1]).T))
        carried[rows] = repaired if amount == 1.0 else (1.0 - amount) * own + amount * repaired
        return carried


def projected(points: FloatArray) -> FloatArray:
    """Return the nearest points of the simplex, whose coordinates are >= 0 and sum to 1.

    A row is lowered by one number t and cut off at 0, where t makes the sum 1 (Held, Wolfe,
    Crowder 1974).
    """
    descending = -np.sort(-points, axis=1)
    excess = np.cumsum(descending, axis=1) - 1.0
    counts = np.arange(1, points.shape[1] + 1)
    n_positive = (descending * counts > excess).sum(axis=1)
    lowered = excess[np.arange(len(points)), n_positive - 1] / n_positive
    nearest: FloatArray = np.clip(points - lowered[:, None], 0.0, 1.0)
    return nearest


def _new_transport(weights: list[float], seed: int) -> LocalTransport:
    return LocalTransport(
        n_components=1,
        covariance_floor=0.0,
        relative_covariance_floor=_FLOOR,
        dither="auto",
        refine=_STEPS,
        refine_weights=weights,
        scale_features=False,  # all coordinates are in units of probability
        group_shrinkage="auto",
        random_state=seed,
    )


def _basis(n_classes: int) -> FloatArray:
    """Return the Helmert basis of vectors that sum to 0: orthonormal rows."""
    basis = np.zeros((n_classes - 1, n_classes))
    for row in range(1, n_classes):
        basis[row - 1, :row] = 1.0
        basis[row - 1, row] = -row
        basis[row - 1] /= np.sqrt(row * (row + 1.0))
    return basis


def _coordinates(scores: FloatArray) -> FloatArray:
    return _products(scores, _basis(scores.shape[1]))


def _products(rows: FloatArray, matrix: FloatArray) -> FloatArray:
    """Multiply a matrix by every row, in a fixed order, so that batches of rows do not matter."""
    return np.ascontiguousarray((rows[:, None, :] * matrix).sum(axis=2))

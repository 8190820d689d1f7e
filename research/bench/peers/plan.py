# SPDX-License-Identifier: MIT
"""Optimal plans and barycenters of mixtures by POT."""

from __future__ import annotations

from typing import Any

import numpy as np
import ot

from common.clock import Stopwatch

from . import inputs
from .inputs import answered


def pot_plan(request: dict[str, Any]) -> dict[str, Any]:
    """Compute the exact optimal plan between two vectors of masses."""
    cost = inputs.array(request["cost"])
    rows, columns = (inputs.array(request[side]).ravel() for side in ("rows", "columns"))
    with Stopwatch() as watch:
        plan = ot.emd(rows, columns, cost, numItermax=10_000_000)
    return answered(watch, cost=(plan * cost).sum())


def pot_barycenter(request: dict[str, Any]) -> dict[str, Any]:
    """Compute the barycenter of mixtures by POT's fixed point, started from the first mixture.

    POT overwrites the start, and its default projection is wrong for unequal weights.
    """
    mixtures = [inputs.mixture(prefix) for prefix in request["mixtures"]]
    means, covariances, masses = (
        [getattr(mixture, name) for mixture in mixtures]
        for name in ("means", "covariances", "weights")
    )
    weights = np.full(len(mixtures), 1.0 / len(mixtures))
    with Stopwatch() as watch:
        centers, spreads = ot.gmm.gmm_barycenter_fixed_point(
            means, covariances, masses, means[0].copy(), covariances[0].copy(), weights
        )
    equal = np.full(len(centers), 1.0 / len(centers))
    losses = [
        ot.gmm.gmm_ot_loss(centers, m.means, spreads, m.covariances, equal, m.weights)
        for m in mixtures
    ]
    return answered(watch, cost=np.mean(losses), components=len(centers))

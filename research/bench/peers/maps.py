# SPDX-License-Identifier: MIT
"""Maps between covariances: batched NumPy, and POT one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import ot

from common.clock import Stopwatch
from common.pipeline import covariance_maps

from . import inputs
from .inputs import Array, answered


def worst_residual(sources: Array, targets: Array, maps: Array) -> float:
    """Return the largest ||T S T - R|| / ||R||."""
    missed = np.linalg.norm(maps @ sources @ maps - targets, axis=(1, 2))
    return float((missed / np.linalg.norm(targets, axis=(1, 2))).max())


def numpy_maps(request: dict[str, Any]) -> dict[str, Any]:
    """Compute all maps in one batch."""
    sources = inputs.matrices(request["sources"])
    targets = inputs.matrices(request["targets"])
    with Stopwatch() as watch:
        maps = covariance_maps(sources, targets)
    return answered(watch, residual=worst_residual(sources, targets, maps))


def pot_maps(request: dict[str, Any]) -> dict[str, Any]:
    """Compute the maps with one call of POT per pair, because it has no batched version."""
    sources = inputs.matrices(request["sources"])
    targets = inputs.matrices(request["targets"])
    zero = np.zeros(sources.shape[1])
    with Stopwatch() as watch:
        maps = np.stack(
            [
                ot.gaussian.bures_wasserstein_mapping(zero, zero, source, target)[0]
                for source, target in zip(sources, targets, strict=True)
            ]
        )
    return answered(watch, residual=worst_residual(sources, targets, maps))

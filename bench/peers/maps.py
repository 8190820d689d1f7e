# SPDX-License-Identifier: MIT
"""Maps between covariances: batched NumPy, and POT one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import ot

from . import inputs
from .clock import Stopwatch
from .inputs import Array


def spd_sqrt(matrices: Array) -> Array:
    """Return the symmetric square roots of a stack of matrices."""
    values, vectors = np.linalg.eigh(matrices)
    roots = np.sqrt(np.maximum(values, 0.0))
    return (vectors * roots[..., None, :]) @ vectors.swapaxes(-1, -2)


def covariance_maps(sources: Array, targets: Array) -> Array:
    """Return T with T S T = R for each pair, by one Cholesky and one eigendecomposition.

    With S = L L^T the map is L^-T (L^T R L)^1/2 L^-1.
    """
    factors = np.linalg.cholesky(sources)
    inverses = np.linalg.inv(factors)
    inner = spd_sqrt(factors.swapaxes(-1, -2) @ targets @ factors)
    return inverses.swapaxes(-1, -2) @ inner @ inverses


def worst_residual(sources: Array, targets: Array, maps: Array) -> float:
    """Return the largest ||T S T - R|| / ||R||."""
    missed = np.linalg.norm(maps @ sources @ maps - targets, axis=(1, 2))
    return float((missed / np.linalg.norm(targets, axis=(1, 2))).max())


def numpy_maps(request: dict[str, Any]) -> dict[str, Any]:
    """All maps in one batch."""
    sources = inputs.matrices(request["sources"])
    targets = inputs.matrices(request["targets"])
    with Stopwatch() as watch:
        maps = covariance_maps(sources, targets)
    return {
        "seconds": watch.seconds,
        "checks": {"residual": worst_residual(sources, targets, maps)},
    }


def pot_maps(request: dict[str, Any]) -> dict[str, Any]:
    """One call of POT per pair: it has no batch."""
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
    return {
        "seconds": watch.seconds,
        "checks": {"residual": worst_residual(sources, targets, maps)},
    }

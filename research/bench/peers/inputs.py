# SPDX-License-Identifier: MIT
"""The inputs that the driver wrote for all workers, and the format of an answer."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from common.clock import Stopwatch

Array = NDArray[np.float64]
Integers = NDArray[np.integer]


@dataclass(frozen=True)
class Mixture:
    """A Gaussian mixture with full covariances."""

    weights: Array
    means: Array
    covariances: Array


@functools.cache
def array(path: str) -> Array:
    """Return the array in a file. It is kept in memory until `forget` is called."""
    return np.load(path)


def matrices(path: str) -> Array:
    """Return the vertically stacked square matrices in a file, as (count, d, d)."""
    stacked = array(path)
    size = stacked.shape[1]
    return stacked.reshape(-1, size, size)


@functools.cache
def mixture(prefix: str) -> Mixture:
    """Return the mixture in ``PREFIX.weights.npy``, ``.means.npy`` and ``.covariances.npy``."""
    return Mixture(
        weights=array(f"{prefix}.weights.npy").ravel(),
        means=array(f"{prefix}.means.npy"),
        covariances=matrices(f"{prefix}.covariances.npy"),
    )


def save_mixture(prefix: str, model: Mixture) -> None:
    """Write the files that `mixture` reads."""
    np.save(f"{prefix}.weights.npy", model.weights)
    np.save(f"{prefix}.means.npy", model.means)
    np.save(f"{prefix}.covariances.npy", model.covariances.reshape(-1, model.means.shape[1]))


def answered(watch: Stopwatch, **checks: Any) -> dict[str, Any]:
    """Return the answer to a request: the time and the values to compare."""
    return {"seconds": watch.seconds, "checks": {name: float(v) for name, v in checks.items()}}


def forget() -> None:
    """Drop all arrays to free memory."""
    array.cache_clear()
    mixture.cache_clear()

# SPDX-License-Identifier: MIT
"""Points along a map of the core."""

from __future__ import annotations

import numpy as np

from . import _core
from ._arrays import SampleArray
from ._keys import KeyArray

__all__ = ["carry", "carry_back"]


def carry(
    along: _core.LocalMap, samples: SampleArray, n_threads: int = 0, keys: KeyArray | None = None
) -> SampleArray:
    """Carry samples into an array of their shape and type."""
    carried = np.empty(samples.shape, dtype=samples.dtype)
    _core.transport_into(along, samples, carried, n_threads=n_threads, keys=keys)
    return carried


def carry_back(
    along: _core.LocalMap, points: SampleArray, n_threads: int = 0, keys: KeyArray | None = None
) -> SampleArray:
    """Give the samples that a map carried to these points, of their type; keys are not used."""
    return _core.inverse_transport(along, points, n_threads=n_threads).astype(
        points.dtype, copy=False
    )

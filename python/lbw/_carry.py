# SPDX-License-Identifier: MIT
"""Points along a map of the core."""

from __future__ import annotations

import numpy as np

from . import _core
from ._arrays import SampleArray
from ._keys import KeyArray

__all__ = ["carry", "carry_back"]


def carry(
    along: _core.LocalMap,
    samples: SampleArray,
    n_threads: int = 0,
    keys: KeyArray | None = None,
    out: SampleArray | None = None,
) -> SampleArray:
    """Carry samples into an array of their shape and type, a new one unless it is given."""
    carried = np.empty(samples.shape, dtype=samples.dtype) if out is None else out
    _core.transport_into(along, samples, carried, n_threads=n_threads, keys=keys)
    return carried


def carry_back(
    along: _core.LocalMap,
    points: SampleArray,
    n_threads: int = 0,
    keys: KeyArray | None = None,
    out: SampleArray | None = None,
) -> SampleArray:
    """Give the samples that a map carried to these points, of their type; keys are not used."""
    carried = np.empty(points.shape, dtype=points.dtype) if out is None else out
    carried[...] = _core.inverse_transport(along, points, n_threads=n_threads)
    return carried

# SPDX-License-Identifier: MIT
"""Checks of weights and plans that users pass to functions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._input.arrays import FloatArray, as_doubles

__all__ = ["checked_plan", "checked_weights"]


def checked_weights(weights: ArrayLike, name: str, n: int) -> FloatArray:
    """Return one weight per entry, given as (n,) or (n, 1); they are >= 0 and not all 0."""
    values = np.asarray(weights, dtype=np.float64)
    if values.shape not in ((n,), (n, 1)):
        raise ValueError(f"{name} has shape {values.shape}, expected ({n},), one weight per entry")
    flat = as_doubles(values.ravel(), name, ndim=1)
    if not np.isfinite(flat).all():
        raise ValueError(f"{name} contains NaN or infinity, expected finite weights")
    if (flat < 0.0).any() or not (flat > 0.0).any():
        raise ValueError(
            f"{name} has a smallest entry of {flat.min():g} and a largest of "
            f"{flat.max():g}, expected weights >= 0 that are not all 0"
        )
    return flat


def checked_plan(plan: ArrayLike, source: FloatArray, n_targets: int) -> FloatArray:
    """Return a plan whose entries are >= 0 and whose rows sum to the source weights."""
    masses = as_doubles(plan, "plan", ndim=2)
    if masses.shape != (len(source), n_targets):
        raise ValueError(
            f"plan has shape {masses.shape}, expected ({len(source)}, {n_targets}): one row per "
            "source component and one column per target component"
        )
    if not np.isfinite(masses).all():
        raise ValueError("plan contains NaN or infinity, expected finite masses")
    if (masses < 0.0).any():
        raise ValueError(f"plan has an entry of {masses.min():g}, expected masses >= 0")
    rows = masses.sum(axis=1)
    if not np.allclose(rows / rows.sum(), source / source.sum(), rtol=0.0, atol=1e-6):
        raise ValueError(
            "the rows of plan do not sum to w_s; pass the weights that it was made for"
        )
    return masses

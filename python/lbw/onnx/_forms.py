# SPDX-License-Identifier: MIT
"""Quadratic and linear functions of points by d (d + 1) / 2 linear forms, the same for all.

The forms f of a point z are its coordinates z_i and the sums z_i + z_j. Every symmetric matrix S is
a sum of c_f f f^T, with one coefficient per form. Hence z^T S z is the sum of c_f (f z)^2, and S z
is the sum of c_f (f z) f: both need the products f z alone, which no matrix enters.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._input.arrays import FloatArray

__all__ = ["FormTensor", "coefficients", "forms"]


class FormTensor(NamedTuple):
    """The forms of points z = pooled (x - origin) in a graph."""

    name: str  # (n, d * (d + 1) / 2)
    pooled: FloatArray  # (d, d)
    origin: FloatArray  # (d)
    dtype: type


def forms(d: int) -> FloatArray:
    """Return the forms as rows: the axes, then the sums of two axes."""
    first, second = np.triu_indices(d, 1)
    axes = np.eye(d)
    return np.concatenate([axes, axes[first] + axes[second]])


def coefficients(matrices: FloatArray) -> FloatArray:
    """Return the coefficients (k, d * (d + 1) / 2) of symmetric matrices (k, d, d)."""
    first, second = np.triu_indices(matrices.shape[1], 1)
    diagonal = np.diagonal(matrices, axis1=1, axis2=2)
    return np.concatenate([2 * diagonal - matrices.sum(axis=2), matrices[:, first, second]], axis=1)

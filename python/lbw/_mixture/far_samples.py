# SPDX-License-Identifier: MIT
"""Densities of samples that are too far away for the core."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import LARGEST, FloatArray, SampleArray
from .._options.names import covariance_layout

__all__ = ["far_rows", "joint_log_densities", "log_densities", "probabilities"]


def far_rows(X: SampleArray) -> NDArray[np.bool_]:
    """Return which rows of finite numbers are too far from 0 for the core."""
    return np.asarray((np.abs(X) > LARGEST).any(axis=1))


def joint_log_densities(mixture: Any, X: SampleArray) -> FloatArray:
    """Return log(weight * density) of every sample and component; -inf where squares overflow."""
    d = X.shape[1]
    factors = mixture.precisions_cholesky_
    is_shared = covariance_layout(mixture.covariance_type).is_shared
    joint = np.empty((len(X), len(mixture.weights_)))
    for i, (weight, mean) in enumerate(zip(mixture.weights_, mixture.means_, strict=True)):
        factor = factors if is_shared else factors[i]
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            difference = X - mean
            if np.ndim(factor) == 2:
                whitened = difference @ factor
                log_scale = np.log(np.diagonal(factor)).sum()
            else:
                whitened = difference * factor
                log_scale = np.log(np.broadcast_to(factor, d)).sum()
            squares = np.square(whitened).sum(axis=1)
            joint[:, i] = np.log(weight) + log_scale - 0.5 * (d * np.log(2 * np.pi) + squares)
    return np.where(np.isnan(joint), -np.inf, joint)


def log_densities(joint: FloatArray) -> FloatArray:
    """Return the log density of every sample from its joint densities."""
    return np.asarray(joint.max(axis=1) + np.log(_relative(joint).sum(axis=1).clip(1.0)))


def probabilities(joint: FloatArray) -> FloatArray:
    """Return the probability of every component; a row of zeros where all densities are 0."""
    relative = _relative(joint)
    return np.asarray(relative / relative.sum(axis=1, keepdims=True).clip(1.0))


def _relative(joint: FloatArray) -> FloatArray:
    """Return joint densities relative to the largest of the sample."""
    largest = joint.max(axis=1, keepdims=True)
    return np.asarray(np.exp(joint - np.maximum(largest, np.finfo(np.float64).min)))

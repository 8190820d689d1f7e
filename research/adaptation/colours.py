# SPDX-License-Identifier: MIT
"""Measures of a picture with transported colours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .pictures import Picture

N_DIRECTIONS = 64


def distance(colours: NDArray[np.float64], target: NDArray[np.float64]) -> float:
    """Return the sliced Wasserstein distance of order 2 between equally many colours."""
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(3, N_DIRECTIONS))
    directions /= np.linalg.norm(directions, axis=0)
    gaps = np.sort(colours @ directions, axis=0) - np.sort(target @ directions, axis=0)
    return float(np.sqrt((gaps**2).mean()))


def total_variation(picture: Picture) -> float:
    """Return the mean distance between the colours of neighbouring pixels."""
    right = np.linalg.norm(np.diff(picture, axis=1), axis=-1)
    below = np.linalg.norm(np.diff(picture, axis=0), axis=-1)
    return float((right.sum() + below.sum()) / (right.size + below.size))


def spread(picture: Picture) -> float:
    """Return the root mean square distance of the colours from their mean."""
    colours = picture.reshape(-1, 3)
    return float(np.sqrt(((colours - colours.mean(axis=0)) ** 2).sum(axis=1).mean()))


def roughness(transported: Picture, source: Picture) -> float:
    """Return the total variation over the spread of colours, relative to the source.

    A map that scales all differences by the same factor has roughness 1.
    """
    before = total_variation(source) / spread(source)
    return total_variation(transported) / spread(transported) / before

# SPDX-License-Identifier: MIT
"""Two moons, and two moons that are rotated about their centre."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_moons

Points = NDArray[np.float64]

NOISE = 0.1


class Domains(NamedTuple):
    """Labelled source points, unlabelled target points, and held-out target points."""

    source: Points
    source_labels: NDArray[np.intp]
    target: Points
    test: Points
    test_labels: NDArray[np.intp]


def rotated(points: Points, degrees: float) -> Points:
    """Rotate points counter-clockwise about the centre of two moons without noise."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    centre = np.array([0.5, 0.25])
    return (points - centre) @ np.array([[cos, sin], [-sin, cos]]) + centre


def domains(angle: float, seed: int, n_points: int) -> Domains:
    """Draw the source, and the target and test points, which are rotated by an angle."""
    source, source_labels = make_moons(n_points, noise=NOISE, random_state=3 * seed)
    target, _ = make_moons(n_points, noise=NOISE, random_state=3 * seed + 1)
    test, test_labels = make_moons(n_points, noise=NOISE, random_state=3 * seed + 2)
    return Domains(source, source_labels, rotated(target, angle), rotated(test, angle), test_labels)

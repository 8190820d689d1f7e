# SPDX-License-Identifier: MIT
"""The digits of scikit-learn, and the same pictures with a shift."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, rotate
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from .moons import Domains

N_POINTS = 600
N_FEATURES = 8

Pictures = NDArray[np.float64]  # (n, 8, 8), from 0 to 16


def turned(pictures: Pictures) -> Pictures:
    """Rotate every picture by 20 degrees."""
    return rotate(pictures, 20, axes=(1, 2), reshape=False, order=1)


def dimmed(pictures: Pictures) -> Pictures:
    """Brighten dark pixels and compress bright ones."""
    return 2 * np.sqrt(pictures) + 2


def blurred(pictures: Pictures) -> Pictures:
    """Blur every picture."""
    return gaussian_filter(pictures, (0, 0.8, 0.8))


SHIFTS = {"turned": turned, "dimmed": dimmed, "blurred": blurred}


def digit_domains(shift: str, split: int) -> Domains:
    """Split the digits into source, target and test, and reduce them to principal components.

    The components are those of source and target together. All are scaled by the same factor, which
    preserves the ratios of distances between pictures.
    """
    pictures, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(split).permutation(len(labels))
    source, target, test = np.split(order, [N_POINTS, 2 * N_POINTS])
    pictures = pictures.reshape(-1, 8, 8)
    change = SHIFTS[shift]
    parts = [pictures[source], change(pictures[target]), change(pictures[test])]
    flat = [part.reshape(len(part), -1) for part in parts]
    axes = PCA(N_FEATURES, svd_solver="full").fit(np.concatenate(flat[:2]))
    reduced = [axes.transform(part) / 10 for part in flat]
    return Domains(reduced[0], labels[source], reduced[1], reduced[2], labels[test])

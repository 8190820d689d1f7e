# SPDX-License-Identifier: MIT
"""Draw figure 1: the principle of the method in four panels, on a clover and a heart."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.patches import Ellipse

import lbw

from .measure import Study
from .silhouettes import SIZE, Picture, Points, points_in
from .style import plt, save

CLOVER, HEART, MIDDLE = "#159a6a", "#d11149", "#4b3b8f"
K = 12


def clover() -> Picture:
    """Return a clover: three discs and a stem that widens downwards."""
    x, y = unit_square()
    discs = [(0.5, 0.30), (0.29, 0.56), (0.71, 0.56)]
    drawn = np.logical_or.reduce([(x - a) ** 2 + (y - b) ** 2 < 0.2**2 for a, b in discs])
    stem = (
        (np.abs(x - 0.5) < 0.03 + 0.5 * np.maximum(y - 0.62, 0.0) ** 1.3) & (y > 0.4) & (y < 0.93)
    )
    return drawn | stem


def heart() -> Picture:
    """Return a heart, bounded by the curve (x^2 + y^2 - 1)^3 = x^2 y^3."""
    x, y = unit_square()
    a, b = (x - 0.5) * 3.0, (0.55 - y) * 3.0
    return (a**2 + b**2 - 1) ** 3 < a**2 * b**3


def unit_square() -> tuple[Points, Points]:
    """Return x and y of the centers of the pixels."""
    place = (np.arange(SIZE) + 0.5) / SIZE
    x, y = np.meshgrid(place, place)
    return x, y


def draw_principle(study: Study) -> None:
    """Draw input, mixtures, matching and barycenter side by side."""
    random = np.random.default_rng(3)
    groups = [points_in(clover(), 3000, random), points_in(heart(), 3000, random)]
    labels = np.repeat(["clover", "heart"], 3000)
    transport = lbw.LocalTransport(K, coupling="matching", map="hard", random_state=1, n_jobs=1)
    transport.fit(np.concatenate(groups), labels)
    first, second = transport.mixtures_
    figure, axes = plt.subplots(2, 2, figsize=(9, 5), sharex=True, sharey=True)
    axes = axes.ravel()
    titles = ["input data", "a mixture for each", "means matched", "barycenter of each pair"]
    for ax, title in zip(axes, titles, strict=True):
        ax.set(title=title, aspect="equal", xlim=(-0.05, 2.1), ylim=(1.02, -0.02))
        ax.axis("off")
    shift = np.array([1.05, 0.0])  # the heart is drawn to the right of the clover
    for ax, alpha in zip(axes[:3], (0.5, 0.12, 0.08), strict=True):
        ax.plot(*groups[0].T, ",", color=CLOVER, alpha=alpha)
        ax.plot(*(groups[1] + shift).T, ",", color=HEART, alpha=alpha)
    draw_mixture(axes[1], first, CLOVER, 0.0 * shift)
    draw_mixture(axes[1], second, HEART, shift)
    for own, other in transport.coupling_:
        pair = np.array([first.means_[own], second.means_[other] + shift])
        axes[2].plot(*pair.T, "-", color="0.55", linewidth=0.8)
        axes[2].plot(*pair[0], "o", color=CLOVER, markersize=4)
        axes[2].plot(*pair[1], "o", color=HEART, markersize=4)
    middle = np.concatenate(
        [
            transport.transform(points, name, to=[0.5, 0.5])
            for points, name in zip(groups, ["clover", "heart"], strict=True)
        ]
    )
    axes[3].plot(*(middle + shift / 2).T, ",", color=MIDDLE, alpha=0.3)
    draw_mixture(axes[3], transport.barycenter([0.5, 0.5]), MIDDLE, shift / 2)
    figure.tight_layout()
    save(figure, study.results, "fig1-principle")


def draw_mixture(ax: Any, mixture: Any, colour: str, shift: Points) -> None:
    """Draw each component as an ellipse of two standard deviations."""
    for mean, covariance in zip(mixture.means_, mixture.covariances_, strict=True):
        values, vectors = np.linalg.eigh(covariance)
        angle = np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1]))
        width, height = 4 * np.sqrt(values[::-1])
        ax.add_patch(
            Ellipse(mean + shift, width, height, angle=angle, facecolor=colour, alpha=0.22)
        )
        ax.add_patch(Ellipse(mean + shift, width, height, angle=angle, fill=False, color=colour))

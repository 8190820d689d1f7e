# SPDX-License-Identifier: MIT
"""Components of a mixture as ellipses in the plane of two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._options.names import covariance_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.patches import Ellipse


class Components(NamedTuple):
    """Components of a mixture in the plane of two features.

    Attributes
    ----------
    weights : ndarray of shape (n_components,)
        Mixture weights.
    means : ndarray of shape (n_components, 2)
        Means.
    covariances : ndarray of shape (n_components, 2, 2)
        Covariances.
    """

    weights: NDArray[np.float64]
    means: NDArray[np.float64]
    covariances: NDArray[np.float64]


def components_of(mixture: Any, indices: Sequence[int]) -> Components:
    """Marginals of a fitted mixture along two of its features."""
    means = np.asarray(mixture.means_, dtype=np.float64)
    n_components, n_features = means.shape
    given = np.asarray(mixture.covariances_, dtype=np.float64)
    layout = covariance_layout(mixture.covariance_type)
    if layout.entries == "variance":
        given = np.multiply.outer(given, np.ones(n_features))
    if layout.entries != "matrix":
        given = given[:, :, np.newaxis] * np.eye(n_features)
    given = np.broadcast_to(given, (n_components, n_features, n_features))
    chosen = np.asarray(indices)
    marginals = given[:, chosen[:, np.newaxis], chosen]
    return Components(np.asarray(mixture.weights_), means[:, chosen], marginals)


def shares_of_largest(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights in units of the largest."""
    return weights / max(float(np.max(weights)), np.finfo(float).tiny)


def draw_ellipses(ax: Axes, components: Components, n_std: float, color: str) -> list[Ellipse]:
    """Draw each component at `n_std` standard deviations, the heavier the more opaque."""
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Ellipse

    ellipses = []
    shares = shares_of_largest(components.weights)
    for share, mean, covariance in zip(
        shares, components.means, components.covariances, strict=True
    ):
        variances, axes = np.linalg.eigh(covariance)
        height, width = 2 * n_std * np.sqrt(np.maximum(variances, 0))  # the larger one last
        angle = np.degrees(np.arctan2(axes[1, 1], axes[0, 1]))
        ellipse = Ellipse(
            (float(mean[0]), float(mean[1])), width, height, angle=float(angle),
            facecolor=to_rgba(color, 0.08 + 0.32 * float(share)), edgecolor=color, linewidth=1,
        )  # fmt: skip
        ellipses.append(ellipse)
        ax.add_patch(ellipse)
    ax.autoscale_view()
    return ellipses


def draw_means(ax: Axes, components: Components, color: str, marker: str) -> PathCollection:
    """Draw each mean, the area of its marker by the weight."""
    return ax.scatter(
        components.means[:, 0],
        components.means[:, 1],
        s=12 + 60 * shares_of_largest(components.weights),
        color=color,
        marker=marker,
        edgecolors="white",
        linewidths=0.8,
        zorder=4,
    )

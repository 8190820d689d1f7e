# SPDX-License-Identifier: MIT
"""Picture of the barycenters between two or three groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from .._input.tables import to_array
from . import _axes, _data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BarycenterTriangleDisplay"]

# where each group's corner lies, in shares of width and height
_CORNERS = {
    2: np.array([[0.0, 0.5], [1.0, 0.5]]),
    3: np.array([[0.5, 1.0], [0.0, 0.0], [1.0, 0.0]]),
}


class BarycenterTriangleDisplay:
    """Groups at the corners of a triangle, their barycenters in between; two groups make a row.

    Parameters
    ----------
    barycentric_weights : ndarray of shape (n_panels, n_groups)
        Weights of the groups in each panel.
    panels : sequence of ndarray of shape (n_points, 2)
        Points of each panel.
    group_names : sequence
        Labels of the two or three groups.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes that holds the panels.
    figure_ : matplotlib Figure
        The figure of the axes.
    axes_ : list of matplotlib Axes
        One per panel.
    points_ : list of PathCollection
        The points of each panel, their colour mixed from the groups' by the weights.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw.plot import BarycenterTriangleDisplay
    >>> square = np.random.default_rng(0).uniform(size=(200, 2))
    >>> weights = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    >>> display = BarycenterTriangleDisplay(
    ...     barycentric_weights=weights,
    ...     panels=[square, square + [0.5, 0], square + [1, 0]],
    ...     group_names=["left", "right"],
    ... ).plot()
    >>> len(display.axes_)
    3
    """

    def __init__(
        self,
        *,
        barycentric_weights: NDArray[np.float64],
        panels: Sequence[NDArray[np.float64]],
        group_names: Sequence[Any],
    ) -> None:
        self.barycentric_weights = barycentric_weights
        self.panels = panels
        self.group_names = group_names

    @classmethod
    def from_estimator(
        cls,
        local_transport: Any,
        X: ArrayLike,
        groups: ArrayLike,
        *,
        n_steps: int = 4,
        features: _data.Features = (0, 1),
        picture: bool = False,
        ax: Axes | None = None,
    ) -> BarycenterTriangleDisplay:
        """Transport points to the barycenters of a fitted transport and draw them.

        Parameters
        ----------
        local_transport : LocalTransport
            Fitted on two or three groups.
        X : array-like of shape (n_samples, n_features)
            Points to transport, seen in `fit` or new. A corner shows its own group as it is, every
            other panel the points of all groups.
        groups : array-like of shape (n_samples,)
            Group of each point.
        n_steps : int, default=4
            Steps from corner to corner; weights are multiples of ``1 / n_steps``.
        features : pair of int or str, default=(0, 1)
            The two features shown, by number or name.
        picture : bool, default=False
            True for points of a picture: one scale for both axes, y downwards.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        BarycenterTriangleDisplay
            The display, drawn.
        """
        _axes.import_pyplot(cls.__name__)
        check_is_fitted(local_transport)
        labels = list(local_transport.groups_)
        if len(labels) not in _CORNERS:
            raise ValueError(f"{cls.__name__}: {len(labels)} groups, expected 2 or 3")
        if n_steps < 1:
            raise ValueError(f"{cls.__name__}: n_steps is {n_steps}, expected >= 1")
        n_features = np.shape(local_transport.mixtures_[0].means_)[1]
        points = _data.samples(cls.__name__, X, n_features)
        names = _data.feature_names_of(cls.__name__, X, local_transport, n_features)
        indices = _data.feature_indices(cls.__name__, features, names)
        corners = _data.points_of_groups(cls.__name__, points[:, indices], groups, labels)
        weights = _simplex_grid(len(labels), n_steps)
        panels = []
        for at in weights:
            if np.max(at) == 1:
                panels.append(corners[int(np.argmax(at))])
            else:
                carried = np.asarray(to_array(local_transport.transform(X, groups, to=at)))
                panels.append(carried[:, indices])
        display = cls(barycentric_weights=weights, panels=panels, group_names=labels)
        return display.plot(picture=picture, ax=ax)

    def plot(self, *, picture: bool = False, ax: Axes | None = None) -> BarycenterTriangleDisplay:
        """Draw the panels.

        Parameters
        ----------
        picture : bool, default=False
            True for points of a picture: one scale for both axes, y downwards.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        BarycenterTriangleDisplay
            This display.
        """
        limits = _common_limits(self.panels)
        n_across, n_down = self._grid_shape()
        width, height = limits[1] - limits[0]
        aspect = float(np.clip(height / width, 0.4, 2.5)) if picture else 1.0
        size = (1.4 * n_across, 1.4 * aspect * n_down + 0.3)
        self.ax_ = _axes.axes_for(type(self).__name__, ax, size)
        self.figure_ = self.ax_.figure
        self.ax_.set_axis_off()
        self.axes_ = [self._panel(self.ax_, weights) for weights in self.barycentric_weights]
        self.points_ = []
        for small, weights, points in zip(
            self.axes_, self.barycentric_weights, self.panels, strict=True
        ):
            color = _mixed_color(weights)
            self.points_.append(_axes.scatter(small, points, len(points), 4.0, color=color))
            small.set(xlim=limits[:, 0], ylim=limits[:, 1])
            if picture:
                _axes.as_in_a_picture(small, "box")
        return self

    def _grid_shape(self) -> tuple[int, int]:
        n_across = len(np.unique(self.barycentric_weights[:, -1]))
        return n_across, n_across if len(self.group_names) == 3 else 1

    def _panel(self, ax: Axes, weights: NDArray[np.float64]) -> Axes:
        n_across, n_down = self._grid_shape()
        width, height = 1 / n_across, 1 / n_down
        at = weights @ _CORNERS[len(self.group_names)]
        left, bottom = (1 - width) * at[0], (1 - height) * at[1]
        small = ax.inset_axes((left, bottom, 0.94 * width, 0.94 * height), xticks=[], yticks=[])
        small.spines[:].set_color("0.85")
        if np.max(weights) == 1:
            group = int(np.argmax(weights))
            write = small.set_xlabel if n_down > 1 and group > 0 else small.set_title
            write(str(self.group_names[group]), fontsize="medium")
        return small


def _simplex_grid(n_groups: int, n_steps: int) -> NDArray[np.float64]:
    """All weights that are multiples of 1 / n_steps, from the first corner on."""
    counts = np.indices((n_steps + 1,) * n_groups).reshape(n_groups, -1).T
    on_simplex = counts[counts.sum(axis=1) == n_steps]
    return np.asarray(on_simplex[::-1] / n_steps)


def _common_limits(panels: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    low = np.min([points.min(axis=0) for points in panels if len(points)], axis=0)
    high = np.max([points.max(axis=0) for points in panels if len(points)], axis=0)
    margin = 0.05 * (high - low) + 1e-12 * (np.abs(high) + 1)
    return np.array([low - margin, high + margin])


def _mixed_color(weights: NDArray[np.float64]) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    colors = np.array([to_rgb(color) for color in _axes.COLORS[: len(weights)]])
    red, green, blue = (weights @ colors).tolist()
    return red, green, blue

# SPDX-License-Identifier: MIT
"""Picture of the mixtures of groups and of the components that belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from . import _axes, _data
from ._components import (
    Components,
    components_of,
    draw_ellipses,
    draw_means,
    shares_of_largest,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection

__all__ = ["MatchingDisplay"]


class MatchingDisplay:
    """Mixtures of groups, with lines between the means of coupled components.

    Parameters
    ----------
    group_names : sequence
        Labels of the groups.
    components : sequence of Components
        For each group `weights`, `means` and `covariances` in the plane shown.
    coupling : ndarray of int, shape (n_tuples, n_groups)
        Components that belong together.
    coupling_masses : ndarray of shape (n_tuples,)
        Mass of each tuple.
    reference : int, default=0
        Position of the group that lines start from.
    points : sequence of ndarray of shape (n_samples, 2), or None, default=None
        For each group its points.
    feature_names : sequence of str, default=("x0", "x1")
        Names of the two axes.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes drawn into.
    figure_ : matplotlib Figure
        The figure of the axes.
    points_ : list of PathCollection
        The points of each group; empty without points.
    ellipses_ : list of list of Ellipse
        For each group one per component.
    means_ : list of PathCollection
        The means of each group; areas grow with the weights.
    lines_ : LineCollection
        From each component of the reference to those coupled to it; widths grow with the mass.
    """

    def __init__(
        self,
        *,
        group_names: Sequence[Any],
        components: Sequence[Components],
        coupling: NDArray[np.integer[Any]],
        coupling_masses: NDArray[np.float64],
        reference: int = 0,
        points: Sequence[NDArray[np.float64]] | None = None,
        feature_names: Sequence[str] = ("x0", "x1"),
    ) -> None:
        self.group_names = group_names
        self.components = components
        self.coupling = coupling
        self.coupling_masses = coupling_masses
        self.reference = reference
        self.points = points
        self.feature_names = feature_names

    @classmethod
    def from_estimator(
        cls,
        local_transport: Any,
        X: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        *,
        features: _data.Features = (0, 1),
        n_std: float = 1.0,
        picture: bool = False,
        ax: Axes | None = None,
    ) -> MatchingDisplay:
        """Draw the mixtures of a fitted transport and their coupling.

        Parameters
        ----------
        local_transport : LocalTransport or GroupRepair
            Fitted, of at most ten groups.
        X : array-like of shape (n_samples, n_features), default=None
            Points to draw beneath.
        groups : array-like of shape (n_samples,), default=None
            Group of each point; needed with X.
        features : pair of int or str, default=(0, 1)
            The two features shown, by number or name.
        n_std : float, default=1.0
            Standard deviations from a mean to its ellipse.
        picture : bool, default=False
            True for points of a picture: one scale for both axes, y downwards.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        MatchingDisplay
            The display, drawn.
        """
        _axes.import_pyplot(cls.__name__)
        local_transport = getattr(local_transport, "transport_", local_transport)
        check_is_fitted(local_transport)
        if (X is None) != (groups is None):
            raise ValueError(f"{cls.__name__}: X and groups are needed together")
        mixtures, labels = local_transport.mixtures_, list(local_transport.groups_)
        n_features = np.shape(mixtures[0].means_)[1]
        names = _data.feature_names_of(cls.__name__, X, local_transport, n_features)
        indices = _data.feature_indices(cls.__name__, features, names)
        points = None
        if X is not None and groups is not None:
            shown = _data.samples(cls.__name__, X, n_features)[:, indices]
            points = _data.points_of_groups(cls.__name__, shown, groups, labels)
        display = cls(
            group_names=labels,
            components=[components_of(mixture, indices) for mixture in mixtures],
            coupling=np.asarray(local_transport.coupling_),
            coupling_masses=np.asarray(local_transport.coupling_masses_),
            reference=labels.index(local_transport.reference_),
            points=points,
            feature_names=[names[index] for index in indices],
        )
        return display.plot(n_std=n_std, picture=picture, ax=ax)

    def plot(
        self, *, n_std: float = 1.0, picture: bool = False, ax: Axes | None = None
    ) -> MatchingDisplay:
        """Draw mixtures and coupling.

        Parameters
        ----------
        n_std : float, default=1.0
            Standard deviations from a mean to its ellipse.
        picture : bool, default=False
            True for points of a picture: one scale for both axes, y downwards.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        MatchingDisplay
            This display.
        """
        _axes.check_n_groups(type(self).__name__, len(self.group_names))
        self.ax_ = _axes.axes_for(type(self).__name__, ax, (6.0, 5.0))
        self.figure_ = self.ax_.figure
        n_points = sum(map(len, self.points or ()))
        self.points_ = [
            _axes.scatter(self.ax_, points, n_points, color=color)
            for points, color in zip(self.points or (), _axes.COLORS, strict=False)
        ]
        drawn = list(zip(self.components, _axes.COLORS, _axes.MARKERS, strict=False))
        self.ellipses_ = [draw_ellipses(self.ax_, part, n_std, color) for part, color, _ in drawn]
        self.lines_ = self._draw_lines(self.ax_)
        self.means_ = [draw_means(self.ax_, *part) for part in drawn]
        for means, name in zip(self.means_, self.group_names, strict=True):
            means.set_label(str(name))
        _axes.group_legend(self.ax_, len(self.group_names))
        _axes.label_axes(self.ax_, self.feature_names)
        if picture:
            _axes.as_in_a_picture(self.ax_)
        return self

    def _draw_lines(self, ax: Axes) -> LineCollection:
        from matplotlib.collections import LineCollection

        segments, masses = self._pairs()
        lines = LineCollection(
            list(segments),
            linewidths=0.4 + 2.0 * shares_of_largest(masses),
            colors=_axes.INK,
            alpha=0.7,
            capstyle="round",
            zorder=3,
        )
        ax.add_collection(lines)
        return lines

    def _pairs(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lines from the reference to every other group, the masses of equal ones added."""
        start = self.components[self.reference].means
        segments, masses = [], []
        for group, components in enumerate(self.components):
            if group == self.reference:
                continue
            pairs, position = np.unique(
                self.coupling[:, [self.reference, group]], axis=0, return_inverse=True
            )
            segments.append(np.stack([start[pairs[:, 0]], components.means[pairs[:, 1]]], axis=1))
            masses.append(np.bincount(position.ravel(), weights=self.coupling_masses))
        return np.concatenate(segments), np.concatenate(masses)

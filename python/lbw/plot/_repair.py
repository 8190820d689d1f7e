# SPDX-License-Identifier: MIT
"""Picture of groups before and after a repair."""

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
    from matplotlib.collections import PathCollection

__all__ = ["RepairDisplay"]


class RepairDisplay:
    """Two panels of one scale: the groups before a repair and after it.

    Parameters
    ----------
    before, after : ndarray of shape (n_samples, 2)
        The same rows, in the plane shown.
    groups : ndarray of shape (n_samples,)
        Group of each row, of at most ten.
    feature_names : sequence of str, default=("x0", "x1")
        Names of the two axes.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes that holds the panels.
    figure_ : matplotlib Figure
        The figure of the axes.
    axes_ : list of two matplotlib Axes
        The panels, before and after.
    points_ : list of two lists of PathCollection
        In each panel the points of each group.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw.plot import RepairDisplay
    >>> before = np.random.default_rng(0).normal(size=(200, 2))
    >>> groups = np.repeat(["a", "b"], 100)
    >>> before[100:] += 3
    >>> after = before - 1.5 * np.where(groups == "a", -1, 1)[:, np.newaxis]
    >>> display = RepairDisplay(before=before, after=after, groups=groups).plot()
    >>> [panel.get_title() for panel in display.axes_]
    ['before', 'after']
    """

    def __init__(
        self,
        *,
        before: NDArray[np.float64],
        after: NDArray[np.float64],
        groups: NDArray[Any],
        feature_names: Sequence[str] = ("x0", "x1"),
    ) -> None:
        self.before = before
        self.after = after
        self.groups = groups
        self.feature_names = feature_names

    @classmethod
    def from_estimator(
        cls,
        group_repair: Any,
        X: ArrayLike,
        *,
        sensitive_features: ArrayLike | None = None,
        features: _data.Features = (0, 1),
        ax: Axes | None = None,
    ) -> RepairDisplay:
        """Repair a table and draw it before and after.

        Parameters
        ----------
        group_repair : GroupRepair
            Fitted.
        X : array-like of shape (n_samples, n_features)
            Rows to repair, seen in the fit or not.
        sensitive_features : array-like of shape (n_samples,) or (n_samples, n_sensitive), \
                default=None
            Groups of the rows; None when they are columns of X that the repair knows of.
        features : pair of int or str, default=(0, 1)
            The two features shown, by number or name, among those that the repair leaves.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        RepairDisplay
            The display, drawn.
        """
        _axes.import_pyplot(cls.__name__)
        check_is_fitted(group_repair)
        # parted as the repair does it, so that both panels hold the same columns and groups
        before, groups, _ = group_repair._split(X, sensitive_features, None, reset=False)
        after = to_array(group_repair.transform(X, sensitive_features=sensitive_features))
        names = group_repair.get_feature_names_out().tolist()
        indices = _data.feature_indices(cls.__name__, features, names)
        display = cls(
            before=np.asarray(before[:, indices], dtype=np.float64),
            after=np.asarray(after[:, indices], dtype=np.float64),
            groups=groups,
            feature_names=[names[index] for index in indices],
        )
        return display.plot(ax=ax)

    def plot(self, *, ax: Axes | None = None) -> RepairDisplay:
        """Draw both panels.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        RepairDisplay
            This display.
        """
        labels = np.unique(self.groups).tolist()
        _axes.check_n_groups(type(self).__name__, len(labels))
        self.ax_ = _axes.axes_for(type(self).__name__, ax, (9.0, 4.4))
        self.figure_ = self.ax_.figure
        self.ax_.set_axis_off()
        left = self.ax_.inset_axes((0.0, 0.0, 0.485, 1.0))
        right = self.ax_.inset_axes((0.515, 0.0, 0.485, 1.0), sharex=left, sharey=left)
        self.axes_ = [left, right]
        self.points_ = [
            self._draw(left, self.before, labels, "before"),
            self._draw(right, self.after, labels, "after"),
        ]
        right.tick_params(labelleft=False)
        right.set_ylabel("")
        _axes.group_legend(left if len(labels) <= 5 else right, len(labels))
        return self

    def _draw(
        self, ax: Axes, points: NDArray[np.float64], labels: list[Any], title: str
    ) -> list[PathCollection]:
        parts = _data.points_of_groups(type(self).__name__, points, self.groups, labels)
        drawn = [
            _axes.scatter(ax, part, len(points), color=color, marker=marker, label=str(label))
            for part, color, marker, label in zip(
                parts, _axes.COLORS, _axes.MARKERS, labels, strict=False
            )
        ]
        ax.set_title(title)
        _axes.label_axes(ax, self.feature_names)
        return drawn

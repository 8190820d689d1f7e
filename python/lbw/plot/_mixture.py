# SPDX-License-Identifier: MIT
"""Picture of one mixture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from . import _axes, _data
from ._components import Components, components_of, draw_ellipses, draw_means

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MixtureDisplay"]


class MixtureDisplay:
    """Points and the ellipses of the components of a mixture.

    Parameters
    ----------
    weights : ndarray of shape (n_components,)
        Mixture weights.
    means : ndarray of shape (n_components, 2)
        Means in the plane shown.
    covariances : ndarray of shape (n_components, 2, 2)
        Covariances in the plane shown.
    points : ndarray of shape (n_samples, 2) or None, default=None
        Points drawn beneath.
    feature_names : sequence of str, default=("x0", "x1")
        Names of the two axes.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes drawn into.
    figure_ : matplotlib Figure
        The figure of the axes.
    points_ : PathCollection or None
        The points.
    ellipses_ : list of Ellipse
        One per component, the more opaque the heavier it is.
    means_ : PathCollection
        The means; areas grow with the weights.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw.plot import MixtureDisplay
    >>> display = MixtureDisplay(
    ...     weights=np.array([0.25, 0.75]),
    ...     means=np.array([[0.0, 0.0], [3.0, 1.0]]),
    ...     covariances=np.array([np.eye(2), np.diag([2.0, 0.5])]),
    ... ).plot()
    >>> len(display.ellipses_)
    2
    """

    def __init__(
        self,
        *,
        weights: NDArray[np.float64],
        means: NDArray[np.float64],
        covariances: NDArray[np.float64],
        points: NDArray[np.float64] | None = None,
        feature_names: Sequence[str] = ("x0", "x1"),
    ) -> None:
        self.weights = weights
        self.means = means
        self.covariances = covariances
        self.points = points
        self.feature_names = feature_names

    @classmethod
    def from_estimator(
        cls,
        mixture: Any,
        X: ArrayLike | None = None,
        *,
        features: _data.Features = (0, 1),
        n_std: float = 2.0,
        picture: bool = False,
        ax: Axes | None = None,
    ) -> MixtureDisplay:
        """Draw a fitted mixture.

        Parameters
        ----------
        mixture : GaussianMixture
            Fitted, of lbw or of scikit-learn.
        X : array-like of shape (n_samples, n_features), default=None
            Points to draw beneath.
        features : pair of int or str, default=(0, 1)
            The two features shown, by number or name.
        n_std : float, default=2.0
            Standard deviations from a mean to its ellipse.
        picture : bool, default=False
            True for points of a picture: one scale for both axes, y downwards.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        MixtureDisplay
            The display, drawn.
        """
        _axes.import_pyplot(cls.__name__)
        check_is_fitted(mixture)
        if hasattr(mixture, "mixtures_"):
            raise TypeError(
                f"{cls.__name__} draws one mixture, {type(mixture).__name__} has several: "
                "give one of its mixtures_, or see MatchingDisplay"
            )
        n_features = np.shape(mixture.means_)[1]
        names = _data.feature_names_of(cls.__name__, X, mixture, n_features)
        indices = _data.feature_indices(cls.__name__, features, names)
        points = None
        if X is not None:
            points = _data.samples(cls.__name__, X, n_features)[:, indices].astype(np.float64)
        display = cls(
            **components_of(mixture, indices)._asdict(),
            points=points,
            feature_names=[names[index] for index in indices],
        )
        return display.plot(n_std=n_std, picture=picture, ax=ax)

    def plot(
        self, *, n_std: float = 2.0, picture: bool = False, ax: Axes | None = None
    ) -> MixtureDisplay:
        """Draw the mixture.

        Parameters
        ----------
        n_std : float, default=2.0
            Standard deviations from a mean to its ellipse.
        picture : bool, default=False
            True for points of a picture: one scale for both axes, y downwards.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        MixtureDisplay
            This display.
        """
        self.ax_ = _axes.axes_for(type(self).__name__, ax, (6.0, 5.0))
        self.figure_ = self.ax_.figure
        self.points_ = None
        if self.points is not None:
            self.points_ = _axes.scatter(self.ax_, self.points, len(self.points), color=_axes.INK)
        components = Components(self.weights, self.means, self.covariances)
        self.ellipses_ = draw_ellipses(self.ax_, components, n_std, _axes.COLORS[0])
        self.means_ = draw_means(self.ax_, components, _axes.COLORS[2], "o")
        _axes.label_axes(self.ax_, self.feature_names)
        if picture:
            _axes.as_in_a_picture(self.ax_)
        return self

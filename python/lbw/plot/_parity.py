# SPDX-License-Identifier: MIT
"""Picture of how well scores tell groups apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_regressor
from sklearn.metrics import roc_curve

from .._input.labels import labels_of_rows
from ..metrics._parity import Kind, ParityResult, demographic_parity_gamma
from . import _axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

__all__ = ["ParityDisplay", "RocCurve"]


class RocCurve(NamedTuple):
    """Fractions of two classes that score above a decreasing threshold.

    Attributes
    ----------
    negative, positive : object
        Labels of the two.
    negative_rate, positive_rate : ndarray of shape (n_thresholds,)
        The shares, from 0 to 1.
    """

    negative: Any
    positive: Any
    negative_rate: NDArray[np.float64]
    positive_rate: NDArray[np.float64]

    @property
    def name(self) -> str:
        """Which class against which."""
        return f"{self.positive} against {self.negative}"

    def extremes(self, kind: Kind) -> list[int]:
        """Return the positions farthest from the diagonal: one for "ks", two for "kuiper"."""
        gaps = self.positive_rate - self.negative_rate
        if kind == "ks":
            return [int(np.argmax(np.abs(gaps)))]
        return [int(np.argmax(gaps)), int(np.argmin(gaps))]

    def distance(self, kind: Kind) -> float:
        """Return the distance from the diagonal, summed over the extremes."""
        gaps = self.positive_rate - self.negative_rate
        return float(np.sum(np.abs(gaps[self.extremes(kind)])))


class ParityDisplay:
    """ROC curves of the group label, with their largest distance from the diagonal.

    Parameters
    ----------
    curves : sequence of RocCurve
        One per pair of groups.
    result : ParityResult
        The distance; with its permutation null, the noise around the diagonal is shaded.
    target_curve : RocCurve or None, default=None
        The curve of what the scores are meant to tell.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes drawn into.
    figure_ : matplotlib Figure
        The figure of the axes.
    lines_ : list of Line2D
        The curve of each pair.
    distance_lines_ : list of Line2D
        What marks the distance of the pair farthest apart: one for "ks", two for "kuiper".
    diagonal_ : Line2D
        The diagonal, the curve of groups that cannot be told apart.
    noise_ : PolyCollection or None
        The band that curves of random groups stay in.
    target_line_ : Line2D or None
        The curve of the target.

    Examples
    --------
    >>> from lbw.plot import ParityDisplay
    >>> score = [0.1, 0.4, 0.4, 0.7, 0.3, 0.6, 0.8, 0.9]
    >>> sex = ["f", "f", "f", "f", "m", "m", "m", "m"]
    >>> display = ParityDisplay.from_predictions(score, sex)
    >>> float(display.result)
    0.5
    """

    def __init__(
        self,
        *,
        curves: Sequence[RocCurve],
        result: ParityResult,
        target_curve: RocCurve | None = None,
    ) -> None:
        self.curves = curves
        self.result = result
        self.target_curve = target_curve

    @classmethod
    def from_estimator(
        cls,
        classifier: Any,
        X: ArrayLike,
        groups: ArrayLike,
        *,
        y: ArrayLike | None = None,
        kind: Kind = "ks",
        n_permutations: int = 200,
        random_state: int | np.random.RandomState | None = None,
        ax: Axes | None = None,
    ) -> ParityDisplay:
        """Draw the parity of the scores of a fitted classifier.

        Parameters
        ----------
        classifier : estimator
            Fitted on two classes, with `predict_proba` or `decision_function`; or a regressor.
        X : array-like of shape (n_samples, n_features)
            What to score.
        groups : array-like of shape (n_samples,)
            Group of each row.
        y : array-like of shape (n_samples,), default=None
            Classes of two kinds: draws the ROC curve of the classification too.
        kind : {"ks", "kuiper"}, default="ks"
            See :func:`lbw.metrics.demographic_parity_gamma`.
        n_permutations : int, default=200
            Random permutations of the groups behind the band of noise; 0 for no band.
        random_state : int, RandomState or None, default=None
            Seed of the permutation null; None is seed 0.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ParityDisplay
            The display, drawn.
        """
        _axes.import_pyplot(cls.__name__)
        scores = _scores_of(cls.__name__, classifier, X)
        return cls.from_predictions(
            scores,
            groups,
            y=y,
            kind=kind,
            n_permutations=n_permutations,
            random_state=random_state,
            ax=ax,
        )

    @classmethod
    def from_predictions(
        cls,
        y_score: ArrayLike,
        groups: ArrayLike,
        *,
        y: ArrayLike | None = None,
        kind: Kind = "ks",
        n_permutations: int = 200,
        random_state: int | np.random.RandomState | None = None,
        ax: Axes | None = None,
    ) -> ParityDisplay:
        """Draw the parity of scores.

        Parameters
        ----------
        y_score : array-like of shape (n_samples,)
            Scores of a classifier.
        groups : array-like of shape (n_samples,)
            Group of each score.
        y : array-like of shape (n_samples,), default=None
            Classes of two kinds: draws the ROC curve of the classification too.
        kind : {"ks", "kuiper"}, default="ks"
            See :func:`lbw.metrics.demographic_parity_gamma`.
        n_permutations : int, default=200
            Random permutations of the groups behind the band of noise; 0 for no band.
        random_state : int, RandomState or None, default=None
            Seed of the permutation null; None is seed 0.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ParityDisplay
            The display, drawn.
        """
        _axes.import_pyplot(cls.__name__)
        result = demographic_parity_gamma(
            y_score,
            groups,
            kind=kind,
            n_permutations=n_permutations,
            n_bootstraps=0,
            random_state=random_state,
        )
        scores = np.asarray(y_score, dtype=np.float64)
        labels = labels_of_rows(groups, len(scores), f"{cls.__name__}: groups")
        display = cls(
            curves=_curves_of_pairs(scores, labels),
            result=result,
            target_curve=None if y is None else _target_curve(cls.__name__, scores, y),
        )
        return display.plot(ax=ax)

    def plot(self, *, ax: Axes | None = None) -> ParityDisplay:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ParityDisplay
            This display.
        """
        self.ax_ = _axes.axes_for(type(self).__name__, ax, (5.2, 5.0))
        self.figure_ = self.ax_.figure
        farthest = int(np.argmax([curve.distance(self.result.kind) for curve in self.curves]))
        self.noise_ = self._draw_noise(self.ax_)
        (self.diagonal_,) = self.ax_.plot([0, 1], [0, 1], color=_axes.FAINT, linewidth=1)
        self.target_line_ = self._draw_target(self.ax_)
        self.lines_ = [
            self._draw_curve(self.ax_, curve, number == farthest)
            for number, curve in enumerate(self.curves)
        ]
        self.distance_lines_ = self._draw_distance(self.ax_, self.curves[farthest])
        self._label(self.ax_, self.curves[farthest])
        return self

    def _draw_noise(self, ax: Axes) -> PolyCollection | None:
        if self.result.null_quantile is None or self.result.kind != "ks":
            return None  # Kuiper's sum of two sides bounds neither of them alone
        grid = np.linspace(0, 1, 201)
        low, high = grid - self.result.null_quantile, grid + self.result.null_quantile
        return ax.fill_between(
            grid, np.clip(low, 0, 1), np.clip(high, 0, 1), color="0.9", linewidth=0,
            label="noise of random groups",
        )  # fmt: skip

    def _draw_target(self, ax: Axes) -> Line2D | None:
        if self.target_curve is None:
            return None
        (line,) = ax.plot(
            self.target_curve.negative_rate, self.target_curve.positive_rate,
            color=_axes.INK, linewidth=1.5, label=f"target {self.target_curve.name}",
        )  # fmt: skip
        return line

    def _draw_curve(self, ax: Axes, curve: RocCurve, farthest: bool) -> Line2D:
        (line,) = ax.plot(
            curve.negative_rate, curve.positive_rate,
            color=_axes.COLORS[0], linewidth=2.0 if farthest else 0.8,
            alpha=1.0 if farthest else 0.5, zorder=3 if farthest else 2,
            label=f"group {curve.name}" if farthest else None,
        )  # fmt: skip
        return line

    def _draw_distance(self, ax: Axes, curve: RocCurve) -> list[Line2D]:
        lines = []
        for position in curve.extremes(self.result.kind):
            x, y = curve.negative_rate[position], curve.positive_rate[position]
            (line,) = ax.plot(
                [x, x], [x, y], color=_axes.COLORS[2], linewidth=2, marker="_", zorder=4
            )
            lines.append(line)
        lines[0].set_label(rf"$\gamma$ = {self.result.value:.3f} ({self.result.kind})")
        return lines

    def _label(self, ax: Axes, curve: RocCurve) -> None:
        several = len(self.curves) > 1
        negative, positive = ("one group", "the other") if several else curve[:2]
        if self.target_curve is not None:
            negative, positive = "negatives", "positives"
        ax.set(
            xlabel=f"share of {negative} above the threshold",
            ylabel=f"share of {positive} above the threshold",
            xlim=(-0.01, 1.01),
            ylim=(-0.01, 1.01),
        )
        ax.set_aspect("equal")
        ax.legend(loc="lower right", framealpha=0.9)


def _curves_of_pairs(scores: NDArray[np.float64], labels: NDArray[Any]) -> list[RocCurve]:
    curves = []
    for negative, positive in combinations(np.unique(labels).tolist(), 2):
        pair = (labels == negative) | (labels == positive)
        rates = _rates(labels[pair] == positive, scores[pair])
        curves.append(RocCurve(negative, positive, *rates))
    return curves


def _target_curve(display: str, scores: NDArray[np.float64], y: ArrayLike) -> RocCurve:
    target = np.asarray(y)
    classes = np.unique(target)
    if target.shape != scores.shape or len(classes) != 2:
        raise ValueError(
            f"{display}: y has shape {target.shape} and {len(classes)} classes, expected "
            f"{scores.shape} and 2"
        )
    negative, positive = classes.tolist()
    return RocCurve(negative, positive, *_rates(target == classes[1], scores))


def _rates(
    positive: NDArray[np.bool_], scores: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    # ranks, since scikit-learn refuses the infinities that log-odds may hold
    ranks = np.unique(scores, return_inverse=True)[1]
    negative_rate, positive_rate, _ = roc_curve(positive, ranks)
    return negative_rate, positive_rate


def _scores_of(display: str, classifier: Any, X: ArrayLike) -> NDArray[np.float64]:
    if is_regressor(classifier):
        return np.asarray(classifier.predict(X))
    if hasattr(classifier, "predict_proba"):
        scores = np.asarray(classifier.predict_proba(X))
        scores = scores[:, 1] if scores.shape[1] == 2 else scores
    elif hasattr(classifier, "decision_function"):
        scores = np.asarray(classifier.decision_function(X))
    else:
        name = type(classifier).__name__
        raise ValueError(f"{display}: {name} has neither predict_proba nor decision_function")
    if scores.ndim != 1:
        raise ValueError(f"{display}: {scores.shape[1]} classes, expected 2")
    return scores

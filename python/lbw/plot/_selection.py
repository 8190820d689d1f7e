# SPDX-License-Identifier: MIT
"""Picture of the choice of the number of components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from . import _axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["SelectionDisplay"]

_COLORS = {"aic": _axes.COLORS[0], "bic": _axes.COLORS[2], "heldout": _axes.COLORS[1]}
_STYLES = {"aic": "-", "bic": "--", "heldout": "-"}
_NAMES = {"aic": "AIC", "bic": "BIC", "heldout": "held-out loss"}


class SelectionDisplay:
    """AIC and BIC, or the loss on held-out samples, against the number of components.

    The chosen number is marked.

    Parameters
    ----------
    n_components : ndarray of int, shape (n_candidates,)
        Numbers of components tried.
    aic, bic : ndarray of shape (n_candidates,)
        Their criteria; lower is better.
    chosen : int
        The number chosen.
    criterion : {"aic", "bic", "heldout"} or None, default=None
        What it was chosen by.
    heldout : ndarray of shape (n_candidates,), or None, default=None
        Minus the mean log-likelihood of held-out samples; None where none were held out.
    converged : ndarray of bool, shape (n_candidates,), or None, default=None
        Whether each fit converged; markers of those that did not stay hollow.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes drawn into.
    figure_ : matplotlib Figure
        The figure of the axes.
    lines_ : dict of str to Line2D
        The curve of each criterion.
    unconverged_ : dict of str to Line2D
        The hollow markers of each criterion.
    chosen_line_ : Line2D
        The vertical line at the number chosen.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw.plot import SelectionDisplay
    >>> display = SelectionDisplay(
    ...     n_components=np.array([1, 2, 3]),
    ...     aic=np.array([90.0, 50.0, 52.0]),
    ...     bic=np.array([95.0, 60.0, 67.0]),
    ...     chosen=2,
    ...     criterion="aic",
    ... ).plot()
    >>> display.chosen_line_.get_label()
    'chosen 2, least AIC'
    """

    def __init__(
        self,
        *,
        n_components: NDArray[np.integer[Any]],
        aic: NDArray[np.float64],
        bic: NDArray[np.float64],
        chosen: int,
        criterion: str | None = None,
        heldout: NDArray[np.float64] | None = None,
        converged: NDArray[np.bool_] | None = None,
    ) -> None:
        self.n_components = n_components
        self.aic = aic
        self.bic = bic
        self.chosen = chosen
        self.criterion = criterion
        self.heldout = heldout
        self.converged = converged

    @classmethod
    def from_estimator(
        cls,
        gaussian_mixture: Any,
        *,
        criteria: Sequence[str] | None = None,
        name: str | None = None,
        color: str | None = None,
        ax: Axes | None = None,
    ) -> SelectionDisplay:
        """Draw how the number of components of a fitted mixture was selected.

        Parameters
        ----------
        gaussian_mixture : GaussianMixture
            Fitted with ``n_components="aic"``, ``"bic"`` or ``"heldout"``.
        criteria : sequence of {"aic", "bic", "heldout"}, default=None
            Curves to draw; None: AIC and BIC, or the held-out loss where that chose.
        name : str, default=None
            Name of the mixture in the legend.
        color : str, default=None
            One colour for all, to tell mixtures apart in one axes; None: one per criterion.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        SelectionDisplay
            The display, drawn.
        """
        _axes.import_pyplot(cls.__name__)
        check_is_fitted(gaussian_mixture)
        selection = getattr(gaussian_mixture, "selection_", None)
        if selection is None:
            raise ValueError(
                f"{cls.__name__}: the mixture did not choose its number of components; fit it with "
                "n_components='aic', 'bic' or 'heldout'"
            )
        held_out = selection.get("heldout_log_likelihood")
        display = cls(
            n_components=np.asarray(selection["n_components"]),
            aic=np.asarray(selection["aic"]),
            bic=np.asarray(selection["bic"]),
            chosen=int(gaussian_mixture.n_components_),
            criterion=str(gaussian_mixture.n_components),
            heldout=None if held_out is None else -np.asarray(held_out),
            converged=np.asarray(selection["converged"], dtype=np.bool_),
        )
        return display.plot(criteria=criteria, name=name, color=color, ax=ax)

    def plot(
        self,
        *,
        criteria: Sequence[str] | None = None,
        name: str | None = None,
        color: str | None = None,
        ax: Axes | None = None,
    ) -> SelectionDisplay:
        """Draw the criteria and the choice.

        Parameters
        ----------
        criteria : sequence of {"aic", "bic", "heldout"}, default=None
            Curves to draw; None: AIC and BIC, or the held-out loss where that chose.
        name : str, default=None
            Name of the mixture in the legend.
        color : str, default=None
            One colour for all, to tell mixtures apart in one axes; None: one per criterion.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        SelectionDisplay
            This display.
        """
        if criteria is None:
            criteria = ("heldout",) if self.criterion == "heldout" else ("aic", "bic")
        known = [name for name in _COLORS if getattr(self, name) is not None]
        strangers = [criterion for criterion in criteria if criterion not in known]
        if strangers:
            raise ValueError(
                f"{type(self).__name__}: criteria holds {strangers[0]!r}, expected "
                + " or ".join(map(repr, known))
            )
        self.ax_ = _axes.axes_for(type(self).__name__, ax, (6.0, 4.0))
        self.figure_ = self.ax_.figure
        self.lines_: dict[str, Line2D] = {}
        self.unconverged_: dict[str, Line2D] = {}
        prefix = "" if name is None else f"{name}: "
        for criterion in criteria:
            self._draw_criterion(criterion, color or _COLORS[criterion], prefix)
        by = "" if self.criterion is None else f", least {_NAMES[self.criterion]}"
        self.chosen_line_ = self.ax_.axvline(
            self.chosen, color=color or _axes.INK, linestyle=":", linewidth=1.2, zorder=1,
            label=f"{prefix}chosen {self.chosen}{by}",
        )  # fmt: skip
        self.ax_.set(xlabel="number of components", ylabel="criterion, lower is better")
        self.ax_.locator_params(axis="x", integer=True)
        self.ax_.legend()
        return self

    def _draw_criterion(self, criterion: str, color: str, prefix: str) -> None:
        tried, values = np.asarray(self.n_components), np.asarray(getattr(self, criterion))
        (self.lines_[criterion],) = self.ax_.plot(
            tried, values, color=color, linestyle=_STYLES[criterion], marker="o", markersize=4,
            label=prefix + _NAMES[criterion],
        )  # fmt: skip
        hollow = np.zeros(len(tried), bool) if self.converged is None else ~self.converged
        (self.unconverged_[criterion],) = self.ax_.plot(
            tried[hollow], values[hollow], color=color, linestyle="none", marker="o", markersize=4,
            markerfacecolor="white",
            label=f"{prefix}{_NAMES[criterion]}, not converged" if hollow.any() else None,
        )  # fmt: skip
        if self.criterion in (criterion, None):
            at = tried == self.chosen
            self.ax_.plot(
                tried[at], values[at], color=color, linestyle="none", marker="o", markersize=9,
                markerfacecolor="none",
            )  # fmt: skip

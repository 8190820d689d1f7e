# SPDX-License-Identifier: MIT
"""Axes, colours and scatters that all displays share; alone imports matplotlib at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection

# Ten colours told apart with any colour vision: Petroff, "Accessible Color Sequences for Data
# Visualization", 2021. Markers tell groups apart without colour.
COLORS = (
    "#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6",
    "#a96b59", "#e76300", "#b9ac70", "#717581", "#92dadd",
)  # fmt: skip
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
INK = "0.15"
FAINT = "0.6"


def axes_for(display: str, ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return the axes given, or those of a new figure of this size in inches."""
    pyplot = import_pyplot(display)
    if ax is None:
        _, ax = pyplot.subplots(figsize=size, layout="constrained")
    return ax


def import_pyplot(display: str) -> Any:
    """Return matplotlib.pyplot, or say how to get it."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(f"{display} needs matplotlib: pip install lbw[plot]") from error
    return pyplot


def check_n_groups(display: str, n_groups: int) -> None:
    """Refuse more groups than there are colours."""
    if n_groups > len(COLORS):
        raise ValueError(f"{display}: {n_groups} groups, expected at most {len(COLORS)}")


def scatter(
    ax: Axes, points: NDArray[np.float64], n_points: int, size: float = 10.0, **options: Any
) -> PathCollection:
    """Draw points, smaller and fainter than `size` the more of them the axes holds."""
    crowd = max(n_points, 1) / 1000
    return ax.scatter(
        points[:, 0],
        points[:, 1],
        s=size * float(np.clip(crowd**-0.5, 0.2, 1.5)),
        alpha=float(np.clip(0.7 * crowd**-0.2, 0.3, 0.8)),
        linewidths=0,
        rasterized=True,
        **options,
    )


def group_legend(ax: Axes, n_entries: int) -> None:
    """Name what is drawn, with markers large and opaque enough to see their colour."""
    beside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
    legend = ax.legend(framealpha=0.9, **(beside if n_entries > 5 else {}))
    for handle in legend.legend_handles:
        if handle is not None and hasattr(handle, "set_sizes"):
            handle.set_sizes([30])
            handle.set_alpha(1)


def as_in_a_picture(ax: Axes, adjustable: Literal["box", "datalim"] = "datalim") -> None:
    """One scale for both axes, y downwards."""
    ax.set_aspect("equal", adjustable=adjustable)
    if not ax.yaxis_inverted():
        ax.invert_yaxis()


def label_axes(ax: Axes, names: Sequence[str]) -> None:
    """Write the names of the two features along the axes."""
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])

# SPDX-License-Identifier: MIT
"""The colours and names of the methods in all figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from common import figures
from common.figures import plt

COLOURS = {
    "ME-Linear": "#c25b12",
    "ME-Gaussian, scaled": "#8a4fbf",
    "ME-Gaussian, pixels": "#c79be6",
    "POT GMM": "#6f6f6f",
    "L-BW, paper": "#1f77b4",
    "L-BW, plan": "#159a6a",
    "L-BW, multimarginal": "#0b4f37",
    "L-BW, best": "#d11149",
}
MARKERS = {
    "ME-Linear": "s",
    "ME-Gaussian, scaled": "D",
    "ME-Gaussian, pixels": "d",
    "POT GMM": "^",
    "L-BW, paper": "o",
    "L-BW, plan": "v",
    "L-BW, multimarginal": "P",
    "L-BW, best": "*",
}
plt.rcParams.update({"axes.titlesize": 9, "legend.fontsize": 8, "figure.dpi": 110})


def line_of(method: str) -> dict[str, Any]:
    """Return the line style of a method."""
    return {
        "color": COLOURS[method],
        "marker": MARKERS[method],
        "markersize": 4,
        "linewidth": 1.4,
        "label": method,
    }


def save(figure: Any, folder: Path, name: str) -> None:
    """Save a figure as a PNG file, without margins."""
    figures.save(figure, folder / f"{name}.png", bbox_inches="tight")

# SPDX-License-Identifier: MIT
"""Colours and names of the methods, the same in every figure."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

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
PARAMETERS = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "figure.dpi": 110,
}
plt.rcParams.update(PARAMETERS)


def line_of(method: str) -> dict[str, Any]:
    """Return how a method is drawn."""
    return {
        "color": COLOURS[method],
        "marker": MARKERS[method],
        "markersize": 4,
        "linewidth": 1.4,
        "label": method,
    }


def save(figure: Any, folder: Path, name: str) -> None:
    """Write a figure aside and rename it; without a date, so that it repeats."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.png"
    aside = folder / f"{name}.part.png"
    figure.savefig(aside, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)
    os.replace(aside, path)

# SPDX-License-Identifier: MIT
"""The style of the pictures: each method has one colour and marker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from common import figures
from common.figures import plt

# Okabe and Ito's colours, which suit colour-blind readers; other methods have hollow markers
LOOKS: dict[str, dict[str, Any]] = {
    "raw": {"color": "black", "marker": "o"},
    "k = 1": {"color": "#56B4E9", "marker": "s"},
    "L-BW as in the paper, k = 5": {"color": "#D55E00", "marker": "s"},
    "plan hard, k = 5": {"color": "#E69F00", "marker": "v"},
    "plan soft, k = 5": {"color": "#E69F00", "marker": "^"},
    "plan random, k = 5": {"color": "#E69F00", "marker": "D"},
    "GroupRepair, defaults": {"color": "#0072B2", "marker": "*"},
    "GroupRepair, k = 5": {"color": "#0072B2", "marker": "P"},
    "k = 1 + refinement": {"color": "#0072B2", "marker": "s"},
    "plan random, k = 5 + refinement": {"color": "#0072B2", "marker": "D"},
    "refinement alone": {"color": "#0072B2", "marker": "o"},
    "score repair": {"color": "#009E73", "marker": "o"},
    "score repair, mean": {"color": "#009E73", "marker": "^"},
    "score repair, one model": {"color": "#009E73", "marker": "v"},
    "k = 1 + score repair": {"color": "#009E73", "marker": "s"},
    "ME linear": {"color": "#CC79A7", "marker": "s", "hollow": True},
    "ME Gaussian": {"color": "#CC79A7", "marker": "o", "hollow": True},
    "CorrelationRemover": {"color": "#666666", "marker": "s", "hollow": True},
    "ThresholdOptimizer": {"color": "#666666", "marker": "^", "hollow": True},
    "ExponentiatedGradient": {"color": "#666666", "marker": "D", "hollow": True},
    "ExponentiatedGradient, group given": {"color": "#666666", "marker": "d", "hollow": True},
}
GAMMA = r"DP-$\gamma$"
GROUP_COLOURS = ("#0072B2", "#E69F00")


def look(method: str) -> dict[str, Any]:
    """Return the arguments of `Axes.errorbar` or `Axes.plot` for a method."""
    options = dict(LOOKS[method])
    if options.pop("hollow", False):
        options["markerfacecolor"] = "none"
    return options


def saved(figure: Any, path: Path) -> None:
    """Save a figure."""
    figures.save(figure, path, dpi=110)


plt.rcParams.update(
    {
        "axes.grid": True,
        "grid.color": "#e8e8e8",
        "axes.axisbelow": True,
        "figure.constrained_layout.use": True,
    }
)

# SPDX-License-Identifier: MIT
"""The style of all figures, and a function to save them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from .files import replacing

plt.rcParams.update(
    {
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
    }
)


def save(figure: Any, path: Path, **options: Any) -> None:
    """Save a figure and close it. The file has no date, so it is reproducible."""
    undated = {"Date": None} if path.suffix == ".svg" else {"Software": None}
    with replacing(path) as part:
        figure.savefig(part, metadata=undated, **options)
    plt.close(figure)

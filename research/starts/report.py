# SPDX-License-Identifier: MIT
"""Write README.md of the results from the table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from common.page import markdown, write_page

from .measure import FITS, STARTS, Study
from .samples import DATA_SETS

TEMPLATE = Path(__file__).with_name("report.md")
MARGIN = 0.01
N_RESAMPLES = 2000


def difference(ours: np.ndarray, theirs: np.ndarray) -> tuple[float, float, float]:
    """Return the difference of two medians and its 95 % bootstrap interval.

    The two have different seeds, so each is resampled independently.
    """
    rng = np.random.default_rng(0)
    resampled = [
        np.median(values[rng.integers(0, len(values), (N_RESAMPLES, len(values)))], axis=1)
        for values in (ours, theirs)
    ]
    low, high = np.quantile(resampled[0] - resampled[1], [0.025, 0.975])
    return float(np.median(ours) - np.median(theirs)), float(low), float(high)


def cells_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row per data set, start and type with both differences from scikit-learn."""
    found = []
    for key, cell in rows.groupby(["data", "start", "covariance"], sort=False):
        ours, theirs, again = (cell[cell.fit == fit].heldout.to_numpy() for fit in FITS)
        noise = difference(again, theirs)
        found.append([*key, *difference(ours, theirs), *noise])
    columns = ["data", "start", "covariance", "median", "low", "high"]
    return pd.DataFrame(found, columns=[*columns, "noise", "noise_low", "noise_high"])


def by_start(cells: pd.DataFrame, data: str) -> str:
    """Return the differences of a data set, with a row per start and a column per type."""
    own = cells[cells.data == data]
    types = list(dict.fromkeys(own.covariance))
    lines = []
    for start in STARTS:
        row = own[own.start == start].set_index("covariance").loc[types]
        texts = [
            f"{c.median:+.3f} [{c.low:+.3f}, {c.high:+.3f}] ({c.noise:+.3f})"
            for c in row.itertuples()
        ]
        lines.append([start, *texts])
    return markdown(["start", *types], lines)


def lower_cells(cells: pd.DataFrame) -> str:
    """Return the cells that are lower by more than the margin."""
    low = cells[cells["median"] < -MARGIN]
    if low.empty:
        return "No cell is lower by more than 0.01."
    lines = [
        [c.data, c.start, c.covariance, f"{c.median:+.3f}", f"[{c.low:+.3f}, {c.high:+.3f}]"]
        for c in low.itertuples()
    ]
    return markdown(["data", "start", "covariance", "difference", "interval"], lines)


def summary(cells: pd.DataFrame) -> str:
    """Return how many cells are lower or higher by the margin, and how many significantly."""
    lines = []
    for name, median, low, high in (
        ("lbw", "median", "low", "high"),
        ("scikit-learn, other seeds", "noise", "noise_low", "noise_high"),
    ):
        counts = [
            cells[median] < -MARGIN,
            (cells[median] < -MARGIN) & (cells[high] < 0),
            cells[median] > MARGIN,
            (cells[median] > MARGIN) & (cells[low] > 0),
        ]
        lines.append([name, *(f"{count.sum()} of {len(cells)}" for count in counts)])
    head = ["against scikit-learn", "lower by more than 0.01", "significantly"]
    return markdown([*head, "higher by more than 0.01", "significantly"], lines)


def write_report(study: Study) -> None:
    """Write README.md beside the table."""
    cells = cells_of(pd.read_csv(study.results / "starts.csv"))
    tables = [
        f"### {name}\n\n{by_start(cells, name)}" for name in DATA_SETS if name in set(cells.data)
    ]
    parts = {
        "seeds": str(study.n_seeds),
        "summary": summary(cells),
        "lower": lower_cells(cells),
        "tables": "\n\n".join(tables),
    }
    write_page(TEMPLATE, parts, study.results)

# SPDX-License-Identifier: MIT
"""Write README.md of the results from the tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from common.machine import about
from common.page import markdown, write_page
from common.tables import read_table

from .study import Study

TEMPLATE = Path(__file__).with_name("report.md")
MISSING = "Not measured yet."


def compared(rows: pd.DataFrame, extra: dict[str, str]) -> str:
    """Return the medians of both sides, and the ratio of their times."""
    medians = rows.groupby("fit", sort=False).median(numeric_only=True)
    slowest = medians.seconds.max()
    lines = [
        [
            str(name),
            f"{row.seconds:.1f} s",
            *(f"{row[column]:.4g}" for column in extra),
            f"{slowest / row.seconds:.1f} ×",
        ]
        for name, row in medians.iterrows()
    ]
    return markdown(["fit", "time", *extra.values(), "speed"], lines)


def passes(rows: pd.DataFrame) -> str:
    """Return the time of a pass and its overhead."""
    row = rows.median(numeric_only=True)
    texts = [f"{row[name]:.2f} s" for name in ("pass_seconds", "own_seconds", "overhead_seconds")]
    return markdown(["pass on Spark", "the same rows in one array", "overhead"], [texts])


def growth(rows: pd.DataFrame) -> str:
    """Return the times and the memory of every number of rows."""
    lines = [
        [
            f"{int(row.rows):,}",
            f"{row.packing_seconds:.0f} s",
            f"{row.pass_seconds:.2f} s",
            str(int(row.passes)),
            f"{row.seconds:.0f} s",
            f"{row.peak_mib:.0f} MiB",
        ]
        for row in rows.sort_values("rows").itertuples()
    ]
    head = ["rows", "packing", "a pass (median)", "passes", "fit", "memory"]
    return markdown(head, lines)


def slope(rows: pd.DataFrame) -> str:
    """Return the exponent of the growth of a pass."""
    if len(rows) < 2:
        return ""
    exponent = np.polyfit(np.log(rows.rows), np.log(rows.pass_seconds), 1)[0]
    return f"The time of a pass grows as rows to the power of {exponent:.3f}."


def file_fits(rows: pd.DataFrame) -> str:
    """Return the times and the memory of fits from files."""
    lines = [
        [
            f"{int(row.rows):,}",
            f"{row.gigabytes:.1f} GB",
            f"{row.seconds:.0f} s",
            f"{row.peak_mib:.0f} MiB",
        ]
        for row in rows.itertuples()
    ]
    return markdown(["rows", "files", "fit", "memory"], lines)


def write_report(study: Study) -> None:
    """Write README.md beside the tables."""
    writers = {
        "mixture": lambda rows: compared(rows, {"heldout": "held-out", "steps": "steps"}),
        "passes": passes,
        "transform": lambda rows: compared(rows, {"mean": "mean of the results"}),
        "growth": growth,
        "files": file_fits,
    }
    tables = {name: read_table(study.results, name) for name in writers}
    parts = {
        name: MISSING if tables[name] is None else write(tables[name])
        for name, write in writers.items()
    }
    parts["slope"] = "" if tables["growth"] is None else slope(tables["growth"])
    machine = about("make experiments-scale", 2)
    parts["machine"] = (
        f"Measured on {machine['cores']} cores of {machine['processor']}, {machine['memory_gib']} "
        f"GiB, {machine['date']}."
    )
    write_page(TEMPLATE, parts, study.results)

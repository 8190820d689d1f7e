# SPDX-License-Identifier: MIT
"""Write README.md of the results from the tables."""

from __future__ import annotations

from importlib import metadata
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
            *(f"{row[column]:.6g}" for column in extra),
            f"{slowest / row.seconds:.1f} ×",
        ]
        for name, row in medians.iterrows()
    ]
    return markdown(["library", "time", *extra.values(), "speed"], lines)


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


def executors(rows: pd.DataFrame) -> str:
    """Return the times on one and two executors, and the efficiency of a pass."""
    medians = rows.groupby("executors").median(numeric_only=True)
    first = medians.pass_seconds.iloc[0]
    lines = [
        [
            str(number),
            f"{int(row.rows):,}",
            f"{row.packing_seconds:.1f} s",
            f"{row.pass_seconds:.3f} s",
            f"{first / row.pass_seconds:.0%}",
        ]
        for number, row in medians.iterrows()
    ]
    return markdown(["executors", "rows", "packing", "a pass (median)", "efficiency"], lines)


def line(rows: pd.DataFrame) -> str:
    """Return the line through the times of a pass, and how far the times are from it."""
    if len(rows) < 3:
        return ""
    times = rows.pass_seconds
    slope, start = np.polyfit(rows.rows, times, 1, w=1 / times)
    error = np.abs((start + slope * rows.rows) / times - 1).max()
    last = rows.sort_values("rows").iloc[-2:]
    exponent = np.diff(np.log(last.pass_seconds))[0] / np.diff(np.log(last.rows))[0]
    return (
        f"A pass takes {start:.2f} s and {1e9 * slope:.1f} ns per row; the measured times are "
        f"within {100 * error:.1f} % of this line. From {int(last.rows.iloc[0]):,} to "
        f"{int(last.rows.iloc[1]):,} rows, the time grows as rows to the power of {exponent:.3f}."
    )


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
        "executors": executors,
        "files": file_fits,
    }
    tables = {name: read_table(study.results, name) for name in writers}
    parts = {
        name: MISSING if tables[name] is None else write(tables[name])
        for name, write in writers.items()
    }
    parts["line"] = "" if tables["growth"] is None else line(tables["growth"])
    machine = about("make experiments-scale", 2)
    parts["machine"] = (
        f"Measured on {machine['cores']} cores of {machine['processor']}, {machine['memory_gib']} "
        f"GiB, {machine['date']}; lbw {metadata.version('lbw')}, PySpark "
        f"{metadata.version('pyspark')}, pyarrow {metadata.version('pyarrow')}, scikit-learn "
        f"{metadata.version('scikit-learn')}."
    )
    write_page(TEMPLATE, parts, study.results)

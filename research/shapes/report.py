# SPDX-License-Identifier: MIT
"""Write README.md of the results from the tables: figures, claims, targets and tables."""

from __future__ import annotations

import json
from pathlib import Path

from common.page import markdown, write_page

from .claims import claims_of, targets_of
from .measure import MEASURES, Study

TEMPLATE = Path(__file__).with_name("report.md")


def write_report(study: Study) -> None:
    """Write README.md beside the tables."""
    parts = {
        "targets": markdown(["target", "measured", "verdict"], targets_of(study)),
        "claims": markdown(["claim", "measured", "verdict"], claims_of(study)),
        "tables": "\n\n".join(tables_of(study)),
        "machine": machine_text(study),
    }
    write_page(TEMPLATE, parts, study.results)


def tables_of(study: Study) -> list[str]:
    """Return the tables of controls, all methods, quality in a given time and large runs."""
    parts = []
    controls, rivals = study.table("controls"), study.table("rivals")
    budget, large = study.table("budget"), study.table("large")
    if controls is not None:
        mean = controls.groupby("control", sort=False)[MEASURES].mean()
        rows = [[name, *(f"{value:.3f}" for value in row)] for name, *row in mean.itertuples()]
        parts += ["## Controls", markdown(["control", *map(words, MEASURES)], rows)]
    if rivals is not None:
        parts += [
            f"## IoU of all methods on {study.rival_points} points per shape",
            by_atoms(rivals),
        ]
    if budget is not None:
        columns = ["iou", "pixel_agreement", "seconds"]
        mean = budget.groupby(["method", "k"], sort=False)[columns].median().reset_index()
        rows = [
            [method, str(k), f"{iou:.3f}", f"{agree:.3f}", f"{1000 * seconds:.0f}"]
            for method, k, iou, agree, seconds in mean.itertuples(index=False)
        ]
        head = ["method", "k", "IoU", "pixel agreement", "ms"]
        parts += [
            "## Quality in a given time",
            "Mixtures are fitted to 7 000 points per shape, and 9 000 points are transported to all"
            " weights. Numbers are medians of five splits.",
            markdown(head, rows),
        ]
    if large is not None:
        rows = [
            [r.method, str(r.n_train), str(r.k), number(r.train_seconds), number(r.iou), r.outcome]
            for r in large.itertuples()
        ]
        head = ["method", "points per shape", "k", "seconds of training", "IoU", "outcome"]
        parts += ["## Single runs on more points", markdown(head, rows)]
    return parts


def number(value: float) -> str:
    """Return a number with three digits, or a dash if it is missing."""
    return f"{value:.3g}" if value == value else "—"


def by_atoms(rivals: object) -> str:
    """Return the mean IoU of every method by the number of atoms."""
    mean = rivals.groupby(["method", "k"], sort=False).iou.mean().unstack()  # type: ignore[attr-defined]
    mean = mean[sorted(mean.columns)]
    rows = [[name, *map(number, row)] for name, *row in mean.itertuples()]
    return markdown(["method", *(f"k = {k}" for k in mean.columns)], rows)


def words(name: str) -> str:
    """Return the name of a column in words."""
    return "IoU" if name == "iou" else name.replace("_", " ")


def machine_text(study: Study) -> str:
    """Return the machine and versions of the measurements."""
    path = study.results / "machine.json"
    if not path.is_file():
        return ""
    machine = json.loads(path.read_text())
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    return (
        f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB, "
        f"{machine['system']}; Python {machine['python']}, {versions}; "
        f"{machine['threads']} thread; {machine['date']}, "
        f"load {machine['load_of_last_minute']} at the start."
    )

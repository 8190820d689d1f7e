# SPDX-License-Identifier: MIT
"""Measure repairs of discrete columns of generated tables (discrete.csv) and tasks (columns.csv).

The tasks have all their columns, with categories as 0 and 1, instead of principal components.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from common.page import markdown
from common.rows import Rows, table_files
from common.tables import read_table
from lbw import GroupRepair

from .classifiers import CLASSIFIERS
from .discrete_tables import TABLES, columns_of, discrete_split
from .measures import measured, noise_floor
from .methods import plainly
from .places import Scale
from .protocol import Split
from .summary import table_of
from .workers import cached_split, fill, steps_of

COMPARED = ("gradient boosting", "random forest", "logistic regression", "k-NN")
METHODS: dict[str, dict[str, Any] | None] = {
    "raw": None,
    "GroupRepair without dither": {"dither": 0.0},
    "GroupRepair, defaults": {},
}
N_ROWS = 4000  # rows of each part of a generated table
N_SEEN = len(TABLES)  # number of tables that were used to choose the defaults
N_SPLITS = 2  # splits of the tasks
MAX_ROWS = 6000  # rows of each part of a task
LARGEST_GAMMA = 0.08
_FIGURES = ("method", "classifier", "gamma", "noise_mean", "auc")


def measure_discrete(scale: Scale) -> None:
    """Measure the missing rows."""
    generated = Rows(scale.results / "discrete.csv", ("table",), ("columns", *_FIGURES))
    fill(generated, _generated, ((i,) for i in range(2 * N_SEEN)), "discrete", scale.n_workers)
    columns = Rows(scale.results / "columns.csv", ("task", "split"), _FIGURES)
    steps = steps_of(scale, n_splits=N_SPLITS)
    fill(columns, _columns, steps, "all columns", scale.n_workers)


def _generated(table: int) -> list[dict[str, Any]]:
    place = {"table": table, "columns": " ".join(columns_of(table))}
    return [place | row for row in _measured(discrete_split(table, N_ROWS), table)]


def _columns(task: str, seed: int) -> list[dict[str, Any]]:
    split = cached_split(task, seed)
    split = Split(split.train.at_most(MAX_ROWS, seed), split.test.at_most(MAX_ROWS, seed))
    return [{"task": task, "split": seed} | row for row in _measured(split, seed)]


def _measured(split: Split, seed: int) -> Iterator[dict[str, Any]]:
    for method, params in METHODS.items():
        repaired = split if params is None else _repaired(split, seed, params)
        for classifier in COMPARED:
            score = plainly(CLASSIFIERS[classifier], repaired, seed)
            figures = measured(score, split.test, n_bootstraps=0)
            yield {
                "method": method,
                "classifier": classifier,
                "gamma": figures["gamma"],
                "noise_mean": noise_floor(score, split.test)["noise_mean"],
                "auc": figures["auc"],
            }


def _repaired(split: Split, seed: int, params: dict[str, Any]) -> Split:
    repair = GroupRepair(random_state=seed, n_jobs=1, **params)
    repair.fit(split.train.features, sensitive_features=split.train.group)
    return split.mapped(lambda part: repair.transform(part.features, sensitive_features=part.group))


def discrete_lines(results: Path) -> Iterator[str]:
    """Yield the tables of the page of results."""
    text = "Cells show γ raw → repaired and the change of AUC. The target is a γ of at most"
    for title, table, key in _parts(results):
        if len(table):
            yield f"\n## {title}\n"
            yield f"{text} {LARGEST_GAMMA} or twice the noise floor, and not above the raw γ.\n"
            head = [key, "noise", *COMPARED, "without dither, boosting", "target"]
            yield markdown(head, _rows(table, key))


def _parts(results: Path) -> Iterator[tuple[str, pd.DataFrame, str]]:
    table = read_table(results, "discrete")
    if table is not None:
        seen = table["table"] < N_SEEN
        yield (
            "Generated tables of discrete columns, not used for defaults",
            table[~seen],
            "columns",
        )
        yield "Generated tables used to choose defaults", table[seen], "columns"
    if table_files(results, "columns"):
        title = "All columns of the tasks, without principal components"
        yield title, table_of(results, "columns"), "task"


def _rows(table: pd.DataFrame, key: str) -> Iterator[list[str]]:
    means = table.groupby([key, "method", "classifier"], sort=False)[
        ["gamma", "noise_mean", "auc"]
    ].mean()
    for name in table[key].unique():
        raw, without, repaired = (means.loc[name].loc[method] for method in METHODS)
        cells = [
            f"{raw.gamma[c]:.3f} → {repaired.gamma[c]:.3f}, {repaired.auc[c] - raw.auc[c]:+.3f}"
            for c in COMPARED
        ]
        noise = float(repaired.noise_mean.mean())
        allowed = max(LARGEST_GAMMA, 2.0 * noise)
        reached = all(
            repaired.gamma[c] <= allowed and repaired.gamma[c] <= max(raw.gamma[c], 2.0 * noise)
            for c in COMPARED
        )
        goal = "met" if reached else "missed"
        boosted = f"{without.gamma['gradient boosting']:.3f}"
        yield [name, f"{noise:.3f}", *cells, boosted, goal]

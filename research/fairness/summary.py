# SPDX-License-Identifier: MIT
"""Means over tasks with intervals, from the tables of results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from common.tables import read_table

N_BOOTSTRAPS = 1000


def table_of(results: Path, name: str) -> pd.DataFrame:
    """Read a table of results without splits that an interrupted run left incomplete."""
    table = read_table(results, name)
    if table is None:
        raise FileNotFoundError(f"{results} has no table {name}")
    if not {"split", "task", "method"} <= set(table.columns) or name == "timing":
        return table
    steps = table[["split", "task", "method"]].drop_duplicates()["split"].value_counts()
    return table[table["split"].isin(steps[steps == steps.max()].index)].reset_index(drop=True)


def changed(table: pd.DataFrame) -> pd.DataFrame:
    """Add the changes of AUC and gamma from the raw features of the same split."""
    keys = ["task", "split", "classifier"]
    raw = table[table["method"] == "raw"].set_index(keys)
    index = pd.MultiIndex.from_frame(table[keys])
    return table.assign(
        **{
            f"{name}_change": table[name].to_numpy() - raw.loc[index, name].to_numpy()
            for name in ("auc", "gamma")
        }
    )


def means_over_tasks(table: pd.DataFrame, values: tuple[str, ...]) -> pd.DataFrame:
    """Return the mean over tasks for each classifier and method, with 95 % intervals.

    The intervals come from a bootstrap over the splits of each task. They describe other splits of
    these tasks, not other tasks.
    """
    rng = np.random.default_rng(0)
    rows = []
    for (classifier, method), part in table.groupby(["classifier", "method"], sort=False):
        row = {"classifier": classifier, "method": method}
        for value in values:
            by_task = part.pivot(index="task", columns="split", values=value)
            by_task = by_task.dropna(axis="columns").to_numpy()  # splits of all tasks
            n_splits = by_task.shape[1]
            drawn = rng.integers(n_splits, size=(N_BOOTSTRAPS, len(by_task), n_splits))
            means = np.take_along_axis(by_task[None], drawn, axis=2).mean(axis=(1, 2))
            low, high = np.quantile(means, [0.025, 0.975])
            row |= {value: by_task.mean(), f"{value}_low": low, f"{value}_high": high}
        rows.append(row | {"n_splits": n_splits})
    return pd.DataFrame(rows)


def dominating(points: pd.DataFrame, point: pd.Series, merit: str, harm: str) -> pd.Series:
    """Return which rows dominate a point: no worse in both values, better in one."""
    no_worse = (points[merit] >= point[merit]) & (points[harm] <= point[harm])
    return no_worse & ((points[merit] > point[merit]) | (points[harm] < point[harm]))


def undominated(points: pd.DataFrame, merit: str = "auc", harm: str = "gamma") -> pd.Series:
    """Return which rows no other row dominates."""
    return ~points.apply(lambda row: dominating(points, row, merit, harm).any(), axis=1)

# SPDX-License-Identifier: MIT
"""Paired tests of a repair against the raw features, pooled and per task (tests.csv).

The paper's p < 1e-8 cannot come from ten pairs, whose smallest p is 2e-3, so it must pool tasks.
Splits of one task share rows, so pooled p are too small. The effects per task are more reliable.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import rankdata, wilcoxon

from .summary import changed

MEASURES = ("gamma", "auc")


def paired_tests(table: pd.DataFrame) -> pd.DataFrame:
    """Test every method of a table with the columns task, split, method, classifier, gamma, auc."""
    table = changed(table)
    table = table[table["method"] != "raw"]
    rows = []
    for (method, classifier), part in table.groupby(["method", "classifier"], sort=False):
        parts = {"all": part, **dict(list(part.groupby("task", sort=False)))}
        for task, measure in product(parts, MEASURES):
            tested = _tested(parts[task][f"{measure}_change"].to_numpy())
            rows.append(
                {"method": method, "classifier": classifier, "task": task, "measure": measure}
                | tested
            )
    tests = pd.DataFrame(rows)
    tests["p_holm"] = np.nan
    # the family of a pooled test is all classifiers, of a test per task all tasks of a classifier
    pooled = tests["task"] == "all"
    for _, family in tests.groupby(["method", "measure", tests["classifier"].where(~pooled, "")]):
        tests.loc[family.index, "p_holm"] = holm(family["p"].to_numpy())
    return tests


def _tested(change: np.ndarray) -> dict[str, float]:
    return {
        "n_pairs": len(change),
        "median_change": float(np.median(change)),
        "effect": rank_biserial(change),
        "p": float(wilcoxon(change).pvalue) if np.any(change != 0) else 1.0,
    }


def rank_biserial(change: np.ndarray) -> float:
    """Return the matched-pairs rank-biserial correlation: -1 all decrease, 1 all increase."""
    moved = change[change != 0]
    if len(moved) == 0:
        return 0.0
    ranks = rankdata(np.abs(moved))
    return float((ranks[moved > 0].sum() - ranks[moved < 0].sum()) / ranks.sum())


def holm(p: np.ndarray) -> np.ndarray:
    """Adjust p-values by Holm's step-down rule."""
    order = np.argsort(p)
    steps = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted

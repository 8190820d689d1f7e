# SPDX-License-Identifier: MIT
"""Means and intervals of the measured tables."""

from __future__ import annotations

import pandas as pd
from scipy.stats import t as student


def means(rows: pd.DataFrame, by: list[str], value: str) -> pd.DataFrame:
    """Return the mean of each group and half the width of its 95 % interval (Student)."""
    groups = rows.groupby(by, sort=False)[value]
    count = groups.count()
    error = groups.std() / count**0.5
    return pd.DataFrame(
        {"mean": groups.mean(), "half": error * student.ppf(0.975, (count - 1).clip(lower=1))}
    ).reset_index()

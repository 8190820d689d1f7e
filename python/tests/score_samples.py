# SPDX-License-Identifier: MIT
"""Samples and repairs that the tests of ScoreRepair share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from lbw import ScoreRepair
from lbw.metrics import demographic_parity_gamma

FEATURES = ["hours", "years"]


def census(n: int = 600, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Incomes that depend on a skill and on the sex, seen through features that do too."""
    rng = np.random.default_rng(seed)
    sex = rng.choice(["f", "m"], size=n, p=[0.4, 0.6])
    skill = rng.normal(size=n)
    shift = np.where(sex == "m", 1.0, 0.0)
    frame = pd.DataFrame(
        {
            "hours": skill + shift + rng.normal(size=n),
            "sex": sex,
            "years": (1.0 + shift) * (skill + rng.normal(size=n)),
        }
    )
    return frame, np.where(skill + shift + 0.5 * rng.normal(size=n) > 0.5, "high", "low")


def gamma(score: np.ndarray, groups: Any) -> float:
    return float(demographic_parity_gamma(score, groups, n_permutations=0, n_bootstraps=0))


def by_column(classifier: Any = None, **params: Any) -> ScoreRepair:
    classifier = LogisticRegression() if classifier is None else classifier
    return ScoreRepair(classifier, sensitive_columns="sex", **params)


def noise_floor(groups: Any) -> float:
    """Give the mean of gamma over two groups of equal scores, by Kolmogorov's limit law."""
    counts = np.unique(groups, return_counts=True)[1]
    return 0.8687 * float(np.sqrt((1 / counts).sum()))

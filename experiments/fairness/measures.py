# SPDX-License-Identifier: MIT
"""What is measured of scores on held-out rows."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import roc_auc_score

from lbw.metrics import demographic_parity_gamma

from .protocol import Part

COLUMNS = (
    "auc",
    "gamma",  # Kolmogorov-Smirnov, D+ or D-
    "gamma_low",
    "gamma_high",
    "kuiper",  # D+ and D- together, what the paper's public code computes
    "accuracy",
    "decision_gap",
)


def measured(score: np.ndarray, test: Part, *, n_bootstraps: int = 100) -> dict[str, float]:
    """Measure scores between 0 and 1.

    Accuracy and the gap between the groups' rates of positive decisions are of decisions at one
    half. A method that gives randomised decisions has their probability as score: for it both are
    expectations.
    """
    parity = demographic_parity_gamma(
        score, test.group, n_permutations=0, n_bootstraps=n_bootstraps
    )
    kuiper = demographic_parity_gamma(
        score, test.group, kind="kuiper", n_permutations=0, n_bootstraps=0
    )
    return {
        "auc": float(roc_auc_score(test.label, score)),
        "gamma": parity.value,
        "gamma_low": float("nan") if parity.low is None else parity.low,
        "gamma_high": float("nan") if parity.high is None else parity.high,
        "kuiper": kuiper.value,
        **of_decisions((score > 0.5).astype(float), test),
    }


def of_decisions(probability: np.ndarray, test: Part) -> dict[str, float]:
    """Measure decisions that are positive with the given probabilities."""
    first, second = (probability[test.group == name].mean() for name in np.unique(test.group))
    right = np.where(test.label, probability, 1.0 - probability)
    return {"accuracy": float(right.mean()), "decision_gap": abs(float(first - second))}


def noise_floor(score: np.ndarray, test: Part) -> dict[str, float]:
    """Measure gamma of groups that are dealt out at random over the same scores."""
    parity = demographic_parity_gamma(score, test.group, n_permutations=200, n_bootstraps=0)
    return {"noise_mean": parity.null_mean or 0.0, "noise_95": parity.null_quantile or 0.0}


def displacement(before: np.ndarray, after: np.ndarray) -> float:
    """Give the root mean square distance that rows were moved."""
    return float(np.sqrt(np.mean(np.sum((after - before) ** 2, axis=1))))

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
    """Measure scores between 0 and 1; decisions are positive above one half."""
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
        **_of_decisions((score > 0.5).astype(float), test),
    }


def measured_decisions(
    probability: np.ndarray, test: Part, *, n_bootstraps: int = 100
) -> dict[str, float]:
    """Measure randomised decisions that are positive with the given probabilities.

    A decision is a score of two values: its gamma is the gap of the groups' rates, its AUC is
    (1 + true positive rate - false positive rate) / 2. All figures are expectations over the draw.
    """
    gap = _gap(probability, test.group)
    rng = np.random.default_rng(0)
    parts = [probability[test.group == name] for name in np.unique(test.group)]
    gaps = [
        abs(np.subtract(*(rng.choice(part, len(part)).mean() for part in parts)))
        for _ in range(n_bootstraps)
    ]
    low, high = np.quantile(gaps, [0.025, 0.975])
    rates = probability[test.label].mean() - probability[~test.label].mean()
    return {
        "auc": float(1.0 + rates) / 2.0,
        "gamma": gap,
        "gamma_low": float(low),
        "gamma_high": float(high),
        "kuiper": gap,
        **_of_decisions(probability, test),
    }


def _of_decisions(probability: np.ndarray, test: Part) -> dict[str, float]:
    right = np.where(test.label, probability, 1.0 - probability)
    return {"accuracy": float(right.mean()), "decision_gap": _gap(probability, test.group)}


def _gap(probability: np.ndarray, group: np.ndarray) -> float:
    first, second = (probability[group == name].mean() for name in np.unique(group))
    return abs(float(first - second))


def noise_floor(score: np.ndarray, test: Part) -> dict[str, float]:
    """Measure gamma of groups that are dealt out at random over the same scores."""
    parity = demographic_parity_gamma(score, test.group, n_permutations=200, n_bootstraps=0)
    return {"noise_mean": parity.null_mean or 0.0, "noise_95": parity.null_quantile or 0.0}


def displacement(before: np.ndarray, after: np.ndarray) -> float:
    """Give the root mean square distance that rows were moved."""
    return float(np.sqrt(np.mean(np.sum((after - before) ** 2, axis=1))))

# SPDX-License-Identifier: MIT
"""Measures of scores on held-out rows."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import roc_auc_score

from lbw.metrics import demographic_parity_gamma

from .protocol import Part

COLUMNS = (
    "auc",
    "auc_low",
    "auc_high",
    "gamma",  # Kolmogorov-Smirnov, D+ or D-
    "gamma_low",
    "gamma_high",
    "kuiper",  # D+ plus D-, which the paper's public code computes
    "accuracy",
    "decision_gap",
)


def measured(score: np.ndarray, test: Part, *, n_bootstraps: int = 100) -> dict[str, float]:
    """Measure scores between 0 and 1. Decisions are positive above one half.

    The bootstrap resamples rows within each class for AUC and within each group for gamma.
    """
    parity = demographic_parity_gamma(
        score, test.group, n_permutations=0, n_bootstraps=n_bootstraps
    )
    kuiper = demographic_parity_gamma(
        score, test.group, kind="kuiper", n_permutations=0, n_bootstraps=0
    )
    auc_low, auc_high = _interval(_drawn_aucs(score, test.label, n_bootstraps))
    return {
        "auc": float(roc_auc_score(test.label, score)),
        "auc_low": auc_low,
        "auc_high": auc_high,
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

    A decision is a score with two values. Its gamma is the rate difference between groups, and its
    AUC is (1 + true positive rate - false positive rate) / 2. All measures are expectations over
    the random decisions.
    """
    gap = _gap(probability, test.group)
    gap_low, gap_high = _interval(np.abs(_drawn_gaps(probability, test.group, n_bootstraps)))
    rates = probability[test.label].mean() - probability[~test.label].mean()
    auc_low, auc_high = _interval((1.0 - _drawn_gaps(probability, test.label, n_bootstraps)) / 2.0)
    return {
        "auc": float(1.0 + rates) / 2.0,
        "auc_low": auc_low,
        "auc_high": auc_high,
        "gamma": gap,
        "gamma_low": gap_low,
        "gamma_high": gap_high,
        "kuiper": gap,
        **_of_decisions(probability, test),
    }


def _of_decisions(probability: np.ndarray, test: Part) -> dict[str, float]:
    right = np.where(test.label, probability, 1.0 - probability)
    return {"accuracy": float(right.mean()), "decision_gap": _gap(probability, test.group)}


def _gap(probability: np.ndarray, group: np.ndarray) -> float:
    first, second = (probability[group == name].mean() for name in np.unique(group))
    return abs(float(first - second))


def _drawn_aucs(score: np.ndarray, label: np.ndarray, n_draws: int) -> np.ndarray:
    """Return bootstrap samples of AUC, resampled within positive and within negative rows."""
    rng = np.random.default_rng(0)
    values, places = np.unique(score, return_inverse=True)
    aucs = np.empty(n_draws)
    for draw in range(n_draws):
        positive, negative = (
            np.bincount(rng.choice(own, len(own)), minlength=len(values)) / len(own)
            for own in (places[label], places[~label])
        )
        aucs[draw] = positive @ (np.cumsum(negative) - negative / 2.0)  # a tie counts as one half
    return aucs


def _drawn_gaps(probability: np.ndarray, parts: np.ndarray, n_draws: int) -> np.ndarray:
    """Return bootstrap samples of the difference between the means of two parts."""
    rng = np.random.default_rng(0)
    values = [probability[parts == part] for part in np.unique(parts)]
    return np.array(
        [np.subtract(*(rng.choice(own, len(own)).mean() for own in values)) for _ in range(n_draws)]
    )


def _interval(draws: np.ndarray) -> tuple[float, float]:
    if len(draws) == 0:
        return float("nan"), float("nan")
    low, high = np.quantile(draws, [0.025, 0.975])
    return float(low), float(high)


def noise_floor(score: np.ndarray, test: Part) -> dict[str, float]:
    """Measure the null distribution of gamma by random permutations of the groups."""
    parity = demographic_parity_gamma(score, test.group, n_permutations=200, n_bootstraps=0)
    return {"noise_mean": parity.null_mean or 0.0, "noise_95": parity.null_quantile or 0.0}


def displacement(before: np.ndarray, after: np.ndarray) -> float:
    """Return the root mean square displacement of rows."""
    return float(np.sqrt(np.mean(np.sum((after - before) ** 2, axis=1))))

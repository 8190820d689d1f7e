# SPDX-License-Identifier: MIT
"""Select settings by a logistic regression on training rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from .measures import measured
from .protocol import Part, Split

Setting = TypeVar("Setting")
INNER_ROWS = 6000  # maximal number of training rows for the comparison of settings


def inner_split(train: Part, seed: int, fold: int = 0) -> Split:
    """Split the training rows, or a subsample, into 70 % for training and 30 % for validation."""
    rows = np.random.default_rng([seed, fold]).permutation(len(train.label))[:INNER_ROWS]
    parts = train_test_split(rows, test_size=0.3, random_state=seed)
    return Split(*(train.rows(part) for part in parts))


def merit_of(repaired: Split, *, parity: bool = True) -> float:
    """Return AUC - gamma of a logistic regression, or only its AUC."""
    model = LogisticRegression(max_iter=2000).fit(repaired.train.features, repaired.train.label)
    score = model.predict_proba(repaired.test.features)[:, 1]
    figures = measured(score, repaired.test, n_bootstraps=0)
    return figures["auc"] - figures["gamma"] if parity else figures["auc"]


def ranked(
    settings: Sequence[Setting], merit: Callable[[Setting, int], float], n_folds: int
) -> list[Setting]:
    """Return the settings that did not fail, sorted by their mean score over folds, best first."""
    means = np.array(
        [np.mean([merit(setting, fold) for fold in range(n_folds)]) for setting in settings]
    )
    order = np.argsort(-means, kind="stable")
    return [settings[place] for place in order if np.isfinite(means[place])]

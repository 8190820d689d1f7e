# SPDX-License-Identifier: MIT
"""The paper's seven classifiers, and their numbers of training rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier

from .protocol import Part

SLOW_ROWS = 3000  # maximal number of training rows of the three slow ones


@dataclass(frozen=True)
class Classifier:
    """A classifier of the study."""

    name: str
    make: Callable[[int], Any]  # function of a seed
    max_rows: int | None = None  # number of random training rows; None means all

    def training_rows(self, train: Part, seed: int) -> Part:
        """Return the training rows, which are the same for every method."""
        n_rows = len(train.label)
        if self.max_rows is None or n_rows <= self.max_rows:
            return train
        rows = np.random.default_rng(seed).choice(n_rows, self.max_rows, replace=False)
        return train.rows(np.sort(rows))


def _boosting(seed: int) -> Any:
    # histograms of 255 bins are 30 times faster than exact splits; other defaults are the same
    return HistGradientBoostingClassifier(
        max_iter=100, max_depth=3, min_samples_leaf=1, early_stopping=False, random_state=seed
    )


def _network(seed: int) -> Any:
    return MLPClassifier((100,), early_stopping=True, random_state=seed)


CLASSIFIERS = {
    classifier.name: classifier
    for classifier in (
        Classifier("logistic regression", lambda seed: LogisticRegression(max_iter=2000)),
        Classifier("naive Bayes", lambda seed: BernoulliNB()),
        Classifier("k-NN", lambda seed: KNeighborsClassifier(), SLOW_ROWS),
        Classifier("LDA", lambda seed: LinearDiscriminantAnalysis()),
        Classifier("gradient boosting", _boosting),
        Classifier(
            "random forest", lambda seed: RandomForestClassifier(100, random_state=seed), SLOW_ROWS
        ),
        Classifier("MLP", _network, SLOW_ROWS),
    )
}
FAMILIES = {
    "linear": ("logistic regression", "LDA", "naive Bayes"),
    "trees": ("gradient boosting", "random forest"),
    "neighbours": ("k-NN",),
    "neural network": ("MLP",),
}

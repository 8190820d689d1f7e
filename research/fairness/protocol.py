# SPDX-License-Identifier: MIT
"""The input of all methods: a split, encoded, standardised and reduced to few components.

All steps are learned on the training part only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from .tasks import Task

N_SPLITS = 10
TEST_SHARE = 0.3
N_PRINCIPAL = 10  # for the comparison of methods; the tuned run selects its own number


@dataclass(frozen=True)
class Part:
    """Features, label and group of some rows."""

    features: np.ndarray
    label: np.ndarray
    group: np.ndarray

    def rows(self, index: np.ndarray) -> Part:
        """Return some of the rows."""
        return Part(self.features[index], self.label[index], self.group[index])

    def at_most(self, n_rows: int, seed: int) -> Part:
        """Return at most this number of random rows."""
        return self.rows(np.random.default_rng(seed).permutation(len(self.label))[:n_rows])

    def with_features(self, features: np.ndarray) -> Part:
        """Return the same rows with other features."""
        return Part(features, self.label, self.group)


@dataclass(frozen=True)
class Split:
    """A training part and a held-out part for evaluation."""

    train: Part
    test: Part

    def mapped(self, features_of: Callable[[Part], np.ndarray]) -> Split:
        """Return the same rows with other features."""
        return Split(*(part.with_features(features_of(part)) for part in (self.train, self.test)))


def split_of(task: Task, seed: int) -> Split:
    """Return one of the 70/30 splits, encoded, with all columns standardised."""
    rows = np.arange(len(task.label))
    train, test = train_test_split(rows, test_size=TEST_SHARE, random_state=seed)
    encode = make_pipeline(
        make_column_transformer(
            ("passthrough", make_column_selector(dtype_include="number")),
            (OneHotEncoder(handle_unknown="ignore", sparse_output=False), _codes),
        ),
        StandardScaler(),
    )
    parts = [
        Part(features, task.label[index], task.group[index])
        for index, features in (
            (train, encode.fit_transform(task.features.iloc[train])),
            (test, encode.transform(task.features.iloc[test])),
        )
    ]
    return Split(*parts)


def reduced(split: Split, n_principal: int = N_PRINCIPAL) -> Split:
    """Return the first principal components, or fewer if the table has a lower rank."""
    features = split.train.features
    pca = PCA(min(n_principal, features.shape[1]), svd_solver="covariance_eigh").fit(features)
    kept = pca.explained_variance_ > 1e-9 * pca.explained_variance_[0]
    return Split(
        *(
            part.with_features(pca.transform(part.features)[:, kept])
            for part in (split.train, split.test)
        )
    )


_codes = make_column_selector(dtype_exclude="number")

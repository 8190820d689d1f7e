# SPDX-License-Identifier: MIT
"""Tests of how well repaired rows reveal their group."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_info, threadpool_limits

from lbw._repair.check_looks import WeightedRows, _auc, group_auc
from lbw._repair.check_rows import distinct_rows, folds_of


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rounded", [False, True])
def test_the_auc_is_that_of_scikit_learn(weighted: bool, rounded: bool) -> None:
    rng = np.random.default_rng(0)
    labels = rng.choice(["a", "b", "c"], size=500)
    scores = rng.normal(size=500) + (labels == "b")
    if rounded:
        scores = np.round(scores)
    weights = rng.uniform(size=500) if weighted else None
    rows = WeightedRows(scores[:, np.newaxis], labels, weights)
    for group in "abc":
        expected = roc_auc_score(labels == group, scores, sample_weight=weights)
        assert _auc(scores, rows, group) == pytest.approx(expected, rel=1e-12)


def test_an_auc_needs_rows_of_the_group_and_others() -> None:
    rows = WeightedRows(np.zeros((3, 1)), np.array(["a", "a", "a"]), None)
    assert np.isnan(_auc(np.arange(3.0), rows, "a"))
    assert np.isnan(_auc(np.arange(3.0), rows, "b"))


def test_copies_are_found_though_a_column_has_equal_values_by_chance() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 2))
    X[1, 0] = X[0, 0]
    X[20:30] = X[10:20]
    labels = np.zeros(300, dtype=int)
    numbers = distinct_rows(X, labels)
    assert len(np.unique(numbers)) == 290
    np.testing.assert_array_equal(numbers[20:30], numbers[10:20])
    assert numbers[0] != numbers[1]
    np.testing.assert_array_equal(distinct_rows(X[30:], labels[30:]), np.arange(270))


def test_a_single_fold_is_tested_by_a_tree_of_the_others() -> None:
    rng = np.random.default_rng(2)
    labels = rng.integers(2, size=2100)
    X = rng.normal(size=(2100, 1)) + labels[:, np.newaxis]
    numbers = np.arange(2100)
    held_out = folds_of(labels, numbers, 3) == 0
    tree = HistGradientBoostingClassifier(
        max_iter=25, learning_rate=0.2, max_leaf_nodes=15, early_stopping=False, random_state=0
    ).fit(X[~held_out], labels[~held_out])
    expected = roc_auc_score(labels[held_out], tree.predict_proba(X[held_out])[:, 1])
    found, noise = group_auc([X], labels, numbers, [], most_folds=1)
    of_all, noise_of_all = group_auc([X], labels, numbers, [])
    assert found == pytest.approx(expected, rel=1e-12)
    assert found != of_all
    assert noise == noise_of_all


def test_trees_run_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    n_threads: list[int] = []

    def spied(method):
        def spy(tree, *args, **named):
            n_threads.extend(
                pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "openmp"
            )
            return method(tree, *args, **named)

        return spy

    for name in ("fit", "predict_proba"):
        method = getattr(HistGradientBoostingClassifier, name)
        monkeypatch.setattr(HistGradientBoostingClassifier, name, spied(method))
    rng = np.random.default_rng(3)
    with threadpool_limits(2, user_api="openmp"):
        group_auc([rng.normal(size=(300, 2))], np.repeat([0, 1], 150), np.arange(300), [])
    assert n_threads
    assert set(n_threads) == {1}

# SPDX-License-Identifier: MIT
"""Tests of how well repaired rows reveal their group."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score

from lbw import _core
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


def trees_of_scikit_learn(X, labels, others, weights=None) -> np.ndarray:
    tree = HistGradientBoostingClassifier(
        max_iter=25, learning_rate=0.2, max_leaf_nodes=15, early_stopping=False, random_state=0
    ).fit(X, labels, sample_weight=weights)
    return tree.predict_proba(others)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_groups", [2, 4])
def test_boosted_trees_are_those_of_scikit_learn(n_groups: int, weighted: bool) -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(n_groups, size=3000).astype(np.int32)
    X = rng.normal(size=(3000, 6)) + 0.3 * labels[:, np.newaxis]
    X[:, 1] = np.round(X[:, 1])
    X[:, 2] = X[:, 2] > 0.5
    X[:, 3] = 4.0
    others = rng.normal(size=(500, 6))
    weights = rng.uniform(size=3000) if weighted else None
    found = _core.group_probabilities(X, labels, others, weights)
    np.testing.assert_allclose(found, trees_of_scikit_learn(X, labels, others, weights), atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_trees_choose_as_scikit_learn_between_splits_of_equal_gain(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = np.arange(400, dtype=np.int32) % 3  # the first gradients have two values
    X = rng.normal(size=(400, 3)) + labels[:, np.newaxis]
    found = _core.group_probabilities(X, labels, X)
    np.testing.assert_allclose(found, trees_of_scikit_learn(X, labels, X), atol=1e-12)


def test_a_repair_is_checked_after_the_end_of_the_main_thread() -> None:
    code = """
import threading, time
import numpy as np
from lbw import GroupRepair

def fit():
    time.sleep(0.5)
    rng = np.random.default_rng(0)
    groups = rng.integers(2, size=1000)
    X = rng.normal(size=(1000, 2)) + groups[:, np.newaxis]
    print(GroupRepair().fit(X, sensitive_features=groups).check_.separable)

threading.Thread(target=fit).start()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n", done.stderr

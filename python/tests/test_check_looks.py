# SPDX-License-Identifier: MIT
"""Tests of how well repaired rows reveal their group."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from lbw._repair.check_looks import WeightedRows, _auc
from lbw._repair.check_rows import distinct_rows


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

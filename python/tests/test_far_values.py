# SPDX-License-Identifier: MIT
"""Repairs of tables in which a few values are very far from all others."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from lbw import GroupRepair
from lbw.metrics import group_auc

WARNING = "is very far from all others"


def shifted_groups(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    group = (rng.random(n) < 0.4).astype(int)
    return rng.normal(size=(n, 3)) + 0.5 * group[:, np.newaxis], group


@pytest.mark.parametrize("wrong", [1e3, 1e6, 1e9])
def test_one_wrong_value_is_named_and_the_others_keep_their_order(wrong):
    X, group = shifted_groups(1000, 1)
    X[0, 0] = wrong
    with pytest.warns(UserWarning, match=rf"Feature 1 of 3 has 1 value in group .*{WARNING}"):
        repair = GroupRepair().fit(X, sensitive_features=group)
    repaired = repair.transform(X, sensitive_features=group)
    for label in (0, 1):
        own = (group == label) & (np.arange(len(X)) > 0)
        assert np.corrcoef(X[own, 0], repaired[own, 0])[0, 1] > 0.99
        assert repaired[own, 0].std() < 1.5
    # new rows keep little of the difference
    X, group = shifted_groups(4000, 2)
    repaired = repair.transform(X, sensitive_features=group)
    before, after = (
        group_auc(Y[group == 0], Y[group == 1], n_permutations=0, random_state=0).value
        for Y in (X, repaired)
    )
    assert before > 0.65
    assert after < 0.62


def test_columns_of_a_table_are_named():
    pd = pytest.importorskip("pandas")
    X, group = shifted_groups(400, 3)
    X[5, 1] = -1e5
    frame = pd.DataFrame(X, columns=["age", "income", "rate"])
    with pytest.warns(UserWarning, match=rf"Feature 'income' has 1 value .*{WARNING}.*-1e\+05"):
        GroupRepair(check_samples=0).fit(frame, sensitive_features=group)


def test_a_frequent_code_leaves_the_other_values_in_place():
    rng = np.random.default_rng(0)
    group = rng.integers(2, size=4000)
    X = np.column_stack([rng.beta(2, 5, size=4000), rng.normal(size=4000)])
    X[rng.random(4000) < 0.07, 0] = 999_999_999
    near = X[:, 0] <= 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        repair = GroupRepair().fit(X, sensitive_features=group)
    repaired = repair.transform(X, sensitive_features=group)
    assert np.corrcoef(X[near, 0], repaired[near, 0])[0, 1] > 0.99

# SPDX-License-Identifier: MIT
"""Folds of ScoreRepair where rows are repeated."""

from __future__ import annotations

import numpy as np
import pytest
from score_samples import gamma
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit

from lbw import ScoreRepair
from lbw._repair.folds import folds_of


def people(n_first, n_second, seed):
    """Give features, classes and groups of distinct rows."""
    random = np.random.default_rng(seed)
    groups = np.repeat([0, 1], [n_first, n_second])
    X = np.column_stack([random.normal(groups), random.normal(size=(len(groups), 4))])
    return X, X[:, 0] + random.normal(size=len(groups)) > 0.5, groups


def answers(n, seed, n_levels=4, n_columns=3):
    """Give a table of columns with few values, in which equal rows are different people."""
    random = np.random.default_rng(seed)
    groups = random.integers(2, size=n)
    first = np.clip(random.normal(groups, 1, size=n).round() + 1, 0, n_levels - 1)
    X = np.column_stack([first, random.integers(n_levels, size=(n, n_columns - 1))])
    return X, X.sum(axis=1) + random.normal(size=n) > 0.6 * X.sum(axis=1).max(), groups


def folds(X, y, groups, n_folds=5):
    return folds_of(n_folds, X, y, groups, seed=0, split_params={})


def repeated(data, times):
    rows = np.repeat(np.arange(len(data[1])), times)
    return tuple(values[rows] for values in data)


@pytest.mark.parametrize(("first_times", "second_times"), [(3, 1), (10, 1), (5, 5)])
def test_copies_of_rows_leave_parity(first_times, second_times):
    """With copies in several folds, gamma is .2 to .8."""
    data = people(300, 600, 0)
    X, y, groups = repeated(data, np.where(data[2] == 0, first_times, second_times))
    forest = RandomForestClassifier(20, random_state=0)
    repair = ScoreRepair(forest).fit(X, y, sensitive_features=groups)
    fresh, _, own = people(4000, 4000, 1)
    assert gamma(repair.predict_proba(fresh, sensitive_features=own)[:, 1], own) < 0.12


def test_folds_keep_copies_together_and_groups_in_proportion():
    data = people(100, 400, 0)
    X, y, groups = repeated(data, np.random.default_rng(0).integers(1, 5, size=500))
    codes = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    drawn = folds(X, y, groups)
    for fit, out in drawn:
        assert len(np.intersect1d(codes[fit], codes[out])) == 0
        np.testing.assert_array_equal(np.sort(np.append(fit, out)), np.arange(len(y)))
        for group in (0, 1):
            assert abs((groups[out] == group).sum() / (groups == group).sum() - 0.2) < 0.05
    again = folds(X, y, groups)
    assert all((a[1] == b[1]).all() for a, b in zip(drawn, again, strict=True))


def test_records_of_one_person_stay_together():
    """The class may differ from record to record, the features and the group do not."""
    X, _, groups = repeated(people(300, 300, 0), 3)
    y = X[:, 0] + np.random.default_rng(1).normal(size=len(X)) > 0.5
    codes = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    for fit, out in folds(X, y, groups):
        assert len(np.intersect1d(codes[fit], codes[out])) == 0


def dealt_by_row(y, groups, n_folds=5):
    """Give the held-out rows of folds that take no account of copies."""
    shuffled = np.random.RandomState(0).permutation(len(y))
    fold = np.empty(len(y), dtype=int)
    fold[np.lexsort((shuffled, y, groups))] = np.arange(len(y)) % n_folds
    return [np.flatnonzero(fold == i) for i in range(n_folds)]


@pytest.mark.parametrize(
    "data",
    [
        people(50, 90, 0),
        answers(1500, 0, n_levels=2),
        answers(1500, 0),
        answers(1500, 0, n_levels=70, n_columns=1),
        answers(1500, 0, n_columns=5),
    ],
)
def test_distinct_rows_and_columns_of_few_values_are_dealt_row_by_row(data):
    X, y, groups = data
    for (_, out), expected in zip(folds(X, y, groups), dealt_by_row(y, groups), strict=True):
        np.testing.assert_array_equal(out, expected)


def test_columns_of_few_values_reach_parity():
    """With equal rows in one fold, gamma is above .1."""
    X, y, groups = answers(3000, 0, n_levels=2)
    forest = RandomForestClassifier(20, random_state=0)
    repair = ScoreRepair(forest).fit(X, y, sensitive_features=groups)
    fresh, _, own = answers(8000, 1, n_levels=2)
    assert gamma(repair.predict_proba(fresh, sensitive_features=own)[:, 1], own) < 0.06


def test_too_few_distinct_rows_for_the_folds_are_warned_of():
    data = people(3, 300, 1)
    X, y, groups = repeated(data, np.where(data[2] == 0, 30, 1))
    with pytest.warns(UserWarning, match=r"too few distinct rows .* cv=5") as caught:
        ScoreRepair(LogisticRegression()).fit(X, y, sensitive_features=groups)
    assert caught[0].filename == __file__


def test_a_given_splitter_is_used_as_it_is():
    X, y, groups = repeated(people(60, 60, 0), 3)
    halves = [(np.arange(0, 360, 2), np.arange(1, 360, 2))]
    ((fit, out),) = folds_of(halves, X, y, groups, seed=0, split_params={})
    np.testing.assert_array_equal(fit, halves[0][0])
    np.testing.assert_array_equal(out, halves[0][1])


# Each row is held out of six classifiers, which says no more about the groups than one of them.
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "cv",
    [
        RepeatedStratifiedKFold(n_splits=3, n_repeats=6, random_state=0),
        ShuffleSplit(12, test_size=0.5, random_state=0),
    ],
)
def test_rows_that_are_held_out_repeatedly_count_once(cv, n_classes):
    moved = []
    for seed in range(6):
        random = np.random.default_rng(seed)
        X, groups = random.normal(size=(90, 2)), np.arange(90) % 2
        y = random.permutation(np.arange(90) % n_classes)
        with pytest.warns(UserWarning, match=r"0 \(4[345] rows"):
            repair = ScoreRepair(LogisticRegression(), cv=cv).fit(X, y, sensitive_features=groups)
        repaired = repair.predict_proba(X, sensitive_features=groups)
        scores = repair.set_params(amount=0.0).predict_proba(X, sensitive_features=groups)
        moved.append(np.abs(repaired - scores).mean() > 1e-3)
    assert np.mean(moved) < 0.5

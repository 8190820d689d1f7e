# SPDX-License-Identifier: MIT
"""The warning of GroupRepair of columns in which only the repair makes groups differ."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from lbw import GroupRepair
from lbw._input.fit_rows import FitRows
from lbw._repair.new_differences import _groups_of, _pair, _rises, _shares, new_differences_text
from lbw.metrics import demographic_parity_gamma

WARNING = "The repair makes groups differ"
MISSING = -1_000_000


def coded(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Ages without a group difference, a fifth of them missing as -1e6, and unequal incomes."""
    rng = np.random.default_rng(seed)
    group = rng.integers(2, size=150)
    age = np.where(rng.random(150) < 0.2, MISSING, np.round(rng.normal(40, 10, 150)))
    return np.column_stack([age, rng.normal(size=150) + 4 * group]), group


def warned(X, group, **params) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        GroupRepair(**params).fit(X, sensitive_features=group)
    return [text for w in caught if (text := str(w.message)).startswith(WARNING)]


@pytest.mark.filterwarnings("ignore:fit does not check the repair")
@pytest.mark.parametrize("seed", [3, 8, 9])
def test_a_difference_that_the_repair_makes_is_named(seed):
    pd = pytest.importorskip("pandas")
    X, group = coded(seed)
    frame = pd.DataFrame(X, columns=["age", "income"])
    numbers = r"columns?: 'age' \(groups 0 and 1: 0\.0\d before, 0\.[5-9]\d after\)\. "
    with pytest.warns(UserWarning, match=rf"{WARNING}.*{numbers}.*-999.*group_shrinkage=1, or"):
        repair = GroupRepair().fit(frame, sensitive_features=group)
    repaired = repair.transform(frame, sensitive_features=group)
    after = demographic_parity_gamma(repaired[:, 0], group, n_permutations=0, n_bootstraps=0)
    (text,) = warned(frame, group)
    assert f"{after.value:.2f} after)" in text
    assert "'income'" not in text


@pytest.mark.parametrize("seed", [3, 8, 9])
def test_the_remedies_of_the_warning_help(seed):
    X, group = coded(seed)
    missing = X[:, 0] == MISSING
    apart = np.column_stack([np.where(missing, 40, X[:, 0]), missing, X[:, 1]])
    assert warned(apart, group) == []
    assert warned(X[:, 1:], group) == []
    assert warned(X, group, group_shrinkage=1) == []
    assert warned(X, group, check_samples=0) == []
    assert warned(X, group, amount=0.0) == []


@pytest.mark.parametrize("n_groups", [2, 3])
@pytest.mark.parametrize("n", [300, 1000])
def test_ordinary_columns_are_not_named(n, n_groups):
    for seed in range(2):
        rng = np.random.default_rng(seed)
        group = rng.integers(n_groups, size=n)
        by_group = group[:, np.newaxis]
        tables = {
            "normal": rng.normal(size=(n, 3)) + by_group,
            "lognormal": np.exp(rng.normal(size=(n, 2)) * (1 + 0.3 * by_group)),
            "one-hot": np.column_stack([np.eye(4)[rng.integers(4, size=n)], rng.normal(2 * group)]),
            "integer": np.column_stack([rng.poisson(3 + group), rng.integers(0, 80, n)]),
            "equal": rng.normal(size=(n, 3)),
            "constant": np.column_stack([np.full(n, 0.1), rng.normal(group)]),
            "single": np.column_stack([np.full(n, 0.1), rng.normal(group)]).astype(np.float32),
        }
        for name, X in tables.items():
            assert warned(X, group) == [], name


def test_the_distance_is_that_of_the_metric_with_weights_and_ties():
    rng = np.random.default_rng(0)
    group, weights = rng.integers(3, size=900), rng.integers(1, 4, size=900).astype(float)
    before, after = rng.normal(size=900), np.round(rng.normal(3.0 * (group == 2)), 1)
    groups = _groups_of(FitRows(after[:, None], group, weights), [0, 1, 2])
    (text,) = _rises(before, after, groups)
    first, second = sorted(_pair(_shares(after, 1e-9, groups), groups.sizes))
    rows = np.isin(group, [first, second])
    before, after = (
        demographic_parity_gamma(
            column[rows],
            group[rows],
            sample_weight=weights[rows],
            n_permutations=0,
            n_bootstraps=0,
        ).value
        for column in (before, after)
    )
    assert text == f"groups {first} and {second}: {before:.2f} before, {after:.2f} after"


def test_many_rows_and_groups_are_bounded():
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(60), 500)
    X = rng.normal(size=(30_000, 1)) + group[:, np.newaxis] / 10
    repair = GroupRepair(1, check_samples=0).fit(X, sensitive_features=group)
    repair.check_samples = 100
    seen = []
    transport = repair.transport_
    whole = transport._by_group
    transport._by_group = lambda rows, *others: seen.append(len(rows)) or whole(rows, *others)
    assert new_differences_text(repair, FitRows(X, group)) == ""
    assert seen == [20 * 400]  # the largest groups, and so many rows of each at least

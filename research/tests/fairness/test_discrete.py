# SPDX-License-Identifier: MIT
"""Test the tables of integers, booleans and categories, and the page written from them."""

import numpy as np
import pandas as pd
import pytest

from fairness.discrete import COMPARED, METHODS, discrete_lines
from fairness.discrete_tables import TABLES, discrete_split


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_tables_are_standardised_and_differ_between_groups(table):
    split = discrete_split(table, 2000)
    train, test = split.train, split.test
    np.testing.assert_allclose(train.features.mean(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(train.features.std(axis=0), 1.0, atol=1e-9)
    assert not np.array_equal(train.features, test.features)
    assert 0.05 < train.label.mean() < 0.95
    means = [train.features[train.group == name].mean(axis=0) for name in ("a", "b")]
    assert np.abs(means[0] - means[1]).max() > 0.1


def test_a_table_is_the_same_in_every_run():
    first, again = discrete_split(3, 500), discrete_split(3, 500)
    np.testing.assert_array_equal(first.train.features, again.train.features)


@pytest.mark.parametrize(("gamma", "verdict"), [(0.05, "met"), (0.09, "missed")])
def test_the_page_says_whether_the_target_is_met(tmp_path, gamma, verdict):
    repaired = {"raw": 0.3, "GroupRepair without dither": 0.2, "GroupRepair, defaults": gamma}
    rows = [
        (0, "age", method, classifier, repaired[method], 0.02, 0.7)
        for method in METHODS
        for classifier in COMPARED
    ]
    names = ["table", "columns", "method", "classifier", "gamma", "noise_mean", "auc"]
    pd.DataFrame(rows, columns=names).to_csv(tmp_path / "discrete.csv", index=False)
    last = list(discrete_lines(tmp_path))[-1]
    assert last.endswith(f"| {verdict} |")
    assert f"0.300 → {gamma:.3f}, +0.000" in last

# SPDX-License-Identifier: MIT
"""Transports and repairs that draw by keys of rows."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import lbw
from lbw import Batches, GroupRepair, LocalTransport, ScoreRepair


def discrete_table(n_samples=600, seed=0):
    """Whole numbers and booleans of two groups."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(2, size=n_samples)
    age = rng.integers(0, 5, n_samples) + groups
    home = rng.random(n_samples) < 0.3 + 0.3 * groups
    return np.column_stack([age, home]).astype(float), groups


def copies_before(X, groups):
    """Number equal rows of a group in their order."""
    seen = {}
    keys = []
    for row in zip(groups.tolist(), *X.T.tolist(), strict=True):
        keys.append(seen.get(row, 0))
        seen[row] = keys[-1] + 1
    return np.array(keys)


def test_copies_of_a_row_number_themselves():
    X, groups = discrete_table()
    transport = LocalTransport(2, covariance_floor=0.1, map="random").fit(X, groups)
    carried = transport.transform(X, groups)
    own = (groups == 0) & (X == [2, 0]).all(axis=1)
    assert own.sum() > 20
    assert len(np.unique(carried[own], axis=0)) > 1
    key = copies_before(X, groups)
    np.testing.assert_array_equal(transport.transform(X, groups, key=key), carried)
    alone = [transport.transform(X[i : i + 1], groups[i], key=key[i : i + 1]) for i in range(50)]
    np.testing.assert_array_equal(np.vstack(alone), carried[:50])


def test_dither_spreads_copies_by_their_key_or_by_all_rows_of_the_call():
    X, groups = discrete_table()
    transport = LocalTransport(1, dither="auto").fit(X, groups)
    carried = transport.transform(X, groups)
    assert len(np.unique(carried, axis=0)) == len(X)
    np.testing.assert_array_equal(transport.fit_transform(X, groups), carried)
    half = transport.transform(X[:300], groups[:300])
    assert (half != carried[:300]).all()
    key = [f"customer {i}" for i in range(len(X))]
    keyed = LocalTransport(1, dither="auto").fit(X, groups, key=key)
    whole = keyed.transform(X, groups, key=key)
    np.testing.assert_array_equal(
        keyed.transform(X[:300], groups[:300], key=key[:300]), whole[:300]
    )
    np.testing.assert_array_equal(keyed.fit_transform(X, groups, key=key), whole)


def test_distinct_rows_depend_on_their_values_alone():
    rng = np.random.default_rng(1)
    X, groups = rng.normal(size=(300, 2)), rng.integers(2, size=300)
    transport = LocalTransport(3, map="random").fit(X, groups)
    carried = transport.transform(X, groups)
    order = rng.permutation(300)
    np.testing.assert_array_equal(transport.transform(X[order], groups[order]), carried[order])
    zeros = transport.transform(X, groups, key=np.zeros(300, dtype=int))
    np.testing.assert_array_equal(zeros, carried)


def test_transport_of_two_samples_takes_keys():
    X, groups = discrete_table()
    source, target = X[groups == 0], X[groups == 1]
    plain = lbw.transport(source, target, 2, covariance_floor=1e-2, map="random")
    key = copies_before(source, np.zeros(len(source)))
    keyed = lbw.transport(source, target, 2, covariance_floor=1e-2, map="random", key=key)
    np.testing.assert_array_equal(keyed, plain)
    others = lbw.transport(source, target, 2, covariance_floor=1e-2, map="random", key=key + 1000)
    assert (others != plain).any()


@pytest.mark.parametrize("by_position", [False, True])
@pytest.mark.parametrize("groups_in_table", [False, True])
def test_a_repair_reads_keys_from_a_column_and_drops_it(tmp_path, by_position, groups_in_table):
    X, groups = discrete_table()
    names = [f"c{i}" for i in range(len(X))]
    table = pd.DataFrame({"id": names, "age": X[:, 0], "sex": groups, "home": X[:, 1]})
    columns, sensitive = ("id", "sex") if not by_position else (0, 2)
    expected = GroupRepair(check_samples=0).fit_transform(X, sensitive_features=groups, key=names)
    if groups_in_table:
        repair = GroupRepair(sensitive_columns=sensitive, key_column=columns, check_samples=0).fit(
            table
        )
        repaired = repair.transform(table)
    else:
        table = table.drop(columns="sex")
        repair = GroupRepair(key_column=columns, check_samples=0).fit(
            table, sensitive_features=groups
        )
        repaired = repair.transform(table, sensitive_features=groups)
    np.testing.assert_array_equal(repaired, expected)
    assert repair.get_feature_names_out().tolist() == ["age", "home"]
    repair.save(tmp_path / "m.safetensors")
    loaded = GroupRepair.load(tmp_path / "m.safetensors")
    rest = {} if groups_in_table else {"sensitive_features": groups}
    np.testing.assert_array_equal(loaded.transform(table, **rest), expected)
    backwards = table.iloc[::-1]
    rest = {} if groups_in_table else {"sensitive_features": groups[::-1]}
    np.testing.assert_array_equal(repair.transform(backwards, **rest), expected[::-1])


def test_keys_given_twice_or_in_a_sensitive_column_are_refused():
    X, groups = discrete_table(60)
    table = pd.DataFrame({"id": range(60), "age": X[:, 0], "sex": groups})
    with pytest.raises(ValueError, match="key and key_column='id' are both given"):
        GroupRepair(sensitive_columns="sex", key_column="id").fit(table, key=range(60))
    with pytest.raises(ValueError, match="key_column='sex' is one of the sensitive_columns"):
        GroupRepair(sensitive_columns="sex", key_column="sex").fit(table)
    with pytest.raises(ValueError, match="key_column: there is no column 'name'"):
        GroupRepair(sensitive_columns="sex", key_column="name").fit(table)


def test_a_key_column_that_the_fit_had_not_is_refused():
    X, groups = discrete_table()
    repair = GroupRepair(1, check_samples=0).fit(X, sensitive_features=groups)
    repair.set_params(key_column=0)
    with pytest.raises(ValueError, match="key_column is 0, but the fit had none"):
        repair.transform(X, sensitive_features=groups)


@pytest.mark.parametrize(
    ("kind", "way"),
    [
        (GroupRepair, "fit"),
        (GroupRepair, "loaded"),
        (GroupRepair, "batches"),
        (ScoreRepair, "fit"),
        (ScoreRepair, "loaded"),
    ],
)
@pytest.mark.parametrize(
    ("parameter", "value", "had"),
    [
        ("key_column", None, "2"),
        ("key_column", 0, "2"),
        ("sensitive_columns", None, "1"),
        ("sensitive_columns", [1, 0], "1"),
    ],
)
def test_columns_that_are_set_after_the_fit_are_refused(tmp_path, kind, way, parameter, value, had):
    X, groups = discrete_table()
    X = np.column_stack([X[:, 0], groups, np.arange(len(X)), X[:, 0]])
    params = {"sensitive_columns": 1, "key_column": 2}
    if kind is GroupRepair:
        repair = GroupRepair(1, check_samples=0, **params)
        repair.fit(Batches([X]) if way == "batches" else X)
        use = "transform"
    else:
        model = LogisticRegression().fit(X[:, [0, 3]], X[:, 0] > X[:, 0].mean())
        repair = ScoreRepair(model, cv="prefit", **params).fit(X)
        use = "predict_proba"
    if way == "loaded":
        options = {} if kind is GroupRepair else {"with_classifiers": False}
        repair.save(tmp_path / "file", **options)
        options = {} if kind is GroupRepair else {"classifier": model}
        repair = kind.load(tmp_path / "file", **options)
    expected = getattr(repair, use)(X)
    again = repair.set_params(sensitive_columns=[1])
    np.testing.assert_array_equal(getattr(again, use)(X), expected)
    repair.set_params(**{parameter: value})
    given = {"sensitive_features": groups} if repair.sensitive_columns is None else {}
    words = f"{parameter} is {value!r}, but the fit had {had}. Set it before fit."
    with pytest.raises(ValueError, match=re.escape(words)):
        getattr(repair, use)(X, **given)

# SPDX-License-Identifier: MIT
"""Missing features and labels in exported models."""

import numpy as np
import pandas as pd
import pytest
from onnx_samples import close, grouped, run
from skl2onnx.common.data_types import DoubleTensorType, StringTensorType
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from lbw import GroupRepair, LocalTransport, ScoreRepair
from lbw.onnx import to_onnx

NO_CLASS = np.iinfo(np.int64).min


def scored(labels=("a", "b")):
    """Return features of single precision, groups and classes."""
    X, groups = grouped(600, 3, labels)
    X = X.astype(np.float32).astype(np.float64)
    noise = np.random.default_rng(0).normal(0, 4, 600)
    return X, groups, (X[:, 0] + noise > np.median(X[:, 0])).astype(int)


def with_gaps(X):
    """Return a copy with missing values, and the rows that have some."""
    gaps = np.random.default_rng(1).random(X.shape) < 0.2
    return np.where(gaps, np.nan, X), gaps.any(axis=1)


@pytest.mark.parametrize(
    "classifier",
    [
        LogisticRegression(),
        DecisionTreeClassifier(max_depth=3, random_state=0),
        RandomForestClassifier(5, random_state=0),
    ],
)
@pytest.mark.parametrize("precision", ["double", "single"])
def test_scores_of_rows_with_missing_features_are_missing(classifier, precision):
    X, groups, y = scored()
    repair = ScoreRepair(classifier, ensemble=False, ties="keep")
    repair.fit(X, y, sensitive_features=groups)
    given, missing = with_gaps(X)
    given = given.astype(np.float32 if precision == "single" else np.float64)
    label, found = run(to_onnx(repair, precision=precision), X=given, group=groups)
    assert np.isnan(found[missing]).all()
    assert (label[missing] == NO_CLASS).all()
    expected = repair.predict_proba(X[~missing], sensitive_features=groups[~missing])
    close(found[~missing], expected, 100.0, "single")  # ends of groups differ by up to 0.01


def test_scores_of_a_table_with_missing_numbers_are_missing():
    X, groups, y = scored()
    table = pd.DataFrame({"x": X[:, 0], "group": groups, "town": np.where(y, "u", "v")})
    columns = make_column_transformer((OneHotEncoder(), ["town"]), (StandardScaler(), ["x"]))
    repair = ScoreRepair(
        make_pipeline(columns, DecisionTreeClassifier(max_depth=3, random_state=0)),
        sensitive_columns="group",
        ensemble=False,
    ).fit(table, y)
    text, number = StringTensorType([None, 1]), DoubleTensorType([None, 1])
    kinds = {"x": number, "group": text, "town": text}
    model = to_onnx(repair.set_params(ties="keep"), initial_types=list(kinds.items()))
    table.loc[[3, 9], "x"] = np.nan
    label, found = run(model, **{name: table[[name]].to_numpy() for name in kinds})
    assert np.flatnonzero(np.isnan(found).any(axis=1)).tolist() == [3, 9]
    assert np.flatnonzero(label == NO_CLASS).tolist() == [3, 9]


@pytest.mark.parametrize("handle_unknown", ["error", "ignore", "barycenter"])
def test_rows_whose_group_is_missing_are_missing(handle_unknown):
    X, groups, y = scored((0.5, 1.5))
    groups[[4, 7]] = [np.nan, 3.0]
    known = np.delete(np.arange(len(X)), [4, 7])
    transport = LocalTransport(2, map="soft", handle_unknown=handle_unknown)
    repair = GroupRepair(refine=2, check_samples=0, handle_unknown=handle_unknown)
    scores = ScoreRepair(
        LogisticRegression(), ensemble=False, ties="keep", handle_unknown=handle_unknown
    )
    models = [
        to_onnx(transport.fit(X[known], groups[known])),
        to_onnx(repair.fit(X[known], sensitive_features=groups[known])),
        to_onnx(scores.fit(X[known], y[known], sensitive_features=groups[known])),
    ]
    for model in models:
        found = run(model, X=X, group=groups)[-1]
        expected = [4, 7] if handle_unknown == "error" else [4]
        assert np.flatnonzero(np.isnan(found).any(axis=1)).tolist() == expected
        assert np.isnan(found[4]).all()
    label = run(models[-1], X=X, group=groups)[0]
    assert label[4] == NO_CLASS


@pytest.mark.parametrize("handle_unknown", ["ignore", "barycenter"])
def test_a_missing_label_in_one_of_several_columns_is_missing(handle_unknown):
    features, first, _ = scored((0, 1))
    second = np.random.default_rng(9).choice([0.5, 7.0], 600)
    X = np.column_stack([first, features, second])
    repair = GroupRepair(
        sensitive_columns=[0, 4], refine=2, check_samples=0, handle_unknown=handle_unknown
    ).fit(X)
    assert len(repair.groups_) == 4
    X[[2, 3], [0, 4]] = np.nan
    X[5, [0, 4]] = [np.nan, 3.0]
    X[[8, 9], [0, 4]] = 3.0
    found = run(to_onnx(repair), X=X)[0]
    missing = [2, 3, 5]
    assert np.isnan(found[missing]).all()
    rest = np.delete(np.arange(600), missing)
    close(found[rest], repair.transform(X[rest]), features.std(), "double")


@pytest.mark.parametrize(
    "classifier",
    [
        RandomForestClassifier(10, random_state=0),
        make_pipeline(BaggingClassifier(DecisionTreeClassifier(), 5, random_state=0)),
    ],
)
def test_trees_that_split_missing_values_are_refused(classifier):
    X, groups, y = scored()
    repair = ScoreRepair(classifier, ensemble=False, ties="keep")
    repair.fit(with_gaps(X)[0], y, sensitive_features=groups)
    with pytest.raises(ValueError, match=r"fitted with missing values.*SimpleImputer"):
        to_onnx(repair)

# SPDX-License-Identifier: MIT
"""Classifiers inside an exported ScoreRepair: the digits of their scores, and their graphs."""

import numpy as np
import pandas as pd
import pytest
import skl2onnx
from onnx_samples import close, run
from skl2onnx.common.data_types import DoubleTensorType, Int64TensorType, StringTensorType
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler, TargetEncoder

from lbw import GroupRepair, ScoreRepair
from lbw.onnx import to_onnx
from lbw.onnx._classifier import add_classifier, matrix_type
from lbw.onnx._graph import Graph

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
TYPES = {
    "x": DoubleTensorType([None, 1]),
    "city": StringTensorType([None, 1]),
    "age": Int64TensorType([None, 1]),
    "group": Int64TensorType([None, 1]),
}


def scored(n=4000, seed=0):
    """Return features with the number of the group in the last column, and classes."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(2, size=n)
    X = rng.normal(size=(n, 2)) * (2 + groups[:, None]) + groups[:, None]
    return np.column_stack([X, groups]), (X[:, 0] + rng.normal(size=n) > 1).astype(int)


def table_of(n=4000):
    rng = np.random.default_rng(0)
    group = rng.integers(2, size=n)
    x = rng.normal(size=n) * (2 + group) + group
    city, age = rng.choice(["u", "v"], n), rng.integers(20, 60, size=n)
    table = pd.DataFrame({"x": x, "city": city.astype(object), "age": age, "group": group})
    return table, (2 * x + (city == "u") + rng.normal(size=n) > 1).astype(int)


def type_of_scores(classifier, types):
    """Return the type that decides which scores of a converted classifier count as equal."""
    graph = Graph()
    inputs = [(name, graph.name(name), kind) for name, kind in types]
    return add_classifier(graph, classifier, inputs, 18)[1]


@pytest.mark.parametrize(
    "steps",
    [
        [(OneHotEncoder(), ["city"]), ("passthrough", ["x", "age"])],
        [(OneHotEncoder(dtype=np.float32), ["city"]), (StandardScaler(), ["x"])],
        [(OneHotEncoder(), ["age", "city"]), (StandardScaler(), ["x"])],
        [(OrdinalEncoder(), ["city"]), ("passthrough", ["x"])],
    ],
)
def test_encoded_categories_leave_scores_in_double_precision(steps):
    table, y = table_of()
    pipeline = make_pipeline(make_column_transformer(*steps), LogisticRegression(max_iter=1000))
    repair = ScoreRepair(pipeline, sensitive_columns="group", ensemble=False, ties="keep")
    repair.fit(table[:2000], y[:2000])
    new = table[2000:]
    read = {column for _, columns in steps for column in columns}
    columns = [column for column in table if column in read or column == "group"]
    model = to_onnx(repair, initial_types=[(column, TYPES[column]) for column in columns])
    inputs = {column: new[[column]].to_numpy() for column in columns}
    close(run(model, **inputs)[1], repair.predict_proba(new), 1.0, "double")


def test_repairs_before_a_classifier_leave_scores_in_double_precision():
    X, y = scored()
    moved = GroupRepair(sensitive_columns=2, refine=0, check_samples=0)
    inner = ScoreRepair(LogisticRegression(), sensitive_columns=2, ensemble=False, ties="keep")
    for classifier in (make_pipeline(moved, LogisticRegression()), inner):
        repair = ScoreRepair(classifier, ensemble=False, ties="keep")
        repair.fit(X[:2000], y[:2000], sensitive_features=X[:2000, 2].astype(int))
        new, groups = X[2000:], X[2000:, 2].astype(int)
        found = run(to_onnx(repair), X=new, group=groups)[1]
        close(found, repair.predict_proba(new, sensitive_features=groups), 1.0, "double")


def test_steps_in_single_precision_are_found():
    table, y = table_of(500)
    types = [("x", TYPES["x"]), ("city", TYPES["city"])]

    def type_with(encoder, classifier):
        columns = make_column_transformer((encoder, ["city"]), ("passthrough", ["x"]))
        pipeline = make_pipeline(columns, classifier).fit(table[["x", "city"]], y)
        return type_of_scores(pipeline, types)

    assert type_with(OneHotEncoder(), LogisticRegression()) == np.float64
    assert type_with(TargetEncoder(), LogisticRegression()) == np.float32
    assert type_with(OneHotEncoder(), RandomForestClassifier(3)) == np.float32
    X, y = scored(500)
    forest = make_pipeline(GroupRepair(sensitive_columns=2, check_samples=0), forest_of(3))
    nested = ScoreRepair(forest_of(3), sensitive_columns=2, ensemble=False, ties="keep")
    for classifier in (forest, nested):
        kinds = [("X", matrix_type("double", 3))]
        assert type_of_scores(classifier.fit(X, y), kinds) == np.float32
    kinds = [("X", matrix_type("single", 3))]
    assert type_of_scores(LogisticRegression().fit(X, y), kinds) == np.float32


def forest_of(n_trees):
    return RandomForestClassifier(n_trees, random_state=0)


@pytest.mark.parametrize("precision", ["double", "single"])
def test_a_refined_repair_before_a_classifier(precision):
    """Its loops read constants of the graph around them, whose names the export changes."""
    X, y = scored()
    moved = GroupRepair(sensitive_columns=2, check_samples=0, refine=3)
    repair = ScoreRepair(make_pipeline(moved, LogisticRegression()), ensemble=False, ties="keep")
    repair.fit(X[:2000], y[:2000], sensitive_features=X[:2000, 2].astype(int))
    new, groups = X[2000:], X[2000:, 2].astype(int)
    expected = repair.predict_proba(new, sensitive_features=groups)
    if precision == "double":
        close(run(to_onnx(repair), X=new, group=groups)[1], expected, 1.0, "double")
    else:
        model = to_onnx(repair, precision="single")
        found = run(model, X=new.astype(np.float32), group=groups)[1]
        # scores at the ends of a group, where many are nearly equal, differ by more
        assert (np.abs(found - expected) < 1e-4).mean() > 0.99


def test_a_refined_repair_in_several_classifiers_is_converted_by_skl2onnx():
    X, y = scored()
    moved = GroupRepair(sensitive_columns=2, check_samples=0, refine=2)
    both = make_pipeline(moved, StandardScaler(), LogisticRegression())
    repair = ScoreRepair(both, ensemble="mean", ties="keep", cv=2)
    repair.fit(X[:2000], y[:2000], sensitive_features=X[:2000, 2].astype(int))
    new = X[2000:]
    options = {id(repair): {"group": 1, "zipmap": False}}
    model = skl2onnx.to_onnx(repair, new[:1], options=options)
    expected = repair.predict_proba(new, sensitive_features=np.ones(len(new), dtype=int))
    close(run(model, X=new)[1], expected, 1.0, "double")


def three_groups(seed):
    rng = np.random.default_rng(seed)
    groups = rng.integers(3, size=600)
    X = rng.normal(size=(600, 3)) * (1 + groups[:, None]) + groups[:, None]
    return X, groups, (X[:, 0] + rng.normal(size=600) > 1).astype(int)


def check(repair, X, groups):
    found = run(to_onnx(repair), X=X, group=groups)[1]
    close(found, repair.predict_proba(X, sensitive_features=groups), 1.0, "double")


def test_the_lowest_scores_keep_their_digits():
    """1 - (1 - p) differs from p = 1e-5 by more than what counts as equal."""
    X, groups, y = three_groups(0)
    repair = ScoreRepair(LogisticRegression(), ensemble=False, ties="keep")
    check(repair.fit(X, y, sensitive_features=groups), X, groups)


@pytest.mark.parametrize("seed", [1, 7])
def test_the_highest_scores_keep_their_last_bit(seed):
    X, groups, y = three_groups(seed)
    classifier = LogisticRegression().fit(X, y)
    classifier.coef_ = 10.0 * classifier.coef_
    repair = ScoreRepair(classifier, cv="prefit", ties="keep")
    check(repair.fit(X, sensitive_features=groups), X, groups)


def test_saturated_scores_keep_their_order():
    """Half the scores of one group are below 1e-16, which is less than the last bit of 1."""
    rng = np.random.default_rng(0)
    groups = rng.integers(2, size=600)
    X = rng.uniform(np.where(groups == 1, -70.0, -3.0), 3.0)[:, np.newaxis]
    classifier = LogisticRegression().fit([[-1.0], [1.0]], [0, 1])
    classifier.coef_, classifier.intercept_ = np.ones((1, 1)), np.zeros(1)
    repair = ScoreRepair(classifier, cv="prefit", ties="keep")
    check(repair.fit(X, sensitive_features=groups), X, groups)

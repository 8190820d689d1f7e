# SPDX-License-Identifier: MIT
import numpy as np
import pandas as pd
import pytest
from onnx_samples import close, grouped, run
from skl2onnx.common.data_types import DoubleTensorType, StringTensorType
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from lbw import GroupRepair, ScoreRepair
from lbw.onnx import to_onnx

pytestmark = [
    pytest.mark.filterwarnings("ignore:Few held-out rows"),
    pytest.mark.filterwarnings("ignore:.*not checked"),
    pytest.mark.filterwarnings("ignore:.*converge"),
]


def test_columns_by_name_need_their_types():
    X, groups, y = scored(300)
    table = pd.DataFrame(X, columns=["x", "y", "z"])
    columns = make_column_transformer((StandardScaler(), ["x", "y"]))
    pipeline = make_pipeline(columns, LogisticRegression())
    repair = ScoreRepair(pipeline, ensemble=False, ties="keep")
    repair.fit(table, y, sensitive_features=groups)
    with pytest.raises(ValueError, match=r" \.{4} It has a ColumnTransformer. Give initial_t"):
        to_onnx(repair)


def scored(n=1200, labels=("a", "b"), seed=0):
    """Return features, groups and classes that depend on both."""
    X, groups = grouped(n, 3, labels, seed=seed)
    rng = np.random.default_rng(seed)
    y = X @ [1.0, -0.5, 0.2] + rng.normal(0, 4, n) > np.median(X[:, 0])
    return X, groups, y.astype(int)


def test_a_repair_with_defaults_is_exported():
    X, groups = grouped(1000, 4)
    repair = GroupRepair().fit(X, sensitive_features=groups)
    new, new_groups = grouped(500, 4, seed=3)
    found = run(to_onnx(repair), X=new, group=new_groups)[0]
    close(found, repair.transform(new, sensitive_features=new_groups), X.std(), "double")
    single = run(to_onnx(repair, precision="single"), X=new.astype(np.float32), group=new_groups)[0]
    expected = repair.transform(new.astype(np.float32), sensitive_features=new_groups)
    close(single, expected, X.std(), "single")


def test_a_repair_of_discrete_features_says_what_to_change():
    X, groups = grouped(1000, 3)
    table = pd.DataFrame(X, columns=["x", "y", "z"]).assign(z=X[:, 2] > 0)
    repair = GroupRepair(check_samples=0).fit(table, sensitive_features=groups)
    with pytest.raises(ValueError, match=r"features \['z'\], because dither='auto'.*dither=0"):
        to_onnx(repair)
    repair = GroupRepair(check_samples=0, dither=0).fit(table, sensitive_features=groups)
    values = table.to_numpy(dtype=float)
    expected = repair.transform(table, sensitive_features=groups)
    close(run(to_onnx(repair), X=values, group=groups)[0], expected, X.std(), "double")


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("amount", [1.0, 0.4, {1: 0.5}])
@pytest.mark.parametrize("refine", [0, 5])
def test_sensitive_columns_of_numbers_are_read_from_X(refine, amount, precision):
    features, groups = grouped(800, 3, (0, 1, 4))
    X = np.insert(features, 1, groups, axis=1)
    repair = GroupRepair(
        3,
        map="soft",
        sensitive_columns=1,
        refine=refine,
        amount=amount,
        weights={0: 1, 1: 3},
        check_samples=0,
    ).fit(X)
    model = to_onnx(repair, precision=precision)
    assert [own.name for own in model.graph.input] == ["X"]
    given = X.astype(np.float32 if precision == "single" else np.float64)
    close(run(model, X=given)[0], repair.transform(given), features.std(), precision)
    given[4, 1] = 2
    found = run(model, X=given)[0]
    assert np.isnan(found[4]).all()
    assert np.isfinite(np.delete(found, 4, axis=0)).all()


def test_several_sensitive_columns_and_a_key_are_read_from_X():
    features, first = grouped(900, 2, (0, 1))
    second = np.random.default_rng(9).choice([0.5, 7.0], 900)
    X = np.column_stack([first, features[:, 0], np.arange(900), second, features[:, 1]])
    repair = GroupRepair(sensitive_columns=[3, 0], key_column=2, refine=3, check_samples=0).fit(X)
    assert len(repair.groups_) == 4
    close(run(to_onnx(repair), X=X)[0], repair.transform(X), features.std(), "double")
    X[1, 3] = 3.0
    X[2, 0] = -1.0
    found = run(to_onnx(repair), X=X)[0]
    assert np.isnan(found[[1, 2]]).all()
    assert np.isfinite(found[3:]).all()


def test_sensitive_columns_of_text_are_an_input():
    X, groups = grouped(800, 2)
    table = pd.DataFrame({"x": X[:, 0], "group": groups, "y": X[:, 1]})
    repair = GroupRepair(sensitive_columns="group", refine=3, check_samples=0).fit(table)
    model = to_onnx(repair)
    assert [own.name for own in model.graph.input] == ["X", "group"]
    close(run(model, X=X, group=groups)[0], repair.transform(table), X.std(), "double")
    fixed = to_onnx(repair, group="b")
    own = groups == "b"
    close(run(fixed, X=X[own])[0], repair.transform(table[own]), X.std(), "double")


@pytest.mark.parametrize("handle_unknown", ["error", "ignore", "barycenter"])
@pytest.mark.parametrize("amount", [1.0, 0.3])
@pytest.mark.parametrize("ensemble", [False, "mean"])
def test_scores_are_those_of_the_repair(ensemble, amount, handle_unknown):
    X, groups, y = scored(labels=("a", "b", "c"))
    repair = ScoreRepair(
        LogisticRegression(),
        ensemble=ensemble,
        amount=amount,
        handle_unknown=handle_unknown,
        ties="keep",
    ).fit(X, y, sensitive_features=groups)
    model = to_onnx(repair)
    new, new_groups, _ = scored(labels=("a", "b", "c"), seed=4)
    new *= 1.5  # scores beyond those of the fit
    label, probabilities = run(model, X=new, group=new_groups)
    close(probabilities, repair.predict_proba(new, sensitive_features=new_groups), 1.0, "double")
    assert np.array_equal(label, repair.predict(new, sensitive_features=new_groups))
    new_groups = new_groups.astype("U8")
    new_groups[5] = "stranger"
    label, probabilities = run(model, X=new, group=new_groups)
    if handle_unknown == "error":
        assert np.isnan(probabilities[5]).all()
        assert label[5] == np.iinfo(np.int64).min
    else:
        expected = repair.predict_proba(new, sensitive_features=new_groups)
        close(probabilities, expected, 1.0, "double")


def test_single_precision_of_scores():
    X, groups, y = scored()
    repair = ScoreRepair(LogisticRegression(), ensemble=False).fit(X, y, sensitive_features=groups)
    _, probabilities = run(
        to_onnx(repair, precision="single"), X=X.astype(np.float32), group=groups
    )
    assert probabilities.dtype == np.float32
    close(probabilities, repair.predict_proba(X, sensitive_features=groups), 1.0, "single")


@pytest.mark.parametrize("classes", [("no", "yes"), (-1, 1), (False, True)])
def test_labels_are_those_of_the_fit(classes):
    X, groups, y = scored()
    y = np.array(classes)[y]
    repair = ScoreRepair(LogisticRegression(), cv="prefit", n_levels=33)
    repair.set_params(classifier=LogisticRegression().fit(X, y)).fit(X, sensitive_features=groups)
    label, _ = run(to_onnx(repair), X=X, group=groups)
    assert np.array_equal(label, repair.predict(X, sensitive_features=groups))
    unknown = run(to_onnx(repair), X=X[:1], group=np.array(["z"]))[0][0]
    assert unknown not in classes


@pytest.mark.parametrize("max_depth", [2, 5])
def test_equal_scores_are_joined_if_they_are_kept(max_depth):
    X, groups, y = scored()
    X = X.round(1).astype(np.float32).astype(np.float64)
    classifier = DecisionTreeClassifier(max_depth=max_depth, random_state=0)
    repair = ScoreRepair(classifier, ensemble=False).fit(X, y, sensitive_features=groups)
    with pytest.raises(ValueError, match="Set ties='keep'"):
        to_onnx(repair)
    repair.set_params(ties="keep")
    for precision, dtype in (("double", np.float64), ("single", np.float32)):
        _, found = run(to_onnx(repair, precision=precision), X=X.astype(dtype), group=groups)
        expected = repair.predict_proba(X, sensitive_features=groups)
        assert np.abs(found - expected).max() < 1e-5


def test_equal_scores_of_a_forest_are_joined_in_single_precision():
    """Trees of onnxruntime give scores just above those of the fit, all of which are equal."""
    rng = np.random.default_rng(4)
    for n in range(600, 900, 50):
        groups = rng.integers(3, size=n)
        X = rng.normal(size=(n, 3)) + groups[:, None]
        y = X[:, 0] - groups + rng.normal(size=n) > 0
        forest = RandomForestClassifier(20, random_state=0)
        repair = ScoreRepair(forest, ensemble=False, ties="keep")
        repair.fit(X, y, sensitive_features=groups)
        new_groups = rng.integers(3, size=1000)
        new = rng.normal(size=(1000, 3)) + new_groups[:, None]
        _, found = run(to_onnx(repair), X=new, group=new_groups)
        expected = repair.predict_proba(new, sensitive_features=new_groups)
        assert np.abs(found - expected).max() < 1e-3, n


@pytest.mark.parametrize("name", ["income", "hours-per-week", "annual income", "a.b", "1a", "é"])
def test_a_classifier_of_a_table_takes_typed_inputs(name):
    X, groups, y = scored()
    town = np.random.default_rng(0).choice(["x", "y", "z"], len(y))
    table = pd.DataFrame({name: X[:, 0], "group": groups, "town": town, "age": X[:, 1]})
    classifier = make_pipeline(
        make_column_transformer((OneHotEncoder(), ["town"]), (StandardScaler(), [name, "age"])),
        LogisticRegression(),
    )
    repair = ScoreRepair(classifier, sensitive_columns="group", ensemble=False).fit(table, y)
    text, number = StringTensorType([None, 1]), DoubleTensorType([None, 1])
    kinds = {name: number, "group": text, "town": text, "age": number}
    model = to_onnx(repair, initial_types=list(kinds.items()))
    inputs = {column: table[[column]].to_numpy() for column in kinds}
    label, found = run(model, **inputs)
    # skl2onnx joins numbers and categories in single precision
    close(found, repair.predict_proba(table), 1.0, "single")
    assert np.array_equal(label, repair.predict(table))
    del kinds["group"]
    with pytest.raises(ValueError, match=r"not the sensitive columns \['group'\]"):
        to_onnx(repair, initial_types=list(kinds.items()))


def test_classifiers_that_are_drawn_are_refused():
    X, groups, y = scored()
    repair = ScoreRepair(LogisticRegression()).fit(X, y, sensitive_features=groups)
    with pytest.raises(ValueError, match=r"5 classifiers.*ensemble=False.*ensemble='mean'"):
        to_onnx(repair)


def test_scores_of_three_classes_are_refused():
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(300, 2)), rng.integers(2, size=300)
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    repair = ScoreRepair(LogisticRegression(), ensemble=False).fit(X, y, sensitive_features=groups)
    with pytest.raises(ValueError, match="has 3 classes, but only repairs of two classes"):
        to_onnx(repair)


class Shouting(LogisticRegression):
    """A classifier that skl2onnx does not know."""


def test_a_classifier_without_a_converter_is_named():
    X, groups, y = scored()
    repair = ScoreRepair(Shouting(), ensemble=False).fit(X, y, sensitive_features=groups)
    with pytest.raises(ValueError, match="no converter for Shouting") as caught:
        to_onnx(repair)
    assert len(str(caught.value)) < 200

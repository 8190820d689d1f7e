# SPDX-License-Identifier: MIT
"""Batches without rows in exported models."""

import numpy as np
import pytest
import skl2onnx
from onnx_samples import COVARIANCES, DTYPES, close, clusters, grouped, run
from skl2onnx.helpers.onnx_helper import select_model_inputs_outputs
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from lbw import GaussianMixture, GroupRepair, LocalTransport, ScoreRepair
from lbw.onnx import to_onnx

pytestmark = [
    pytest.mark.filterwarnings("ignore:Few held-out rows"),
    pytest.mark.parametrize("precision", ["double", "single"]),
]
FEATURES = 3
NO_NAMES = np.array([], dtype=object)


def empty(precision, n_columns=FEATURES):
    return np.empty((0, n_columns), DTYPES[precision])


def classes(X):
    noise = np.random.default_rng(0).normal(0, 4, len(X))
    return (X[:, 0] + noise > np.median(X[:, 0])).astype(int)


@pytest.mark.parametrize("offset", [0.0, 1e5])
@pytest.mark.parametrize("kind", COVARIANCES)
def test_mixtures(kind, offset, precision):
    X = clusters(600, FEATURES)
    X[::2] += offset
    mixture = GaussianMixture(4, covariance_type=kind).fit(X)
    label, probabilities, density = run(to_onnx(mixture, precision=precision), X=empty(precision))
    assert (label.shape, probabilities.shape, density.shape) == ((0,), (0, 4), (0,))
    assert (label.dtype, density.dtype) == (np.int64, DTYPES[precision])


@pytest.mark.parametrize("handle_unknown", ["error", "ignore", "barycenter"])
@pytest.mark.parametrize("refine", [0, 3])
@pytest.mark.parametrize("how", ["hard", "soft"])
@pytest.mark.parametrize("kind", COVARIANCES)
def test_transports(kind, how, refine, handle_unknown, precision):
    X, groups = grouped(600, FEATURES)
    transport = LocalTransport(
        4, covariance_type=kind, map=how, refine=refine, handle_unknown=handle_unknown
    ).fit(X, groups)
    inputs = {"X": empty(precision), "group": NO_NAMES}
    models = [(to_onnx(transport, precision=precision), inputs)]
    fixed = to_onnx(transport, group="a", to="b", amount=0.5, precision=precision)
    models.append((fixed, {"X": inputs["X"]}))
    if handle_unknown == "error":
        chosen = to_onnx(transport, target_input=True, precision=precision)
        models.append((chosen, inputs | {"to": NO_NAMES}))
    for model, given in models:
        (moved,) = run(model, **given)
        assert moved.shape == (0, FEATURES)
        assert moved.dtype == DTYPES[precision]


@pytest.mark.parametrize("labels", [("a", "b"), (0, 1), (0.5, 1.5), (False, True)])
def test_repairs(labels, precision):
    X, groups = grouped(600, FEATURES, labels)
    no_groups = NO_NAMES if groups.dtype.kind == "U" else groups[:0]
    repair = GroupRepair(check_samples=0).fit(X, sensitive_features=groups)
    model = to_onnx(repair, precision=precision)
    assert run(model, X=empty(precision), group=no_groups)[0].shape == (0, FEATURES)
    scores = ScoreRepair(LogisticRegression(), ensemble="mean", cv=2, ties="keep")
    scores.fit(X, classes(X), sensitive_features=groups)
    label, found = run(to_onnx(scores, precision=precision), X=empty(precision), group=no_groups)
    assert (label.shape, found.shape) == ((0,), (0, 2))
    if groups.dtype.kind == "U":
        return
    table = np.column_stack([X, groups, np.arange(600) % 2])
    by_columns = GroupRepair(sensitive_columns=[3, 4], check_samples=0).fit(table)
    model = to_onnx(by_columns, precision=precision)
    assert run(model, X=empty(precision, 5))[0].shape == (0, FEATURES)


@pytest.mark.parametrize(
    "classifier",
    [
        make_pipeline(StandardScaler(), LogisticRegression()),
        DecisionTreeClassifier(max_depth=3),
        RandomForestClassifier(3, random_state=0),
        HistGradientBoostingClassifier(max_iter=3),
        KNeighborsClassifier(),
    ],
)
@pytest.mark.parametrize("text", [False, True])
def test_scores(classifier, text, precision):
    X, groups = grouped(600, FEATURES)
    X = X.astype(np.float32).astype(np.float64)
    y = classes(X).astype(str) if text else classes(X)
    repair = ScoreRepair(classifier, ensemble=False, ties="keep")
    repair.fit(X, y, sensitive_features=groups)
    model = to_onnx(repair, precision=precision)
    label, found = run(model, X=empty(precision), group=NO_NAMES)
    assert (label.shape, found.shape) == ((0,), (0, 2))
    found = run(model, X=X.astype(DTYPES[precision]), group=groups)[1]
    expected = repair.predict_proba(X, sensitive_features=groups)
    close(found, expected, 100.0, "single")  # ends of groups differ by up to 0.01


def test_pipelines(precision):
    X, groups = grouped(600, FEATURES, (0, 1))
    table = np.column_stack([X, groups]).astype(DTYPES[precision])
    y = classes(X)
    repair = GroupRepair(sensitive_columns=3, check_samples=0)
    scores = ScoreRepair(LogisticRegression(), ensemble=False, ties="keep", sensitive_columns=-1)
    for pipeline, options in [
        (make_pipeline(repair, StandardScaler()), None),
        (make_pipeline(repair, GaussianMixture(3)), None),
        (make_pipeline(StandardScaler(with_mean=False, with_std=False), scores), {"zipmap": False}),
        (make_pipeline(repair, LogisticRegression()), {"zipmap": False}),
    ]:
        model = skl2onnx.to_onnx(pipeline.fit(table, y), table[:1], options=options)
        if isinstance(pipeline[-1], LogisticRegression):  # whose label fails in onnxruntime
            model = select_model_inputs_outputs(model, outputs=["probabilities"])
        found = run(model, X=table[:0])
        assert all(len(own) == 0 for own in found)
        assert [own.shape[1:] for own in run(model, X=table)] == [own.shape[1:] for own in found]


def test_classifiers_that_skl2onnx_converts_to_something_else_are_refused(precision):
    X, groups = grouped(600, FEATURES)
    refused = {
        LinearDiscriminantAnalysis(): ("both", "doubles their logits. Use LogisticRegression"),
        AdaBoostClassifier(n_estimators=3): ("double", "mixed types .* Use precision='single'"),
        CalibratedClassifierCV(DecisionTreeClassifier(max_depth=2), cv=2, method="isotonic"): (
            "double",
            "mixed types .* Use precision='single'",
        ),
    }
    for classifier, (where, words) in refused.items():
        repair = ScoreRepair(classifier, ensemble=False, ties="keep")
        repair.fit(X, classes(X), sensitive_features=groups)
        if where in ("both", precision):
            with pytest.raises(ValueError, match=words):
                to_onnx(repair, precision=precision)
        else:
            model = to_onnx(repair, precision=precision)
            assert run(model, X=empty(precision), group=NO_NAMES)[1].shape == (0, 2)

# SPDX-License-Identifier: MIT
import numpy as np
import pytest
import skl2onnx
from onnx_samples import close, clusters, grouped, run
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lbw import GaussianMixture, GroupRepair, LocalTransport, ScoreRepair
from lbw.onnx import register

pytestmark = pytest.mark.filterwarnings("ignore:Few held-out rows")


def converted(pipeline, X, **arguments):
    return skl2onnx.to_onnx(pipeline, X[:1], **arguments)


def with_groups(n=1000, labels=(0, 1)):
    features, groups = grouped(n, 3, labels)
    y = (features[:, 0] + np.random.default_rng(0).normal(size=n) > 1).astype(int)
    return np.column_stack([features, groups]), y


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_scaler_and_a_mixture(dtype):
    X = clusters(600, 4)
    pipeline = make_pipeline(StandardScaler(), GaussianMixture(4)).fit(X)
    model = converted(pipeline, X.astype(dtype))
    label, probabilities = run(model, X=X.astype(dtype))
    precision = "double" if dtype == np.float64 else "single"
    close(probabilities, pipeline.predict_proba(X), 1.0, precision)
    assert np.array_equal(label, pipeline.predict(X))


def test_log_densities_are_an_option():
    X = clusters(600, 4)
    pipeline = make_pipeline(StandardScaler(), GaussianMixture(4)).fit(X)
    model = converted(pipeline, X, options={id(pipeline[-1]): {"score_samples": True}})
    close(run(model, X=X)[2], pipeline.score_samples(X), 1.0, "double")


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("refine", [0, 5])
def test_a_repair_before_a_classifier(refine, dtype):
    X, y = with_groups()
    repair = GroupRepair(sensitive_columns=-1, refine=refine, check_samples=0)
    pipeline = make_pipeline(repair, StandardScaler(), LogisticRegression()).fit(X, y)
    X = X.astype(dtype)
    label, probabilities = run(converted(pipeline, X, options={"zipmap": False}), X=X)
    close(
        probabilities, pipeline.predict_proba(X), 1.0, "double" if dtype == np.float64 else "single"
    )
    assert (label == pipeline.predict(X)).mean() > 0.999


def test_steps_around_a_repair():
    X, y = with_groups()
    repair = GroupRepair(2, map="soft", sensitive_columns=3, check_samples=0, amount=0.7)
    pipeline = make_pipeline(repair, PCA(2), GaussianMixture(2)).fit(X, y)
    kinds = [("features", DoubleTensorType([None, 4]))]
    model = skl2onnx.convert_sklearn(pipeline, initial_types=kinds, target_opset=18)
    close(run(model, features=X)[1], pipeline.predict_proba(X), 1.0, "double")


@pytest.mark.parametrize("zipmap", [False, True])
def test_a_repair_of_scores_at_the_end(zipmap):
    X, y = with_groups()
    repair = ScoreRepair(LogisticRegression(), sensitive_columns=3, ensemble=False).fit(X, y)
    X = X.astype(np.float32 if zipmap else np.float64)  # the operator ZipMap is single
    model = converted(repair, X, options={id(repair): {"zipmap": zipmap}})
    label, probabilities = run(model, X=X)
    if zipmap:
        probabilities = np.array([[row[0], row[1]] for row in probabilities])
    # single precision may join a score with the lowest or highest one of its group
    error = np.abs(probabilities - repair.predict_proba(X)).max(axis=1)
    assert (error < (1e-4 if zipmap else 1e-9)).mean() > (0.99 if zipmap else 0.9999)
    assert (label == repair.predict(X)).mean() > 0.999


def test_a_transport_of_one_group_is_a_step():
    X, groups = grouped(600, 3)
    transport = LocalTransport(3).fit(X, groups)
    kinds = [("X", FloatTensorType([None, 3]))]
    options = {id(transport): {"group": "a", "to": "c", "amount": 0.5}}
    model = skl2onnx.convert_sklearn(transport, initial_types=kinds, options=options)
    X = X.astype(np.float32)
    close(run(model, X=X)[0], transport.transform(X, "a", to="c", amount=0.5), X.std(), "single")


def test_integers_are_read_as_numbers():
    X = clusters(600, 3).round().astype(np.int64)
    mixture = GaussianMixture(3).fit(X)
    label, probabilities = run(converted(mixture, X), X=X)
    close(probabilities, mixture.predict_proba(X), 1.0, "double")
    assert np.array_equal(label, mixture.predict(X))


def test_what_is_missing_is_named():
    X, groups = grouped(600, 3)
    transport = LocalTransport(3).fit(X, groups)
    with pytest.raises(ValueError, match=r"LocalTransport in a pipeline has no input of groups"):
        converted(transport, X)
    repair = GroupRepair(check_samples=0, refine=0).fit(X, sensitive_features=groups)
    with pytest.raises(ValueError, match="sensitive_columns of numbers"):
        converted(repair, X)
    model = converted(repair, X, options={id(repair): {"group": "b"}})
    close(run(model, X=X)[0], repair.transform(X, sensitive_features="b"), 1.0, "double")
    with pytest.raises(ValueError, match="needs 18 or later"):
        converted(GaussianMixture(2).fit(X), X, target_opset=15)
    kinds = [("a", FloatTensorType([None, 1])), ("b", FloatTensorType([None, 2]))]
    with pytest.raises(ValueError, match=r"expected one matrix of all columns"):
        skl2onnx.convert_sklearn(GaussianMixture(2).fit(X), initial_types=kinds)


def test_converters_can_be_registered_again():
    register()
    X = clusters(300, 2)
    run(converted(GaussianMixture(2).fit(X), X), X=X)

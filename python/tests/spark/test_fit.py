# SPDX-License-Identifier: MIT
"""Fits on Spark equal those of the Python package on the same rows."""

import warnings

import numpy as np
import pytest

import lbw
from lbw.spark import GaussianMixture, GroupRepair, LocalTransport

from .samples import assembled, frame, many_rows, samples, scratch_files

COLUMNS = ["x", "y", "z"]
QUICK = {"startSamples": 100, "maxIter": 8, "tol": 1e-6}  # so that EM passes over all rows


def python_params(params):
    return {"start_samples": params["startSamples"], "max_iter": params["maxIter"], "tol": 1e-6}


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_a_mixture_equals_that_of_the_python_package(spark, kind):
    X, groups, weights = samples()
    df = frame(spark, X, groups, weights)
    own = GaussianMixture(
        nComponents=3, covarianceType=kind, inputCols=COLUMNS, weightCol="w", **QUICK
    ).fit(df)
    other = lbw.GaussianMixture(3, covariance_type=kind, **python_params(QUICK)).fit(
        X, sample_weight=weights
    )
    # sums are added in another order, which EM may amplify by the number of its steps
    assert own.estimator.mean_log_likelihood_ == pytest.approx(other.mean_log_likelihood_, rel=1e-9)
    np.testing.assert_allclose(own.means, other.means_, rtol=1e-6)
    assert own.summary.numIter == other.n_iter_
    log_likelihood = other.score_samples(X) @ weights
    assert own.summary.logLikelihood == pytest.approx(log_likelihood, rel=1e-9)


def test_rows_that_fit_into_the_subsample_give_bitwise_the_same_mixture(spark):
    X, groups, _ = samples()
    own = GaussianMixture(nComponents=3, inputCols=COLUMNS).fit(frame(spark, X, groups))
    other = lbw.GaussianMixture(3).fit(X)
    np.testing.assert_array_equal(own.means, other.means_)
    np.testing.assert_array_equal(own.covariances, other.covariances_)


@pytest.mark.parametrize("labels", [("a", "b"), ("a", "b", "c"), (0, 1, 2)])
def test_a_transport_equals_that_of_the_python_package(spark, labels):
    X, groups, weights = samples(labels=labels)
    df = frame(spark, X, groups, weights)
    own = LocalTransport(nComponents=2, inputCols=COLUMNS, weightCol="w", **QUICK).fit(df)
    other = lbw.LocalTransport(2, **python_params(QUICK)).fit(X, groups, weights)
    assert own.groups == list(labels)
    assert own.estimator.feature_names_in_.tolist() == COLUMNS
    for mine, theirs in zip(own.mixtures, other.mixtures_, strict=True):
        assert mine.mean_log_likelihood_ == pytest.approx(theirs.mean_log_likelihood_, rel=1e-9)
    np.testing.assert_allclose(
        own.estimator._by_group(X, groups, None, 1.0, "error"),
        other.transform(X, groups),
        rtol=1e-5,
        atol=1e-6,
    )


def test_a_repair_equals_that_of_the_python_package(spark):
    X, groups, _ = samples()
    own = GroupRepair(nComponents=2, inputCols=COLUMNS, refine=5, checkSamples=0).fit(
        frame(spark, X, groups)
    )
    other = lbw.GroupRepair(2, refine=5, check_samples=0)
    other.fit(X, sensitive_features=groups)
    assert own.estimator.n_components_.tolist() == [2, 2]
    # the groups agree at the barycenter, as those of the other do
    ours, theirs = (
        repair.transport_.transform(X, groups, key=np.arange(len(X)))
        for repair in (own.estimator, other)
    )
    np.testing.assert_allclose(ours.mean(axis=0), theirs.mean(axis=0), atol=0.05)
    np.testing.assert_allclose(ours.std(axis=0), theirs.std(axis=0), rtol=0.02)


@pytest.mark.parametrize("criterion", ["bic", "heldout"])
def test_the_number_of_components_is_selected_as_in_python(spark, criterion):
    X, groups, _ = samples()
    options = {"nComponentsRange": [1, 2, 3], "inputCols": COLUMNS}
    own = GaussianMixture(nComponents=criterion, **options, **QUICK).fit(frame(spark, X, groups))
    other = lbw.GaussianMixture(
        criterion, n_components_range=[1, 2, 3], **python_params(QUICK)
    ).fit(X)
    assert len(own.weights) == other.n_components_
    for name, values in other.selection_.items():
        np.testing.assert_allclose(own.estimator.selection_[name], values, rtol=1e-6)


def test_several_starts_in_single_precision(spark):
    X, groups, _ = samples()
    own = GaussianMixture(nComponents=2, nInit=2, precision="f32", inputCols=COLUMNS, **QUICK)
    other = lbw.GaussianMixture(2, n_init=2, precision="f32", **python_params(QUICK)).fit(X)
    found = own.fit(frame(spark, X, groups)).estimator.mean_log_likelihood_
    assert found == pytest.approx(other.mean_log_likelihood_, rel=1e-6)  # float32


def test_the_same_partitions_give_bitwise_the_same_mixture(spark):
    X, groups, _ = samples()
    mixture = GaussianMixture(nComponents=2, inputCols=COLUMNS, **QUICK)
    first, second = (mixture.fit(frame(spark, X, groups)) for _ in range(2))
    assert first._to_row() == second._to_row()


def test_other_partitions_give_the_same_log_likelihood(spark):
    X, groups, _ = samples()
    mixture = GaussianMixture(nComponents=2, inputCols=COLUMNS, **QUICK)
    few, many = (mixture.fit(frame(spark, X, groups, n_partitions=n)) for n in (1, 5))
    assert few.summary.logLikelihood == pytest.approx(many.summary.logLikelihood, rel=1e-9)


def test_large_groups_share_one_job_per_pass_and_verbose_tells_the_rate(
    spark, capfd, large_batches
):
    df = many_rows(spark)
    transport = LocalTransport(nComponents=3, inputCols=["x", "y"], verbose=1, maxIter=20)
    first = transport.fit(df)
    lines = [line for line in capfd.readouterr().err.splitlines() if "LocalTransport: " in line]
    assert "packed: 140000 rows in 4 partitions" in lines[0]
    assert "pass 1: 140000 rows in 4 partitions" in lines[1]  # of both groups
    assert "rows/s" in lines[1]
    assert len(lines) > 4
    table = df.toArrow()
    X = np.column_stack([table["x"], table["y"]])
    other = lbw.LocalTransport(3, max_iter=20).fit(X, np.array(table["group"].to_pylist()))
    for mine, theirs in zip(first.mixtures, other.mixtures_, strict=True):
        assert mine.mean_log_likelihood_ == pytest.approx(theirs.mean_log_likelihood_, rel=1e-4)
    second = transport.fit(df)
    assert first._to_row() == second._to_row()


def test_features_may_be_vectors_arrays_or_columns(spark):
    from pyspark.ml.functions import vector_to_array

    X, groups, _ = samples(400)
    df = assembled(frame(spark, X, groups))
    df = df.withColumn("list", vector_to_array("features"))
    models = [
        LocalTransport(nComponents=1, featuresCol="features").fit(df),
        LocalTransport(nComponents=1, featuresCol="list").fit(df),
        LocalTransport(nComponents=1, inputCols=COLUMNS).fit(df),
    ]
    for model in models[1:]:
        for one, other in zip(model.mixtures, models[0].mixtures, strict=True):
            np.testing.assert_array_equal(one.means_, other.means_)


def test_a_fit_leaves_no_scratch_files(spark):
    X, groups, _ = samples(400)
    LocalTransport(nComponents=1, inputCols=COLUMNS).fit(frame(spark, X, groups))
    assert scratch_files(spark) == []


def test_names_of_columns_are_checked_before_any_job(spark):
    df = frame(spark, *samples(60)[:2])
    with pytest.raises(ValueError, match="groupCol='team' is not a column of the DataFrame"):
        LocalTransport(inputCols=COLUMNS, groupCol="team").fit(df)
    with pytest.raises(TypeError, match="featuresCol='x' is of type double, expected a vector"):
        LocalTransport(featuresCol="x").fit(df)
    with pytest.raises(TypeError, match="inputCols='group' is of type string, expected numbers"):
        LocalTransport(inputCols=["x", "group"]).fit(df)


def test_names_of_columns_may_contain_dots(spark):
    X, groups, _ = samples(200)
    df = frame(spark, X, groups).withColumnRenamed("x", "a.b")
    transport = LocalTransport(nComponents=1, inputCols=["a.b", "y"], outputCols=["p.q", "r"])
    moved = transport.fit(df).transform(df)
    assert moved.columns == ["id", "group", "a.b", "y", "z", "p.q", "r"]
    assert moved.count() == 200


def test_a_column_of_numbers_of_rows_is_no_group(spark):
    df = frame(spark, *samples(200)[:2])
    with pytest.raises(ValueError, match="groupCol has 200 distinct values in 200 rows, too many"):
        LocalTransport(inputCols=COLUMNS, groupCol="id").fit(df)


def test_an_initial_mixture_is_used(spark):
    X, groups, _ = samples()
    means = [[0.0] * 3, [8.0] * 3]
    own = GaussianMixture(nComponents=2, inputCols=COLUMNS, meansInit=means, **QUICK)
    other = lbw.GaussianMixture(2, means_init=np.array(means), **python_params(QUICK)).fit(X)
    np.testing.assert_allclose(own.fit(frame(spark, X, groups)).means, other.means_, rtol=1e-9)

# SPDX-License-Identifier: MIT
"""Transformed rows are bitwise those of the Python package, beside all other columns."""

import datetime
import decimal

import numpy as np
import pytest

import lbw
from lbw.spark import GaussianMixtureModel, GroupRepairModel, LocalTransportModel

from .samples import assembled, frame, samples

COLUMNS = ["x", "y", "z"]


@pytest.fixture(scope="module")
def fitted():
    """Return rows, groups and a random map with noise-free features."""
    X, groups, _ = samples(600)
    return X, groups, lbw.LocalTransport(2, map="random").fit(X, groups)


@pytest.fixture
def model(fitted, tmp_path):
    fitted[2].save(tmp_path / "model.safetensors")
    return LocalTransportModel.importModel(tmp_path / "model.safetensors")


def matrix(rows, name="moved"):
    return np.array([row[name].toArray() for row in rows])


def test_rows_with_keys_are_bitwise_those_of_python(spark, fitted, model):
    X, groups, transport = fitted
    df = assembled(frame(spark, X, groups))
    model.setOutputCol("moved").setKeyCol("id").setTo("b").setAmount(0.75)
    rows = model.transform(df).collect()
    assert [row.id for row in rows] == list(range(len(X)))  # the order of rows is kept
    keys = np.arange(len(X))
    expected = transport.transform(X, groups, to="b", amount=0.75, key=keys)
    np.testing.assert_array_equal(matrix(rows), expected)
    again = model.transform(df.repartition(2)).collect()
    np.testing.assert_array_equal(matrix(sorted(again, key=lambda row: row.id)), expected)


def test_without_keys_copies_are_numbered_within_their_partition(spark, fitted, model):
    X, groups, transport = fitted
    copies = np.tile(X[:40], (10, 1))  # several batches of a partition have them
    labels = np.tile(groups[:40], 10)
    df = assembled(frame(spark, copies, labels, n_partitions=2))
    rows = model.setOutputCol("moved").transform(df).collect()
    halves = [
        transport.transform(half, own)
        for half, own in zip(np.split(copies, 2), np.split(labels, 2), strict=True)
    ]
    np.testing.assert_array_equal(matrix(rows), np.concatenate(halves))


def test_noise_of_dithered_copies_differs_between_data_sets(spark, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(4, size=(600, 3)).astype(float)
    groups = rng.choice(["a", "b"], size=600)
    repair = lbw.GroupRepair(1, check_samples=0, refine=0).fit(X, sensitive_features=groups)
    repair.save(tmp_path / "m")
    model = GroupRepairModel.importModel(tmp_path / "m").setOutputCols(["p", "q", "r"])
    model.setInputCols(COLUMNS)
    first, second = (
        model.transform(frame(spark, X[rows], groups[rows], n_partitions=1)).collect()
        for rows in (slice(0, 100), slice(100, 200))
    )
    found = {(row.x, row.y, row.z, row.group): row.p for row in first}
    common = [row for row in second if (row.x, row.y, row.z, row.group) in found]
    assert len(common) > 20
    assert all(found[row.x, row.y, row.z, row.group] != row.p for row in common)


def test_all_other_columns_are_kept(spark, fitted, model):
    X, groups, _ = fitted
    df = assembled(frame(spark, X[:50], groups[:50])).selectExpr(
        "*",
        "cast(id as string) as text",
        "cast(id as decimal(12, 2)) as money",
        "date '2026-11-16' as day",
        "timestamp '2026-11-16 10:00:00' as moment",
        "map('k', id) as pairs",
        "array(id, null) as list",
        "named_struct('a', id, 'b', 'text') as inner",
        "cast(text as binary) as bytes",
        "cast(null as int) as nothing",
    )
    before = df.collect()
    after = model.setOutputCol("moved").transform(df)
    assert after.columns == [*df.columns, "moved"]
    assert after.drop("moved").collect() == before
    row = after.first()
    assert row.money == decimal.Decimal("0.00")
    assert row.moment == datetime.datetime(2026, 11, 16, 10)


@pytest.mark.parametrize("kind", ["vector", "sparse", "array", "columns"])
def test_the_output_has_the_type_of_the_features(spark, fitted, model, kind):
    from pyspark.ml.functions import vector_to_array
    from pyspark.ml.linalg import SparseVector, VectorUDT
    from pyspark.sql.functions import udf

    X, groups, transport = fitted
    df = assembled(frame(spark, X[:30], groups[:30]))
    if kind == "sparse":
        sparse = udf(lambda v: SparseVector(3, range(3), v.toArray()), VectorUDT())
        df = df.withColumn("features", sparse("features"))
    if kind == "array":
        df = df.withColumn("features", vector_to_array("features"))
    if kind == "columns":
        model.setInputCols(COLUMNS).setOutputCols(["p", "q", "r"])
    else:
        model.setOutputCol("moved")
    rows = model.transform(df).collect()
    if kind == "columns":
        found = np.array([[row.p, row.q, row.r] for row in rows])
    else:
        found = np.array([list(row.moved) for row in rows])
    parts = [transport.transform(X[i : i + 10], groups[i : i + 10]) for i in (0, 10, 20)]
    np.testing.assert_array_equal(found, np.concatenate(parts))


def test_the_output_column_has_a_default_name_and_must_be_new(spark, fitted, model):
    df = assembled(frame(spark, *fitted[:2]))
    assert model.transform(df).columns[-1] == f"{model.uid}__output"
    with pytest.raises(ValueError, match="output column 'x' already exists in the DataFrame"):
        model.setOutputCol("x").transform(df)


def test_targets_are_checked_before_any_job(spark, fitted, model):
    df = assembled(frame(spark, *fitted[:2]))
    with pytest.raises(ValueError, match="to: group 'c' was not seen in fit"):
        model.setTo("c").transform(df)
    with pytest.raises(ValueError, match=r"to='a' and weights=.* are both set"):
        model.setTo("a").setWeights([0.5, 0.5]).transform(df)
    model.clear(model.to)
    with pytest.raises(ValueError, match="weights have the shape"):
        model.setWeights([0.2, 0.3, 0.5]).transform(df)


def test_a_barycenter_and_amounts_by_group(spark, fitted, model):
    X, groups, transport = fitted
    df = assembled(frame(spark, X, groups))
    model.setWeights({"a": 1.0, "b": 3.0}).setAmount({"a": 0.5}).setKeyCol("id")
    rows = model.setOutputCol("moved").transform(df).collect()
    expected = transport.transform(
        X, groups, to={"a": 1.0, "b": 3.0}, amount={"a": 0.5}, key=np.arange(len(X))
    )
    np.testing.assert_array_equal(matrix(rows), expected)


def test_components_and_probabilities_are_bitwise_those_of_python(spark):
    X, groups, _ = samples(300)
    mixture = lbw.GaussianMixture(3).fit(X)
    model = GaussianMixtureModel.fromEstimator(mixture)
    rows = model.transform(assembled(frame(spark, X, groups))).collect()
    np.testing.assert_array_equal([row.prediction for row in rows], mixture.predict(X))
    np.testing.assert_array_equal(matrix(rows, "probability"), mixture.predict_proba(X))
    vector = rows[0].features
    assert model.predict(vector) == rows[0].prediction
    assert model.predictProbability(vector) == rows[0].probability
    assert model.weights == mixture.weights_.tolist()
    np.testing.assert_array_equal(model.gaussians[1].mean.toArray(), mixture.means_[1])
    np.testing.assert_array_equal(model.gaussians[1].cov.toArray(), mixture.covariances_[1])
    assert model.gaussiansDF.count() == 3


def test_a_streaming_dataframe_is_transformed(spark, fitted, model, tmp_path):
    X, groups, transport = fitted
    frame(spark, X, groups).write.parquet(str(tmp_path / "in"))
    schema = "id long, group string, x double, y double, z double"
    stream = spark.readStream.schema(schema).parquet(str(tmp_path / "in"))
    model.setInputCols(COLUMNS).setOutputCols(["p", "q", "r"]).setKeyCol("id")
    query = (
        model.transform(stream)
        .writeStream.format("parquet")
        .option("path", str(tmp_path / "out"))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination(120)
    rows = sorted(spark.read.parquet(str(tmp_path / "out")).collect(), key=lambda row: row.id)
    expected = transport.transform(X, groups, key=np.arange(len(X)))
    np.testing.assert_array_equal([[row.p, row.q, row.r] for row in rows], expected)

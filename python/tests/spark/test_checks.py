# SPDX-License-Identifier: MIT
"""Columns and rows that do not fit the model are refused, and not used in another sense."""

import numpy as np
import pandas as pd
import pytest
from pyspark.sql.functions import expr

from lbw.spark import (
    GaussianMixture,
    GaussianMixtureModel,
    GroupRepair,
    LocalTransport,
    LocalTransportModel,
)

from .samples import frame, samples

COLUMNS = ["x", "y", "z"]


@pytest.fixture(scope="module")
def rows(spark):
    X, groups, _ = samples(300)
    return frame(spark, X, groups).cache()


@pytest.fixture(scope="module")
def model(rows):
    return LocalTransport(nComponents=1, inputCols=COLUMNS, groupCol="group").fit(rows)


@pytest.mark.parametrize("handle", ["error", "skip", "keep"])
def test_labels_of_another_type_are_refused(rows, model, handle):
    numbers = rows.withColumn("group", expr("if(group = 'a', 0L, 1L)"))
    with pytest.raises(TypeError, match=r"groupCol='group' is of type bigint, .* such as 'a'"):
        model.copy({model.handleInvalid: handle}).transform(numbers)
    own = LocalTransport(nComponents=1, inputCols=COLUMNS, groupCol="group").fit(numbers)
    with pytest.raises(TypeError, match="is of type string, but the groups of the fit are int"):
        own.setHandleInvalid(handle).transform(rows)


def test_the_features_are_those_of_the_fit(rows, model, tmp_path):
    message = r"inputCols=\['z', 'y', 'x'\] are not the features of the fit, \['x', 'y', 'z'\]"
    with pytest.raises(ValueError, match=message):
        model.copy({model.inputCols: COLUMNS[::-1]}).transform(rows)
    model.exportModel(tmp_path / "model.safetensors")
    loaded = LocalTransportModel.importModel(tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match=message):
        loaded.setInputCols(COLUMNS[::-1]).setGroupCol("group").transform(rows)
    mixture = GaussianMixture(inputCols=COLUMNS).fit(rows)
    with pytest.raises(ValueError, match=message):
        mixture.setInputCols(COLUMNS[::-1]).transform(rows)
    repair = GroupRepair(inputCols=COLUMNS, groupCol="group", checkSamples=0).fit(rows)
    with pytest.raises(ValueError, match=message):
        repair.setInputCols(COLUMNS[::-1]).transform(rows)


def test_columns_of_a_fit_are_checked_before_it(rows):
    with pytest.raises(ValueError, match="keyCol='nope' is not a column"):
        LocalTransport(inputCols=COLUMNS, groupCol="group", keyCol="nope").fit(rows)
    with pytest.raises(ValueError, match=r"inputCols=\['x', 'x'\] has 'x' twice"):
        GaussianMixture(inputCols=["x", "x"]).fit(rows)
    with pytest.raises(TypeError, match=r"fit needs a DataFrame of Spark, got pandas\."):
        GaussianMixture(inputCols=COLUMNS).fit(pd.DataFrame({"x": [1.0]}))
    with pytest.raises(TypeError, match=r"has no Param 'k', .* Spark ML's k is nComponents\."):
        GaussianMixture(k=3)


def test_output_columns_are_distinct_in_any_case(rows, model):
    with pytest.raises(ValueError, match="has 'p' twice"):
        model.copy({model.outputCols: ["p", "p", "q"]}).transform(rows)
    with pytest.raises(ValueError, match="'ID' already exists in the DataFrame, as 'id'"):
        model.copy({model.outputCol: "ID"}).transform(rows)
    with pytest.raises(ValueError, match="has 'p' twice"):
        GaussianMixture(inputCols=COLUMNS, predictionCol="p", probabilityCol="P").fit(
            rows
        ).transform(rows)


def test_numbers_that_are_too_large_are_invalid_rows(rows, model):
    large = rows.withColumn("y", expr("if(id = 7, 1e150, y)"))
    message = r"column 'y' has a number beyond 1e\+100 at row 7 of partition 0"
    with pytest.raises(ValueError, match=message):
        LocalTransport(inputCols=COLUMNS, groupCol="group").fit(large)
    moved = model.copy({model.handleInvalid: "skip", model.outputCol: "o"}).transform(large)
    assert moved.count() == 299
    mixture = GaussianMixture(inputCols=COLUMNS, nComponents=2).fit(rows)
    assert mixture.transform(large).count() == 300  # far rows have a component too


def test_errors_of_a_fit_name_params(spark):
    X, groups, _ = samples(300)
    groups = groups.copy()
    groups[0] = "c"
    with pytest.raises(ValueError, match="smallGroups"):
        LocalTransport(inputCols=COLUMNS, groupCol="group").fit(frame(spark, X, groups))
    with pytest.raises(ValueError, match="the source has 1 row"):
        GaussianMixture(inputCols=COLUMNS).fit(frame(spark, X[:1], groups[:1]))


def test_the_summary_counts_the_rows_of_the_fit(spark):
    X, groups, weights = samples(300)
    rows = frame(spark, X, groups, weights).withColumn("w", expr("if(id % 5 = 0, null, w)"))
    options = {"inputCols": COLUMNS, "nComponents": 2, "weightCol": "w", "handleInvalid": "skip"}
    model = GaussianMixture(**options).fit(rows)
    kept = np.arange(300) % 5 != 0
    own = pd.DataFrame(X[kept], columns=COLUMNS)
    expected = np.bincount(model.estimator.predict(own), minlength=2)
    assert model.summary.clusterSizes == expected.tolist()
    unnamed = GaussianMixture(**options, predictionCol="").fit(rows)
    with pytest.raises(ValueError, match="predictionCol is empty"):
        _ = unnamed.summary.clusterSizes


def test_copies_are_warned_of_with_held_out_rows(spark):
    X, groups, _ = samples(100)
    rows = frame(spark, np.repeat(X, 8, axis=0), np.repeat(groups, 8))
    options = {"nComponents": "heldout", "nComponentsRange": [1, 2]}
    with pytest.warns(UserWarning, match="700 of 800 samples are copies of others"):
        GaussianMixture(inputCols=COLUMNS, **options).fit(rows)


def test_the_export_of_a_copy_leaves_the_model_as_it_is(rows, tmp_path):
    repair = GroupRepair(inputCols=COLUMNS, groupCol="group", checkSamples=0).fit(rows)
    with pytest.warns(UserWarning, match=r"pass --amount 0\.5"):
        repair.copy().setAmount(0.5).exportModel(tmp_path / "half.safetensors")
    assert repair.estimator.amount == 1.0


def test_a_model_of_another_kind_is_named(rows, tmp_path):
    path = str(tmp_path / "mixture")
    GaussianMixture(inputCols=COLUMNS).fit(rows).save(path)
    with pytest.raises(ValueError, match=r"holds lbw\.spark\.GaussianMixtureModel, expected"):
        LocalTransportModel.load(path)
    assert GaussianMixtureModel.load(path).numFeatures == 3

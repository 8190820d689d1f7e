# SPDX-License-Identifier: MIT
"""Rows with nulls, NaN or unknown groups raise an error, are left out, or are kept."""

import numpy as np
import pytest

import lbw
from lbw.spark import GaussianMixture, LocalTransport, LocalTransportModel

from .samples import frame, samples, scratch_files

COLUMNS = ["x", "y", "z"]
BAD = {
    "null feature": ("y", "if(id = 250, null, y)"),
    "NaN feature": ("y", "if(id = 250, double('NaN'), y)"),
    "null group": ("group", "if(id = 250, null, group)"),
    "null weight": ("w", "if(id = 250, null, w)"),
    "negative weight": ("w", "if(id = 250, -1.0, w)"),
}


def damaged(spark, case):
    column, expression = BAD[case]
    from pyspark.sql.functions import expr

    return frame(spark, *samples(300)).withColumn(column, expr(expression))


@pytest.mark.parametrize("case", BAD)
def test_a_fit_names_the_column_and_the_row(spark, case):
    transport = LocalTransport(nComponents=1, inputCols=COLUMNS, weightCol="w")
    column = BAD[case][0]
    message = rf"LocalTransport: column '{column}' has .* at row 50 of partition 2 .*{column}="
    with pytest.raises(ValueError, match=message):
        transport.fit(damaged(spark, case))
    assert scratch_files(spark) == []


@pytest.mark.parametrize("how", ["skip", "keep"])
def test_a_fit_leaves_invalid_rows_out(spark, how):
    X, groups, weights = samples(300)
    own = LocalTransport(nComponents=1, inputCols=COLUMNS, weightCol="w", handleInvalid=how)
    keep = np.arange(300) != 250
    expected = lbw.LocalTransport(1).fit(X[keep], groups[keep], weights[keep])
    for mine, theirs in zip(
        own.fit(damaged(spark, "NaN feature")).mixtures, expected.mixtures_, strict=True
    ):
        np.testing.assert_array_equal(mine.means_, theirs.means_)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    X, groups, _ = samples(300)
    path = tmp_path_factory.mktemp("model") / "model.safetensors"
    lbw.LocalTransport(1).fit(X, groups).save(path)
    return LocalTransportModel.importModel(path).setInputCols(COLUMNS).setOutputCols([*"pqr"])


def test_a_transform_names_the_column_and_the_row(spark, model):
    moved = model.transform(damaged(spark, "null feature"))
    with pytest.raises(Exception, match="column 'y' has a null, NaN or infinity at row 50 of part"):
        moved.collect()


def test_a_transform_leaves_invalid_rows_out_or_keeps_them_with_nulls(spark, model):
    from pyspark.sql.functions import expr

    df = damaged(spark, "NaN feature")
    df = df.withColumn("group", expr("if(id = 20, 'new', if(id = 30, null, group))"))
    invalid = {20, 30, 250}
    skipped = model.copy({model.handleInvalid: "skip"}).transform(df).collect()
    assert {row.id for row in skipped} == set(range(300)) - invalid
    kept = model.copy({model.handleInvalid: "keep"}).transform(df).collect()
    assert [row.id for row in kept] == list(range(300))
    assert {row.id for row in kept if row.p is None} == invalid
    assert [row for row in kept if row.id not in invalid] == skipped


def test_an_unknown_group_is_an_error_unless_it_is_allowed(spark, model):
    from pyspark.sql.functions import expr

    df = frame(spark, *samples(300)).withColumn("group", expr("if(id = 20, 'new', group)"))
    with pytest.raises(Exception, match="column 'group' has the group 'new', which was not seen"):
        model.transform(df).collect()
    ignored = model.copy({model.handleUnknown: "ignore"}).transform(df).collect()
    assert (ignored[20].p, ignored[20].q) == (ignored[20].x, ignored[20].y)
    moved = model.copy({model.handleUnknown: "barycenter"}).transform(df).collect()
    assert moved[20].p != ignored[20].p


def test_vectors_of_another_length_are_invalid(spark):
    from pyspark.ml.linalg import Vectors

    rows = [(Vectors.dense([float(i), 1.0 + i % 3]),) for i in range(20)]
    df = spark.createDataFrame([*rows, (Vectors.dense([1.0, 2.0, 3.0]),), (None,)], ["features"])
    df = df.coalesce(1)
    with pytest.raises(ValueError, match="column 'features' has another number of features than 2"):
        GaussianMixture(nComponents=1).fit(df)
    model = GaussianMixture(nComponents=1, handleInvalid="keep").fit(df)
    assert [row.prediction for row in model.transform(df).collect()] == [0] * 20 + [None] * 2


def test_a_dataframe_without_rows_is_refused(spark):
    df = frame(spark, *samples(300)).where("id < 0")
    with pytest.raises(ValueError, match="LocalTransport: the DataFrame has no rows that can be"):
        LocalTransport(inputCols=COLUMNS).fit(df)

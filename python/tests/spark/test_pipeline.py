# SPDX-License-Identifier: MIT
"""The estimators work in Spark's pipelines and searches, and are saved with them."""

import pytest

from lbw.spark import GaussianMixture, GroupRepair, LocalTransport

from .samples import assembled, frame, samples


@pytest.fixture
def labelled(spark):
    """Return rows with a sensitive group of strings and a label."""
    X, groups, _ = samples(600)
    df = frame(spark, X, groups, n_partitions=2).withColumnRenamed("group", "sex")
    return df.selectExpr("*", "double(x + y + sin(id) > 3) as label")


def stages():
    from pyspark.ml.classification import LogisticRegression
    from pyspark.ml.feature import StringIndexer, VectorAssembler

    return [
        StringIndexer(inputCol="sex", outputCol="group"),
        VectorAssembler(inputCols=["x", "y", "z"], outputCol="raw"),
        GroupRepair(
            nComponents=1, featuresCol="raw", outputCol="features", refine=5, checkSamples=0
        ),
        LogisticRegression(maxIter=5),
    ]


def test_a_pipeline_repairs_rows_before_a_classifier_and_is_saved(spark, labelled, tmp_path):
    from pyspark.ml import Pipeline, PipelineModel

    pipeline = Pipeline(stages=stages())
    pipeline.save(str(tmp_path / "pipeline"))
    fitted = Pipeline.load(str(tmp_path / "pipeline")).fit(labelled)
    scored = fitted.transform(labelled)
    rates = {
        row.sex: row.rate
        for row in scored.groupBy("sex")
        .agg({"prediction": "avg"})
        .withColumnRenamed("avg(prediction)", "rate")
        .collect()
    }
    labels = {
        row.sex: row.rate
        for row in scored.groupBy("sex")
        .agg({"label": "avg"})
        .withColumnRenamed("avg(label)", "rate")
        .collect()
    }
    assert abs(labels["a"] - labels["b"]) > 0.3
    assert abs(rates["a"] - rates["b"]) < 0.1  # demographic parity
    fitted.write().overwrite().save(str(tmp_path / "fitted"))
    again = PipelineModel.load(str(tmp_path / "fitted")).transform(labelled)
    assert again.select("id", "features").collect() == scored.select("id", "features").collect()


# PySpark leaves the closing of its thread pool to the garbage collector
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_search_compares_numbers_of_components(spark):
    from pyspark.ml.evaluation import ClusteringEvaluator
    from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

    X, groups, _ = samples(300)
    df = assembled(frame(spark, X[groups == "a"], groups[groups == "a"], n_partitions=2))
    mixture = GaussianMixture()
    grid = ParamGridBuilder().addGrid(mixture.nComponents, [2, 4]).build()
    search = CrossValidator(
        estimator=mixture,
        estimatorParamMaps=grid,
        evaluator=ClusteringEvaluator(),
        numFolds=2,
        seed=1,
        parallelism=2,
    )
    found = search.fit(df)
    assert len(found.bestModel.weights) == 2  # the samples have two clusters


def test_params_given_to_fit_override_those_of_the_estimator(spark):
    X, groups, _ = samples(200)
    df = assembled(frame(spark, X, groups))
    transport = LocalTransport(nComponents=1)
    models = transport.fit(df, [{transport.nComponents: 2}, {transport.nComponents: 3}])
    assert [len(model.mixtures[0].weights_) for model in models] == [2, 3]
    assert transport.getNComponents() == 1
    assert models[0].getNComponents() == 2

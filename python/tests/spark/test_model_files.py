# SPDX-License-Identifier: MIT
"""Models are saved and loaded by Spark, and exchanged with Python and the program as files."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import lbw
from lbw.spark import (
    GaussianMixture,
    GaussianMixtureModel,
    GroupRepair,
    GroupRepairModel,
    LocalTransport,
    LocalTransportModel,
)

from .samples import assembled, frame, samples

COLUMNS = ["x", "y", "z"]


@pytest.fixture(scope="module")
def data(spark):
    X, groups, _ = samples(300, labels=(3, 7))
    return X, groups, frame(spark, X, groups)


@pytest.fixture(scope="module")
def model(data):
    transport = LocalTransport(nComponents=2, inputCols=COLUMNS, outputCols=[*"pqr"], keyCol="id")
    return transport.setAmount({7: 0.5}).setTo(3).fit(data[2])


def test_a_transport_is_saved_and_loaded(spark, data, model, tmp_path):
    model.save(str(tmp_path / "model"))
    again = LocalTransportModel.load(str(tmp_path / "model"))
    assert again.uid == model.uid
    assert again.getAmount() == {7: 0.5}  # labels keep their type
    assert again.extractParamMap() == model.extractParamMap()
    assert again.transform(data[2]).collect() == model.transform(data[2]).collect()
    with pytest.raises(Exception, match="exist"):
        model.save(str(tmp_path / "model"))
    model.write().overwrite().save(str(tmp_path / "model"))
    with pytest.raises(ValueError, match=r"holds lbw\.spark\.LocalTransportModel, expected"):
        GroupRepair.load(str(tmp_path / "model"))


def test_a_repair_keeps_what_was_set_on_the_model(spark, data, tmp_path):
    repair = GroupRepair(nComponents=1, inputCols=COLUMNS, outputCol="out", checkSamples=0)
    fitted = repair.fit(data[2]).setHandleUnknown("ignore").setKeyCol("id")
    fitted.save(str(tmp_path / "model"))
    again = GroupRepairModel.load(str(tmp_path / "model"))
    assert again.getHandleUnknown() == "ignore"
    assert again.transform(data[2]).collect() == fitted.transform(data[2]).collect()


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_a_mixture_is_saved_and_loaded(spark, data, tmp_path, kind):
    mixture = lbw.GaussianMixture(2, covariance_type=kind).fit(data[0])
    model = GaussianMixtureModel.fromEstimator(mixture)
    model.save(str(tmp_path / "model"))
    again = GaussianMixtureModel.load(str(tmp_path / "model"))
    np.testing.assert_array_equal(again.covariances, model.covariances)
    assert again.covariances.shape == (2, 3, 3)
    np.testing.assert_array_equal(
        again.estimator.predict_proba(data[0]), mixture.predict_proba(data[0])
    )
    assert again.estimator.mean_log_likelihood_ == mixture.mean_log_likelihood_
    assert not again.hasSummary


def test_an_estimator_is_saved_and_loaded(spark, tmp_path):
    mixture = GaussianMixture(nComponents="bic", nComponentsRange=range(1, 4), seed=5)
    mixture.save(str(tmp_path / "mixture"))
    again = GaussianMixture.load(str(tmp_path / "mixture"))
    assert again.uid == mixture.uid
    assert again.extractParamMap() == mixture.extractParamMap()


def test_python_reads_what_spark_exports_and_the_reverse(spark, data, model, tmp_path):
    X, groups, df = data
    model.exportModel(tmp_path / "model.safetensors")
    python = lbw.LocalTransport.load(tmp_path / "model.safetensors")
    named = pd.DataFrame(X, columns=COLUMNS)
    expected = python.transform(named, groups, to=3, amount={7: 0.5}, key=np.arange(len(X)))
    found = [[row.p, row.q, row.r] for row in model.transform(df).collect()]
    np.testing.assert_array_equal(found, expected)
    python.save(tmp_path / "again.safetensors")
    back = LocalTransportModel.importModel(tmp_path / "again.safetensors")
    assert back.groups == [3, 7]
    assert back.getNComponents() == 2


def test_the_program_reads_what_spark_exports_and_the_reverse(spark, data, tmp_path):
    X, groups, df = data
    program = str(Path(sys.executable).with_name("lbw"))
    model = LocalTransport(nComponents=2, inputCols=COLUMNS, outputCols=[*"pqr"]).fit(df)
    model.exportModel(tmp_path / "model.safetensors")
    own = tmp_path / "three.csv"
    np.savetxt(own, X[groups == 3], delimiter=",", header="x,y,z", comments="", fmt="%.17g")
    other = tmp_path / "seven.csv"
    np.savetxt(other, X[groups == 7], delimiter=",", header="x,y,z", comments="", fmt="%.17g")
    arguments = ["--from", "3", "--to", "7", "--output", str(tmp_path / "moved.csv")]
    command = [program, "transport", str(tmp_path / "model.safetensors"), str(own), *arguments]
    subprocess.run(command, check=True, capture_output=True)
    moved = np.loadtxt(tmp_path / "moved.csv", delimiter=",", skiprows=1)
    rows = model.setTo(7).transform(df.where("group = 3")).collect()
    np.testing.assert_allclose([[row.p, row.q, row.r] for row in rows], moved, rtol=1e-12)

    command = [program, "fit", str(own), str(other), "-o", str(tmp_path / "program.safetensors")]
    subprocess.run(command, check=True, capture_output=True)
    imported = LocalTransportModel.importModel(tmp_path / "program.safetensors")
    text = assembled(df).selectExpr("features", "if(group = 3, 'three', 'seven') as group")
    result = imported.setOutputCol("out").transform(text).select("out").collect()
    assert imported.groups == ["three", "seven"]
    assert np.isfinite([list(row.out) for row in result]).all()

# SPDX-License-Identifier: MIT
"""Spark Connect sessions, which have no RDDs, give the same models as classic ones."""

import hashlib
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from lbw.spark import GaussianMixture, LocalTransport

from .conftest import SETTINGS
from .samples import assembled, frame, many_rows, samples


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Run a script in a process of its own: a process has classic or Connect sessions."""
    script = Path(__file__).with_name("connect_session.py")
    folder = tmp_path_factory.mktemp("connect")
    settings = {name: own for name, own in SETTINGS.items() if name != "spark.driver.host"}
    result = subprocess.run(
        [sys.executable, str(script), str(folder), json.dumps(settings)],
        env={**os.environ, "PYTHONPATH": str(script.parents[1]), "SPARK_LOCAL_IP": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    return json.loads(result.stdout.splitlines()[-1])


def test_the_session_is_one_of_connect(found):
    assert found["module"].startswith("pyspark.sql.connect")


def test_a_mixture_is_bitwise_that_of_a_classic_session(spark, found):
    df = assembled(frame(spark, *samples()))
    own = GaussianMixture(nComponents=2, startSamples=100, weightCol="w", maxIter=20).fit(df)
    assert found["weights"] == own.weights
    assert found["predictions"] == [row.prediction for row in own.transform(df).collect()]


def test_a_transport_is_bitwise_that_of_a_classic_session(spark, found, large_batches):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        own = LocalTransport(inputCols=["x", "y"], nComponents=3, maxIter=15).fit(many_rows(spark))
    assert found["digest"] == hashlib.sha256(bytes(own._to_row()[0][0])).hexdigest()


def test_models_are_saved_errors_are_plain_and_nothing_is_left(found):
    assert found["loaded"] == ["a", "b"]
    assert "column 'y' has a null, NaN or infinity at row 7 of partition 0" in found["error"]
    assert len(found["fair"]) == 3
    assert found["left"] == []

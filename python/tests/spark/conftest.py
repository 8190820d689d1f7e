# SPDX-License-Identifier: MIT
"""One Spark session for all tests of lbw.spark."""

from __future__ import annotations

import os
import sys

import pytest

os.environ["PYSPARK_PYTHON"] = sys.executable  # workers need lbw too
# Compilers of Java and of queries cost more than they gain in short tests.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.executor.extraJavaOptions": _JAVA,
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "150",  # several batches per partition
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """Return a classic session of two cores."""
    from pyspark.sql import SparkSession

    local = tmp_path_factory.mktemp("spark-local")
    builder = SparkSession.builder.master("local[2]").config("spark.local.dir", str(local))
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.lbw_local = local
    yield session
    session.stop()


@pytest.fixture
def large_batches(spark):
    """Read rows in batches of Spark's usual size."""
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    spark.conf.set(name, "10000")
    yield
    spark.conf.set(name, SETTINGS[name])

# SPDX-License-Identifier: MIT
"""Uses all estimators in a Spark Connect session; prints what came of it."""

from __future__ import annotations

import hashlib
import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from pyspark.sql import SparkSession

from lbw.spark import GaussianMixture, GroupRepair, LocalTransport, LocalTransportModel
from spark.samples import assembled, frame, many_rows, samples

warnings.simplefilter("ignore")
folder = Path(sys.argv[1])
settings = json.loads(sys.argv[2]) | {"spark.local.dir": str(folder / "local")}
builder = SparkSession.builder.remote("local[2]")
for name, value in settings.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
found: dict[str, object] = {"module": type(spark).__module__}

X, groups, weights = samples()
df = assembled(frame(spark, X, groups, weights))
mixture = GaussianMixture(nComponents=2, startSamples=100, weightCol="w", maxIter=20).fit(df)
found["weights"] = mixture.weights
found["predictions"] = [row.prediction for row in mixture.transform(df).collect()]
repair = GroupRepair(nComponents=1, outputCol="fair", refine=3, checkSamples=0, keyCol="id").fit(df)
found["fair"] = repair.transform(df).first().fair.toArray().tolist()

spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
transport = LocalTransport(inputCols=["x", "y"], nComponents=3, maxIter=15)
begin = time.perf_counter()
model = transport.fit(many_rows(spark))
found["seconds"] = time.perf_counter() - begin
found["digest"] = hashlib.sha256(bytes(model._to_row()[0][0])).hexdigest()
mixture.save(str(folder / "model"))
model.write().overwrite().save(str(folder / "model"))
again = LocalTransportModel.load(str(folder / "model"))
found["loaded"] = again.groups
try:
    transport.fit(many_rows(spark).selectExpr("id", "group", "x", "if(id = 7, null, y) as y"))
except ValueError as error:
    found["error"] = str(error)
found["left"] = [str(path) for path in (folder / "local").rglob("lbw-*")]
found["shape"] = np.shape(model.mixtures[0].means_)
spark.stop()
print(json.dumps(found))

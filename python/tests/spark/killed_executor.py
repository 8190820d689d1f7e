# SPDX-License-Identifier: MIT
"""Fits on two executors and kills one of them in the middle of the fit; prints what came of it."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

from pyspark.sql import SparkSession

from lbw.spark import LocalTransport
from lbw.spark import _data as data_module
from spark.samples import many_rows

warnings.simplefilter("ignore")
local = Path(sys.argv[1])
builder = SparkSession.builder.master("local-cluster[2,1,1024]")
settings = json.loads(os.environ["LBW_SETTINGS"]) | {
    "spark.local.dir": str(local),
    "spark.executor.memory": "512m",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
}
for name, value in settings.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
killed: list[int] = []
answer = data_module.PackedData.answer


def executors() -> list[int]:
    """Return the processes of the executors of this session."""
    found = subprocess.run(
        ["pgrep", "-f", f"CoarseGrainedExecutorBackend.*{spark.sparkContext.applicationId}"],
        capture_output=True,
        text=True,
        check=False,
    )
    return [int(number) for number in found.stdout.split()]


def killing(self, requests):  # type: ignore[no-untyped-def]
    """Kill an executor before the second pass."""
    if self._n_passes == 1 and not killed:
        killed.append(executors()[0])
        os.kill(killed[0], signal.SIGKILL)
    return answer(self, requests)


data_module.PackedData.answer = killing  # type: ignore[method-assign]
model = LocalTransport(inputCols=["x", "y"], nComponents=3, maxIter=15).fit(many_rows(spark))
left = [str(path) for path in local.rglob("lbw-*") if path.is_dir()]
digest = hashlib.sha256(bytes(model._to_row()[0][0])).hexdigest()
spark.stop()
print(json.dumps({"killed": bool(killed), "left": left, "digest": digest}))

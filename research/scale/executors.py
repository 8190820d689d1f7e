# SPDX-License-Identifier: MIT
"""Weak scaling: executors of one core each, with the same number of rows per executor."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np

from common.rows import Rows

from .passes import fitted
from .study import Study, conditions, generated, scratch, spark_session

KEYS = ["executors", "repetition"]
MEASURED = ["rows", "packing_seconds", "pass_seconds", "passes", "load"]
PARTITIONS_PER_EXECUTOR = 2


def measured(n_executors: int, rows_per_executor: int) -> dict[str, float]:
    """Fit rows on a cluster of this process, and return the times of the fit."""
    session = spark_session(f"local-cluster[{n_executors},1,1536]")
    n_partitions = n_executors * PARTITIONS_PER_EXECUTOR
    fitted(generated(session, 20_000 * n_executors, n_partitions))  # starts Java and the workers
    rows = generated(session, n_executors * rows_per_executor, n_partitions)
    _, times = fitted(rows)
    session.stop()
    return {
        "rows": n_executors * rows_per_executor,
        "packing_seconds": times.packing[0],
        "pass_seconds": float(np.median(times.passes)),
        "passes": len(times.passes),
    }


def executors(study: Study) -> None:
    """Fit on one and on two executors in turns, each time in a new process."""
    table = Rows(study.results / "executors.csv", KEYS, MEASURED)
    scratch()
    for repetition in range(study.n_repetitions):
        for n_executors in (1, 2):
            if table.done(executors=n_executors, repetition=repetition):
                continue
            call = f"({n_executors}, {study.rows_per_executor})"
            code = f"import json, scale.executors as own; print(json.dumps(own.measured{call}))"
            command = [sys.executable, "-c", code]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            found = json.loads(done.stdout.splitlines()[-1])
            row = {"executors": n_executors, "repetition": repetition}
            table.add({**row, **found, **conditions()})

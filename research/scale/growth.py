# SPDX-License-Identifier: MIT
"""How time and memory of a fit on Spark grow with the rows, which are drawn on the executors."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import psutil

from common.clock import timed
from common.rows import Rows

from .passes import fitted
from .study import Study, conditions, generated, spark_session

KEYS = ["rows"]
MEASURED = ["packing_seconds", "pass_seconds", "passes", "seconds", "peak_mib", "load"]


class PeakMemory:
    """The largest memory of the Python workers of this process, without mapped files."""

    def __init__(self) -> None:
        self.mib = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.5):
            self.mib = max(self.mib, _workers_mib())


def _workers_mib() -> float:
    return sum(map(_private_bytes, psutil.Process().children(recursive=True))) / 2**20


def _private_bytes(process: psutil.Process) -> int:
    """Return the memory of a Python process that is not part of a file."""
    try:
        memory: Any = process.memory_info()
        return memory.rss - memory.shared if "python" in process.name() else 0
    except psutil.Error:  # it has ended
        return 0


def growth(study: Study) -> None:
    """Fit more and more rows."""
    table = Rows(study.results / "growth.csv", KEYS, MEASURED)
    for n_rows in study.growth:
        if table.done(rows=n_rows):
            continue
        session = spark_session()
        rows = generated(session, n_rows, max(8, n_rows // 2_500_000))
        with PeakMemory() as peak:
            seconds, (_, times) = timed(lambda: fitted(rows))  # noqa: B023
        table.add(
            {
                "rows": n_rows,
                "packing_seconds": times.packing[0],
                "pass_seconds": float(np.median(times.passes)),
                "passes": len(times.passes),
                "seconds": seconds,
                "peak_mib": peak.mib,
                **conditions(),
            }
        )

# SPDX-License-Identifier: MIT
"""What a pass over packed rows costs on Spark beyond the computation itself."""

from __future__ import annotations

import logging
import re
from typing import Any

import numpy as np

from common.clock import timed
from common.rows import Rows

from .study import (
    COLUMNS,
    N_COMPONENTS,
    N_PARTITIONS,
    Study,
    conditions,
    draw,
    generated,
    spark_session,
)

KEYS = ["repetition"]
MEASURED = ["rows", "pass_seconds", "own_seconds", "overhead_seconds", "load"]
LINE = re.compile(r"(packed|pass \d+): (\d+) rows in \d+ partitions, ([0-9.]+) s")


class PassTimes(logging.Handler):
    """Collects the seconds of packing and of every pass from the log of a fit."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.packing: list[float] = []
        self.passes: list[float] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Read a line of the log."""
        found = LINE.search(record.getMessage())
        if found is None:
            return
        seconds = float(found[3])
        (self.packing if found[1] == "packed" else self.passes).append(seconds)

    def __enter__(self) -> PassTimes:
        log = logging.getLogger("lbw.spark")
        self._level = log.level
        log.setLevel(logging.INFO)
        log.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        log = logging.getLogger("lbw.spark")
        log.removeHandler(self)
        log.setLevel(self._level)


def fitted(rows: Any, seed: int = 0) -> tuple[Any, PassTimes]:
    """Fit a mixture on Spark, and return it with the times of its passes."""
    from lbw.spark import GaussianMixture

    estimator = GaussianMixture(nComponents=N_COMPONENTS, inputCols=COLUMNS, seed=seed)
    with PassTimes() as times:
        model = estimator.fit(rows)
    return model, times


def own_seconds(n_rows: int) -> float:
    """Return the median time of a pass of lbw over the same rows in one array, on two threads."""
    import lbw

    size = n_rows // N_PARTITIONS
    samples = np.concatenate([draw(size, [1, part * size]) for part in range(N_PARTITIONS)])
    mixture = lbw.GaussianMixture(N_COMPONENTS, random_state=0, n_jobs=2).fit(samples[:50_000])
    work = [timed(lambda: lbw.moment_sums(mixture, samples))[0] for _ in range(7)]
    return float(np.median(work[1:]))


def passes(study: Study) -> None:
    """Compare passes on Spark with passes over an array, in turns."""
    table = Rows(study.results / "passes.csv", KEYS, MEASURED)
    wanted = [own for own in range(study.n_repetitions) if not table.done(repetition=own)]
    if not wanted:
        return
    session = spark_session()
    rows = generated(session, study.n_rows).persist()
    rows.count()
    fitted(rows)
    for repetition in wanted:
        _, times = fitted(rows, repetition)
        own = own_seconds(study.n_rows)
        median = float(np.median(times.passes))
        table.add(
            {
                "repetition": repetition,
                "rows": study.n_rows,
                "pass_seconds": median,
                "own_seconds": own,
                "overhead_seconds": median - own,
                **conditions(),
            }
        )
    rows.unpersist()

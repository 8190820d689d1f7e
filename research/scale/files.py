# SPDX-License-Identifier: MIT
"""A fit from Parquet files on one machine, without Spark, and the memory that it needs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet

from common.clock import timed
from common.rows import Rows

from .study import COLUMNS, N_COMPONENTS, Study, conditions, draw, record_batch, scratch

KEYS = ["rows"]
MEASURED = ["gigabytes", "seconds", "peak_mib", "load"]
ROWS_PER_FILE = 2_500_000
ROWS_PER_GROUP = 100_000

FIT = f"""
import resource
import sys

import pyarrow.dataset

import lbw

rows = pyarrow.dataset.dataset(sys.argv[1])
batches = lbw.Batches(rows, features={COLUMNS}, scratch_folder=sys.argv[2])
lbw.GaussianMixture({N_COMPONENTS}, random_state=0).fit(batches)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def write_files(folder: Path, n_rows: int) -> None:
    """Write samples to Parquet files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for first in range(0, n_rows, ROWS_PER_FILE):
        path = folder / f"{first // ROWS_PER_FILE:05}.parquet"
        end = min(first + ROWS_PER_FILE, n_rows)
        schema = record_batch(draw(1, [5])).schema
        with pyarrow.parquet.ParquetWriter(path, schema, compression="none") as writer:
            for begin in range(first, end, ROWS_PER_GROUP):
                size = min(ROWS_PER_GROUP, end - begin)
                writer.write_batch(record_batch(draw(size, [5, begin])))


def files(study: Study) -> None:
    """Fit the files in a process of its own."""
    table = Rows(study.results / "files.csv", KEYS, MEASURED)
    n_rows = study.n_file_rows
    if table.done(rows=n_rows):
        return
    folder = scratch() / "files"
    write_files(folder, n_rows)
    size = sum(path.stat().st_size for path in folder.iterdir())
    command = [sys.executable, "-c", FIT, str(folder), str(scratch())]
    try:
        seconds, done = timed(
            lambda: subprocess.run(command, check=True, capture_output=True, text=True)
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    table.add(
        {
            "rows": n_rows,
            "gigabytes": size / 1e9,
            "seconds": seconds,
            "peak_mib": float(done.stdout.split()[-1]),
            **conditions(),
        }
    )

# SPDX-License-Identifier: MIT
"""Fits survive lost executors and files, and leave nothing behind when they are interrupted."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from lbw.spark import GaussianMixture, LocalTransport
from lbw.spark import _data as data_module
from lbw.spark import _runners as runners_module
from lbw.spark._copies import CopyNumbers

from .conftest import SETTINGS
from .samples import frame, many_rows, samples, scratch_files

COLUMNS = ["x", "y", "z"]
QUICK = {"inputCols": COLUMNS, "nComponents": 2, "startSamples": 100, "maxIter": 20}


def test_a_killed_executor_changes_nothing(spark, tmp_path, large_batches):
    """Two executors, one of them killed in the middle of a fit, give the bits of one process."""
    script = Path(__file__).with_name("killed_executor.py")
    env = {**os.environ, "PYTHONPATH": str(script.parents[1]), "LBW_SETTINGS": json.dumps(SETTINGS)}
    result = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        env=env,
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    found = json.loads(result.stdout.splitlines()[-1])
    assert found["killed"]
    assert found["left"] == []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        own = LocalTransport(inputCols=["x", "y"], nComponents=3, maxIter=15).fit(many_rows(spark))
    assert found["digest"] == hashlib.sha256(bytes(own._to_row()[0][0])).hexdigest()


def test_files_that_are_lost_are_packed_again(spark, monkeypatch):
    X, groups, _ = samples()
    expected = GaussianMixture(**QUICK).fit(frame(spark, X, groups))
    answer = data_module.PackedData.answer
    lost = []

    def losing(self, requests):
        if not lost:
            lost.extend(scratch_files(spark))
            for folder in lost:
                for path in Path(folder).rglob("*.rows"):
                    path.unlink()
        return answer(self, requests)

    monkeypatch.setattr(data_module.PackedData, "answer", losing)
    found = GaussianMixture(**QUICK).fit(frame(spark, X, groups))
    assert lost
    assert found._to_row() == expected._to_row()
    assert scratch_files(spark) == []


def test_a_damaged_folder_is_packed_again(spark, monkeypatch):
    X, groups, weights = samples()
    expected = GaussianMixture(**QUICK, weightCol="w").fit(frame(spark, X, groups, weights))
    answer = data_module.PackedData.answer
    damage = [lambda path: path.unlink(), lambda path: os.truncate(path, 8)]

    def damaging(self, requests):
        if damage:
            (folder,) = scratch_files(spark)
            damage.pop()(Path(folder) / "0" / "0.rows")
        return answer(self, requests)

    monkeypatch.setattr(data_module.PackedData, "answer", damaging)
    found = GaussianMixture(**QUICK, weightCol="w").fit(frame(spark, X, groups, weights))
    assert not damage
    assert found._to_row() == expected._to_row()
    assert scratch_files(spark) == []


@pytest.mark.parametrize("lost", ["files", "executor"])
def test_rows_that_change_are_an_error(spark, monkeypatch, tmp_path, lost):
    """Rows that are read again must be the same, whoever packs them again."""
    offset = tmp_path / "offset"
    offset.write_text("0")

    def moved(batches):
        import pyarrow as pa
        import pyarrow.compute as pc

        for batch in batches:
            x = pc.add(batch.column("x"), float(offset.read_text()))
            yield pa.RecordBatch.from_arrays([x], names=["x"])

    X, groups, _ = samples()
    rows = frame(spark, X, groups).mapInArrow(moved, "x double")
    answer = data_module.PackedData.answer

    def changing(self, requests):
        if offset.read_text() == "0":
            offset.write_text("100")
            for path in [p for own in scratch_files(spark) for p in Path(own).rglob("*.rows")]:
                path.unlink()
            if lost == "executor":  # Spark forgets what the executor has cached
                self._runner._packed.unpersist(blocking=True)
        return answer(self, requests)

    monkeypatch.setattr(data_module.PackedData, "answer", changing)
    with pytest.raises(Exception, match="had other rows when it was read again"):
        GaussianMixture(**QUICK | {"inputCols": ["x"]}).fit(rows)
    assert scratch_files(spark) == []


def test_scratch_files_are_no_larger_than_the_rows(spark, monkeypatch):
    X, groups, _ = samples()
    answer = data_module.PackedData.answer
    sizes = []

    def measuring(self, requests):
        files = [path for folder in scratch_files(spark) for path in Path(folder).rglob("*.rows")]
        sizes.append(sum(path.stat().st_size for path in files))
        return answer(self, requests)

    monkeypatch.setattr(data_module.PackedData, "answer", measuring)
    GaussianMixture(**QUICK).fit(frame(spark, X, groups))
    assert set(sizes) == {X.nbytes}


def test_copies_of_speculative_tasks_are_removed_after_packing(spark, monkeypatch):
    X, groups, _ = samples()
    expected = GaussianMixture(**QUICK).fit(frame(spark, X, groups))
    copies, kept = [], runners_module._kept

    def leaving_a_copy(packed):
        copies.append(Path(packed[0].folder).with_name("77"))
        copies[0].mkdir()
        return kept(packed)

    monkeypatch.setattr(runners_module, "_is_true", lambda setting: True)
    monkeypatch.setattr(runners_module, "_kept", leaving_a_copy)
    answer = data_module.PackedData.answer

    def looking(self, requests):
        assert not copies[0].exists()
        return answer(self, requests)

    monkeypatch.setattr(data_module.PackedData, "answer", looking)
    found = GaussianMixture(**QUICK).fit(frame(spark, X, groups))
    assert len(copies) == 1
    assert found._to_row() == expected._to_row()


def test_an_error_of_a_job_removes_the_scratch_files(spark):
    from pyspark.sql.functions import expr

    X, groups, _ = samples(300)
    broken = frame(spark, X, groups).withColumn("x", expr("if(id = 299, raise_error('broken'), x)"))
    with pytest.raises(Exception, match="broken"):
        GaussianMixture(**QUICK).fit(broken)
    assert scratch_files(spark) == []


def test_ctrl_c_cancels_the_job_and_removes_the_scratch_files(spark):
    from pyspark.sql.functions import expr

    X, groups, _ = samples(300)
    wait = "if(id % 100 = 99, double(reflect('java.lang.Thread', 'sleep', 600000L) is null), 0.0)"
    slow = frame(spark, X, groups).withColumn("x", expr(f"x + {wait}"))
    timer = threading.Timer(4.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        GaussianMixture(**QUICK).fit(slow)
    timer.cancel()
    assert time.perf_counter() - begin < 300.0  # the rows that sleep take 600 s each
    tracker = spark.sparkContext.statusTracker()
    for _ in range(50):
        if not tracker.getActiveJobsIds():
            break
        time.sleep(0.1)
    assert list(tracker.getActiveJobsIds()) == []
    assert scratch_files(spark) == []


def test_ctrl_c_in_a_pass_ends_the_fit(spark, monkeypatch):
    answer = data_module.PackedData.answer

    def interrupted(self, requests):
        if self._n_passes == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return answer(self, requests)

    monkeypatch.setattr(data_module.PackedData, "answer", interrupted)
    X, groups, _ = samples()
    with pytest.raises(KeyboardInterrupt):
        GaussianMixture(**QUICK).fit(frame(spark, X, groups))
    assert scratch_files(spark) == []
    assert [thread for thread in threading.enumerate() if thread.name.startswith("lbw fit")] == []


def test_copies_are_numbered_over_batches():
    rng = np.random.default_rng(0)
    X = rng.integers(6, size=(500, 2)).astype(float)
    numbers = CopyNumbers(salted=False)
    found = np.concatenate([numbers.next(part) for part in np.array_split(X, 23)])
    seen: dict[tuple, int] = {}
    for row, number in zip(map(tuple, X.tolist()), found.tolist(), strict=True):
        assert number == seen.get(row, 0)
        seen[row] = number + 1

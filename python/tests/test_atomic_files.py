# SPDX-License-Identifier: MIT
"""Files that are written atomically, processes that are killed, and files that change."""

import faulthandler
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import lbw
from lbw import _core
from lbw._input.tables import without_columns
from lbw._program.scratch import scratch_folder
from lbw.io._atomic_file import AtomicFile


def test_a_file_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with AtomicFile(path) as file:
        file.write(b"new")
        file.write(memoryview(b"er"))
        assert file.tell() == 5
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"newer"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["out"]


def write_half(path):
    with AtomicFile(path) as file:
        file.write(b"half")
        raise RuntimeError("broken")


def test_an_error_keeps_the_old_file(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="broken"):
        write_half(path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out"]


def test_a_closed_file_is_not_written(tmp_path):
    with AtomicFile(tmp_path / "out") as file:
        file.write(b"all")
    with pytest.raises(ValueError, match="closed"):
        file.write(b"more")
    assert (tmp_path / "out").read_bytes() == b"all"


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(OSError, match="there is no directory"):
        AtomicFile(tmp_path / "none" / "out")


KILLED = """
import os, signal, sys
import pyarrow as pa
from lbw.io import write_parquet

def batches():
    yield pa.table({"x": [1.0, 2.0]})
    os.kill(os.getpid(), signal.SIGKILL)

write_parquet(batches(), sys.argv[1], verbose=0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no unnamed files")
def test_a_killed_writer_leaves_nothing(tmp_path):
    pytest.importorskip("pyarrow")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "out.parquet")], check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert os.listdir(tmp_path) == []


def wait_until(holds):
    """Wait for another process, at most a minute."""
    end = time.monotonic() + 60
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    assert holds()


def is_running(pid):
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"  # nobody may wait for it
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_scratch_folders_of_killed_processes_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = (
        "import os, signal, tempfile, sys\n"
        "tempfile.tempdir = sys.argv[1]\n"
        "from lbw._program.scratch import scratch_folder\n"
        "with scratch_folder() as scratch:\n"
        "    open(os.path.join(scratch.folder, 'rows.csv'), 'w').close()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    wait_until(lambda: not os.listdir(tmp_path))


def test_scratch_folders_that_are_left_are_removed_by_the_next_run(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "lbw-program-left").mkdir()
    with scratch_folder() as mine, scratch_folder() as other:
        names = [Path(scratch.folder).name for scratch in (mine, other)]
        assert sorted(os.listdir(tmp_path)) == sorted(names)
    assert os.listdir(tmp_path) == []


def test_the_child_of_a_killed_process_ends(tmp_path):
    code = (
        "import os, signal, subprocess, sys, tempfile\n"
        "tempfile.tempdir = sys.argv[1]\n"
        "from lbw._program.scratch import scratch_folder\n"
        "with scratch_folder() as scratch:\n"
        "    child = subprocess.Popen(['sleep', '1000'], stdout=subprocess.DEVNULL)\n"
        "    scratch.kill_at_end(child.pid)\n"
        "    print(child.pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL
    wait_until(lambda: not os.listdir(tmp_path))
    wait_until(lambda: not is_running(int(done.stdout)))


@pytest.fixture
def mapped(tmp_path):
    path = tmp_path / "rows.npy"
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(100_000, 2)) + 5.0 * rng.integers(0, 2, size=(100_000, 1))
    np.save(path, rows)
    return path, np.load(path, mmap_mode="r")


LOST = "a part of the file was lost while it was used"


@pytest.mark.parametrize("view", [lambda X: X, np.asarray, lambda X: X[10:, :]])
def test_a_mapped_array_that_is_truncated_during_a_fit_is_an_error(mapped, view):
    path, rows = mapped
    faulthandler.enable()

    def truncate(*_):
        os.truncate(path, 4096)

    options = _core.MixtureOptions()
    options.n_components = 2
    options.tolerance = 0.0  # the fit goes on while the callback runs
    options.max_iterations = 2000
    with pytest.raises(OSError, match=LOST):
        _core.fit_mixture(view(rows), options, on_iteration=truncate)


def test_a_mapped_array_that_was_truncated_is_an_error_in_a_transport(mapped):
    path, rows = mapped
    X = np.array(rows[:1000])
    model = lbw.GaussianMixture(n_components=2, random_state=0).fit(X)
    os.truncate(path, 4096)
    with pytest.raises(OSError, match=LOST):
        _core.log_density(model._core_mixture(), rows, 0)


@pytest.mark.parametrize(
    "use",
    [
        lambda X, model: lbw.GaussianMixture(n_components=2).fit(X),
        lambda X, model: lbw.LocalTransport(2).fit(X, np.arange(len(X)) % 2),
        lambda X, model: lbw.GroupRepair().fit(X, sensitive_features=np.arange(len(X)) % 2),
        lambda X, model: lbw.GroupRepair(sensitive_columns=[0]).fit(X),
        lambda X, model: model.report(X, np.resize(["a", "b"], len(X))),
        lambda X, model: model.transform(X, "a", to="b"),
        lambda X, model: model.inverse_transform(X, "a", to="b"),
        lambda X, model: lbw.transport(X, np.array(X[:500])),
    ],
    ids=["mixture", "fit", "repair", "columns", "report", "transform", "inverse", "function"],
)
def test_public_functions_raise_errors_for_mapped_arrays_that_were_truncated(mapped, use):
    path, rows = mapped
    groups = np.repeat(["a", "b"], 500)
    model = lbw.LocalTransport(2, map="hard", random_state=0).fit(np.array(rows[:1000]), groups)
    os.truncate(path, 65536)  # the first rows are left
    with pytest.raises(OSError, match=LOST):
        use(rows, model)


def test_the_report_of_a_repair_raises_an_error_for_a_mapped_array_that_was_truncated(mapped):
    path, rows = mapped
    groups = np.resize(["a", "b"], len(rows))
    repair = lbw.GroupRepair(2, check_samples=0).fit(
        np.array(rows[:1000]), sensitive_features=groups[:1000]
    )
    os.truncate(path, 65536)
    with pytest.raises(OSError, match=LOST):
        repair.report(rows, sensitive_features=groups)


def _frame(mapped):
    return pd.DataFrame(mapped, copy=False)


@pytest.mark.parametrize(
    "use",
    [
        lambda X, g, v: lbw.GaussianMixture(2).fit(X, sample_weight=v["weights"]),
        lambda X, g, v: lbw.LocalTransport(2).fit(X, g, sample_weight=v["weights"]),
        lambda X, g, v: lbw.LocalTransport(2).fit(X, v["groups"]),
        lambda X, g, v: lbw.GroupRepair().fit(X, sensitive_features=v["groups"]),
        lambda X, g, v: lbw.GroupRepair().fit(X, sensitive_features=_frame(v["table"])),
        lambda X, g, v: lbw.GroupRepair(key_column=0).fit(v["numbers"], sensitive_features=g),
        lambda X, g, v: lbw.LocalTransport(2).fit(v["columns"], g),
        lambda X, g, v: lbw.LocalTransport(2).fit(v["numbers"], g),
        lambda X, g, v: lbw.LocalTransport(2).fit(_frame(v["numbers"]), g),
        lambda X, g, v: lbw.LocalTransport(2).fit(v["numbers"][::-1], g),
        lambda X, g, v: lbw.LocalTransport(2).fit(Xs=v["numbers"], Xt=X),
        lambda X, g, v: lbw.transport(v["numbers"], X),
        lambda X, g, v: lbw.metrics.sliced_wasserstein(v["columns"], X),
        lambda X, g, v: lbw.metrics.support_agreement(v["rows"], X),
        lambda X, g, v: lbw.metrics.demographic_parity_gamma(v["weights"], g),
        lambda X, g, v: lbw.metrics.demographic_parity_gamma(X[:, 0], v["groups"]),
        lambda X, g, v: lbw.empirical_bures_wasserstein_distance(v["rows"], X),
        lambda X, g, v: lbw.gaussian_pdf(v["rows"], np.zeros(2), np.eye(2)),
        lambda X, g, v: lbw.GaussianMixture(2).fit(lbw.Batches([v["rows"]])),
    ],
)
def test_other_mapped_arrays_that_were_truncated_are_errors(tmp_path, use):
    rng = np.random.default_rng(0)
    n = 20_000
    X = rng.normal(size=(n, 2))
    groups = np.resize(["a", "b"], n)
    arrays = {
        "weights": np.ones(n),
        "groups": np.resize([0.0, 1.0], n),
        "table": np.resize([0.0, 1.0], (n, 2)),
        "numbers": rng.integers(0, 1000, size=(n, 2)),
        "columns": np.asfortranarray(X),
        "rows": X,
    }
    mapped = {}
    for name, values in arrays.items():
        np.save(tmp_path / f"{name}.npy", values)
        mapped[name] = np.load(tmp_path / f"{name}.npy", mmap_mode="r")
        os.truncate(tmp_path / f"{name}.npy", 4096)
    with pytest.raises(OSError, match=LOST):
        use(X, groups, mapped)


@pytest.mark.parametrize(
    "layout",
    [
        lambda X: X,
        lambda X: X[:, :3],
        lambda X: X[::2],
        lambda X: X[::-1],
    ],
    ids=["whole", "columns", "rows", "reversed"],
)
@pytest.mark.parametrize(("kind", "order"), [("f8", "C"), ("f8", "F"), ("i4", "C")])
@pytest.mark.parametrize("key_column", [None, 1])
def test_mapped_arrays_of_any_layout_are_read_safely_without_their_columns(
    tmp_path, monkeypatch, layout, kind, order, key_column
):
    path = tmp_path / "rows.npy"
    values = np.arange(80_000).reshape(20_000, 4)
    values[:, 0] //= 40_000  # two groups
    np.save(path, values.astype(kind, order=order))
    rows = np.load(path, mmap_mode="r")
    module = "sensitive" if key_column is None else "key_column"
    place = f"lbw._input.{module}.without_columns"

    def truncated(X, positions):
        os.truncate(path, 4096)
        return without_columns(X, positions)

    monkeypatch.setattr(place, truncated)
    repair = lbw.GroupRepair(sensitive_columns=0, key_column=key_column)
    with pytest.raises(OSError, match=LOST):
        repair.fit(layout(rows))


def test_masks_of_mapped_arrays_are_not_lost(tmp_path):
    np.save(tmp_path / "rows.npy", np.arange(40).reshape(20, 2))
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    masked = np.ma.MaskedArray(mapped, mask=mapped == 7)
    for use in (lbw.GaussianMixture().fit, lambda X: lbw.transport(X, np.asarray(X))):
        with pytest.raises(ValueError, match="is a masked array, and 1 of its 40 values"):
            use(masked)


def test_mapped_arrays_are_not_guarded_after_an_error(tmp_path):
    # under the guard, lost memory reads as zeros, and a kept error must not keep the guard
    code = (
        "import os, sys, numpy as np, lbw\n"
        "np.save(sys.argv[1], np.random.default_rng(0).normal(size=(100_000, 2)))\n"
        "X = np.load(sys.argv[1], mmap_mode='r')\n"
        "os.truncate(sys.argv[1], 65536)\n"
        "try:\n"
        "    lbw.GroupRepair(sensitive_columns=[0]).fit(X)\n"
        "except OSError as error:\n"
        "    kept = error\n"
        "print('failed', flush=True)\n"
        "X.mean()\n"
        "print('read zeros')\n"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "rows.npy")]
    done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "failed\n"
    assert done.returncode == -signal.SIGBUS


def test_a_mapped_array_gives_the_results_of_an_array(mapped):
    _, rows = mapped
    first = lbw.GaussianMixture(n_components=2, random_state=0).fit(rows)
    second = lbw.GaussianMixture(n_components=2, random_state=0).fit(np.array(rows))
    np.testing.assert_array_equal(first.means_, second.means_)

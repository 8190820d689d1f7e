# SPDX-License-Identifier: MIT
"""Fits and transports of rows that come in batches equal those of the same rows in memory."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet
import pytest

import lbw
from lbw import Batches, GaussianMixture, GroupRepair, LocalTransport
from lbw._batches.pack import BlockSource, PackedRows

NAMES = ["x", "y", "z"]
N_ROWS = 30000


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    group = rng.integers(2, size=N_ROWS)
    X = rng.normal(size=(N_ROWS, 3)) * (1 + group[:, np.newaxis]) + 3 * group[:, np.newaxis]
    return pa.table(
        {
            "x": X[:, 0],
            "group": np.array(["a", "b"])[group],
            "y": X[:, 1],
            "z": X[:, 2],
            "weight": rng.integers(0, 4, size=N_ROWS),
            "note": np.arange(N_ROWS).astype(str),
            "key": np.arange(N_ROWS),
        }
    )


@pytest.fixture(scope="module")
def dataset(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    half = N_ROWS // 2
    for number, begin in enumerate((0, half)):
        pa.parquet.write_table(
            table.slice(begin, half), folder / f"{number}.parquet", row_group_size=5000
        )
    return pa.dataset.dataset(folder)


def features_of(table):
    return np.column_stack([table[name].to_numpy() for name in NAMES])


def groups_of(table):
    return table["group"].to_numpy(zero_copy_only=False).astype(str)


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_a_mixture_of_batches_equals_that_of_an_array(table, dataset, kind):
    batched = GaussianMixture(3, covariance_type=kind).fit(Batches(dataset, NAMES))
    expected = GaussianMixture(3, covariance_type=kind).fit(features_of(table))
    # blocks are added in another order than chunks
    np.testing.assert_allclose(batched.means_, expected.means_, rtol=1e-9)
    np.testing.assert_allclose(batched.covariances_, expected.covariances_, rtol=1e-9)
    assert batched.n_iter_ == expected.n_iter_
    assert batched.feature_names_in_.tolist() == NAMES
    assert batched.n_features_in_ == 3


def test_blocks_change_only_the_last_digits(table, monkeypatch):
    monkeypatch.setattr("lbw._batches.pack._BLOCK_BYTES", 1 << 16)
    X = features_of(table)
    batched = GaussianMixture(3, tol=1e-6).fit(Batches(np.array_split(X, 7)))
    expected = GaussianMixture(3, tol=1e-6).fit(X)
    np.testing.assert_allclose(batched.means_, expected.means_, rtol=1e-8)
    assert batched.n_features_in_ == 3
    assert not hasattr(batched, "feature_names_in_")


def test_weights_are_a_column(table, dataset):
    batched = GaussianMixture(2).fit(Batches(dataset, NAMES), sample_weight="weight")
    weights = table["weight"].to_numpy().astype(float)
    expected = GaussianMixture(2).fit(features_of(table), sample_weight=weights)
    np.testing.assert_allclose(batched.means_, expected.means_, rtol=1e-9)


@pytest.mark.parametrize("criterion", ["bic", "heldout"])
def test_the_number_of_components_is_selected_as_in_memory(table, dataset, criterion):
    params = {"n_components": criterion, "n_components_range": [1, 2, 3]}
    batched = GaussianMixture(**params).fit(Batches(dataset, NAMES))
    expected = GaussianMixture(**params).fit(features_of(table))
    assert batched.n_components_ == expected.n_components_
    np.testing.assert_allclose(batched.selection_["bic"], expected.selection_["bic"], rtol=1e-9)


def test_initial_parameters_and_warm_starts_work(table):
    X = features_of(table)
    start = GaussianMixture(2, means_init=X[:2]).fit(X)
    batched = GaussianMixture(2, means_init=X[:2], warm_start=True).fit(Batches([X]))
    np.testing.assert_allclose(batched.means_, start.means_, rtol=1e-8)
    assert batched.fit(Batches([X])).n_iter_ <= 2


def test_a_transport_of_batches_equals_that_of_an_array(table, dataset):
    params = {"n_components": 3, "refine": 3, "relative_covariance_floor": 0.01}
    batched = LocalTransport(**params).fit(Batches(dataset, NAMES), "group")
    X, groups = features_of(table), groups_of(table)
    expected = LocalTransport(**params).fit(X, groups)
    assert batched.groups_.tolist() == ["a", "b"]
    assert batched.feature_names_in_.tolist() == NAMES
    for own, other in zip(batched.mixtures_, expected.mixtures_, strict=True):
        np.testing.assert_allclose(own.means_, other.means_, rtol=1e-8)
    np.testing.assert_allclose(
        batched.transform(table.select(NAMES).to_pandas(), groups, key=np.arange(N_ROWS)),
        expected.transform(X, groups, key=np.arange(N_ROWS)),
        atol=1e-6,
    )


def test_the_components_of_every_group_are_selected(table, dataset):
    params = {"n_components": "bic", "n_components_range": [1, 2]}
    batched = LocalTransport(**params).fit(Batches(dataset, NAMES, "group"))
    expected = LocalTransport(**params).fit(features_of(table), groups_of(table))
    assert batched.n_components_.tolist() == expected.n_components_.tolist()
    assert batched.selection_["group"].tolist() == expected.selection_["group"].tolist()


def test_transform_batches_equals_transform_and_keeps_columns(table, dataset):
    batches = Batches(dataset, NAMES, "group", key="key")
    transport = LocalTransport(3, coupling="plan", map="random").fit(batches)
    moved = pa.Table.from_batches(transport.transform_batches(batches, to="b"))
    assert moved.schema.names == table.schema.names
    for name in ("group", "weight", "note", "key"):
        assert moved[name].to_pylist() == table[name].to_pylist()
    data = table.select(NAMES).to_pandas()
    keys = np.arange(N_ROWS)
    expected = transport.transform(data, groups_of(table), to="b", key=keys)
    np.testing.assert_array_equal(features_of(moved), expected)


def test_arrays_are_transformed_as_arrays():
    rng = np.random.default_rng(1)
    parts = [np.column_stack([rng.normal(size=(500, 2)), np.arange(500) % 2]) for _ in range(3)]
    transport = LocalTransport(1).fit(Batches(parts, group=2))
    moved = list(transport.transform_batches(Batches(parts, group=2)))
    assert [part.shape for part in moved] == [(500, 3)] * 3
    np.testing.assert_array_equal(moved[0][:, 2], parts[0][:, 2])
    expected = transport.transform(parts[0][:, :2], parts[0][:, 2])
    np.testing.assert_array_equal(moved[0][:, :2], expected)


def test_a_repair_of_batches_equals_that_of_a_table(table, dataset):
    data = table.select(["x", "group", "y", "z"]).to_pandas()
    params = {"sensitive_columns": "group", "n_components": 2, "refine": 0, "check_samples": 500}
    batched = GroupRepair(**params).fit(Batches(dataset, NAMES))
    expected = GroupRepair(**params).fit(data)
    assert batched.feature_names_in_.tolist() == ["x", "group", "y", "z"]
    assert batched.get_feature_names_out().tolist() == NAMES
    assert batched.check_ is not None
    assert not batched.check_.separable
    np.testing.assert_allclose(batched.transform(data), expected.transform(data), atol=1e-6)
    moved = pa.Table.from_batches(batched.transform_batches(dataset))
    assert moved["group"].to_pylist() == table["group"].to_pylist()
    means = [features_of(moved)[groups_of(table) == g].mean(axis=0) for g in "ab"]
    np.testing.assert_allclose(means[0], means[1], atol=0.1)


def test_a_repair_takes_the_group_as_an_argument_and_several_columns(table, dataset):
    repair = GroupRepair(n_components=1, refine=0, check_samples=0)
    repair.fit(Batches(dataset, NAMES), sensitive_features="group")
    assert repair.groups_.tolist() == ["a", "b"]
    small = table.slice(0, 4000).append_column("sex", pa.array(np.arange(4000) % 2))
    repair.fit(Batches([small], NAMES, ["group", "sex"]))
    assert repair.groups_.tolist()[0] == "group=a, sex=0"
    (moved,) = repair.transform_batches(Batches([small], NAMES, ["group", "sex"]))
    assert moved["sex"].to_pylist() == small["sex"].to_pylist()


def test_files_of_other_formats_are_read(table, tmp_path):
    pyarrow.csv.write_csv(table.select(NAMES), tmp_path / "rows.csv")
    source = pa.dataset.dataset(tmp_path / "rows.csv", format="csv")
    batched = GaussianMixture(2).fit(source)
    expected = GaussianMixture(2).fit(features_of(table))
    np.testing.assert_allclose(batched.means_, expected.means_, rtol=1e-9)


def test_parquet_is_written_atomically_with_progress(table, dataset, tmp_path, capsys):
    transport = LocalTransport(1).fit(Batches(dataset, NAMES, "group"))
    path = tmp_path / "out.parquet"
    batches = lbw.io.read_parquet(dataset.files, features=NAMES, group="group")
    assert lbw.io.transform_parquet(transport, batches, path, to="a") == N_ROWS
    assert "writing out.parquet" in capsys.readouterr().err
    assert pa.parquet.read_table(path).schema.names == table.schema.names
    before = path.read_bytes()

    def broken():
        yield table.slice(0, 10)
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        lbw.io.write_parquet(broken(), path, verbose=0)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["out.parquet"]


def with_column(table, name, values):
    return table.set_column(table.schema.get_field_index(name), name, values)


@pytest.mark.parametrize(
    ("column", "change", "message"),
    [
        ("y", lambda v: [*v[:7], None, *v[8:]], r"column 'y' is null at row 10007 \(counted"),
        ("y", lambda v: [*v[:7], np.nan, *v[8:]], r"column 'y' holds nan at row 10007"),
        ("y", lambda v: [*v[:7], np.inf, *v[8:]], r"column 'y' holds inf at row 10007"),
        ("y", lambda v: [str(x) for x in v], "column 'y' has the type string, expected numbers"),
        ("group", lambda v: [*v[:7], None, *v[8:]], r"column 'group' is null at row 10007"),
        ("weight", lambda v: [*v[:7], -1, *v[8:]], r"column 'weight' holds the weight -1.0 at row"),
    ],
)
def test_bad_values_are_named_by_column_and_row(table, column, change, message):
    first, second = table.slice(0, 10000), table.slice(10000, 100)
    bad = with_column(second, column, pa.array(change(second[column].to_pylist())))
    with pytest.raises(ValueError, match=message):
        LocalTransport(1).fit(Batches([first, bad], NAMES, "group", "weight"))


def test_other_bad_input_is_named(table, dataset):
    with pytest.raises(ValueError, match="the data set has no column 'salary', expected one of"):
        GaussianMixture().fit(Batches(dataset, ["x", "salary"]))
    with pytest.raises(ValueError, match="the batch at row 0 has no column 'salary'"):
        GaussianMixture().fit(Batches([table], ["x", "salary"]))
    with pytest.raises(ValueError, match="needs the column of groups"):
        LocalTransport().fit(Batches(dataset, NAMES))
    with pytest.raises(ValueError, match="the source has no rows"):
        GaussianMixture().fit(Batches([]))
    with pytest.raises(ValueError, match="has 1 dimensions, expected a record batch or an array"):
        GaussianMixture().fit(Batches([np.zeros(3)]))
    with pytest.raises(ValueError, match=r"batch at row 5 has the features \[0, 1, 2\], expected"):
        GaussianMixture().fit(Batches([np.zeros((5, 2)), np.zeros((5, 3))]))
    with pytest.raises(TypeError, match="source is a int, expected"):
        Batches(3)
    with pytest.raises(TypeError, match="sample_weight is a ndarray, expected the name of a col"):
        GaussianMixture().fit(Batches(dataset, NAMES), sample_weight=np.ones(3))


def test_an_unknown_group_is_named_with_its_batch(table, dataset):
    transport = LocalTransport(1).fit(Batches(dataset, NAMES, "group"))
    strange = with_column(table.slice(10, 5), "group", pa.array(["a", "a", "new", "b", "a"]))
    batches = Batches([table.slice(0, 10), strange], NAMES, "group")
    message = "column 'group' of the batch that begins at row 10: group 'new' at row 2"
    with pytest.raises(ValueError, match=message):
        list(transport.transform_batches(batches))
    with pytest.raises(ValueError, match=r"has the features \['y', 'x', 'z'\], the fit had"):
        next(transport.transform_batches(Batches(dataset, ["y", "x", "z"], "group")))


def open_scratch_files():
    names = [
        os.readlink(f"/proc/self/fd/{fd}")
        for fd in os.listdir("/proc/self/fd")
        if fd != "0" and os.path.lexists(f"/proc/self/fd/{fd}")
    ]
    return [name for name in names if "(deleted)" in name]


def test_scratch_files_are_gone_after_success_and_failure(table, tmp_path):
    before = open_scratch_files()
    batches = Batches([table], NAMES, "group", scratch_folder=str(tmp_path))
    LocalTransport(2).fit(batches)
    assert os.listdir(tmp_path) == []
    bad = with_column(table, "y", pa.array([None] * N_ROWS, type=pa.float64()))
    with pytest.raises(ValueError, match="is null"):
        LocalTransport(2).fit(Batches([table, bad], NAMES, "group", scratch_folder=str(tmp_path)))
    assert os.listdir(tmp_path) == []
    assert open_scratch_files() == before


def test_packed_rows_take_eight_bytes_per_value(tmp_path):
    packed = PackedRows(3, weighted=True, folder=str(tmp_path))
    packed.append(np.ones((1000, 4)))
    memory = packed.mapped()
    assert len(memory) == 1000 * 4 * 8
    memory.close()
    packed.close()


def test_rows_of_a_packed_file_are_those_that_were_written():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(5000, 4))
    packed = PackedRows(3, weighted=True)
    packed.append(rows[:1234])
    packed.append(rows[1234:])
    source = BlockSource(packed)
    indices = np.arange(0, 5000, 3)
    X, weights = source.rows(indices)
    np.testing.assert_array_equal(X, rows[indices, :3])
    np.testing.assert_array_equal(weights, rows[indices, 3])
    blocks = [block.copy() for _, block, _ in source.blocks()]
    np.testing.assert_array_equal(np.concatenate(blocks), rows[:, :3])
    source.close()


INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np
from lbw import Batches, GaussianMixture
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores SIGINT
rng = np.random.default_rng(0)
X = rng.normal(size=(400000, 4))
started = threading.Event()
def interrupt():
    started.wait()
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)
class Source:
    def __iter__(self):
        yield X
        started.set()
threading.Thread(target=interrupt, daemon=True).start()
try:
    batches = Batches(Source(), scratch_folder=sys.argv[1])
    GaussianMixture(8, tol=1e-14, max_iter=100000).fit(batches)
except KeyboardInterrupt:
    print("interrupted", os.listdir(sys.argv[1]))
"""


def test_ctrl_c_ends_a_fit_and_removes_its_scratch_file(tmp_path):
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.stdout.strip() == "interrupted []", result.stderr[-500:]


MEASURED = """
import numpy as np
from lbw import Batches, GaussianMixture

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

class Rows:
    def __init__(self, n_batches):
        self.n_batches = n_batches
    def __iter__(self):
        rng = np.random.default_rng(0)
        for _ in range(self.n_batches):
            yield rng.normal(size=(50000, 10))

GaussianMixture(3).fit(Batches(Rows(1)))
before = peak()
GaussianMixture(3).fit(Batches(Rows(100)))
print(peak() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_does_not_grow_with_the_rows():
    result = subprocess.run(
        [sys.executable, "-c", MEASURED], capture_output=True, text=True, timeout=300, check=True
    )
    assert float(result.stdout) < 200.0  # MiB, for rows of 381 MiB


def test_sums_can_be_added_pickled_and_used_for_a_step(table):
    X = features_of(table)
    mixture = GaussianMixture(3, tol=0.1).fit(X)
    sums = lbw.moment_sums(mixture, X[:999]) + lbw.moment_sums(mixture, X[999:])
    assert sums.n_samples == N_ROWS
    assert sums.log_likelihood / N_ROWS == pytest.approx(mixture.score(X), rel=1e-12)
    assert sums.component_weight.sum() == pytest.approx(N_ROWS)
    copied = pickle.loads(pickle.dumps(sums))
    np.testing.assert_array_equal(copied.first, sums.first)
    assert lbw.MomentSums.from_bytes(sums.to_bytes()).weight == sums.weight
    following = lbw.next_mixture(mixture, copied)
    np.testing.assert_allclose(following.weights_, sums.component_weight / N_ROWS, rtol=1e-12)
    shift = sums.first / sums.component_weight[:, np.newaxis]
    np.testing.assert_allclose(following.means_, mixture.means_ + shift, rtol=1e-12)
    with pytest.raises(lbw.IoError, match="the bytes of moment sums are damaged or incomplete"):
        lbw.MomentSums.from_bytes(sums.to_bytes()[:100])
    with pytest.raises(lbw.InvalidArgument, match="taken under another mixture"):
        sums + lbw.moment_sums(following, X)

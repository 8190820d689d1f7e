# SPDX-License-Identifier: MIT
"""Sources of batches that cannot be used are refused, and errors of a pass keep their cause."""

from __future__ import annotations

import os
import re
import signal
import threading

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest

from lbw import Batches, GaussianMixture, GroupRepair, LocalTransport
from lbw._batches.pack import BlockSource
from lbw.io import read_parquet, transform_parquet, write_parquet

NAMES = ["x", "y"]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    group = rng.integers(2, size=2000)
    X = rng.normal(size=(2000, 2)) + 3.0 * group[:, np.newaxis]
    return pa.table({"x": X[:, 0], "y": X[:, 1], "g": np.array(["a", "b"])[group]})


@pytest.fixture(scope="module")
def model(table):
    return LocalTransport(2, random_state=0).fit(batches_of(table))


def batches_of(table, size=500):
    return Batches(table.to_batches(size), features=NAMES, group="g")


def test_an_error_of_a_pass_keeps_its_type(monkeypatch):
    moment_sums = BlockSource.moment_sums
    calls = []

    def failing(self, *arguments):
        calls.append(arguments)
        if len(calls) == 3:
            for _first, _X, _weights in self.blocks():
                raise MemoryError("no memory is left")
        return moment_sums(self, *arguments)

    monkeypatch.setattr(BlockSource, "moment_sums", failing)
    X = np.random.default_rng(0).normal(size=(100_000, 2))
    with pytest.raises(MemoryError, match="no memory is left"):
        GaussianMixture(3, tol=0.0, max_iter=20).fit(Batches([X]))


def test_ctrl_c_in_a_pass_is_a_keyboard_interrupt(monkeypatch):
    moment_sums = BlockSource.moment_sums

    def interrupted(self, *arguments):
        if threading.main_thread().ident != threading.get_ident():
            pytest.fail("passes run on the thread of the caller")
        os.kill(os.getpid(), signal.SIGINT)
        return moment_sums(self, *arguments)

    monkeypatch.setattr(BlockSource, "moment_sums", interrupted)
    # shells start programs in the background with SIGINT ignored
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    X = np.random.default_rng(0).normal(size=(100_000, 2))
    try:
        with pytest.raises(KeyboardInterrupt):
            GaussianMixture(3, tol=0.0, max_iter=20).fit(Batches([X]))
    finally:
        signal.signal(signal.SIGINT, previous)


@pytest.mark.parametrize("kind", ["generator", "reader"])
def test_a_source_that_is_read_once_cannot_be_read_again(table, model, kind):
    source = (
        (batch for batch in table.to_batches(500)) if kind == "generator" else table.to_reader()
    )
    batches = Batches(source, features=NAMES, group="g")
    fitted = LocalTransport(2, random_state=0).fit(batches)
    np.testing.assert_array_equal(fitted.mixtures_[0].means_, model.mixtures_[0].means_)
    with pytest.raises(ValueError, match="can be read only once"):
        list(fitted.transform_batches(batches))


def test_whole_numbers_of_other_columns_stay_exact():
    points = np.random.default_rng(0).normal(size=(60, 2))
    model = LocalTransport(1).fit(points, np.repeat([0, 1], 30))
    rows = np.arange(10)
    ids = 2**60 + rows
    whole = np.column_stack([rows, rows + 1, rows % 2, ids])
    (moved,) = model.transform_batches(Batches([whole], features=[0, 1], group=2), to=0)
    assert moved[:, 3].tolist() == ids.tolist()
    small = np.column_stack([rows, rows + 1, rows % 2, rows])
    (moved,) = model.transform_batches(Batches([small], features=[0, 1], group=2), to=0)
    assert moved.dtype == np.float64


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ("xy", r"features is 'xy', expected a list of columns, \['xy'\]"),
        (["x", "y", "x"], "features has 'x' more than once"),
        ([True, False], "features has True, expected names of columns or positions"),
    ],
)
def test_features_are_distinct_columns(table, features, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Batches([table], features=features, group="g")


def test_sources_of_another_kind_are_refused(table):
    with pytest.raises(TypeError, match=r"source is a str, .* Use lbw\.io\.read_parquet"):
        Batches("rows.parquet")
    frame = pd.DataFrame({"x": [1.0, 2.0]})
    with pytest.raises(TypeError, match=r"source is a DataFrame, .* pass tables to fit as"):
        Batches(frame)
    with pytest.raises(TypeError, match="the batch at row 0 is a table of pandas"):
        GaussianMixture().fit(Batches([frame]))
    with pytest.raises(TypeError, match=r"source is a Scanner, .* Give its Dataset"):
        Batches(pyarrow.dataset.dataset(table).scanner())


def test_a_filtered_data_set_has_the_rows_of_the_filter(table, tmp_path):
    pa.parquet.write_table(table, tmp_path / "rows.parquet")
    rows = pyarrow.dataset.dataset(tmp_path / "rows.parquet")
    filtered = rows.filter(pyarrow.dataset.field("x") > 0.0)
    chosen = table.filter(pa.compute.greater(table["x"], 0.0))
    found = GaussianMixture(2, random_state=0).fit(Batches(filtered, features=NAMES))
    expected = GaussianMixture(2, random_state=0).fit(Batches([chosen], features=NAMES))
    np.testing.assert_allclose(found.means_, expected.means_, rtol=1e-9)


def test_many_groups_are_judged_by_all_rows():
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(8000, 2)), rng.integers(150, size=8000).astype(str)
    table = pa.table({"x": rows[:, 0], "y": rows[:, 1], "g": labels})
    assert len(LocalTransport(1).fit(batches_of(table, 1000)).groups_) == 150
    continuous = table.set_column(2, "g", pa.array(rng.normal(size=8000).astype(str)))
    with pytest.raises(ValueError, match="column 'g' has 500 distinct values in 1000 rows"):
        LocalTransport(1).fit(batches_of(continuous, 1000))


def test_copies_are_warned_of_with_held_out_rows():
    rows = np.repeat(np.random.default_rng(0).normal(size=(500, 2)), 8, axis=0)
    options = {"n_components": "heldout", "n_components_range": [1, 2]}
    with pytest.warns(UserWarning, match="3500 of 4000 samples are copies of others"):
        GaussianMixture(**options).fit(Batches([rows[:2000], rows[2000:]]))
    table = pa.table({"x": rows[:, 0], "y": rows[:, 1], "g": np.repeat(["a", "b"], 2000)})
    with pytest.warns(UserWarning, match="3500 of 4000 samples are copies of others"):
        LocalTransport(**options).fit(batches_of(table))


def test_one_row_is_not_enough():
    with pytest.raises(ValueError, match="the source has 1 row, expected 2 or more"):
        GaussianMixture().fit(Batches([np.zeros((1, 2))]))


def test_folders_of_partitions_are_columns(table, tmp_path):
    for label in ("a", "b"):
        folder = tmp_path / "rows" / f"g={label}"
        folder.mkdir(parents=True)
        own = table.filter(pa.compute.equal(table["g"], label)).drop_columns("g")
        pa.parquet.write_table(own, folder / "part.parquet")
    batches = read_parquet(tmp_path / "rows", features=NAMES, group="g")
    repair = GroupRepair(1, check_samples=0).fit(batches)
    assert repair.groups_.tolist() == ["a", "b"]
    transform_parquet(repair, batches, tmp_path / "out.parquet", verbose=0)
    written = pa.parquet.read_table(tmp_path / "out.parquet")
    assert written.num_rows == table.num_rows
    assert set(written["g"].to_pylist()) == {"a", "b"}


def test_a_file_without_rows_becomes_one_without_rows(table, model, tmp_path):
    pa.parquet.write_table(table.slice(0, 0), tmp_path / "none.parquet")
    n_rows = transform_parquet(
        model, tmp_path / "none.parquet", tmp_path / "out.parquet", groups="g", to="a", verbose=0
    )
    assert n_rows == 0
    assert pa.parquet.read_table(tmp_path / "out.parquet").column_names == ["x", "y", "g"]
    with pytest.raises(ValueError, match="there are no batches to write"):
        write_parquet([], tmp_path / "out.parquet", verbose=0)


def test_a_column_is_named_once():
    table = pa.table({"x": [0.0, 1.0, 2.0, 3.0], "g": list("abab"), "h": list("uvuv")})
    batches = Batches([table], features=["x"], group="g", weight="v")
    for use, names in (
        (lambda: LocalTransport(1).fit(batches, "h"), "groups='h'.*group='g'"),
        (lambda: LocalTransport(1).fit(batches, sample_weight="w"), "='w'.*weight='v'"),
        (
            lambda: GroupRepair(check_samples=0).fit(batches, sensitive_features="h"),
            "sensitive_features='h'.*group='g'",
        ),
        (
            lambda: GroupRepair(key_column="h").fit(
                Batches([table], features=["x"], key="k"), sensitive_features="g"
            ),
            "key_column='h'.*key='k'",
        ),
    ):
        with pytest.raises(ValueError, match=f"{names}.*different columns"):
            use()


@pytest.mark.parametrize(
    ("group", "columns"), [(None, None), ([], None), (None, []), ([], [])], ids=str
)
def test_a_repair_of_batches_without_groups_says_so(group, columns):
    X = np.column_stack([np.random.default_rng(0).normal(size=(400, 2)), np.arange(400) % 2])
    words = (
        "GroupRepair needs the groups. Name their column with sensitive_features=..., "
        "sensitive_columns=... or Batches(..., group=...)."
    )
    batches = Batches([X], features=[0, 1], group=group)
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        GroupRepair(1, sensitive_columns=columns).fit(batches)
    repair = GroupRepair(1).fit(Batches([X], features=[0, 1], group=2))
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        list(repair.transform_batches(batches))


@pytest.mark.parametrize("role", ["group", "weight", "key"])
def test_a_column_has_one_role(role):
    with pytest.raises(ValueError, match=f"'x' is a feature and the {role} of Batches"):
        Batches([np.zeros((2, 2))], features=["y", "x"], **{role: "x"})


@pytest.mark.parametrize(
    ("own", "given"), [(3, [3]), ((3,), 3), ((2, 3), [2, 3]), (np.int64(3), 3), (3, np.int64(3))]
)
def test_a_column_may_be_named_twice_alike(own, given):
    X = np.random.default_rng(0).normal(size=(400, 4))
    X[:, 2:] = np.arange(400)[:, np.newaxis] % 2
    expected = LocalTransport(1).fit(Batches([X], features=[0, 1]), given)
    transport = LocalTransport(1).fit(Batches([X], features=[0, 1], group=own), given)
    assert transport.groups_.tolist() == expected.groups_.tolist()
    repair = GroupRepair(1, sensitive_columns=given, check_samples=0)
    repair.fit(Batches([X], features=[0, 1], group=own))
    assert len(repair.groups_) == 2


@pytest.mark.parametrize(
    "columns", [np.array, pd.Index, tuple, lambda names: (name for name in names)]
)
def test_columns_come_in_any_sequence(table, columns):
    batches = Batches([table], features=columns(NAMES), group=columns(["g"]))
    assert batches.features == NAMES
    assert batches.group == ["g"]
    transport = LocalTransport(1).fit(batches)
    assert transport.feature_names_in_.tolist() == NAMES
    with pytest.raises(ValueError, match="'g' is a feature and the group of Batches"):
        Batches([table], features=columns([*NAMES, "g"]), group=columns(["g"]))
    with pytest.raises(ValueError, match="features has 'x' more than once"):
        Batches([table], features=columns(["x", "x"]))
    numbers = Batches([np.zeros((2, 2))], features=np.array([1, 0]))
    assert [type(number) for number in numbers.features] == [int, int]

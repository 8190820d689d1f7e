# SPDX-License-Identifier: MIT
"""Samples in every shape and layout that people have them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import blobs
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import lbw
from lbw import GaussianMixture, LocalTransport
from lbw._input.arrays import as_core_samples

LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "sliced rows": lambda X: np.repeat(X, 2, axis=0)[::2],
    "sliced columns": lambda X: np.hstack([X, X])[:, : X.shape[1]],
    "every other column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "reversed": lambda X: X[::-1].copy()[::-1],
    "big endian": lambda X: X.astype(X.dtype.newbyteorder(">")),
    "list": lambda X: X.tolist(),
    "pandas": pd.DataFrame,
    "polars": lambda X: pl.DataFrame(X),
    "pyarrow": lambda X: pa.table({f"x{i}": column for i, column in enumerate(X.T)}),
    "object": lambda X: X.astype(object),
}


def read_only(X: np.ndarray) -> np.ndarray:
    X = X.copy()
    X.flags.writeable = False
    return X


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.filterwarnings("ignore:X has feature names")
def test_every_layout_gives_the_same_bits(layout):
    X = blobs(200, 0)
    groups = np.arange(200) % 2
    same = LAYOUTS[layout](X)
    plain = GaussianMixture(3).fit(X)
    other = GaussianMixture(3).fit(same)
    np.testing.assert_array_equal(other.means_, plain.means_)
    np.testing.assert_array_equal(plain.score_samples(same), plain.score_samples(X))
    transport = LocalTransport(2).fit(same, groups)
    expected = LocalTransport(2).fit(X, groups).transform(X, groups)
    np.testing.assert_array_equal(transport.transform(same, groups), expected)


def test_read_only_arrays_and_maps_from_files(tmp_path):
    X = blobs(100, 1)
    np.save(tmp_path / "x.npy", X)
    expected = GaussianMixture(2).fit(X).means_
    np.testing.assert_array_equal(GaussianMixture(2).fit(read_only(X)).means_, expected)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    np.testing.assert_array_equal(GaussianMixture(2).fit(mapped).means_, expected)


@pytest.mark.parametrize("kind", ["int64", "int8", "uint16", "bool", "float16"])
def test_other_numbers_become_doubles(kind):
    X = (blobs(100, 2) > 1).astype(kind) if kind == "bool" else blobs(100, 2).astype(kind)
    expected = GaussianMixture(1).fit(X.astype(float)).means_
    np.testing.assert_array_equal(GaussianMixture(1).fit(X).means_, expected)


def test_float32_stays_float32_and_is_close():
    X = blobs(300, 3)
    groups = np.arange(300) % 2
    single = X.astype(np.float32)
    transport = LocalTransport(2).fit(single, groups)
    for labels in (groups, 0):
        carried = transport.transform(single, labels)
        assert carried.dtype == np.float32
        exact = transport.transform(single.astype(float), labels)
        np.testing.assert_array_equal(carried, exact.astype(np.float32))


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame, lambda d: pa.table(d)])
def test_tables_give_names_and_groups(table):
    X = blobs(100, 4)
    data = {"one": X[:, 0], "two": X[:, 1], "three": X[:, 2]}
    labels = {"group": np.where(np.arange(100) % 2 == 0, "x", "y")}
    transport = LocalTransport(2).fit(table(data), table(labels)["group"])
    assert transport.feature_names_in_.tolist() == ["one", "two", "three"]
    assert transport.groups_.tolist() == ["x", "y"]
    carried = transport.transform(table(data), table(labels)["group"])
    expected = LocalTransport(2).fit(X, labels["group"]).transform(X, labels["group"])
    np.testing.assert_array_equal(carried, expected)
    swapped = {"two": data["two"], "one": data["one"], "three": data["three"]}
    with pytest.raises(ValueError, match="feature names should match"):
        transport.transform(table(swapped), "x")


def test_tables_with_gaps_and_words_are_refused():
    frame = pl.DataFrame({"a": [1.0, None, 3.0], "b": [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match="Input X contains NaN"):
        GaussianMixture().fit(frame)
    with pytest.raises(ValueError, match="could not convert string to float"):
        GaussianMixture().fit(pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]}))


def test_what_the_core_can_read_is_not_copied():
    X = np.zeros((10, 4))
    for view in (X, X[2:8], X[::2], X[:, 1:3], X[:1], read_only(X), X.astype(np.float32)[1:]):
        assert as_core_samples(view) is view
    for view in (X.T, X[:, ::2], X[::-1], np.broadcast_to(X[0], (3, 4)), np.asfortranarray(X)):
        copied = as_core_samples(view)
        assert copied is not view
        np.testing.assert_array_equal(copied, view)


@settings(max_examples=60, deadline=None)
@given(
    samples=hnp.arrays(
        dtype=st.sampled_from([np.float64, np.float32, np.int32]),
        shape=st.tuples(st.integers(2, 30), st.integers(1, 5)),
        elements=st.integers(-50, 50),
    ),
    order=st.sampled_from("CF"),
    step=st.integers(1, 3),
)
def test_one_component_is_mean_and_covariance(samples, order, step):
    X = np.asarray(np.repeat(samples, step, axis=0), order=order)[::step]
    mixture = GaussianMixture(1).fit(X)
    doubles = samples.astype(float)
    floor = 1e-6 * np.eye(samples.shape[1])
    np.testing.assert_allclose(mixture.means_[0], doubles.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(
        mixture.covariances_[0], np.atleast_2d(np.cov(doubles.T, bias=True)) + floor, atol=1e-9
    )


@settings(max_examples=40, deadline=None)
@given(
    source=hnp.arrays(np.float64, (12, 2), elements=st.floats(-100, 100), unique=True),
    shift=st.floats(-100, 100),
    scale=st.floats(0.1, 10),
    dtype=st.sampled_from([np.float64, np.float32]),
)
def test_the_mean_of_the_target_is_reached(source, shift, scale, dtype):
    X = source.astype(dtype)
    target = scale * X.astype(float) + shift
    carried = lbw.transport(X, target, 1)
    assert carried.dtype == dtype
    precision = np.finfo(dtype).eps * 1e3 * (1.0 + np.abs(target).max() + np.abs(X).max())
    np.testing.assert_allclose(carried.mean(axis=0), target.mean(axis=0), atol=precision)


def test_columns_of_texts_and_equal_names_are_named():
    words = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    for table in (words, pl.from_pandas(words), pa.Table.from_pandas(words)):
        with pytest.raises(ValueError, match=r"X has text in 'b'\. Encode it as numbers"):
            GaussianMixture().fit(table)
    twice = pd.DataFrame([[1.0, 2.0], [3.0, 5.0]], columns=["a", "a"])
    with pytest.raises(ValueError, match=r"two columns of one name\. Rename one"):
        GaussianMixture().fit(twice)

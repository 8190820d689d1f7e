# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections import deque
from enum import Enum

import numpy as np
import pytest

from lbw import GaussianMixture, GroupRepair, LocalTransport
from lbw._input.labels import LabelledRows, labels_of_rows


def labels_of_kind(numbers, kind):
    return numbers.astype({str: "U", bytes: "S"}.get(kind, kind))


@pytest.mark.parametrize("n_labels", [1, 2, 7, 8, 9, 40])
@pytest.mark.parametrize("kind", [str, bytes, int, float, bool])
def test_rows_by_their_labels(n_labels, kind):
    numbers = np.random.default_rng(n_labels).integers(0, n_labels, size=500)
    labels = labels_of_kind(numbers, kind)
    rows = LabelledRows(labels)
    distinct = rows.distinct()
    np.testing.assert_array_equal(distinct, np.unique(labels))
    assert distinct.dtype == labels.dtype
    for label in distinct.tolist():
        np.testing.assert_array_equal(
            np.arange(500)[rows.of(label)], np.flatnonzero(labels == label)
        )
    others = rows.of_others([rows.of(label) for label in distinct.tolist()[1:]])
    np.testing.assert_array_equal(others, np.flatnonzero(labels == distinct[0]))


@pytest.mark.parametrize("kind", [str, bytes, int, float])
def test_rows_that_follow_one_another_are_a_slice(kind):
    labels = labels_of_kind(np.array([3, 3, 1, 1, 1, 2]), kind)
    rows = LabelledRows(labels)
    assert [rows.of(label) for label in rows.distinct().tolist()] == [
        slice(2, 5),
        slice(5, 6),
        slice(0, 2),
    ]
    assert len(rows.of(labels_of_kind(np.array([4]), kind)[0].item())) == 0


@pytest.mark.parametrize("changed", [None, 0, 15, 16, 17, 79, 80, 81, 299])
def test_long_runs_of_a_label_end_where_it_changes(changed):
    labels = np.repeat(["b", "a", "b"], [300, 16, 80])
    if changed is not None:
        labels[changed] = "c"
    rows = LabelledRows(labels)
    for label in "abcd":
        found = np.arange(len(labels))[rows.of(label)]
        np.testing.assert_array_equal(found, np.flatnonzero(labels == label))


@pytest.mark.parametrize("labels", [["a", "abcdefghijk"], ["", "a"], ["é", "e"], ["ab", "abc"]])
def test_texts_are_told_by_all_their_letters(labels):
    rows = LabelledRows(np.array(labels * 3)[::-1])  # not side by side in memory
    assert rows.distinct().tolist() == sorted(labels)
    for label, expected in zip(labels, [[1, 3, 5], [0, 2, 4]], strict=True):
        assert rows.of(label).tolist() == expected


def test_labels_of_objects_become_texts():
    labels = labels_of_rows(np.array(["a", "bc", "a"], dtype=object), 3, "groups")
    assert labels.dtype.kind == "U"
    assert labels.tolist() == ["a", "bc", "a"]


class Site(str, Enum):
    north = "north"
    south = "so"


@pytest.mark.parametrize("arranged", [list, tuple, deque, lambda own: np.array(own, dtype=object)])
def test_texts_of_subclasses_are_texts(arranged):
    labels = arranged([Site.north, Site.south, np.str_("north"), "west"])
    assert labels_of_rows(labels, 4, "groups").tolist() == ["north", "so", "north", "west"]
    assert labels_of_rows([b"a", np.bytes_(b"b")], 2, "groups").tolist() == [b"a", b"b"]


@pytest.mark.filterwarnings("ignore:Few rows")
def test_a_single_text_of_a_subclass_is_that_text():
    X = np.random.default_rng(0).normal(size=(60, 2))
    sites = [Site.north, Site.south] * 30
    transport = LocalTransport(1, reference=Site.south).fit(X, sites)
    expected = transport.transform(X, "so", to="north")
    np.testing.assert_array_equal(transport.transform(X, Site.south, to=Site.north), expected)
    repair = GroupRepair(check_samples=0, refine=0).fit(X, sensitive_features=sites)
    expected = repair.transform(X, sensitive_features="so")
    np.testing.assert_array_equal(repair.transform(X, sensitive_features=Site.south), expected)
    ignoring = LocalTransport(1, handle_unknown="ignore").fit(X, sites)
    expected = ignoring.transform(X, "so")
    np.testing.assert_array_equal(ignoring.transform(X, Site.south), expected)
    with pytest.raises(ValueError, match="group 'west' at row 0"):
        transport.transform(X, "west")


def test_texts_and_bytes_are_not_mixed():
    with pytest.raises(ValueError, match=r"labels of different types \(bytes, str\)"):
        labels_of_rows(["a", b"a"], 2, "groups")


@pytest.mark.parametrize("gap", [None, float("nan"), np.datetime64("NaT")])
def test_the_first_missing_label_is_named(gap):
    labels = np.array(["a", gap, "b", gap], dtype=object)
    with pytest.raises(ValueError, match=r"groups has no label at row 1 \(counted from 0\)"):
        labels_of_rows(labels, 4, "groups")


@pytest.mark.parametrize("unit", ["M8[D]", "m8[h]"])
def test_a_missing_time_is_a_missing_label(unit):
    labels = np.array([3, "NaT", 5], dtype=unit)
    with pytest.raises(ValueError, match=r"groups has no label at row 1 \(counted from 0\)"):
        labels_of_rows(labels, 3, "groups")


def test_numbers_of_numpy_are_numbers():
    for labels in ([1, np.int64(2), np.int32(1)], [True, np.bool_(False)], [0.5, np.float32(1.5)]):
        found = labels_of_rows(np.array(labels, dtype=object), len(labels), "groups")
        assert found.tolist() == labels
    with pytest.raises(ValueError, match=r"labels of different types \(float, int\)"):
        labels_of_rows(np.array([1, np.float64(2.0)], dtype=object), 2, "groups")


@pytest.mark.parametrize("kind", ["U1", object])
def test_a_label_with_a_lone_surrogate_is_named(kind):
    X = np.random.default_rng(0).normal(size=(40, 2))
    groups = np.array(["a"] * 20 + ["\ud800"] * 20, dtype=kind)
    words = r"groups: the label '\\ud800' is not valid Unicode text: .* Replace it, for instance"
    with pytest.raises(ValueError, match=words):
        LocalTransport(1).fit(X, groups)
    with pytest.raises(ValueError, match=words):
        GroupRepair(1).fit(X, sensitive_features=groups)
    valid = LocalTransport(1).fit(X, np.where(groups == "a", "é", "😀"))
    assert valid.groups_.tolist() == ["é", "😀"]


def test_a_column_name_or_key_with_a_lone_surrogate_is_named(tmp_path):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)))
    X.columns = pd.Index(["x", "\udcff"], dtype=object)
    groups = np.repeat(["a", "b"], 20)
    words = r"X: the column name '\\udcff' is not valid Unicode text"
    with pytest.raises(ValueError, match=words):
        LocalTransport(1).fit(X, groups)
    with pytest.raises(ValueError, match=words):
        GaussianMixture(1).fit(X).save(tmp_path / "mixture.safetensors")
    with pytest.raises(ValueError, match=r"key: the key '\\ud8001' is not valid Unicode text"):
        LocalTransport(1).fit(X.to_numpy(), groups, key=["\ud8001"] * 40)

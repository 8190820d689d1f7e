# SPDX-License-Identifier: MIT
"""Keys of rows, against the definitions of FNV-1a and of counting copies."""

import subprocess
import sysconfig
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from lbw import LocalTransport
from lbw._input.key_column import split_key_column
from lbw._input.keys import copies_before, keys_given


def fnv1a(text):
    """Hash by the definition, byte by byte."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def test_strings_are_hashed_by_fnv1a():
    assert fnv1a("foobar") == 0x85944171F73967E8  # of the reference implementation
    texts = ["", "a", "foobar", "Zürich", "東京", "x" * 70, "customer-1", "customer-2"]
    expected = [fnv1a(text) for text in texts]
    for given in (texts, np.array(texts), np.array(texts, dtype=object), pd.Series(texts)):
        keys = keys_given(given, len(texts))
        assert keys.dtype == np.uint64
        assert keys.tolist() == expected


def test_texts_of_plain_whole_numbers_are_those_numbers():
    numbers = ["0", "7", "-7", "18446744073709551615", "-9223372036854775808"]
    assert keys_given(numbers, 5).tolist() == [int(text) % 2**64 for text in numbers]
    texts = ["007", "7.0", "+7", " 7", "-0", "", "1e3", "18446744073709551616", "\u0667", "7\n"]
    for given in (texts, np.array(texts), pd.Series(texts)):
        keys = keys_given(given, len(texts))
        assert keys.tolist() == [fnv1a(text) for text in texts]
    assert keys_given(np.array([b"7", b"007"]), 2).tolist() == [7, fnv1a("007")]


TEXT_KEYS = ["007", "7", "7.0", "+7", "-7", "customer-4711", "Zürich", "18446744073709551616"]


def test_the_program_has_the_same_keys(tmp_path):
    program = Path(sysconfig.get_path("scripts")) / "lbw"
    rng = np.random.default_rng(0)
    n = 40 * len(TEXT_KEYS)
    frame = pd.DataFrame(
        {"id": TEXT_KEYS * 40, "age": rng.integers(0, 4, n), "size": rng.integers(0, 2, n)}
    )
    features = frame[["age", "size"]].astype(float)
    groups = np.repeat(["a", "b"], n // 2)
    options = {"n_components": 2, "map": "random", "dither": "auto"}
    model = LocalTransport(**options).fit(features, groups, key=frame["id"])
    model.save(tmp_path / "m.safetensors")
    frame.to_csv(tmp_path / "in.csv", index=False)
    words = ["--from", "a", "--to", "b", "--key", "id", "-o", "out.csv"]
    subprocess.run(
        [program, "transport", "m.safetensors", "in.csv", *words], cwd=tmp_path, check=True
    )
    written = pd.read_csv(tmp_path / "out.csv", float_precision="round_trip")
    expected = model.transform(features, "a", to="b", key=frame["id"])
    assert written.columns.tolist() == ["id", "age", "size"]
    np.testing.assert_array_equal(written[["age", "size"]].to_numpy(), expected)
    # rows of equal values and different texts are drawn apart
    same = pd.DataFrame(1.0, index=range(len(TEXT_KEYS)), columns=["age", "size"])
    moved = model.transform(same, "a", to="b", key=TEXT_KEYS)
    assert len(np.unique(moved, axis=0)) == len(TEXT_KEYS)


def test_integers_count_modulo_two_to_the_64():
    values = [0, 1, -1, 2**63 - 1, -(2**63)]
    expected = [value % 2**64 for value in values]
    assert keys_given(values, 5).tolist() == expected
    assert keys_given(np.array(values, dtype=object), 5).tolist() == expected
    assert keys_given([2**64 + 5, -3, 2**64 - 1], 3).tolist() == [5, 2**64 - 3, 2**64 - 1]
    assert keys_given(np.array([7, -2], dtype=np.int8), 2).tolist() == [7, 2**64 - 2]
    assert keys_given(np.array([True, False]), 2).tolist() == [1, 0]
    assert keys_given([3.0, -1.0], 2).tolist() == [3, 2**64 - 1]
    assert keys_given([[1], [2]], 2).tolist() == [1, 2]
    assert keys_given("customer-1", 1).tolist() == [fnv1a("customer-1")]
    assert keys_given(np.array([], dtype=str), 0).tolist() == []


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ([1, 2], r"^key has the shape \(2,\), expected \(3,\): one key per row of X$"),
        (5, r"^key has the shape \(\), expected \(3,\): one key per row of X$"),
        ([1.0, 0.5, 2.0], r"^key holds 0\.5, expected whole numbers or strings, one kind for all"),
        ([1.0, np.nan, 2.0], "^key holds nan, expected whole numbers"),
        (["a", None, "b"], "^key holds None, expected whole numbers or strings"),
    ],
)
def test_other_keys_are_refused(key, words):
    with pytest.raises(ValueError, match=words):
        keys_given(key, 3)


def test_copies_are_numbered_within_their_group():
    random = np.random.default_rng(0)
    rows = random.integers(4, size=200).astype(np.uint64) + np.uint64(2**63)
    groups = random.choice(["a", "b", "c"], size=200)
    seen = {}
    expected = []
    for row, group in zip(rows.tolist(), groups.tolist(), strict=True):
        expected.append(seen.get((row, group), 0))
        seen[row, group] = expected[-1] + 1
    assert copies_before(rows, groups).tolist() == expected
    assert copies_before(np.arange(5, dtype=np.uint64), np.zeros(5)).tolist() == [0] * 5
    assert copies_before(rows[:0], groups[:0]).tolist() == []


class Repair(BaseEstimator):
    """The settings that a repair has."""

    def __init__(self, key_column=None, sensitive_columns=None):
        self.key_column = key_column
        self.sensitive_columns = sensitive_columns


def test_a_key_column_is_used_and_dropped():
    frame = pd.DataFrame({"id": ["p", "q", "p"], "x": [1.0, 2.0, 3.0], "sex": ["f", "m", "f"]})
    repair = Repair(key_column="id", sensitive_columns="sex")
    features, groups, keys = split_key_column(repair, frame, sensitive=True, reset=True)
    assert features.columns.tolist() == ["x"]
    assert groups.tolist() == ["f", "m", "f"]
    assert keys.tolist() == [fnv1a("p"), fnv1a("q"), fnv1a("p")]
    matrix = np.array([[1.0, 10.0], [2.0, 20.0]])
    repair = Repair(key_column=-1, sensitive_columns=None)
    features, groups, keys = split_key_column(repair, matrix, sensitive=False, reset=True)
    assert features.tolist() == [[1.0], [2.0]]
    assert groups is None
    assert keys.tolist() == [10, 20]
    with pytest.raises(ValueError, match="X has 3 features, but Repair is expecting 2 features"):
        split_key_column(repair, np.ones((2, 3)), sensitive=False, reset=False)


@pytest.mark.parametrize(
    ("key_column", "words"),
    [
        ("name", r"key_column: there is no column 'name'; expected one of \['id', 'x', 'sex'\]"),
        (3, "key_column: there is no column 3, X has 3 columns"),
        ("sex", "key_column='sex' is one of the sensitive_columns"),
        ("x", "key_column 'x' holds 0.5, expected whole numbers or strings"),
    ],
)
def test_bad_key_columns_say_why(key_column, words):
    frame = pd.DataFrame({"id": [1, 2], "x": [0.5, 2.0], "sex": ["f", "m"]})
    repair = Repair(key_column=key_column, sensitive_columns="sex")
    with pytest.raises(ValueError, match=words):
        split_key_column(repair, frame, sensitive=True, reset=True)


def test_something_must_be_left():
    repair = Repair(key_column="id", sensitive_columns="sex")
    frame = pd.DataFrame({"id": [1, 2], "sex": ["f", "m"]})
    with pytest.raises(ValueError, match="no columns left without key_column and sensitive_colum"):
        split_key_column(repair, frame, sensitive=True, reset=True)


def test_lists_of_large_integers_stay_apart():
    keys = [1, 2**63 + 1, 2**63 + 2, 2**63 + 3]
    assert keys_given(keys, 4).tolist() == keys
    with pytest.raises(ValueError, match="one kind for all rows"):
        keys_given([1, "a"], 2)
    with pytest.raises(ValueError, match=r"2\^53 or more as floats"):
        keys_given(np.array([2.0**53]), 1)

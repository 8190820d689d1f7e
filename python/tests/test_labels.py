# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from lbw._labels import distinct_labels, labels_of_rows


@pytest.mark.parametrize("n_labels", [1, 2, 15, 16, 17, 40])
@pytest.mark.parametrize("kind", [str, bytes, int, float, bool])
def test_distinct_labels_are_those_of_numpy(n_labels, kind):
    numbers = np.random.default_rng(n_labels).integers(0, n_labels, size=500)
    labels = numbers.astype(str) if kind is str else numbers.astype("S" if kind is bytes else kind)
    distinct = distinct_labels(labels)
    np.testing.assert_array_equal(distinct, np.unique(labels))
    assert distinct.dtype == labels.dtype


def test_labels_of_objects_become_texts():
    labels = labels_of_rows(np.array(["a", "bc", "a"], dtype=object), 3, "groups")
    assert labels.dtype.kind == "U"
    assert labels.tolist() == ["a", "bc", "a"]


@pytest.mark.parametrize("gap", [None, float("nan"), np.datetime64("NaT")])
def test_the_first_missing_label_is_named(gap):
    labels = np.array(["a", gap, "b", gap], dtype=object)
    with pytest.raises(ValueError, match=r"groups has no label at row 1 \(counted from 0\)"):
        labels_of_rows(labels, 4, "groups")

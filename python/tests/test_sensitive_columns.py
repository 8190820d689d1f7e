# SPDX-License-Identifier: MIT
"""Columns that hold groups and keys: by name or position, one or several."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from repair_samples import census
from sklearn.linear_model import LogisticRegression

from lbw import GroupRepair, ScoreRepair

NAMES = [3, 2, 1, 4]  # of hours, sex, years and number


def numbered(n: int = 600) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns whose names are integers other than their positions."""
    frame, income = census(n)
    frame["sex"] = (frame["sex"] == "m").astype(int)
    frame["number"] = np.arange(n)
    return frame.set_axis(NAMES, axis=1), income


def test_an_integer_is_a_name_where_names_are_integers(tmp_path):
    frame, _ = numbered()
    repair = GroupRepair(sensitive_columns=2, key_column=4).fit(frame)
    assert repair.groups_.tolist() == [0, 1]
    expected = GroupRepair(sensitive_columns=1, key_column=3).fit_transform(frame.to_numpy())
    np.testing.assert_array_equal(repair.transform(frame), expected)
    repair.save(tmp_path / "repair.safetensors")
    loaded = GroupRepair.load(tmp_path / "repair.safetensors")
    np.testing.assert_array_equal(loaded.transform(frame), expected)
    for fitted in (repair, loaded):
        with pytest.raises(ValueError, match=r"expected \[3, 2, 1, 4\], got \[1, 2, 3, 4\]"):
            fitted.transform(frame[[1, 2, 3, 4]])
        with pytest.raises(ValueError, match=r"sensitive column 2: group 7 at row 0 "):
            fitted.transform(frame.replace({2: {0: 7, 1: 7}}))


def test_scores_of_a_table_whose_names_are_integers():
    frame, income = numbered()
    model = LogisticRegression()
    repair = ScoreRepair(model, sensitive_columns=2, key_column=4).fit(frame, income)
    assert repair.groups_.tolist() == [0, 1]
    plain = ScoreRepair(model, sensitive_columns=1, key_column=3).fit(frame.to_numpy(), income)
    expected = plain.predict_proba(frame.to_numpy())
    np.testing.assert_allclose(repair.predict_proba(frame), expected, rtol=1e-12)


@pytest.mark.parametrize("parameter", ["sensitive_columns", "key_column"])
def test_an_integer_that_is_no_name_is_refused_where_names_are_integers(parameter):
    frame, _ = numbered()
    words = f"{parameter}: there is no column 0; the names of the columns of X are integers, "
    with pytest.raises(ValueError, match=words + r"expected one of \[3, 2, 1, 4\]. Give a name"):
        GroupRepair(**{"sensitive_columns": 2, parameter: 0}).fit(frame)


def test_names_that_are_positions_count_from_the_end_too():
    frame, _ = numbered()
    plain = pd.DataFrame(frame[[3, 1, 2]].to_numpy())
    repair = GroupRepair(sensitive_columns=-1).fit(plain)
    assert repair.groups_.tolist() == [0, 1]

# SPDX-License-Identifier: MIT
"""Errors of input that is no table of numbers: they name the column and what to do."""

from __future__ import annotations

import datetime
import re

import numpy as np
import pandas as pd
import polars
import pytest

from lbw import GroupRepair, LocalTransport

GROUPS = np.repeat(["a", "b"], 30)
DAYS = pd.date_range("2020-01-01", periods=60)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pd.array([True, None] * 30, dtype="boolean"), "column 'b' has no value at row 1 (counted"),
        (DAYS, "X has dates or times in 'b', expected numbers. Convert them, for instance to days"),
        (DAYS.date, "X has dates or times in 'b', expected numbers"),
        (DAYS - DAYS[0], "X has dates or times in 'b', expected numbers"),
        (pd.Categorical(np.arange(60) % 3), "X has categories in 'b', expected numbers. Convert"),
        (["u", "v"] * 30, "could not convert string to float: X has text in 'b'"),
    ],
)
def test_columns_that_are_no_numbers_are_named(column, words):
    table = pd.DataFrame({"a": np.arange(60.0), "b": column})
    for X in (table, table[["b"]]):
        with pytest.raises(ValueError, match=re.escape(words)):
            GroupRepair().fit(X, sensitive_features=GROUPS)
    with pytest.raises(ValueError, match=re.escape(words)):
        LocalTransport().fit(table, GROUPS)


def test_dates_of_polars_are_named():
    days = [datetime.date(2020, 1, 1 + i % 30) for i in range(60)]
    table = polars.DataFrame({"a": np.arange(60.0), "day": days})
    with pytest.raises(ValueError, match="X has dates or times in 'day', expected numbers"):
        LocalTransport().fit(table, GROUPS)


def test_a_group_without_weight_is_named():
    X = np.random.default_rng(0).normal(size=(60, 2))
    words = "sample_weight is 0 for all 30 rows of group 'a', expected 2 or more above 0. Give"
    with pytest.raises(ValueError, match=words):
        LocalTransport(1).fit(X, GROUPS, (GROUPS == "b").astype(float))


def test_groups_of_dates_cannot_be_saved(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2))
    days = np.where(GROUPS == "a", np.datetime64("2020-01-01"), np.datetime64("2021-01-01"))
    fitted = LocalTransport(1).fit(X, days)
    with pytest.raises(ValueError, match=r"labels of type date, as .* Convert the labels to str"):
        fitted.save(tmp_path / "model.safetensors")

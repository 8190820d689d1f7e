# SPDX-License-Identifier: MIT
"""Errors of input that is no table of numbers: they name the column and what to do."""

from __future__ import annotations

import datetime
import re

import numpy as np
import pandas as pd
import polars
import pytest

import lbw
from lbw import GaussianMixture, GroupRepair, LocalTransport

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


X = np.random.default_rng(0).normal(size=(60, 2))
TEXTS = [X.astype(str), X.astype(str).tolist(), np.where(X > 2, "3", X.astype(object))]


@pytest.mark.parametrize("texts", TEXTS, ids=["array", "list", "objects"])
def test_text_that_looks_like_numbers_is_refused(texts):
    words = "could not convert string to float: {} has text, as '.*', expected numbers. Encode"
    fitted = LocalTransport(1).fit(X, GROUPS)
    for call in (
        lambda: LocalTransport(1).fit(texts, GROUPS),
        lambda: fitted.transform(texts, GROUPS),
        lambda: GaussianMixture(1).fit(texts),
    ):
        with pytest.raises(ValueError, match=words.format("X")):
            call()
    with pytest.raises(ValueError, match=words.format("Xt")):
        lbw.transport(X, texts, 1)


def test_text_among_numbers_of_a_column_is_named():
    table = pd.DataFrame({"a": X[:, 0], "b": [*X[:59, 1], "3"]})
    with pytest.raises(ValueError, match="could not convert string to float: X has text in 'b'"):
        LocalTransport(1).fit(table, GROUPS)


def test_numbers_as_objects_are_taken():
    plain, objects = (LocalTransport(1).fit(x, GROUPS) for x in (X, X.astype(object)))
    np.testing.assert_array_equal(plain.mixtures_[0].means_, objects.mixtures_[0].means_)

# SPDX-License-Identifier: MIT
"""Errors of input that is no table of numbers: they name the column and what to do."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars
import pytest
from sklearn.linear_model import LogisticRegression

import lbw
from lbw import GaussianMixture, GroupRepair, LocalTransport
from lbw.metrics import (
    demographic_parity_gamma,
    group_auc,
    sliced_wasserstein,
    support_agreement,
)

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


@pytest.mark.filterwarnings("ignore:fit does not check", "ignore:Few rows")
def test_tables_whose_columns_have_numbers_as_names_are_taken():
    X = np.random.default_rng(0).normal(size=(60, 3))
    groups = np.repeat(["a", "b"], 30)
    table = pd.DataFrame(X)
    assert np.array_equal(GaussianMixture(1).fit(table).means_, GaussianMixture(1).fit(X).means_)
    moved = LocalTransport(1).fit(table, groups).transform(table, groups)
    assert np.array_equal(moved, LocalTransport(1).fit(X, groups).transform(X, groups))
    GroupRepair(check_samples=0, refine=0).fit(table, sensitive_features=groups)
    table[1] = table[1].astype(object)
    assert np.array_equal(GaussianMixture(1).fit(table).means_, GaussianMixture(1).fit(X).means_)
    table.loc[7, 2] = np.nan
    with pytest.raises(ValueError, match="column '2' has no value at row 7"):
        GaussianMixture(1).fit(table)


def test_numbers_as_objects_are_taken():
    plain, objects = (LocalTransport(1).fit(x, GROUPS) for x in (X, X.astype(object)))
    np.testing.assert_array_equal(plain.mixtures_[0].means_, objects.mixtures_[0].means_)


SCORES = X[:, 0]
CLASSES = np.arange(60) % 2


EIGHT = np.arange(60) % 8  # groups


def masked(values: np.ndarray) -> np.ma.MaskedArray:
    """Return the values with a mask at row 7."""
    mask = np.zeros(values.shape, dtype=bool)
    mask[7] = True
    return np.ma.masked_array(values, mask)


def score_repair(X: Any = X, y: Any = CLASSES, groups: Any = GROUPS, weights: Any = None) -> Any:
    """Fit a repair of scores."""
    repair = lbw.ScoreRepair(LogisticRegression(), cv=2)
    return repair.fit(X, y, weights, sensitive_features=groups)


def eight_groups() -> LocalTransport:
    """Fit a transport between eight groups."""
    return LocalTransport(1, relative_covariance_floor=0.1).fit(X, EIGHT)


MASKED: dict[str, tuple[str, Callable[[], Any]]] = {
    "mixture": ("X", lambda: GaussianMixture(1).fit(masked(X))),
    "weights": ("sample_weight", lambda: GaussianMixture(1).fit(X, sample_weight=masked(SCORES))),
    "transport": ("X", lambda: LocalTransport(1).fit(masked(X), GROUPS)),
    "labels": ("groups", lambda: LocalTransport(1).fit(X, masked(GROUPS))),
    "source": ("Xs", lambda: LocalTransport(1).fit(Xs=masked(X), Xt=X)),
    "function": ("Xs", lambda: lbw.transport(masked(X), X, 1)),
    "batches": ("the batch at row 0", lambda: GaussianMixture(1).fit(lbw.Batches([masked(X)]))),
    "repair": ("X", lambda: GroupRepair().fit(masked(X), sensitive_features=GROUPS)),
    "sensitive features": (
        "sensitive_features",
        lambda: GroupRepair().fit(X, sensitive_features=masked(GROUPS)),
    ),
    "sensitive column": (
        "X",
        lambda: GroupRepair(sensitive_columns=0).fit(masked(np.column_stack([CLASSES, X]))),
    ),
    "keys": (
        "key",
        lambda: GroupRepair().fit(X, sensitive_features=GROUPS, key=masked(CLASSES)),
    ),
    "score repair": ("X", lambda: score_repair(masked(X))),
    "classes": ("y", lambda: score_repair(y=masked(CLASSES))),
    "groups of scores": ("sensitive_features", lambda: score_repair(groups=masked(GROUPS))),
    "parity": (
        "demographic_parity_gamma: y_score",
        lambda: demographic_parity_gamma(masked(SCORES), GROUPS),
    ),
    "groups of parity": (
        "demographic_parity_gamma: groups",
        lambda: demographic_parity_gamma(SCORES, masked(GROUPS)),
    ),
    "sliced": ("Y", lambda: sliced_wasserstein(X, masked(X))),
    "auc": ("X", lambda: group_auc(masked(X), X)),
    "support": (
        "support_agreement: points",
        lambda: support_agreement(masked(X), np.ones((9, 9), dtype=bool)),
    ),
    "weights of a barycenter": (
        "weights",
        lambda: eight_groups().barycenter(masked(np.ones(8))),
    ),
    "target": (
        "weights",
        lambda: eight_groups().transform(X, EIGHT, to=masked(np.ones(8))),
    ),
    "given start": (
        "The parameter 'means'",
        lambda: GaussianMixture(8, means_init=masked(X[:8])).fit(X),
    ),
}


@pytest.mark.parametrize("name", MASKED)
def test_masked_values_are_refused(name):
    argument, call = MASKED[name]
    words = rf"{argument} is a masked array, and \d+ of its \d+ values are masked, the first at "
    with pytest.raises(ValueError, match=f"^{words}row 7 .*Fill them with filled"):
        call()


def test_masked_arrays_without_masked_values_are_taken():
    whole = np.ma.masked_array(X, np.zeros(X.shape, dtype=bool))
    plain, other = (GaussianMixture(1).fit(x) for x in (X, whole))
    np.testing.assert_array_equal(plain.means_, other.means_)
    labels = np.ma.masked_array(GROUPS)
    assert LocalTransport(1).fit(whole, labels).groups_.tolist() == ["a", "b"]
    value = demographic_parity_gamma(SCORES, GROUPS).value
    assert demographic_parity_gamma(whole[:, 0], labels).value == value


HOURS = (X * 100).astype("m8[h]")
DATES = [HOURS, np.datetime64("2020-01-01T00") + HOURS, HOURS.astype(object)]


@pytest.mark.parametrize("dates", DATES, ids=["durations", "dates", "objects"])
def test_arrays_of_dates_are_refused(dates):
    words = " has dates or times, as '.*', expected numbers. Convert them, for instance to days"
    grouped = np.column_stack([CLASSES.astype(object), dates.astype(object)])
    for argument, call in (
        ("X", lambda: LocalTransport(1).fit(dates, GROUPS)),
        ("X", lambda: LocalTransport(1).fit(X, GROUPS).transform(dates, GROUPS)),
        ("X", lambda: GaussianMixture(1).fit(dates)),
        ("X", lambda: GroupRepair().fit(dates, sensitive_features=GROUPS)),
        ("X", lambda: GroupRepair(sensitive_columns=0).fit(grouped)),
        ("Xs", lambda: lbw.transport(dates, X, 1)),
        ("Y", lambda: group_auc(X, dates)),
        ("y_score", lambda: demographic_parity_gamma(dates[:, 0], GROUPS)),
    ):
        with pytest.raises(ValueError, match=argument + words):
            call()


def test_scores_as_text_are_refused():
    words = "demographic_parity_gamma: y_score has text, as '.*', expected numbers"
    for scores in (SCORES.astype(str), pd.Series(SCORES.astype(str)), SCORES.astype(str).tolist()):
        with pytest.raises(ValueError, match=words):
            demographic_parity_gamma(scores, GROUPS)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (np.where(np.arange(60) == 4, np.nan, X[:, 1]), "contains NaN: column 'b' has no value at"),
        (np.where(np.arange(60) == 4, np.inf, X[:, 1]), "infinity .* It is inf in column 'b' at"),
        (
            pd.array([*X[:4, 1], None, *X[5:, 1]], dtype="double[pyarrow]"),
            "column 'b' has no value",
        ),
        (pd.array([1] * 4 + [None] + [2] * 55, dtype="Int64"), "column 'b' has no value at row 4"),
        (
            pd.Series([1.0] * 4 + [pd.NA] * 56, dtype=object),
            r"NaN: column 'b' has no value at row 4 \(counted from 0\), expected numbers. Fill the",
        ),
        (
            pd.period_range("2020-01", periods=60, freq="M"),
            "values of type Period in 'b', expected",
        ),
        (
            pd.interval_range(0, 60),
            "values of type Interval in 'b', expected numbers. Convert them",
        ),
        (
            pd.Series([1.0] * 59 + [(1.0, 2.0)], dtype=object),
            "values of type tuple in 'b', expected numbers",
        ),
        (
            pd.Series([np.datetime64("2020-01-01")] * 60, dtype=object),
            "dates or times in 'b', expected numbers",
        ),
        (pd.array([b"1"] * 60, dtype="binary[pyarrow]"), "values of type bytes in 'b', expected"),
    ],
)
def test_columns_of_missing_and_strange_values_are_named(column, words):
    table = pd.DataFrame({"a": X[:, 0], "g": GROUPS, "b": column})
    with pytest.raises(ValueError, match=words):
        LocalTransport(1).fit(table[["a", "b"]], GROUPS)
    with pytest.raises(ValueError, match=words):
        GroupRepair(sensitive_columns="g").fit(table)


def test_missing_values_of_pandas_in_arrays_are_numbered():
    values = X[:, :2].astype(object)
    values[3, 1] = pd.NA
    words = r"Input {} contains NaN: it has no value at row 3 \(counted from 0\), expected numbers"
    with pytest.raises(ValueError, match=words.format("X")):
        LocalTransport(1).fit(values, GROUPS)
    with pytest.raises(ValueError, match=words.format("Xt")):
        lbw.transport(X[:, :2], pd.DataFrame(values))


@pytest.mark.parametrize(
    ("values", "kind"), [([b"1"] * 60, "bytes"), ([[1.0]] * 60, "list"), ([{"c": 1}] * 60, "dict")]
)
def test_columns_of_polars_and_arrow_that_are_no_numbers_are_named(values, kind):
    table = polars.DataFrame({"a": X[:, 0], "b": values})
    for own in (table, table.to_arrow()):
        with pytest.raises(ValueError, match=f"X has values of type {kind} in 'b', expected numb"):
            LocalTransport(1).fit(own, GROUPS)


def test_columns_of_arrays_with_nan_are_numbered():
    missing = X.copy()
    missing[7, 1] = np.nan
    with pytest.raises(ValueError, match=r"contains NaN. It is nan in column 1 at row 7 \(counted"):
        GaussianMixture(1).fit(missing)
    missing[7, 1] = np.inf
    table = np.column_stack([CLASSES, X[:, 0], np.arange(60), missing[:, 1]])
    for given in (table, pd.DataFrame(table, columns=[9, 7, 8, 3])):
        whole = isinstance(given, np.ndarray)
        repair = GroupRepair(sensitive_columns=0 if whole else 9, key_column=2 if whole else 8)
        with pytest.raises(ValueError, match=r"It is inf in column 3 at row 7 \(counted"):
            repair.fit(given)


def test_a_lazy_table_is_to_be_collected():
    table = polars.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    with pytest.raises(TypeError, match=r"is a LazyFrame, expected a table in memory.*collect\(\)"):
        LocalTransport(1).fit(table.lazy(), GROUPS)


def test_means_of_different_numbers_of_features_are_named():
    words = "ms has 2 features and mt has 3, expected the same number"
    with pytest.raises(ValueError, match=words):
        lbw.bures_wasserstein_distance([0, 0], [0, 0, 0], np.eye(2), np.eye(3))


def test_groups_of_parity_that_are_no_groups_are_refused():
    score = np.random.default_rng(0).normal(size=400)
    words = "demographic_parity_gamma: groups has 400 distinct values in 400 rows, too many .* bin"
    with pytest.raises(ValueError, match=words):
        demographic_parity_gamma(score, score)


def test_weights_that_a_repair_was_not_refined_for_are_refused(tmp_path):
    X = np.random.default_rng(0).normal(size=(600, 2))
    repair = GroupRepair(check_samples=0).fit(X, sensitive_features=np.repeat(["a", "b"], 300))
    repair.save(tmp_path / "model.safetensors")
    repair.set_params(weights=[0.9, 0.1])
    words = r"are \[0.9, 0.1\], but fit refined the maps for \[0.5, 0.5\]. Fit again with these"
    with pytest.raises(ValueError, match=words):
        repair.transform(X, sensitive_features="a")
    with pytest.raises(ValueError, match=words):
        repair.save(tmp_path / "other.safetensors")
    assert not (tmp_path / "other.safetensors").exists()

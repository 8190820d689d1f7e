# SPDX-License-Identifier: MIT
"""Groups of GroupRepair: unseen, too many, small and equal ones."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from repair_samples import census
from sklearn.linear_model import LogisticRegression

from lbw import GroupRepair, LocalTransport, ScoreRepair

pytestmark = pytest.mark.filterwarnings("ignore:fit does not check the repair")


def with_strangers(n: int = 400) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray]:
    """Rows to fit, and new ones of which every third is of a group that the fit has not."""
    frame, _ = census(n)
    new, _ = census(90, seed=1)
    strange = np.arange(90) % 3 == 0
    new.loc[strange, "sex"] = "x"
    return frame, new, strange


def test_an_unseen_group_raises_with_column_row_and_value():
    frame, new, _ = with_strangers()
    repair = GroupRepair(sensitive_columns="sex").fit(frame)
    words = (
        r"sensitive column 'sex': group 'x' at row 0 \(counted from 0\) was not seen in fit, "
        r"expected one of \['f', 'm'\]. handle_unknown='ignore' leaves such rows as they are, "
        r"'barycenter' treats them by the groups that they resemble"
    )
    with pytest.raises(ValueError, match=words):
        repair.transform(new)
    by_argument = GroupRepair().fit(frame[["hours", "years"]], sensitive_features=frame["sex"])
    with pytest.raises(ValueError, match="sensitive_features: group 'x' at row 0"):
        by_argument.transform(new[["hours", "years"]], sensitive_features=new["sex"])
    with pytest.raises(ValueError, match="sensitive_features: group 'x' at row 0"):
        by_argument.transform(new[["hours", "years"]], sensitive_features="x")


def test_rows_of_unseen_groups_may_stay(tmp_path):
    frame, new, strange = with_strangers()
    repair = GroupRepair(sensitive_columns="sex", handle_unknown="ignore").fit(frame)
    repaired = repair.transform(new)
    raw = new[["hours", "years"]].to_numpy()
    np.testing.assert_array_equal(repaired[strange], raw[strange])
    np.testing.assert_array_equal(repaired[~strange], repair.transform(new[~strange]))
    repair.save(tmp_path / "repair.safetensors")
    loaded = GroupRepair.load(tmp_path / "repair.safetensors")
    np.testing.assert_array_equal(loaded.transform(new), repaired)
    with pytest.raises(ValueError, match="was not seen in fit"):
        repair.set_params(handle_unknown="error").transform(new)


def test_rows_of_unseen_groups_go_where_the_groups_they_resemble_go():
    frame, new, strange = with_strangers()
    repair = GroupRepair(2, sensitive_columns="sex", handle_unknown="barycenter").fit(frame)
    repaired = repair.transform(new)
    np.testing.assert_array_equal(repaired[~strange], repair.transform(new[~strange]))
    rows = new[["hours", "years"]].to_numpy()[strange]
    densities = np.exp([m.score_samples(rows) for m in repair.transport_.mixtures_])
    probability = (densities / densities.sum(axis=0))[:, :, np.newaxis]
    places = [repair.transform(new[strange].assign(sex=sex)) for sex in ("f", "m")]
    np.testing.assert_allclose(repaired[strange], (probability * places).sum(axis=0), rtol=1e-12)


def test_labels_of_another_type_are_refused_even_if_unknown_ones_are_not():
    frame, _ = census()
    frame["sex"] = (frame["sex"] == "m").astype(int)
    repair = GroupRepair(sensitive_columns="sex", handle_unknown="ignore").fit(frame)
    words = "it is of type str, the groups of the fit are of type int, as 0. Give labels of that"
    with pytest.raises(ValueError, match=words):
        repair.transform(frame.assign(sex=frame["sex"].astype(str)))


def test_a_table_without_any_known_group_is_left_as_it_is_with_a_warning():
    frame, _ = census()
    repair = GroupRepair(sensitive_columns="sex", handle_unknown="ignore").fit(frame)
    upper = frame.assign(sex=frame["sex"].str.upper())
    words = f"no row is of a group of the fit, so all {len(frame)} rows are left as they are. The"
    with pytest.warns(UserWarning, match=words) as caught:
        repaired = repair.transform(upper)
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(repaired, frame[["hours", "years"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        repair.transform(upper.head(1))  # one row of an unknown group is nothing special
        repair.transform(pd.concat([upper, frame.head(1)]))


def test_columns_of_too_many_values_are_no_groups():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 2))
    income = rng.normal(size=900)
    words = (
        "has 900 distinct values in 900 rows, too many to be groups (at most 20). Give a column of "
        "categories or bin the values first; if these numbers are categories, convert them to text"
    )
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "income": income})
    for repair, args in [
        (GroupRepair(sensitive_columns="income"), (table,)),
        (ScoreRepair(LogisticRegression(), sensitive_columns="income"), (table, income > 0)),
    ]:
        with pytest.raises(
            ValueError, match=re.escape(f"sensitive_columns: column 'income' {words}")
        ):
            repair.fit(*args)
    with pytest.raises(ValueError, match=re.escape(f"sensitive_columns: column 2 {words}")):
        GroupRepair(sensitive_columns=2).fit(table.to_numpy())
    with pytest.raises(ValueError, match=re.escape(f"sensitive_features {words}")):
        GroupRepair().fit(X, sensitive_features=income)
    with pytest.raises(ValueError, match=re.escape(f"groups {words}")):
        LocalTransport().fit(X, income)
    whole = np.arange(900) % 31  # the root of 900 is 30
    with pytest.raises(ValueError, match=r"31 distinct values in 900 rows.*at most 30"):
        LocalTransport(1).fit(X, whole)
    assert len(LocalTransport(1).fit(X, whole.astype(str)).groups_) == 31
    text = np.array([f"id {i % 91}" for i in range(900)])
    with pytest.raises(ValueError, match=r"91 distinct values in 900 rows.*\(at most 90\).*first$"):
        LocalTransport(1).fit(X, text)
    two = pd.DataFrame({"a": np.arange(900) % 10, "b": np.arange(900) // 10 % 10})
    with pytest.raises(ValueError, match="combination of columns 'a', 'b' has 100 distinct"):
        GroupRepair().fit(X, sensitive_features=two)


@pytest.mark.filterwarnings("ignore:Few rows of groups")
@pytest.mark.parametrize("n_features", [1, 5, 20])
@pytest.mark.parametrize("n_samples", [5, 10, 30, 100])
def test_a_small_group_of_the_same_distribution_stays_about_where_it_is(n_samples, n_features):
    rng = np.random.default_rng(n_samples + 1000 * n_features)
    X = rng.normal(size=(1000 + n_samples, n_features))
    groups = np.repeat(["large", "small"], [1000, n_samples])
    repair = GroupRepair().fit(X, sensitive_features=groups)
    fresh = rng.normal(size=(1000, n_features))
    assert 0.6 < repair.transform(fresh, sensitive_features="small").std() < 1.5
    assert 0.8 < repair.transform(fresh, sensitive_features="large").std() < 1.25


def test_a_group_of_one_row_is_refused_or_kept(tmp_path):
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(size=(400, 2)), rng.normal(1.0, 2.0, (300, 2)), [[9.0, 9.0]]])
    groups = np.repeat(["a", "b", "c"], [400, 300, 1])
    with pytest.raises(ValueError, match="group 'c' has 1 sample, expected 2 or more"):
        GroupRepair().fit(X, sensitive_features=groups)
    keeping = GroupRepair(small_groups="keep")
    with pytest.warns(UserWarning, match=r"Groups too small to fit \(1 sample\): c\."):
        keeping.fit(X, sensitive_features=groups)
    assert keeping.transport_.kept_groups_.tolist() == ["c"]
    fresh = 5.0 * rng.normal(size=(50, 2))
    np.testing.assert_array_equal(keeping.transform(fresh, sensitive_features="c"), fresh)
    without = GroupRepair().fit(X[:-1], sensitive_features=groups[:-1])
    expected = without.transform(fresh, sensitive_features="a")
    np.testing.assert_allclose(keeping.transform(fresh, sensitive_features="a"), expected)
    keeping.save(tmp_path / "kept.safetensors")
    loaded = GroupRepair.load(tmp_path / "kept.safetensors")
    assert loaded.get_params() == keeping.get_params()
    np.testing.assert_array_equal(loaded.transform(fresh, sensitive_features="c"), fresh)


def test_equal_groups_are_left_where_they_are():
    rng = np.random.default_rng(1)
    X, group = rng.normal(size=(4000, 3)), rng.integers(2, size=4000)
    repaired = GroupRepair(check_samples=0).fit_transform(X, sensitive_features=group)
    np.testing.assert_array_equal(repaired, X)


def test_few_rows_of_a_group_are_warned_of():
    rng = np.random.default_rng(2)
    X, group = rng.normal(size=(505, 2)), np.repeat(["large", "small"], [500, 5])
    with pytest.warns(UserWarning, match=r"Few rows of groups 'small' \(5 rows\)"):
        GroupRepair().fit(X, sensitive_features=group)

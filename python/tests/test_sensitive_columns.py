# SPDX-License-Identifier: MIT
"""Columns that hold groups and keys: by name or position, one or several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from repair_samples import census
from sklearn.linear_model import LogisticRegression

from lbw import Batches, GroupRepair, LocalTransport, ScoreRepair
from lbw.metrics import demographic_parity_gamma

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


def two_columns(n: int = 1600) -> pd.DataFrame:
    """Groups by sex and site, a text and an integer."""
    frame, _ = census(n)
    return frame.assign(site=np.random.default_rng(1).integers(1, 3, size=n))


def repairs_of(frame: pd.DataFrame) -> dict[str, Any]:
    """Transforms of repairs by sex and site that ignore unknown groups, one per way to fit."""
    rest, groups = frame[["hours", "years"]], frame[["sex", "site"]]
    params = {"handle_unknown": "ignore", "check_samples": 0}
    by_column = GroupRepair(sensitive_columns=["sex", "site"], **params).fit(frame)
    by_frame = GroupRepair(**params).fit(rest, sensitive_features=groups)
    by_array = GroupRepair(**params).fit(rest, sensitive_features=groups.to_numpy())
    return {
        "columns": by_column.transform,
        "frame": lambda f: by_frame.transform(rest, sensitive_features=f[["sex", "site"]]),
        "array": lambda f: by_array.transform(
            rest, sensitive_features=f[["sex", "site"]].to_numpy()
        ),
    }


@pytest.mark.parametrize("given", ["columns", "frame", "array"])
def test_values_of_several_columns_compare_as_those_of_one(given):
    frame = two_columns()
    transform = repairs_of(frame)[given]
    expected = transform(frame)
    assert not np.array_equal(expected, frame[["hours", "years"]])
    np.testing.assert_array_equal(transform(frame.astype({"site": float})), expected)
    words = r"value '\d' at row 0 .* it is of type str, the values of the fit are of type int, as 1"
    with pytest.raises(ValueError, match=words):
        transform(frame.astype({"site": str}))
    unknown = frame.assign(site=frame["site"].where(frame["sex"] == "f", 7))
    kept = transform(unknown)[frame["sex"] == "m"]
    np.testing.assert_array_equal(kept, frame.loc[frame["sex"] == "m", ["hours", "years"]])


def test_columns_of_a_frame_of_groups_are_found_by_name(tmp_path):
    frame = two_columns()
    rest, groups = frame[["hours", "years"]], frame[["sex", "site"]]
    repair = GroupRepair(handle_unknown="ignore", check_samples=0)
    repair.fit(rest, sensitive_features=groups)
    repair.save(tmp_path / "repair.safetensors")
    expected = repair.transform(rest, sensitive_features=groups)
    for fitted in (repair, GroupRepair.load(tmp_path / "repair.safetensors")):
        for given in (groups[["site", "sex"]], groups.to_numpy()):
            repaired = fitted.transform(rest, sensitive_features=given)
            np.testing.assert_array_equal(repaired, expected)
        for given, words in [
            (groups.rename(columns={"site": "place"}), r"has the columns \['sex', 'place'\], the"),
            (groups[["sex"]], r"has the columns \['sex'\], the fit had 2 columns, 'sex', 'site'"),
            (groups.assign(more=1).to_numpy(), "has 3 columns, the fit had 2 columns"),
            (groups["sex"], r"has a single value, '[fm]', at row 0 .* Give a value of every col"),
            (groups[["site", "sex"]].to_numpy(), "is of type int, the values of the fit are of"),
        ]:
            with pytest.raises(ValueError, match=words):
                fitted.transform(rest, sensitive_features=given)
        one = fitted.transform(rest, sensitive_features="sex=f, site=1")
        own = (groups["sex"] == "f") & (groups["site"] == 1)
        np.testing.assert_array_equal(one[own], expected[own])


def test_values_of_several_columns_of_scores_compare_as_those_of_one():
    frame, income = two_columns(), census(1600)[1]
    repair = ScoreRepair(LogisticRegression(), sensitive_columns=["sex", "site"])
    repair.set_params(handle_unknown="ignore").fit(frame, income)
    expected = repair.predict_proba(frame)
    np.testing.assert_array_equal(repair.predict_proba(frame.astype({"site": float})), expected)
    with pytest.raises(ValueError, match="is of type str, the values of the fit are of type int"):
        repair.predict_proba(frame.astype({"site": str}))


FORMS = {
    "frame": lambda groups: groups,
    "tuples": lambda groups: list(groups.itertuples(index=False, name=None)),
    "lists": lambda groups: groups.to_numpy(object).tolist(),
    "array": lambda groups: groups.to_numpy(object),
}


@pytest.mark.parametrize("fitted", FORMS)
@pytest.mark.parametrize("given", FORMS)
def test_columns_of_groups_may_be_given_in_any_form(fitted, given):
    frame, income = two_columns(800), census(800)[1]
    rest, groups = frame[["hours", "years"]], frame[["sex", "site"]]
    expected = GroupRepair(check_samples=0, refine=0).fit_transform(rest, sensitive_features=groups)
    repair = GroupRepair(check_samples=0, refine=0)
    repair.fit(rest, sensitive_features=FORMS[fitted](groups))
    assert [values.dtype.kind for values in repair._group_columns.values] == ["U", "i"]
    found = repair.transform(rest, sensitive_features=FORMS[given](groups))
    np.testing.assert_array_equal(found, expected)
    scores = ScoreRepair(LogisticRegression(), cv=2)
    known = scores.fit(rest, income, sensitive_features=groups).predict_proba(
        rest, sensitive_features=groups
    )
    scores.fit(rest, income, sensitive_features=FORMS[fitted](groups))
    found = scores.predict_proba(rest, sensitive_features=FORMS[given](groups))
    np.testing.assert_array_equal(found, known)


@pytest.mark.parametrize("key", [None, 1])
def test_rows_of_a_list_may_have_texts_for_groups_and_keys(key):
    frame, income = census(400)
    frame = frame[["sex", "hours", "years"]]
    frame.insert(1, "number", [f"k{i}" for i in range(400)])
    frame = frame if key == 1 else frame.drop(columns="number")
    rows = list(frame.itertuples(index=False, name=None))
    repair = GroupRepair(sensitive_columns="sex", key_column=key and "number", check_samples=0)
    expected = repair.fit_transform(frame)
    by_place = GroupRepair(sensitive_columns=0, key_column=key, check_samples=0).fit(rows)
    np.testing.assert_array_equal(by_place.transform(list(map(list, rows))), expected)
    assert by_place.groups_.tolist() == ["f", "m"]
    scores = ScoreRepair(LogisticRegression(), cv=2, sensitive_columns=0, key_column=key)
    scores.fit(rows, income).predict_proba(rows)
    with pytest.raises(ValueError, match="X has text, as 'tall', expected numbers"):
        by_place.fit([*rows[:-1], (*rows[-1][:-1], "tall")])
    with pytest.raises(ValueError, match=r"inhomogeneous|sequence"):
        by_place.fit([*rows[:-1], rows[-1][:-1]])


def test_columns_in_another_order_are_not_taken_for_each_other():
    frame = two_columns(800)
    rest, groups = frame[["hours", "years"]], frame[["sex", "site"]]
    repair = GroupRepair(check_samples=0, refine=0).fit(rest, sensitive_features=groups)
    swapped = [(site, sex) for sex, site in groups.itertuples(index=False, name=None)]
    with pytest.raises(ValueError, match="is of type int, the values of the fit are of type str"):
        repair.transform(rest, sensitive_features=swapped)
    columns = [groups["sex"].tolist(), groups["site"].tolist()]
    words = r"has the shape \(2, 800\), expected \(800, n_columns\)\. Give a row for every row"
    with pytest.raises(ValueError, match=words):
        repair.transform(rest, sensitive_features=columns)
    with pytest.raises(ValueError, match=words):
        GroupRepair().fit(rest, sensitive_features=columns)


def test_a_missing_label_in_a_list_is_no_text():
    frame = two_columns(800)
    rest, sex, score = frame[["hours", "years"]], frame["sex"].tolist(), frame["hours"]
    sex[5] = float("nan")
    pairs = list(zip(sex, frame["site"].tolist(), strict=True))
    words = r"no label at row 5 \(counted from 0\)"
    calls = [
        lambda groups: GroupRepair().fit(rest, sensitive_features=groups),
        lambda groups: ScoreRepair(LogisticRegression()).fit(
            rest, score > 0, sensitive_features=groups
        ),
        lambda groups: LocalTransport().fit(rest, groups),
        lambda groups: demographic_parity_gamma(score, groups),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=words):
            call(sex)
    for call in calls[:2]:
        with pytest.raises(ValueError, match=f"sensitive_features: column 0 has {words}"):
            call(pairs)
    for call in calls[2:]:
        with pytest.raises(ValueError, match=r"shape \(800, 2\)"):
            call(pairs)
    with pytest.raises(ValueError, match=r"labels of different types \(int, str\)"):
        calls[0](["f", 1] * 400)


def test_values_that_would_join_groups_are_refused():
    frame = two_columns(800)
    rest, female, first = frame[["hours", "years"]], frame["sex"] == "f", frame["site"] == 1
    # ("x, b=y", "z") and ("x", "y, b=z") would both be the group "a=x, b=y, b=z"
    groups = pd.DataFrame(
        {"a": np.where(first, "x, b=y", "x"), "b": np.where(female, "z", "y, b=z")}
    )
    words = r"column 'a' has the value 'x, b=y', which contains ', b=' and would make labels"
    with pytest.raises(ValueError, match=words):
        GroupRepair().fit(rest, sensitive_features=groups)
    with pytest.raises(ValueError, match=words):
        GroupRepair(sensitive_columns=["a", "b"]).fit(pd.concat([rest, groups], axis=1))
    table = pa.Table.from_pandas(pd.concat([rest, groups], axis=1))
    batches = Batches(table.to_batches(), features=["hours", "years"], group=["a", "b"])
    with pytest.raises(ValueError, match=words):
        LocalTransport(1).fit(batches)
    # in another order, the value cannot be taken for a column
    plain = groups.assign(b=np.where(female, "z", "y"))[["b", "a"]]
    names = GroupRepair(check_samples=0, refine=0).fit(rest, sensitive_features=plain).groups_
    assert len(names) == 4


def test_columns_of_groups_whose_names_are_equal_texts_are_refused():
    frame = two_columns(800)
    groups = frame[["sex", "site"]].set_axis([1, "1"], axis=1)
    with pytest.raises(ValueError, match=r"two columns of one name in \['1', '1'\]"):
        GroupRepair().fit(frame[["hours", "years"]], sensitive_features=groups)


def test_labels_of_structured_arrays_are_refused():
    frame = two_columns(800)
    records = frame[["sex", "site"]].astype({"sex": "S1"}).to_records(index=False)
    with pytest.raises(ValueError, match=r"has labels of type .* expected strings or numbers"):
        LocalTransport().fit(frame[["hours", "years"]], np.asarray(records))

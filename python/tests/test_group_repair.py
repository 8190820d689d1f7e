# SPDX-License-Identifier: MIT

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from repair_samples import census
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.fixes import parse_version

from lbw import GroupRepair, LocalTransport
from lbw.metrics import demographic_parity_gamma

pytestmark = pytest.mark.filterwarnings("ignore:fit does not check the repair")


def test_is_the_transport_to_the_barycenter():
    frame, _ = census()
    X, sex = frame[["hours", "years"]].to_numpy(), frame["sex"].to_numpy()
    repair = GroupRepair(n_components=2, amount=0.7, weights=[0.3, 0.7])
    repaired = repair.fit(X, sensitive_features=sex).transform(X, sensitive_features=sex)
    transport = LocalTransport(
        2,
        covariance_floor=0.0,
        relative_covariance_floor=0.1,
        map="random",
        refine=50,
        refine_weights=[0.3, 0.7],
        scale_features=True,
        group_shrinkage="auto",
    ).fit(X, sex)
    expected = transport.transform(X, sex, to=[0.3, 0.7], amount=0.7)
    np.testing.assert_array_equal(repaired, expected)
    assert repair.groups_.tolist() == ["f", "m"]


def test_repaired_data_hides_the_group():
    frame, income = census(3000)
    sex = frame["sex"].to_numpy()
    repaired = GroupRepair(sensitive_columns="sex").fit_transform(frame)
    raw = frame[["hours", "years"]].to_numpy()
    gamma = {}
    for name, X in (("raw", raw), ("repaired", repaired)):
        score = LogisticRegression().fit(X, income).predict_proba(X)[:, 1]
        gamma[name] = float(demographic_parity_gamma(score, sex, n_permutations=0, n_bootstraps=0))
    assert gamma["raw"] > 0.2
    assert gamma["repaired"] < 0.06
    np.testing.assert_allclose(
        repaired[sex == "f"].mean(axis=0), repaired[sex == "m"].mean(axis=0), atol=2e-3
    )


def test_both_ways_of_giving_groups_agree():
    frame, _ = census()
    plain = frame[["hours", "years"]]
    by_argument = GroupRepair().fit_transform(plain, sensitive_features=frame["sex"])
    by_name = GroupRepair(sensitive_columns="sex").fit_transform(frame)
    by_position = GroupRepair(sensitive_columns=1).fit_transform(frame.to_numpy())
    from_the_end = GroupRepair(sensitive_columns=[-2]).fit_transform(frame.to_numpy())
    for other in (by_name, by_position, from_the_end):
        np.testing.assert_array_equal(other, by_argument)


@pytest.mark.parametrize("table", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
def test_tables_of_every_kind(table):
    frame, _ = census(200)
    expected = GroupRepair(sensitive_columns="sex").fit_transform(frame)
    repair = GroupRepair(sensitive_columns="sex").fit(table(frame))
    np.testing.assert_array_equal(repair.transform(table(frame)), expected)
    assert repair.get_feature_names_out().tolist() == ["hours", "years"]
    assert repair.feature_names_in_.tolist() == ["hours", "sex", "years"]


def test_several_columns_give_a_group_for_each_combination():
    frame, _ = census()
    frame["old"] = np.arange(600) % 2 == 0
    repair = GroupRepair(sensitive_columns=["sex", "old"]).fit(frame)
    assert repair.groups_.tolist() == [
        "sex=f, old=False",
        "sex=f, old=True",
        "sex=m, old=False",
        "sex=m, old=True",
    ]
    rest = frame[["hours", "years"]]
    other = GroupRepair().fit(rest, sensitive_features=frame[["sex", "old"]])
    np.testing.assert_array_equal(
        other.transform(rest, sensitive_features=frame[["sex", "old"]]), repair.transform(frame)
    )


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_set_output_names_what_is_left(container):
    frame, _ = census(200)
    repair = GroupRepair(sensitive_columns="sex").set_output(transform=container)
    repaired = repair.fit_transform(frame)
    assert type(repaired).__module__.startswith(container)
    assert list(repaired.columns) == ["hours", "years"]


def grids() -> dict[str, list[int]]:
    return {"grouprepair__n_components": [1, 2, 3]}


@pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.8"),
    reason="scikit-learn before 1.8 does not route metadata to a pipeline's own score",
)
def test_grid_search_scores_are_the_same_both_ways():
    frame, income = census()
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    by_column = GridSearchCV(
        make_pipeline(GroupRepair(sensitive_columns="sex"), LogisticRegression()), grids(), cv=folds
    ).fit(frame, income)
    with sklearn.config_context(enable_metadata_routing=True):
        repair = GroupRepair()
        repair.set_fit_request(sensitive_features=True)
        repair.set_transform_request(sensitive_features=True)
        by_routing = GridSearchCV(
            make_pipeline(repair, LogisticRegression()), grids(), cv=folds
        ).fit(frame[["hours", "years"]], income, sensitive_features=frame["sex"].to_numpy())
        routed_scores = by_routing.cv_results_["mean_test_score"]
    np.testing.assert_array_equal(by_column.cv_results_["mean_test_score"], routed_scores)
    assert by_column.best_params_ == by_routing.best_params_
    assert len(set(routed_scores)) > 1


def test_scorers_reach_the_groups_through_a_column():
    frame, income = census()
    pipeline = make_pipeline(GroupRepair(sensitive_columns="sex"), LogisticRegression())

    def parity(estimator, X, y):
        score = estimator.predict_proba(X)[:, 1]
        return -float(demographic_parity_gamma(score, X["sex"], n_permutations=0, n_bootstraps=0))

    result = cross_validate(pipeline, frame, income, scoring={"auc": "roc_auc", "parity": parity})
    assert result["test_auc"].mean() > 0.7
    assert result["test_parity"].mean() > -0.25


def test_works_in_a_column_transformer_and_clones():
    frame, income = census()
    frame["untouched"] = 1.0
    columns = make_column_transformer(
        (GroupRepair(sensitive_columns="sex"), ["hours", "sex", "years"]), remainder="passthrough"
    )
    out = columns.fit_transform(frame)
    assert out.shape == (600, 3)
    assert columns.get_feature_names_out().tolist() == [
        "grouprepair__hours",
        "grouprepair__years",
        "remainder__untouched",
    ]
    pipeline = make_pipeline(columns, StandardScaler(), LogisticRegression()).fit(frame, income)
    again = clone(pipeline).fit(frame, income)
    np.testing.assert_array_equal(pipeline.predict_proba(frame), again.predict_proba(frame))


@pytest.mark.parametrize(
    ("params", "given", "words"),
    [
        ({}, False, "GroupRepair needs the groups. Pass sensitive_features="),
        ({"sensitive_columns": "sex"}, True, "sensitive_columns='sex' are both given"),
        (
            {"sensitive_columns": "gender"},
            False,
            r"there is no column 'gender'; expected one of \['hours', 'sex', 'years'\]",
        ),
        ({"sensitive_columns": 3}, False, "there is no column 3, X has 3 columns"),
        ({"sensitive_columns": [1, "sex"]}, False, "names a column twice"),
        ({"sensitive_columns": []}, False, "sensitive_columns is empty. Use None"),
        ({"sensitive_columns": [0, 1, 2]}, False, r"X has 3 feature\(s\), all sensitive_columns"),
        ({"sensitive_columns": "sex", "amount": 1.5}, False, "The 'amount' parameter"),
        (
            {"sensitive_columns": "sex", "weights": [1.0]},
            False,
            r"weights have the shape \(1,\), expected \(2,\)",
        ),
        (
            {"sensitive_columns": "sex", "n_components": 500},
            False,
            r"group 'f': fit_mixture: n_components = 500 exceeds the number of samples",
        ),
        ({"sensitive_columns": "hours"}, False, "sensitive_columns: column 'hours' has 600 dist"),
    ],
)
def test_bad_fits_say_why(params, given, words):
    frame, _ = census()
    repair = GroupRepair(**params)
    with pytest.raises(ValueError, match=words):
        repair.fit(frame, sensitive_features=frame["sex"] if given else None)
    with pytest.raises(NotFittedError):
        repair.transform(frame)


def test_unnamed_columns_and_one_label_for_all():
    frame, _ = census()
    unnamed = pd.DataFrame(frame.assign(sex=(frame["sex"] == "m").astype(float)).to_numpy())
    repair = GroupRepair(sensitive_columns=1).fit(unnamed)
    expected = GroupRepair(sensitive_columns=1).fit_transform(unnamed.to_numpy())
    np.testing.assert_array_equal(repair.transform(unnamed), expected)
    rest = frame[["hours", "years"]]
    apart = GroupRepair().fit(rest, sensitive_features=frame["sex"])
    women = rest[frame["sex"] == "f"]
    np.testing.assert_array_equal(
        apart.transform(women, sensitive_features="f"),
        apart.transform(women, sensitive_features=["f"] * len(women)),
    )


def test_missing_values_are_found():
    frame, _ = census()
    frame.loc[3, "hours"] = np.nan
    with pytest.raises(
        ValueError, match="Input X contains NaN: column 'hours' has no value at row 3"
    ):
        GroupRepair(sensitive_columns="sex").fit(frame)
    frame, _ = census()
    frame["sex"] = frame["sex"].astype(object)
    for gap in (None, pd.NA, np.nan):
        frame.loc[3, "sex"] = gap
        with pytest.raises(ValueError, match=r"column 'sex' has no label at row 3 "):
            GroupRepair(sensitive_columns="sex").fit(frame)


@pytest.mark.filterwarnings("ignore:GroupRepair.load and `lbw repair")
def test_saves_and_loads(tmp_path):
    frame, _ = census()
    repair = GroupRepair(2, amount=0.8, weights=[0.4, 0.6], sensitive_columns="sex").fit(frame)
    repair.save(tmp_path / "repair.safetensors")
    loaded = GroupRepair.load(tmp_path / "repair.safetensors")
    np.testing.assert_array_equal(loaded.transform(frame), repair.transform(frame))
    assert loaded.get_params() == {**repair.get_params(), "random_state": None}
    assert loaded.get_feature_names_out().tolist() == ["hours", "years"]


def test_a_repair_of_a_transport_file_keeps_the_names_of_features(tmp_path):
    frame, _ = census()
    features, sex = frame[["hours", "years"]], frame["sex"]
    LocalTransport(1).fit(features, sex).save(tmp_path / "t.safetensors")
    loaded = GroupRepair.load(tmp_path / "t.safetensors").set_output(transform="pandas")
    repaired = loaded.transform(features, sensitive_features=sex)
    assert repaired.columns.tolist() == ["hours", "years"]
    with pytest.raises(ValueError, match="feature names should match"):
        loaded.transform(features[["years", "hours"]], sensitive_features=sex)


def test_refinement_leads_to_the_weights_of_the_repair(tmp_path):
    frame, _ = census()
    repair = GroupRepair(sensitive_columns="sex", refine=5, weights=[0.3, 0.7]).fit(frame)
    repaired = repair.transform(frame)
    plain = GroupRepair(sensitive_columns="sex", refine=5).fit_transform(frame)
    assert not np.allclose(repaired, plain)
    repair.save(tmp_path / "r.safetensors")
    loaded = GroupRepair.load(tmp_path / "r.safetensors")
    np.testing.assert_array_equal(loaded.transform(frame), repaired)
    assert clone(repair).fit(frame).transform(frame) == pytest.approx(repaired)


def test_groups_may_choose_their_number_of_components(tmp_path):
    frame, _ = census()
    repair = GroupRepair(
        "bic", n_components_range=[1, 2], coupling="plan", sensitive_columns="sex"
    ).fit(frame)
    X, sex = frame[["hours", "years"]].to_numpy(), frame["sex"].to_numpy()
    transport = LocalTransport(
        "bic", n_components_range=[1, 2], covariance_floor=0.0, relative_covariance_floor=0.1
    ).fit(X, sex)
    assert repair.n_components_.tolist() == transport.n_components_.tolist() == [1, 1]
    assert repair.transport_.selection_["bic"].tolist() == transport.selection_["bic"].tolist()
    repair.save(tmp_path / "repair.safetensors")
    loaded = GroupRepair.load(tmp_path / "repair.safetensors")
    assert loaded.get_params() == repair.get_params()
    assert loaded.n_components_.tolist() == [1, 1]


@pytest.mark.filterwarnings("ignore:GroupRepair.load and `lbw repair")
def test_every_group_may_go_its_own_part_of_the_way(tmp_path):
    frame, _ = census()
    sex = frame["sex"].to_numpy()
    whole = GroupRepair(sensitive_columns="sex").fit(frame)
    half = GroupRepair(sensitive_columns="sex", amount={"f": 0.5, "m": 0.0}).fit(frame)
    raw = frame[["hours", "years"]].to_numpy()
    repaired = half.transform(frame)
    np.testing.assert_array_equal(repaired[sex == "m"], raw[sex == "m"])
    middle = (raw + whole.transform(frame)) / 2
    np.testing.assert_allclose(repaired[sex == "f"], middle[sex == "f"], atol=1e-12)
    half.save(tmp_path / "repair.safetensors")
    loaded = GroupRepair.load(tmp_path / "repair.safetensors")
    np.testing.assert_array_equal(loaded.transform(frame), repaired)
    assert loaded.get_params() == half.get_params()
    left_out = GroupRepair(sensitive_columns="sex", amount={"m": 0.0}).fit_transform(frame)
    np.testing.assert_array_equal(left_out[sex == "f"], whole.transform(frame)[sex == "f"])
    with pytest.raises(ValueError, match=r"amount names the groups \['x'\], expected some of"):
        GroupRepair(sensitive_columns="sex", amount={"x": 1.0}).fit(frame)
    with pytest.raises(ValueError, match="amount of group 'm' is 2, expected a number from 0 to 1"):
        GroupRepair(sensitive_columns="sex", amount={"m": 2}).fit(frame)


@pytest.mark.parametrize("covariance_type", ["full", "tied", "diag"])
def test_units_do_not_matter(covariance_type):
    rng = np.random.default_rng(0)
    group = np.repeat(["a", "b"], [600, 300])
    X = rng.normal(size=(900, 3)) + (group == "b")[:, None] * rng.exponential(size=(900, 3))
    units = np.array([2e6, 10.0, 0.01])  # a loan, an age and a rate
    params = {"covariance_type": covariance_type, "map": "hard"}
    plain = GroupRepair(**params).fit(X, sensitive_features=group)
    scaled = GroupRepair(**params).fit(X * units, sensitive_features=group)
    expected = plain.transform(X, sensitive_features=group)
    repaired = scaled.transform(X * units, sensitive_features=group) / units
    np.testing.assert_allclose(repaired, expected, atol=1e-9)


def test_a_boolean_keeps_its_spread():
    rng = np.random.default_rng(2)
    group = np.repeat([0, 1], 3000)
    X = (rng.random((6000, 1)) < np.where(group, 0.6, 0.3)[:, None]).astype(float)
    with warnings.catch_warnings():  # of values between 0 and 1, where no row is
        warnings.simplefilter("ignore", UserWarning)
        repair = GroupRepair(dither=0).fit(X, sensitive_features=group)
    for label in (0, 1):
        low, high = repair.transform([[0.0], [1.0]], sensitive_features=label).ravel()
        assert 0.9 < high - low < 1.1


def test_a_constant_column_stays_constant_and_out_of_the_repair():
    rng = np.random.default_rng(0)
    group = rng.integers(2, size=1000)
    X = np.exp(rng.normal(size=(1000, 2))) + group[:, None]
    wider = np.column_stack([X, np.full(1000, 3.0)])
    params = {"map": "hard", "check_samples": 0}
    plain = GroupRepair(**params).fit_transform(X, sensitive_features=group)
    repaired = GroupRepair(**params).fit_transform(wider, sensitive_features=group)
    assert np.unique(repaired[:, 2]).tolist() == [3.0]
    np.testing.assert_allclose(repaired[:, :2], plain, atol=1e-3)


@pytest.mark.parametrize("named", [True, False])
def test_a_column_of_identifiers_is_named(named):
    frame, _ = census()
    frame["id"] = 1_000_000 + np.random.default_rng(0).permutation(600)
    frame["sex"] = (frame["sex"] == "m").astype(float)
    X = frame if named else frame.to_numpy()
    repair = GroupRepair(sensitive_columns=1, check_samples=0, refine=0)
    name = "id" if named else "x3"
    with pytest.warns(UserWarning, match=rf"Columns \['{name}'\] have a different whole number"):
        repair.fit(X)
    repair.set_params(key_column=3).fit(X)  # without a warning


@pytest.mark.parametrize(
    ("values", "n"),
    [
        (lambda rng: np.arange(49.0), 49),
        (lambda rng: rng.permutation(np.repeat(np.arange(300.0), 2)), 600),
        (lambda rng: np.arange(600) + 0.5 * (np.arange(600) == 7), 600),
        (lambda rng: 1e20 * rng.normal(size=600), 600),  # no such number has a fraction
    ],
)
def test_other_columns_of_numbers_are_no_identifiers(values, n):
    rng = np.random.default_rng(0)
    X = np.column_stack([values(rng), rng.normal(size=n)])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        GroupRepair(check_samples=0, refine=0).fit(X, sensitive_features=np.arange(n) % 2)
    assert not [own for own in caught if "whole number" in str(own.message)]

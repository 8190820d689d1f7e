# SPDX-License-Identifier: MIT
"""Small and unseen groups of ScoreRepair, and calls that are refused."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ks_2samp, spearmanr
from score_samples import FEATURES, by_column, census, gamma, noise_floor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from lbw import ScoreRepair


def with_few(n_few: int, seed: int, n: int = 1500, shift: float = 0.0) -> tuple[Any, Any]:
    """Rows of two groups of one distribution, one of them small; its features are shifted."""
    rng = np.random.default_rng([seed, n_few])
    few = np.arange(n) < n_few
    skill = rng.normal(size=n)
    hours = skill + rng.normal(size=n) + shift * few
    years = skill + shift * few
    frame = pd.DataFrame({"hours": hours, "sex": np.where(few, "f", "m"), "years": years})
    return frame, skill + 0.5 * rng.normal(size=n) > 0


@pytest.mark.parametrize("n_few", [5, 10, 20, 49])
@pytest.mark.parametrize("ensemble", [True, False])
def test_a_small_group_of_the_same_distribution_keeps_its_scores(n_few, ensemble):
    spreads, correlations, others = [], [], []
    for seed in range(8):
        frame, income = with_few(n_few, seed)
        fresh, _ = with_few(1000, seed + 100, n=2000)
        with pytest.warns(UserWarning, match=r"Few held-out rows of groups 'f' \(\d+ rows, gamma"):
            repair = by_column(ensemble=ensemble).fit(frame, income)
        raw = np.mean([c.predict_proba(fresh[FEATURES])[:, 1] for c in repair.classifiers_], axis=0)
        score = repair.predict_proba(fresh)[:, 1]
        own = (fresh["sex"] == "f").to_numpy()
        spreads.append(score[own].std() / raw[own].std())
        correlations.append(spearmanr(score[own], raw[own]).statistic)
        others.append(abs(score[~own] - raw[~own]).mean())
    # without shrinkage spreads are .64 to 1.21 and the others move by .04 to .22, with it by .013
    assert min(spreads) > 0.67
    assert max(spreads) < 1.5
    assert 0.95 < np.mean(spreads) < 1.05
    assert min(correlations) > 0.95
    assert np.mean(others) < 0.02


def test_a_small_group_that_differs_much_is_repaired():
    frame, income = with_few(49, 0, shift=4.0)
    fresh, _ = with_few(1000, 1, n=2000, shift=4.0)
    with pytest.warns(UserWarning, match=r"'f' \(49 rows, gamma 0\.22\)"):
        repair = by_column().fit(frame, income)
    raw = np.mean([c.predict_proba(fresh[FEATURES])[:, 1] for c in repair.classifiers_], axis=0)
    assert gamma(repair.predict_proba(fresh)[:, 1], fresh["sex"]) < 0.5 * gamma(raw, fresh["sex"])


# Before, gamma was .87 / sqrt(rows), .19 for the first case, and groups of 60 rows had no warning.
@pytest.mark.parametrize(
    ("n_few", "params"),
    [
        (20, {"cv": 5}),
        (20, {"cv": "prefit"}),
        (60, {"cv": 10}),
        (100, {"cv": 20}),
        (100, {"cv": 20, "ensemble": "mean"}),
    ],
    ids=str,
)
def test_the_warning_of_few_rows_says_how_far_from_parity_new_scores_are(n_few, params):
    said, found = [], []
    for seed in range(6):
        frame, income = with_few(n_few, seed, shift=2.5)
        fresh, _ = with_few(4000, seed + 100, n=8000, shift=2.5)
        model = LogisticRegression().fit(frame[FEATURES], income)
        with pytest.warns(UserWarning, match="Few held-out rows of groups 'f'") as caught:
            repair = by_column(model, **params).fit(frame, income)
        message = str(caught[0].message)
        assert ("lower cv" in message) == (params["cv"] != "prefit")
        said.append(float(re.search(r"gamma (\d\.\d+)\)", message)[1]))
        found.append(gamma(repair.predict_proba(fresh)[:, 1], fresh["sex"]))
    # the mean of six fits has a standard error of .02
    assert np.mean(said) == pytest.approx(np.mean(found), abs=0.06)


@pytest.mark.parametrize(("n_few", "cv"), [(100, 5), (200, 10)])
@pytest.mark.parametrize("shift", [0.0, 2.5])
def test_groups_that_are_repaired_well_have_no_warning(n_few, cv, shift):
    frame, income = with_few(n_few, 0, shift=shift)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        by_column(cv=cv).fit(frame, income)


def test_groups_too_small_to_repair_are_refused_or_kept():
    frame, income = census(6000)
    rare = frame.assign(sex=np.where(np.arange(6000) < 3, "x", frame["sex"]))
    with pytest.raises(ValueError, match=r"group 'x' has 3\. .* set small_groups='keep'"):
        by_column().fit(rare, income)
    with pytest.warns(UserWarning, match=r"too small to repair: x\. Their scores are left"):
        repair = by_column(small_groups="keep", ensemble=False).fit(rare, income)
    assert repair.groups_.tolist() == ["f", "m", "x"]
    assert repair.kept_groups_.tolist() == ["x"]
    raw = repair.classifiers_[0].predict_proba(frame[FEATURES])[:, 1]
    kept = repair.predict_proba(frame.assign(sex="x"))[:, 1]
    np.testing.assert_allclose(kept, raw, atol=1e-12)
    fresh, _ = census(2000, seed=1)
    assert gamma(repair.predict_proba(fresh)[:, 1], fresh["sex"]) < 2 * noise_floor(fresh["sex"])
    with pytest.raises(ValueError, match="A repair needs two or more"):
        by_column(small_groups="keep").fit(rare[rare["sex"] != "f"], income[rare["sex"] != "f"])


def test_equal_weights_shrink_small_groups_as_no_weights_do():
    frame, income = with_few(20, 3)
    model = LogisticRegression().fit(frame[FEATURES], income)
    tables = []
    for weights in (None, np.full(len(frame), 1e-3), np.full(len(frame), 1.0)):
        with pytest.warns(UserWarning, match="'f' .20 rows"):
            repair = by_column(model, cv="prefit").fit(frame, sample_weight=weights)
        tables.append(repair.quantiles_)
    np.testing.assert_allclose(tables[1], tables[0], atol=1e-9)
    np.testing.assert_allclose(tables[2], tables[0], atol=1e-9)


# A table of many equal weights is that of the rows, whatever the unit of the weights.
@pytest.mark.parametrize("n", [300, 2000])
def test_tables_depend_on_ratios_of_weights_only(n):
    frame, income = census(n)
    model = LogisticRegression().fit(frame[FEATURES], income)

    def tables(weights: Any) -> np.ndarray:
        return by_column(model, cv="prefit").fit(frame, sample_weight=weights).quantiles_

    plain = tables(None)
    uneven = np.random.default_rng(0).uniform(0.5, 2.0, size=n)
    for unit in (1.0, 0.01, 2.0, 100.0, 1e200):
        np.testing.assert_allclose(tables(np.full(n, unit)), plain, atol=1e-12)
        np.testing.assert_allclose(tables(unit * uneven), tables(uneven), atol=1e-12)


@pytest.mark.parametrize(
    ("params", "y", "words"),
    [
        ({"sensitive_columns": None}, None, "ScoreRepair needs the groups. Pass sensitive_featur"),
        ({"sensitive_columns": "hours"}, None, "column 'hours' has 600 distinct values in 600"),
        ({"sensitive_columns": "gender"}, None, "there is no column 'gender'; expected one of"),
        ({"weights": [1.0]}, None, r"weights have the shape \(1,\), expected \(2,\)"),
        ({"amount": 1.5}, None, "The 'amount' parameter"),
        ({"n_levels": 1}, None, "The 'n_levels' parameter"),
        ({"cv": 1}, None, "The 'cv' parameter"),
        ({"cv": "fitted"}, None, "The 'cv' parameter"),
        ({"ensemble": "yes"}, None, "The 'ensemble' parameter"),
        ({"cv": [(range(1, 600), [0])]}, None, "cv has a fold without rows of group '.'"),
        ({"key_column": "id"}, None, "key_column: there is no column 'id'; expected one of"),
        ({"key_column": "sex"}, None, "key_column='sex' is one of the sensitive_columns"),
        ({"key_column": "hours"}, None, "key_column 'hours' holds .*, expected whole numbers or"),
        ({"classifier": LinearSVC()}, None, "LinearSVC has no predict_proba, .* Wrap it: ScoreRep"),
        ({}, lambda frame: np.zeros(len(frame)), "y has a single class, 0.0, expected two"),
        ({}, lambda frame: frame["hours"], "Unknown label type: continuous"),
        ({}, lambda frame: np.arange(len(frame)) < 3, "5 or more rows of every class, but"),
        ({}, lambda frame: np.arange(len(frame) - 1) < 9, "inconsistent numbers of samples"),
        ({"cv": [(range(300), range(300, 600)), (range(300, 600), range(300))]}, lambda frame:
         np.arange(len(frame)) < 300, "one class"),
    ],
)  # fmt: skip
def test_bad_fits_say_why(params, y, words):
    frame, income = census()
    params = {"classifier": LogisticRegression(), "sensitive_columns": "sex", **params}
    repair = ScoreRepair(**params)
    with pytest.raises(ValueError, match=words):
        repair.fit(frame, income if y is None else y(frame))
    with pytest.raises(NotFittedError):
        repair.predict_proba(frame)


def test_more_bad_calls_say_why():
    frame, income = census()
    with pytest.raises(ValueError, match="The 'classifier' parameter"):
        by_column("svm").fit(frame, income)
    with pytest.raises(
        ValueError, match="sensitive_features and sensitive_columns='sex' are both given"
    ):
        by_column().fit(frame, income, sensitive_features=frame["sex"])
    with pytest.raises(ValueError, match=r"There is a single group, 'f'\. A repair needs two"):
        by_column().fit(frame.assign(sex="f"), income)
    rare = frame.assign(sex=np.where(np.arange(600) < 3, "x", frame["sex"]))
    words = "group 'x' has 3. Lower cv, join the group with another, set small_groups='keep', or"
    with pytest.raises(ValueError, match=words):
        by_column().fit(rare, income)
    with pytest.warns(UserWarning, match="Few held-out rows of groups 'x'"):
        assert by_column(cv=3).fit(rare, income).groups_.tolist() == ["f", "m", "x"]
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        by_column().fit(frame)
    with pytest.raises(NotFittedError, match="cv='prefit', but the LogisticRegression is not fit"):
        by_column(cv="prefit").fit(frame)
    with pytest.raises(
        ValueError, match="fit of KNeighborsClassifier does not accept sample_weight"
    ):
        by_column(KNeighborsClassifier()).fit(frame, income, sample_weight=np.ones(600))
    repair = by_column().fit(frame, income)
    with pytest.raises(ValueError, match="sensitive column 'sex': group 'x' at row 0"):
        repair.predict_proba(rare)
    with pytest.raises(TypeError, match="predict_proba got check, which needs metadata routing"):
        repair.predict_proba(frame, check=True)
    fitted = by_column(repair.classifiers_[0], cv="prefit")
    with pytest.raises(
        ValueError, match="cv='prefit' does not fit the classifier: remove check_input"
    ):
        fitted.fit(frame, check_input=True)


def test_scores_of_unseen_groups_stay_or_are_ranked_among_all():
    frame, income = census(2000)
    repair = by_column(LogisticRegression(), ensemble=False).fit(frame, income)
    new, _ = census(3000, seed=1)
    known = repair.predict_proba(new)[:, 1]
    strange = new.assign(sex=np.where(np.arange(3000) % 2, "x", new["sex"]))
    unknown = np.arange(3000) % 2 == 1
    raw = repair.classifiers_[0].predict_proba(new[["hours", "years"]])[:, 1]
    with pytest.raises(ValueError, match="sensitive column 'sex': group 'x' at row 1"):
        repair.predict_proba(strange)
    ignored = repair.set_params(handle_unknown="ignore").predict_proba(strange)[:, 1]
    np.testing.assert_array_equal(ignored[~unknown], known[~unknown])
    np.testing.assert_allclose(ignored[unknown], raw[unknown], rtol=1e-12)
    ranked = repair.set_params(handle_unknown="barycenter").predict_proba(strange)[:, 1]
    np.testing.assert_array_equal(ranked[~unknown], known[~unknown])
    order = np.argsort(raw[unknown])
    assert (np.diff(ranked[unknown][order]) >= 0).all()  # who is ahead stays ahead
    # rows from both groups in equal parts, without their labels, get the common distribution
    equal = np.sort(
        np.concatenate([np.flatnonzero(unknown & (new["sex"] == s))[:500] for s in "fm"])
    )
    gap = ks_2samp(ranked[equal], known[~unknown]).statistic
    assert gap < 0.06  # 1.36 * sqrt(1 / 1000 + 1 / 1500) is .056 at 5 %

# SPDX-License-Identifier: MIT
"""Groups, tables, weights and routing of ScoreRepair."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
import sklearn
from score_samples import FEATURES, by_column, census, gamma, noise_floor
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    StratifiedKFold,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.utils.fixes import parse_version

from lbw import GroupRepair, ScoreRepair
from lbw._repair.folds import folds_of


def test_both_ways_of_giving_groups_agree():
    frame, income = census(2000)
    expected = by_column().fit(frame, income).predict_proba(frame)
    plain, sex = frame[FEATURES], frame["sex"]
    apart = ScoreRepair(LogisticRegression()).fit(plain, income, sensitive_features=sex)
    np.testing.assert_array_equal(apart.predict_proba(plain, sensitive_features=sex), expected)
    matrix = frame.to_numpy()
    by_position = ScoreRepair(LogisticRegression(), sensitive_columns=-2).fit(matrix, income)
    np.testing.assert_allclose(by_position.predict_proba(matrix), expected)
    women = plain[sex == "f"]
    np.testing.assert_array_equal(
        apart.predict_proba(women, sensitive_features="f"), expected[sex == "f"]
    )
    assert apart.feature_names_in_.tolist() == FEATURES
    assert by_position.n_features_in_ == 3


@pytest.mark.parametrize("table", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
@pytest.mark.parametrize("in_columns", [True, False])
def test_tables_of_every_kind(table, in_columns):
    frame, income = census()
    expected = by_column().fit(frame, income).predict_proba(frame)
    if in_columns:
        repair = by_column().fit(table(frame), pl.Series(income))
        got = repair.predict_proba(table(frame))
        assert repair.feature_names_in_.tolist() == ["hours", "sex", "years"]
        with pytest.raises(ValueError, match="feature names should match"):
            repair.predict_proba(table(frame[["sex", "hours", "years"]]))
    else:
        sex = table(frame[["sex"]])
        repair = ScoreRepair(LogisticRegression())
        repair.fit(table(frame[FEATURES]), income, sensitive_features=sex)
        got = repair.predict_proba(table(frame[FEATURES]), sensitive_features=sex)
    np.testing.assert_allclose(got, expected, atol=1e-12)


def test_the_classifier_sees_what_is_left_as_it_is():
    """Texts and gaps are the classifier's matter, and so are sparse rows."""
    frame, income = census()
    frame["town"] = np.resize(["Ulm", "Bonn", "Kiel"], 600)
    frame.loc[::7, "hours"] = np.nan
    encode = make_column_transformer((OneHotEncoder(), ["town"]), remainder="passthrough")
    pipeline = make_pipeline(encode, HistGradientBoostingClassifier(max_iter=5))
    repair = by_column(pipeline).fit(frame, income)
    assert repair.classifiers_[0].feature_names_in_.tolist() == ["hours", "years", "town"]
    assert np.isfinite(repair.predict_proba(frame)).all()
    frame, income = census()
    sparse = scipy.sparse.csr_array(frame[FEATURES].to_numpy())
    apart = ScoreRepair(LogisticRegression()).fit(sparse, income, sensitive_features=frame["sex"])
    dense = by_column().fit(frame, income)
    np.testing.assert_allclose(
        apart.predict_proba(sparse, sensitive_features=frame["sex"]),
        dense.predict_proba(frame),
        atol=1e-3,
    )


def test_several_columns_and_groups():
    frame, income = census(3000)
    frame["old"] = np.arange(3000) % 2 == 0
    repair = ScoreRepair(LogisticRegression(), sensitive_columns=["sex", "old"]).fit(frame, income)
    assert repair.groups_.tolist()[0] == "sex=f, old=False"
    assert repair.quantiles_.shape == (5, 4, 257)
    score = repair.predict_proba(frame)[:, 1]
    assert gamma(score, frame["sex"] + frame["old"].astype(str)) < 0.06


def test_folds_share_out_every_group_and_class():
    rng = np.random.default_rng(0)
    y, groups = rng.random(503) < 0.1, rng.choice(["a", "b", "c"], p=[0.7, 0.27, 0.03], size=503)
    rows = np.arange(503.0)[:, None]
    folds = folds_of(4, rows, y, groups, seed=0, split_params={})
    assert np.array_equal(np.sort(np.concatenate([out for _, out in folds])), np.arange(503))
    for fit, out in folds:
        assert len(fit) + len(out) == 503
        assert not set(fit) & set(out)
    for label in ("a", "b", "c"):
        counts = [np.sum(groups[out] == label) for _, out in folds]
        assert np.ptp(counts) <= 1
        cells = [np.sum((groups[out] == label) & y[out]) for _, out in folds]
        assert np.ptp(cells) <= 1
    assert np.ptp([np.sum(y[out]) for _, out in folds]) <= 2
    other = folds_of(4, rows, y, groups, seed=1, split_params={})
    assert not np.array_equal(folds[0][1], other[0][1])


def test_weights_reach_the_classifier_and_the_tables():
    frame, income = census(2000)
    weights = np.random.default_rng(0).integers(1, 4, size=2000).astype(float)
    model = LogisticRegression()
    fit = np.arange(1500)
    single = [(fit, np.arange(1500, 2000))]
    repair = by_column(model, cv=single).fit(frame, income, sample_weight=weights)
    expected = LogisticRegression().fit(frame[FEATURES][:1500], income[:1500], weights[:1500])
    np.testing.assert_array_equal(repair.classifiers_[0].coef_, expected.coef_)
    halves = [(np.arange(1000), np.arange(1000, 2000)), (np.arange(1000, 2000), np.arange(1000))]
    both = by_column(model, cv=halves).fit(frame, income, sample_weight=weights)
    expected.fit(frame[FEATURES][1000:], income[1000:], weights[1000:])
    np.testing.assert_array_equal(both.classifiers_[1].coef_, expected.coef_)
    score = expected.predict_proba(frame[FEATURES][:1000])[:, 1]
    own = (frame["sex"] == "f").to_numpy()[:1000]
    prefit = by_column(expected, cv="prefit").fit(frame[:1000], sample_weight=weights[:1000])
    np.testing.assert_array_equal(both.quantiles_[1], prefit.quantiles_[0])
    assert prefit.quantiles_[0, 0, -1] == score[own].max()
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    named = by_column(pipeline, cv=single)
    named.fit(frame, income, logisticregression__sample_weight=weights)
    scaled = clone(pipeline).fit(
        frame[FEATURES][:1500], income[:1500], logisticregression__sample_weight=weights[:1500]
    )
    np.testing.assert_array_equal(named.classifiers_[0][-1].coef_, scaled[-1].coef_)
    heavy_women = np.where(frame["sex"] == "f", 0.0, 1.0)
    with pytest.raises(ValueError, match="sample_weight is 0 for every row of group 'f'"):
        by_column(model).fit(frame, income, sample_weight=heavy_women)


def test_grid_search_and_cross_validation_by_column():
    frame, income = census()
    as_is = FunctionTransformer()
    grid = {"scorerepair__classifier__C": [1e-4, 1.0], "scorerepair__amount": [0.0, 1.0]}

    def parity(estimator, X, y):
        return -gamma(estimator.predict_proba(X)[:, 1], X["sex"])

    pipeline = make_pipeline(as_is, by_column())
    search = GridSearchCV(pipeline, grid, scoring=parity, cv=3).fit(frame, income)
    assert search.best_params_["scorerepair__amount"] == 1.0
    result = cross_validate(by_column(), frame, income, scoring={"auc": "roc_auc", "p": parity})
    assert result["test_auc"].mean() > 0.75
    assert result["test_p"].mean() > -0.25


@pytest.mark.parametrize(
    ("model", "cv", "words"),
    [
        (LogisticRegression(), GroupKFold(5), r"groups reaches cv=GroupKFold\(n_splits=5"),
        (LogisticRegression(), 5, "groups was passed to fit, but fit of LogisticRegression does"),
        (make_pipeline(LogisticRegression()), 5, "fit of Pipeline does not accept it"),
    ],
)
def test_groups_of_rows_without_routing_name_the_ways_out(model, cv, words):
    frame, income = census()
    X, sex, people = frame[FEATURES].to_numpy(), frame["sex"].to_numpy(), np.arange(600) // 3
    remedy = r".*enable_metadata_routing=True\) and use a splitter .* or pass a list of splits"
    with pytest.raises(ValueError, match=words + remedy):
        ScoreRepair(model, cv=cv).fit(X, income, sensitive_features=sex, groups=people)
    splits = list(GroupKFold(5).split(X, income, people))
    by_list = ScoreRepair(model, cv=splits).fit(X, income, sensitive_features=sex)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = ScoreRepair(model, cv=GroupKFold(5))
        routed.fit(X, income, sensitive_features=sex, groups=people)
    scores = [repair.predict_proba(X, sensitive_features=sex) for repair in (by_list, routed)]
    np.testing.assert_array_equal(*scores)


def test_groups_reach_a_classifier_that_accepts_them():
    frame, income = census()
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=GroupKFold(3))
    repair = ScoreRepair(search, cv=3, sensitive_columns="sex")
    repair.fit(frame, income, groups=np.arange(600) // 3)
    assert len(repair.classifiers_) == 3


@pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.8"),
    reason="scikit-learn before 1.8 does not route metadata to a pipeline's own score",
)
def test_grid_search_scores_are_the_same_both_ways():
    frame, income = census()
    grid = {"scorerepair__classifier__C": [1e-4, 1e-2, 1.0]}
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    columns = GridSearchCV(make_pipeline(FunctionTransformer(), by_column()), grid, cv=folds)
    columns.fit(frame, income)
    with sklearn.config_context(enable_metadata_routing=True):
        repair = ScoreRepair(LogisticRegression())
        repair.set_fit_request(sensitive_features=True)
        repair.set_score_request(sensitive_features=True)
        routed = GridSearchCV(make_pipeline(FunctionTransformer(), repair), grid, cv=folds)
        routed.fit(frame[FEATURES], income, sensitive_features=frame["sex"].to_numpy())
    scores = columns.cv_results_["mean_test_score"]
    np.testing.assert_array_equal(scores, routed.cv_results_["mean_test_score"])
    assert len(set(scores)) > 1


@pytest.mark.filterwarnings("ignore:fit does not check the repair")
def test_routing_reaches_the_classifier_the_splitter_and_this_repair():
    frame, income = census()
    X, sex = frame[FEATURES].to_numpy(), frame["sex"].to_numpy()
    with sklearn.config_context(enable_metadata_routing=True):
        first = GroupRepair()
        first.set_fit_request(sensitive_features=True, sample_weight=False)
        first.set_transform_request(sensitive_features=True)
        model = LogisticRegression().set_fit_request(sample_weight=True)
        repair = ScoreRepair(make_pipeline(first, model), cv=GroupKFold(3), ensemble=False)
        repair.fit(X, income, np.ones(600), sensitive_features=sex, groups=np.arange(600) // 3)
        both = repair.predict_proba(X, sensitive_features=sex)
        assert repair.score(X, income, sensitive_features=sex) > 0.6
        predicted = repair.predict(X, sensitive_features=sex)
        strict = ScoreRepair(LogisticRegression())
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            strict.fit(X, income, np.ones(600), sensitive_features=sex)
        outer = make_pipeline(StandardScaler(), ScoreRepair(LogisticRegression()))
        with pytest.raises(UnsetMetadataPassedError, match="sensitive_features"):
            outer.fit(X, income, sensitive_features=sex)
        outer[-1].set_fit_request(sensitive_features=True)
        outer[-1].set_predict_proba_request(sensitive_features=True)
        piped = outer.fit(X, income, sensitive_features=sex)
        piped_scores = piped.predict_proba(X, sensitive_features=sex)
    fit, _ = next(GroupKFold(3).split(X, income, groups=np.arange(600) // 3))
    repaired = GroupRepair().fit_transform(X[fit], sensitive_features=sex[fit])
    expected = LogisticRegression().fit(repaired, income[fit]).predict_proba(repaired)
    inner = repair.classifiers_[0][-1].predict_proba(repaired)
    np.testing.assert_allclose(inner, expected, atol=1e-6)
    assert gamma(both[:, 1], sex) < 3 * noise_floor(sex)
    np.testing.assert_array_equal(predicted, repair.classes_[(both[:, 1] > 0.5).astype(int)])
    plain = ScoreRepair(make_pipeline(StandardScaler(), LogisticRegression()))
    plain.fit(X, income, sensitive_features=sex)
    # the scaler outside saw all rows, the one inside those of a fold; rows that are scaled apart
    # may go to another classifier
    assert gamma(piped_scores[:, 1], sex) < 3 * noise_floor(sex)
    ranks = [
        np.argsort(np.argsort(p[:, 1]))
        for p in (plain.predict_proba(X, sensitive_features=sex), piped_scores)
    ]
    assert np.corrcoef(ranks)[0, 1] > 0.95

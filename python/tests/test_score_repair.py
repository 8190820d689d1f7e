# SPDX-License-Identifier: MIT

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from score_samples import FEATURES, by_column, census, gamma, noise_floor
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

CLASSIFIERS = [
    make_pipeline(StandardScaler(), LogisticRegression()),
    HistGradientBoostingClassifier(max_iter=30, random_state=0),
    RandomForestClassifier(30, min_samples_leaf=5, random_state=0),
    DecisionTreeClassifier(max_depth=3, random_state=0),
    KNeighborsClassifier(15),
    MLPClassifier(20, max_iter=20, learning_rate_init=0.01, alpha=0.0, random_state=0),
]


@pytest.mark.parametrize("ensemble", [True, False])
@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda c: type(c).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_fresh_scores_do_not_tell_the_groups(classifier, ensemble):
    frame, income = census(6000)
    fresh, _ = census(2000, seed=1)
    repair = by_column(classifier, ensemble=ensemble).fit(frame, income)
    assert len(repair.classifiers_) == (5 if ensemble else 1)
    raw = np.mean([c.predict_proba(fresh[FEATURES])[:, 1] for c in repair.classifiers_], axis=0)
    repaired = repair.predict_proba(fresh)[:, 1]
    assert gamma(raw, fresh["sex"]) > 0.2
    assert gamma(repaired, fresh["sex"]) < 2 * noise_floor(fresh["sex"])
    for sex in () if ensemble else ("f", "m"):
        own = (fresh["sex"] == sex).to_numpy()
        order = np.lexsort((repaired[own], raw[own]))  # rows of equal score in any order
        assert (np.diff(repaired[own][order]) >= 0).all()  # nobody overtakes within a group
    assert repaired.min() >= 0.0
    assert repaired.max() <= 1.0


def test_every_row_is_scored_by_one_classifier():
    frame, income = census(3000)
    fresh, _ = census(900, seed=1)
    folds = list(StratifiedKFold(3, shuffle=True, random_state=0).split(frame, income))
    repair = by_column(cv=folds).fit(frame, income)
    assert repair.quantiles_.shape == (3, 2, 257)
    assert repair.common_quantiles_.shape == (3, 257)
    own = []
    for fit, out in folds:
        model = LogisticRegression().fit(frame[FEATURES].iloc[fit], income[fit])
        own.append(by_column(model, cv="prefit").fit(frame.iloc[out]).predict_proba(fresh)[:, 1])
    is_own = np.isclose(repair.predict_proba(fresh)[:, 1], own, rtol=0.0, atol=1e-12)
    assert is_own.any(axis=0).all()
    # a third each, in either group, by five standard deviations
    for sex in ("f", "m"):
        taken = is_own[:, (fresh["sex"] == sex).to_numpy()]
        assert (abs(taken.mean(axis=1) - 1 / 3) < 5 * 0.471 / np.sqrt(taken.shape[1])).all()
    mean = repair.set_params(ensemble="mean").predict_proba(fresh)[:, 1]
    np.testing.assert_allclose(mean, np.mean(own, axis=0), atol=1e-12)


def test_scores_of_training_rows_would_not_do():
    """Tables of an overfitted classifier's own rows are wrong; those of held-out rows are not."""
    frame, income = census(3000, seed=2)
    fresh, _ = census(3000, seed=1)
    forest = RandomForestClassifier(20, random_state=0)
    careless = by_column(forest.fit(frame[FEATURES], income), cv="prefit").fit(frame)
    careful = by_column(forest).fit(frame, income)
    parity = [gamma(r.predict_proba(fresh)[:, 1], fresh["sex"]) for r in (careless, careful)]
    assert parity[0] > 0.25  # worse than before the repair
    assert parity[1] < 2 * noise_floor(fresh["sex"])


def test_a_single_classifier_is_repaired_by_rows_held_out_of_it():
    frame, income = census()
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    repair = by_column(cv=cv, ensemble=False, weights={"f": 0.25, "m": 0.75}, n_levels=65)
    repair.fit(frame, income)
    (_, one), (_, two) = list(cv.split(frame, income))[:2]  # of five folds, two are held out
    held_out = np.isin(np.arange(600), np.concatenate([one, two]))
    model = LogisticRegression().fit(frame[FEATURES][~held_out], income[~held_out])
    score = model.predict_proba(frame[FEATURES])[:, 1]
    levels = np.linspace(0, 1, 65)
    expected = [
        np.quantile(score[held_out & (frame["sex"] == sex)], levels, method="hazen")
        for sex in ("f", "m")
    ]
    np.testing.assert_allclose(repair.quantiles_, [expected], atol=1e-12)
    common = 0.25 * expected[0] + 0.75 * expected[1]
    np.testing.assert_allclose(repair.common_quantiles_, [common], atol=1e-12)
    fresh, _ = census(200, seed=1)
    raw = model.predict_proba(fresh[FEATURES])[:, 1]
    inside = (raw > expected[0][0]) & (raw < expected[0][-1]) & (fresh["sex"] == "f")
    carried = np.interp(np.interp(raw[inside], expected[0], levels), levels, common)
    np.testing.assert_allclose(repair.predict_proba(fresh)[inside, 1], carried, atol=1e-12)
    assert inside.sum() > 50


def test_a_single_split_is_enough_for_a_single_classifier():
    frame, income = census(1500)
    split = (np.arange(400), np.arange(400, 1500))
    for ensemble in (True, False):
        repair = by_column(cv=[split], ensemble=ensemble).fit(frame, income)
        expected = LogisticRegression().fit(frame[FEATURES][:400], income[:400])
        np.testing.assert_array_equal(repair.classifiers_[0].coef_, expected.coef_)
    shuffled = by_column(cv=ShuffleSplit(4, random_state=0), ensemble=False).fit(frame, income)
    assert shuffled.quantiles_.shape == (1, 2, 257)


def test_amounts_go_from_the_classifier_to_the_full_repair():
    frame, income = census(1000)
    repair = by_column(amount=0.0, ensemble=False).fit(frame, income)
    (expected,) = repair.classifiers_
    np.testing.assert_array_equal(
        repair.predict_proba(frame), expected.predict_proba(frame[FEATURES])
    )
    np.testing.assert_array_equal(repair.predict(frame), expected.predict(frame[FEATURES]))
    several = by_column(amount=0.0).fit(frame, income)
    each = [c.predict_proba(frame[FEATURES])[:, 1] for c in several.classifiers_]
    one = several.predict_proba(frame)[:, 1]
    assert np.isclose(one, each, rtol=0.0, atol=1e-15).any(axis=0).all()
    mean = several.set_params(ensemble="mean").predict_proba(frame)[:, 1]
    np.testing.assert_allclose(mean, np.mean(each, axis=0), atol=1e-15)
    raw = repair.predict_proba(frame)
    scores = {}
    for amount in (0.25, 0.5, 0.75, 1.0):
        scores[amount] = repair.set_params(amount=amount).predict_proba(frame)[:, 1]
        again = (
            by_column(amount=amount, ensemble=False).fit(frame, income).predict_proba(frame)[:, 1]
        )
        np.testing.assert_array_equal(scores[amount], again)
    halfway = (raw[:, 1] + scores[1.0]) / 2
    touched = (scores[1.0] > 0.0) & (scores[1.0] < 1.0)
    np.testing.assert_allclose(scores[0.5][touched], halfway[touched], atol=1e-12)
    parity = [gamma(raw[:, 1], frame["sex"]), *(gamma(s, frame["sex"]) for s in scores.values())]
    assert (np.diff(parity) < 0).all()
    with pytest.raises(ValueError, match="amount"):
        repair.set_params(amount=2.0).predict_proba(frame)


def test_predicts_classes_over_one_half():
    frame, income = census()
    repair = by_column().fit(frame, income)
    probabilities = repair.predict_proba(frame)
    assert repair.classes_.tolist() == ["high", "low"]
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    predicted = repair.predict(frame)
    np.testing.assert_array_equal(predicted, np.where(probabilities[:, 1] > 0.5, "low", "high"))
    assert repair.score(frame, income) == pytest.approx(np.mean(predicted == income))
    weights = np.arange(600.0)
    expected = np.average(predicted == income, weights=weights)
    assert repair.score(frame, income, sample_weight=weights) == pytest.approx(expected)


def test_depends_on_the_seed_and_not_on_the_jobs():
    frame, income = census(400)
    forest = RandomForestClassifier(10, random_state=0)
    one, two, other = (
        by_column(forest, n_jobs=n_jobs, random_state=seed).fit(frame, income)
        for n_jobs, seed in ((1, 0), (2, 0), (1, 1))
    )
    np.testing.assert_array_equal(one.quantiles_, two.quantiles_)
    np.testing.assert_array_equal(one.predict_proba(frame), two.predict_proba(frame))
    assert not np.array_equal(one.quantiles_, other.quantiles_)
    np.testing.assert_array_equal(
        by_column().fit(frame, income).quantiles_, by_column().fit(frame, income).quantiles_
    )


def test_prefit_takes_the_classifier_as_it_is():
    frame, income = census(1000)
    unseen, _ = census(1000, seed=1)
    model = LogisticRegression().fit(frame[FEATURES], income)
    repair = by_column(model, cv="prefit").fit(unseen)
    assert repair.classifiers_ == [model]
    score = model.predict_proba(unseen[FEATURES])[:, 1]
    levels = np.linspace(0, 1, 257)
    expected = np.quantile(score[unseen["sex"] == "f"], levels, method="hazen")
    np.testing.assert_allclose(repair.quantiles_[0, 0], expected, atol=1e-12)
    assert gamma(repair.predict_proba(unseen)[:, 1], unseen["sex"]) < 0.01
    frozen = clone(by_column(FrozenEstimator(model), cv="prefit")).fit(unseen)
    np.testing.assert_array_equal(frozen.quantiles_, repair.quantiles_)
    weighted = by_column(model, cv="prefit").fit(unseen, sample_weight=np.arange(1000.0))
    assert not np.array_equal(weighted.quantiles_, repair.quantiles_)


def test_clones_and_pickles():
    frame, income = census()
    repair = by_column(amount=0.5, weights=[0.2, 0.8]).fit(frame, income)
    expected = repair.predict_proba(frame)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(repair)).predict_proba(frame), expected)
    again = clone(repair)
    with pytest.raises(NotFittedError):
        again.predict_proba(frame)
    np.testing.assert_array_equal(again.fit(frame, income).predict_proba(frame), expected)


def test_scores_stay_between_0_and_1_beyond_what_was_seen():
    frame, income = census()
    repair = by_column().fit(frame, income)
    far = pd.DataFrame({"hours": [-50.0, 50.0] * 2, "sex": list("ffmm"), "years": 0.0})
    score = repair.predict_proba(far)[:, 1]
    assert score.min() >= 0.0
    assert score.max() <= 1.0
    assert (score[::2] > score[1::2]).all()  # the second class is "low"

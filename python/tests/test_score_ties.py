# SPDX-License-Identifier: MIT
"""Rows of equal score, and the random numbers that spread them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy.sparse import csr_array
from score_samples import FEATURES, by_column, census, gamma, noise_floor
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from lbw import ScoreRepair
from lbw._input.row_draws import bits_of_rows, draws_of_rows
from lbw._repair.score_shrinkage import HeldOutScores
from lbw._repair.score_tables import learn_tables


def test_atoms_that_are_kept_go_to_one_place():
    frame, income = census()
    tree = DecisionTreeClassifier(max_depth=2)
    repair = by_column(tree, ties="keep", ensemble=False).fit(frame, income)
    raw = repair.classifiers_[0].predict_proba(frame[FEATURES])[:, 1]
    repaired = repair.predict_proba(frame)[:, 1]
    for sex in ("f", "m"):
        own = (frame["sex"] == sex).to_numpy()
        assert len(np.unique(repaired[own])) == len(np.unique(raw[own]))


def test_atoms_are_spread_over_their_share():
    classifier = KNeighborsClassifier(5)
    frame, income = census(6000)
    new, _ = census(4000, seed=1)
    left = {}
    for ties in ("keep", "spread"):
        repair = by_column(classifier, ties=ties, ensemble=False).fit(frame, income)
        left[ties] = gamma(repair.predict_proba(new)[:, 1], new["sex"])
    assert left["spread"] < 0.07 < left["keep"]
    raw = repair.classifiers_[0].predict_proba(new[FEATURES])[:, 1]
    score = repair.predict_proba(new)[:, 1]
    for sex in ("f", "m"):
        own = (new["sex"] == sex).to_numpy()
        ends = [
            (score[own & (raw == v)].min(), score[own & (raw == v)].max()) for v in set(raw[own])
        ]
        ends.sort()  # what was higher stays higher
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(ends))
    # a row goes to the same place in any batch and order, and on its own
    order = np.random.default_rng(2).permutation(len(new))
    again = repair.predict_proba(new.iloc[order])[:, 1]
    np.testing.assert_array_equal(again, score[order])
    np.testing.assert_array_equal(repair.predict_proba(new.iloc[:3])[:, 1], score[:3])
    other = by_column(classifier, random_state=7, cv="prefit")
    other.set_params(classifier=repair.classifiers_[0]).fit(frame, income)
    assert (other.predict_proba(new)[:, 1] != score).mean() > 0.2
    repair.amount = 0.0
    np.testing.assert_allclose(repair.predict_proba(new)[:, 1], raw, atol=1e-15)


def first_draws(features: Any, seed: int) -> np.ndarray:
    """Give the draws of rows whose key is 0."""
    bits = bits_of_rows(features, seed)
    return draws_of_rows(bits, np.zeros(len(bits), dtype=np.uint64), seed)


def test_draws_of_rows_take_any_column():
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 3, size=(3000, 4)).astype(float)
    draws = first_draws(numbers, 1)
    assert 0.0 <= draws.min() < 0.05
    assert 0.95 < draws.max() < 1.0
    assert len(np.unique(draws)) == len(np.unique(numbers, axis=0))
    np.testing.assert_array_equal(first_draws(pd.DataFrame(numbers), 1), draws)
    np.testing.assert_array_equal(first_draws(numbers.astype(np.float32), 1), draws)
    assert (first_draws(numbers, 2) != draws).all()
    assert (first_draws(numbers[:, ::-1], 1) != draws).mean() > 0.5
    unseen = rng.random(size=(2000, 3))
    assert abs(first_draws(unseen, 1).mean() - 0.5) < 5 * 0.289 / np.sqrt(2000)
    sparse = first_draws(csr_array(numbers), 1)
    assert len(np.unique(sparse)) == len(np.unique(numbers, axis=0))
    np.testing.assert_array_equal(first_draws(csr_array(numbers[:9]), 1), sparse[:9])
    words = pd.DataFrame({"a": ["x", "y", "x"], "b": [1.0, 1.0, 1.0]})
    mixed = first_draws(words, 1)
    assert mixed[0] == mixed[2] != mixed[1]


def test_draws_of_rows_are_functions_of_seed_row_and_key():
    rows = np.array([[0.0, 1.0], [2.5, -3.0], [-0.0, 1.0]])
    known = ["0x1.c3e1a5f4dce4ap-2", "0x1.0a1ae61ecff82p-1", "0x1.c3e1a5f4dce4ap-2"]
    assert [float(draw).hex() for draw in first_draws(rows, 7)] == known
    bits = bits_of_rows(np.zeros((5000, 1)), 3)
    keys = np.arange(5000, dtype=np.uint64)
    draws = draws_of_rows(bits, keys, 3)
    assert len(np.unique(draws)) == 5000
    np.testing.assert_array_equal(draws_of_rows(bits[:9], keys[-9:], 3), draws[-9:])
    for drawn in (draws, draws_of_rows(bits, keys, 3, 1), draws_of_rows(bits, keys, 4)):
        # Kolmogorov's distance to the uniform distribution passes 2.2 one time in 8000
        distance = np.abs(np.sort(drawn) - (keys + 0.5) / 5000).max()
        assert np.sqrt(5000) * distance < 2.2
    other = draws_of_rows(bits, keys, 3, 1)
    assert abs(np.corrcoef(draws, other)[0, 1]) < 5 / np.sqrt(5000)


def owners(n: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Give a table of a single boolean column, which tells the groups apart."""
    rng = np.random.default_rng(seed)
    sex = rng.choice(["f", "m"], size=n)
    owns = rng.random(n) < np.where(sex == "m", 0.6, 0.4)
    return pd.DataFrame({"owns": owns, "sex": sex}), owns ^ (rng.random(n) < 0.2)


@pytest.mark.parametrize("ensemble", [True, False])
def test_equal_rows_share_out_the_places_of_their_score(ensemble):
    frame, repaid = owners(6000, 0)
    fresh, _ = owners(4000, 1)
    repair = by_column(ensemble=ensemble).fit(frame, repaid)
    raw = repair.classifiers_[0].predict_proba(fresh[["owns"]])[:, 1]
    assert gamma(raw, fresh["sex"]) > 0.18
    score = repair.predict_proba(fresh)[:, 1]
    assert gamma(score, fresh["sex"]) < 2 * noise_floor(fresh["sex"])
    np.testing.assert_array_equal(repair.predict_proba(fresh)[:, 1], score)
    # copies are numbered within the group, so rows of another one do not matter
    own = (fresh["sex"] == "f").to_numpy()
    np.testing.assert_array_equal(repair.predict_proba(fresh[own])[:, 1], score[own])
    alone = [repair.predict_proba(fresh[i : i + 1])[0, 1] for i in range(8)]
    assert len(set(alone)) <= 4  # a row alone has the key 0: one place for each value and group


def test_keys_tell_equal_rows_apart_in_any_batch():
    frame, repaid = owners(6000, 0)
    fresh, _ = owners(4000, 1)
    customer = np.array([f"customer-{i}" for i in range(4000)])
    repair = by_column().fit(frame, repaid)
    score = repair.predict_proba(fresh, key=customer)[:, 1]
    assert gamma(score, fresh["sex"]) < 2 * noise_floor(fresh["sex"])
    order = np.random.default_rng(2).permutation(4000)[:50]
    again = repair.predict_proba(fresh.iloc[order], key=customer[order])[:, 1]
    np.testing.assert_array_equal(again, score[order])
    for row in order[:5]:
        alone = repair.predict_proba(fresh[row : row + 1], key=str(customer[row]))
        assert alone[0, 1] == score[row]
    predicted = repair.predict(fresh, key=customer)
    np.testing.assert_array_equal(predicted, score > 0.5)
    accuracy = repair.score(fresh, predicted, key=customer)
    assert accuracy == 1.0
    # the same keys as a column, which the classifier never sees
    by_key = by_column(key_column="customer").fit(frame.assign(customer=-1), repaid)
    assert by_key.classifiers_[0].feature_names_in_.tolist() == ["owns"]
    assert by_key.feature_names_in_.tolist() == ["owns", "sex", "customer"]
    np.testing.assert_array_equal(
        by_key.predict_proba(fresh.assign(customer=customer))[:, 1], score
    )
    beside = ScoreRepair(LogisticRegression(), key_column=1)
    matrix = np.column_stack([frame["owns"], np.arange(6000)])
    beside.fit(matrix, repaid, sensitive_features=frame["sex"])
    assert beside.n_features_in_ == 2
    assert beside.classifiers_[0].n_features_in_ == 1
    with pytest.raises(ValueError, match="key and key_column='customer' are both given"):
        by_key.predict_proba(fresh.assign(customer=customer), key=customer)
    with pytest.raises(ValueError, match=r"key has the shape \(3,\), expected \(4000,\)"):
        repair.predict_proba(fresh, key=[1, 2, 3])


def test_keys_are_routed():
    frame, repaid = owners(2000, 0)
    X, sex, key = frame[["owns"]].to_numpy(), frame["sex"].to_numpy(), np.arange(2000)
    repair = ScoreRepair(LogisticRegression()).fit(X, repaid, sensitive_features=sex)
    expected = repair.predict_proba(X, sensitive_features=sex, key=key)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = ScoreRepair(LogisticRegression())
        routed.set_fit_request(sensitive_features=True)
        routed.set_predict_proba_request(sensitive_features=True, key=True)
        pipeline = make_pipeline(FunctionTransformer(), routed)
        pipeline.fit(X, repaid, sensitive_features=sex)
        got = pipeline.predict_proba(X, sensitive_features=sex, key=key)
    np.testing.assert_array_equal(got, expected)


class Jittery(ClassifierMixin, BaseEstimator):
    """A classifier of five scores that change in the last bits from call to call.

    So do those of a forest whose trees vote in parallel, in whatever order they finish.
    """

    def __init__(self, precision=np.float64):
        self.precision = precision

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.random_ = np.random.RandomState(0)
        return self

    def predict_proba(self, X):
        score = 0.5 + np.clip(np.round(np.asarray(X)[:, 0]), -2, 2) / 10
        roundings = self.random_.randint(-8, 9, size=len(score)) * np.finfo(self.precision).eps
        score = (score * (1 + roundings)).astype(self.precision)
        return np.column_stack([1 - score, score])


def test_a_level_at_the_end_of_equal_scores_has_their_value():
    rng = np.random.default_rng(0)
    for n in range(100, 200):
        scores = rng.integers(1, 20, size=3 * n) / 20.0
        masks = [np.arange(3 * n) % 3 == group for group in range(3)]
        held_out = HeldOutScores.of(scores, masks, None)
        tables = learn_tables(held_out, np.full(3, 1 / 3), 257, np.full(3, 0.3))
        pooled = tables.with_pool(np.full(3, 1 / 3)).quantiles
        gaps = np.diff(pooled, axis=1)
        assert not ((gaps > 0.0) & (gaps < 1e-9)).any(), n


@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_ties_are_found_up_to_rounding(precision):
    frame, income = census(4000)
    fresh, _ = census(2000, seed=1)
    repair = by_column(Jittery(precision)).fit(frame, income)
    first = repair.predict_proba(fresh)[:, 1]
    assert gamma(first, fresh["sex"]) < 2 * noise_floor(fresh["sex"])
    for _ in range(3):
        np.testing.assert_array_equal(repair.predict_proba(fresh)[:, 1], first)


def test_dense_scores_are_not_taken_for_ties():
    """Of so many scores in single precision, neighbors differ by less than the tolerance."""
    scores = np.random.default_rng(0).random(400_000, dtype=np.float32)
    masks = [np.arange(400_000) % 2 == group for group in (0, 1)]
    held_out = HeldOutScores.of(scores, masks, None)
    tables = learn_tables(held_out, np.array([0.5, 0.5]), 257, np.zeros(2))
    expected = [
        np.quantile(scores[own].astype(float), np.linspace(0, 1, 257), method="hazen")
        for own in masks
    ]
    np.testing.assert_allclose(tables.quantiles, expected, atol=1e-5)
    assert not tables.has_ties()


class Overconfident(ClassifierMixin, BaseEstimator):
    """A classifier whose scores are mostly below 1e-40."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        score = np.exp(np.minimum(40.0 * np.asarray(X)[:, 0] - 150.0, -1.0))
        return np.column_stack([1 - score, score])


def test_small_scores_are_not_taken_for_ties():
    """Scores of an overconfident classifier differ by orders of magnitude next to 0."""
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], size=2000)
    X = np.column_stack([rng.normal(size=2000), sex == "m"])
    repair = ScoreRepair(Overconfident(), sensitive_columns=1, ensemble=False)
    repair.fit(X, X[:, 0] > 0)
    assert not (np.diff(repair.quantiles_) == 0).any()
    score = repair.predict_proba(X)[:, 1]
    own = sex == "f"
    assert len(np.unique(score[own])) > 0.99 * own.sum()


class Cancelling(ClassifierMixin, BaseEstimator):
    """A classifier whose lowest score is 0 but for the rounding of terms that cancel."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.random_ = np.random.RandomState(0)
        return self

    def predict_proba(self, X):
        score = np.clip(np.round(np.asarray(X)[:, 0]), 0, 4) / 5
        residue = self.random_.randint(0, 8, size=len(score)) * 1e-17
        score = np.where(score == 0, residue, score)
        return np.column_stack([1 - score, score])


def test_zero_and_its_rounding_are_one_score():
    frame, income = census(4000)
    fresh, _ = census(2000, seed=1)
    repair = by_column(Cancelling()).fit(frame, income)
    first = repair.predict_proba(fresh)[:, 1]
    assert gamma(first, fresh["sex"]) < 2 * noise_floor(fresh["sex"])
    for _ in range(3):
        np.testing.assert_array_equal(repair.predict_proba(fresh)[:, 1], first)


def test_repeated_calls_of_a_parallel_forest_agree():
    """Its threads add up the votes in any order."""
    frame, income = census(1500)
    fresh, _ = census(1500, seed=1)
    forest = RandomForestClassifier(100, min_samples_leaf=20, n_jobs=4, random_state=0)
    repair = by_column(forest, ensemble=False).fit(frame, income)
    first = repair.predict_proba(fresh)
    for _ in range(10):
        np.testing.assert_allclose(repair.predict_proba(fresh), first, rtol=0.0, atol=1e-9)

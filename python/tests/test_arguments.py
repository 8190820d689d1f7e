# SPDX-License-Identifier: MIT
"""Arguments that are refused, each with a message that names it, the values and the remedy."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars
import pytest
import sklearn.mixture
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

import lbw
from lbw.metrics import group_auc, sliced_wasserstein

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = RNG.normal(1.0, 2.0, size=(60, 2))


@pytest.mark.parametrize("frame", [pd.DataFrame, polars.DataFrame])
def test_transport_compares_the_names_of_two_tables(frame):
    source = frame({"a": X[:, 0], "b": X[:, 1]})
    target = frame({"a": Y[:, 0], "b": Y[:, 1]})
    swapped = re.escape(
        "transport: Xt has the columns ['b', 'a'], expected those of Xs, ['a', 'b']. They are in "
        "another order. Reorder them, as in Xt[list(Xs.columns)], or pass arrays to match columns "
        "by position."
    )
    with pytest.raises(ValueError, match=swapped):
        lbw.transport(source, target[["b", "a"]], 1)
    renamed = frame({"a": Y[:, 0], "c": Y[:, 1]})
    words = (
        r"columns \['a', 'c'\], .* Their names differ. Pass tables with the same columns, or "
        "arrays to match columns by position."
    )
    with pytest.raises(ValueError, match=words):
        lbw.transport(source, renamed, 1)
    moved = lbw.transport(X, Y, 1)
    for one, other in ((source, target), (source, Y), (X, target[["b", "a"]].to_numpy()[:, ::-1])):
        np.testing.assert_array_equal(lbw.transport(one, other, 1), moved)


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (group_auc, ("X", "Y")),
        (sliced_wasserstein, ("X", "Y")),
        (lbw.empirical_bures_wasserstein_distance, ("xs", "xt")),
        (lbw.empirical_bures_wasserstein_mapping, ("xs", "xt")),
    ],
)
def test_functions_of_two_tables_compare_their_names(function, names):
    table = pd.DataFrame(X, columns=["a", "b"])
    function(table, table[["a", "b"]])
    function(table, table[["b", "a"]].to_numpy())
    first, second = names
    words = re.escape(
        f"{function.__name__}: {second} has the columns ['b', 'a'], expected those of {first}, "
        "['a', 'b']. They are in another order."
    )
    with pytest.raises(ValueError, match=words):
        function(table, table[["b", "a"]])


def test_a_barycenter_of_tables_compares_their_names():
    table = pd.DataFrame(X, columns=["a", "b"])
    with pytest.raises(ValueError, match=re.escape("X[2] has the columns ['b', 'a']")):
        lbw.empirical_bures_wasserstein_barycenter([table, table, table[["b", "a"]]])


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("map", None, "must be a str among"),
        ("coupling", None, "must be a str among"),
        ("cost", "mean", "must be a str among"),
        ("covariance_type", "round", "must be a str among"),
        ("covariance_floor", None, "must be a float in the range [0.0, inf). Got None"),
        ("amount", "1", "must be a float in the range [0.0, 1.0]. Got '1'"),
        ("random_state", 1.5, "must be an int in the range [0, 4294967295], an instance of"),
        ("random_state", np.random.default_rng(0), "must be an int in the range"),
        ("random_state", -1, "must be an int in the range"),
        ("n_jobs", "a", "must be an instance of 'int' or None. Got 'a'"),
        ("n_components", 2.9, "must be an int in the range [1, 2147483647]. Got 2.9"),
        ("n_components", 10**10, "must be an int in the range [1, 2147483647]. Got 10000000000"),
    ],
)
def test_transport_checks_its_arguments_as_the_estimators_do(name, value, words):
    words = f"The '{name}' parameter of transport {words}"
    with pytest.raises(ValueError, match=re.escape(words)):
        lbw.transport(X, Y, **{"n_components": 1} | {name: value})


@pytest.mark.parametrize("value", ["bic", "3"])
def test_transport_names_the_class_that_selects_a_number(value):
    words = f"n_components is '{value}', expected a whole number >= 1. To select it by a criterion"
    with pytest.raises(ValueError, match=words):
        lbw.transport(X, Y, value)


def test_transport_takes_seeds_and_numbers_of_numpy():
    expected = lbw.transport(X, Y, 2, map="random", random_state=3, n_jobs=1)
    arguments = {"random_state": np.int64(3), "n_jobs": np.int32(1), "amount": np.float64(1.0)}
    moved = lbw.transport(X, Y, np.int64(2), map="random", **arguments)
    np.testing.assert_array_equal(moved, expected)
    lbw.transport(X, Y, 2, map="random", random_state=np.random.RandomState(0))


GROUPS = np.repeat(["a", "b"], 30)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([2.7, 3.2], "n_components of group 'a' is 2.7, expected a whole number from 1 to"),
        ([2, 3.0], "n_components of group 'b' is 3.0, expected a whole number"),
        ({"a": 2.7, "b": 2}, "n_components of group 'a' is 2.7, expected a whole number"),
        (["2", "3"], "n_components of group 'a' is '2', expected a whole number"),
        ([2, 0], "n_components of group 'b' is 0, expected a whole number from 1"),
        ([2, 10**10], "n_components of group 'b' is 10000000000, expected a whole number from 1"),
        ({"a": 10**10, "b": 2}, "n_components of group 'a' is 10000000000, expected a whole"),
        ([1, 2, 3], "n_components has 3 numbers for 2 groups, expected one per group in the order"),
        (10**10, "'n_components' parameter of LocalTransport must be an int in the range [1, 2147"),
    ],
)
def test_numbers_of_components_are_not_rounded(numbers, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        lbw.LocalTransport(numbers).fit(X, GROUPS)


def test_numbers_of_components_may_be_an_array():
    fitted = lbw.LocalTransport(np.array([1, 2])).fit(X, GROUPS)
    assert fitted.n_components_.tolist() == [1, 2]


@pytest.mark.parametrize("name", ["max_iter", "n_init", "n_components", "refine"])
def test_numbers_beyond_32_bits_are_refused(name):
    words = rf"'{name}' parameter of LocalTransport must be an int in the range \[\d, 2147483647\]"
    with pytest.raises(ValueError, match=words):
        lbw.LocalTransport(**{"n_components": 1} | {name: 2**31}).fit(X, GROUPS)


def test_other_large_numbers_are_refused():
    words = "n_components_range holds [1, 10000000000], expected whole numbers >= 1 and <= 2147483"
    for estimator in (lbw.GaussianMixture, lbw.LocalTransport):
        with pytest.raises(ValueError, match=re.escape(words)):
            estimator("bic", n_components_range=[1, 10**10]).fit(X, GROUPS)
    for estimator in (lbw.GaussianMixture(2, n_jobs=10**10), lbw.LocalTransport(2, n_jobs=10**10)):
        with pytest.raises(ValueError, match="n_jobs is 10000000000, expected a whole number up"):
            estimator.fit(X, GROUPS)


def test_words_that_are_read_after_the_fit_are_checked_there():
    strange = np.repeat(["a", "c"], 30)
    transport = lbw.LocalTransport(1, map="hard").fit(X, GROUPS).set_params(handle_unknown="drop")
    words = "The 'handle_unknown' parameter of {} must be a str among"
    with pytest.raises(ValueError, match=words.format("LocalTransport")):
        transport.transform(X, strange)
    with pytest.raises(ValueError, match=words.format("LocalTransport")):
        transport.inverse_transform(X, strange)
    rows, groups = np.repeat(X, 4, axis=0), np.repeat(GROUPS, 4)
    repair = lbw.GroupRepair(1, refine=0, check_samples=0).fit(rows, sensitive_features=groups)
    with pytest.raises(ValueError, match=words.format("GroupRepair")):
        repair.set_params(handle_unknown=None).transform(X, sensitive_features=strange)


@pytest.mark.parametrize(
    ("name", "value"),
    [("handle_unknown", "drop"), ("ties", "split"), ("amount", "1"), ("ensemble", "median")],
)
def test_words_of_a_score_repair_are_checked_at_every_prediction(name, value):
    rows, y = np.repeat(X, 4, axis=0), np.repeat(X[:, 0] > 0, 4)
    groups = np.tile(["a", "b"], 120)
    repair = lbw.ScoreRepair(LogisticRegression()).fit(rows, y, sensitive_features=groups)
    repair.set_params(**{name: value})
    for method in (repair.predict, repair.predict_proba):
        with pytest.raises(ValueError, match=f"'{name}' parameter of ScoreRepair must be"):
            method(rows, sensitive_features=groups)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"n_permutations": 1.5}, "report: n_permutations is 1.5, expected a whole number from 0"),
        ({"n_permutations": 10**10}, "report: n_permutations is 10000000000, expected a whole num"),
        ({"max_samples": 1.5}, "report: max_samples is 1.5, expected a whole number from 10 to"),
        ({"max_samples": 1}, "report: max_samples is 1, expected a whole number from 10 to"),
        ({"max_samples": None}, "report: max_samples is None, expected a whole number"),
    ],
)
def test_numbers_of_a_report_are_checked(arguments, words):
    with pytest.raises(ValueError, match=words):
        lbw.LocalTransport(1).fit(X, GROUPS).report(X, GROUPS, **arguments)


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        (sliced_wasserstein, {"n_directions": 1.5}, "n_directions is 1.5, expected a whole number"),
        (sliced_wasserstein, {"n_directions": 0}, "n_directions is 0, expected .* from 1 to"),
        (sliced_wasserstein, {"n_permutations": "9"}, "n_permutations is '9', expected a whole"),
        (sliced_wasserstein, {"random_state": -1}, "random_state is -1, expected .* from 0 to"),
        (group_auc, {"n_neighbors": 1.5}, "n_neighbors is 1.5, expected a whole number from 1"),
        (group_auc, {"n_neighbors": 0}, "n_neighbors is 0, expected a whole number from 1"),
        (group_auc, {"random_state": np.random.default_rng(0)}, "random_state is Generator"),
        (group_auc, {"n_jobs": "a"}, "n_jobs is 'a', expected a whole number up to 2147483647"),
    ],
)
def test_numbers_of_two_sample_measures_are_checked(function, arguments, words):
    with pytest.raises(ValueError, match=words):
        function(X, Y, **arguments)


@pytest.mark.parametrize("n_samples", [1.5, "a", None, 10**20])
def test_a_number_of_draws_is_a_whole_number(n_samples):
    mixture = lbw.GaussianMixture(1).fit(X)
    with pytest.raises(ValueError, match=f"n_samples is {n_samples!r}, expected a whole number"):
        mixture.sample(n_samples)
    assert len(mixture.sample(np.int64(3))[0]) == 3


def test_a_distance_needs_fitted_mixtures():
    fitted = lbw.GaussianMixture(1).fit(X)
    for unfitted in (lbw.GaussianMixture(), sklearn.mixture.GaussianMixture()):
        with pytest.raises(NotFittedError, match=r"second, GaussianMixture.*, is not fitted yet"):
            lbw.mixture_distance(fitted, unfitted)
    with pytest.raises(TypeError, match="first is 3, expected a fitted GaussianMixture of lbw or"):
        lbw.mixture_distance(3, fitted)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("criterion", "n_samples", "tried"),
    [("bic", 5, 5), ("aic", 2, 2), ("heldout", 5, 4), ("heldout", 11, 9), ("bic", 30, 10)],
)
def test_a_criterion_tries_no_more_components_than_samples(criterion, n_samples, tried):
    mixture = lbw.GaussianMixture(criterion).fit(X[:n_samples])
    assert mixture.selection_["n_components"].tolist() == list(range(1, tried + 1))


def test_a_given_range_beyond_the_samples_is_refused():
    words = "n_components='bic' compares up to 8 components, but X has 5 samples. Set n_components_"
    with pytest.raises(ValueError, match=words):
        lbw.GaussianMixture("bic", n_components_range=[1, 8]).fit(X[:5])
    words = (
        "'heldout' compares up to 10 components, but group 'b' has 7 samples, 1 of them held out"
    )
    with pytest.raises(ValueError, match=words):
        lbw.LocalTransport("heldout").fit(X[:37], GROUPS[:37])

# SPDX-License-Identifier: MIT
import numpy as np
import pytest

from fairness.choice import inner_split, merit_of, ranked
from fairness.classifiers import CLASSIFIERS, Classifier
from fairness.mapping_estimation import GRIDS, Setting, ranked_settings, repaired_by_mapping
from fairness.measures import measured, measured_decisions
from fairness.methods import DEFAULTS, METHODS, plainly
from fairness.tune import TUNED, best_principal
from lbw import GroupRepair

LOGISTIC = CLASSIFIERS["logistic regression"]


def score_of(method, split):
    repaired = METHODS[method].repair(split, 0)
    score = METHODS[method].score(LOGISTIC, repaired, 0)
    assert score.shape == split.test.label.shape
    assert score.min() >= 0.0
    assert score.max() <= 1.0
    return score


def gamma_of(score, split):
    return measured(score, split.test, n_bootstraps=0)["gamma"]


SCORING = [name for name, method in METHODS.items() if name != "raw" and not method.decides]
DECIDING = [name for name, method in METHODS.items() if method.decides]


@pytest.mark.parametrize("method", SCORING)
def test_every_method_reduces_gamma(method, split):
    assert gamma_of(score_of(method, split), split) < 0.6 * gamma_of(score_of("raw", split), split)


@pytest.mark.parametrize("method", DECIDING)
def test_methods_that_decide_reduce_the_rate_difference(method, split):
    raw = measured(score_of("raw", split), split.test, n_bootstraps=0)
    own = measured_decisions(score_of(method, split), split.test)
    assert own["decision_gap"] < 0.4 * raw["decision_gap"]


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_classifier_learns(name, split):
    score = plainly(CLASSIFIERS[name], split, 0)
    assert measured(score, split.test, n_bootstraps=0)["auc"] > 0.75


def test_the_repair_with_defaults_has_those_of_the_package():
    defaults = GroupRepair().get_params()
    chosen = {name: value for name, value in DEFAULTS.items() if name != "check_samples"}
    assert {name: defaults[name] for name in chosen} == chosen


def test_training_rows_are_drawn_once_for_all_methods(split):
    few = Classifier("few", lambda seed: None, max_rows=50)
    rows = few.training_rows(split.train, 1)
    moved = few.training_rows(split.train.with_features(split.train.features + 1.0), 1)
    assert len(rows.label) == 50
    assert np.array_equal(rows.features + 1.0, moved.features)
    assert LOGISTIC.training_rows(split.train, 1) is split.train


def test_correlation_with_the_group_is_removed(split):
    repaired = METHODS["CorrelationRemover"].repair(split, 0).train
    first = repaired.group == "a"
    assert np.allclose(
        repaired.features[first].mean(axis=0), repaired.features[~first].mean(axis=0)
    )


def test_mapping_estimation_transports_held_out_rows(split):
    moved = repaired_by_mapping(split, Setting("linear", n_atoms=20), seed=0, rows_per_group=60)
    gaps = []
    for part in (split.test, moved.test):
        first = part.group == "a"
        gaps.append(np.abs(part.features[first].mean(axis=0) - part.features[~first].mean(axis=0)))
    assert gaps[1].max() < 0.3 * gaps[0].max()


def test_settings_of_mapping_estimation_are_ranked_by_auc_minus_gamma(split):
    order = ranked_settings(split.train, "linear", 0)
    assert sorted(order, key=str) == sorted(GRIDS["linear"], key=str)
    inner = inner_split(split.train, 0)
    merits = [merit_of(repaired_by_mapping(inner, setting, 0)) for setting in order]
    assert merits == sorted(merits, reverse=True)
    assert merits[0] > merits[-1]


def test_a_setting_that_fails_is_left_out_and_the_best_comes_first():
    merits = {"a": 0.1, "b": 0.3, "c": -np.inf, "d": 0.2}
    assert ranked(list(merits), lambda setting, fold: merits[setting] + fold, 2) == ["b", "d", "a"]


def test_mapping_estimation_is_not_stopped_by_rows_that_occur_twice(split):
    twice = type(split)(split.train.rows(np.repeat(np.arange(200), 3)), split.test)
    moved = repaired_by_mapping(twice, Setting("gaussian", 20, sigma=3.0), 0)
    assert np.abs(moved.test.features).max() < 100.0


@pytest.mark.parametrize("method", ["L-BW as in the paper", "ME linear", "ME Gaussian"])
def test_settings_are_chosen_without_the_held_out_part(method, split):
    far = split.test.with_features(1e6 * split.test.features).rows(np.arange(2))
    blind = type(split)(split.train, far)
    chosen, other = (TUNED[method](part, 2, 0) for part in (split, blind))
    assert chosen.setting == other.setting
    assert np.array_equal(chosen.split.train.features, other.split.train.features)
    assert best_principal(split, 0) == best_principal(blind, 0)

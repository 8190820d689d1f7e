# SPDX-License-Identifier: MIT
import numpy as np
import pytest
from scipy.stats import ks_2samp
from sklearn.metrics import roc_auc_score, roc_curve

from fairness.measures import displacement, measured, measured_decisions, noise_floor
from fairness.protocol import Part


@pytest.fixture
def scored():
    rng = np.random.default_rng(2)
    group = np.repeat(["a", "b"], [400, 600])
    score = np.clip(rng.normal(0.4 + 0.2 * (group == "b"), 0.2), 0, 1)
    label = rng.uniform(size=1000) < score
    return score, Part(np.zeros((1000, 1)), label, group)


def test_gamma_is_the_distance_of_the_groups_roc_curve_from_the_diagonal(scored):
    score, part = scored
    figures = measured(score, part, n_bootstraps=50)
    false_rate, true_rate, _ = roc_curve(part.group == "b", score)
    gap = true_rate - false_rate
    assert figures["gamma"] == pytest.approx(np.abs(gap).max(), abs=1e-12)
    assert figures["kuiper"] == pytest.approx(gap.max() - gap.min(), abs=1e-12)
    own, other = (score[part.group == name] for name in "ab")
    assert figures["gamma"] == pytest.approx(ks_2samp(own, other).statistic, abs=1e-12)
    assert figures["gamma_low"] < figures["gamma"] < figures["gamma_high"]


def test_noise_is_below_what_the_groups_show(scored):
    noise = noise_floor(*scored)
    gamma = measured(*scored, n_bootstraps=0)["gamma"]
    assert 0.0 < noise["noise_mean"] < noise["noise_95"] < 0.5 * gamma


def test_the_interval_of_auc_is_that_of_a_bootstrap_by_definition(scored):
    score, part = np.round(scored[0], 1), scored[1]  # with ties
    figures = measured(score, part, n_bootstraps=400)
    rng = np.random.default_rng(5)
    aucs = []
    for _ in range(400):
        rows = np.concatenate(
            [rng.choice(np.flatnonzero(part.label == value), np.sum(part.label == value))
             for value in (False, True)]
        )  # fmt: skip
        aucs.append(roc_auc_score(part.label[rows], score[rows]))
    low, high = np.quantile(aucs, [0.025, 0.975])
    assert figures["auc_low"] == pytest.approx(low, abs=0.006)
    assert figures["auc_high"] == pytest.approx(high, abs=0.006)
    assert high - low > 0.03


def test_decisions_are_measured_by_expectation():
    label = np.array([True, True, False, False])
    part = Part(np.zeros((4, 1)), label, np.array(["a", "b", "a", "b"]))
    figures = measured_decisions(np.array([1.0, 0.5, 0.5, 0.0]), part)
    assert figures["accuracy"] == 0.75
    assert figures["gamma"] == figures["decision_gap"] == figures["kuiper"] == 0.5
    assert figures["auc"] == (1 + 0.75 - 0.25) / 2


def test_certain_decisions_are_measured_as_scores_of_two_values(scored):
    score, part = scored
    decision = (score > 0.6).astype(float)
    own, other = measured_decisions(decision, part), measured(decision, part)
    for name in ("auc", "gamma", "kuiper", "accuracy", "decision_gap"):
        assert own[name] == pytest.approx(other[name], abs=1e-12)
    assert own["gamma_low"] < own["gamma"] < own["gamma_high"]
    assert own["auc_low"] == pytest.approx(other["auc_low"], abs=0.006)
    assert own["auc_high"] == pytest.approx(other["auc_high"], abs=0.006)


def test_displacement_is_a_root_mean_square():
    moved = displacement(np.zeros((2, 2)), np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert moved == pytest.approx(5 / np.sqrt(2))

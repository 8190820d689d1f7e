# SPDX-License-Identifier: MIT
import numpy as np
import pytest
from scipy.stats import ks_2samp

from fairness.measures import displacement
from fairness.methods import AS_IN_THE_PAPER, PARAMS
from fairness.plain import PlainRepair
from fairness.protocol import Part, Split
from fairness.timing import IN_PLAIN
from lbw import GroupRepair


def both(split, **params):
    train, test = split.train, split.test
    ours = GroupRepair(**AS_IN_THE_PAPER | params).fit(
        train.features, sensitive_features=train.group
    )
    plain = PlainRepair(**params).fit(train.features, train.group)
    return (
        ours.transform(test.features, sensitive_features=test.group),
        plain.transform(test.features, test.group),
    )


def largest_distance(features, group):
    return max(
        ks_2samp(features[group == "a", axis], features[group == "b", axis]).statistic
        for axis in range(features.shape[1])
    )


def test_one_component_is_the_same_map(split):
    ours, plain = both(split, n_components=1)
    assert np.allclose(ours, plain, atol=1e-9)


@pytest.mark.parametrize(
    "params",
    [
        {"n_components": 3},
        {"n_components": 3, "coupling": "plan", "map": "soft"},
        {"n_components": 3, "coupling": "plan", "map": "random"},
        {"n_components": 1, "refine": 10},
    ],
)
def test_other_repairs_reach_the_same_distance(params, split):
    ours, plain = both(split, **params)
    before = largest_distance(split.test.features, split.test.group)
    for repaired in (ours, plain):
        assert largest_distance(repaired, split.test.group) < 0.5 * before
    moved = [displacement(split.test.features, repaired) for repaired in (ours, plain)]
    assert moved[0] == pytest.approx(moved[1], rel=0.3)


def of_two_groups(features_of):
    rng = np.random.default_rng(5)

    def part(n_rows):
        group = rng.choice(["a", "b"], n_rows)
        return Part(features_of(group == "b", rng), np.zeros(n_rows, dtype=bool), group)

    return Split(part(3000), part(2000))


def test_plans_reach_the_masses_of_the_target():
    def clumps(second, rng):  # three in each group, of different mass
        drawn = rng.uniform(size=len(second))
        place = (drawn > 0.7 - 0.6 * second).astype(int) + (drawn > 0.9 - 0.2 * second)
        return rng.normal(size=(len(second), 2)) + 9.0 * place[:, None] + second[:, None]

    split = of_two_groups(clumps)
    for repaired in both(split, n_components=3, coupling="plan", map="random"):
        assert largest_distance(repaired, split.test.group) < 0.1
    for repaired in both(split, n_components=3):  # a one-to-one matching cannot
        assert largest_distance(repaired, split.test.group) > 0.4


def test_refinement_removes_differences_that_one_component_leaves():
    def skewed(second, rng):  # to the left in one group, to the right in the other
        return rng.exponential(size=(len(second), 2)) * np.where(second, -1.0, 1.0)[:, None]

    split = of_two_groups(skewed)
    affine, refined = both(split, n_components=1), both(split, n_components=1, refine=20)
    for before, after in zip(affine, refined, strict=True):
        left = largest_distance(before, split.test.group)
        assert largest_distance(after, split.test.group) < 0.5 * left


def test_a_hard_plan_is_refused():
    with pytest.raises(ValueError, match="requires map='soft' or 'random'"):
        PlainRepair(2, coupling="plan", map="hard")


def test_all_but_hard_plans_are_timed_against_it():
    assert set(PARAMS) - set(IN_PLAIN) == {"plan hard, k = 5"}

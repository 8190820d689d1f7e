# SPDX-License-Identifier: MIT
import numpy as np
import pandas as pd
import pytest

from fairness.statistics import holm, paired_tests, rank_biserial
from fairness.summary import changed, means_over_tasks, table_of, undominated


def example(change, n_splits=10, tasks=("s", "t")):
    rng = np.random.default_rng(0)
    rows = []
    for task in tasks:
        for split in range(n_splits):
            gamma, auc = 0.3 + 0.01 * rng.normal(), 0.8 + 0.01 * rng.normal()
            key = {"task": task, "split": split, "classifier": "c"}
            rows.append({**key, "method": "raw", "gamma": gamma, "auc": auc})
            rows.append({**key, "method": "m", "gamma": gamma + change * rng.uniform(), "auc": auc})
    return pd.DataFrame(rows)


def test_holm_multiplies_by_the_number_of_hypotheses_left():
    assert holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])
    assert holm(np.array([0.5, 0.9])).tolist() == [1.0, 1.0]


def test_the_effect_is_minus_one_if_all_decrease_and_one_if_all_increase():
    assert rank_biserial(np.array([-1.0, -2.0, -3.0])) == -1.0
    assert rank_biserial(np.array([1.0, 2.0, 0.0])) == 1.0
    assert rank_biserial(np.array([1.0, -2.0, 3.0])) == pytest.approx((1 - 2 + 3) / 6)
    assert rank_biserial(np.zeros(4)) == 0.0


def test_ten_pairs_cannot_give_the_papers_p_and_eighty_can():
    tests = paired_tests(example(-0.1, tasks=tuple("abcdefgh"))).set_index(["task", "measure"])
    assert tests.loc[("a", "gamma"), "p"] == pytest.approx(2 / 1024)
    assert tests.loc[("all", "gamma"), "p"] < 1e-8
    assert tests.loc[("all", "gamma"), "n_pairs"] == 80
    assert tests.loc[("a", "gamma"), "effect"] == -1.0
    assert tests.loc[("all", "auc"), "p"] == 1.0
    assert tests.loc[("a", "gamma"), "p_holm"] == pytest.approx(8 * 2 / 1024)


def test_families_of_holm_are_the_tasks_of_a_classifier_and_all_classifiers_pooled():
    table = pd.concat(
        [
            example(-0.1, tasks=tuple("abc")),
            example(0.02, tasks=tuple("abc")).assign(classifier="d"),
        ]
    )
    tests = paired_tests(table)
    tests = tests[tests["measure"] == "gamma"].set_index(["classifier", "task"])
    for classifier in "cd":
        own = tests.loc[[(classifier, task) for task in "abc"]]
        assert own["p_holm"].to_numpy() == pytest.approx(holm(own["p"].to_numpy()))
    pooled = tests.loc[[("c", "all"), ("d", "all")]]
    assert pooled["p_holm"].to_numpy() == pytest.approx(holm(pooled["p"].to_numpy()))
    assert (pooled["p_holm"] > 1.5 * pooled["p"]).all()


def test_changes_are_against_raw_of_the_same_split():
    table = changed(example(-0.1))
    assert np.all(table.loc[table["method"] == "raw", "gamma_change"] == 0.0)
    assert table.loc[table["method"] == "m", "gamma_change"].between(-0.1, 0.0).all()
    assert np.all(table["auc_change"] == 0.0)


def test_means_are_over_tasks_and_lie_in_their_intervals():
    table = example(-0.1)
    means = means_over_tasks(table, ("gamma",)).set_index("method")
    own = table[table["method"] == "m"]
    assert means.loc["m", "gamma"] == pytest.approx(own.groupby("task")["gamma"].mean().mean())
    assert means.loc["m", "gamma_low"] < means.loc["m", "gamma"] < means.loc["m", "gamma_high"]


def test_a_split_that_a_task_lacks_does_not_count():
    table = example(-0.1)
    table = table[(table["task"] != "s") | (table["split"] < 4)]
    assert means_over_tasks(table, ("gamma",))["n_splits"].tolist() == [4, 4]


def test_a_split_left_undone_is_not_read(tmp_path):
    table = example(-0.1, n_splits=3)
    table = table[(table["split"] < 2) | (table["task"] == "s")]
    table.to_csv(tmp_path / "methods.csv", index=False)
    assert table_of(tmp_path, "methods")["split"].unique().tolist() == [0, 1]


def test_a_point_is_dominated_by_one_as_good_and_better_once():
    points = pd.DataFrame({"auc": [0.8, 0.8, 0.7, 0.6], "gamma": [0.2, 0.1, 0.05, 0.05]})
    assert undominated(points).tolist() == [False, True, True, False]

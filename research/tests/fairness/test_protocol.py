# SPDX-License-Identifier: MIT
from dataclasses import replace

import numpy as np
import pandas as pd

from fairness.protocol import reduced, split_of
from fairness.tasks import Task


def small_task(n_rows=1000):
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"x": rng.normal(5, 2, n_rows), "code": rng.choice(list("pqr"), n_rows)})
    group = np.where(rng.uniform(size=n_rows) < 0.5, "a", "b")
    return Task("small", table, table["x"].to_numpy() > 5, group, "", "")


def test_a_split_is_70_to_30_and_repeats():
    task = small_task()
    split = split_of(task, seed=3)
    assert (len(split.train.label), len(split.test.label)) == (700, 300)
    assert np.array_equal(split.train.features, split_of(task, seed=3).train.features)
    assert not np.array_equal(split.train.label, split_of(task, seed=4).train.label)


def test_scales_are_learned_on_the_training_part_alone():
    split = split_of(small_task(), seed=0)
    assert split.train.features.shape[1] == 4  # a number and three categories
    assert np.allclose(split.train.features.mean(axis=0), 0.0)
    assert np.allclose(split.train.features.std(axis=0), 1.0)
    assert np.abs(split.test.features.mean(axis=0)).max() > 1e-3


def test_directions_without_variance_are_left_out():
    narrow = reduced(split_of(small_task(), seed=0), n_principal=10)
    assert narrow.train.features.shape[1] == 3  # the columns of categories sum to one
    assert np.allclose(narrow.train.features.mean(axis=0), 0.0)


def test_a_category_unseen_in_training_is_no_error():
    task = small_task()
    held_out = split_of(replace(task, label=np.arange(len(task.label))), seed=0).test.label[0]
    code = np.where(np.arange(len(task.label)) == held_out, "new", task.features["code"])
    split = split_of(replace(task, features=task.features.assign(code=code)), seed=0)
    assert split.train.features.shape[1] == 4  # the new category has no column
    assert (split.test.features[0, 1:] < 0.0).all()  # the new category is unknown

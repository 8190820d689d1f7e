# SPDX-License-Identifier: MIT
"""Warnings of repairs name the line of the caller, also in pipelines and for batches."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from lbw import Batches, GroupRepair, ScoreRepair


def table(n_small=20):
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], [n_small, 500, 500])
    values = rng.normal(size=(len(groups), 2))
    return np.column_stack([values, groups]), values[:, 0] > 0.0


@pytest.mark.parametrize(
    "use",
    [
        lambda repair, X, y: repair.fit(X),
        lambda repair, X, y: repair.fit_transform(X),
        lambda repair, X, y: make_pipeline(repair, LogisticRegression()).fit(X, y),
        lambda repair, X, y: repair.fit(Batches([X])),
    ],
    ids=["fit", "fit_transform", "pipeline", "batches"],
)
def test_warnings_of_a_group_repair_name_the_caller(use):
    with pytest.warns(UserWarning, match="Few rows of groups 0") as caught:
        use(GroupRepair(sensitive_columns=2), *table())
    assert [own.filename for own in caught] == [__file__]


def repeated():
    """Copies of three rows of a group, too few for five folds."""
    X, y = table(500)
    rows = np.concatenate([np.repeat([0, 1, 2], 30), np.arange(500, 1500)])
    return X[rows], np.where(np.arange(len(rows)) < 90, np.arange(len(rows)) < 45, y[rows])


@pytest.mark.parametrize(
    ("rows", "words"),
    [(table, "Few held-out rows of groups 0"), (repeated, "too few distinct rows of every group")],
)
def test_warnings_of_a_score_repair_name_the_caller(rows, words):
    repair = ScoreRepair(LogisticRegression(), sensitive_columns=2)
    for use in (repair.fit, make_pipeline(repair).fit):
        with pytest.warns(UserWarning, match=words) as caught:
            use(*rows())
        assert [own.filename for own in caught] == [__file__]


def test_the_warning_of_a_partial_repair_in_a_file_names_the_caller(tmp_path):
    repair = GroupRepair(sensitive_columns=2, amount=0.5, check_samples=0).fit(table(500)[0])
    with pytest.warns(UserWarning, match="amount") as caught:
        repair.save(tmp_path / "repair.safetensors")
    assert [own.filename for own in caught] == [__file__]

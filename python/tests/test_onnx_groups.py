# SPDX-License-Identifier: MIT
"""Labels of groups that are inputs of a model: how many there are, and which numbers they are."""

import numpy as np
import pandas as pd
import pytest
from onnx_samples import close, grouped, run
from onnxruntime.capi import onnxruntime_pybind11_state as errors
from skl2onnx.common.data_types import DoubleTensorType, Int64TensorType
from sklearn.linear_model import LogisticRegression

from lbw import GroupRepair, LocalTransport, ScoreRepair
from lbw.onnx import to_onnx

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
FAILURES = (errors.Fail, errors.InvalidArgument)


def transported(X, groups):
    return to_onnx(LocalTransport(2, map="hard").fit(X, groups), to="b")


def repaired(X, groups):
    return to_onnx(GroupRepair(check_samples=0, refine=2).fit(X, sensitive_features=groups))


def scored(X, groups):
    y = X[:, 0] + np.random.default_rng(0).normal(size=len(X)) > np.median(X[:, 0])
    repair = ScoreRepair(LogisticRegression(), ensemble=False, ties="keep")
    return to_onnx(repair.fit(X, y, sensitive_features=groups))


@pytest.mark.parametrize("model_of", [transported, repaired, scored])
def test_one_label_is_that_of_all_rows_and_other_numbers_fail(model_of):
    X, groups = grouped(400, 2)
    model = model_of(X, groups)
    expected = run(model, X=X[:5], group=np.repeat("c", 5))[-1]
    close(run(model, X=X[:5], group=np.array(["c"]))[-1], expected, 1.0, "double")
    assert run(model, X=X[:0], group=np.array(["c"]))[-1].shape == (0, 2)
    for n_rows, labels in ((5, ["a", "b"]), (5, []), (1, ["a", "z"]), (0, ["a", "b"])):
        with pytest.raises(FAILURES):
            run(model, X=X[:n_rows], group=np.array(labels, dtype=object))


@pytest.mark.parametrize("group", [None, "a"])
def test_one_target_is_that_of_all_rows_and_other_numbers_fail(group):
    X, groups = grouped(400, 2)
    transport = LocalTransport(2, map="hard").fit(X, groups)
    model = to_onnx(transport, target_input=True, group=group)
    given = {"group": np.array(["a"])} if group is None else {}
    expected = transport.transform(X[:5], "a", to="b")
    for to in (["b"], ["b"] * 5):
        close(run(model, X=X[:5], to=np.array(to), **given)[0], expected, 1.0, "double")
    with pytest.raises(FAILURES):
        run(model, X=X[:5], to=np.array(["b", "b"]), **given)


def test_one_sensitive_value_in_a_typed_input_is_that_of_all_rows():
    X, groups = grouped(400, 2, (0, 1))
    table = pd.DataFrame({"x": X[:, 0], "z": X[:, 1], "group": groups})
    y = X[:, 0] + np.random.default_rng(0).normal(size=400) > np.median(X[:, 0])
    repair = ScoreRepair(
        LogisticRegression(), sensitive_columns="group", ensemble=False, ties="keep"
    ).fit(table, y)
    number = DoubleTensorType([None, 2])
    kinds = [("features", number), ("group", Int64TensorType([None, 1]))]
    model = to_onnx(repair, initial_types=kinds)
    found = run(model, features=X[:5], group=np.array([[1]]))[1]
    close(found, repair.predict_proba(table[:5].assign(group=1)), 1.0, "double")
    with pytest.raises(ValueError, match=r"initial_types names \['group'\] only; add the columns"):
        to_onnx(repair, initial_types=kinds[1:])


@pytest.mark.parametrize(
    ("first", "precision", "remedy"),
    [
        (2**55, "double", "Fit with labels that are strings."),
        (2**55, "single", "Fit with labels that are strings."),
        (2**25, "single", "Export with precision='double', or fit with labels that are strings."),
    ],
)
def test_labels_that_are_one_number_are_refused_with_what_helps(first, precision, remedy):
    X, groups = grouped(300, 2, (0, 1, 2))
    table = pd.DataFrame({"s": first + groups, "x": X[:, 0], "y": X[:, 1]})
    repair = GroupRepair(sensitive_columns="s", check_samples=0).fit(table)
    with pytest.raises(ValueError, match="are not distinct as float") as raised:
        to_onnx(repair, precision=precision)
    assert str(raised.value).partition(". ")[2] == remedy

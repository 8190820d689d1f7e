# SPDX-License-Identifier: MIT
import numpy as np
import pytest
from onnx_samples import DTYPES, grouped, run
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lbw import ScoreRepair
from lbw.onnx import to_onnx

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
BOOSTED = HistGradientBoostingClassifier(max_iter=10)


def fitted(classifier, n=1200):
    X, groups = grouped(n, 3, ("a", "b"))
    y = X[:, 0] + np.random.default_rng(1).normal(0, 4, n) > 0
    repair = ScoreRepair(classifier, ensemble=False, ties="keep")
    return repair.fit(X, y, sensitive_features=groups), X, groups


@pytest.mark.parametrize(
    ("classifier", "precision"),
    [
        (BOOSTED, "double"),
        (BOOSTED, "single"),
        (make_pipeline(StandardScaler(), BOOSTED), "double"),
        (CalibratedClassifierCV(BOOSTED), "double"),
    ],
)
def test_histogram_gradient_boosting_is_exported(classifier, precision):
    """More than 255 rows, so that thresholds are values of rows, which must not change sides."""
    repair, X, groups = fitted(classifier)
    found = run(to_onnx(repair, precision=precision), X=X.astype(DTYPES[precision]), group=groups)[
        1
    ]
    expected = repair.predict_proba(X, sensitive_features=groups)
    assert np.abs(found - expected).max() < 1e-3


def test_categorical_features_of_boosting_are_refused():
    X, groups = grouped(600, 3, ("a", "b"))
    X[:, 2] = np.random.default_rng(0).integers(4, size=600)
    repair = ScoreRepair(
        HistGradientBoostingClassifier(categorical_features=[2]), ensemble=False, ties="keep"
    ).fit(X, X[:, 0] > 0, sensitive_features=groups)
    with pytest.raises(ValueError, match=r"categorical features \[2\].*OrdinalEncoder"):
        to_onnx(repair)


def test_boosting_inside_other_estimators_says_what_to_use():
    estimators = [("boosted", BOOSTED), ("linear", LogisticRegression())]
    repair, _, _ = fitted(VotingClassifier(estimators, voting="soft"))
    with pytest.raises(ValueError, match="cannot convert VotingClassifier") as raised:
        to_onnx(repair)
    assert "alone, as the last step of a Pipeline or in" in str(raised.value)
    assert len(str(raised.value)) < 500  # skl2onnx prints all trees

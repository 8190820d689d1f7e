# SPDX-License-Identifier: MIT
"""scikit-learn's own checks. What fails is listed with the reason; nothing else may."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import estimator_checks_generator
from sklearn.utils.validation import _num_samples

from lbw import GaussianMixture, GroupRepair, LocalTransport, ScoreRepair

NEEDS_GROUPS = "transform needs the group of the rows, which the check does not give"
# what remains of LocalTransport is checked through CarriedFromFirstGroup below
LOCAL_TRANSPORT = {
    "check_fit_score_takes_y": "the second argument of fit is called groups, not y",
    "check_sample_weight_equivalence_on_dense_data": "fit is called with y=, ours is groups=",
    "check_transformer_data_not_an_array": "fit_transform is called with y=, ours is groups=",
    "check_transformer_general": "fit_transform is called with y=, ours is groups=",
    **dict.fromkeys(
        [
            "check_n_features_in_after_fitting",
            "check_estimators_dtypes",
            "check_dtype_object",
            "check_estimators_nan_inf",
            "check_estimators_pickle",
            "check_f_contiguous_array_estimator",
            "check_transformer_preserve_dtypes",
            "check_transformers_unfitted",
            "check_methods_sample_order_invariance",
            "check_methods_subset_invariance",
            "check_dict_unchanged",
            "check_fit_idempotent",
            "check_fit2d_predict1d",
        ],
        NEEDS_GROUPS,
    ),
}
# with one component, which needs no draw, the same check passes
TWO_COMPONENTS = {
    "check_sample_weight_equivalence_on_dense_data": "the start is drawn from the rows, and the "
    "check compares different rows",
}
CONTINUOUS = "the column of the groups is continuous in the check, which is refused"
# what remains of GroupRepair is checked through AlternatelyRepaired below
GROUP_REPAIR = {
    **dict.fromkeys(
        [
            "check_fit_score_takes_y",
            "check_estimators_overwrite_params",
            "check_estimators_fit_returns_self",
            "check_readonly_memmap_input",
            "check_positive_only_tag_during_fit",
            "check_pipeline_consistency",
            "check_estimators_pickle",
            "check_transformer_data_not_an_array",
            "check_transformer_general",
            "check_transformer_preserve_dtypes",
            "check_transformer_n_iter",
            "check_fit_check_is_fitted",
            "check_n_features_in",
            "check_dont_overwrite_parameters",
            "check_n_features_in_after_fitting",
            "check_estimators_dtypes",
            "check_estimators_nan_inf",
            "check_f_contiguous_array_estimator",
            "check_methods_sample_order_invariance",
            "check_methods_subset_invariance",
            "check_dict_unchanged",
            "check_fit2d_predict1d",
            "check_sample_weights_list",
            "check_all_zero_sample_weights_error",
            "check_sample_weight_equivalence_on_dense_data",
        ],
        CONTINUOUS,
    ),
    "check_dtype_object": "the check puts a dictionary into the column of the groups",
    "check_fit_idempotent": "the check's columns are random: test rows have new groups",
}
# the groups of test_sample_weight.py are in y, and the same check passes
ALTERNATELY_REPAIRED = {
    "check_sample_weight_equivalence_on_dense_data": "the check repeats rows, and groups alternate",
}
OTHER_FOLDS = "the folds are drawn from the rows, and the check compares different rows"
# in columns of the checks every row is a group of its own, so only AlternatelyScored is checked
SCORE_REPAIR = {
    "check_sample_weight_equivalence_on_dense_data": OTHER_FOLDS,
    "check_sample_weight_equivalence_on_sparse_data": OTHER_FOLDS,
    "check_classifiers_one_label_sample_weights": "rows without weight are those of one group",
}


class CarriedFromFirstGroup(LocalTransport):
    """LocalTransport as the checks call it: y holds the groups, all rows are of the first."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> CarriedFromFirstGroup:
        return super().fit(X, y, sample_weight)

    def transform(self, X: Any) -> Any:
        groups = self.groups_[0] if hasattr(self, "groups_") else None
        return super().transform(X, groups)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        return self.fit(X, y).transform(X)


class AlternatelyRepaired(GroupRepair):
    """GroupRepair as the checks call it: groups alternate in fit, all rows are of the first."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> AlternatelyRepaired:
        groups = np.resize(["a", "b"], _num_samples(X))
        return super().fit(X, y, sample_weight, sensitive_features=groups)

    def transform(self, X: Any) -> Any:
        return super().transform(X, sensitive_features="a")

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        return self.fit(X, y).transform(X)


class AlternatelyScored(ScoreRepair):
    """ScoreRepair as the checks call it: groups alternate in fit, all rows are of the first."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> AlternatelyScored:
        groups = np.resize(["a", "b"], _num_samples(X))
        return super().fit(X, y, sample_weight, sensitive_features=groups)

    def predict_proba(self, X: Any) -> Any:
        return super().predict_proba(X, sensitive_features="a")

    def predict(self, X: Any) -> Any:
        return super().predict(X, sensitive_features="a")

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        return super().score(X, y, sample_weight, sensitive_features="a")


def cases():
    for estimator, expected in (
        (GaussianMixture(), {}),
        (GaussianMixture(2, covariance_type="diag", max_iter=500), TWO_COMPONENTS),
        (LocalTransport(n_components=1), LOCAL_TRANSPORT),
        (CarriedFromFirstGroup(n_components=1), {}),
        (GroupRepair(sensitive_columns=0), GROUP_REPAIR),
        (AlternatelyRepaired(), ALTERNATELY_REPAIRED),
        (AlternatelyScored(LogisticRegression(), cv=2), SCORE_REPAIR),
    ):
        yield from estimator_checks_generator(
            estimator, expected_failed_checks=expected, mark="xfail"
        )


def name_of(value: Any) -> str:
    """Give the name of an estimator or of a check, which may be a partial."""
    return getattr(getattr(value, "func", value), "__name__", type(value).__name__)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.filterwarnings("ignore:Few held-out rows of groups")
@pytest.mark.filterwarnings("ignore:Few rows of groups")
@pytest.mark.filterwarnings("ignore:fit does not check the repair")
@pytest.mark.filterwarnings("ignore:. of . components have fewer than")
@pytest.mark.filterwarnings("ignore:Feature . of [0-9]+ is constant in group")
@pytest.mark.parametrize(("estimator", "check"), cases(), ids=name_of)
def test_check(estimator, check):
    check(estimator)

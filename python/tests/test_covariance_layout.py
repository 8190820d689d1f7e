# SPDX-License-Identifier: MIT
"""The layout of covariances is that of the core, under scikit-learn's names."""

import pytest
from sklearn.mixture import GaussianMixture as SklearnMixture

from lbw._options.names import COVARIANCE_TYPES, covariance_layout


@pytest.mark.parametrize("kind", COVARIANCE_TYPES)
def test_shapes_are_those_of_scikit_learn(kind, two_groups):
    X, _ = two_groups
    fitted = SklearnMixture(3, covariance_type=kind, random_state=0).fit(X)
    layout = covariance_layout(kind)
    assert layout.array_shape(3, X.shape[1]) == fitted.covariances_.shape
    assert layout.is_shared == (kind == "tied")


def test_the_names_of_the_core_are_accepted_and_others_refused():
    assert covariance_layout("diagonal").entries == covariance_layout("diag").entries
    with pytest.raises(ValueError, match="oval"):
        covariance_layout("oval")

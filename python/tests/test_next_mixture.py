# SPDX-License-Identifier: MIT
"""A step of EM by its sums says what it cannot estimate."""

import numpy as np
import pytest

import lbw
from lbw import GaussianMixture


@pytest.mark.parametrize("covariance_type", ["full", "tied"])
def test_a_step_that_determines_no_covariance_is_refused_as_a_fit_is(covariance_type):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    mixture = GaussianMixture(1, covariance_type=covariance_type, reg_covar=0).fit(X)
    two = X[:2] + 5.0
    with pytest.raises(lbw.NumericalError, match="ill-defined empirical covariance") as fit:
        GaussianMixture(1, covariance_type=covariance_type, reg_covar=0).fit(two)
    with pytest.raises(lbw.NumericalError, match="ill-defined empirical covariance") as step:
        lbw.next_mixture(mixture, lbw.moment_sums(mixture, two))
    assert "increase reg_covar" in str(fit.value)
    assert "the 2 samples of sums do not span their 3 features" in str(step.value)


def test_a_step_that_moves_a_component_warns():
    X = np.random.default_rng(0).normal(size=(200, 2))
    far = np.vstack([X, [[500.0, 500.0]] * 20])  # twenty equal rows: their covariance is 0
    mixture = GaussianMixture(2, reg_covar=1e-3).fit(far).set_params(reg_covar=0.0)
    with pytest.warns(UserWarning, match="It was moved to the sample of lowest density"):
        lbw.next_mixture(mixture, lbw.moment_sums(mixture, far))

# SPDX-License-Identifier: MIT
"""Runs scikit-learn's own tests of GaussianMixture on lbw's class.

The tests come from the installed scikit-learn. Those in EXCLUDED test something that lbw does not
promise; each has its reason.
"""

from __future__ import annotations

import importlib.util
from types import ModuleType

import numpy as np
import pytest

import lbw

# our settings make errors of warnings, scikit-learn's do not
pytestmark = pytest.mark.filterwarnings("default::sklearn.exceptions.ConvergenceWarning")

EXCLUDED = {
    # private functions of scikit-learn, which these tests call without the class
    "test_suffstat_sk_full",
    "test_suffstat_sk_tied",
    "test_suffstat_sk_diag",
    "test_gaussian_suffstat_sk_spherical",
    "test_compute_log_det_cholesky",
    # the exact words of a message, in which scikit-learn swaps the largest and the smallest weight
    "test_check_weights",
    # private methods of scikit-learn's class: _estimate_log_prob, _estimate_log_prob_resp,
    # _set_parameters and _initialize
    "test_gaussian_mixture_log_probabilities",
    "test_gaussian_mixture_estimate_log_prob_resp",
    "test_gaussian_mixture_precisions_init",
    # takes it that k-means numbers its clusters as scikit-learn's does with the same seed
    "test_gaussian_mixture_precisions_init_diag",
    # compares the starts of n_init by the likelihood before the last step; lbw keeps the start with
    # the best likelihood after it (test_more_starts_never_lower_the_likelihood)
    "test_init",
    # counts the calls of a private function of scikit-learn
    "test_gaussian_mixture_all_init_does_not_estimate_gaussian_parameters",
    # arrays of other libraries (PyTorch, CuPy), which need scikit-learn's dispatch
    "test_gaussian_mixture_array_api_compliance",
    "test_gaussian_mixture_raises_where_array_api_not_implemented",
}


def suite_on(cls: type) -> ModuleType:
    """Load the installed test file anew, with another class in place of scikit-learn's."""
    spec = importlib.util.find_spec("sklearn.mixture.tests.test_gaussian_mixture")
    if spec is None or spec.loader is None:
        pytest.skip("scikit-learn was installed without its tests", allow_module_level=True)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.GaussianMixture = cls
    return module


SUITE = suite_on(lbw.GaussianMixture)
TESTS = {
    name: value
    for name, value in vars(SUITE).items()
    if name.startswith("test_") and callable(value) and name not in EXCLUDED
}
globals().update(TESTS)


@pytest.fixture(params=[np.float64, np.float32], ids=["float64", "float32"])
def global_dtype(request: pytest.FixtureRequest) -> type:
    """The type of the samples; scikit-learn's own fixture takes it from the environment."""
    return request.param


@pytest.fixture(params=[0, 1, 2])
def global_random_seed(request: pytest.FixtureRequest) -> int:
    """A seed; scikit-learn's own fixture takes it from the environment."""
    return request.param


def test_the_suite_is_there():
    # would the class not be replaced, or the names change, nothing would be tested
    assert len(TESTS) >= 20
    assert all(
        test.__globals__["GaussianMixture"] is lbw.GaussianMixture for test in TESTS.values()
    )

# SPDX-License-Identifier: MIT
"""Selection by held-out samples where samples are repeated."""

from __future__ import annotations

import numpy as np
import pytest

from lbw import GaussianMixture, LocalTransport


def test_copies_of_samples_are_warned_of():
    X = np.random.default_rng(0).normal(size=(100, 2))
    numbers = {"n_components_range": range(1, 6)}
    with pytest.warns(
        UserWarning, match=r"300 of 400 samples are copies .* sample_weight"
    ) as caught:
        mixture = GaussianMixture("heldout", **numbers).fit(np.repeat(X, 4, axis=0))
    assert mixture.n_components_ > 1  # one would do
    assert caught[0].filename == __file__
    groups = np.repeat(["a", "b"], 200)
    shifted = np.concatenate([np.repeat(X[:50], 4, axis=0), np.repeat(X[50:] + 3, 4, axis=0)])
    transport = LocalTransport("heldout", **numbers, relative_covariance_floor=0.1)
    with pytest.warns(UserWarning, match="300 of 400 samples are copies") as caught:
        transport.fit(shifted, groups)
    assert caught[0].filename == __file__


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_distinct_samples_other_criteria_and_few_values_are_not_warned_of():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 2))
    numbers = {"n_components_range": range(1, 3)}
    GaussianMixture("heldout", **numbers).fit(X)
    GaussianMixture("heldout", **numbers).fit(np.concatenate([X, X[:20]]))
    GaussianMixture("bic", **numbers).fit(np.repeat(X, 4, axis=0))
    GaussianMixture("heldout", **numbers).fit(random.integers(5, size=(400, 2)).astype(float))
